"""Whether an article tells a statement of its own thing, asked as who or what it is told of.

"Did Ida Moor keep bees?" is settled by the article that answers "Who kept bees?" with its title
("she had hives on the roof"): the reader learned from people's questions which do (`reader.told`).
It affirms; that nothing is told denies nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.finder.asked import Asked, read_asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.kinds import called, is_person
from agent.extractive.finder.statements.denial import NEGATED
from agent.extractive.language.verbs import is_base_verb, is_participle, past, third_person
from agent.extractive.reader.certainty import certainty_of_title
from agent.extractive.reader.selection import select
from agent.extractive.reader.span import Reader
from agent.extractive.reader.told import telling
from agent.extractive.reader.windows import windows_of
from retrieval.types import Embedder

TELLS_FROM = 0.75
"""Probability from which an article is said to tell a statement of its thing."""
MOST_READ = 4
"""Windows of an article that are read for a statement: of a set every member's are."""
_STATED = re.compile(
    r"(?P<aux>is|was|are|were|do|does|did|has|have|had|can|could)\s+(?P<rest>.+?)\??", re.IGNORECASE
)


def whom_it_is_told_of(asked: Asked, lead: str) -> str:
    """Return a statement as the question that its thing answers, "" where it makes none.

    "Did Ida Moor keep bees?" is "Who kept bees?", and "Is the Arn frozen?" is "Which river is frozen?".

    Args:
        asked: the statement, as a yes-or-no question.
        lead: how the article of its thing begins.
    """
    found = _STATED.fullmatch(asked.text.strip())
    if found is None or not asked.names or NEGATED.search(asked.text):
        return ""
    rest = re.sub(r"^the\s+", "", found["rest"], flags=re.IGNORECASE)
    said = rest.removeprefix(asked.names[0]).strip()
    if said == rest or not said or not rest[len(asked.names[0])].isspace():
        return ""
    nouns = [noun for noun in called(lead) if not is_participle(noun)]
    of_whom = "Who" if is_person(lead) else f"Which {nouns[-1]}" if nouns else "What"
    aux = found["aux"].lower()
    verb, _, behind = said.partition(" ")
    if aux in ("do", "does", "did") and is_base_verb(verb.lower()):
        form = past if aux == "did" else third_person
        return f"{of_whom} {form(verb.lower())} {behind}?"
    return f"{of_whom} {aux} {said}?"


def told_of_thing(
    asked: Asked, facts: Sequence[Fact], lead: str, embedder: Embedder, reader: Reader
) -> tuple[Fact, float] | None:
    """Return the sentence that likeliest tells a statement of its article's thing, and how likely it does.

    Args:
        asked: the statement.
        facts: of the article.
        lead: how the article begins.
        embedder: compares meanings.
        reader: says how likely a title answers.
    """
    question = whom_it_is_told_of(asked, lead)
    if not question:
        return None
    of_whom = read_asked(question, lambda name: None)
    sentences = [fact for fact in facts if fact.kind == "sentence"]
    windows = select(question, windows_of(sentences), MOST_READ)
    found = telling(of_whom, windows, embedder, reader)
    return (found[0][0], certainty_of_title(of_whom, found[0][1])) if found else None
