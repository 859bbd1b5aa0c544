"""What the stand-in says: of the right form, from the sources, and never as if a model said it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.llm.replies.schema import strict_schema
from agent.prompted import forms
from agent.prompted.fence import enclosed, fenced
from agent.stand_in.script import NOTHING, SAID_BY, reply

SHOWN = enclosed("[1] Ulv (2026)\nUlv is a town. It has 900 inhabitants.\n\n[2] Orm\nOrm is tall.")


def asked(text: str, form: type[Any] | None = None) -> dict[str, Any]:
    request: dict[str, Any] = {"messages": [{"role": "user", "content": text}]}
    if form is not None:
        schema = {"name": form.__name__, "schema": strict_schema(form), "strict": True}
        request["response_format"] = {"type": "json_schema", "json_schema": schema}
    return request


FORMS = [
    forms.PlanReply, forms.KindsReply, forms.OneKindReply, forms.CoverReply,
    forms.AnswerReply, forms.ClosedAnswerReply, forms.ComposedReply, forms.ClosedComposedReply,
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_a_reply_has_the_form_that_is_asked_for(form: type[Any]) -> None:
    text = f"Sources:\n{SHOWN}\n\nQuestion: How many inhabitants has Ulv?"
    form.model_validate_json(reply(asked(text, form)))


def test_the_form_may_be_asked_for_in_words() -> None:
    text = f'{SHOWN}\nQuestion: Ulv?\n\nReply with JSON: {{"found": true, "answer": "… [1]"}}'
    assert json.loads(reply(asked(text)))["found"] is True


def test_an_answer_quotes_the_sentence_nearest_to_the_question() -> None:
    text = (
        f"Sources:\n{SHOWN}\n\nThe question to answer:\n{fenced('How many inhabitants has Ulv?')}"
    )
    found = json.loads(reply(asked(text, forms.AnswerReply)))
    assert found["answer"] == f"{SAID_BY} It has 900 inhabitants. [1]"
    assert found["quotes"] == [{"source": 1, "quote": "It has 900 inhabitants."}]


def test_every_text_of_its_own_says_that_it_is_no_model() -> None:
    composed = json.loads(reply(asked(f"{SHOWN}\nQuestion: Is Orm tall?", forms.ComposedReply)))
    assert composed["text"] == f"{SAID_BY} Orm is tall. [2]"
    free = reply(asked(f"{SHOWN}\nQuestion: Is Orm tall?"))
    assert free == f"{SAID_BY}\n\nAnswer: Orm is tall."
    assert reply(asked("Question: What is there?")) == NOTHING


@given(st.text(), st.sampled_from([*FORMS, None]))
def test_whatever_it_is_asked_it_replies(text: str, form: type[Any] | None) -> None:
    said = reply(asked(text, form))
    if form is not None:
        form.model_validate_json(said)
