"""What indexes a snapshot has, and what can be searched with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus.errors import InputError
from corpus.store import Snapshot
from retrieval.folders import index_folder, list_indexes, read_index


def survey(folder: Path, *, thorough: bool = False) -> dict[str, Any]:
    """Return the state of a snapshot's indexes, in JSON values.

    Args:
        folder: the snapshot's.
        thorough: compare every file with its checksum.

    Returns:
        `snapshot {name, date, chunks, fingerprint}`, `indexes [{name, kind, bytes, parameters,
        fault}]` with a fault of None where the index is fit, `modes` that can be searched.

    Raises:
        InputError: the folder is no snapshot.
    """
    with Snapshot.open(folder) as snapshot:
        snapshot.check()
        manifest = snapshot.manifest
    indexes = []
    for name in list_indexes(folder):
        record: dict[str, Any] = {"name": name, "kind": None, "parameters": {}, "fault": None}
        try:
            found = read_index(folder, name, manifest, thorough=thorough)
        except InputError as error:
            record["fault"] = str(error)
        else:
            record |= {"kind": found.kind, "parameters": dict(found.parameters)}
        files = (path for path in index_folder(folder, name).rglob("*") if path.is_file())
        record["bytes"] = sum(path.stat().st_size for path in files)
        indexes.append(record)
    kinds = {index["kind"] for index in indexes}
    # A damaged dense index is refused by a hybrid too.
    whole = kinds >= {"bm25"} and None not in kinds
    modes = [kind for kind in ("bm25", "dense") if kind in kinds]
    return {
        "snapshot": {
            "name": manifest.name,
            "date": manifest.date,
            "chunks": manifest.chunks,
            "fingerprint": manifest.fingerprint,
        },
        "indexes": indexes,
        "modes": [*modes, "hybrid"] if whole else modes,
    }
