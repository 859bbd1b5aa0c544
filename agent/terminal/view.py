"""The plan while it is worked on: a live tree on a terminal, plain lines elsewhere.

Both write to standard error; the result alone goes to standard output.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol, Self

from agent import events
from agent.budget import counted
from agent.events import Event
from agent.terminal.answer import STATUS_MARKS, STATUS_STYLES, STATUS_WORDS, clean
from agent.types import SubAnswer, SubQuestion
from corpus.terminal import say, waiting

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

_SHOWN = 100
"""Characters of an answer on its line."""


class View(Protocol):
    """Shows events while the `with` block lasts."""

    def show(self, event: Event) -> None:
        """Show one event."""
        ...

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(self, *_: object) -> None:
        """Show no more."""
        ...


def open_view() -> View:
    """Return the live view where standard error is a terminal, else plain lines."""
    if sys.stderr.isatty():
        from rich.console import Console

        return LiveView(Console(stderr=True))
    return PlainView()


class PlainView:
    """One line for each thing that happens, and one now and then while nothing does."""

    def __init__(self) -> None:
        # Some strategies plan nothing: what is true of all.
        self._busy = "the question is read, passages are searched"
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._open.enter_context(waiting(lambda: f"run_agent: {self._busy}"))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def show(self, event: Event) -> None:
        """Say the event in a line, where it is worth one."""
        match event:
            case events.PlanMade() | events.SubQuestionEnded():
                self._busy = "sub-questions are looked up"
            case events.Composing():
                self._busy = "the answer is written and checked"
        match event:
            case events.PlanMade(sub_questions=steps, changes=changes):
                for change in changes:
                    _say(change)
                _say(f"plan: {counted(len(steps), 'sub-question')}")
                for step in steps:
                    say(plan_line(step))
            case events.PlanGrown(sub_questions=steps):
                for step in steps:
                    _say(f"  {step.id} {step.kind}: {step.text}")
            case events.SubQuestionEnded(sub_question=step, sub_answer=found):
                _say(f"  {STATUS_MARKS[found.status]} {step.id} {outcome(found)}")
            case events.Composing():
                _say("writing the answer")
            case _:
                pass


class LiveView:
    """The plan as a tree whose lines change while it is worked on."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._steps: dict[str, SubQuestion] = {}
        self._found: dict[str, SubAnswer] = {}
        self._busy: set[str] = set()
        self._phase = "reading the question"
        self._live: Live | None = None

    def __enter__(self) -> Self:
        from rich.live import Live

        self._live = Live(console=self._console, get_renderable=self._draw, transient=True)
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, event: Event) -> None:
        """Take the event into the tree; it is drawn four times a second."""
        match event:
            case events.PlanMade(sub_questions=steps, changes=changes):
                self._steps = {step.id: step for step in steps}
                for change in changes:
                    _say(change)
            case events.PlanGrown(sub_questions=steps):
                self._grow(steps)
            case events.Searching():
                self._phase = "searching"
            case events.SubQuestionStarted(sub_question=step):
                self._phase = "answering"
                self._steps.setdefault(step.id, step)
                self._busy.add(step.id)
            case events.SubQuestionEnded(sub_question=step, sub_answer=found):
                self._busy.discard(step.id)
                self._found[step.id] = found
            case events.Composing():
                self._phase = "writing the answer"
            case _:
                pass

    def _grow(self, steps: tuple[SubQuestion, ...]) -> None:
        """Put filled steps where the step stood whose placeholders they fill."""
        parents = {step.id.rpartition(".")[0] for step in steps}
        kept: dict[str, SubQuestion] = {}
        for id_, step in self._steps.items():
            if id_ in parents:
                kept.update({s.id: s for s in steps if s.id.rpartition(".")[0] == id_})
            else:
                kept[id_] = step
        self._steps = kept

    def _draw(self) -> RenderableType:
        from rich.console import Group
        from rich.spinner import Spinner
        from rich.text import Text

        lines: list[RenderableType] = []
        for step in self._steps.values():
            if step.kind == "follow_up":
                continue
            found = self._found.get(step.id)
            status = found.status if found is not None else None
            mark = "…" if step.id in self._busy else STATUS_MARKS[status]
            line = Text(f" {mark} {step.id} {clean(step.text)}", style=STATUS_STYLES[status])
            if found is not None:
                line.append(f"  {clean(outcome(found))}", style="dim")
            line.truncate(self._console.width, overflow="ellipsis")
            lines.append(line)
        # A plan longer than the terminal would scroll and leave its remains behind.
        room = max(1, self._console.height - 2)
        return Group(*lines[-room:], Spinner("dots", text=Text(self._phase)))


def plan_line(step: SubQuestion) -> str:
    """Return a step of a plan in a line."""
    needs = f" (needs {', '.join(step.depends_on)})" if step.depends_on else ""
    return clean(f"  {step.id} {step.kind}: {step.text}{needs}")


def outcome(found: SubAnswer) -> str:
    """Return what became of a sub-question, in a few words."""
    shown = found.text if found.status in ("answered", "unsure") else found.error or ""
    text = " ".join(shown.split())
    told = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    if found.status == "answered":
        return told
    word = STATUS_WORDS[found.status]
    return f"{word}: {told}" if told else word


def _say(line: str) -> None:
    say(clean(" ".join(line.split(" "))))
