"""What the sentences of a question tell, and the question in its plain form."""
