"""Citations checked by machine: a mark counts only where its quote stands in a retrieved chunk.

Everything here is a pure function of text and chunks. A reasoner writes marks `[n]` that count
the chunks it was given; `check` resolves each of them, finds its quote in the chunk character by
character (white space folded), numbers what holds anew in order of appearance, and strikes out
the rest. Text of the corpus may itself hold something like `[3]`: such a mark was never made by
the reasoner and is taken out, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent.types import Citation
from corpus.types import Chunk

MARK = re.compile(r"\[(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\]|【(\d{1,3})[^】\n]{0,20}】")
"""`[3]`, `[1, 4]`, `[2-4]`, and the lenticular form that some open models write."""

_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?。！？]+(?=\s|$)|[.!?。！？](?=\S)|\n|$)")
_WORD = re.compile(r"[^\W\d_]{4,}|[A-Z][^\W\d_]{2}|\d[\d,.]*\d|\d|[\u3400-\u9fff]")
"""Names, numbers, ideographs and longer words; "the", "was" and the like say nothing."""
_CONTEXT = 16
"""How many characters before a mark must stand in the corpus, too, for it to be the corpus's."""
_SHARE = 0.3
"""Least share of a claim's words that the sentence quoted for a bare mark must hold."""
_QUOTE_SHOWN = 60
_WIDEST_RANGE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A text whose marks all hold."""

    text: str
    citations: tuple[Citation, ...]
    """Those that this text carries, each once, in order of appearance."""
    struck: tuple[str, ...]
    """What was taken out, with the reason."""


@dataclass(slots=True)
class Register:
    """Numbers quotes in order of first use, one number for each span of an article."""

    citations: list[Citation] = field(default_factory=list)
    _numbers: dict[tuple[str, int, int], int] = field(default_factory=dict)

    def enter(self, chunk: Chunk, span: tuple[int, int]) -> Citation:
        """Return the citation of `span` (offsets in the article), numbered on first use."""
        key = (chunk.id, *span)
        if key not in self._numbers:
            start, end = span
            self._numbers[key] = len(self.citations) + 1
            self.citations.append(
                Citation(
                    number=len(self.citations) + 1,
                    chunk_id=chunk.id,
                    revision=chunk.revision,
                    start=start,
                    end=end,
                    quote=chunk.text[start - chunk.start : end - chunk.start],
                )
            )
        return self.citations[self._numbers[key] - 1]


def locate(quote: str, chunk: Chunk) -> tuple[int, int] | None:
    """Return the offsets in the article of `quote`, or None where the chunk does not hold it.

    Equal means equal character by character, a run of white space counting as one space. A quote
    of fewer than two letters or digits proves nothing and is not looked for.
    """
    words = quote.split()
    if sum(character.isalnum() for word in words for character in word) < 2:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), chunk.text)
    if found is None:
        return None
    return chunk.start + found.start(), chunk.start + found.end()


def disarm(text: str) -> str:
    """Return corpus text with whatever looks like a citation mark put in round brackets."""
    return MARK.sub(lambda mark: f"({mark.group(1) or mark.group(2)})", text)


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


def strip_marks(text: str) -> str:
    """Return `text` without its marks and without the spaces that led to them."""
    return re.sub(rf"[ \t]*(?:{MARK.pattern})", "", text)


def check(
    text: str,
    chunks: Sequence[Chunk],
    *,
    quotes: Iterable[tuple[int, str]] = (),
    known: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    register: Register | None = None,
) -> Checked:
    """Resolve the marks of `text`, number those that hold anew, and strike out the others.

    A mark with quotes holds where one of them is found in its chunk. A bare mark holds where the
    chunk was quoted before (`known`) or where one of its sentences shares enough words with the
    claim before the mark; that sentence becomes the quote.

    Args:
        text: with marks `[n]`, n counting `chunks` from 1.
        chunks: what may be cited.
        quotes: (mark, words quoted) as the reasoner gave them.
        known: spans, as offsets in the article, already verified, by chunk id.
        register: numbers given so far; a new one where None.
    """
    register = register if register is not None else Register()
    claimed: dict[int, list[str]] = {}
    for number, quote in quotes:
        claimed.setdefault(number, []).append(quote)
    text, copied = disarm_copied(text, chunks)
    struck = [f"{mark}: stands in the source's own text" for mark in copied]
    used: dict[int, Citation] = {}
    parts: list[str] = []
    position = 0
    for mark in MARK.finditer(text):
        parts.append(text[position : mark.start()])
        position = mark.end()
        claim = _claim_before(text, mark.start())
        numbers: list[int] = []
        for number in _numbers_in(mark):
            span, reason = _span_for(number, claim, chunks, claimed.get(number), known or {})
            if span is None:
                struck.append(f"[{number}]: {reason}")
                continue
            citation = register.enter(chunks[number - 1], span)
            used.setdefault(citation.number, citation)
            numbers.append(citation.number)
        if numbers:
            parts.append("".join(f"[{number}]" for number in dict.fromkeys(numbers)))
        else:
            parts[-1] = parts[-1].rstrip(" \t")
    parts.append(text[position:])
    for number, unfound in _unfound(claimed, chunks):
        struck.append(f"[{number}]: the passage does not hold “{_shown(unfound)}”")
    return Checked(
        text="".join(parts).strip(),
        citations=tuple(used.values()),
        struck=tuple(dict.fromkeys(struck)),
    )


def verify(
    citations: Iterable[Citation], chunks: Mapping[str, Chunk]
) -> tuple[list[Citation], list[str]]:
    """Split ready citations into those that hold, offsets mended where needed, and reasons.

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
            held.append(replace(citation, revision=chunk.revision))
            continue
        span = locate(citation.quote, chunk)
        if span is None:
            struck.append(
                f"[{citation.number}]: the passage does not hold “{_shown(citation.quote)}”"
            )
            continue
        start, end = span
        quote = chunk.text[start - chunk.start : end - chunk.start]
        held.append(replace(citation, revision=chunk.revision, start=start, end=end, quote=quote))
    return held, struck


