from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.citations.support.entailment import Verifier, open_verifier
from agent.citations.support.faults import SUPPORTED, Verdict
from corpus.errors import InputError
from tests.reasoners import chunk

TITAN = chunk(1, "Huygens found it in 1655.", "Titan")
OPEN = Verdict(ruling="unsure", reason="the quote does not say “discovered”")
REFUSED = Verdict(ruling="unsupported", reason="1656 does not stand in the quote")


class Scores:
    def __init__(self, *scores: float) -> None:
        self.scores = scores
        self.pairs: list[tuple[str, str]] = []

    def predict(self, sentences: Any, **options: Any) -> list[tuple[float, ...]]:
        self.pairs += sentences
        return [self.scores]


@pytest.mark.parametrize(
    ("scores", "before", "after"),
    [
        ((0.0, 9.0, 0.0), OPEN, "supported"),
        ((9.0, 0.0, 0.0), SUPPORTED, "unsupported"),
        ((0.0, 0.0, 9.0), SUPPORTED, "unsure"),
        ((0.0, 9.0, 0.0), REFUSED, "unsupported"),
    ],
)
def test_a_verifier_rules_on_what_the_rules_let_pass(
    scores: tuple[float, ...], before: Verdict, after: str
) -> None:
    encoder = Scores(*scores)
    verifier = Verifier(encoder, {0: "contradiction", 1: "entailment", 2: "neutral"}, "nli")
    assert verifier(before, "Titan was discovered.", TITAN.text, TITAN).ruling == after
    if before is not REFUSED:
        assert encoder.pairs == [(f"Titan: {TITAN.text}", "Titan was discovered.")]


def test_the_order_of_labels_is_the_models_own() -> None:
    verifier = Verifier(Scores(9.0, 0.0), {0: "ENTAILMENT", 1: "not_entailment"}, "nli")
    assert verifier(OPEN, "x", TITAN.text, TITAN).ruling == "supported"
    with pytest.raises(InputError, match="LABEL_0: a verifier is a cross-encoder"):
        Verifier(Scores(1.0), {0: "LABEL_0"}, "ranker")


def test_a_folder_without_a_model_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model there"):
        open_verifier(str(tmp_path))
