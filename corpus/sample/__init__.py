"""The embedded sample: small dated snapshots written for this project, built on first use."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from corpus.manifest import FORMAT, MANIFEST, TOOL_VERSION

_HERE = Path(__file__).parent
LANGUAGES = ("en", "zh")


def sample_dump(language: str = "en") -> list[Path]:
    """Return the packaged XML exports of a sample, sorted by name.

    Raises:
        InputError: there is no sample in that language.
    """
    if language not in LANGUAGES:
        raise InputError(f"no sample in {language!r}: choose {' or '.join(LANGUAGES)}")
    return sorted((_HERE / language).glob("*.xml"))


def sample_snapshot(language: str = "en", cache: Path | None = None) -> Path:
    """Return the folder of a sample's snapshot, built on first use.

    The folder's name carries a digest of the exports and of the tool's version, so a changed sample
    or a new version gets a folder of its own. Two processes that build at once do no harm: each
    builds apart, and the first to finish is taken.

    Args:
        language: "en" or "zh".
        cache: where to keep it; the user's cache folder by default.

    Raises:
        InputError: there is no sample in that language, or the cache folder cannot be written.
    """
    from platformdirs import user_cache_path

    dumps = sample_dump(language)
    root = cache or user_cache_path("fanfold")
    folder = root / f"sample-{language}-{_digest(dumps)}"
    if (folder / MANIFEST).is_file():
        return folder
    from corpus.build import build_snapshot

    about = _about(language)
    try:
        root.mkdir(parents=True, exist_ok=True)
        apart = _apart(folder)
        build_snapshot(
            dumps, apart, date=about["date"], language=about["language"], name=about["name"]
        )
        try:
            apart.rename(folder)
        except OSError:
            # Another process was first; its snapshot is the same.
            shutil.rmtree(apart)
    except PermissionError as error:
        raise InputError(
            f"the sample cannot be built in {root} ({error.strerror}): "
            "set XDG_CACHE_HOME to a folder you may write to, or name a snapshot with --snapshot"
        ) from None
    return folder


def _about(language: str) -> dict[str, Any]:
    about: dict[str, Any] = json.loads((_HERE / language / "sample.json").read_text("utf-8"))
    return about


def _digest(dumps: list[Path]) -> str:
    digest = hashlib.sha256(f"{TOOL_VERSION} {FORMAT}".encode())
    for path in dumps:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _apart(folder: Path) -> Path:
    import os

    return folder.with_name(f".{folder.name}.{os.getpid()}")
