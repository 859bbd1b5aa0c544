"""Vectors that come with the package are those of the samples as they stand."""

from pathlib import Path

import numpy as np
import pytest

from corpus import Snapshot
from corpus.sample import sample_languages, sample_snapshot
from retrieval.dense import enclosed
from retrieval.dense.bert import BertEncoder
from retrieval.dense.embedders import embedded_folder, embedded_name
from retrieval.dense.enclosed import FOLDER, MOST, enclosed_vectors, file_name
from retrieval.passage import passage


@pytest.mark.parametrize("language", sample_languages())
def test_a_samples_vectors_are_what_the_embedded_model_makes_of_its_chunks(language: str) -> None:
    with Snapshot.open(sample_snapshot(language)) as snapshot:
        texts = [passage(chunk) for chunk in snapshot.chunks()]
    content = enclosed_vectors(embedded_name(), texts)
    assert content is not None, "run `python bench/sample_vectors.py` and commit what it writes"
    assert len(texts) <= MOST
    rows = np.frombuffer(content, np.float16).reshape(len(texts), -1).astype(np.float32)
    some = range(0, len(texts), 40)
    model = BertEncoder.open(embedded_folder(), name="x")
    made = model.encode([texts[row] for row in some])
    assert np.sum(made * rows[list(some)], axis=1).min() > 0.9999


def test_each_file_is_of_a_sample() -> None:
    assert len(list(FOLDER.iterdir())) == len(sample_languages())


def test_no_other_text_model_or_byte_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enclosed, "FOLDER", tmp_path)
    texts, content = ["one", "two"], bytes(8)
    path = tmp_path / file_name("model 1", texts, content)
    path.write_bytes(content)
    assert enclosed_vectors("model 1", texts) == content
    assert enclosed_vectors("model 2", texts) is None
    assert enclosed_vectors("model 1", ["onet", "wo"]) is None
    path.write_bytes(bytes(7) + b"\1")
    assert enclosed_vectors("model 1", texts) is None
