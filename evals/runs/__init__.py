"""Runs: what a person names, every sample's prediction, and the folder that keeps them."""
