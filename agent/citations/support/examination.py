"""Decides whether a quote supports what it is cited for, by what can be checked mechanically.

Supported: the quote is long enough, speaks of the claim's subject, holds its numbers, dates, units,
names and words, and says yes where the claim says yes. Unsupported: one of the first is missing, or
it says the opposite. Unsure: what is missing are words that may be said otherwise, or it is open of
whom the quote speaks. Who did what to whom cannot be read off words: a claim that names the same
things in another order is unsure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.dates import date_held, find_dates, is_year
from agent.citations.content.figures import NUMBER_WORDS, find_figures, year_as_figure
from agent.citations.content.names import Aliases, Name, find_names
from agent.citations.content.words import (
    content_words,
    fold,
    is_listed,
    missing_ideographs,
    missing_words,
    stems_of,
)
from agent.citations.quotes import IDEOGRAPH, SEPARATOR, cells_of, is_enough
from agent.citations.support.clauses import lesser, said_of_another, whose_else
from agent.citations.support.faults import Faults, Ruling, Verdict, shown
from agent.citations.support.grounds import Evidence
from agent.citations.support.kinds import of_another_whole
from agent.citations.support.polarity import doubt_dropped, polarity_differs
from agent.citations.support.roles import roles_differ
from agent.citations.support.subjects import check_subject, is_word, name_kind
from corpus.types import Chunk

LONGEST_CELL = 8
"""Words of content from which a table's cell is prose."""
_DEMONYM = re.compile(r"(?:[a-z]{2}an|ish|ese|[^aeiou]ic|[dn]ch|eek|wiss)$")
_FORMS = re.compile(r"(?:ed|ing|ly|tion|ment|ness|ally|ies)$")


def judge(
    claim: str,
    quote: str,
    chunk: Chunk,
    question: str | None = None,
    *,
    subject: str | None = None,
    aliases: Aliases | None = None,
    also: Sequence[str] = (),
) -> Ruling:
    """Return whether a quote supports a claim; see `examine`."""
    return examine(
        claim, quote, chunk, question, subject=subject, aliases=aliases, also=also
    ).ruling


def examine(
    claim: str,
    quote: str,
    chunk: Chunk,
    question: str | None = None,
    *,
    subject: str | None = None,
    aliases: Aliases | None = None,
    also: Sequence[str] = (),
) -> Verdict:
    """Return whether a quote supports a claim, and why not.

    Args:
        claim: a sentence of an answer, or the part of it that a mark stands behind, without marks.
        quote: words of the chunk.
        chunk: what is cited.
        question: what the claim answers; what it names need not stand in the quote, too.
        subject: of whom the claim speaks, where it says only "it".
        aliases: other names of a name, from the snapshot's redirects.
        also: other quotes that the same claim is cited for.
    """
    evidence = Evidence.of(quote, chunk, question, aliases, also)
    if evidence is None:
        return Verdict(ruling="unsupported", reason=f"the passage does not hold “{shown(quote)}”")
    faults = Faults()
    check_quote(evidence, faults)
    check_figures(claim, evidence, faults)
    names = _claimed_names(claim)
    loose = [name for name in names if not _name_held(name, evidence, faults)]
    check_subject(claim, subject, names, evidence, faults)
    check_polarity(claim, evidence, faults)
    _check_words(claim, names, loose, evidence, faults)
    _check_clauses(claim, names, evidence, faults)
    if roles_differ(claim, names, evidence):
        faults.soft.append("the quote names the same things in another order")
    return faults.verdict


def check_quote(evidence: Evidence, faults: Faults) -> None:
    """Refuse quotes that prove nothing: a few letters, a heading, the heads of a table."""
    line, quote = evidence.place.line, evidence.quote
    if not is_enough(quote, line):
        faults.hard.append(f"“{shown(quote)}” is too little to prove anything")
    elif line.startswith("#"):
        faults.hard.append("a heading proves nothing")
    elif SEPARATOR in line and not cells_of(line) and not re.search(r"[.!?。]\s", line):
        faults.hard.append("the heads of a table prove nothing")
    elif _only_heads(quote, [head for head, _ in cells_of(line)], line):
        faults.hard.append("heads without their values prove nothing")


def _only_heads(quote: str, heads: Sequence[str], line: str) -> bool:
    bare = " ".join(quote.split()).strip(": |")
    return any(
        bare == head or (bare in head and bare not in line.replace(head, "")) for head in heads
    )


def check_figures(claim: str, evidence: Evidence, faults: Faults) -> None:
    """Ask for every number, unit and date of a claim."""
    for figure in find_figures(claim):
        held = evidence.holds_figure(figure)
        if held == "no":
            faults.hard.append(f"{figure.text} does not stand in the quote")
        elif held == "unsure":
            faults.soft.append(f"{figure.text} stands in the quote with other digits or no unit")
    values = {figure.value for figure in evidence.figures}
    quoted, framing = evidence.dates, evidence.framing_dates
    for date in find_dates(claim):
        if date_held(date, quoted, framing):
            continue
        number = year_as_figure(date, claim) if is_year(date) else None
        held = "no" if number is None else evidence.holds_figure(number)
        if number is None or held == "no" or not (number.about or number.value in values):
            faults.hard.append(f"{date.text} does not stand in the quote")


