"""Vectors that come with the package: the embedded sample's, by the embedded model.

To make them takes twenty seconds of a processor, a third of what a newcomer waits for. A file is named
by what it was made of and by what it holds, so that another text, another model or another byte leads
to vectors made anew. `python bench/sample_vectors.py` writes the files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parent / "samples"
MOST = 1024
"""Texts of which vectors are looked for: the samples have fewer."""


def enclosed_vectors(model: str, texts: Sequence[str]) -> bytes | None:
    """Return the vectors of exactly these texts, as `vectors.write_vectors` writes them.

    Args:
        model: name and version of what makes them, in float32.
        texts: in the order of the rows.

    Returns:
        float16, one row a text; None where they did not come along, or are damaged.
    """
    for path in FOLDER.glob(f"{_digest(model, *texts)}-*.f16"):
        content = path.read_bytes()
        if path.name == file_name(model, texts, content):
            return content
    return None


def file_name(model: str, texts: Sequence[str], content: bytes) -> str:
    """Return the name of the file in which the vectors of some texts come along."""
    return f"{_digest(model, *texts)}-{hashlib.sha256(content).hexdigest()[:16]}.f16"


def _digest(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        said = part.encode()
        digest.update(len(said).to_bytes(8, "big") + said)
    return digest.hexdigest()[:16]
