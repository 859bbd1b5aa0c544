"""What texts of any kind have in common."""

from __future__ import annotations

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
"""In English, in order."""
