from __future__ import annotations

import math
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.llm import tokens
from agent.llm.port import Message, ToolCall
from agent.llm.tokens import (
    Estimate,
    count_messages,
    counter_for,
    encoding_name,
    most_tokens,
)

ENGLISH = "The capital of the canton of Graubünden is Chur, its oldest town (founded c. 3000 BC). "
CHINESE = "海王星是太阳系的第八颗行星，已知有十四颗卫星，其中最大的是海卫一。"
TABLE = "Name: Triton | Radius: 1,353.4 km | Discovered: 10 October 1846\n"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-4o-2024-08-06", "o200k_base"),
        ("openai/gpt-4o", "o200k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("llama-3.3-70b", None),
    ],
)
def test_the_encoding_of_a_model(model: str, name: str | None) -> None:
    assert encoding_name(model) == name


def test_openai_models_are_counted_exactly_and_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "/nowhere")
    count = counter_for("gpt-4-turbo")
    assert count.name == "cl100k_base"
    assert count("hello world") == 2
    assert count("<|endoftext|>") > 1
    assert os.environ["TIKTOKEN_CACHE_DIR"] == "/nowhere"


def test_other_models_get_an_estimate_that_says_so() -> None:
    count = counter_for("llama-3.3-70b")
    assert count.name == "estimate"
    assert count("") >= 0


@pytest.mark.parametrize("text", [ENGLISH * 5, CHINESE * 5, TABLE * 5])
def test_the_estimate_leans_to_the_high_side_but_not_far(text: str) -> None:
    exact = counter_for("gpt-4-turbo")(text)
    assert 0.95 * exact <= Estimate()(text) <= 1.6 * exact


@given(st.text(alphabet=st.sampled_from("aZ3,. \n_é土😀\ud800"), max_size=60))
def test_the_estimate_weighs_words_letters_digits_marks_and_characters(text: str) -> None:
    sent = text.replace("\ud800", "?")
    counted = [
        len(re.findall(r"[A-Za-z]+", sent)),
        *(sum(one in these for one in sent) for these in ("aZ", "3", ",.?_\n", "é", "土😀")),
    ]
    weights = (0.98, 0.065, 1.0, 0.62, 1.9, 1.4)
    expected = sum(weight * count for weight, count in zip(weights, counted, strict=True))
    assert Estimate()(text) == math.ceil(expected)


@given(st.one_of(st.text(), st.text(st.sampled_from("a1. é土"), min_size=50)))
def test_no_counter_finds_more_than_the_most_a_text_can_have(text: str) -> None:
    for count in (Estimate(), counter_for("gpt-4-turbo"), counter_for("gpt-4o")):
        assert count(text) <= most_tokens(text)


def test_a_missing_encoding_file_means_an_estimate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("agent.llm.tokens._cache_folder", lambda: tmp_path)
    assert counter_for.__wrapped__("gpt-4o").name == "estimate"


def test_a_conversation_costs_more_than_its_texts() -> None:
    call = ToolCall(id="1", name="search", arguments={"query": "x"}, raw='{"query": "x"}')
    messages = [
        Message(role="user", content="abc"),
        Message(role="assistant", content="", tool_calls=(call,)),
    ]
    assert count_messages(messages, len_counter) == 3 + 4 + 3 + 4 + 6 + 14


class _Length:
    name = "length"

    def __call__(self, text: str) -> int:
        return len(text)


len_counter = _Length()


def test_without_the_files_of_encodings_every_model_gets_the_estimate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tokens, "is_installed", lambda module: module != "llama_index")
    assert tokens._cache_folder() is None
    monkeypatch.setattr(tokens, "is_installed", lambda module: module != "tiktoken")
    assert tokens.encoding_name("gpt-4o") is None
