from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.types import Answer, SubQuestion, Usage
from corpus.errors import InputError
from evals.benchmarks.compound import COMPOUND, load, respond
from evals.benchmarks.compound_offline import EmbeddingJudge, offline_judges
from evals.benchmarks.compound_questions import (
    ORDERS,
    alone,
    bare,
    in_order,
    leans,
    positions,
    split_question,
)
from evals.benchmarks.compound_scores import error_kinds, score
from evals.benchmarks.tables.compound import tables
from evals.metrics.winrate import LEVELS
from evals.ports import Extracted, Judges, Verdict
from evals.types import GoldStep, Passage, Response, RunConfig, Sample, Score, Table
from retrieval.dense.embedders import shared_embedder

SAMPLES = Path(__file__).parents[4] / "evals/sample"
REAL = Path(__file__).parents[4] / "../shared/data/compound-qa"
QUESTIONS = ("What is Orv?", "Who named Orv?", "When was Orv named?")
SAMPLE = Sample(
    id="understanding/Factual-Statement/1",
    question=" ".join(QUESTIONS),
    reference="1. A hill.\n2. Odo did.\n3. In 1801.",
    passages=(Passage(title="Context", text="Orv is a hill named by Odo in 1801."),),
    steps=tuple(GoldStep(id=str(n), question=q) for n, q in enumerate(QUESTIONS, start=1)),
    groups={"type": "Factual-Statement", "dimension": "understanding"},
)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What is A? How old is B?", ["What is A?", "How old is B?"]),
        ("If it rains, what happens, and how long?", ["If it rains, what happens?", "How long?"]),
        ("If it rains, what happens?", ["If it rains, what happens?"]),
        ("Who won, in which years, and how?", ["Who won?", "In which years?", "How?"]),
        ("What is the law, which Odo wrote?", ["What is the law, which Odo wrote?"]),
        ("Compare A and B: how do they differ; which is best?",
         ["Compare A and B: how do they differ?", "Which is best?"]),
        ("Why did A fall and what results did this have?",
         ["Why did A fall?", "What results did this have?"]),
        ("Name the rivers and lakes.", ["Name the rivers and lakes?"]),
        ("", []),
    ],
)  # fmt: skip
def test_a_compound_question_is_cut_where_it_asks_anew(question: str, parts: list[str]) -> None:
    assert split_question(question) == parts


@given(st.lists(st.sampled_from(["What is A", "How long is B", "Who"]), min_size=1, max_size=4))
def test_whole_sentences_are_cut_as_they_were_put_together(parts: list[str]) -> None:
    assert split_question("? ".join(parts) + "?") == [f"{part}?" for part in parts]


def test_the_four_orders_put_every_sub_question_in_every_place() -> None:
    seen = {(n, place) for order in ORDERS for place, n in enumerate(positions(order))}
    assert seen == {(n, place) for n in range(3) for place in range(3)}
    assert in_order(QUESTIONS, "2-3-1") == "Who named Orv? When was Orv named? What is Orv?"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("When was it built?", True),
        ("How did they meet?", True),
        ("What are its risks?", True),
        ("How did Norway change its taxes?", False),
        ("Why did Norway leave them?", True),
        ("What results did this have?", True),
        ("How are those who fled counted?", False),
        ("Which shows of the TV channel featured her?", True),
        ("How about males?", True),
        ("Which is the river that Odo crossed?", False),
        ("How long is the Rhine?", False),
    ],
)
def test_a_part_with_a_pronoun_leans_on_what_was_asked_before(part: str, expected: bool) -> None:
    assert leans(part) == expected
    parts = ["Who is Orv?", part]
    asked = alone(parts, 1)
    assert asked == (f"{part} (asked after: “Who is Orv?”)" if expected else part)
    assert bare(asked) == part
    assert alone([part, part], 0) == part


