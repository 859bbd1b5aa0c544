"""What a snapshot says about itself: `manifest.json`."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from corpus.storage.dates import cutoff_of

FORMAT = 3
"""Version of the folder's layout that is written; a snapshot of one that is not read is refused
with the mend."""
READ = (2, FORMAT)
"""Those that are read; before 3, categories, boxes and tables were not kept."""
WITH_CONTENTS = 3
"""The first format that keeps them."""

TOOL_VERSION = "0.1.0"
"""Version of fanfold that built the snapshot."""

MANIFEST = "manifest.json"
ARTICLES = "articles.sqlite"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One source a snapshot was built from."""

    name: str
    """File name without its folder, or the address of a wiki's API."""
    kind: str
    """Key of `corpus.sources.KINDS`, such as "mediawiki_xml"."""
    sha256: str
    size: int
    """Bytes."""
    vouched: str
    """Last day for which it can say how its pages stood; empty where it states none."""
    vouched_by: str
    """How that is known, such as "its name"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A finished snapshot: what it holds, from what, as of when."""

    name: str
    language: str
    """Code of the wiki's language, such as "en"."""
    date: str
    """No revision is newer than the end of this day, UTC; YYYY-MM-DD. The earlier of what was asked
    for and what the sources vouch for."""
    asked: str
    """The day that was asked for."""
    sources: tuple[SourceFile, ...]
    base_url: str
    """Address of a page of the wiki, from which permanent links are made; may be empty."""
    articles: int
    redirects: int
    """Titles that lead to an article of the snapshot."""
    chunks: int
    newest: str
    """Time of the newest revision; empty where there are no articles."""
    skipped: Mapping[str, int]
    """Pages left out, by reason."""
    simplified: int
    """Articles whose text was taken in a simpler way, since the faithful one failed on them."""
    caveats: Mapping[str, int]
    """Articles that are not wholly as of the date, by what keeps them from it."""
    fingerprint: str
    """SHA-256 over language, date and every article's digests, titles and place, in page order: two
    snapshots with one fingerprint hold the same, whatever wrote them."""
    checksum: str
    """SHA-256 of `articles.sqlite`."""
    tool_version: str = TOOL_VERSION
    format: int = field(default=FORMAT)
    seal: str = ""
    """SHA-256 over all other fields, written with them."""

    @property
    def cutoff(self) -> str:
        """The last second a revision may have, as timestamps are written."""
        return cutoff_of(self.date)


def explain_date(manifest: Manifest) -> str:
    """Say in a line of which day a snapshot is, and why it is not the day that was asked for."""
    if manifest.date == manifest.asked:
        return f"as of {manifest.date}"
    last = max(manifest.sources, key=lambda source: source.vouched)
    return (
        f"as of {manifest.date}, not of {manifest.asked} as asked:"
        f" {last.name} vouches for {last.vouched} (by {last.vouched_by})"
    )


def seal_of(manifest: Manifest) -> str:
    """Return the SHA-256 over all fields of a manifest but its seal."""
    fields = asdict(manifest)
    del fields["seal"]
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def read_manifest(folder: Path, *, sealed: bool = True) -> Manifest:
    """Read a snapshot's manifest.

    Args:
        folder: the snapshot's.
        sealed: refuse one that was changed after the build.

    Raises:
        InputError: the folder is missing, is no snapshot, was not finished, is of another version,
            or was changed; the message says what to do.
    """
    manifest = _read(folder)
    if sealed and manifest.seal != seal_of(manifest):
        raise InputError(
            f"{folder / MANIFEST} was changed after the build (its seal differs):"
            " build the snapshot again"
        )
    return manifest


def check_store(folder: Path) -> None:
    """Refuse a snapshot's folder without its store.

    Raises:
        InputError: there is none.
    """
    if not (folder / ARTICLES).is_file():
        raise InputError(f"{folder} has lost its {ARTICLES}: build the snapshot again")


def _read(folder: Path) -> Manifest:
    path = folder / MANIFEST
    try:
        raw = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(_explain_missing(folder)) from None
    try:
        values: dict[str, Any] = json.loads(raw)
        if values["format"] not in READ:
            raise InputError(
                f"{folder} is a snapshot of format {values['format']}, this version reads"
                f" {' and '.join(map(str, READ))}: build it again with `python -m corpus build`"
            )
        sources = tuple(SourceFile(**source) for source in values.pop("sources"))
        return Manifest(sources=sources, **values)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{path} is not a snapshot's manifest ({error!r}):"
            " name a folder made by `python -m corpus build`"
        ) from None


def _explain_missing(folder: Path) -> str:
    if staging_folder(folder).is_dir():
        return (
            f"the build of {folder} was not finished:"
            " run the same `python -m corpus build` command again, it goes on where it stopped"
        )
    if not folder.exists():
        return (
            f"no snapshot at {folder}: build one with `python -m corpus build DUMP --out {folder}`"
        )
    return (
        f"{folder} is not a snapshot (no {MANIFEST} in it):"
        " name a folder made by `python -m corpus build`"
    )


def staging_folder(folder: Path) -> Path:
    """Return the folder beside a snapshot's in which it is built."""
    return folder.with_name(folder.name + ".partial")


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest with its seal, whole or not at all."""
    manifest = replace(manifest, seal=seal_of(manifest))
    text = json.dumps(asdict(manifest), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    replace_file(folder / MANIFEST, text.encode())


def replace_file(path: Path, content: bytes) -> None:
    """Write a file beside its place, flush it to the disk and rename it into place."""
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
