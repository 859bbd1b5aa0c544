"""The extractive reasoner on a small snapshot: plans, answers, composes; kinds and quotes."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from agent import Agent
from agent.budget import Budget
from agent.extractive import ExtractiveReasoner
from agent.extractive.composer.composition import compose_found
from agent.extractive.composer.computation import years_between
from agent.extractive.composer.quotes import quote_facts
from agent.extractive.language.words import count_of
from agent.extractive.planner.kinds import classify_kinds
from agent.extractive.planner.plan import plans_of
from agent.extractive.planner.writer.model import Written
from agent.graph.hits import gather
from agent.graph.nodes.plans import ANOTHER
from agent.tools import Toolbox
from agent.types import Answer, SubAnswer, SubQuestion
from corpus import Snapshot
from retrieval.dense.embedders import shared_embedder
from retrieval.index import ensure_built, open_retriever
from retrieval.types import Hit
from tests.unit.agent.extractive.planning import Told, planned, written


@pytest.fixture(scope="module")
def agent(sample: Snapshot) -> Agent:
    ensure_built(sample.folder)
    return Agent(style="short")


@pytest.fixture(scope="module")
def long_agent(sample: Snapshot) -> Agent:
    ensure_built(sample.folder)
    return Agent(style="long")


def test_a_question_is_read_once_and_not_on_the_event_loop(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_in: list[int] = []

    def noted(*arguments: object) -> object:
        read_in.append(threading.get_ident())
        return plans_of(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("agent.extractive.readings.plans_of", noted)
    answer = agent.ask("Who discovered Triton, and where was he born?")
    assert len(answer.sub_questions) > 1
    assert len(read_in) == 1
    assert read_in[0] != threading.get_ident()


def lines(answer: Answer) -> list[str]:
    return answer.text.splitlines()


def told(monkeypatch: pytest.MonkeyPatch, operator: str, *steps: str) -> None:
    """Let every question be planned so."""
    planner = Told(operator, *steps)
    monkeypatch.setattr("agent.extractive.readings.embedded_writer", lambda: planner)


def test_where_a_plan_gives_no_answer_the_next_is_tried(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = "find: Who discovered Triton?", "ask: How much did {1} weigh?"
    right = written("find: Who discovered Triton?", "ask: Where was {1} born?")
    planner = Told("give", *lost, others=[Written("give", right, -1.0)])
    monkeypatch.setattr("agent.extractive.readings.embedded_writer", lambda: planner)
    answer = agent.ask("Where was the discoverer of Triton born?")
    assert "Bolton" in answer.text
    assert [step.id for step in answer.sub_questions if step.kind == "core"] == ["1", "2b.1"]
    assert ANOTHER in answer.notes


def test_every_plan_has_rounds_of_its_own(
    sample: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure_built(sample.folder)
    lost = "find: Who discovered Triton?", "ask: How much did {1} weigh?"
    right = written("find: What is the largest moon of Neptune?", "ask: Who discovered {1}?")
    planner = Told("give", *lost, others=[Written("give", right, -1.0)])
    monkeypatch.setattr("agent.extractive.readings.embedded_writer", lambda: planner)
    answer = Agent(style="short", budget=Budget(depth=2)).ask("Who found that moon?")
    assert "Lassell" in answer.text
    assert ANOTHER in answer.notes


def test_plans_that_a_budget_cuts_off_are_tried_once(
    sample: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure_built(sample.folder)
    moons = "set: What are the moons of Jupiter?"
    asked = ("What is the price of {1}?", "Who bought {1}?", "Who sold {1}?")
    first, *others = [written(moons, f"ask: {one}") for one in asked]
    planner = Told("give", moons, f"ask: {asked[0]}", others=[
        Written("give", lines, -1.0 - number) for number, lines in enumerate(others)
    ])  # fmt: skip
    monkeypatch.setattr("agent.extractive.readings.embedded_writer", lambda: planner)
    answer = Agent(style="short", budget=Budget(sub_questions=3)).ask("What did they pay?")
    assert answer.abstained
    assert first[1].said.replace("{1}", "Io") in [step.text for step in answer.sub_questions]


def test_a_plan_that_a_person_gave_is_the_only_one(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = written("ask: Who discovered Triton?")
    planner = Told("give", "ask: Who painted Triton?", others=[Written("give", right, -1.0)])
    monkeypatch.setattr("agent.extractive.readings.embedded_writer", lambda: planner)
    given = [SubQuestion(id="1", text="Who sculpted Triton?", kind="core")]
    answer = agent.ask("Who has to do with Triton?", plan=given)
    assert answer.abstained
    assert [step.text for step in answer.sub_questions] == ["Who sculpted Triton?"]


def test_a_thing_each_has_is_not_one_of_them(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    told(
        monkeypatch,
        "give",
        "set: What are the Alpine countries?",
        "is: Does {1} use the Swiss franc?",
        "ask: What is the highest mountain of {1}?",
    )
    answer = agent.ask(
        "Which Alpine countries use the Swiss franc, and what is the highest mountain of each?"
    )
    found = " ".join(lines(answer))
    assert "Dufourspitze" in found
    assert "Austria" not in found
    assert len(answer.citations) >= 2


def test_time_between_two_discoveries(agent: Agent) -> None:
    answer = agent.ask(
        "How many years passed between the discovery of Titan and the discovery of Triton?"
    )
    assert lines(answer)[0].startswith("191")
    assert answer.items[0] == "191 years"


def test_members_compared_with_another_thing(long_agent: Agent) -> None:
    answer = long_agent.ask("Which of Jupiter's four Galilean moons are wider than Earth's Moon?")
    assert lines(answer)[0].startswith("3 of 4 meet the condition")
    assert "Europa" not in answer.text


def test_what_several_members_share_is_shown_for_each(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(
        monkeypatch,
        "give",
        "names: Rigoletto | Aida | Tosca",
        "ask: Who composed {1}?",
        "ask: Where was {2} born?",
    )
    answer = agent.ask("Who composed Rigoletto, Aida and Tosca, and where was each composer born?")
    for words in ("Rigoletto: Giuseppe Verdi", "Aida: Giuseppe Verdi", "Lucca"):
        assert words in answer.text


def test_the_margin_is_computed(agent: Agent) -> None:
    answer = agent.ask(
        "Which is higher, the highest mountain of Slovenia or that of Germany, and by how many metres?"
    )
    assert re.match(r"(?:Zugspitze|Germany), by 98 m", lines(answer)[0])
    assert "Triglav" in answer.text


def test_members_of_another_set(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    told(
        monkeypatch,
        "give",
        "set: Who are the winners of the Nobel Prize in Chemistry of 2014?",
        "set: What are the Ivy League universities?",
        "in {2}: At which university did {1} take a degree?",
    )
    answer = agent.ask(
        "Which winners of the Nobel Prize in Chemistry of 2014 took a degree at an Ivy League "
        "university, and at which one?"
    )
    assert "Eric Betzig" in answer.text
    assert "Cornell University" in answer.text
    assert "Stefan Hell" not in answer.text


def test_an_open_question_is_answered_by_what_the_sections_say(long_agent: Agent) -> None:
    answer = long_agent.ask("Why do coral reefs bleach?")
    asked = [step.text for step in answer.sub_questions]
    sections = [text for text in asked if text.startswith("What does “Coral bleaching” say about")]
    assert sections
    assert any(f"{text}\n- “" in answer.text for text in sections)
    found = {one.sub_question_id: one.status for one in answer.sub_answers}
    # What a section says can be checked; whether it tells why cannot.
    assert found["1"] == "unsure"
    assert all(
        found[step.id] == "answered" for step in answer.sub_questions if step.text in sections
    )
    assert not answer.uncited


def test_what_is_suggested_can_be_asked(long_agent: Agent) -> None:
    text = next(iter(long_agent.ask("Who discovered Titan?").suggestions))
    answer = long_agent.ask(text)
    assert answer.sub_answers[0].status == "answered"
    assert all(one.revision.title in text for one in answer.citations)


def test_no_account_is_given_of_what_no_article_tells(long_agent: Agent) -> None:
    answer = long_agent.ask("Why did the Zorblax Palace in Quuxville collapse?")
    assert answer.abstained
    assert not any(one.support == "supported" for one in answer.citations)


def test_suggestions_come_from_the_best_article(agent: Agent) -> None:
    answer = agent.ask("Who discovered Titan?")
    assert answer.suggestions
    assert any("Titan" in text for text in answer.suggestions)


def test_nothing_found_is_said(agent: Agent) -> None:
    answer = agent.ask("Who painted the ceiling of the Zorblax Palace in Quuxville?")
    assert answer.abstained or all(a.status != "failed" for a in answer.sub_answers)


@pytest.mark.parametrize("strategy", ["baseline", "query-subquestion", "retrieval"])
def test_quotes_where_there_are_no_sub_answers(sample: Snapshot, strategy: str) -> None:
    ensure_built(sample.folder)
    answer = Agent(strategy=strategy, style="short").ask("What are the eight planets?")  # type: ignore[arg-type]
    assert answer.citations
    assert "Mercury" in answer.text


@pytest.mark.parametrize("strategy", ["baseline", "e2e", "query-subquestion", "retrieval"])
def test_every_strategy_quotes_an_account(sample: Snapshot, strategy: str) -> None:
    ensure_built(sample.folder)
    answer = Agent(strategy=strategy, style="long").ask("Why do coral reefs bleach?")  # type: ignore[arg-type]
    lines = [line for line in answer.text.splitlines() if line.startswith("- “")]
    assert len(lines) > 3
    assert all("[" in line for line in lines)
    assert {one.revision.title for one in answer.citations} == {"Coral bleaching"}


def test_a_quote_stands_in_its_hit(sample: Snapshot) -> None:
    retriever = open_retriever(sample.folder, "bm25")
    (hits,) = gather(
        retriever,
        ["Who discovered Titan?"],
        8,
        toolbox=Toolbox(retriever, sample, 8),
        articles=sample,
    )

    def title_of(name: str) -> str | None:
        found = sample.find(name)
        return found.revision.title if found is not None else None

    composed = quote_facts(
        ["Who discovered Titan?"],
        hits,
        "long",
        embedder=shared_embedder(),
        title_of=title_of,
        lead_of=lambda name: "",
    )
    assert "Huygens" in composed.text
    for number, quote in composed.quotes:
        assert quote in hits[number - 1].chunk.text


def test_a_reasoner_without_a_snapshot_still_reads_its_hits(sample: Snapshot) -> None:
    retriever = open_retriever(sample.folder, "bm25")
    (hits,) = gather(
        retriever,
        ["Who discovered Titan?"],
        8,
        toolbox=Toolbox(retriever, sample, 8),
        articles=sample,
    )
    reasoner = ExtractiveReasoner(shared_embedder())
    step = SubQuestion(id="1", text="Who discovered Titan?", kind="core")
    finding = asyncio.run(reasoner.answer(step, hits))
    assert finding.sub_answer.items == ("Christiaan Huygens",)
    listed = SubQuestion(id="1", text="What are the moons of Mars?", kind="core")
    assert asyncio.run(reasoner.answer(listed, [])).sub_answer.status == "not_found"
    planned = asyncio.run(reasoner.plan("Why do rivers rise?", hits))
    assert planned


def test_kinds(sample: Snapshot) -> None:
    asked = [
        "What is a flood?",
        "How do floods affect towns along a river?",
        "Which new methods of protection could help in future?",
    ]
    kinds = classify_kinds("How do floods affect towns?", asked, shared_embedder())
    assert len(kinds) == 3
    assert set(kinds) <= {"core", "background", "follow_up"}
    assert kinds[1] == "core"
    assert classify_kinds("How?", [], shared_embedder()) == []
    reasoner = ExtractiveReasoner(shared_embedder())
    assert asyncio.run(reasoner.classify("How do floods affect towns?", asked)) == kinds


def test_kinds_by_another_embedder_use_the_default() -> None:
    from retrieval.dense.embedders import FunctionEmbedder

    other = FunctionEmbedder(lambda texts: [[1.0] * 4 for _ in texts], name="other", dim=4)  # type: ignore[arg-type,return-value]
    asked = ["What is a flood?"]
    assert classify_kinds("Floods?", asked, other) == classify_kinds(
        "Floods?", asked, shared_embedder()
    )


def answered(id_: str, *items: str) -> SubAnswer:
    return SubAnswer(sub_question_id=id_, status="answered", text=", ".join(items), items=items)


def composed(
    lines: tuple[str, ...],
    filled: Sequence[tuple[str, str, tuple[str, ...], tuple[str, ...]]],
    operator: str = "give",
) -> str:
    """Compose from (id, text, depends_on, items) of each step."""
    reading = planned("Which of them?", operator, *lines)
    steps = [
        SubQuestion(id=id_, text=text, kind="core", depends_on=on) for id_, text, on, _ in filled
    ]
    answers = [answered(id_, *items) for id_, _, _, items in filled]
    hits: list[Hit] = []
    return compose_found(reading, steps, answers, hits, "short").text


def test_shared_values_go_to_every_member() -> None:
    text = composed(
        (
            "set: What are the towers of Oslo?",
            "ask: Who designed {1}?",
            "ask: Where was {2} born?",
        ),
        [
            ("1", "What are the towers of Oslo?", (), ("A Tower", "B Tower")),
            ("2.1", "Who designed A Tower?", ("1",), ("Ann Lee",)),
            ("2.2", "Who designed B Tower?", ("1",), ("Ann Lee",)),
            ("3.1", "Where was Ann Lee born?", ("2.1",), ("Bergen",)),
        ],
    )
    assert text.splitlines() == ["A Tower: Ann Lee; Bergen", "B Tower: Ann Lee; Bergen"]


def test_a_name_inside_another_is_not_that_name() -> None:
    text = composed(
        (
            "set: What are the giant planets?",
            "find: What is the largest moon of {1}?",
            "ask: What is the diameter of {2}?",
        ),
        [
            ("1", "What are the giant planets?", (), ("Saturn", "Uranus")),
            ("2.1", "What is the largest moon of Saturn?", ("1",), ("Titan",)),
            ("2.2", "What is the largest moon of Uranus?", ("1",), ("Titania",)),
            ("3.1", "What is the diameter of Titan?", ("2.1",), ("5,150 km",)),
            ("3.2", "What is the diameter of Titania?", ("2.2",), ("1,577 km",)),
        ],
    )
    assert text.splitlines() == ["Saturn: Titan; 5,150 km", "Uranus: Titania; 1,577 km"]


def test_conditions_keep_counted_and_ranked_members() -> None:
    lines = ("set: What are the lakes of Vella?", "> 100 metres: How deep is {1}?")
    steps = [
        ("1", "What are the lakes of Vella?", (), ("A", "B", "Cee")),
        ("2.1", "How deep is A?", ("1",), ("120 m",)),
        ("2.2", "How deep is B?", ("1",), ("60 m",)),
        ("2.3", "How deep is Cee?", ("1",), ("0.2 km",)),
    ]
    assert composed(lines, steps, "count").splitlines()[0] == "2"
    oldest = composed(
        ("set: Who are the mayors of Vella?", "least: How old is {1}?"),
        [
            ("1", "Who are the mayors of Vella?", (), ("Ann Lee", "Bo Dahl")),
            ("2.1", "How old is Ann Lee?", ("1",), ("3 May 1950",)),
            ("2.2", "How old is Bo Dahl?", ("1",), ("1 June 1944",)),
        ],
    )
    assert oldest.startswith("Bo Dahl")


@pytest.mark.parametrize(
    ("dates", "answer"),
    [
        (("1789", "28 August 1789"), ""),
        (("1790", "28 August 1789"), "A"),
        (("17 September 1789", "28 August 1789"), "A"),
    ],
)
def test_a_date_told_by_its_year_alone_is_not_before_a_day_of_it(
    dates: tuple[str, str], answer: str
) -> None:
    lines = ("set: What are the moons of Vella?", "most: When was {1} found?")
    steps = [
        ("1", "What are the moons of Vella?", (), ("A", "B")),
        ("2.1", "When was A found?", ("1",), (dates[0],)),
        ("2.2", "When was B found?", ("1",), (dates[1],)),
    ]
    assert composed(lines, steps).partition(" ")[0].partition(":")[0] == answer


def test_of_one_member_none_is_the_most() -> None:
    lines = ("set: What are the moons of Vella?", "most: When was {1} found?")
    steps = [
        ("1", "What are the moons of Vella?", (), ("A",)),
        ("2.1", "When was A found?", ("1",), ("28 August 1789",)),
    ]
    assert composed(lines, steps) == ""


def test_a_bound_that_was_not_found_keeps_all() -> None:
    lines = (
        "set: What are the planets of Sol?",
        "find: How wide is Neptune?",
        "> {2}: How wide is {1}?",
    )
    steps = [
        ("1", "What are the planets of Sol?", (), ("Aa", "Bee")),
        ("3.1", "How wide is Aa?", ("1",), ("120 km",)),
        ("3.2", "How wide is Bee?", ("1",), ("60 km",)),
    ]
    assert len(composed(lines, steps).splitlines()) == 2
    with_bound = [*steps, ("2", "How wide is Neptune?", (), ("100 km",))]
    assert composed(lines, with_bound).splitlines() == ["Aa: 120 km"]


def test_years_between_dates() -> None:
    assert years_between(["25 March 1655", "10 October 1846"]) == "191 years"
    assert years_between(["10 October 1655", "25 March 1846"]) == "191 years (190 full)"
    assert years_between(["1655", "1846"]) == "191 years"
    assert years_between(["1845", "1846"]) == "1 year"
    assert years_between(["1655", "never"]) == ""


def test_counts_in_questions() -> None:
    assert count_of("What are the eight planets?") == 8
    assert count_of("Who won in 1994?") is None
    assert count_of("What are the moons?") is None


def test_evidence_is_not_left(sample: Snapshot, tmp_path: Path) -> None:
    ensure_built(sample.folder)
    answer = Agent(setting="evidence", evidence=["Titan (moon)"], style="short").ask(
        "Who discovered Titan, and when was Neptune found?"
    )
    assert {citation.revision.title for citation in answer.citations} <= {"Titan (moon)"}


@pytest.mark.parametrize("strategy", ["baseline", "retrieval"])
def test_a_quoting_strategy_says_not_found_where_no_passage_speaks_of_it(strategy: str) -> None:
    quoting = Agent(style="short", strategy=strategy)
    asked = quoting.ask("Which actors of the film Titanic won an Academy Award, and when?")
    assert asked.abstained
    answer = quoting.ask("Where was each of the chemists born who shared the Nobel Prize in 2010?")
    assert any(line.startswith("Richard F. Heck: He shared") for line in lines(answer))
    assert len(set(lines(answer))) == len(lines(answer))
    assert "unsupported" not in answer.text


def test_asked_at_once_is_the_reason_that_e2e_gives() -> None:
    answer = Agent(style="short", strategy="e2e").ask(
        "How many kilograms of lunar samples did the six Apollo landings bring back in total?"
    )
    assert answer.abstained
    assert "all at once" in answer.text
