"""An answer's text taken apart: its sentences, and in each the words that every mark stands behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent.citations.content.dates import find_dates
from agent.citations.content.figures import find_figures
from agent.citations.content.names import find_names
from agent.citations.content.words import content_words
from agent.citations.marks import MARK, blank_marks
from agent.citations.quotes import IDEOGRAPH, sentence_spans

_GAP = re.compile(r"[\s,;，；.。:()（）]*")
_PRONOUN = re.compile(r"[\W_]*(?:it|its|he|his|she|her|they|their|this|these|those)\b", re.I)
LEAST_WORDS = 3
"""Content words from which words without a name or a number state something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Words of an answer, and the marks that stand behind them."""

    text: str
    """Without marks."""
    subject: str | None
    """Of whom they speak, where they do not say so themselves."""
    marks: tuple[re.Match[str], ...]
    """Empty for what carries none."""
    sentence: str
    asked: str = ""
    """The question before it on its line, "How wide is it? 12 km" says how wide, or above the list
    that it is a line of."""


def claims_in(text: str) -> list[Claim]:
    """Return the claims of a text, in order; a sentence without marks is one without marks."""
    claims: list[Claim] = []
    blank = blank_marks(text)
    spans = list(sentence_spans(blank))
    marks = list(MARK.finditer(text))
    subject: str | None = None
    heading = ""
    for number, (start, end) in enumerate(spans):
        following = spans[number + 1][0] if number + 1 < len(spans) else len(text)
        line_end = text.find("\n", end, following)
        reach = line_end if line_end >= 0 else following
        # A mark behind the full stop belongs to the sentence before it.
        own = [mark for mark in marks if start <= mark.start() < reach]
        if not number:
            own = [mark for mark in marks if mark.start() < start] + own
        sentence = " ".join(blank[start:end].split())
        names = find_names(sentence)
        if not _PRONOUN.match(sentence):
            subject = names[0].text if names else None
        before = blank[spans[number - 1][0] : spans[number - 1][1]] if number else ""
        asked = before if before.rstrip().endswith(("?", "？")) else ""
        if "\n" in blank[spans[number - 1][1] : start]:
            listed = blank[start:end].startswith("- ")
            heading = asked or (heading if listed else "")
            asked = heading if listed else ""
        parts = _parts(blank, start, end, own, subject, sentence)
        claims.extend(replace(part, asked=" ".join(asked.split())) for part in parts)
    return claims


def _parts(
    blank: str,
    start: int,
    end: int,
    marks: list[re.Match[str]],
    subject: str | None,
    sentence: str,
) -> Iterator[Claim]:
    groups: list[list[re.Match[str]]] = []
    for mark in marks:
        if groups and _GAP.fullmatch(blank[groups[-1][-1].end() : mark.start()]):
            groups[-1].append(mark)
        else:
            groups.append([mark])
    position = start
    for number, group in enumerate(groups):
        stop = max(position, min(end, group[0].start()))
        words = blank[position:stop]
        last = number + 1 == len(groups)
        if last and (not states(words, least=1) or not states(blank[stop:end], least=LEAST_WORDS)):
            # "According to [1], …": a mark at the front stands for what follows it.
            words, stop = blank[position:end], end
        yield Claim(text=_tidy(words), subject=subject, marks=tuple(group), sentence=sentence)
        position = max(stop, group[-1].end())
    rest = blank[position:end]
    if states(rest, least=LEAST_WORDS if groups else 1):
        yield Claim(text=_tidy(rest), subject=subject, marks=(), sentence=sentence)


def states(text: str, least: int = LEAST_WORDS) -> bool:
    """Say whether words state something: a name, a number, a date, or `least` words of content."""
    if find_figures(text) or find_dates(text) or find_names(text):
        return True
    return len(content_words(text)) >= least or len(IDEOGRAPH.findall(text)) >= 2 * least


def _tidy(text: str) -> str:
    return re.sub(r"^[\s,;:|\-–—•*]+|[\s,;:|.。]+$", "", " ".join(text.split()))
