"""The folder of an index: segment files, a manifest, and how both are checked.

A file holds up to sixteen segments back to back, since every mapped file keeps a file descriptor
and a large index would run out of them. While an index is being built its files are a log: after
a kill the next build reads the whole segments, drops a torn one, and goes on.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import mmap
import os
import time
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from retrieval.bm25 import segment as segments
from retrieval.bm25.segment import Segment

FORMAT = "fanfold bm25+ index 1"
MANIFEST = "manifest.json"
SEGMENTS_PER_FILE = 16
CHECKED_UP_TO = 1 << 28
"""Bytes of segments up to which opening reads and checks all of them, which takes 0.2 s."""
REPLACEMENTS = 50
"""How often a reader begins anew that a builder's replacement of the index caught half-way."""


def file_name(number: int) -> str:
    """Return the name of the file that holds the segment of this number."""
    return f"segments-{number // SEGMENTS_PER_FILE:05d}.bin"


def open_files(folder: Path, check: bool | None) -> tuple[dict[str, Any], list[Segment]]:
    """Return the manifest and the segments of an index, all of one build.

    A builder may replace the folder meanwhile: it is gone for a moment between two renames, and
    the manifest of one build must not be read with the segments of the next.

    Args:
        folder: the index.
        check: whether to read every byte and compare checksums; None does so up to 256 MiB.

    Raises:
        InputError: there is none, or it is damaged.
    """
    for _ in range(REPLACEMENTS):
        before = _identify(folder)
        try:
            return _open_files(folder, check)
        except InputError:
            after = _identify(folder)
            if before == after and (after is not None or not replaced(folder).exists()):
                raise
            time.sleep(0.002)
    return _open_files(folder, check)


def _open_files(folder: Path, check: bool | None) -> tuple[dict[str, Any], list[Segment]]:
    manifest = read_manifest(folder)
    if check is None:
        check = sum(entry["bytes"] for entry in manifest["segments"]) <= CHECKED_UP_TO
    return manifest, map_segments(folder, manifest, check=check)


def replaced(folder: Path) -> Path:
    """Return where an index is put aside while a new one takes its place."""
    return folder.with_name(folder.name + ".replaced")


def _identify(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Write the manifest with its own checksum, safely on disk when this returns."""
    text = json.dumps({**manifest, "checksum": _checksum(manifest)}, indent=1)
    with (folder / MANIFEST).open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read and check the manifest.

    Raises:
        InputError: there is none, it is not one of a BM25+ index, or it was changed.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{folder}: no BM25+ index here: build it first") from error
    except (ValueError, RecursionError, NotADirectoryError) as error:
        raise InputError(f"{path}: cannot be read: build the index again") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InputError(f"{path}: not the manifest of a BM25+ index of this version: build again")
    checksum = manifest.pop("checksum", None)
    if checksum != _checksum(manifest):
        raise InputError(f"{path}: was changed after it was written: build the index again")
    return manifest


def holds_index(folder: Path) -> bool:
    """Return whether a folder holds an index of this kind, whole or damaged."""
    if any(folder.glob("segments-*.bin")):
        return True
    path = folder / MANIFEST
    return path.exists() and '"fanfold bm25+ index' in path.read_text("utf-8", errors="replace")


def _checksum(manifest: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def map_segments(folder: Path, manifest: dict[str, Any], *, check: bool) -> list[Segment]:
    """Map the segment files into memory and return their segments, in order.

    Args:
        folder: the index.
        manifest: its manifest.
        check: whether to read every byte and compare checksums.

    Raises:
        InputError: a file is missing, has another length or, with `check`, other content.
    """
    found: list[Segment] = []
    for name, entries in _by_file(manifest):
        path = folder / name
        data = _map_file(path, sum(entry["bytes"] for entry in entries))
        for entry in entries:
            part = data[entry["offset"] : entry["offset"] + entry["bytes"]]
            if check and segments.checksum(part) != entry["sha256"]:
                raise InputError(f"{path}: damaged, its checksum differs: build the index again")
            segment, length = segments.read(part, str(path))
            if (segment.source, length) != (entry["source"], entry["bytes"]):
                raise InputError(f"{path}: belongs to another index: build the index again")
            found.append(segment)
    return found


def _by_file(manifest: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    yield from (
        (name, list(entries))
        for name, entries in itertools.groupby(manifest["segments"], key=itemgetter("file"))
    )


def _map_file(path: Path, expected: int) -> memoryview:
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size != expected:
                raise InputError(
                    f"{path}: {size} bytes where {expected} were written: build the index again"
                )
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except FileNotFoundError as error:
        raise InputError(f"{path}: missing: build the index again") from error


class SegmentLog:
    """Appends segments to the files of a folder and takes up where a killed build stopped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._found = _read_whole(folder)
        self.entries: list[dict[str, Any]] = []
        """Manifest entries of the segments of this build, so far."""

    def holds(self, number: int, source: str) -> bool:
        """Return whether an earlier build left the segment of this number, made of this source."""
        return number < len(self._found) and self._found[number]["source"] == source

    def reuse(self, source: str) -> bool:
        """Return whether the next segment is there already, made of this source; then keep it."""
        number = len(self.entries)
        if number < len(self._found) and self._found[number]["source"] == source:
            self.entries.append(self._found[number])
            return True
        del self._found[number:]
        return False

    def append(self, segment: Segment) -> None:
        """Write the next segment, safely on disk when this returns."""
        path = self._folder / file_name(len(self.entries))
        offset = self._end(path)
        with path.open("r+b" if offset else "wb") as file:
            file.truncate(offset)
            file.seek(offset)
            digest = segments.write(segment, file)
            length = file.tell() - offset
            file.flush()
            os.fsync(file.fileno())
        self.entries.append({**describe(segment), **_place(path, offset, length), "sha256": digest})

    def close(self) -> None:
        """Remove what an earlier build left beyond the last segment of this one."""
        for path in self._folder.glob("segments-*.bin"):
            end = self._end(path)
            if end:
                os.truncate(path, end)
            else:
                path.unlink()

    def _end(self, path: Path) -> int:
        inside = (entry for entry in self.entries if entry["file"] == path.name)
        return max((int(entry["offset"] + entry["bytes"]) for entry in inside), default=0)


def _read_whole(folder: Path) -> list[dict[str, Any]]:
    """Return entries of the whole segments an unfinished build left, up to the first torn one."""
    entries: list[dict[str, Any]] = []
    while len(entries) % SEGMENTS_PER_FILE == 0:
        path = folder / file_name(len(entries))
        size = path.stat().st_size if path.exists() else 0
        if not size:
            break
        data = _map_file(path, size)
        offset = 0
        while offset < size:
            try:
                segment, length = segments.read(data[offset:], str(path))
            except InputError:
                return entries
            digest = segments.checksum(data[offset : offset + length])
            if digest is None:
                return entries
            entries.append({**describe(segment), **_place(path, offset, length), "sha256": digest})
            offset += length
    return entries


def describe(segment: Segment) -> dict[str, Any]:
    """Return what the manifest says of a segment wherever it lies."""
    return {
        "source": segment.source,
        "documents": segment.size,
        "tokens": segment.tokens,
        "postings": len(segment.documents),
    }


def _place(path: Path, offset: int, length: int) -> dict[str, Any]:
    return {"file": path.name, "offset": offset, "bytes": length}
