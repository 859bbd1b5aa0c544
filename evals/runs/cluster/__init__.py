"""A run whose samples are asked by the nodes of a cluster."""
