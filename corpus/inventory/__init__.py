"""What a snapshot holds, for people who look into it."""