@pytest.mark.skipif(not REAL.is_dir(), reason="needs ../shared/data/compound-qa")
def test_no_later_part_of_the_public_questions_says_it_bare() -> None:
    samples = load(REAL, "all", "public")
    later = 0
    for sample in samples:
        parts = [step.question for step in sample.steps]
        for place in range(1, len(parts)):
            words = parts[place].lower().replace("?", " ").replace(",", " ").split()
            if {"it", "they", "them", "this", "these"} & set(words):
                later += 1
                assert parts[0] in alone(parts, place)
    assert later > 300


def test_fifteen_files_give_fifteen_kinds() -> None:
    samples = load(SAMPLES, "all", "public")
    assert len({(s.groups["type"], s.groups["dimension"]) for s in samples}) == 15
    assert {s.groups["dimension"] for s in load(SAMPLES, "reasoning", "public")} == {"reasoning"}


def write(folder: Path, name: str, **change: object) -> Path:
    item = {"ID": "1", "context": "c", "com_question": "What? Why?", "com_reference": "r"} | change
    kept = {key: value for key, value in item.items() if value is not None}
    path = folder / name
    path.write_text("\n" + json.dumps(kept) + "\n", encoding="utf-8")
    return path


def test_faults_name_file_line_and_field(tmp_path: Path) -> None:
    name = "Understanding_Factual-Statement.jsonl"
    for change, message in (
        ({"com_reference": None}, "field 'com_reference' is missing"),
        ({"context": 3}, "field 'context' must be str, not int"),
        ({"com_question": " "}, "field 'com_question' is empty"),
        ({"sub_questions": [1]}, "field 'sub_questions', entry 1 must be str, not int"),
        ({"sub_references": ["a"]}, "'sub_references' has 1 entries for 2 sub-questions"),
    ):
        path = write(tmp_path, name, **change)
        with pytest.raises(InputError) as caught:
            load(tmp_path, "all", "public")
        assert f"{path}, line 2: " in str(caught.value)
        assert message in str(caught.value)
    write(tmp_path, name)
    with pytest.raises(InputError, match="no file DIMENSION_TYPE"):
        load(tmp_path, "knowledge", "public")
    write(tmp_path, "Understanding_Riddles.jsonl")
    with pytest.raises(InputError, match="the name must be DIMENSION_TYPE"):
        load(tmp_path, "all", "public")


def test_data_may_bring_its_own_sub_questions(tmp_path: Path) -> None:
    path = write(
        tmp_path, "Reasoning_Cause_and_Effect.jsonl",
        sub_questions=["Why so?"], sub_references=["Because."], context="",
    )  # fmt: skip
    (sample,) = load(path, "all", "public")
    assert sample.steps == (GoldStep(id="1", question="Why so?", answer="Because."),)
    assert sample.passages == ()


def answer(question: str, text: str) -> Answer:
    return Answer(
        question=question, text=text, abstained=not text, sub_questions=(), sub_answers=(),
        citations=(), suggestions=(), usage=Usage(calls=1),
    )  # fmt: skip


class Asked:
    """An Asker that repeats the question, and keeps how it was asked."""

    def __init__(self, form: str, prompting: str = "agent") -> None:
        self.asked: list[tuple[str, str, tuple[tuple[str, str], ...]]] = []
        self.config = RunConfig(
            benchmark="compound", edition="public", split="all", data_sha256="", snapshot="",
            setting="evidence", strategy="agentic", model="m", style="long", k=3,
            prompting=prompting, options={"form": form},
        )  # fmt: skip

    async def ask(
        self,
        question: str,
        *,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        plan: Sequence[SubQuestion] = (),
        epoch: int = 0,
    ) -> Answer:
        self.asked.append(("ask", question, ()))
        return answer(question, f"({question})")

    async def prompt(
        self,
        name: str,
        question: str,
        *,
        fields: Mapping[str, str] | None = None,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        history: Sequence[tuple[str, str]] = (),
        language: str = "en",
        epoch: int = 0,
    ) -> Answer:
        self.asked.append((name, question, tuple(history)))
        return answer(question, "" if question == QUESTIONS[1] else f"({question})")


