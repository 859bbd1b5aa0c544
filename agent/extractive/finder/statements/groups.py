"""Statements about one of a group: "Did Ann study at a Kern League school?", by the schools her box gives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.finder.asked import Asked, read_asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.kinds import definition
from agent.extractive.finder.statements.denial import NEGATED, gives_all, is_meant
from agent.extractive.finder.statements.polar import own_value
from agent.extractive.finder.statements.sets import Library, of_a_set
from agent.extractive.finder.values import split_values
from agent.extractive.language.quantities import find_dates
from agent.extractive.language.stems import content_stems

_ONE_OF = re.compile(
    r"\b(?:(?:[Aa]n?|[Aa]ny|one of the) (?P<group>(?:[A-ZÀ-Þ][\w'’-]*\s)+)[a-z]+"
    r"|(?:[Aa]n?|[Aa]ny|one) [a-z]+ (?:of|in|from) the (?P<of>(?:[A-ZÀ-Þ][\w'’-]*(?:\s|\b))+))"
)


def of_a_group(asked: Asked, facts: Sequence[Fact], known: Library) -> tuple[bool, Fact] | None:
    """Return whether what a statement says of one of a group is so, and the box's line that tells.

    Yes where a value of the line is of the group, no where none of all there are is; None where no
    line is about what the statement says, or it is not known of them all.

    Args:
        asked: a yes-or-no question with "a" and the name of a group in it: "a Kern League school",
            "a Kern League degree", "a school of the Kern League"; or with "a" and a kind of thing.
        facts: of the hits.
        known: reads the lists that tell who is of the group.
    """
    if find_dates(asked.text) or NEGATED.search(asked.text):
        return None
    group = _ONE_OF.search(asked.text)
    if group is None:
        return _of_a_kind(asked, facts, known)
    for fact in facts:
        if fact.kind != "value" or fact.title not in asked.subjects[:1]:
            continue
        label, listed = fact.cells[0]
        values = split_values(listed, fact)
        said = (f"{asked.text[: group.start()]}{one}{asked.text[group.end() :]}" for one in values)
        if not is_meant(asked, 0, fact) and any(
            own_value(read_asked(one, known.subject_of), fact) is None for one in said
        ):
            continue
        belong = {
            _is_of_group(value, (group["group"] or group["of"]).strip(), known) for value in values
        }
        if True in belong:
            return True, fact
        if belong == {False} and gives_all(label, listed):
            return False, fact
    return None


_KIND = re.compile(r"\b(?:an?|any) (?P<kind>[a-z]+(?: [a-z]+)?)\W*$")


def _of_a_kind(asked: Asked, facts: Sequence[Fact], known: Library) -> tuple[bool, Fact] | None:
    """Yes where an article defines a value of a line that is meant as what a statement ends with.

    "Known for: Fortran" says that someone is known for a programming language.
    """
    ending = _KIND.search(asked.text)
    if ending is None:
        return None
    wanted = set(content_stems(ending["kind"]))
    for fact in facts:
        if fact.kind != "value" or fact.title not in asked.subjects[:1]:
            continue
        # Two things may be a place and what it lies in, of which one is no programming language.
        values = fact.cells[0][1].split(", ")
        defined = (content_stems(" ".join(definition(known.lead_of(one)))) for one in values)
        if wanted and any(wanted.issubset(one) for one in defined) and is_meant(asked, 0, fact):
            return True, fact
    return None


def _is_of_group(value: str, group: str, known: Library) -> bool | None:
    """Whether a list that is all there is of a group holds something; None where none tells.

    Args:
        value: a name.
        group: the group's name: "Kern League".
        known: reads the articles.
    """
    # What stands behind a comma would be another name: "University of Kern, Elm".
    name = value if known.subject_of(value) else value.split(",")[0]
    told = of_a_set(read_asked(f"Does {name} belong to the {group}?", known.subject_of), (), known)
    return None if told is None else told[0]
