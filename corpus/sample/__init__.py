"""The embedded sample: small wikis written for fanfold, one MediaWiki XML export a theme.

sample_dump("en")       the folder of exports that come with the package
sample_snapshot("en")   the snapshot made of them, built on first use into the user's cache
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.errors import InputError
from corpus.files import lock as hold

_HERE = Path(__file__).parent
_DESCRIPTION = "sample.json"


def sample_languages() -> list[str]:
    """Return the codes of the languages there are samples in."""
    return sorted(path.parent.name for path in _HERE.glob(f"*/{_DESCRIPTION}"))


def sample_dump(language: str = "en") -> Path:
    """Return the folder with a sample's exports (`*.xml`) and its `sample.json`.

    Raises:
        InputError: there is no sample in this language.
    """
    folder = _HERE / language
    if language not in sample_languages():
        choices = ", ".join(sample_languages())
        raise InputError(f"no sample in the language {language!r}: choose {choices}")
    return folder


def sample_snapshot(
    language: str = "en",
    *,
    cache: Path | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Path:
    """Return the folder of a sample's snapshot, building it on first use (a second or two).

    The folder's name carries a digest of the exports and of the code that reads them, so neither a
    changed sample nor a changed reader ever meets an old snapshot. Several processes may ask at
    once: one builds, the others wait for it.

    Args:
        language: code of the sample's language.
        cache: where snapshots are kept; by default the user's cache folder.
        say: told before it is built.

    Raises:
        InputError: there is no sample in this language, or the cache cannot be written.
    """
    from corpus.storage.manifest import MANIFEST

    dump = sample_dump(language)
    exports = sorted(dump.glob("*.xml"))
    description = json.loads((dump / _DESCRIPTION).read_text(encoding="utf-8"))
    folder = (cache or _default_cache()) / f"sample-{language}-{_digest(dump, exports)}"
    if (folder / MANIFEST).exists():
        return folder
    from corpus.builder.snapshot import build_snapshot

    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _turn(folder.with_suffix(".lock")):
            if not (folder / MANIFEST).exists():
                say("the embedded sample is made ready, once")
                build_snapshot(
                    exports,
                    folder,
                    date=description["date"],
                    made=description.get("made", ""),
                    language=description["language"],
                    name=description["name"],
                    workers=0,
                )
    except PermissionError as error:
        raise InputError(
            f"the sample cannot be built in {folder.parent} ({error.strerror}):"
            " name another cache folder with the variable XDG_CACHE_HOME"
        ) from None
    return folder


def _default_cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("fanfold", appauthor=False)


def _digest(dump: Path, exports: list[Path]) -> str:
    from corpus.storage.manifest import FORMAT, TOOL_VERSION

    digest = hashlib.sha256(f"{FORMAT} {TOOL_VERSION}".encode())
    code = sorted(_HERE.parent.rglob("*.py"))
    for path in (dump / _DESCRIPTION, *exports, *code):
        digest.update(f"\0{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _turn(lock: Path) -> Iterator[None]:
    with lock.open("wb") as file:
        hold(file, wait=True)
        yield
