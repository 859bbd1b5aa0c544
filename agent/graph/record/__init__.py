"""What is kept of a run: its steps, its row in the table of runs."""
