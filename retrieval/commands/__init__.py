"""The commands of `python -m retrieval`."""
