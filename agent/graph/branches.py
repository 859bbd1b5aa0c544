"""What stands in a step's place once its placeholders are filled.

A step whose placeholders `{id}` can be filled becomes one step for each entity found ("2" becomes
"2.1", "2.2", …); one that asks about all of them together ("which of {1} …") is filled with the
list. What is found for certain fills it; where nothing is, a few things that are unsure do, then
what was guessed and not borne out, then the words for it ("the capital of France"), and what hangs
on any of these is unsure. A step whose placeholder can never be filled is closed with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent.citations import strip_marks
from agent.graph.descriptions import (
    MOST_WORDS,
    asked_together,
    described,
    join_items,
    names_something,
)
from agent.graph.state import Branch
from agent.plan import fill_placeholders, placeholders
from agent.types import Status, SubAnswer, SubQuestion

MOST_UNSURE = 3
"""Things not found for certain that are gone on with, at most: more would be a list of guesses."""


Sparing = Callable[[SubQuestion, Mapping[str, SubAnswer]], str]
"""Says why a step need not be asked of a member, "" where it must be: given the planned step
and the answers, about the same member, of the steps it waits for."""


def parts_of(id_: str, branches: Mapping[str, Sequence[Branch]]) -> list[str]:
    """Ids of the steps that stand for a step: its branches, or itself."""
    return [branch.id for branch in branches.get(id_, ())] or [id_]


@dataclass(slots=True)
class Plan:
    """A plan while it is looked at: what was found, and what its steps became."""

    answers: dict[str, SubAnswer]
    branches: dict[str, tuple[Branch, ...]]
    texts: dict[str, str] = field(default_factory=dict)
    """Of the steps, by id."""
    guesses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    closed: list[SubAnswer] = field(default_factory=list)
    spared: Sparing | None = None

    def parts(self, id_: str) -> list[str]:
        """Ids of the steps that stand for a step: its branches, or itself."""
        return parts_of(id_, self.branches)

    def found(self, id_: str) -> list[SubAnswer]:
        """What became of all that stands for a step."""
        return [self.answers[part] for part in self.parts(id_) if part in self.answers]

    def settled(self, id_: str) -> bool:
        """Whether a step, or all that it became, has an answer."""
        return id_ in self.answers or (
            id_ in self.branches and all(part in self.answers for part in self.parts(id_))
        )

    def close(self, id_: str, status: Status, reason: str) -> None:
        """Note that a step is never asked, and why."""
        answer = SubAnswer(
            sub_question_id=id_,
            status=status,
            error=reason,
        )
        self.answers[id_] = answer
        self.closed.append(answer)


def fill(step: SubQuestion, wanted: Sequence[str], plan: Plan) -> list[SubQuestion]:
    """Return a step for each entity, and note the branches; or close the step and return none.

    Args:
        step: the planned step.
        wanted: its placeholders, whose steps are settled.
        plan: what was found; changed.
    """
    values = {id_: _values(id_, plan) for id_ in wanted}
    for id_ in wanted:
        if not values[id_]:
            _close_for(step, id_, plan)
            return []
    leader = _leader(step, wanted, plan)
    children: list[SubQuestion] = []
    branches: list[Branch] = []
    seen: set[str] = set()
    joined = {id_: join_items([item for _, item in values[id_]]) for id_ in wanted}
    for part, item in values[leader] if leader else [("", "")]:
        bound = _bound(part, plan) if leader else {}
        filled = {id_: bound.get(id_, joined[id_]) for id_ in wanted}
        if leader:
            filled[leader] = item
        text = fill_placeholders(step.text, filled)
        if text.casefold() in seen:
            continue
        seen.add(text.casefold())
        child = f"{step.id}.{len(children) + 1}"
        on = tuple(part if leader and id_ == leader else id_ for id_ in step.depends_on)
        children.append(replace(step, id=child, text=text, depends_on=on))
        plan.texts[child] = text
        branches.append(Branch(id=child, filled=filled))
        reason = _spared(step, leader, item, plan) if leader else ""
        if reason:
            plan.close(child, "not_asked", reason)
    plan.branches[step.id] = tuple(branches)
    return children


def _spared(step: SubQuestion, leader: str, item: str, plan: Plan) -> str:
    """Say why a step need not be asked of one entity, by what other steps found of it."""
    if plan.spared is None:
        return ""
    about = {
        id_: plan.answers[branch.id]
        for id_ in step.depends_on
        for branch in plan.branches.get(id_, ())
        if branch.filled.get(leader) == item and branch.id in plan.answers
    }
    return plan.spared(step, about) if about else ""


def _leader(step: SubQuestion, wanted: Sequence[str], plan: Plan) -> str | None:
    """Return the placeholder whose entities get a step each; None where all are asked together.

    A placeholder whose own steps were filled with another's entities leads that one: "How far is
    {2} from {1}?" goes through the capitals found in 2, each with the country it was asked for.
    """
    single = [id_ for id_ in wanted if not asked_together(step.text, id_)]
    for id_ in single:
        bound = {other for part in plan.parts(id_) for other in _bound(part, plan)}
        if bound & set(wanted):
            return id_
    return single[0] if single else None


def _bound(part: str, plan: Plan) -> Mapping[str, str]:
    return next(
        (branch.filled for made in plan.branches.values() for branch in made if branch.id == part),
        {},
    )


def _values(id_: str, plan: Plan) -> list[tuple[str, str]]:
    """Return (id of the step that found it, entity) for what stands for `{id}`, each once."""
    sure = named(id_, plan, "answered")
    if sure:
        return sure
    guessed = _each((part, plan.guesses.get(part, ())) for part in plan.parts(id_))
    for unsure in (named(id_, plan, "unsure"), guessed, _in_words(id_, plan)):
        if 0 < len(unsure) <= MOST_UNSURE:
            return unsure
    return []


def named(id_: str, plan: Plan, status: Status) -> list[tuple[str, str]]:
    """Return (id, entity) of what the answers of one status that stand for a step name."""
    found: list[tuple[str, Sequence[str]]] = []
    for answer in plan.found(id_):
        if answer.status != status:
            continue
        whole = " ".join(strip_marks(answer.text).split())
        short = len(whole.split()) <= MOST_WORDS // 2
        items = answer.items or ((whole.rstrip(".。"),) if short and names_something(whole) else ())
        found.append((answer.sub_question_id, items))
    return _each(found)


def _each(found: Iterable[tuple[str, Sequence[str]]]) -> list[tuple[str, str]]:
    """Return (id, entity) of each that names something, once for an id."""
    values: dict[tuple[str, str], tuple[str, str]] = {}
    for part, items in found:
        for item in filter(names_something, items):
            values.setdefault((part, item.casefold()), (part, item))
    return list(values.values())


def _in_words(id_: str, plan: Plan) -> list[tuple[str, str]]:
    """Return what a step asks for in the place of what it did not find: "the capital of France".

    Of one that failed nothing is known, and one that was never asked has nothing to say it with.
    """
    found = plan.found(id_)
    if any(answer.status not in ("unsure", "not_found") for answer in found):
        return []
    texts = {answer.sub_question_id: plan.texts[answer.sub_question_id] for answer in found}
    return [(part, described(text)) for part, text in texts.items() if not placeholders(text)]


def _close_for(step: SubQuestion, id_: str, plan: Plan) -> None:
    answers = plan.found(id_)
    if any(answer.status == "unsure" for answer in answers) and not any(
        answer.status == "answered" for answer in answers
    ):
        plan.close(step.id, "not_found", f"it needs {id_}, whose answer is unsure")
    elif any(answer.status == "answered" for answer in answers):
        plan.close(step.id, "failed", f"the answer to {id_} names nothing to go on with")
    elif any(answer.status == "failed" for answer in answers):
        plan.close(step.id, "failed", f"it needs {id_}, which failed")
    else:
        plan.close(step.id, "not_found", f"it needs {id_}, which was not found")
