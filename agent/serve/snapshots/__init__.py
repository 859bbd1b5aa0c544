"""Snapshots as they are served: searched in batches, what was found kept, questions to offer."""
