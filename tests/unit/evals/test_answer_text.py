"""What is scored is the answer's words: marks and lists change nothing, an abstention says nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.prompted.fence import harmless
from evals.answer_text import bare_text, places_in, scored
from evals.benchmarks import BENCHMARKS
from evals.benchmarks.fanoutqa import FANOUTQA
from evals.datafiles import SAMPLE_DATA
from evals.judges.coverage import find_fragment
from evals.ports import Covered, Judges, Verdict
from evals.runs.predict import score
from evals.types import Prediction, Response, Sample, Score

REAL = Path(__file__).parents[4] / "shared/data/fanoutqa/fanout-final-dev.json"
MARKS = st.sampled_from(["[1]", "[3, 4]", "[2-5]", "【7】", " [12]", " [1][2]"])
WORDS = st.text(st.characters(codec="ascii", categories=["Lu", "Ll", "Nd"]), min_size=1, max_size=8)
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=1, max_size=6)


class WordCount:
    """Judges by the words it is shown, so that any word more would show in a verdict."""

    name = "word count"

    async def choose(
        self, prompt: str, choices: Sequence[str], fields: Mapping[str, str]
    ) -> Verdict:
        return Verdict(choice=choices[sum(map(len, fields.values())) % len(choices)])

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        return Verdict(choice="A" if len(a) > len(b) else "B")

    async def covers(self, text: str, sub_questions: Sequence[str]) -> list[Covered]:
        return [Covered(covered=True, start=0, end=len(text) % 3) for _ in sub_questions]


def samples_of(name: str) -> list[Sample]:
    benchmark = BENCHMARKS[name]
    edition = "sample" if "sample" in benchmark.editions else benchmark.editions[0]
    return benchmark.load(SAMPLE_DATA, benchmark.splits[0], edition)[:3]


async def scores_of(name: str, text: str, sample: Sample) -> list[Score]:
    parts = {step.id: text for step in sample.steps}
    prediction = Prediction(sample_id=sample.id, response=Response(text=text, parts=parts))
    judge = WordCount()
    judges = Judges(judge=judge, coverage=judge)
    return await score(BENCHMARKS[name], [sample], [prediction], judges)


SAMPLES = {name: samples_of(name) for name in BENCHMARKS}


@pytest.mark.parametrize("name", BENCHMARKS)
@settings(max_examples=25, deadline=None)
@given(sentences=SENTENCES, marks=st.lists(MARKS, min_size=6, max_size=6))
async def test_marks_change_no_score(
    name: str, sentences: list[list[str]], marks: list[str]
) -> None:
    plain = "\n".join(" ".join(words) + "." for words in sentences)
    marked = "\n".join(
        " ".join(words) + mark + "." for words, mark in zip(sentences, marks, strict=False)
    )
    for sample in SAMPLES[name]:
        assert await scores_of(name, marked, sample) == await scores_of(name, plain, sample)


def test_a_mark_is_no_answer() -> None:
    assert bare_text("Mercury: none\nEarth [1]\nMars [2]") == "Mercury: none\nEarth\nMars"
    assert bare_text("[1, 2, 3]") == "[1, 2, 3]"
    assert bare_text("In 1969 [4].\n\nSources:\n[4] Moon, https://x.org\n[5] Mars") == "In 1969."
    assert bare_text("Vienna\n\n## Sub-questions\n- Where? Vienna\n- When? 4") == "Vienna"
    assert bare_text("References\nare what scholars give.") == "References\nare what scholars give."


def test_an_abstention_is_empty() -> None:
    said = "No answer was found in the snapshot enwiki of 2023-11-20."
    response = Response(text=said, parts={"1": "Earth [1]"}, abstained=True)
    assert (scored(response).text, scored(response).parts) == ("", {"1": "Earth"})


@pytest.mark.skipif(not REAL.is_file(), reason="../shared/data is absent")
async def test_abstaining_on_every_question_scores_nothing() -> None:
    samples = FANOUTQA.load(REAL, "dev", "jul26")
    said = "No answer was found in the snapshot enwiki of 2023-11-20."
    predictions = [
        Prediction(sample_id=sample.id, response=Response(text=said, abstained=True))
        for sample in samples
    ]
    scores = await score(FANOUTQA, samples, predictions, Judges())
    assert len(scores) == 310
    assert sum(found.values["loose"] for found in scores) == 0.0
    assert sum(found.values["rouge1_f"] for found in scores) == 0.0
    # The same words, were they taken for an answer, would earn points.
    taken = [Prediction(sample_id=sample.id, response=Response(text=said)) for sample in samples]
    assert sum(s.values["loose"] for s in await score(FANOUTQA, samples, taken, Judges())) > 0


@given(
    st.lists(st.one_of(WORDS, st.sampled_from(["[1]", "【2】", "<data", "“so”", "–"])), min_size=1),
    st.data(),
)
def test_a_copied_fragment_is_found(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    copied = " ".join(harmless(text).split(" ")[first : last + 1])
    found = find_fragment(copied, text)
    assert found is not None
    assert find_fragment(json.loads(json.dumps(copied)), harmless(text)) == found


@given(SENTENCES, MARKS)
def test_highlights_find_their_place_beside_the_marks(
    sentences: list[list[str]], mark: str
) -> None:
    text = " ".join(" ".join(words) + f"{mark}." for words in sentences)
    bare = bare_text(text)
    span = (bare.rindex(sentences[-1][-1]), len(bare) - 1)
    ((start, end),) = places_in(text, bare, [span])
    assert bare_text(text[start:end]) == sentences[-1][-1]
