"""The reader: which words of what was found answer a step, and how likely any do."""
