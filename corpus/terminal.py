"""What every command line of fanfold shares: errors as one line, exit codes."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from corpus.errors import FanfoldError, InputError
from corpus.faults import machine_fault

if TYPE_CHECKING:
    from types import FrameType

    from typer import Typer

INTERRUPTED = 130
LONGEST_NAME = 255
LONGEST_PATH = 4095
"""Bytes, on the file systems of today."""


PATIENCE = 4.0
"""Seconds without a line after which a command says what it waits for."""
_said = [time.monotonic()]
"""When a line was last written, by the monotonic clock; at first, when the process began."""
_waits: list[Callable[[], str]] = []
"""What is waited for, the innermost last: that one alone is spoken of."""
_start = ExitStack()
"""Closed when a command line has loaded what it needs to begin."""


def say(line: str) -> None:
    """Write one line to standard error, where everything but the result goes."""
    _said[0] = time.monotonic()
    print(line, file=sys.stderr, flush=True)  # noqa: T201


@contextmanager
def waiting(what: Callable[[], str]) -> Iterator[None]:
    """Say what is waited for, and for how long, whenever nothing else was said for some seconds.

    Seconds of silence before it count, too, but for one: what ends at once is not spoken of.

    Args:
        what: returns the line, without the time.
    """
    began = time.monotonic()
    _said[0] = max(_said[0], began - PATIENCE + min(1.0, PATIENCE))
    over = threading.Event()

    def watch() -> None:
        while not over.wait(max(0.1, _said[0] + PATIENCE - time.monotonic())):
            if time.monotonic() - _said[0] >= PATIENCE and _waits[-1:] == [what]:
                say(f"{what()} ({time.monotonic() - began:.0f} s)")

    watcher = threading.Thread(target=watch, name="waiting", daemon=True)
    _waits.append(what)
    watcher.start()
    try:
        yield
    finally:
        _waits.remove(what)
        over.set()
        watcher.join()


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
    check_places(command)
    try:
        heed_termination()
        _start.close()
        with command.make_context(_program(name), sys.argv[1:]) as context:
            code = command.invoke(context)
        sys.stdout.flush()
    except Exit as end:
        _leave(end.exit_code)
    except (Abort, KeyboardInterrupt):
        leave_interrupted(name, resume_hint)
    except TyperException as error:
        message = error.format_message()
        if message.startswith("Usage: "):
            # Without arguments the help is shown, and there is no more to say.
            with suppress(BrokenPipeError):
                sys.stdout.write(f"{message}\n")
                sys.stdout.flush()
        elif message:
            say(f"{name}: {one_line(message)} (see --help)")
        _leave(2)
    except FanfoldError as error:
        say(f"{name}: {one_line(str(error))}")
        _leave(error.exit_code)
    except BrokenPipeError:
        _leave(0)
    except Exception as error:
        line = explain(error)
        if line is None:
            raise
        say(f"{name}: {one_line(line)}")
        _leave(2)
    _leave(code if isinstance(code, int) else 0)


def check_places(command: Any) -> None:
    """Have every file and folder that a command is given looked at before the command begins."""
    for parameter in command.params:
        if parameter.callback is None:
            parameter.callback = _check_given
    for below in getattr(command, "commands", {}).values():
        check_places(below)


def _check_given(context: object, parameter: Any, value: Any) -> Any:
    for one in value if isinstance(value, list | tuple) else (value,):
        fault = _no_place(one) if isinstance(one, Path) else ""
        if fault:
            raise InputError(f"{parameter.opts[0] if parameter.opts else parameter.name}: {fault}")
    return value


def _no_place(path: Path) -> str:
    """Say why no file can have this name, "" where one can."""
    if path == Path() and "" in sys.argv and not {".", "./"} & set(sys.argv):
        return "the name is empty: name a file or folder"
    if not _is_text(str(path)):
        return f"{path} is no UTF-8: choose a name in UTF-8"
    if len(os.fsencode(path)) > LONGEST_PATH or any(
        len(os.fsencode(part)) > LONGEST_NAME for part in path.parts
    ):
        return f"{path} is too long: names have up to 255 bytes, paths 4,095"
    return ""


def explain(error: Exception) -> str | None:
    """Return what a user mends about an error that nobody foresaw; None where it is a fault of ours."""
    fault = machine_fault(error)
    if fault is not None:
        return fault
    if isinstance(error, OSError) and error.errno in _USER_MENDS:
        where = f" {os.fsdecode(error.filename)}" if error.filename else ""
        return f"{_USER_MENDS[error.errno]}:{where} ({error.strerror})"
    if isinstance(error, RuntimeError) and str(error).startswith("Symlink loop"):
        return f"{_USER_MENDS[errno.ELOOP]}: {error}"
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


@contextmanager
def beginning(name: str, *, hint: str = "") -> Iterator[None]:
    """Answer for a command line from its first line on: while its modules are imported, too.

    Args:
        name: what the messages begin with.
        hint: what to run after an interruption; by default nothing was begun.
    """
    try:
        try:
            heed_termination()
            with _start:
                _start.enter_context(waiting(lambda: f"{name}: the command line is loaded"))
                yield
        except KeyboardInterrupt:
            leave_interrupted(name, lambda: hint)
        except Exception as error:
            line = machine_fault(error)
            if line is None:
                raise
            say(f"{name}: {one_line(line)}")
            _leave(2)
    except SystemExit as end:
        _hold_to(end.code if isinstance(end.code, int) else 0)
        raise


def heed_termination() -> None:
    """Let SIGTERM do what Ctrl-C does, whoever handles that at the time."""

    def terminate(signum: int, frame: FrameType | None) -> None:
        # Where a shell has told this process to ignore Ctrl-C, there is nobody to pass it on to.
        if callable(signal.getsignal(signal.SIGINT)):
            signal.raise_signal(signal.SIGINT)
        else:
            raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, terminate)


def _leave(code: int) -> NoReturn:
    try:
        sys.stdout.flush()
    except OSError:
        # The reader (head, less) has left, or the disk is full: nothing more can be written there,
        # and the interpreter must not try when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _hold_to(code: int) -> None:
    """Let no signal change the exit code while the interpreter ends, nor garbage hold it up."""
    # All is written and closed: a search among what the libraries loaded is 0.6 s of silence.
    gc.freeze()
    gc.disable()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Who asks again does not want to wait until threads have ended.
        signal.signal(number, lambda *_: os._exit(code))
    # After the threads, when the interpreter would give signals back what they do by default.
    atexit.register(_ignore_signals)


def _ignore_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _program(name: str) -> str:
    """Return how the command line was called, for its usage message."""
    script = Path(sys.argv[0])
    module = name.replace("fanfold", "agent", 1)  # the installed name of `python -m agent`
    return f"python -m {module}" if script.name == "__main__.py" else script.name


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
    hint = resume_hint() if resume_hint is not None else ""
    say(f"{name}: interrupted" + (f"; to go on: {hint}" if hint else ""))
    _leave(INTERRUPTED)
