"""One question's way through the graph: its strategy, its nodes, what is kept of it."""
