"""What a plan does next: pure functions from steps and answers to the steps that can be asked now.

A step whose placeholders `{id}` can be filled becomes one step for each entity found ("2" becomes
"2.1", "2.2", …); one that asks about all of them together ("which of {1} …") is filled with the
list. What is found for certain fills it; where nothing is, a few things that are unsure do, then
what was guessed and not borne out, then the words for it ("the capital of France"), and what hangs
on any of these is unsure. A step whose placeholder can never be filled is closed with the reason. A
plan in which every step is asked, closed or a follow-up is done.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A plan after one look at what was found."""

    steps: tuple[SubQuestion, ...]
    branches: Mapping[str, tuple[Branch, ...]]
    ready: tuple[SubQuestion, ...]
    """To be asked now."""
    closed: tuple[SubAnswer, ...]
    """Of steps that will never be asked, with the reason."""
    grown: tuple[SubQuestion, ...] = ()
    """Steps that filling added."""


Sparing = Callable[[SubQuestion, Mapping[str, SubAnswer]], str]
"""Says why a step need not be asked of a member, "" where it must be: given the planned step
and the answers, about the same member, of the steps it waits for."""


@dataclass(slots=True)
class _Plan:
    answers: dict[str, SubAnswer]
    branches: dict[str, tuple[Branch, ...]]
    texts: dict[str, str] = field(default_factory=dict)
    """Of the steps, by id."""
    guesses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    closed: list[SubAnswer] = field(default_factory=list)
    spared: Sparing | None = None

    def parts(self, id_: str) -> list[str]:
        """Ids of the steps that stand for a step: its branches, or itself."""
        return [branch.id for branch in self.branches.get(id_, ())] or [id_]

    def found(self, id_: str) -> list[SubAnswer]:
        """What became of all that stands for a step."""
        return [self.answers[part] for part in self.parts(id_) if part in self.answers]

    def settled(self, id_: str) -> bool:
        """Whether a step, or all that it became, has an answer."""
        return id_ in self.answers or (
            id_ in self.branches and all(part in self.answers for part in self.parts(id_))
        )

    def close(self, id_: str, status: Status, reason: str) -> None:
        answer = SubAnswer(
            sub_question_id=id_,
            status=status,
            error=reason,
        )
        self.answers[id_] = answer
        self.closed.append(answer)


def advance(
    steps: Sequence[SubQuestion],
    branches: Mapping[str, Sequence[Branch]],
    answers: Mapping[str, SubAnswer],
    *,
    room: int,
    spared: Sparing | None = None,
    guesses: Mapping[str, Sequence[str]] | None = None,
) -> Progress:
    """Return what can be asked now, and what can never be.

    Args:
        steps: the plan so far.
        branches: what steps became when they were filled.
        answers: by id, those there are.
        room: how many more sub-questions may be asked; what is over is closed as failed.
        spared: says which steps need not be asked of a member; they are closed as not asked.
        guesses: by id of a step that was not found, what was taken for its answer.
    """
    plan = _Plan(
        dict(answers),
        {id_: tuple(made) for id_, made in branches.items()},
        {step.id: step.text for step in steps},
        guesses or {},
        spared=spared,
    )
    grown: list[SubQuestion] = []
    while True:
        closed = len(plan.closed)
        steps, ready, filled = _look(steps, plan)
        grown.extend(filled)
        for step in ready[max(0, room) :]:
            plan.close(step.id, "failed", "the budget of sub-questions ran out")
        ready = ready[: max(0, room)]
        # A step that was closed may close others, wherever they stand.
        if ready or len(plan.closed) == closed:
            break
    return Progress(
        steps=tuple(steps),
        branches=plan.branches,
        ready=tuple(ready),
        closed=tuple(plan.closed),
        grown=tuple(grown),
    )


