"""What English infoboxes state, in words and in quantities."""
