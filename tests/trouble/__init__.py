"""Trouble on purpose: bad inputs and a machine that fails, for tests and for scripts in bench/."""
