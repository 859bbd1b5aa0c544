"""The finder: facts of chunks, and by rules which of them answers a sub-question, with which words."""