async def test_compound_questions_are_asked_as_they_stand() -> None:
    asker = Asked("compound")
    response = await respond(asker, SAMPLE, 0)
    assert asker.asked == [("ask", SAMPLE.question, ())]
    assert response.asked == {"form": "compound"}


async def test_single_questions_are_one_conversation_of_a_model() -> None:
    asker = Asked("single", "few-shot")
    response = await respond(asker, SAMPLE, 0)
    assert [name for name, _, _ in asker.asked] == ["compound_few_shot"] * 3
    assert asker.asked[2][2] == ((QUESTIONS[0], f"({QUESTIONS[0]})"), (QUESTIONS[1], ""))
    assert response.parts == {"1": f"({QUESTIONS[0]})", "2": "", "3": f"({QUESTIONS[2]})"}
    assert response.text == f"({QUESTIONS[0]})\n\n({QUESTIONS[2]})"


async def test_positions_ask_four_orders_of_three_sub_questions() -> None:
    asker = Asked("positions")
    response = await respond(asker, SAMPLE, 0)
    assert list(response.parts) == list(ORDERS)
    assert asker.asked[3][1] == "When was Orv named? What is Orv? Who named Orv?"
    import dataclasses

    leaning = dataclasses.replace(
        SAMPLE, steps=(*SAMPLE.steps[:2], GoldStep(id="3", question="When was that?"))
    )
    assert (await respond(Asked("positions"), leaning, 0)).asked == {"form": "compound"}
    single = Asked("single")
    await respond(single, leaning, 0)
    assert single.asked[2][1] == f"When was that? (asked after: “{' '.join(QUESTIONS[:2])}”)"
    two = dataclasses.replace(SAMPLE, steps=SAMPLE.steps[:2])
    assert (await respond(Asked("positions"), two, 0)).asked == {"form": "compound"}


class Longer:
    """A judge that holds the longer answer for the better, and cannot read the word "mumble"."""

    name = "longer"

    async def choose(
        self, prompt: str, choices: Sequence[str], fields: Mapping[str, str]
    ) -> Verdict:
        assert prompt == "compound"
        assert tuple(choices) == LEVELS
        a, b = fields["a"], fields["b"]
        if "mumble" in a + b:
            return Verdict(choice=None, unscored="unreadable")
        return Verdict(choice="A=B" if len(a) == len(b) else "A>B" if len(a) > len(b) else "B>A")

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        raise AssertionError


class Lines:
    """An extractor that takes the line of the sub-question's number."""

    name = "lines"

    async def extract(self, question: str, text: str) -> Extracted:
        if text == "broken":
            return Extracted(text="", unscored="the model hung up")
        lines = dict(line.split(". ", 1) for line in text.splitlines() if ". " in line)
        return Extracted(text=lines.get(str(QUESTIONS.index(question) + 1), ""))


JUDGES = Judges(judge=Longer(), extractor=Lines())


async def test_scores_by_hand() -> None:
    text = "1. A hill in the far north [1].\n2. Odo."
    found = await score(SAMPLE, Response(text=text, asked={"form": "compound"}), JUDGES)
    # As a whole as long as the reference once its mark is gone, or longer: wins both orders.
    assert found.values["win"] == 1.0
    # "A hill in the far north." is longer than "A hill."; "Odo." shorter than "Odo did."; 3 is missing.
    assert found.values["sub_win"] == pytest.approx(1 / 3)
    assert found.values["omission"] == pytest.approx(1 / 3)
    assert found.detail["errors"] == ["omission"]
    assert found.detail["labels"] == {"longer": {"": "A>B"}}


async def test_single_answers_need_no_extraction() -> None:
    parts = {"1": "A hill, I say.", "2": "", "3": "In 1801."}
    response = Response(text="A hill, I say.", parts=parts, asked={"form": "single"})
    found = await score(SAMPLE, response, JUDGES)
    assert found.values["sub_win"] == pytest.approx(2 / 3)
    assert found.values["omission"] == pytest.approx(1 / 3)
    assert found.detail["errors"] == ["omission"]


