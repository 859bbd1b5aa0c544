"""What crosses threads: a file with one owner, and results that any event loop may wait for."""
