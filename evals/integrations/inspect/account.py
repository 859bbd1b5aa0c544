"""An answer's account in Inspect's transcript: a step for each sub-question, as its viewer shows it.

Inspect shows words as Markdown and anything else as JSON, cut off after some lines. What programs
read stands whole in the sample's store.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

from inspect_ai.log import transcript
from inspect_ai.util import span

from agent.terminal.answer import STATUS_MARKS
from agent.types import Answer, Citation, SubAnswer, SubQuestion

_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~$&^=:])")


async def show(answer: Answer) -> None:
    """Put an answer's account into the transcript: a span for each sub-question, then the rest."""
    found = {one.sub_question_id: one for one in answer.sub_answers}
    async with span("sub-questions", type="plan"):
        for step in answer.sub_questions:
            known = found.get(step.id)
            mark = STATUS_MARKS[known.status if known is not None else None]
            async with span(f"{mark} {step.id} {step.text}", type="sub_question"):
                transcript().info("\n\n".join(told(step, known)), source="fanfold")
    rest = "\n\n".join(_rest(answer))
    if rest:
        transcript().info(rest, source="fanfold")


def told(step: SubQuestion, known: SubAnswer | None) -> Iterator[str]:
    """Yield paragraphs of Markdown: what became of a sub-question, its answer, its quotes."""
    status = known.status if known is not None else "not_asked"
    needs = f" · needs {', '.join(map(plain, step.depends_on))}" if step.depends_on else ""
    yield f"**{status.replace('_', ' ')}** · {step.kind.replace('_', '-')}{needs}"
    if known is None:
        return
    if known.text:
        yield plain(known.text)
    if known.error is not None:
        yield f"Reason: {plain(known.error)}"
    if known.citations:
        yield "\n".join(map(_cited, known.citations))


def plain(text: str) -> str:
    r"""Return text of an article or a model so that Markdown shows it as it stands.

    >>> plain("a_b [1] <b>")
    'a\\_b \\[1\\] \\<b\\>'
    """
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _cited(citation: Citation) -> str:
    revision = citation.revision
    shown = plain(f"{revision.title}, revision of {revision.timestamp[:10]}")
    if urlsplit(revision.url).scheme in ("http", "https"):
        shown = f"[{shown}](<{quote(revision.url, safe=':/?&=%#,;+@!*()')}>)"
    # The viewer shows no blocks of quotation: it takes `>` for what could be a tag.
    return (
        f"- {plain(f'[{citation.number}]')} {citation.support}, {shown}: “{plain(citation.quote)}”"
    )


def _rest(answer: Answer) -> Iterator[str]:
    for name, lines in (
        ("Struck out", answer.struck),
        ("Sentences without a citation", answer.uncited),
        ("Notes", answer.notes),
    ):
        if lines:
            yield f"**{name}**\n\n" + "\n".join(f"- {plain(line)}" for line in lines)
