"""What every command line of fanfold shares: errors as one line, exit codes, a progress bar."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from corpus.errors import FanfoldError

if TYPE_CHECKING:
    from rich.progress import Progress
    from typer import Typer

INTERRUPTED = 130


def say(line: str) -> None:
    """Write one line to standard error, where everything but the result goes."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201


def run_app(app: Typer, *, name: str, resume_hint: Callable[[], str] | None = None) -> NoReturn:
    """Run a command line and leave the process with the exit code of the design.

    Args:
        app: the typer application.
        name: what the messages begin with, such as "corpus".
        resume_hint: called after Ctrl-C, returns what to run to go on ("" where nothing was begun).
    """
    from typer.exceptions import Abort, Exit, TyperException
    from typer.main import get_command

    # Not `app()`: it would swallow Ctrl-C, and take over the display of stack traces.
    command = get_command(app)
    try:
        with command.make_context(_program(name), sys.argv[1:]) as context:
            code = command.invoke(context)
        sys.stdout.flush()
    except Exit as end:
        sys.exit(end.exit_code)
    except (Abort, KeyboardInterrupt):
        _leave_interrupted(name, resume_hint)
    except TyperException as error:
        # Without arguments the help has been shown and there is no more to say.
        if message := one_line(error.format_message()):
            say(f"{name}: {message} (see --help)")
        sys.exit(2)
    except FanfoldError as error:
        say(f"{name}: {one_line(str(error))}")
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader (head, less) has left: nothing more can be said on standard output, and the
        # interpreter must not try when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.errno not in _USER_MENDS:
            raise
        where = f" {error.filename}" if error.filename else ""
        say(f"{name}: {_USER_MENDS[error.errno]}:{where} ({error.strerror})")
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)


def _program(name: str) -> str:
    """Return how the command line was called, for its usage message."""
    script = Path(sys.argv[0])
    return f"python -m {name}" if script.name == "__main__.py" else script.name


_USER_MENDS = {
    errno.ENOSPC: "the disk is full, free some space and run the same command again",
    errno.EDQUOT: "the disk quota is used up, free some space and run the same command again",
    errno.EACCES: "no permission, choose a place you may write to",
    errno.EPERM: "no permission, choose a place you may write to",
    errno.EROFS: "the file system is read-only, choose a place you may write to",
    errno.ENOENT: "no such file or folder",
    errno.ENOTDIR: "not a folder",
    errno.EISDIR: "a folder, where a file is needed",
}


def one_line(text: str) -> str:
    """Fold white space so that a message stays one line, whatever a library put into it."""
    return " ".join(text.split())


def _leave_interrupted(name: str, resume_hint: Callable[[], str] | None) -> NoReturn:
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
