from __future__ import annotations

import json
from pathlib import Path

import ftfy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics.fanoutqa import fix_encoding, normalise, reference_text, string_accuracy
from evals.metrics.lemma import simplemma_lemmatiser
from evals.metrics.rouge import ROUGE_TYPES, rouge

PUBLISHED = Path(__file__).parents[4] / "../shared/data/fanoutqa"

primitives = st.one_of(st.text(min_size=1, max_size=12), st.integers(), st.booleans())
references = st.one_of(
    primitives,
    st.lists(primitives, min_size=1, max_size=5),
    st.dictionaries(st.text(min_size=1, max_size=8), primitives, min_size=1, max_size=4),
)


def test_normalise_folds_case_numbers_lemmas_and_punctuation() -> None:
    assert normalise("The  Rivers, 1,234.5 miles: GREAT?") == "the river 12345 mile great"
    assert normalise("Right-handed, A.B.") == "right - hand a b"


def test_list_counts_found_elements() -> None:
    score = string_accuracy(["Paris", "Rome", "Vienna"], "It is Rome, then Vienna.")
    assert score.loose == pytest.approx(2 / 3)
    assert not score.strict
    assert score.missing == ("paris",)


def test_dict_counts_keys_and_values() -> None:
    score = string_accuracy({"Rhine": 1233, "Elbe": 1094}, "The Rhine is 1,233 km, the Elbe longer")
    assert score.loose == 0.75


def test_nested_list_in_dict_is_divided_by_the_top_level() -> None:
    score = string_accuracy({"Rhine": ["Chur", "Basel", "Bonn"]}, "Rhine: Basel")
    assert score.loose == 0.0
    assert score.missing == ("chur", "bonn")


def test_booleans_are_yes_and_no() -> None:
    assert string_accuracy(True, "Yes, both are.").strict
    assert not string_accuracy(False, "Yes, both are.").strict


def test_word_boundaries() -> None:
    assert not string_accuracy("12", "in 1912").strict
    assert string_accuracy("12", "of the 12 stars").strict


def test_empty_reference_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        string_accuracy([], "anything")


@given(references)
def test_a_reference_holds_itself(reference: object) -> None:
    # Word boundaries cannot stand beside characters that are no word characters: as in the public
    # scorer, such references are not found even in themselves.
    text = f" {reference_text(reference)} "  # type: ignore[arg-type]
    score = string_accuracy(reference, text)  # type: ignore[arg-type]
    assert score.loose <= 1.0
    assert score.strict == (not score.missing)


@given(st.lists(st.from_regex(r"[a-z]{2,9}", fullmatch=True), min_size=1, max_size=6), st.randoms())
def test_order_of_a_list_does_not_matter(words: list[str], random: object) -> None:
    shuffled = sorted(words, key=lambda _: random.random())  # type: ignore[attr-defined]
    text = " ".join(words[::2])
    assert string_accuracy(words, text).loose == string_accuracy(shuffled, text).loose


@given(
    st.lists(st.from_regex(r"[a-z]{2,9}", fullmatch=True), min_size=1, max_size=6),
    st.from_regex(r"[a-z ]{0,30}", fullmatch=True),
)
def test_more_text_never_lowers_the_score(words: list[str], text: str) -> None:
    lemmatiser = simplemma_lemmatiser()
    shorter = string_accuracy(words, text, lemmatiser)
    assert string_accuracy(words, f"{text} {words[0]}", lemmatiser).loose >= shorter.loose


def test_reference_text_forms() -> None:
    assert reference_text({"a": [1, 2], "b": True}) == "a - 1\n2\nb - yes"
    assert reference_text(None) == ""


@pytest.mark.skipif(not PUBLISHED.exists(), reason="needs the published FanOutQA data")
def test_published_answers_get_their_published_scores() -> None:
    questions = {
        q["id"]: q for q in json.loads((PUBLISHED / "fanout-final-dev-nov23.json").read_text())
    }
    folder = PUBLISHED / "published-scores-9"
    published = {
        row["question_id"]: row for row in json.loads((folder / "scores.json").read_text())["raw"]
    }
    answers = [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]
    assert len(answers) == 9
    for answer in answers:
        reference = questions[answer["id"]]["answer"]
        expected = published[answer["id"]]
        assert string_accuracy(reference, answer["answer"]).loose == expected["acc"]
        values = rouge(reference_text(reference), answer["answer"])
        for name in ROUGE_TYPES:
            assert [values[f"{name}_{part}"] for part in "prf"] == expected[name]


@given(st.one_of(st.text(), st.text(alphabet=st.characters(max_codepoint=127))))
def test_short_cut_equals_ftfy(text: str) -> None:
    assert fix_encoding(text) == ftfy.fix_text(text)
