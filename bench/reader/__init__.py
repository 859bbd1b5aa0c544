"""The reader to be: what it reads at once, and the spans it finds; trained by `train_reader.py`."""
