"""Citations checked by machine: a mark counts only where its quote supports what it stands behind.

A reasoner writes marks `[n]` that count the chunks it was given; `check` resolves each of them,
finds its quote in the chunk character by character (white space folded), asks whether the quote
supports the words before the mark, numbers what holds anew in order of appearance, says which of
it is unsure, and strikes out the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent.citations.claims import Claim, claims_in, states
from agent.citations.marks import MARK, disarm, numbers_in, tidy_gaps
from agent.citations.names import Aliases
from agent.citations.quotes import locate, sentence_spans
from agent.citations.support import SUPPORTED, Ruling, Verdict, examine, shown
from agent.citations.words import content_words, stem
from agent.types import Citation, Support
from corpus.types import Chunk

UNSURE = "(unsure)"
"""Stands in a text behind marks whose quotes do not prove what they are cited for."""
_CONTEXT = 16
"""How many characters before a mark must stand in the corpus, too, for it to be the corpus's."""
_TRIED = 4
"""Sentences of a chunk that are tried for a mark without a quote."""
LONGEST_VALUE = 8
"""Words of an answer that is a value rather than a sentence."""
_ORDER: Sequence[Ruling] = ("unsupported", "unsure", "supported")

Reread = Callable[[Verdict, str, str, Chunk], Verdict]
"""Rules again on (verdict, claim, quote, chunk): a verifier that a user named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A text whose marks all hold."""

    text: str
    citations: tuple[Citation, ...]
    """Those that this text carries, each once, in order of appearance."""
    struck: tuple[str, ...]
    """What was taken out, with the reason."""
    unsure: tuple[str, ...] = ()
    """What is shown as unsure, with the reason."""
    uncited: tuple[str, ...] = ()
    """Sentences, or closing parts of them, that state something and carry no mark that holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A citation that was judged before, with the words that it was judged for."""

    citation: Citation
    said: str
    """Question and values: a claim that says no more than they do need not be judged again."""

    @property
    def span(self) -> tuple[int, int]:
        """Offsets in the article."""
        return self.citation.start, self.citation.end


