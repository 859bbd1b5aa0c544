"""A sub-answer judged as a whole: which of its citations support it, and whether it is proven."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from agent.citations.content.names import Aliases
from agent.citations.marks import MARK, strip_marks
from agent.citations.quotes import sentence_spans
from agent.citations.resolution import Reread
from agent.citations.support.answers import examine_answer
from agent.citations.support.boxes import Texts, doubt_of
from agent.citations.support.faults import SUPPORTED, Verdict, shown
from agent.types import Citation, SubAnswer, Support
from corpus.text import CARDINALS
from corpus.types import Chunk

Confirms = Callable[[str, str, str, Chunk], bool]
"""Whether a quote of a chunk, by a question, a value and its words, says what the question asks in
words of its own; with no value, whether the quote is what the question asks to be quoted."""
ONLY_QUOTED = "it is quoted whole, and not shown to answer"
"""Of a sub-answer that quotes sentences instead of taking a value from them."""

MOSTLY_UNPROVEN = "most of what is listed is not proven"
MISCOUNTED = "the question says how many there are, and another number is named"
_HOW_MANY = re.compile(
    rf"(?:\w+ )?(?:which|what|who)(?: (?:is|are|was|were))?(?: the)? "
    rf"(?P<count>{'|'.join(CARDINALS[2:13])}) (?!of\b)[a-z]+",
    re.IGNORECASE,
)
"""How a question begins that says how many things it asks for."""
_JOINED = re.compile(r",|;|/|&|\band\b|\bor\b")


def judged(
    answer: SubAnswer,
    question: str,
    chunks: Mapping[str, Chunk],
    *,
    aliases: Aliases | None = None,
    reread: Reread | None = None,
    confirms: Confirms | None = None,
    texts: Texts | None = None,
) -> tuple[SubAnswer, list[str]]:
    """Return a sub-answer with the citations that do not fail it, and what was struck.

    It stays "answered" where what it names is proven; members of a list that are not proven while
    others are leave the list, and that is told; a list of which most leave is no answer any more.
    Otherwise it is "unsure", with the reason.

    Args:
        answer: with citations whose quotes were found.
        question: the sub-question.
        chunks: what was looked at, by id.
        aliases: other names of a name.
        reread: rules on top of the rules.
        confirms: asked of each value that a quote names, where the quote lacks nothing but words of
            the question.
        texts: whole texts of the articles cited, which tell whether a label stands there once.
    """
    values = answer.items
    if _is_excerpt(answer):
        return _excerpt(answer, question, chunks, confirms), []
    proven: set[str] = set()
    hinted: set[str] = set()
    kept: list[Citation] = []
    struck: list[str] = []
    reasons: list[str] = []
    miscounted = _miscounts(question, values)
    judgements = _judgements(answer, question, chunks, aliases, confirms, texts)
    for citation, (verdict, held) in zip(answer.citations, judgements, strict=True):
        chunk = chunks[citation.chunk_id]
        if reread is not None:
            said = "; ".join(sorted(held)) or strip_marks(answer.text)
            verdict = reread(verdict, f"{question} {said}", citation.quote, chunk)
        if verdict.ruling == "supported":
            value = values[0] if len(values) == 1 else ""
            doubt = (
                MISCOUNTED
                if miscounted
                else doubt_of(question, citation.quote, value, chunk, texts)
            )
            if doubt:
                verdict = Verdict(ruling="unsure", reason=doubt)
        if verdict.ruling == "unsupported":
            struck.append(f"[{citation.number}]: {verdict.reason}")
            continue
        supported = verdict.ruling == "supported"
        (proven if supported else hinted).update(held)
        support: Support = "supported" if supported else "unsure"
        kept.append(citation if citation.support == support else replace(citation, support=support))
        if not supported:
            reasons.append(verdict.reason)
    answer = replace(answer, citations=tuple(kept))
    sure = any(citation.support == "supported" for citation in kept)
    if not values or not sure:
        return _as_found(answer, sure, reasons), struck
    return _with_members(answer, proven, hinted, struck)


def _miscounts(question: str, values: Sequence[str]) -> bool:
    """Whether a question for two names gets one, or three; one that names several is not counted."""
    told = _HOW_MANY.match(question)
    if told is None or not values or any(map(_JOINED.search, values)):
        return False
    return CARDINALS.index(told["count"].lower()) != len(values)


def _is_excerpt(answer: SubAnswer) -> bool:
    """Whether a sub-answer is nothing but the words that it cites, between quotation marks."""
    cited = {citation.quote for citation in answer.citations}
    quoted = (f"“{item}”" in answer.text for item in answer.items)
    return bool(answer.items) and set(answer.items) == cited and all(quoted)


def _excerpt(
    answer: SubAnswer, question: str, chunks: Mapping[str, Chunk], confirms: Confirms | None
) -> SubAnswer:
    """A sub-answer of whole sentences: each proves that it is said, and nothing that it answers.

    It is sure only where these very sentences are what the question asks to be quoted.
    """
    cited = tuple(replace(one, support="supported") for one in answer.citations)
    answer = replace(answer, citations=cited)
    if confirms is not None and all(
        confirms(question, "", one.quote, chunks[one.chunk_id]) for one in cited
    ):
        return answer
    return replace(answer, status="unsure", error=ONLY_QUOTED)


def _judgements(
    answer: SubAnswer,
    question: str,
    chunks: Mapping[str, Chunk],
    aliases: Aliases | None,
    confirms: Confirms | None,
    texts: Texts | None,
) -> list[tuple[Verdict, frozenset[str]]]:
    """The verdict on each citation, and which values its quote holds.

    Quotes that lack only words of the question are confirmed together or not at all: half of a list
    would pass for the whole.
    """
    found: list[tuple[Verdict, frozenset[str]]] = []
    values = answer.items
    for citation in answer.citations:
        chunk = chunks[citation.chunk_id]
        verdict, held = examine_answer(
            question,
            values,
            citation.quote,
            chunk,
            aliases=aliases,
            opening=_opening(chunk, chunks, texts),
        )
        if not values and citation.support == "unsure" and verdict.ruling == "supported":
            verdict = Verdict(ruling="unsure", reason="the quote does not say all of it")
        if answer.status == "unsure" and verdict.ruling != "unsupported":
            # What its finder doubts is not made sure by its words standing there.
            reason = answer.error or "its finder is not sure of it"
            verdict = Verdict(ruling="unsure", reason=reason)
        found.append((verdict, held))
    doubted = [place for place, (verdict, _) in enumerate(found) if verdict.wording]
    if confirms is None or not values:
        return found
    agreed = all(
        confirms(question, value, citation.quote, chunks[citation.chunk_id])
        for place in doubted
        for citation in [answer.citations[place]]
        for value in (values if len(values) == 1 else found[place][1])
    )
    for place in doubted if agreed else ():
        found[place] = (SUPPORTED, found[place][1])
    proving = [place for place, (verdict, _) in enumerate(found) if verdict.ruling == "supported"]
    if not agreed and len(values) > 1 and len(proving) < len(doubted):
        # A word that few of a list's lines hold by accident does not make them the whole.
        for place in proving:
            found[place] = (found[doubted[0]][0], found[place][1])
    return found


_OPENING = 2000
"""Characters of an article that its first sentence of prose stands in, behind its boxes."""


def _opening(chunk: Chunk, chunks: Mapping[str, Chunk], texts: Texts | None) -> str:
    """Return the first sentence of prose of a chunk's article, "" where its beginning is not known."""
    same = (one for one in chunks.values() if one.revision.rev_id == chunk.revision.rev_id)
    begins = next((one.text for one in same if one.start == 0), "")
    text = begins or (texts(chunk)[:_OPENING] if texts is not None else "")
    prose = (text[start:end] for start, end in sentence_spans(text))
    return next((said for said in prose if said.endswith(".") and " | " not in said), "")


def _as_found(answer: SubAnswer, sure: bool, reasons: list[str]) -> SubAnswer:
    if sure or not answer.citations:
        return answer
    return replace(answer, status="unsure", error=reasons[0] if reasons else answer.error)


def _with_members(
    answer: SubAnswer, proven: set[str], hinted: set[str], struck: list[str]
) -> tuple[SubAnswer, list[str]]:
    """Return the answer with its proven members alone, and what was struck."""
    items = tuple(item for item in answer.items if item in proven)
    left = [item for item in answer.items if item not in proven]
    if not left:
        return answer, struck
    if len(items) < len(left):
        answer = replace(answer, status="unsure", error=MOSTLY_UNPROVEN)
    for item in left:
        how = "is unsure" if item in hinted else "stands in no quote that supports it"
        struck.append(f"“{shown(item)}”: {how}")
    listed = ", ".join(answer.items)
    text = answer.text
    if strip_marks(text).strip() == listed:
        marks = "".join(found[0] for found in MARK.finditer(text))
        text = f"{', '.join(items)} {marks}"
    else:
        for item in left:
            text = re.sub(rf"(?<![^\W_]){re.escape(item)}(?![^\W_])", f"{item} (unsure)", text)
    return replace(answer, items=items, text=text), struck
