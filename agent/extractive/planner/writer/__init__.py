"""Writes the steps of a question: a small decoder that takes its words from the question."""
