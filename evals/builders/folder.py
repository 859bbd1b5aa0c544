"""A folder in which a data set is made, and nothing that is not on disk.

config.json        what the builder was asked for
stages/NN-NAME.jsonl   one line for every input that a stage has worked through
calls.sqlite       every model call, by request hash
items.jsonl        the items with their provenance
rejected.jsonl     what was not kept, at which stage and why
card.md            the data card
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Self

from corpus.errors import InputError
from corpus.files import locked, parse_json, read_bytes
from evals.records import to_json, write_beside
from evals.types import Json

CONFIG = "config.json"
CALLS = "calls.sqlite"


class SynthesisFolder:
    """The folder of one data set, locked while it is made."""

    def __init__(self, path: Path, config: Mapping[str, Json]) -> None:
        self.path = path
        self.config = dict(config)
        self._lock: IO[bytes] | None = None

    @classmethod
    def begin(cls, path: Path, config: Mapping[str, Json]) -> Self:
        """Make the folder, or go on in it where the options are the same; lock it.

        Raises:
            InputError: the folder holds something else, or another process works in it.
        """
        folder = cls(path, config)
        known = path / CONFIG
        if known.is_file():
            before = _read(known)
            if before != folder.config:
                changed = ", ".join(
                    f"{name}: {before.get(name)!r} → {config.get(name)!r}"
                    for name in sorted({*before, *config})
                    if before.get(name) != config.get(name)
                )
                raise InputError(
                    f"{path} holds a data set made with other options ({changed}); "
                    "name another folder with --out, or repeat the command that made it"
                )
        elif path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputError(f"{path} is not empty and no data set; name another with --out")
        (path / "stages").mkdir(parents=True, exist_ok=True)
        folder._take_lock()
        folder.write(CONFIG, json.dumps(folder.config, ensure_ascii=False, indent=2) + "\n")
        return folder

    def _take_lock(self) -> None:
        refusal = f"{self.path}: another process is working in this folder; wait for it to end"
        self._lock = locked(self.path / "stages" / ".lock", refusal)

    def close(self) -> None:
        """Give the lock back."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def stage_file(self, number: int, name: str) -> Path:
        """Return where a stage's lines are."""
        return self.path / "stages" / f"{number:02d}-{name}.jsonl"

    def write(self, name: str, text: str) -> None:
        """Write a file of the folder, whole or not at all."""
        write_beside(self.path / name, lambda path: _write(path, text))

    def write_records(self, name: str, records: Iterable[object]) -> None:
        """Write records as JSON Lines, whole or not at all."""
        self.write(name, "".join(to_json(record) + "\n" for record in records))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _read(path: Path) -> dict[str, Json]:
    value = parse_json(read_bytes(path), str(path))
    if not isinstance(value, dict):
        raise InputError(f"{path}: not the options of a data set: delete the folder")
    return value
