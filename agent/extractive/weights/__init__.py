"""Trained weights of the planner, and how they are stored."""
