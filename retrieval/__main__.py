"""`python -m retrieval`."""

from __future__ import annotations

from corpus.terminal import beginning

with beginning("retrieval"):
    from retrieval.cli import main

    main()