def check_polarity(claim: str, evidence: Evidence, faults: Faults) -> None:
    """Refuse a claim that denies what is stated; doubt one that states what is only supposed."""
    stated = as_statement(evidence.place.sentence)
    if evidence.place.structured:
        stated = _cells_about(claim, stated)
    if polarity_differs(claim, stated, same_word):
        faults.hard.append("the quote says the opposite, or does not say no")
    elif doubt_dropped(claim, stated):
        faults.soft.append("the quote only supposes it")


def _cells_about(claim: str, row: str) -> str:
    """Return a row without its cells of prose that have little to do with a claim."""
    wanted = stems_of(claim)
    cells = row.split(SEPARATOR)
    kept = [
        cell
        for cell in cells
        if len(words := content_words(cell)) <= LONGEST_CELL
        or len(wanted & stems_of(" ".join(words))) > len(wanted) / 2
    ]
    return SEPARATOR.join(kept)


def as_statement(line: str) -> str:
    """Return a line in which "Rings: no" reads "no Rings"."""
    return re.sub(r"(?:^|(?<=\| ))([^|:]{1,50}): (?:No|None|no|none)\b", r"no \1;", line)


def same_word(word: str, stems: frozenset[str]) -> bool:
    """Say whether a word or a synonym of it is among stems."""
    return not missing_words([word], stems)


def _claimed_names(claim: str) -> list[Name]:
    return [name for name in find_names(claim) if not IDEOGRAPH.search(name.text)]


def _name_held(name: Name, evidence: Evidence, faults: Faults) -> bool:
    """Say whether a named thing is held; note the fault, or leave a sentence's first word open."""
    kind = name_kind(name.text, evidence)
    if kind in ("whole", "surname"):
        return True
    first, _, rest = name.text.partition(" ")
    # "Planet Mars" at the beginning of a sentence, "Emperor Joseph" where the quote has "emperor".
    if rest and is_word(first, evidence) and name_kind(rest, evidence) in ("whole", "surname"):
        return True
    pieces = re.split(r"\s+(?:of|the|and|de|du|von|van|&)\s+(?:the\s+)?|\s*[–-]\s*", name.text)
    if len(pieces) > 1 and all(
        name_kind(piece, evidence) in ("whole", "surname") or is_word(piece, evidence)
        for piece in pieces
    ):
        return True
    if is_word(name.text, evidence):
        return True
    if name.initial and (is_listed(name.text) or _FORMS.search(name.text)):
        return False
    if kind == "part" or _DEMONYM.search(name.text):
        faults.soft.append(f"the quote may speak of another “{name.text}”")
    else:
        faults.hard.append(f"“{name.text}” does not stand in the quote")
    return True


def _check_words(
    claim: str, names: Sequence[Name], loose: Sequence[Name], evidence: Evidence, faults: Faults
) -> None:
    """Doubt a claim with words that the quote does not hold."""
    unnamed = [
        name.text for name in loose if missing_words(content_words(name.text), evidence.stems)
    ]
    missing = list(dict.fromkeys([*lacking_words(claim, names, evidence), *unnamed]))
    if missing:
        doubts = faults.soft if unnamed else faults.wording
        doubts.append(f"the quote does not say “{', '.join(missing)}”")
    if IDEOGRAPH.search(claim):
        texts = " ".join((*evidence.texts, *evidence.frame, evidence.question))
        share = missing_ideographs(claim, texts)
        if share > 0.5:
            faults.hard.append("the quote does not say it")
        elif share > 0.1:
            faults.soft.append("the quote does not say all of it")


def _check_clauses(claim: str, names: Sequence[Name], evidence: Evidence, faults: Faults) -> None:
    """Doubt a claim whose words the quote says of another thing than the one it begins with."""
    if evidence.place.structured or not names:
        return
    words = content_words(_without(claim, names))
    far = said_of_another(names[0].text, words, evidence.quote)
    if far:
        faults.soft.append(f"the quote says “{', '.join(far)}” of something else")
    elif most := lesser(claim, evidence.quote):
        faults.soft.append(f"the quote does not say “{most}” without a rank")
    elif noun := whose_else(claim, evidence.quote):
        faults.soft.append(f"the quote says of something else whose “{noun}” it is")
    elif whole := of_another_whole(claim, evidence.quote):
        faults.soft.append(f"the quote speaks of what is of a {whole}")


def _without(claim: str, names: Sequence[Name]) -> str:
    for name in sorted(names, key=lambda one: -one.start):
        claim = claim[: name.start] + " " + claim[name.start + len(name.text) :]
    return claim


def lacking_words(claim: str, names: Sequence[Name], evidence: Evidence) -> list[str]:
    """Return the content words of a claim, its names left out, that the evidence does not hold."""
    said = _without(claim, names)
    months = {fold(word) for date in find_dates(claim) for word in date.text.split()}
    units = {
        fold(word) for figure in find_figures(claim) for word in re.split(r"[\s-]", figure.text)
    }
    left = [
        word
        for word in content_words(said)
        if word not in NUMBER_WORDS and word not in months and word not in units
        and not any(part in NUMBER_WORDS for part in word.split("-"))
    ]  # fmt: skip
    return missing_words(left, evidence.stems, stems_of(evidence.chunk.text))
