"""What a machine lacks is told from what is wrong with the data, however it comes up."""

from __future__ import annotations

import errno
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from corpus.errors import InputError
from corpus.faults import check_loop, check_room, is_damage, machine_fault
from corpus.files import parse_json, read_text
from tests.descriptors import open_files


@contextmanager
def no_descriptors() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(place.name) for place in Path("/proc/self/fd").iterdir())
    held = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 1, before[1]))
    try:
        while True:
            try:
                held.append(os.open(os.devnull, os.O_RDONLY))
            except OSError:
                break
        yield
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/a"), "the disk is full (/a): free"),
        (OSError(errno.EMFILE, "Too many open files"), "no file descriptor is left: raise"),
        (MemoryError(), "no memory is left: raise"),
        (RuntimeError("can't start new thread"), "no process or thread can be started"),
        (RuntimeError("write error in x: No space left on device"), "the disk is full"),
        (ImportError("a.so: failed to map segment from shared object"), "no memory is left"),
        (ExceptionGroup("two", [ValueError(), MemoryError()]), "no memory is left"),
    ],
)
def test_what_is_lacking_is_named_with_its_mend(error: Exception, said: str) -> None:
    found = machine_fault(error)
    assert found is not None
    assert found.startswith(said)
    assert found.endswith("and run the same command again")
    wrapped = ValueError("of another kind")
    wrapped.__cause__ = error
    assert machine_fault(wrapped) == found


@pytest.mark.parametrize(
    "error", [ValueError("x"), OSError(errno.ENOENT, "x"), BlockingIOError(errno.EAGAIN, "held")]
)
def test_other_errors_are_none_of_the_machines(error: Exception) -> None:
    assert machine_fault(error) is None


def test_a_store_is_damaged_only_where_its_content_is(tmp_path: Path) -> None:
    path = tmp_path / "store"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE a (b)")
    made.close()
    other = sqlite3.connect(path)
    with pytest.raises(sqlite3.Error) as absent:
        other.execute("SELECT * FROM elsewhere")
    other.close()
    assert is_damage(absent.value)
    with pytest.raises(sqlite3.Error) as closed:
        other.execute("SELECT * FROM a")
    assert not is_damage(closed.value)
    with no_descriptors(), pytest.raises(sqlite3.Error) as lacking:
        sqlite3.connect(path).execute("SELECT * FROM a")
    # Asked for while none is left, as who handles the error would.
    with no_descriptors():
        assert machine_fault(lacking.value) is not None
        assert not is_damage(lacking.value)
    path.write_bytes(b"no database " * 1000)
    damaged = sqlite3.connect(path)
    with pytest.raises(sqlite3.Error) as found:
        damaged.execute("SELECT * FROM a")
    damaged.close()
    assert is_damage(found.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "nested too deep"),
        ("9" * 5_000, "more than 4,300 digits"),
        ("[NaN]", "NaN is no number"),
        ('{"a" 1}', "line 1, column 6"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_json_that_cannot_be_read_says_why(text: str | bytes, said: str) -> None:
    with pytest.raises(InputError, match=said) as found:
        parse_json(text, "plan.json")
    assert str(found.value).startswith("plan.json: ")


def test_files_are_read_within_bounds(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfwords")
    assert read_text(path) == "words"
    assert read_text(path, most=8) == "words"
    with pytest.raises(InputError, match="larger than"):
        read_text(path, most=7)
    with pytest.raises(InputError, match="larger than"):
        read_text(Path("/dev/zero"), most=1000)
    with pytest.raises(InputError, match="is a folder"):
        read_text(tmp_path)
    with pytest.raises(InputError, match="No such file"):
        read_text(tmp_path / "none")
    path.write_bytes(b"one\ntwo \xff")
    with pytest.raises(InputError, match=r"byte 8, line 2"):
        read_text(path)


def test_room_that_a_limit_does_not_allow_is_refused_before_it_is_taken() -> None:
    check_room(1 << 30)
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, -1))\n"
        "from corpus.terminal import beginning\n"
        "from corpus.faults import check_room\n"
        "with beginning('demo'): check_room(1 << 29); check_room(1 << 30)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("demo: no memory is left: raise the limit (`ulimit -v`)")


def test_no_loop_is_begun_without_the_descriptors_it_needs() -> None:
    check_loop()
    before = len(open_files())
    with no_descriptors(), pytest.raises(OSError, match="Too many open files") as caught:
        check_loop()
    assert len(open_files()) == before
    assert "no file descriptor is left" in str(machine_fault(caught.value))