def _look(
    steps: Sequence[SubQuestion], plan: _Plan
) -> tuple[list[SubQuestion], list[SubQuestion], list[SubQuestion]]:
    """Return the steps with placeholders filled where they can be, the ready ones, the new ones."""
    ready: list[SubQuestion] = []
    grown: list[SubQuestion] = []
    kept: list[SubQuestion] = []
    for step in steps:
        waiting = step.id in plan.answers or step.kind == "follow_up"
        if waiting or not all(plan.settled(id_) for id_ in step.depends_on):
            kept.append(step)
            continue
        wanted = placeholders(step.text)
        if not wanted:
            kept.append(step)
            ready.append(step)
            continue
        filled = _fill(step, wanted, plan)
        kept.extend(filled or [step])
        ready.extend(child for child in filled if child.id not in plan.answers)
        grown.extend(filled)
    return kept, ready, grown


def close_all(
    steps: Sequence[SubQuestion], answers: Mapping[str, SubAnswer], reason: str
) -> list[SubAnswer]:
    """Return a failed answer, with the reason, for every step that should still be asked."""
    return [
        SubAnswer(sub_question_id=step.id, status="failed", error=reason)
        for step in steps
        if step.kind != "follow_up" and step.id not in answers
    ]


def resolve_dependencies(
    steps: Sequence[SubQuestion], branches: Mapping[str, Sequence[Branch]]
) -> tuple[SubQuestion, ...]:
    """Return the steps with `depends_on` naming the filled steps in place of those they replaced."""

    def parts(id_: str) -> list[str]:
        return [branch.id for branch in branches.get(id_, ())] or [id_]

    return tuple(
        replace(
            step,
            depends_on=tuple(dict.fromkeys(part for id_ in step.depends_on for part in parts(id_))),
        )
        for step in steps
    )


def _fill(step: SubQuestion, wanted: Sequence[str], plan: _Plan) -> list[SubQuestion]:
    """Return a step for each entity, and note the branches; or close the step and return none."""
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


def _spared(step: SubQuestion, leader: str, item: str, plan: _Plan) -> str:
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


def _leader(step: SubQuestion, wanted: Sequence[str], plan: _Plan) -> str | None:
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


def _bound(part: str, plan: _Plan) -> Mapping[str, str]:
    return next(
        (branch.filled for made in plan.branches.values() for branch in made if branch.id == part),
        {},
    )


def doubted(
    step: SubQuestion,
    branches: Mapping[str, Sequence[Branch]],
    answers: Mapping[str, SubAnswer],
) -> str:
    """Return why nothing that a step finds is sure: what it was filled with is not; "" where it is."""
    made = next((one for some in branches.values() for one in some if one.id == step.id), None)
    plan = _Plan(dict(answers), {id_: tuple(some) for id_, some in branches.items()})
    for id_ in made.filled if made is not None else ():
        if _named(id_, plan, "answered"):
            continue
        if any(answer.status == "unsure" for answer in plan.found(id_)):
            return f"it hangs on the answer to {id_}, which is unsure"
        return f"it hangs on {id_}, which was not found"
    return ""


def _values(id_: str, plan: _Plan) -> list[tuple[str, str]]:
    """Return (id of the step that found it, entity) for what stands for `{id}`, each once."""
    sure = _named(id_, plan, "answered")
    if sure:
        return sure
    guessed = _each((part, plan.guesses.get(part, ())) for part in plan.parts(id_))
    for unsure in (_named(id_, plan, "unsure"), guessed, _in_words(id_, plan)):
        if 0 < len(unsure) <= MOST_UNSURE:
            return unsure
    return []


def _named(id_: str, plan: _Plan, status: Status) -> list[tuple[str, str]]:
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


def _in_words(id_: str, plan: _Plan) -> list[tuple[str, str]]:
    """Return what a step asks for in the place of what it did not find: "the capital of France".

    Of one that failed nothing is known, and one that was never asked has nothing to say it with.
    """
    found = plan.found(id_)
    if any(answer.status not in ("unsure", "not_found") for answer in found):
        return []
    texts = {answer.sub_question_id: plan.texts[answer.sub_question_id] for answer in found}
    return [(part, described(text)) for part, text in texts.items() if not placeholders(text)]


def _close_for(step: SubQuestion, id_: str, plan: _Plan) -> None:
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
