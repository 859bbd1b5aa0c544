"""What members must meet, and what they are ranked by, as questions about one of them."""
