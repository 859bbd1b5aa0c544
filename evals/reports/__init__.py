"""Reports: from scored runs to a web page, tables, plots, comparisons and audits."""
