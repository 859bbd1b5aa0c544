from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from agent import Agent
from agent.terminal.answer import (
    answer_to_json,
    clean,
    print_answer,
    to_line,
    trace_line,
    usage_line,
)
from agent.types import Answer, SubQuestion, TraceStep, Usage
from corpus import Snapshot
from retrieval.index import ensure_built
from tests.reasoners import ScriptedReasoner, WordRetriever, chunk, core

PLAN = [
    core("1", "Who saw the rings of Vulcan?"),
    core("2", "Who saw the rings of Nibiru?"),
    core("3", "Who saw the rings of Krypton?"),
    SubQuestion(id="4", text="What are the rings of planets?", kind="background"),
    SubQuestion(id="5", text="What do rings weigh?", kind="follow_up"),
]
TEXT = "The rings of Vulcan [bold red]were[/] seen\x1b[31m by \u202eGalileo."


@pytest.fixture
def agent(sample: Snapshot) -> Agent:
    says = {"": "It is so.", "Nibiru": None, "Krypton": ValueError("broken")}
    return Agent(
        snapshot=sample,
        reasoner=ScriptedReasoner(steps=PLAN, says=says),
        retriever=WordRetriever([chunk(1, TEXT, "Rings of [Vulcan]")]),
    )


@pytest.fixture
def answer(agent: Agent) -> Answer:
    return agent.ask("Who saw which rings?")


def printed(answer: Answer, agent: Agent, **options: object) -> str:
    out = io.StringIO()
    print_answer(answer, agent, Console(file=out, **options))  # type: ignore[arg-type]
    return out.getvalue()


def test_a_person_sees_answer_steps_sources_and_suggestions(answer: Answer, agent: Agent) -> None:
    text = printed(answer, agent)
    lines = text.splitlines()
    assert lines[0].endswith("Galileo. [1]")
    assert "Core sub-questions" in lines
    assert "  ✓ 1 Who saw the rings of Vulcan?" in lines
    assert "      It is so. [1]" in lines
    assert "      not found" in lines
    assert "      failed: ValueError: broken" in lines
    assert "Background" in lines
    assert "  [1] Rings of [Vulcan], revision of 2026-01-02" in lines
    assert "      https://w.example/?title=Rings of [Vulcan]&oldid=10" in lines
    assert lines[lines.index("You could ask next") + 1] == "  What do rings weigh?"
    assert sample_name(agent) in lines[-1]


def sample_name(agent: Agent) -> str:
    return agent.snapshot.manifest.name


def test_corpus_text_is_neither_markup_nor_control(answer: Answer, agent: Agent) -> None:
    text = printed(answer, agent, force_terminal=True, color_system="truecolor", width=200)
    assert "[bold red]were[/]" in text
    assert "\x1b[31m by" not in text
    assert "\u202e" not in text
    assert clean("a\x00b\x9bc\td\ne\ud800") == "abc\td\ne"


def test_long_lines_are_wrapped_for_a_terminal_alone(answer: Answer, agent: Agent) -> None:
    long = replace(answer, text="word " * 60)
    assert "word " * 59 in printed(long, agent)
    on_terminal = printed(long, agent, force_terminal=True, width=40, color_system=None)
    assert max(map(len, on_terminal.splitlines()[:5])) <= 40


def test_what_is_unsupported_says_so(answer: Answer, agent: Agent) -> None:
    assert "Unsupported:" in printed(replace(answer, unsupported=True), agent)


def test_the_json_object_holds_what_the_design_lists(answer: Answer, agent: Agent) -> None:
    value = json.loads(to_line(answer_to_json(answer, agent)))
    assert list(value) == [
        *("question", "answer", "abstained", "setting", "strategy", "model", "snapshot"),
        *("sub_questions", "citations", "suggestions", "struck", "uncited"),
        *("uncited_sentences", "unsupported", "notes", "passages", "usage"),
    ]
    assert set(value["snapshot"]) == {"name", "date", "asked", "fingerprint"}
    assert [set(step) for step in value["sub_questions"]] == [
        {"id", "text", "kind", "depends_on", "status", "answer", "error", "citations"}
    ] * 5
    assert [step["status"] for step in value["sub_questions"]] == [
        *("answered", "not_found", "failed", "unsure", "not_asked")
    ]
    assert set(value["citations"][0]) == {
        *("number", "chunk_id", "page_id", "rev_id", "title", "url", "timestamp", "caveat"),
        *("start", "end", "quote", "support"),
    }
    assert set(value["usage"]) == {
        *("calls", "cached", "tokens_in", "tokens_out", "cost_usd", "seconds")
    }
    assert value["sub_questions"][0]["citations"] == [1]
    assert value["citations"][0]["support"] == "unsure"
    assert value["citations"][0]["quote"] == TEXT


def test_what_is_unsure_is_shown_as_unsure(answer: Answer, agent: Agent) -> None:
    unsure = replace(answer.sub_answers[0], status="unsure", error="no source names its subject")
    shown = replace(answer, sub_answers=(unsure, *answer.sub_answers[1:]))
    lines = printed(shown, agent).splitlines()
    at = next(number for number, line in enumerate(lines) if "unsure: " in line)
    assert lines[at - 1].lstrip().startswith("? ")
    assert lines[at + 1].strip() == "no source names its subject"
    value = answer_to_json(shown, agent)
    assert value["sub_questions"][0]["status"] == "unsure"
    assert value["sub_questions"][0]["error"] == "no source names its subject"


def test_json_is_one_line_without_control_characters() -> None:
    line = to_line({"a": "x\x1b[0m\u202e\x85\ny\ud800", "b": "土星"})
    assert "\n" not in line
    assert clean(line) == line
    assert "土星" in line
    assert json.loads(line)["a"] == "x\x1b[0m\u202e\x85\ny\ud800"


def test_trace_and_usage_are_lines() -> None:
    step = TraceStep(
        name="answer", sub_question_id="2.1", seconds=0.25, detail={"status": "failed"}
    )
    assert trace_line(step) == '   0.250 s  answer 2.1  {"status": "failed"}'
    assert usage_line(Usage()) == ""
    usage = Usage(calls=3, cached=1, tokens_in=2000, tokens_out=50, cost_usd=0.01, seconds=2.0)
    assert usage_line(usage) == (
        "3 model calls (1 from the file of calls), 2,000 tokens in, 50 out, $0.0100, 2.0 s"
    )


def test_sentences_that_the_answer_quotes_are_not_printed_twice(sample: Snapshot) -> None:
    ensure_built(sample.folder)
    with Agent(style="long") as agent:
        answer = agent.ask("Why do coral reefs bleach?")
        paper = Console(file=(written := io.StringIO()), width=5000)
        print_answer(answer, agent, paper)
    printed = written.getvalue()
    for item in answer.items:
        assert printed.count(f"“{item}”") == 1
    assert "sentences quoted above" in printed
