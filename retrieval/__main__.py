"""`python -m retrieval`."""

from retrieval.cli import main

if __name__ == "__main__":
    main()
