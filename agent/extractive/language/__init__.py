"""English as rules need it: word classes and forms, phrases and clauses, numbers with their units."""
