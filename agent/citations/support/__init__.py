"""Whether a quote supports what it is cited for."""
