"""Make the vectors that come with the package anew: of the embedded samples, by the embedded model.

    python bench/sample_vectors.py

To be run where a sample, the way it is cut into chunks, or the embedded model was changed; a test
says so. It writes what a build would, by ONNX Runtime in float32, and removes what is of no use any more.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from corpus import Snapshot  # noqa: E402
from corpus.sample import sample_languages, sample_snapshot  # noqa: E402
from retrieval.dense.bert import BertEncoder  # noqa: E402
from retrieval.dense.embedders import embedded_folder, embedded_name  # noqa: E402
from retrieval.dense.enclosed import FOLDER, file_name  # noqa: E402
from retrieval.dense.vectors import FILE, write_vectors  # noqa: E402
from retrieval.passage import passage  # noqa: E402


def main() -> None:
    """Write one file a sample."""
    model = BertEncoder.open(embedded_folder(), name=embedded_name())
    FOLDER.mkdir(exist_ok=True)
    former = set(FOLDER.iterdir())
    for language in sample_languages():
        with (
            Snapshot.open(sample_snapshot(language)) as snapshot,
            tempfile.TemporaryDirectory() as scratch,
        ):
            texts = [passage(chunk) for chunk in snapshot.chunks()]
            write_vectors(texts, Path(scratch), model)
            content = (Path(scratch) / FILE).read_bytes()
        path = FOLDER / file_name(model.name, texts, content)
        path.write_bytes(content)
        former.discard(path)
        print(f"{language}: {len(texts)} chunks, {len(content):,} bytes: {path.name}", flush=True)
    for path in former:
        path.unlink()


if __name__ == "__main__":
    main()
