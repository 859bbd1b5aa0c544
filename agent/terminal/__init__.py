"""A question followed on a terminal: the plan while it is worked on, the printed answer."""
