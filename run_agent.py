"""Ask a question: `python run_agent.py "Which planets have rings?"`; `--help` says more."""

from corpus.terminal import beginning

with beginning("run_agent"):
    from agent.cli import main

    if __name__ == "__main__":
        main()
