"""A statement is asked as one plain sentence, whatever it is wrapped in."""

from __future__ import annotations

import pytest

from agent.extractive.language.spelling import with_apostrophes
from agent.extractive.planner.statements import is_one_statement, plain_statement


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (
            "My aunt says that Elm is one of the nine towns. Is she right?",
            "Is Elm one of the nine towns?",
        ),
        ("I read that Ida Kern walked to Brod - is that true?", "Did Ida Kern walk to Brod?"),
        ("Is it true that the Mere has a bridge?", "Does the Mere have a bridge?"),
        ("Elm has two inns, doesn't it?", "Does Elm have two inns?"),
        ("True or false: Nerva was written by Kern", "Was Nerva written by Kern?"),
        ("Exists there some bridge over the Mere?", "Is there a bridge over the Mere?"),
        (
            "All speak of Ott and Lund. Did Ida Kern get to cross the Mere as well?",
            "Did Ida Kern cross the Mere?",
        ),
    ],
)
def test_a_statement_is_asked_plainly(said: str, plain: str) -> None:
    assert plain_statement(said) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Who said that Elm is a town?",
        "I like the Mere. Is it deep?",
        "Did you get to know who wrote it?",
        "Which towns are on the Mere?",
        "My aunt says that Elm is a town. Is she wrong?",
    ],
)
def test_other_questions_stay_as_they_are(text: str) -> None:
    assert plain_statement(text) == text.replace("get to ", "")


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("Is Elm one of the nine towns?", True),
        ("Was Ida Kern a member of the crew that crossed the Mere?", True),
        ("Are Elm and Brod twins?", True),
        ("Is Elm the oldest town of Kern?", True),
        ("Is Elm older than Brod?", False),
        ("Are Elm and Brod in Kern?", False),
        ("Is there one of the towns on the Mere?", False),
        ("Which is one of the nine towns?", False),
    ],
)
def test_membership_is_one_step(text: str, one: bool) -> None:
    assert is_one_statement(text) is one


def test_denials_get_their_apostrophes() -> None:
    assert with_apostrophes("which arent on the Mere") == "which aren't on the Mere"
    assert with_apostrophes("Brent wasn't a tenant") == "Brent wasn't a tenant"
