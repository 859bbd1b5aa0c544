from __future__ import annotations

import json
import time
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from agent.llm.replies.schema import (
    find_objects,
    read_reply,
    schema_in_words,
    sound_text,
    strict_schema,
)
from agent.prompted import forms
from tests.openai_rules import strict_faults


class Leaf(BaseModel):
    word: str = "nothing"
    kind: Literal["a", "b"] = "a"
    one: Literal["only"] = "only"
    maybe: int | None = None


class Tree(BaseModel):
    """A tree."""

    leaves: list[Leaf] = []
    first: Leaf
    share: float = Field(ge=0, le=1, description="of the whole")


FORMS = [
    value
    for value in vars(forms).values()
    if isinstance(value, type) and issubclass(value, BaseModel) and value.model_fields
]


@pytest.mark.parametrize("form", [Tree, *FORMS])
def test_schemas_follow_the_rules_for_strict_ones(form: type[BaseModel]) -> None:
    assert strict_faults(strict_schema(form)) == []


def test_the_rules_catch_schemas_that_are_not_strict() -> None:
    assert "$: additionalProperties must be false" in strict_faults(Tree.model_json_schema())
    assert strict_faults({"type": "array"}) == ["the root is not an object"]


def test_the_schema_can_be_said_in_words() -> None:
    assert "JSON" in schema_in_words(Tree)
    assert json.dumps(strict_schema(Tree), separators=(",", ":")) in schema_in_words(Tree)


WANTED = {"first": {"word": "oak", "kind": "b", "one": "only", "maybe": None}, "share": 0.5}
WRITTEN = json.dumps(WANTED)


@pytest.mark.parametrize(
    "text",
    [
        WRITTEN,
        f"\ufeff  {WRITTEN}\n",
        f"Here it is:\n```json\n{WRITTEN}\n```\nAnything else?",
        f"```\n{WRITTEN}\n```",
        f'<think>Perhaps {{"share": 2}}?</think>{WRITTEN}',
        f"<think>Perhaps {WRITTEN.replace('oak', 'elm')}</think>\n{WRITTEN}",
        f"First {WRITTEN.replace('oak', 'elm')}, no, better {WRITTEN}.",
        f"Sure! {WRITTEN} I hope {{this}} helps.",
        WRITTEN.replace("}, ", ",}, "),
        "{" + WRITTEN.replace("0.5}", "0.5,}"),
        WRITTEN.replace("oak", "oa\nk").replace("oa\nk", "oak"),
    ],
)
def test_json_is_found_however_it_is_wrapped(text: str) -> None:
    found, fault = read_reply(text, Tree)
    assert fault == ""
    assert isinstance(found, Tree)
    assert found.first.word == "oak"
    assert found.first.kind == "b"


def test_line_breaks_inside_strings_are_taken() -> None:
    found, _ = read_reply('{"first": {"word": "two\nlines"}, "share": 1}', Tree)
    assert isinstance(found, Tree)
    assert found.first.word == "two\nlines"


def test_half_a_surrogate_pair_does_no_harm_later() -> None:
    found, _ = read_reply('{"first": {"word": "x\\ud83d"}, "share": 1}', Tree)
    assert isinstance(found, Tree)
    assert found.first.word == "x\ufffd"
    assert sound_text("😀") == "😀"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the reply holds no JSON object"),
        ("I cannot say.", "the reply holds no JSON object"),
        ("[1, 2]", "the reply holds no JSON object"),
        ('{"first": {"word": "oak', "the reply holds no JSON object"),
        ('{"share": 0.5}', "first: Field required"),
        (
            '{"first": {"kind": "secret words"}, "share": 0.5}',
            "first.kind: Input should be 'a' or 'b'",
        ),
    ],
)
def test_the_fault_is_said_without_the_values(text: str, fault: str) -> None:
    assert read_reply(text, Tree) == (None, fault)


def test_many_faults_are_counted() -> None:
    text = json.dumps({"leaves": [{"word": []}] * 9})
    assert read_reply(text, Tree)[1].endswith("; and 6 more")


def test_a_flood_of_braces_ends_soon() -> None:
    begun = time.perf_counter()
    assert list(find_objects("{" * 20_000)) == []
    assert list(find_objects('{"a' * 20_000)) == []
    assert read_reply("[" * 100_000 + "{" * 100_000, Tree)[0] is None
    assert time.perf_counter() - begun < 5


@given(st.text(), st.text(), st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_an_object_is_found_in_any_text(before: str, after: str, word: str) -> None:
    before = before.replace("{", "").replace("`", "").replace("<", "")
    after = after.replace("{", "").replace("`", "").replace("<", "")
    written = json.dumps({"first": {"word": word}, "share": 0.25})
    found, fault = read_reply(f"{before}\n{written}\n{after}", Tree)
    assert isinstance(found, Tree), fault
    assert found.first.word == word


@given(st.text())
def test_any_text_is_read_without_an_exception(text: str) -> None:
    read_reply(text, Tree)
