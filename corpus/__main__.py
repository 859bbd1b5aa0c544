"""`python -m corpus`."""

from __future__ import annotations

from corpus.cli import main

if __name__ == "__main__":
    main()
