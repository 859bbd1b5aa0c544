"""From a question to its marks: what the tagger says, brought in line with the words around it."""
