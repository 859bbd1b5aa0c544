"""What every command line of fanfold shares: errors as one line, exit codes, a progress bar."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from corpus.errors import FanfoldError
from corpus.faults import machine_fault

if TYPE_CHECKING:
    from types import FrameType

    from rich.progress import Progress
    from typer import Typer

INTERRUPTED = 130


def say(line: str) -> None:
    """Write one line to standard error, where everything but the result goes."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201


def run_app(app: Typer, *, name: str, resume_hint: Callable[[], str] | None = None) -> NoReturn:
    """Run a command line and leave the process with the exit code of the design.

    SIGTERM ends a command as Ctrl-C does: in good order, with what to run to go on.

    Args:
        app: the typer application.
        name: what the messages begin with, such as "corpus".
        resume_hint: called after an interruption, returns what to run to go on ("" where nothing
            was begun).
    """
    from typer.exceptions import Abort, Exit, TyperException
    from typer.main import get_command

    # Not `app()`: it would swallow Ctrl-C, and take over the display of stack traces.
    command = get_command(app)
    try:
        heed_termination()
        with command.make_context(_program(name), sys.argv[1:]) as context:
            code = command.invoke(context)
        sys.stdout.flush()
    except Exit as end:
        sys.exit(end.exit_code)
    except (Abort, KeyboardInterrupt):
        leave_interrupted(name, resume_hint)
    except TyperException as error:
        # Without arguments the help has been shown and there is no more to say.
        if message := one_line(error.format_message()):
            say(f"{name}: {message} (see --help)")
        sys.exit(2)
    except FanfoldError as error:
        say(f"{name}: {one_line(str(error))}")
        sys.exit(error.exit_code)
    except BrokenPipeError:
        _drop_output()
        sys.exit(0)
    except Exception as error:
        line = explain(error)
        if line is None:
            raise
        say(f"{name}: {one_line(line)}")
        _drop_output()
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)


def explain(error: Exception) -> str | None:
    """Return what a user mends about an error that nobody foresaw; None where it is a fault of ours."""
    fault = machine_fault(error)
    if fault is not None:
        return fault
    if isinstance(error, OSError) and error.errno in _USER_MENDS:
        where = f" {os.fsdecode(error.filename)}" if error.filename else ""
        return f"{_USER_MENDS[error.errno]}:{where} ({error.strerror})"
    if isinstance(error, UnicodeEncodeError):
        odd = next((word for word in sys.argv[1:] if not _is_text(word)), None)
        if odd is not None:
            return f"{odd} is no UTF-8: give names and words in UTF-8"
    return None


def _is_text(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def heed_termination() -> None:
    """Let SIGTERM do what Ctrl-C does, whoever handles that at the time."""

    def terminate(signum: int, frame: FrameType | None) -> None:
        # Where a shell has told this process to ignore Ctrl-C, there is nobody to pass it on to.
        if callable(signal.getsignal(signal.SIGINT)):
            signal.raise_signal(signal.SIGINT)
        else:
            raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, terminate)


def _drop_output() -> None:
    """Give up standard output, whose reader (head, less) has left or whose disk is full.

    Nothing more can be written there, and the interpreter must not try when it flushes at its end.
    """
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _program(name: str) -> str:
    """Return how the command line was called, for its usage message."""
    script = Path(sys.argv[0])
    return f"python -m {name}" if script.name == "__main__.py" else script.name


_USER_MENDS = {
    errno.EACCES: "no permission, choose a place you may write to",
    errno.EPERM: "no permission, choose a place you may write to",
    errno.EROFS: "the file system is read-only, choose a place you may write to",
    errno.ENOENT: "no such file or folder",
    errno.ENOTDIR: "not a folder",
    errno.EISDIR: "a folder, where a file is needed",
    errno.EEXIST: "there is something else already, choose another name",
    errno.ENOTEMPTY: "there is something in it, choose another name",
    errno.ENAMETOOLONG: "the name is too long, choose a shorter one",
    errno.ELOOP: "a link that leads back to itself, name the file itself",
    errno.ENXIO: "no file that can be opened",
    errno.ENODEV: "no file that can be opened",
    errno.EINVAL: "no file that this can be done with",
    errno.ESPIPE: "a pipe, where a file is needed",
    errno.ETXTBSY: "a program that runs, choose another file",
    errno.EBUSY: "in use, choose another place",
}
LONGEST = 600
"""Characters of a message that are shown; what is left out stood in its middle."""


def one_line(text: str) -> str:
    """Return a message as one line that can be shown, whatever a user or a library put into it.

    White space is folded, what cannot be printed is written as an escape, and a message that
    repeats something long is cut in its middle: its end says how to mend it.
    """
    return _shown(" ".join(text.split()))


def _shown(text: str) -> str:
    if len(text) > LONGEST:
        text = f"{text[: LONGEST * 2 // 3]} … {text[-LONGEST // 3 :]}"
    return "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in text)


def leave_interrupted(name: str, resume_hint: Callable[[], str] | None) -> NoReturn:
    """Say that a command was interrupted and what goes on with it, and leave the process."""
    for number in (signal.SIGINT, signal.SIGTERM):
        # Who asks again does not want to wait until threads have ended.
        signal.signal(number, signal.SIG_DFL)
    hint = resume_hint() if resume_hint is not None else ""
    say(f"{name}: interrupted" + (f"; to go on: {hint}" if hint else ""))
    sys.exit(INTERRUPTED)


def progress_bar(unit: str) -> Progress:
    """Return a progress bar on standard error with count, rate and time left.

    Where standard error is not a terminal nothing is drawn. Tasks count in `unit`.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class RateColumn(ProgressColumn):
        """Finished units a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.0f} {unit}/s")

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    )
