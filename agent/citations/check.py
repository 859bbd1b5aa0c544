"""Citations checked by machine: a mark counts only where its quote supports what it stands behind.

A reasoner writes marks `[n]` that count the chunks it was given; `check` resolves each of them,
finds its quote in the chunk character by character (white space folded), asks whether the quote
supports the words before the mark, numbers what holds anew in order of appearance, says which of
it is unsure, and strikes out the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from agent.citations.claims import Claim, claims_in, states
from agent.citations.content.names import Aliases
from agent.citations.marks import MARK, disarm, tidy_gaps
from agent.citations.quotes import locate
from agent.citations.register import Checked, Known, Register
from agent.citations.resolution import Reread, Resolution
from agent.citations.support.boxes import Texts
from agent.citations.support.faults import shown
from agent.types import Citation
from corpus.types import Chunk

UNSURE = "(unsure)"
"""Stands in a text behind marks whose quotes do not prove what they are cited for."""
UNSUPPORTED = "(unsupported)"
"""Stands in a text where marks were struck out: nothing that was cited holds up what is said."""
_CONTEXT = 16
"""How many characters before a mark must stand in the corpus, too, for it to be the corpus's."""


def disarm_copied(text: str, chunks: Sequence[Chunk]) -> tuple[str, list[str]]:
    """Put marks that were copied from a chunk, with the words before them, in round brackets.

    Returns:
        The text, and the marks that were copied.
    """
    copied: list[str] = []

    def rewrite(mark: re.Match[str]) -> str:
        if not _carried_over(text, mark, chunks):
            return mark.group()
        copied.append(mark.group())
        return disarm(mark.group())

    return MARK.sub(rewrite, text), copied


def check(
    text: str,
    chunks: Sequence[Chunk],
    *,
    quotes: Iterable[tuple[int, str]] = (),
    known: Sequence[Known] = (),
    register: Register | None = None,
    question: str | None = None,
    computed: Iterable[str] = (),
    bare_values: bool = False,
    aliases: Aliases | None = None,
    reread: Reread | None = None,
    texts: Texts | None = None,
) -> Checked:
    """Resolve the marks of `text`, number those that hold anew, and strike out the others.

    A mark with quotes holds where one of them is found in its chunk and does not fail to support
    the words before the mark. A bare mark is given the quote that supports them best: one judged
    before (`known`), or a sentence of the chunk.

    Args:
        text: with marks `[n]`, n counting `chunks` from 1.
        chunks: what may be cited.
        quotes: (mark, words quoted) as the reasoner gave them.
        known: citations of sub-answers, judged already.
        register: numbers given so far; a new one where None.
        question: what the text answers.
        computed: lines that were computed of cited ones, and carry no mark themselves.
        bare_values: a few words that stand in their quote as they are hold: they are judged
            together with their sub-question, by `subanswers.judged`.
        aliases: other names of a name.
        reread: rules on top of the rules.
        texts: whole texts of the articles cited.
    """
    register = register if register is not None else Register()
    given: dict[int, list[str]] = {}
    for number, quote in quotes:
        given.setdefault(number, []).append(quote)
    text, copied = disarm_copied(text, chunks)
    work = Resolution(
        chunks=chunks, given=given, known=known, question=question, bare_values=bare_values, aliases=aliases, reread=reread,
        texts=texts,
        struck=[f"{mark}: stands in the source's own text" for mark in copied],
    )  # fmt: skip
    uncited: list[str] = []
    derived = {" ".join(line.split()) for line in computed}
    written: dict[int, str] = {}
    used: dict[int, None] = {}
    for claim in claims_in(text):
        kept = [work.resolve(mark, claim) for mark in claim.marks]
        for mark, found in zip(claim.marks, kept, strict=True):
            entered = [register.enter(chunk, span, support) for chunk, span, support in found]
            used.update((citation.number, None) for citation in entered)
            shown_marks = "".join(f"[{n}]" for n in dict.fromkeys(c.number for c in entered))
            doubtful = any(support == "unsure" for _, _, support in found)
            written[mark.start()] = f"{shown_marks} {UNSURE}" if doubtful else shown_marks
        if not any(kept) and claim.sentence not in derived and _asserts(claim):
            uncited.append(claim.text)
            if claim.marks:
                written[claim.marks[-1].start()] = UNSUPPORTED
    parts: list[str] = []
    position = 0
    for mark in MARK.finditer(text):
        parts.append(text[position : mark.start()])
        position = mark.end()
        shown_mark = written.get(mark.start(), "")
        if not shown_mark:
            parts[-1] = parts[-1].rstrip(" \t")
        parts.append(shown_mark)
    parts.append(text[position:])
    for number, quote in work.unfound():
        work.struck.append(f"[{number}]: the passage does not hold “{shown(quote)}”")
    return Checked(
        text=tidy_gaps("".join(parts)).strip(),
        citations=tuple(register.citations[number - 1] for number in used),
        struck=tuple(dict.fromkeys(work.struck)),
        unsure=tuple(dict.fromkeys(work.unsure)),
        uncited=tuple(dict.fromkeys(uncited)),
    )


def verify(
    citations: Iterable[Citation], chunks: Mapping[str, Chunk]
) -> tuple[list[Citation], list[str]]:
    """Split ready citations into those whose quotes are found, offsets mended, and reasons.

    Args:
        citations: as a reasoner made them; numbers are kept.
        chunks: what was retrieved, by chunk id.
    """
    held: list[Citation] = []
    struck: list[str] = []
    for citation in citations:
        chunk = chunks.get(citation.chunk_id)
        if chunk is None:
            struck.append(f"[{citation.number}]: chunk {citation.chunk_id} was not retrieved")
            continue
        here = slice(citation.start - chunk.start, citation.end - chunk.start)
        if here.start >= 0 and citation.quote and chunk.text[here] == citation.quote:
            if citation.revision is not chunk.revision:
                citation = replace(citation, revision=chunk.revision)
            held.append(citation)
            continue
        span = locate(citation.quote, chunk)
        if span is None:
            struck.append(
                f"[{citation.number}]: the passage does not hold “{shown(citation.quote)}”"
            )
            continue
        start, end = span
        quote = chunk.text[start - chunk.start : end - chunk.start]
        held.append(replace(citation, revision=chunk.revision, start=start, end=end, quote=quote))
    return held, struck


def _asserts(claim: Claim) -> bool:
    """Whether words without a mark state something: no question, no heading, no line's opening."""
    text = claim.text.strip()
    opening = text.endswith(("?", "？", ":", "：")) or text.startswith("#")
    return states(text) and not opening


def _carried_over(text: str, mark: re.Match[str], chunks: Sequence[Chunk]) -> bool:
    """Tell whether a mark, with the words before it, was copied from a chunk's own text."""
    holders = [chunk for chunk in chunks if mark.group() in chunk.text]
    copied = " ".join(text[max(0, mark.start() - _CONTEXT) : mark.end()].split())
    return any(copied in " ".join(chunk.text.split()) for chunk in holders)
