"""Open questions: which sentences of which articles give an account, and under what they are quoted."""
