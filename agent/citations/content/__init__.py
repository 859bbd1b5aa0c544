"""What a text says that can be checked word by word: figures, dates, names, words."""
