"""Plans: from a question to the steps that answer it, by a writer that learned from examples."""
