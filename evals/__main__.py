"""`python -m evals`."""

from __future__ import annotations

from corpus.terminal import beginning

with beginning("evals"):
    from evals.cli import main

    main()
