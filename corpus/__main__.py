"""`python -m corpus`."""

from __future__ import annotations

from corpus.terminal import beginning

with beginning("corpus"):
    from corpus.cli import main

    main()
