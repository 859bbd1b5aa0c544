"""Statements about one of a group: "Did Ann study at a Kern League school?", by the schools her box gives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.finder.asked import Asked, read_asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.statements.denial import NEGATED, gives_all
from agent.extractive.finder.statements.polar import own_value
from agent.extractive.finder.statements.sets import Library, of_a_set
from agent.extractive.finder.values import split_values
from agent.extractive.language.quantities import find_dates

_ONE_OF = re.compile(r"\b(?:[Aa]n?|[Aa]ny|one of the) (?P<group>(?:[A-ZÀ-Þ][\w'’-]*\s)+[a-z]+)\b")


def of_a_group(asked: Asked, facts: Sequence[Fact], known: Library) -> tuple[bool, Fact] | None:
    """Return whether what a statement says of one of a group is so, and the box's line that tells.

    Yes where a value of the line is of the group, no where none of all there are is; None where no
    line is about what the statement says, or it is not known of them all.

    Args:
        asked: a yes-or-no question with "a" and the name of a group in it.
        facts: of the hits.
        known: reads the lists that tell who is of the group.
    """
    group = _ONE_OF.search(asked.text)
    if group is None or find_dates(asked.text) or NEGATED.search(asked.text):
        return None
    for fact in facts:
        if fact.kind != "value" or fact.title not in asked.subjects[:1]:
            continue
        label, listed = fact.cells[0]
        values = split_values(listed, fact)
        said = (f"{asked.text[: group.start()]}{one}{asked.text[group.end() :]}" for one in values)
        if any(own_value(read_asked(one, known.subject_of), fact) is None for one in said):
            continue
        belong = {_is_of_group(value, group["group"], known) for value in values}
        if True in belong:
            return True, fact
        if belong == {False} and gives_all(label, listed):
            return False, fact
    return None


def _is_of_group(value: str, group: str, known: Library) -> bool | None:
    """Whether a list that is all there is of a group holds something; None where none tells.

    Args:
        value: a name.
        group: the group's name and what its members are: "Kern League school".
        known: reads the articles.
    """
    told = of_a_set(read_asked(f"Is {value} a {group}?", known.subject_of), (), known)
    return None if told is None else told[0]
