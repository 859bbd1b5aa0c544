"""Judges: what a text covers, which of two answers is better, what an answer says; prompted or offline."""
