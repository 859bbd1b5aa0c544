"""The tables that benchmarks draw of their scores."""