@dataclass(slots=True)
class Register:
    """Numbers quotes in order of first use, one number for each span of an article."""

    citations: list[Citation] = field(default_factory=list)
    _numbers: dict[tuple[str, int, int], int] = field(default_factory=dict)

    def enter(
        self, chunk: Chunk, span: tuple[int, int], support: Support = "supported"
    ) -> Citation:
        """Return the citation of `span` (offsets in the article), numbered on first use.

        A span that is used several times has the support of its weakest use.
        """
        start, end = span
        key = (chunk.id, start, end)
        if key not in self._numbers:
            self._numbers[key] = len(self.citations) + 1
            self.citations.append(
                Citation(
                    number=len(self.citations) + 1,
                    chunk_id=chunk.id,
                    revision=chunk.revision,
                    start=start,
                    end=end,
                    quote=chunk.text[start - chunk.start : end - chunk.start],
                    support=support,
                )
            )
        at = self._numbers[key] - 1
        if support == "unsure":
            self.citations[at] = replace(self.citations[at], support=support)
        return self.citations[at]


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
    """
    register = register if register is not None else Register()
    given: dict[int, list[str]] = {}
    for number, quote in quotes:
        given.setdefault(number, []).append(quote)
    text, copied = disarm_copied(text, chunks)
    work = _Work(
        chunks=chunks, given=given, known=known, question=question, bare_values=bare_values, aliases=aliases, reread=reread,
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
            held.append(replace(citation, revision=chunk.revision))
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


_Resolved = tuple[Chunk, tuple[int, int], Support]


@dataclass(slots=True)
class _Work:
    """The marks of one text on their way to citations."""

    chunks: Sequence[Chunk]
    given: Mapping[int, Sequence[str]]
    known: Sequence[Known]
    question: str | None
    bare_values: bool
    aliases: Aliases | None
    reread: Reread | None
    struck: list[str]
    unsure: list[str] = field(default_factory=list)

    def resolve(self, mark: re.Match[str], claim: Claim) -> list[_Resolved]:
        """Return what a mark's numbers stand for, as far as it supports the claim."""
        found: list[_Resolved] = []
        for number in numbers_in(mark):
            if not 1 <= number <= len(self.chunks):
                self.struck.append(f"[{number}]: no such passage was retrieved")
                continue
            chunk = self.chunks[number - 1]
            span, verdict = self._best(number, chunk, claim)
            if span is None or verdict.ruling == "unsupported":
                self.struck.append(f"[{number}]: {verdict.reason}")
                continue
            if verdict.ruling == "unsure":
                self.unsure.append(f"“{shown(claim.text)}”: {verdict.reason}")
            found.append((chunk, span, "unsure" if verdict.ruling == "unsure" else "supported"))
        return found

    def _best(
        self, number: int, chunk: Chunk, claim: Claim
    ) -> tuple[tuple[int, int] | None, Verdict]:
        """Return the span that supports a claim best, and how."""
        quotes = self.given.get(number)
        spans = [span for quote in quotes or () if (span := locate(quote, chunk))]
        if quotes and not spans:
            reason = f"the passage does not hold “{shown(quotes[0])}”"
            return None, Verdict(ruling="unsupported", reason=reason)
        # Of two rows with the same value, the one that speaks of what the sentence names.
        spans.sort(key=lambda span: -self._shared(claim.sentence, chunk, span))
        if not quotes:
            spans = [one.span for one in self._known_in(chunk)]
            spans += _likely_spans(claim.text, chunk)
        best: tuple[int, int] | None = None
        reason = "no quote was given and no sentence of the passage speaks of it"
        verdict = Verdict(ruling="unsupported", reason=reason)
        for span in dict.fromkeys(spans):
            ruled = self._rule(claim, chunk, span)
            if best is None or _ORDER.index(ruled.ruling) > _ORDER.index(verdict.ruling):
                best, verdict = span, ruled
        return best, verdict

    def _shared(self, sentence: str, chunk: Chunk, span: tuple[int, int]) -> int:
        said = [one.said for one in self._known_in(chunk) if one.span == span]
        said.append(chunk.text[span[0] - chunk.start : span[1] - chunk.start])
        wanted = set(re.findall(r"[^\W_]+", sentence.casefold()))
        return len(wanted & set(re.findall(r"[^\W_]+", " ".join(said).casefold())))

    def _known_in(self, chunk: Chunk) -> list[Known]:
        return [one for one in self.known if one.citation.chunk_id == chunk.id]

    def _rule(self, claim: Claim, chunk: Chunk, span: tuple[int, int]) -> Verdict:
        quote = chunk.text[span[0] - chunk.start : span[1] - chunk.start]
        text = claim.text if states(claim.text, least=1) else claim.sentence
        if self.bare_values and _stands_in(text, quote):
            return SUPPORTED
        for one in self._known_in(chunk):
            if one.span == span and says_no_more(text, f"{one.said} {quote}"):
                support = one.citation.support
                reason = "" if support == "supported" else "what it answers is unsure"
                return Verdict(ruling=support, reason=reason)
        verdict = examine(
            text, quote, chunk, self.question, subject=claim.subject, aliases=self.aliases
        )
        if verdict.ruling != "supported" and (others := self._others(claim, quote)):
            joint = examine(
                text, quote, chunk, self.question,
                subject=claim.subject, aliases=self.aliases, also=others,
            )  # fmt: skip
            adds = {stem(word) for word in content_words(text)} & {
                stem(word) for word in content_words(quote)
            }
            if adds and _ORDER.index(joint.ruling) > _ORDER.index(verdict.ruling):
                verdict = joint
        return self.reread(verdict, text, quote, chunk) if self.reread else verdict

    def _others(self, claim: Claim, quote: str) -> list[str]:
        """Return the other quotes that the same words are cited for."""
        others = []
        for mark in claim.marks:
            for number in numbers_in(mark):
                if 1 <= number <= len(self.chunks):
                    for other in self.given.get(number, ()):
                        if other != quote and locate(other, self.chunks[number - 1]):
                            others.append(other)
        return others

    def unfound(self) -> Iterator[tuple[int, str]]:
        """Yield (mark, quote) for quotes that their chunk does not hold."""
        for number, quotes in self.given.items():
            if 1 <= number <= len(self.chunks):
                for quote in quotes:
                    if locate(quote, self.chunks[number - 1]) is None:
                        yield number, quote


def _stands_in(text: str, quote: str) -> bool:
    bare = " ".join(text.split()).casefold().strip(' .“”"')
    return len(bare.split()) <= LONGEST_VALUE and bare in " ".join(quote.split()).casefold()


def says_no_more(claim: str, said: str) -> bool:
    """Say whether every word and number of a claim stands in what was judged before."""
    held = {stem(word) for word in re.findall(r"[^\W_]+", said)}
    words = re.findall(r"[^\W_]+", re.sub(r"['’]s\b", "", claim))
    return all(stem(word) in held or (word.isalpha() and not content_words(word)) for word in words)


def _likely_spans(claim: str, chunk: Chunk) -> list[tuple[int, int]]:
    """Return the sentences and lines of a chunk that share most words with a claim, best first."""
    wanted = {stem(word) for word in re.findall(r"[^\W_]{2,}|[\u3400-\u9fff]", claim)}
    scored = []
    for start, end in sentence_spans(chunk.text):
        words = re.findall(r"[^\W_]{2,}|[\u3400-\u9fff]", chunk.text[start:end])
        shared = len(wanted & {stem(word) for word in words})
        if shared:
            scored.append((-shared, chunk.start + start, chunk.start + end))
    return [(start, end) for _, start, end in sorted(scored)[:_TRIED]]


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
