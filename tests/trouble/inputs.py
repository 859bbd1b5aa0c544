"""Bad inputs for the four command lines, by kind, each with the exit code that the design gives it.

A case is one command line on a `World`: a small snapshot, a run of two questions, and files that hold
what no reader wants. What a case expects is one line on standard error, the code, and no more than
`BOUND` seconds. Every third case is held back (`Case.held_back`): nobody looks at those while mending.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from corpus.builder.snapshot import build_snapshot
from retrieval.build import ensure_built
from tests.trouble.commands import PROGRAMS, Ended, Job

BOUND = 5.0
"""Seconds."""
MEMORY = 1500 << 20
"""Bytes: what a question with the embedded model takes, and half as much again."""
LONGEST_LINE = 1000
"""Characters: a line that a person still reads, paths of tests included."""
ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "evals" / "sample"
QUESTION = "Which tree is tall?"
Code = int | frozenset[int]
FOUND_OR_NOT = frozenset({0, 3})
"""A number that is too large to mean anything, where "as many as there are" is what it means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One bad input and how it should end."""

    kind: str
    name: str
    job: Job
    code: Code
    words: str = ""
    """What the line must say, where it would else be easy to say something untrue."""

    @property
    def held_back(self) -> bool:
        """Whether the case is kept for judging."""
        return sha256(f"{self.kind}: {self.name}".encode()).digest()[0] % 3 == 0

    def faults(self, ended: Ended, bound: float = BOUND) -> list[str]:
        """Return what is wrong with how it ended."""
        found = []
        codes = self.code if isinstance(self.code, frozenset) else frozenset({self.code})
        if "Traceback (most recent call last)" in ended.err:
            found.append("a trace")
        if ended.code not in codes:
            found.append(f"exit {ended.code}, not {' or '.join(map(str, sorted(codes)))}")
        if ended.seconds > bound:
            found.append(f"{ended.seconds:.1f} s")
        if ended.peak > MEMORY:
            found.append(f"{ended.peak / 1e6:,.0f} MB")
        told = ended.told
        if codes.isdisjoint({0, 3}):
            if len(told) != 1:
                found.append(f"{len(told)} lines")
            elif not told[0].startswith(f"{PROGRAMS[self.job.program]}: "):
                found.append("a line of somebody else's")
            elif len(told[0]) > LONGEST_LINE:
                found.append(f"a line of {len(told[0]):,} characters")
            elif not told[0].isprintable():
                found.append("control characters")
            elif self.words not in told[0]:
                found.append(f"not a word of {self.words!r}")
            if ended.out and "--json" not in self.job.argv:
                found.append("something on standard output")
        return found


def make_cases(world: World) -> list[Case]:
    """Return all cases on a world."""
    found = [case for make in KINDS for case in make(world)]
    names = [(case.kind, case.name) for case in found]
    assert len(set(names)) == len(names), "two cases of one name"
    return found


# The world


PASSAGES = [
    {"title": "Alder", "text": "The alder is a tree of wet ground. It is twenty metres tall."},
    {"title": "Birch", "text": "The birch is a tree with white bark. It grows on poor ground."},
    {"title": "Cedar", "text": "The cedar is a tall tree of the mountains of Lebanon."},
    {"title": "Dogwood", "text": "The dogwood is a shrub. Its wood is hard."},
]


class World:
    """What cases are run on, made once in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.passages = folder / "passages.jsonl"
        self.passages.write_text("".join(json.dumps(one) + "\n" for one in PASSAGES), "utf-8")
        self.snapshot = folder / "snapshot"
        build_snapshot([self.passages], self.snapshot, date="2020-01-01")
        ensure_built(self.snapshot, "bm25")
        self.run = folder / "run"
        self._import_run()
        self.port = _closed_port()
        self.env = {
            "XDG_CACHE_HOME": str(folder / "cache"),
            "XDG_STATE_HOME": str(folder / "state"),
            "HF_HOME": str(folder / "hub"),
        }
        self.device = folder / "device"
        self.device.symlink_to(os.devnull)
        (folder / "folder").mkdir()
        (folder / "shut").mkdir(mode=0o500)
        self._bad: dict[str, Path] = {}
        self._count = 0

    def _import_run(self) -> None:
        from evals.benchmarks import BENCHMARKS
        from evals.ports import Judges
        from evals.runs.exchange.imported import import_run
        from evals.runs.samples import score_run

        data = SAMPLE / "fanoutqa-dev.json"
        ids = [item["id"] for item in json.loads(data.read_text("utf-8"))][:2]
        self.answers = self.folder / "answers.jsonl"
        lines = [json.dumps({"id": one, "answer": "Titan"}) for one in ids]
        self.answers.write_text("\n".join(lines), "utf-8")
        chosen = BENCHMARKS["fanoutqa"]
        run = import_run(
            chosen, data, "dev", chosen.editions[0], self.answers, "trees", self.run,
            answered_only=True,
        )  # fmt: skip
        score_run(run, Judges())

    def job(self, program: str, *argv: str | Path, **more: object) -> Job:
        """Return a command that finds this world's homes."""
        env = self.env | dict(more.pop("env", {}))  # type: ignore[call-overload]
        return Job(program=program, argv=[str(one) for one in argv], env=env, **more)  # type: ignore[arg-type]

    def ask(self, *options: str | Path, **more: object) -> Job:
        """Return a question to the small snapshot."""
        return self.job("agent", QUESTION, "--snapshot", self.snapshot, *options, **more)

    def out(self) -> Path:
        """Return a place where nothing is yet."""
        self._count += 1
        return self.folder / f"out-{self._count}"

    def bad(self, name: str, suffix: str = ".json") -> Path:
        """Return a file of `CONTENTS`, or what stands in a file's place."""
        path = self.folder / f"bad {name}{suffix}"
        if str(path) not in self._bad:
            self._bad[str(path)] = path
            PLACES[name](path)
        return path

    def snapshot_with(self, change: Callable[[Path], object]) -> Path:
        """Return a copy of the snapshot with something done to it."""
        copied = self.out()
        shutil.copytree(self.snapshot, copied)
        change(copied)
        return copied

    def run_with(self, change: Callable[[Path], object]) -> Path:
        """Return a copy of the run with something done to it."""
        copied = self.out()
        shutil.copytree(self.run, copied)
        change(copied)
        return copied