async def test_compound_against_single_has_win_rates_and_lengths() -> None:
    asker = Asked("both")
    response = await respond(asker, SAMPLE, 0)
    assert [question for _, question, _ in asker.asked] == [SAMPLE.question, *QUESTIONS]
    assert response.text == f"({SAMPLE.question})"
    parts = {"1": "A hill, I say.", "2": "", "3": "In 1801, in June."}
    told = Response(text="1. Hill.\n2. Odo did.", parts=parts, asked={"form": "both"})
    found = await score(SAMPLE, told, JUDGES)
    # Compound: "Hill." loses, "Odo did." ties, 3 is missing; single: 1 and 3 win, 2 is missing.
    assert found.values["sub_win"] == pytest.approx(1 / 3)
    assert found.values["single_sub_win"] == pytest.approx(2 / 3)
    assert found.values["single_omission"] == pytest.approx(1 / 3)
    assert (found.values["sub_words"], found.values["single_sub_words"]) == (1.5, 4.0)
    table = named(tables([SAMPLE], [], [found]), "Compound against single")
    third = pytest.approx(1 / 3)
    assert table.rows[0] == ("Factual-Statement", third, pytest.approx(2 / 3), 1.5, 4.0, 1.0)
    assert table.rows[1][0] == "all"
    assert named(tables([SAMPLE], [], []), "Compound against single").rows == ()


async def test_positions_have_their_win_rates() -> None:
    good = "1. A hill, yes.\n2. Odo did it.\n3. In 1801, June."
    bad = "1. Hill\n2. Odo\n3. 1801"
    texts = dict.fromkeys(ORDERS, good) | {"2-1-3": bad}
    response = Response(text=good, parts=texts, asked={"form": "positions"})
    found = await score(SAMPLE, response, JUDGES)
    # Each place holds one sub-question of each order, and one order of four is lost.
    assert [found.values[name] for name in ("win_1xx", "win_x1x", "win_xx1")] == [0.75] * 3
    table = named(tables([SAMPLE], [], [found]), "Win rate by position")
    # Sub-question 2 comes first in 2-1-3 (lost) and 2-3-1 (won).
    assert table.rows[1] == ("sub-question 2", 0.5, 1.0, 1.0)
    # A failed question has lost here as it has in every other table.
    failed = Score(sample_id=SAMPLE.id, epoch=1, unscored={"failed": "no model"})
    table = named(tables([SAMPLE], [], [found, failed]), "Win rate by position")
    assert table.rows[1] == ("sub-question 2", 0.25, 0.5, 0.5)
    assert named(tables([SAMPLE], [], [failed]), "Win rate by position").rows == ()


async def test_what_cannot_be_read_is_unscored_with_its_reason() -> None:
    found = await score(SAMPLE, Response(text="mumble"), JUDGES)
    assert found.unscored["win"] == "unreadable"
    assert found.detail["labels"] == {"longer": {"": None}}
    assert found.values["omission"] == 1.0
    broken = await score(SAMPLE, Response(text="broken"), JUDGES)
    assert broken.unscored["sub_win"] == "the model hung up"
    assert "omission" not in broken.values
    without = await score(SAMPLE, Response(text="x"), Judges())
    assert without.unscored == {"win": "no judge was named", "sub_win": "no judge was named"}
    silent = await score(SAMPLE, Response(text="  "), JUDGES)
    assert silent.values["win"] == 0.0


def test_errors_by_rule() -> None:
    both = [Extracted(text="the same"), Extracted(text=" the  same ")]
    assert error_kinds("What? Why?", "the same", both) == ["confusion"]
    assert error_kinds("What?", "压缩代表的是压力。", [Extracted(text="压缩")]) == ["language"]
    assert error_kinds("什么？", "压缩 (compression)", [Extracted(text="压缩")]) == ["language"]
    assert error_kinds("What?", "Fine.", [Extracted(text="Fine.")]) == []
    assert error_kinds("What?", "", [Extracted(text="")]) == ["omission"]


