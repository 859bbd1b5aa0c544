"""A question read by rules: the steps that answer it, and how their findings make the answer.

The reading knows the forms of English questions, not their topics: sets to fan out over ("each
of the …"), predicates that keep some members ("which have more than …"), rankings, comparisons of
named things, sums, and descriptions nested in one another ("the capital of the country where …").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from agent.extractive.conditions import Condition
from agent.extractive.enumerations import without_article
from agent.extractive.verbs import is_participle, is_person_noun
from agent.extractive.words import singular

LONGEST = 1500
"""Characters of a question that the rules read; a longer text is no question with a form."""

Combine = Literal[
    "", "sum", "average", "difference", "years", "same", "all", "any", "first", "common"
]
"""What is made of the members' values: nothing, a computed number, whether they agree, whether a
statement holds of all or any, whether the first member wins, or what they have in common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One sub-question, as the rules see it."""

    id: str
    text: str
    """May hold placeholders `{1}`."""
    depends_on: tuple[str, ...] = ()
    role: Literal["set", "bridge", "value"] = "value"
    """set: names the members; bridge: found on the way; value: part of the answer."""
    noun: str = ""
    """What kind of thing it asks for, singular."""
    member: str = ""
    """The named thing it is about, where the question itself lists the members."""
    column: str = ""
    """The same for steps that ask the same of different members."""
    condition: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A question as the rules understand it."""

    question: str
    steps: tuple[Step, ...]
    members: tuple[str, ...] = ()
    """The things the question itself lists."""
    count: int | None = None
    """How many members the set has, where the question says so."""
    counted: bool = False
    """Whether the answer is how many members meet the conditions."""
    combine: Combine = ""
    margin: bool = False
    """Whether the distance between two compared values is asked for as well."""
    open_ended: bool = False
    """Whether it asks for an explanation rather than for facts."""

    @property
    def set_step(self) -> Step | None:
        """The step that names the members, where there is one."""
        return next((step for step in self.steps if step.role == "set"), None)


@dataclass(slots=True)
class Draft:
    """A reading while its clauses are being read, one after the other."""

    question: str
    steps: list[Step] = field(default_factory=list)
    members: tuple[str, ...] = ()
    count: int | None = None
    counted: bool = False
    combine: Combine = ""
    margin: bool = False
    stands: dict[str, str] = field(default_factory=dict)
    """The placeholder that stands for a listed member which must itself be found first."""
    set_id: str = ""
    set_noun: str = ""
    focus: str = ""
    """The step that the last clause asked for, where it was no condition."""
    topic: str = ""
    """The named thing that the last clause is about, for "it" and "its"."""

    @property
    def subject(self) -> str:
        """What stands for a member in a sub-question's text, "" where there is no set."""
        return f"{{{self.set_id}}}" if self.set_id else MEMBER if self.members else ""

    def add(self, text: str, **details: object) -> str:
        """Add a step and return its id; one with the same text is reused.

        A text about the listed members becomes one step each; the first one's id is returned.
        """
        if MEMBER in text:
            ids = [
                self._append(
                    text.replace(MEMBER, self.stands.get(member, member)),
                    member=without_article(member),
                    column=text,
                    **details,
                )
                for member in self.members
            ]
            return ids[0]
        return self._append(text, **details)

    def _append(self, text: str, **details: object) -> str:
        text = _with_mark(text)
        for i, step in enumerate(self.steps):
            if step.text == text:
                if details.get("condition") is not None:
                    self.steps[i] = replace(step, condition=details["condition"])  # type: ignore[arg-type]
                return step.id
        id_ = str(len(self.steps) + 1)
        depends_on = tuple(step.id for step in self.steps if f"{{{step.id}}}" in text)
        self.steps.append(Step(id=id_, text=text, depends_on=depends_on, **details))  # type: ignore[arg-type]
        return id_


MEMBER = "{m}"
"""Stands for a listed member while a clause is being read."""


def _with_mark(text: str) -> str:
    text = " ".join(text.split()).rstrip(" ?.,;")
    text = _WHAT_IS.sub(_who_for_persons, text)
    return text[:1].upper() + text[1:] + "?"


_WHAT_IS = re.compile(
    r"^What (is|are|was|were) (the (?:[\w-]+ )*?)([\w-]+)(?= (?:of|in|for|at|to|from|by|with|on|since|that|who|which|where)\b)",
    re.IGNORECASE,
)


def _who_for_persons(match: re.Match[str]) -> str:
    led = any(is_participle(word) for word in match[2].split()[-1:])
    who = is_person_noun(singular(match[3])) and not led
    return f"{'Who' if who else 'What'} {match[1]} {match[2]}{match[3]}"


def read_question(question: str, is_title: Callable[[str], bool] | None = None) -> Reading:
    """Return the steps that answer a question, and how their findings make the answer.

    Args:
        question: in English; another language, or a text of more than `LONGEST` characters, gives
            one step, the question itself.
        is_title: says whether a text is the title of an article, which keeps titles such as
            "Pride and Prejudice" whole.
    """
    from agent.extractive.clauses import clean, split_clauses
    from agent.extractive.forms import read_clause
    from agent.extractive.names import protect_titles, unprotect
    from agent.extractive.openness import is_open_ended
    from agent.extractive.words import is_cjk

    draft = Draft(question=question)
    text = question if len(question) > LONGEST else clean(question)
    if len(question) > LONGEST or is_cjk(text):
        draft.add(question)
        return _finished(draft)
    shielded, titles = protect_titles(text, is_title)
    for clause in split_clauses(shielded):
        read_clause(draft, clause)
    if not draft.steps:
        draft.add(shielded)
    draft.steps = [
        replace(
            step,
            text=unprotect(step.text, titles),
            member=unprotect(step.member, titles),
            column=unprotect(step.column, titles),
        )
        for step in draft.steps
    ]
    draft.members = tuple(without_article(unprotect(member, titles)) for member in draft.members)
    reading = _finished(draft)
    plain = len(reading.steps) == 1 or all(step.role != "set" for step in reading.steps)
    return replace(reading, open_ended=plain and not reading.members and is_open_ended(text))


def _finished(draft: Draft) -> Reading:
    return Reading(
        question=draft.question,
        steps=tuple(draft.steps),
        members=draft.members,
        count=draft.count,
        counted=draft.counted,
        combine=draft.combine,
        margin=draft.margin,
    )


def for_every_member(reading: Reading) -> Reading:
    """Return a reading in which what follows from one listed member's step is asked of all.

    "The capitals of France and Italy, and their mayors": the mayor is asked of either capital.
    """
    by_id = {step.id: step for step in reading.steps}
    steps: list[Step] = []
    number = len(reading.steps)
    for step in reading.steps:
        steps.append(step)
        lead = next((by_id[id_] for id_ in step.depends_on if by_id[id_].column), None)
        if lead is None or step.column:
            continue
        siblings = [other for other in reading.steps if other.column == lead.column]
        text, column = step.text, step.text.replace(f"{{{lead.id}}}", MEMBER)
        steps[-1] = replace(step, member=lead.member, column=column)
        for sibling in siblings:
            if sibling.id == lead.id:
                continue
            number += 1
            copy = replace(
                step,
                id=str(number),
                text=text.replace(f"{{{lead.id}}}", f"{{{sibling.id}}}"),
                depends_on=tuple(sibling.id if id_ == lead.id else id_ for id_ in step.depends_on),
                member=sibling.member,
                column=column,
            )
            steps.append(copy)
            by_id[copy.id] = copy
    return replace(reading, steps=tuple(steps))
