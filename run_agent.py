"""Ask a question: `python run_agent.py "Which planets have rings?"`; `--help` says more."""

import gc

from corpus.terminal import beginning

with beginning("run_agent"):
    # Most of what one question makes is modules and functions that stay: to look through them for
    # garbage again and again while they load would be a tenth of its time.
    gc.set_threshold(50_000)
    from agent.cli import main

    if __name__ == "__main__":
        main()
