"""What a mark stands for: of its quotes, or of its chunk's sentences, the one that supports best."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agent.citations.claims import Claim, states
from agent.citations.content.names import Aliases
from agent.citations.content.words import content_words, stem
from agent.citations.marks import numbers_in
from agent.citations.quotes import locate, sentence_spans
from agent.citations.register import Known
from agent.citations.support.boxes import Texts, doubt_of
from agent.citations.support.examination import examine
from agent.citations.support.faults import SUPPORTED, Ruling, Verdict, shown
from agent.types import Support
from corpus.types import Chunk

_TRIED = 4
"""Sentences of a chunk that are tried for a mark without a quote."""
LONGEST_VALUE = 8
"""Words of an answer that is a value rather than a sentence."""
_ORDER: Sequence[Ruling] = ("unsupported", "unsure", "supported")
Reread = Callable[[Verdict, str, str, Chunk], Verdict]
"""Rules again on (verdict, claim, quote, chunk): a verifier that a user named."""
Resolved = tuple[Chunk, tuple[int, int], Support]


@dataclass(slots=True)
class Resolution:
    """The marks of one text on their way to citations."""

    chunks: Sequence[Chunk]
    given: Mapping[int, Sequence[str]]
    known: Sequence[Known]
    question: str | None
    bare_values: bool
    aliases: Aliases | None
    reread: Reread | None
    texts: Texts | None
    struck: list[str]
    unsure: list[str] = field(default_factory=list)

    def resolve(self, mark: re.Match[str], claim: Claim) -> list[Resolved]:
        """Return what a mark's numbers stand for, as far as it supports the claim."""
        found: list[Resolved] = []
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
        judged = [
            one
            for one in self._known_in(chunk)
            if one.span == span and says_no_more(text, f"{one.said} {quote}")
        ]
        if judged:
            # Of two questions that one quote was judged for, the one that stands there; else the weaker.
            around = set(re.findall(r"[^\W_]+", f"{claim.asked} {claim.sentence}".casefold()))
            shared = [
                len(around & set(re.findall(r"[^\W_]+", one.said.casefold()))) for one in judged
            ]
            meant = [one for one, n in zip(judged, shared, strict=True) if n == max(shared)]
            sure = all(one.citation.support == "supported" for one in meant)
            reason = "" if sure else "what it answers is unsure"
            return Verdict(ruling="supported" if sure else "unsure", reason=reason)
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
        verdict = self.reread(verdict, text, quote, chunk) if self.reread else verdict
        if verdict.ruling == "supported":
            said = f"{self.question or ''} {claim.sentence}"
            if doubt := doubt_of(said, quote, "", chunk, self.texts):
                return Verdict(ruling="unsure", reason=doubt)
        return verdict

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