def _closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def _bytes(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(8 << 30)


def _device(name: str) -> Callable[[Path], object]:
    return lambda path: path.symlink_to(name)


def _shut(path: Path) -> None:
    path.write_text("[]")
    path.chmod(0)


CONTENTS: dict[str, bytes] = {
    "empty": b"",
    "white space": b" \n\n \t\n",
    "cut JSON": b'[{"id": "1", "text": "Which',
    "zeros": bytes(4096),
    "random bytes": random.Random(5).randbytes(100_000),
    "UTF-16": '[{"text": "a"}]'.encode("utf-16"),
    "Latin-1": b'[{"text": "caf\xe9"}]',
    "lists 100,000 deep": b"[" * 100_000,
    "objects 100,000 deep": b'{"a":' * 100_000,
    "closed lists 100,000 deep": b"[" * 100_000 + b"]" * 100_000,
    "a value 100,000 deep": b'[{"text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]",
    "a number of 5,000 digits": b'[{"id": ' + b"9" * 5_000 + b', "text": "a"}]',
    "a number alone of 5,000 digits": b"9" * 5_000,
    "not a number": b'[{"id": NaN, "text": Infinity}]',
    "a lone surrogate": b'[{"id": "\\ud800", "text": 1, "name": "\\udfff"}]',
    "null": b"null",
    "a string": b'"words"',
    "a list of lists": b"[[[]]]",
    "a list of numbers": b"[1, 2, 3]",
    "other fields": b'[{"colour": "red"}]',
    "fields of other types": b'[{"id": {}, "question": [], "text": {"a": 1}, "title": 7}]',
    "control characters": b'[{"\x00\x1b[31m": 1}]',
    "HTML": b"<!doctype html><title>Sign in</title>",
}
PLACES: dict[str, Callable[[Path], object]] = {
    **{name: _bytes(content) for name, content in CONTENTS.items()},
    "a folder": Path.mkdir,
    "nothing": lambda path: None,
    "8 GiB": _sparse,
    "an endless device": _device("/dev/zero"),
    "a loop of links": lambda path: path.symlink_to(path),
    "a shut file": _shut,
    "a socket": lambda path: _bind(path),
}


def _bind(path: Path) -> None:
    made = socket.socket(socket.AF_UNIX)
    # An address of a socket has no more than some hundred characters.
    here = os.open(path.parent, os.O_RDONLY)
    try:
        made.bind(f"/proc/self/fd/{here}/{path.name}")
    finally:
        os.close(here)
        made.close()


# Numbers

TOO_MANY_DIGITS = "9" * 5_000
NO_INTEGER = ("", "ten", "1.5", "-1", "NaN", "0x10", TOO_MANY_DIGITS)
NO_COUNT = (*NO_INTEGER, "0")
NO_AMOUNT = ("", "much", "-1", "0", "nan", "-inf", "1e400,5")


def _numbers(
    kind: str,
    begin: Callable[[], Job],
    options: Sequence[str],
    values: Sequence[str],
) -> Iterator[Case]:
    for option in options:
        for value in values:
            if option == "--max-tokens" and not value and begin().program == "evals":
                # A list of numbers that has none is no budget at all.
                continue
            job = begin()
            named = "5,000 digits" if value == TOO_MANY_DIGITS else repr(value)
            program = f"{job.program} {job.argv[0]}" if job.program != "agent" else "agent"
            yield Case(
                kind=kind,
                name=f"{program} {option} {named}",
                job=_with(job, option, value),
                code=2,
            )


def _with(job: Job, *more: str) -> Job:
    from dataclasses import replace

    return replace(job, argv=[*job.argv, *more])


def numbers(world: World) -> Iterator[Case]:
    """Numbers that are none, or that mean nothing."""
    model = ("--model", "m", "--base-url", f"http://127.0.0.1:{world.port}/v1")
    ask, asked_of = (lambda: world.ask()), (lambda: world.ask(*model))
    yield from _numbers("number", ask, ("-k", "--max-sub-questions", "--max-depth"), NO_COUNT)
    yield from _numbers("number", ask, ("--max-seconds",), NO_AMOUNT)
    counts = ("--max-calls", "--max-tokens", "--concurrency", "--context-limit")
    yield from _numbers("number", asked_of, counts, NO_COUNT)
    yield from _numbers("number", asked_of, ("--retries",), NO_INTEGER)
    amounts = ("--timeout", "--rpm", "--tpm", "--max-cost")
    yield from _numbers("number", asked_of, amounts, NO_AMOUNT)

    def build() -> Job:
        out = world.out()
        return world.job("corpus", "build", world.passages, "--date", "2020-01-01", "--out", out)

    yield from _numbers("number", build, ("--workers",), NO_INTEGER)

    def search() -> Job:
        return world.job("retrieval", "search", world.snapshot, "tree", "--mode", "bm25")

    yield from _numbers("number", search, ("-k",), NO_COUNT)
    yield from _numbers("number", search, ("--per-article",), NO_INTEGER)

    def run() -> Job:
        out = world.out()
        return world.job("evals", "run", "fanoutqa", "--snapshot", world.snapshot, "--out", out)

    counts = ("-k", "--limit", "--epochs", "--concurrency", "--max-calls", "--max-tokens")
    yield from _numbers("number", run, counts, NO_COUNT)
    yield from _numbers("number", run, ("--timeout", "--rpm", "--tpm"), NO_AMOUNT)

    def made() -> Job:
        return world.job("evals", "synth", "cq-syn", "--out", world.out(), "--embedder", "none")

    yield from _numbers("number", made, ("--items", "--concurrency"), NO_COUNT)
    for digits in ("1000000000", "1" + "0" * 30):
        named = f"{len(digits) - 1} zeros"
        # An answer draws on a bounded number of hits, and the line says so; a search, on what is there.
        yield Case(kind="k", name=f"agent -k {named}", job=world.ask("-k", digits), code=2)
        for mode in ("bm25", "hybrid"):
            job = world.job("retrieval", "search", world.snapshot, "tree", "--mode", mode)
            yield Case(
                kind="k",
                name=f"search {mode} -k {named}",
                job=_with(job, "-k", digits),
                code=FOUND_OR_NOT,
            )
        job = world.job(
            "retrieval", "search", world.snapshot, "tree", "--mode", "bm25", "--per-article", digits
        )
        yield Case(kind="k", name=f"--per-article {named}", job=job, code=FOUND_OR_NOT)


# Files

_TEXTS_OF_JSON = (
    *("empty", "white space", "cut JSON", "zeros", "random bytes", "UTF-16", "Latin-1"),
    *("lists 100,000 deep", "objects 100,000 deep", "closed lists 100,000 deep"),
    *("a value 100,000 deep", "a number of 5,000 digits", "a number alone of 5,000 digits"),
    *("not a number", "a lone surrogate", "null", "a string", "a list of lists"),
    *("a list of numbers", "other fields", "fields of other types", "control characters", "HTML"),
)
_PLACES = (
    *("a folder", "nothing", "8 GiB", "an endless device", "a loop of links", "a shut file"),
    "a socket",
)


def _files(
    kind: str,
    what: str,
    begin: Callable[[Path], Job],
    names: Sequence[str],
    world: World,
    suffix: str = ".json",
    code: int = 2,
) -> Iterator[Case]:
    from dataclasses import replace

    for name in names:
        job = replace(begin(world.bad(name, suffix)), unprivileged=name == "a shut file")
        yield Case(kind=kind, name=f"{what}: {name}", job=job, code=code)


def _without(names: Sequence[str], *left_out: str) -> list[str]:
    return [name for name in names if name not in left_out]


def files(world: World) -> Iterator[Case]:
    """Files that are not what they should be."""
    every = (*_TEXTS_OF_JSON, *_PLACES)
    yield from _files("file", "--plan", lambda path: world.ask("--plan", path), every, world)
    address = f"http://127.0.0.1:{world.port}/v1"
    yield from _files(
        "file",
        "--prices",
        lambda path: world.ask("--model", "m", "--base-url", address, "--prices", path),
        _without(every, "a lone surrogate"),
        world,
    )
    yield from _files(
        "file",
        "--calls",
        lambda path: world.ask("--model", "m", "--base-url", address, "--calls", path, "--replay"),
        ("cut JSON", "zeros", "random bytes", "UTF-16", "HTML", *_PLACES),
        world,
    )

    def build(path: Path) -> Job:
        return world.job("corpus", "build", path, "--date", "2020-01-01", "--out", world.out())

    # UTF-16 is read.
    sources = _without(every, "UTF-16")
    yield from _files("source", "SOURCE", build, sources, world, ".jsonl")

    def titled(path: Path) -> Job:
        source = f"http://127.0.0.1:{world.port}/w/api.php"
        begun = world.job("corpus", "build", source, "--date", "2020-01-01", "--out", world.out())
        return _with(begun, "--titles", str(path), "--contact", "me@example.org")

    broken = ("zeros", "random bytes", "UTF-16", "Latin-1", *_PLACES)
    yield from _files("file", "--titles", titled, ("empty", "white space", *broken), world, ".txt")

    def queries(path: Path) -> Job:
        begun = world.job("retrieval", "search", world.snapshot, "--mode", "bm25")
        return _with(begun, "--queries", str(path))

    broken = ("random bytes", "UTF-16", "Latin-1", *_PLACES)
    yield from _files("file", "--queries", queries, ("empty", "white space", *broken), world)

    def judged(path: Path) -> Job:
        begun = world.job("retrieval", "eval", world.snapshot, "--mode", "bm25")
        return _with(begun, "--queries", str(path), "--qrels", str(path))

    yield from _files("file", "topics", judged, ("empty", "cut JSON", "null", *broken), world)

    def data(path: Path) -> Job:
        begun = world.job("evals", "run", "fanoutqa", "--snapshot", world.snapshot)
        return _with(begun, "--data", str(path), "--out", str(world.out()))

    yield from _files("file", "fanoutqa --data", data, every, world)

    def answers(path: Path) -> Job:
        begun = world.job("evals", "import", "fanoutqa", "--data", SAMPLE / "fanoutqa-dev.json")
        return _with(begun, "--answers", str(path), "--out", str(world.out()))

    # No answer to any question is an answer: every question then counts as failed.
    lines = _without(every, "empty", "white space")
    yield from _files("file", "--answers", answers, lines, world, ".jsonl")
    for what in ("kinds", "coverage", "preferences"):
        few = ("empty", "cut JSON", "zeros", "closed lists 100,000 deep", "a lone surrogate")
        few += ("a number of 5,000 digits", "null", "other fields", "fields of other types")
        yield from _files(
            "file",
            f"agreement {what}",
            lambda path, what=what: world.job("evals", "agreement", what, path),  # type: ignore[misc]
            (*few, "a folder", "nothing", "an endless device", "8 GiB"),
            world,
        )
    for name in ("compound", "cofca", "ccmor", "subquestion"):
        few = ("empty", "cut JSON", "a value 100,000 deep", "a number of 5,000 digits", "null")
        yield from _files(
            "file",
            f"{name} --data",
            lambda path, name=name: world.job(  # type: ignore[misc]
                *("evals", "run", name, "--snapshot", world.snapshot),
                *("--data", path, "--out", world.out()),
            ),
            (*few, "other fields", "random bytes", "nothing"),
            world,
        )
    yield from _files(
        "file",
        "people --labels",
        lambda path: world.job("evals", "people", world.run, "--labels", path),
        ("empty", "cut JSON", "closed lists 100,000 deep", "a number of 5,000 digits", *broken),
        world,
        ".jsonl",
    )
    yield from _files(
        "file",
        "decompose",
        lambda path: world.job("evals", "decompose", path, "--out", world.out()),
        ("empty", "cut JSON", "closed lists 100,000 deep", "other fields", *broken),
        world,
        ".jsonl",
    )
    for option in ("--source",):
        yield from _files(
            "file",
            f"synth {option}",
            lambda path, option=option: world.job(  # type: ignore[misc]
                *("evals", "synth", "cq-syn", "--out", world.out(), "--embedder", "none"),
                *(option, path, "--model", "m", "--base-url", address),
            ),
            ("empty", "cut JSON", "a number of 5,000 digits", *broken),
            world,
        )


# Folders and stores


def _overwrite(name: str, share: float, content: bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        with (folder / name).open("r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(int(size * share))
            file.write(content[: max(1, size - int(size * share))])

    return change


def _spoil(table: str, column: str, value: bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        with sqlite3.connect(folder / "articles.sqlite") as store:
            store.execute(f"UPDATE {table} SET {column} = ?", (value,))
        store.close()

    return change


def _cut(name: str, share: float) -> Callable[[Path], None]:
    return lambda folder: os.truncate(folder / name, int((folder / name).stat().st_size * share))


def _write(name: str, content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(content)


def _remove(name: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        place = folder / name
        shutil.rmtree(place) if place.is_dir() else place.unlink()

    return change


STORES: dict[str, Callable[[Path], object]] = {
    "deleted": _remove("articles.sqlite"),
    "empty": _cut("articles.sqlite", 0),
    "cut in the middle": _cut("articles.sqlite", 0.5),
    "no database": _write("articles.sqlite", b"no database " * 2_000),
    "overwritten in the middle": _overwrite("articles.sqlite", 0.2, b"\xff" * 200_000),
    "another database": lambda folder: (
        (folder / "articles.sqlite").unlink(),
        sqlite3.connect(folder / "articles.sqlite")
        .execute("CREATE TABLE a (b)")
        .connection.close(),
    ),
    "texts that do not decompress": _spoil("bodies", "text", b"no zstandard"),
    "texts that are numbers": _spoil("bodies", "text", b""),
    "sections that are none": _spoil("bodies", "sections", b"\x00\x01"),
    "spans that are none": _spoil("bodies", "spans", b"\xff\xff\xff"),
}
MANIFESTS: dict[str, Callable[[Path], object]] = {
    "deleted": _remove("manifest.json"),
    **{
        name: _write("manifest.json", CONTENTS[name])
        for name in (
            *("empty", "cut JSON", "random bytes", "UTF-16", "closed lists 100,000 deep"),
            *("a number alone of 5,000 digits", "null", "a string", "other fields"),
        )
    },
}
INDEXES: dict[str, Callable[[Path], object]] = {
    "no index": _remove("indexes"),
    "a manifest 100,000 deep": _write("indexes/bm25/manifest.json", b"[" * 100_000),
    "a manifest of null": _write("indexes/bm25/manifest.json", b"null"),
    "a manifest with a long number": _write("indexes/bm25/manifest.json", b"9" * 5_000),
    "no manifest": _remove("indexes/bm25/manifest.json"),
    "no words": _remove("indexes/bm25/words"),
}


def stores(world: World) -> Iterator[Case]:
    """Snapshots, indexes and runs that were damaged, deleted or are something else."""
    for what, changes in (("store", STORES), ("manifest", MANIFESTS)):
        for name, change in changes.items():
            folder = world.snapshot_with(change)
            bodies = what == "store" and name.startswith(("texts", "sections", "spans"))
            commands = {
                "search": world.job("retrieval", "search", folder, "tree", "--mode", "bm25"),
                "ask": world.job("agent", QUESTION, "--snapshot", folder),
                "show": world.job("corpus", "show", folder, "Alder"),
                "evals run": world.job(
                    *("evals", "run", "fanoutqa", "--snapshot", folder, "--limit", "1"),
                    *("--out", world.out()),
                ),
                "info": world.job("corpus", "info", folder),
                "retrieval info": world.job("retrieval", "info", folder),
                "verify": world.job("corpus", "verify", folder),
                "diff": world.job("corpus", "diff", folder, world.snapshot),
            }
            if bodies:
                # Only who reads the texts can see this; a run asks each question and fails each.
                commands = {key: commands[key] for key in ("search", "ask", "verify")}
                if not name.startswith("spans"):
                    commands["show"] = world.job("corpus", "show", folder, "Alder")
            if what == "store" and name.startswith(("overwritten", "cut")):
                # Which pages are lost is chance, and a run whose questions all fail is 4.
                commands = {key: commands[key] for key in ("show", "verify", "search", "ask")}
            for command, job in commands.items():
                yield Case(kind=what, name=f"{name}: {command}", job=job, code=2)
    for name, change in INDEXES.items():
        folder = world.snapshot_with(change)
        yield Case(
            kind="index",
            name=f"{name}: search",
            job=world.job("retrieval", "search", folder, "tree", "--mode", "bm25"),
            code=2,
        )
        yield Case(
            kind="index",
            name=f"{name}: ask",
            job=world.job("agent", QUESTION, "--snapshot", folder),
            code=2,
        )
    for name in ("config.json", "predictions.jsonl", "samples.jsonl", "scoring.json"):
        for content in (
            *("cut JSON", "random bytes", "lists 100,000 deep", "a number alone of 5,000 digits"),
            *("null", "other fields", "UTF-16"),
        ):
            # A last line without an end was torn by a kill and is passed over.
            folder = world.run_with(_write(name, CONTENTS[content] + b"\n"))
            command = "report" if name == "scoring.json" else "score"
            yield Case(
                kind="run",
                name=f"{command} with {name}: {content}",
                job=world.job("evals", command, folder),
                code=2,
            )
    for content in ("cut JSON", "random bytes", "null", "other fields"):
        folder = world.run_with(_write("scores.jsonl", CONTENTS[content] + b"\n"))
        for command in ("report", "export", "compare"):
            yield Case(
                kind="run",
                name=f"{command} with scores.jsonl: {content}",
                job=world.job("evals", command, folder),
                code=2,
            )
    for command in (("score",), ("report",), ("replay",), ("export",), ("compare",), ("people",)):
        for name, place in (
            ("nothing", world.folder / "nowhere"),
            ("an empty folder", world.folder / "folder"),
            ("a file", world.passages),
            ("a snapshot", world.snapshot),
        ):
            yield Case(
                kind="run",
                name=f"{command[0]} of {name}",
                job=world.job("evals", *command, place),
                code=2,
            )


# Places to write


def places(world: World) -> Iterator[Case]:
    """Places that cannot be written, or are no places."""
    wrong = {
        "no UTF-8": os.fsdecode(bytes(world.folder) + b"/\xff\xfe\xfa"),
        "300 characters": str(world.folder / ("n" * 300)),
        "a path of 6,000 characters": str(world.folder / "/".join(["n" * 100] * 60)),
        "below a file": str(world.passages / "out"),
        "a file": str(world.passages),
        "an empty name": "",
        # By a link: whoever renames something into its place must not take the machine's own away.
        "a device": str(world.device),
        "below a device": str(world.device / "out"),
        "a shut folder": str(world.folder / "shut" / "out"),
        "a loop of links": str(world.bad("a loop of links") / "out"),
        "control characters": str(world.folder / "a\x1b[31m\nb" / ("n" * 300)),
    }
    for name, place in wrong.items():
        shut = name == "a shut folder"
        # A name that is no UTF-8 is a name all the same where only bytes are written to it.
        commands = {
            "build": ("corpus", "build", world.passages, "--date", "2020-01-01", "--out", place),
            "run": (
                *("evals", "run", "fanoutqa", "--snapshot", world.snapshot, "--limit", "1"),
                *("--setting", "evidence", "--out", place),
            ),
            "import": (
                *("evals", "import", "fanoutqa", "--data", SAMPLE / "fanoutqa-dev.json"),
                *("--answers", world.answers, "--out", place),
            ),
            "fetch": (
                *("corpus", "fetch", f"http://127.0.0.1:{world.port}/dump.bz2", "--out", place),
            ),
            "report": ("evals", "report", world.run, "--out", place),
            "synth": ("evals", "synth", "cq-syn", "--embedder", "none", "--out", place),
            "finetune-data": ("evals", "finetune-data", "--out", place),
            "people": ("evals", "people", world.run, "--sheet", place),
            "eval --run": (
                *("retrieval", "eval", world.snapshot, "--mode", "bm25", "--run", place),
                *("--queries", world.passages, "--qrels", world.passages),
            ),
            "calls": (
                *("agent", QUESTION, "--snapshot", world.snapshot, "--model", "m"),
                *("--base-url", f"http://127.0.0.1:{world.port}/v1", "--calls", place),
            ),
        }
        for command, argv in commands.items():
            code: Code = 2
            if name == "no UTF-8":
                # Nothing is wrong with it but that it cannot be noted down.
                code = frozenset({0, 2, 4})
            if name == "a device" and command in ("report", "people"):
                code = frozenset({0, 2})
            if name == "a device":
                assert world.device.is_symlink(), "a device was replaced by a file"
            if name == "a file" and command in ("report", "people"):
                continue
            if name == "control characters" and command == "fetch":
                code = frozenset({2, 4})
            yield Case(
                kind="place",
                name=f"{command} into {name}",
                job=world.job(*argv, unprivileged=shut),
                code=code,
            )


# Addresses


def addresses(world: World) -> Iterator[Case]:
    """Servers that are not there, and addresses that are none."""
    dead = {
        "a closed port": (f"http://127.0.0.1:{world.port}", 4),
        "an unknown host": ("http://nowhere.invalid", 4),
        "port 99999": ("http://127.0.0.1:99999", 2),
        "port -1": ("http://127.0.0.1:-1", 2),
        "port x": ("http://127.0.0.1:x", 2),
        "no host": ("http://", 2),
        "another scheme": ("ftp://127.0.0.1", 2),
        "words": ("my server", 2),
        "an open bracket": ("http://[::1", 2),
        "control characters": ("http://a\x01b", 2),
        "a host of 300 characters": (f"http://{'a' * 300}.org", frozenset({2, 4})),
        "a host that is no UTF-8": (os.fsdecode(b"http://\xff\xfe"), 2),
        "dots alone": ("http://...", frozenset({2, 4})),
    }
    codes: Code
    for name, (address, codes) in dead.items():
        commands = {
            "model": world.ask("--model", "m", "--base-url", f"{address}/v1"),
            "fetch": world.job("corpus", "fetch", f"{address}/dump.bz2", "--out", world.out()),
            "evals run": world.job(
                *("evals", "run", "fanoutqa", "--snapshot", world.snapshot, "--limit", "2"),
                *("--setting", "closed", "--strategy", "baseline", "--out", world.out()),
                *("--model", "m", "--base-url", f"{address}/v1"),
            ),
        }
        if address.startswith("http"):
            commands["api"] = world.job(
                *("corpus", "build", f"{address}/w/api.php", "--date", "2020-01-01"),
                *("--titles", world.folder / "titles.txt", "--contact", "me@example.org"),
                *("--out", world.out()),
            )
            commands["embedder"] = world.job(
                "retrieval", "build", world.snapshot, "--embedder", f"{address}/v1#model"
            )
        (world.folder / "titles.txt").write_text("Alder\nBirch\n", "utf-8")
        for command, job in commands.items():
            yield Case(kind="address", name=f"{command} at {name}", job=job, code=codes)


# Names and options


def names(world: World) -> Iterator[Case]:
    """Names that nothing has, and options that contradict each other."""
    ask, snapshot = world.ask, world.snapshot
    model = ("--model", "m", "--base-url", f"http://127.0.0.1:{world.port}/v1")
    commands: dict[str, Job] = {
        "strategy": ask("--strategy", "wizard"),
        "strategy of 100,000 characters": ask("--strategy", "x" * 100_000),
        "setting": ask("--setting", "opne"),
        "style": ask("--style", "purple"),
        "tools": ask("--tools", "hammer", *model),
        "classify": ask("--classify", "none", *model),
        "language": world.job("agent", QUESTION, "--language", "xx"),
        "language with a snapshot": ask("--language", "zh"),
        "evidence that is not there": ask("--setting", "evidence", "--evidence", "Zelkova"),
        "evidence without the setting": ask("--evidence", "Alder"),
        "evidence with nothing": ask("--setting", "evidence"),
        "evidence of control characters": ask("--setting", "evidence", "--evidence", "\x1b[2J"),
        "no UTF-8 as evidence": ask("--setting", "evidence", "--evidence", os.fsdecode(b"\xff")),
        "resume of nothing": world.job("agent", "--resume", "nothing"),
        "resume of 100,000 characters": world.job("agent", "--resume", "r" * 100_000),
        "resume with a question": world.job("agent", "why?", "--resume", "nothing"),
        "resume with a strategy": world.job("agent", "--resume", "x", "--strategy", "e2e"),
        "no question": world.job("agent", "--snapshot", snapshot),
        "an empty question": world.job("agent", "", "--snapshot", snapshot),
        "a question of marks": world.job("agent", "?!?!", "--snapshot", snapshot),
        "a question of control characters": world.job("agent", "\x01\x02\x1b"),
        "a question of 120,000 characters": world.job("agent", "why " * 30_000),
        "two questions": world.job("agent", "why?", "how?"),
        "an unknown option": ask("--colour", "red"),
        "an unknown option of 100,000 characters": ask("--" + "x" * 100_000),
        "replay without calls": ask(*model, "--replay", "--calls", world.folder / "none.sqlite"),
        "a base url without a model": ask("--base-url", "http://127.0.0.1/v1"),
        "a model without a key": ask("--model", "gpt"),
        "calls without a model": ask("--calls", world.out()),
        "prompts that are not there": ask(*model, "--prompts", world.folder / "nowhere"),
        "a price that is not known": ask(*model, "--max-cost", "1"),
        "snapshot of 300 characters": world.job("agent", QUESTION, "--snapshot", "s" * 300),
        "snapshot that is no UTF-8": world.job(
            "agent", QUESTION, "--snapshot", os.fsdecode(b"/tmp/\xff\xfe")
        ),
        "snapshot that is a file": world.job("agent", QUESTION, "--snapshot", world.passages),
        "snapshot that is a loop": world.job(
            "agent", QUESTION, "--snapshot", world.bad("a loop of links")
        ),
        "corpus: no command": world.job("corpus", "frobnicate"),
        "corpus: no date": world.job("corpus", "build", world.passages, "--out", world.out()),
        "corpus: show what is not there": world.job("corpus", "show", snapshot, "Zelkova"),
        "corpus: show nothing": world.job("corpus", "show", snapshot, ""),
        "corpus: show 100,000 characters": world.job("corpus", "show", snapshot, "a" * 100_000),
        "corpus: show no UTF-8": world.job("corpus", "show", snapshot, os.fsdecode(b"\xff\xfe")),
        "corpus: show control characters": world.job(
            "corpus", "show", snapshot, "\x1b[31m\x00"[:5]
        ),
        "corpus: diff a title that is not there": world.job(
            "corpus", "diff", snapshot, snapshot, "Zelkova"
        ),
        "corpus: a checksum that is none": world.job(
            *("corpus", "fetch", f"http://127.0.0.1:{world.port}/a", "--sha256", "abc"),
            *("--out", world.out()),
        ),
        "corpus: a checksum of other letters": world.job(
            *("corpus", "fetch", f"http://127.0.0.1:{world.port}/a", "--sha256", "z" * 64),
            *("--out", world.out()),
        ),
        "corpus: an index that is not there": world.job(
            *("corpus", "build", world.passages, "--date", "2020-01-01", "--out", world.out()),
            *("--index", world.folder / "nowhere"),
        ),
        "corpus: the same source twice below a file": world.job(
            *("corpus", "build", world.passages / "a", world.passages / "b"),
            *("--date", "2020-01-01", "--out", world.out()),
        ),
        "corpus: a language that is none": world.job(
            *("corpus", "build", world.passages, "--date", "2020-01-01", "--out", world.out()),
            *("--lang", "../../x"),
        ),
        "corpus: a name that is no UTF-8": world.job(
            *("corpus", "build", world.passages, "--date", "2020-01-01", "--out", world.out()),
            *("--name", os.fsdecode(b"\xff")),
        ),
        "retrieval: no query": world.job("retrieval", "search", snapshot),
        "retrieval: mode": world.job("retrieval", "search", snapshot, "tree", "--mode", "magic"),
        "retrieval: fusion": world.job("retrieval", "search", snapshot, "tree", "--fusion", "cold"),
        "retrieval: device": world.job("retrieval", "search", snapshot, "tree", "--device", "tpu"),
        "retrieval: article": world.job(
            "retrieval", "search", snapshot, "tree", "--mode", "bm25", "--article", "Zelkova"
        ),
        "retrieval: by": world.job(
            *("retrieval", "eval", snapshot, "--mode", "bm25", "--by", "colour"),
            *("--queries", world.passages, "--qrels", world.passages),
        ),
        "retrieval: analyzer": world.job(
            "retrieval", "build", snapshot, "--bm25-only", "--analyzer", "klingon"
        ),
        "retrieval: no dense index": world.job(
            "retrieval", "search", snapshot, "tree", "--mode", "dense"
        ),
        "evals: benchmark": world.job("evals", "run", "trivia", "--out", world.out()),
        "evals: split": world.job(
            "evals", "run", "fanoutqa", "--split", "train", "--out", world.out()
        ),
        "evals: edition": world.job(
            "evals", "run", "fanoutqa", "--edition", "first", "--out", world.out()
        ),
        "evals: ids": world.job("evals", "run", "fanoutqa", "--ids", "x", "--out", world.out()),
        "evals: setting": world.job(
            *("evals", "run", "fanoutqa", "--setting", "opne", "--out", world.out()),
            *("--snapshot", snapshot, "--limit", "1"),
        ),
        "evals: strategy": world.job(
            *("evals", "run", "fanoutqa", "--strategy", "wizard", "--out", world.out()),
            *("--snapshot", snapshot, "--limit", "1"),
        ),
        "evals: prompting": world.job(
            "evals", "run", "fanoutqa", "--prompting", "magic", "--out", world.out()
        ),
        "evals: option": world.job(
            "evals", "run", "fanoutqa", "--option", "a=b", "--out", world.out()
        ),
        "evals: the model's address alone": world.job(
            "evals", "run", "fanoutqa", "--base-url", "http://127.0.0.1/v1", "--out", world.out()
        ),
        "evals: another run's folder": world.job(
            *("evals", "run", "fanoutqa", "--snapshot", snapshot, "--setting", "closed"),
            *("--out", world.run),
        ),
        "evals: format": world.job("evals", "export", world.run, "--format", "docx"),
        "evals: labels": world.job("evals", "agreement", "colours", world.answers),
        "evals: report format": world.job("evals", "report", world.run, "--format", "docx"),
        "evals: metric": world.job("evals", "compare", world.run, "--metric", "beauty"),
        "evals: splits": world.job(
            *("evals", "synth", "cq-syn", "--out", world.out(), "--embedder", "none"),
            *("--splits", "dev=x"),
        ),
        "evals: shares that are no numbers": world.job(
            *("evals", "synth", "cq-syn", "--out", world.out(), "--embedder", "none"),
            *("--splits", "dev=nan,test=nan"),
        ),
        "evals: types": world.job(
            *("evals", "synth", "cq-syn", "--out", world.out(), "--embedder", "none"),
            *("--types", "riddle"),
        ),
        "evals: hops": world.job(
            *("evals", "synth", "counterfactual", "--out", world.out(), "--embedder", "none"),
            *("--hops", "2,x"),
        ),
        "evals: hops of 5,000 digits": world.job(
            *("evals", "synth", "counterfactual", "--out", world.out(), "--embedder", "none"),
            *("--hops", TOO_MANY_DIGITS),
        ),
        "evals: review of nothing": world.job("evals", "synth", "review", world.folder / "folder"),
        "evals: two judges alike": world.job(
            *("evals", "score", world.run, "--judge", "m", "--judge", "m"),
            *("--judge-base-url", f"http://127.0.0.1:{world.port}/v1"),
        ),
    }
    for name, job in commands.items():
        yield Case(kind="name", name=name, job=job, code=2)
    dates = (
        "yesterday",
        "2020-13-01",
        "2020-02-30",
        "20200101",
        "",
        "9" * 5_000,
        "-1",
        "٢٠٢٠-٠١-٠١",
    )
    for date in dates:
        job = world.job("corpus", "build", world.passages, "--out", world.out(), "--date", date)
        named = f"{len(date)} characters" if len(date) > 99 else repr(date)
        yield Case(kind="name", name=f"corpus: date {named}", job=job, code=2)


# Models that are not there


def models(world: World) -> Iterator[Case]:
    """Embedders and rerankers that do not exist: refused before torch is loaded."""
    wrong = {
        "a word": "no-such-model",
        "a name": "nobody/no-such-model",
        "an absolute path": str(world.folder / "nowhere"),
        "a relative path": "./nowhere",
        "a file": str(world.passages),
        "an empty folder": str(world.folder / "folder"),
        "a folder of something else": str(world.snapshot),
        "control characters": "a\x1b[31mb/c",
        "no UTF-8": os.fsdecode(b"\xff\xfe/model"),
        "5,000 characters": "m" * 5_000,
        "three parts": "a/b/c",
        "an empty name": "",
    }
    for name, spec in wrong.items():
        commands = {
            "build --embedder": ("retrieval", "build", world.snapshot, "--embedder", spec),
            "search --embedder": ("retrieval", "search", world.snapshot, "a", "--embedder", spec),
            "search --rerank": (
                *("retrieval", "search", world.snapshot, "a", "--mode", "bm25", "--rerank", spec),
            ),
            "synth --embedder": (
                *("evals", "synth", "cq-syn", "--out", world.out(), "--embedder", spec),
            ),
        }
        for command, argv in commands.items():
            if not spec and command.endswith("--embedder"):
                continue
            yield Case(kind="model", name=f"{command} {name}", job=world.job(*argv), code=2)
    for factory in (
        "Magic",
        "IVF0,Flat",
        "IVF-1,Flat",
        "PQ999999",
        "",
        "9" * 5_000,
        "\x00"[:0] + "é",
    ):
        named = f"{len(factory)} characters" if len(factory) > 99 else repr(factory)
        job = world.job("retrieval", "build", world.snapshot, "--faiss", factory)
        yield Case(kind="model", name=f"--faiss {named}", job=job, code=2)


# Records in the middle of a source


def records(world: World) -> Iterator[Case]:
    """One bad line in the middle of many good ones: the build ends with its number."""
    good = [json.dumps({"title": f"Tree {n}", "text": f"Tree {n} is tall."}) for n in range(1000)]
    wrong = {
        "cut": b'{"title": "Elm", "te',
        "no UTF-8": b'{"title": "Elm", "text": "The elm\xff is a tree."}',
        "Latin-1": '{"title": "Orme", "text": "Le frêne"}'.encode("latin-1"),
        "words": b"The elm is a tree.",
        "a number": b"17",
        "a number of 5,000 digits": b'{"title": "Elm", "text": ' + b"9" * 5_000 + b"}",
        "100,000 deep": b"[" * 100_000,
        "an object 100,000 deep": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        "text that is a number": b'{"title": "Elm", "text": 17}',
        "no text": b'{"colour": "green"}',
        "zeros": bytes(50),
        "HTML": b"<html>",
    }
    for name, line in wrong.items():
        path = world.folder / f"record {name}.jsonl"
        lines = [*(one.encode() for one in good[:500]), line, *(one.encode() for one in good[500:])]
        path.write_bytes(b"\n".join(lines))
        job = world.job("corpus", "build", path, "--date", "2020-01-01", "--out", world.out())
        yield Case(kind="record", name=f"a line: {name}", job=job, code=2, words="line 501")
        yield Case(
            kind="record",
            name=f"a line, skipped: {name}",
            job=_with(_with_out(job, world.out()), "--skip-bad"),
            code=frozenset({0}),
        )
    for name, item in wrong.items():
        path = world.folder / f"item {name}.json"
        items = [*(one.encode() for one in good[:500]), item, *(one.encode() for one in good[500:])]
        path.write_bytes(b"[" + b",\n".join(items) + b"]")
        job = world.job("corpus", "build", path, "--date", "2020-01-01", "--out", world.out())
        yield Case(kind="record", name=f"an item: {name}", job=job, code=2, words="501")


def _with_out(job: Job, out: Path) -> Job:
    from dataclasses import replace

    argv = list(job.argv)
    argv[argv.index("--out") + 1] = str(out)
    return replace(job, argv=argv)


KINDS: tuple[Callable[[World], Iterator[Case]], ...] = (
    *(numbers, files, stores, places, addresses, names, models, records),
)
