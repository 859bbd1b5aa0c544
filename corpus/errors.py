"""The errors every part of fanfold raises for a person to read.

    FanfoldError                 exit code and one line: what, where, how to mend
    ├── InputError          2    bad usage or bad input: a file, a folder, an option, a question
    ├── NothingFoundError   3    the snapshot holds no answer
    └── BackendError        4    a model, an index or a server failed after its retries

What a machine lacks (room on a disk, descriptors, memory; see `corpus.faults`) is told in one line,
too, and ends with 2; an interruption ends with 130. Anything else that escapes a command is a fault
of fanfold itself and shows its stack trace.
"""

from __future__ import annotations


class FanfoldError(Exception):
    """An error with a message for a person; `exit_code` is the command's exit status."""

    exit_code = 1


class InputError(FanfoldError):
    """What the user gave cannot be used; the message names the value and the remedy."""

    exit_code = 2


class NothingFoundError(FanfoldError):
    """The snapshot holds no answer to what was asked."""

    exit_code = 3


class BackendError(FanfoldError):
    """A model, an index or a server failed after its bounded retries."""

    exit_code = 4
