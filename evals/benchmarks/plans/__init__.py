"""An own plan against the gold steps: which own step is which gold step, and what became of each."""
