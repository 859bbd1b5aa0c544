"""Who may ask, how often, how much at once: what every request passes first."""
