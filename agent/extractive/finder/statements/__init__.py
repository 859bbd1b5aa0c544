"""Whether a statement holds: stated by a fact, denied by another value, or left open."""
