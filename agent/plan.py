"""Keeps a plan honest: whatever a model, a rule or a person wrote, the graph gets one it can run.

Everything taken out or changed is reported in words, because a sub-question that vanishes in
silence is a question not answered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from agent.types import SubQuestion
from retrieval.types import Embedder, Float32Matrix

SAME_MEANING = 0.95
"""Cosine from which two sub-questions with the same names and numbers are one."""

_PLACEHOLDER = re.compile(r"\{([^{}\s]{1,20})\}")
_ASKS = re.compile(
    r"\b(?:who|where|why|how (?:many|much|old|long|far|large|big|tall|high)|how"
    r"|(?P<time>when|(?:what|which) (?:year|month|day|date)))"
)
_DEGREE = re.compile(r"\w{2,}est|most|least|first|last|more|fewer|less", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:['’.-]\w+)*[+#]*")


def placeholders(text: str) -> tuple[str, ...]:
    """Return the ids named by `{id}` in a sub-question, in order, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(text)))


def fill_placeholders(text: str, found: dict[str, str]) -> str:
    """Put what was found in place of each `{id}` that `found` knows; leave the others."""
    return _PLACEHOLDER.sub(lambda match: found.get(match[1], match[0]), text)


def without_braces(text: str) -> str:
    """Return a question whose own braces cannot be taken for placeholders."""
    return text.translate(str.maketrans("{}", "()"))


def tidy_plan(
    sub_questions: Sequence[SubQuestion], embedder: Embedder | None = None
) -> tuple[list[SubQuestion], list[str]]:
    """Return the plan without what cannot be run, and one line for each change.

    Taken out: empty sub-questions; repetitions (the same words, or with an `embedder` the same
    meaning, where names and numbers agree); references to itself, to unknown ids, and those that
    close a cycle; sub-questions whose text needs such a reference. A repeated id is renamed.
    A placeholder that `depends_on` lacks is added to it. A follow-up that others depend on
    becomes background, since follow-ups are never answered. The order is kept, and tidying a
    tidy plan changes nothing.
    """
    reports: list[str] = []
    plan = _unique_ids(_without_empty(sub_questions, reports), reports)
    plan = _without_repetitions(plan, embedder, reports)
    plan = _runnable(plan, reports)
    needed = {id_ for step in plan for id_ in step.depends_on}
    for index, step in enumerate(plan):
        if step.kind == "follow_up" and step.id in needed:
            plan[index] = replace(step, kind="background")
            reports.append(f"{step.id} was a follow-up that others depend on: made background")
    return plan, reports


def _without_empty(steps: Sequence[SubQuestion], reports: list[str]) -> list[SubQuestion]:
    kept = []
    for step in steps:
        text = " ".join(step.text.split())
        if any(character.isalnum() for character in text):
            kept.append(replace(step, text=text, id=step.id.strip()))
        else:
            reports.append(f"{step.id} was empty: removed")
    return kept


def _unique_ids(steps: list[SubQuestion], reports: list[str]) -> list[SubQuestion]:
    taken = {step.id for step in steps}
    seen: set[str] = set()
    result = []
    for step in steps:
        if step.id in seen or not step.id:
            fresh = next(str(n) for n in range(1, len(steps) + 2) if str(n) not in taken)
            reports.append(f"the id {step.id!r} was not unique: {step.text!r} is now {fresh}")
            taken.add(fresh)
            step = replace(step, id=fresh)
        seen.add(step.id)
        result.append(step)
    return result


def _without_repetitions(
    steps: list[SubQuestion], embedder: Embedder | None, reports: list[str]
) -> list[SubQuestion]:
    kept: list[int] = []
    stands_for: dict[str, str] = {}
    keys = [_wording(step.text) for step in steps]
    names = [_telling_words(step.text) for step in steps]

    # Most plans have no two steps of the same names: nothing is encoded for them.
    @cache
    def vectors() -> Float32Matrix:
        assert embedder is not None
        return embedder.encode([step.text for step in steps])

    for index, step in enumerate(steps):
        for other in kept:
            same = keys[index] == keys[other] or (
                embedder is not None
                and names[index] == names[other]
                and not _ask_differently(step.text, steps[other].text)
                and float(vectors()[index] @ vectors()[other]) >= SAME_MEANING
            )
            if same:
                stands_for[step.id] = steps[other].id
                reports.append(f"{step.id} repeats {steps[other].id}: removed")
                break
        else:
            kept.append(index)
    return [_renamed(steps[index], stands_for) for index in kept]


def _renamed(step: SubQuestion, stands_for: dict[str, str]) -> SubQuestion:
    if not stands_for:
        return step
    text = fill_placeholders(step.text, {old: f"{{{new}}}" for old, new in stands_for.items()})
    depends_on = tuple(dict.fromkeys(stands_for.get(id_, id_) for id_ in step.depends_on))
    return replace(step, text=text, depends_on=depends_on)


def _wording(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold())) + "|" + "|".join(sorted(placeholders(text)))


def _telling_words(text: str) -> frozenset[str]:
    """What two sub-questions must share to be one: names, numbers, "largest" or "smallest".

    "Who won in 2010?" and "Who won in 2012?" lie closer together than many paraphrases: their
    vectors alone cannot tell a repetition from the next item of a fan-out. Scripts without capital
    letters give every word.
    """
    words = _WORD.findall(text)
    telling = {
        word
        for position, word in enumerate(words)
        if any(character.isdigit() for character in word)
        or (position > 0 and word[0].isupper())
        or not word.isascii()
        or _DEGREE.fullmatch(word)
    }
    return frozenset(telling | set(placeholders(text)))


def _ask_differently(first: str, second: str) -> bool:
    """Whether "when was it founded" meets "who founded it": as close as two paraphrases are.

    "What" and "which" may ask for anything.
    """
    asked = [_asked_for(text) for text in (first, second)]
    return "" not in asked and asked[0] != asked[1]


def _asked_for(text: str) -> str:
    found = _ASKS.search(text.casefold())
    return "" if found is None else "when" if found["time"] else found[0]


def _runnable(steps: list[SubQuestion], reports: list[str]) -> list[SubQuestion]:
    """Drop references that cannot be met, and the steps whose wording needs them."""
    while True:
        known = {step.id for step in steps}
        depends_on: dict[str, tuple[str, ...]] = {}
        dropped: set[str] = set()
        for step in steps:
            wanted = tuple(dict.fromkeys((*step.depends_on, *placeholders(step.text))))
            good = []
            for id_ in wanted:
                fault = (
                    "itself"
                    if id_ == step.id
                    else f"the unknown {id_}"
                    if id_ not in known
                    else f"{id_}, which depends on it"
                    if _reaches(id_, step.id, depends_on)
                    else ""
                )
                if not fault:
                    good.append(id_)
                elif id_ in placeholders(step.text):
                    if step.id not in dropped:
                        reports.append(f"{step.id} needs {fault}: removed")
                    dropped.add(step.id)
                else:
                    reports.append(f"{step.id} depended on {fault}: reference removed")
            depends_on[step.id] = tuple(good)
        result = [
            replace(step, depends_on=depends_on[step.id])
            for step in steps
            if step.id not in dropped
        ]
        if not dropped:
            return result
        steps = result


def _reaches(start: str, goal: str, depends_on: dict[str, tuple[str, ...]]) -> bool:
    stack, seen = [start], {start}
    while stack:
        for id_ in depends_on.get(stack.pop(), ()):
            if id_ == goal:
                return True
            if id_ not in seen:
                seen.add(id_)
                stack.append(id_)
    return False