def renumber(text: str, numbers: Mapping[int, int]) -> str:
    """Rewrite marks by `numbers` (old to new); a mark that is not in it is taken out."""

    def rewrite(mark: re.Match[str]) -> str:
        kept = [numbers[number] for number in _numbers_in(mark) if number in numbers]
        return "".join(f"[{number}]" for number in dict.fromkeys(kept))

    rewritten = MARK.sub(rewrite, text)
    # A mark that went leaves its space behind, before the full stop or at the end of the line.
    return re.sub(r"[ \t]+(?=[.,;:!?]|$)", "", rewritten, flags=re.MULTILINE)


def words_of(text: str) -> frozenset[str]:
    """Return the words by which claim and quote are compared: folded case, no plural, no marks."""
    return frozenset(word.casefold().rstrip("s") for word in _WORD.findall(MARK.sub(" ", text)))


def _numbers_in(mark: re.Match[str]) -> Iterator[int]:
    for part in re.split(r"\s*[,;]\s*", mark.group(1) or mark.group(2)):
        ends = [int(end) for end in re.split(r"\s*[–-]\s*", part)]
        # A range as wide as the whole list is no citation; its two ends are looked at alone.
        if len(ends) == 2 and 0 <= ends[1] - ends[0] <= _WIDEST_RANGE:
            yield from range(ends[0], ends[1] + 1)
        else:
            yield from ends


def _span_for(
    number: int,
    claim: frozenset[str],
    chunks: Sequence[Chunk],
    quotes: Sequence[str] | None,
    known: Mapping[str, Sequence[tuple[int, int]]],
) -> tuple[tuple[int, int] | None, str]:
    """Return the span a mark stands for, or None and why it holds nothing."""
    if not 1 <= number <= len(chunks):
        return None, "no such passage was retrieved"
    chunk = chunks[number - 1]
    if quotes:
        spans = [span for quote in quotes if (span := locate(quote, chunk))]
        return _nearest(claim, chunk, spans), f"the passage does not hold “{_shown(quotes[0])}”"
    if spans := list(known.get(chunk.id, ())):
        return _nearest(claim, chunk, spans), ""
    span = _supporting_sentence(claim, chunk)
    return span, "no quote was given and no sentence of the passage speaks of it"


def _nearest(
    claim: frozenset[str], chunk: Chunk, spans: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    def shared(span: tuple[int, int]) -> int:
        return len(claim & words_of(chunk.text[span[0] - chunk.start : span[1] - chunk.start]))

    return max(spans, key=shared, default=None)


def _supporting_sentence(claim: frozenset[str], chunk: Chunk) -> tuple[int, int] | None:
    best: tuple[int, int] | None = None
    most = 0
    for sentence in _SENTENCE.finditer(chunk.text):
        shared = len(claim & words_of(sentence.group()))
        if shared > most:
            most = shared
            lead = len(sentence.group()) - len(sentence.group().lstrip())
            end = sentence.start() + len(sentence.group().rstrip())
            best = chunk.start + sentence.start() + lead, chunk.start + end
    return best if most >= max(1.0, _SHARE * len(claim)) else None


def _claim_before(text: str, position: int) -> frozenset[str]:
    """Return the words of the sentence, or the line, that a mark at `position` closes."""
    before = MARK.sub(lambda mark: " " * len(mark.group()), text[:position]).rstrip()
    before = before.rstrip(".!?。！？")
    start = max(
        (found.end() for found in re.finditer(r"[.!?](?=\s)|[。！？\n]", before)), default=0
    )
    return words_of(before[start:])


def _carried_over(text: str, mark: re.Match[str], chunks: Sequence[Chunk]) -> bool:
    """Tell whether a mark, with the words before it, was copied from a chunk's own text."""
    holders = [chunk for chunk in chunks if mark.group() in chunk.text]
    copied = " ".join(text[max(0, mark.start() - _CONTEXT) : mark.end()].split())
    return any(copied in " ".join(chunk.text.split()) for chunk in holders)


def _unfound(
    claimed: Mapping[int, list[str]], chunks: Sequence[Chunk]
) -> Iterator[tuple[int, str]]:
    for number, quotes in claimed.items():
        if 1 <= number <= len(chunks):
            for quote in quotes:
                if locate(quote, chunks[number - 1]) is None:
                    yield number, quote


def _shown(quote: str) -> str:
    folded = " ".join(quote.split())
    return folded if len(folded) <= _QUOTE_SHOWN else folded[: _QUOTE_SHOWN - 1] + "…"