def named(drawn: Sequence[Table], name: str) -> Table:
    return next(table for table in drawn if table.name == name)


def test_table_2_is_types_by_dimensions() -> None:
    def one(number: int, kind: str, dimension: str) -> Sample:
        return Sample(id=str(number), question="?", groups={"type": kind, "dimension": dimension})

    samples = [one(0, "A", "x"), one(1, "A", "y"), one(2, "B", "x"), one(3, "B", "x")]
    scores = [
        Score(
            sample_id=str(n),
            values={"win": win},
            detail={"levels": ["A>B", "?"], "judged by": "j", "extracted by": "e", "errors": []},
        )
        for n, win in enumerate((1.0, 0.5, 0.0, 0.5))
    ]
    drawn = tables(samples, [], scores)
    table = named(drawn, "Win rate by type")
    assert table.columns == ("type", "x", "y", "all")
    assert table.rows == (
        ("A", 1.0, 0.5, 0.75),
        ("B", 0.25, None, 0.25),
        ("all", 0.5, 0.5, 0.5),
    )
    assert "Judged by j; sub-answers extracted by e." in table.note
    assert named(drawn, "Verdicts").rows == (("as A", 0, 4, 0, 0, 0, 0), ("as B", 0, 0, 0, 0, 0, 4))
    assert "No answer was judged." in named(tables(samples, [], []), "Win rate by type").note


async def test_the_offline_judge_says_that_it_is_embedding_based() -> None:
    judges = offline_judges(Judges())
    assert judges.judge is not None
    assert judges.extractor is not None
    assert judges.judge.name.startswith("embedding-based (")
    assert judges.extractor.name.startswith("embedding-based (")
    assert offline_judges(JUDGES) is JUDGES
    assert offline_judges(Judges(judge=Longer())).judge is not None


async def test_the_offline_judge_is_the_same_from_either_side() -> None:
    judge = EmbeddingJudge(shared_embedder())
    fields = {
        "question": "How tall is the lighthouse of Orm? Who built it?",
        "a": "The lighthouse of Orm is 41 metres tall. Ulv Brandt built it.",
        "b": "Cheese is made of milk.",
    }
    swapped = {**fields, "a": fields["b"], "b": fields["a"]}
    assert (await judge.choose("compound", LEVELS, fields)).choice == "A>>B"
    assert (await judge.choose("compound", LEVELS, swapped)).choice == "B>>A"
    same = {**fields, "b": fields["a"]}
    assert (await judge.choose("compound", LEVELS, same)).choice == "A=B"
    echo = {**fields, "b": fields["question"]}
    assert (await judge.choose("compound", LEVELS, echo)).choice == "A>>B"
    empty = {**fields, "a": ""}
    assert (await judge.choose("compound", LEVELS, empty)).choice in ("B>A", "B>>A")
    assert (await judge.prefer(fields["question"], fields["a"], fields["b"])).choice == "A"
    assert (await judge.prefer(fields["question"], fields["b"], fields["a"])).choice == "B"
    assert (await judge.prefer(fields["question"], fields["a"], fields["a"])).choice == "TIE"
    other = await judge.choose("fanoutqa", ("A", "B"), fields)
    assert other.choice is None
    assert "cannot judge 'fanoutqa'" in str(other.unscored)


@pytest.mark.skipif(not REAL.is_dir(), reason="needs ../shared/data/compound-qa")
def test_public_files_load_and_are_cut() -> None:
    samples = COMPOUND.load(REAL.parent, "all", "public")
    assert len(samples) == 1100
    whole = [sample for sample in samples if len(sample.steps) < 2]
    # Compound questions that no rule cuts: under one in a hundred.
    assert len(whole) <= 11
    assert all(part.question.endswith("?") for sample in samples for part in sample.steps)
