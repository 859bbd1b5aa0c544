"""Plans: from a question to the steps that answer it, by a tagger that learned from examples."""
