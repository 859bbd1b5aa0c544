from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.errors import ModelError
from agent.prompted import PromptedReasoner
from agent.types import Kind
from corpus.errors import InputError
from evals.humans.decomposition import PromptedDecomposer, freeze, read_questions
from tests.fakes import Asked, FaithfulMind, ScriptedModel


def mind(asked: Asked) -> Any:
    if asked.form == "DecompositionReply":
        assert "about 7" in asked.text
        if "silence" in asked.text:
            return {"sub_questions": [" ", ""]}
        return {"sub_questions": ["What is  rain?", "Why does it rain?", "What is rain?"]}
    return FaithfulMind(kinds={"What is": "background"})(asked)


def decomposer() -> PromptedDecomposer:
    model = ScriptedModel(mind)
    return PromptedDecomposer(model, PromptedReasoner(model, None), count=7)


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def test_a_models_sub_questions_come_once_each_with_their_kinds() -> None:
    assert await decomposer().decompose("why does it rain") == [
        ("What is rain?", "background"),
        ("Why does it rain?", "core"),
    ]


async def test_what_stands_in_the_file_stays_as_edited(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "frozen.jsonl"
    done: list[int] = []
    first = await freeze(decomposer(), [("1", "why does it rain")], out, report=done.append)
    assert (first.made, first.kept, first.failed) == (1, 0, ())
    (item,) = read(out)
    assert item["engine"] == "scripted"
    item["sub_questions"] = [{"text": "Mine?", "kind": "core"}]
    out.write_text(json.dumps(item) + "\n", encoding="utf-8")
    asked = [("0", "silence"), ("2", "what is snow"), ("1", "why does it rain")]
    again = await freeze(decomposer(), asked, out, report=done.append)
    assert (again.made, again.kept) == (1, 1)
    assert again.failed == (("silence", "no sub-question was found"),)
    assert [one["id"] for one in read(out)] == ["2", "1"]
    assert read(out)[1]["sub_questions"] == [{"text": "Mine?", "kind": "core"}]
    assert done[-1] == 3


async def test_a_model_that_fails_costs_one_question_not_the_file(tmp_path: Path) -> None:
    class Failing:
        name = "failing"

        async def decompose(
            self, question: str, given: Sequence[str] = ()
        ) -> list[tuple[str, Kind]]:
            if question == "bad":
                raise ModelError("no reply")
            return [("A?", "core")]

    out = tmp_path / "frozen.jsonl"
    frozen = await freeze(Failing(), [("bad", "bad"), ("good", "good")], out)
    assert frozen.failed == (("bad", "no reply"),)
    assert [item["id"] for item in read(out)] == ["good"]


def test_questions_are_read_from_json_and_from_plain_lines(tmp_path: Path) -> None:
    lines = tmp_path / "q.jsonl"
    lines.write_text('{"id": 7, "question": "a"}\n{"question": "b"}\n{"question": "b"}\n')
    assert read_questions(lines) == [("7", "a"), ("b", "b")]
    plain = tmp_path / "q.txt"
    plain.write_text("one\n\n two \n")
    assert read_questions(plain) == [("one", "one"), ("two", "two")]
    plain.write_text("\n")
    with pytest.raises(InputError, match="holds no questions"):
        read_questions(plain)
    with pytest.raises(InputError, match="no such file"):
        read_questions(tmp_path / "none.txt")


async def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "frozen.jsonl"
    out.write_text('{"question": "a"}\n')
    with pytest.raises(InputError, match="sub_questions"):
        await freeze(decomposer(), [("1", "a")], out)
