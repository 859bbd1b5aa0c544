"""From what was found and composed to the answer a reader gets: pure functions.

Composition may fail or be cut off by a budget; the answer is then put together from the
sub-answers as they stand, so that nothing found is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.citations import Register, check, renumber, strip_marks, verify
from agent.citations.check import disarm_copied
from agent.citations.content.names import Aliases
from agent.citations.register import Known
from agent.citations.resolution import Reread
from agent.citations.subanswers import Confirms, judged
from agent.citations.support.boxes import Texts
from agent.graph.descriptions import join_items, spell_out
from agent.graph.record.hits import NO_HITS, Hits
from agent.graph.schedule import resolve_dependencies
from agent.graph.state import Branch, Found, State
from agent.plan import fill_placeholders, placeholders
from agent.reasoner import Composed, Finding
from agent.types import Answer, Citation, Style, SubAnswer, SubQuestion, Usage
from corpus.types import Chunk
from retrieval.types import Hit

UNSUPPORTED = "no quote of this answer stands in what was retrieved"
_STRUCK = re.compile(r"\[(\d+)\]: ")
MOST_FILLED = 3
"""Entities that may be named in a suggestion; beyond that it says whose answer is meant."""


def verified(
    finding: Finding,
    *,
    evidence: bool,
    known: Hits = NO_HITS,
    question: str = "",
    aliases: Aliases | None = None,
    reread: Reread | None = None,
    confirms: Confirms | None = None,
    texts: Texts | None = None,
) -> Found:
    """Return a finding with every citation checked against the hits that were looked at.

    Args:
        finding: as a reasoner gave it.
        known: the hits that the reasoner was given; they are what was looked at, where it sought no others.
        evidence: whether an answer needs a citation; one that has none left is not found.
        question: the sub-question, which is a part of what its answer claims.
        aliases: other names of a name.
        reread: rules on top of the rules.
        confirms: says of a quote that lacks words of the question whether it answers it all the same.
        texts: whole texts of the articles cited.
    """
    answer = finding.sub_answer
    chunks = {hit.chunk.id: hit.chunk for hit in finding.hits}
    held, struck = verify(answer.citations, chunks)
    guesses: tuple[str, ...] = ()
    text = disarm_copied(answer.text, list(chunks.values()))[0]
    answer = replace(answer, text=text, citations=tuple(held))
    if answer.status in ("answered", "unsure") and evidence:
        answer, refused = judged(
            answer, question, chunks,
            aliases=aliases, reread=reread, confirms=confirms, texts=texts,
        )  # fmt: skip
        struck += refused
        if not answer.citations:
            reason = struck[-1].partition(": ")[2] if struck else UNSUPPORTED
            guesses = _standing(answer.items, held, chunks)
            answer = replace(answer, status="not_found", text="", items=(), error=reason)
    numbers = {citation.number: citation.number for citation in answer.citations}
    answer = replace(answer, text=renumber(answer.text, numbers).strip())
    cited = {one.number: chunks.get(one.chunk_id) for one in finding.sub_answer.citations}
    struck = [_of_article(line, cited) for line in struck]
    return Found(
        sub_answer=answer,
        hits=known if finding.hits == known[:] else Hits(finding.hits),
        struck=(*finding.struck, *(f"sub-question {answer.sub_question_id} {s}" for s in struck)),
        guesses=guesses,
    )


def _standing(
    items: Sequence[str], cited: Sequence[Citation], chunks: Mapping[str, Chunk]
) -> tuple[str, ...]:
    """Return the items that a cited chunk holds as words of its own."""
    texts = [chunks[citation.chunk_id].text for citation in cited]
    words = {item: re.compile(rf"(?<!\w){re.escape(item)}(?!\w)") for item in items}
    return tuple(item for item in items if any(words[item].search(text) for text in texts))


def citable(steps: Sequence[SubQuestion], found: Mapping[str, Found], k: int) -> list[Hit]:
    """Return the hits an answer from sub-answers may cite: all that they cite, then the best others.

    Others fill up to `k`, one from each sub-question in turn.
    """
    chosen: dict[str, Hit] = {}
    lists: list[Hits] = []
    for step in steps:
        if step.id in found and found[step.id].sub_answer.status in ("answered", "unsure"):
            looked_at = found[step.id].hits
            cited = {citation.chunk_id for citation in found[step.id].sub_answer.citations}
            chosen.update({hit.chunk.id: hit for hit in looked_at if hit.chunk.id in cited})
            lists.append(looked_at)
    for rank in range(max(map(len, lists), default=0)):
        for hits in lists:
            if rank < len(hits) and len(chosen) < k:
                chosen.setdefault(hits[rank].chunk.id, hits[rank])
    return list(chosen.values())


def join_answers(
    steps: Sequence[SubQuestion],
    answers: Mapping[str, SubAnswer],
    hits: Sequence[Hit],
    style: Style,
) -> Composed:
    """Return the sub-answers as they stand, one a line, where no composer could be asked."""
    places = {hit.chunk.id: number for number, hit in enumerate(hits, start=1)}
    lines: list[str] = []
    items: list[str] = []
    for step in steps:
        answer = answers.get(step.id)
        if answer is None or step.kind == "follow_up":
            continue
        if answer.status not in ("answered", "unsure"):
            continue
        numbers = {
            citation.number: places[citation.chunk_id]
            for citation in answer.citations
            if citation.chunk_id in places
        }
        text = " ".join(renumber(answer.text, numbers).split())
        lines.append(text if style == "short" else f"{step.text} {text}")
        items.extend(answer.items or (strip_marks(text),))
    return Composed(text="\n".join(lines), items=tuple(dict.fromkeys(items)))


def finish(
    state: State,
    *,
    setting: str,
    source: str,
    usage: Usage,
    aliases: Aliases | None = None,
    reread: Reread | None = None,
    texts: Texts | None = None,
) -> Answer:
    """Return the answer with its citations checked, numbered anew, and its full account.

    Args:
        state: at the end of a graph.
        setting: "closed" needs no citations.
        source: what an abstention says it looked in.
        usage: of the whole question.
        aliases: other names of a name.
        reread: rules on top of the rules.
        texts: whole texts of the articles cited.
    """
    hits = state.hits
    composed = state.composed or Composed(text="")
    register = Register()
    in_order = [step for step in state.steps if step.id in state.found]
    cited = [state.found[step.id].sub_answer for step in in_order]
    checked = check(
        composed.text,
        [hit.chunk for hit in hits],
        quotes=composed.quotes,
        known=_known(in_order, cited),
        register=register,
        question=state.question,
        computed=composed.computed,
        aliases=aliases,
        reread=reread,
        texts=texts,
    )
    looked_at = retrieved(state)
    chunks = {hit.chunk.id: hit.chunk for hit in looked_at}
    sub_answers = tuple(_renumbered(answer, register, chunks) for answer in cited)
    cited_chunks = dict(enumerate((hit.chunk for hit in hits), start=1))
    text = checked.text
    abstained = not text
    return Answer(
        question=state.question,
        text=_abstention(source, sub_answers, composed.withheld) if abstained else text,
        abstained=abstained,
        sub_questions=resolve_dependencies(state.steps, state.branches),
        sub_answers=sub_answers,
        citations=tuple(register.citations),
        suggestions=_suggestions(state.steps, state.branches, state.found),
        usage=usage,
        trace=state.trace,
        hits=looked_at,
        struck=(
            *(_of_article(line, cited_chunks) for line in checked.struck),
            *(line for step in in_order for line in state.found[step.id].struck),
        ),
        uncited=() if setting == "closed" else checked.uncited,
        items=() if abstained else tuple(strip_marks(item).strip() for item in composed.items),
        unsupported=not abstained and setting != "closed" and not checked.citations,
        notes=tuple(state.notes),
    )


def retrieved(state: State) -> tuple[Hit, ...]:
    """Return every chunk that was looked at as evidence, once, in the order of the plan.

    The first hits that only the planner saw are not among them.
    """
    found = [
        hit for step in state.steps if step.id in state.found for hit in state.found[step.id].hits
    ]
    unique: dict[str, Hit] = {}
    for hit in (*found, *state.hits):
        unique.setdefault(hit.chunk.id, hit)
    return tuple(unique.values())


def _of_article(struck: str, cited: Mapping[int, Chunk | None]) -> str:
    """Name the article of a mark that was struck out: its number counted what was looked at alone."""
    mark = _STRUCK.match(struck)
    chunk = cited.get(int(mark[1])) if mark else None
    if mark is None or chunk is None:
        return struck
    return f"“{chunk.revision.title}”: {struck[mark.end() :]}"


def _known(steps: Sequence[SubQuestion], answers: Sequence[SubAnswer]) -> list[Known]:
    """Return what sub-answers cite, with the words that it was judged for.

    Those of a step are also those of the steps it goes back to: who found Titan found the largest
    moon of Saturn.
    """
    by_id = {step.id: step for step in steps}
    texts = {
        answer.sub_question_id: f"{answer.text} {' '.join(answer.items)}" for answer in answers
    }

    def said(id_: str, seen: frozenset[str]) -> str:
        step = by_id[id_]
        before = (
            said(other, seen | {id_})
            for other in by_id
            if other not in seen and other in step.depends_on
        )
        return " ".join((step.text, texts[id_], *before))

    return [
        Known(citation=citation, said=said(answer.sub_question_id, frozenset()))
        for answer in answers
        for citation in answer.citations
    ]


def _renumbered(answer: SubAnswer, register: Register, chunks: Mapping[str, Chunk]) -> SubAnswer:
    """Return a sub-answer whose marks and citations carry the numbers of the whole answer."""
    numbers: dict[int, int] = {}
    citations: list[Citation] = []
    for old in answer.citations:
        citation = register.enter(chunks[old.chunk_id], (old.start, old.end), old.support)
        numbers.setdefault(old.number, citation.number)
        if citation not in citations:
            citations.append(replace(citation, support=old.support))
    return replace(answer, text=renumber(answer.text, numbers), citations=tuple(citations))


def _abstention(source: str, answers: Sequence[SubAnswer], withheld: str) -> str:
    text = f"No answer was found in {source}{f': {withheld}' if withheld else ''}."
    failed = [answer for answer in answers if answer.status == "failed"]
    if failed:
        text += (
            f" {len(failed)} of {len(answers)} sub-questions failed, the first because "
            f"{failed[0].error}."
        )
    return text


def _suggestions(
    steps: Sequence[SubQuestion],
    branches: Mapping[str, Sequence[Branch]],
    found: Mapping[str, Found],
) -> tuple[str, ...]:
    """Return the follow-up questions with what was found filled in, where that is short."""
    suggestions = []
    for step in steps:
        if step.kind != "follow_up":
            continue
        filled = {}
        for id_ in placeholders(step.text):
            parts = [branch.id for branch in branches.get(id_, ())] or [id_]
            items = [
                item for part in parts if part in found for item in found[part].sub_answer.items
            ]
            if 0 < len(items) <= MOST_FILLED:
                filled[id_] = join_items(items)
        text = fill_placeholders(step.text, filled)
        suggestions.append(spell_out(replace(step, text=text), steps))
    return tuple(dict.fromkeys(suggestions))
