"""The form of an article's text, which every extractor shares: marks, lines, tables, boxes."""
