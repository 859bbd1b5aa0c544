"""`python -m agent`, and `fanfold` once installed.

`serve …` serves, `stand-in` stands in for a model, anything else is a question.
"""

from __future__ import annotations

import sys
from typing import NoReturn

from corpus.terminal import beginning


def main() -> NoReturn:
    """Run the command line that the first word names."""
    with beginning("fanfold"):
        if sys.argv[1:2] == ["serve"]:
            del sys.argv[1]
            from agent.serve.cli import main as run
        elif sys.argv[1:2] == ["stand-in"]:
            del sys.argv[1]
            from agent.stand_in.server import main as run
        else:
            from agent.cli import main as run
        run()
    raise AssertionError("a command line leaves the process")


if __name__ == "__main__":
    main()
