"""What stands for things in a question: their names, or a phrase for what another question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.language import verbs, words
from agent.extractive.language.clauses import form_of
from agent.extractive.language.phrases import tokenise
from agent.extractive.language.words import is_cjk
from agent.plan import fill_placeholders, placeholders
from agent.types import SubQuestion

LONGEST_FILL = 120
"""Characters of what fills a placeholder, at most."""
MOST_WORDS = 12
"""Words of what fills a placeholder, at most: names of things are shorter, sentences are not."""
_SENTENCE = re.compile(r"(?:\S+\s+){4,}\S*\w{3,}[.!?]$|[。！？]|\w{3,}[.!?;]\s+[A-Z]")
MOST_JOINED = 40
"""Entities in a list that fills one placeholder."""
_TOGETHER = re.compile(
    r"(?:\b(?:which|who|one|how many|any|none|most|all|total|sum|average)\s+of"
    r"|(?:^|[,;:]\s*)of|\b(?:among|amongst|between|compare|comparing))(?:\s+the)?\s*$",
    re.IGNORECASE,
)
"""Words before a placeholder that ask about all entities at once."""
_TOGETHER_AFTER = re.compile(r"^\s*(?:之?中|里|里面)的?[，,]?(?:哪|谁|最|有)")
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff\u3040-\u30ff]")
_FREE = {"who": "whoever", "what": "what", "which": "what"}
"""Question words as they begin a clause that stands for a thing."""


def described(question: str) -> str:
    """Return what a question asks for, by its form: "the eight planets" of "What are the eight planets?".

    "Who discovered Titan?" becomes "whoever discovered Titan", "Which rivers cross it?" "the rivers
    that cross it", "When was it built?" "when it was built". A question of another form, or in
    another language, is quoted: "the answer to “…”".
    """
    text = question.strip().rstrip(" ?？.")
    quoted = f"the answer to “{text}”"
    tokens = tokenise(text)
    if is_cjk(text) or len(tokens) < 3 or tokens[0].low not in words.WH:
        return quoted
    form = form_of(tokens)

    def said(start: int, end: int | None = None) -> str:
        chosen = tokens[start:end]
        return text[chosen[0].start : chosen[-1].end] if chosen else ""

    asking = tokens[0].low
    if form.kind == "copular" and asking in ("what", "who", "which"):
        done = verbs.is_participle(tokens[form.start].low)
        return said(form.start) if not done else f"{_FREE[asking]} {said(form.auxiliary)}"
    counted = asking == "how" and tokens[1].low in ("many", "much")
    noun = said(2 if counted else 1, form.auxiliary)
    of = f"the number of {noun}" if counted else f"the {noun}"
    of = f"those {noun}" if noun.lower().startswith("of ") else of
    if form.kind == "subject":
        if asking in ("what", "which") or counted:
            return f"{of} that {said(form.auxiliary)}" if noun else f"what {said(form.auxiliary)}"
        return f"{_FREE[asking]} {said(form.auxiliary)}" if asking == "who" else quoted
    if form.kind != "inverted" or (tokens[-1].low in words.PREPOSITION and form.end >= len(tokens)):
        return quoted
    told = _told(said(form.start, form.end), tokens[form.auxiliary].low, said(form.end))
    if asking in ("when", "where", "why") or (asking in ("what", "who") and not noun):
        return f"{asking} {told}"
    if counted or asking in ("what", "which"):
        return f"{of} that {told}" if noun else quoted
    return f"how {noun + ' ' if noun else ''}{told}" if asking == "how" else quoted


def _told(subject: str, auxiliary: str, predicate: str) -> str:
    """A clause in the order of a statement: "Ann died" of "did Ann die"."""
    first, _, rest = predicate.partition(" ")
    if auxiliary == "did" and first:
        return " ".join(filter(None, (subject, verbs.past(first.lower()), rest)))
    return " ".join(filter(None, (subject, auxiliary, predicate)))


def spell_out(step: SubQuestion, steps: Sequence[SubQuestion]) -> str:
    """Return a step's text with each placeholder put into words, for use without replanning.

    What a step waits for is described, not named: "the rivers that cross it", not its question.
    """
    texts = {other.id: other.text for other in steps}
    text = step.text
    for _ in range(len(steps)):
        wanted = [id_ for id_ in placeholders(text) if id_ in texts]
        if not wanted:
            break
        text = fill_placeholders(text, {id_: described(texts[id_]) for id_ in wanted})
    return text


def join_items(items: Sequence[str]) -> str:
    """Return "A, B and C", or "A、B、C" in a script that writes lists so."""
    items = list({item.casefold(): item for item in items}.values())[:MOST_JOINED]
    if any(_IDEOGRAPH.search(item) for item in items):
        return "、".join(items)
    return " and ".join(filter(None, (", ".join(items[:-1]), items[-1])))


def names_something(item: str) -> bool:
    """Whether an item names a thing: a sentence in the place of a name asks for nothing."""
    return (
        0 < len(item) <= LONGEST_FILL
        and len(item.split()) <= MOST_WORDS
        and not _SENTENCE.search(item)
    )


def asked_together(text: str, id_: str) -> bool:
    """Whether a question asks about all things that stand for `{id}` at once."""
    before, _, after = text.partition(f"{{{id_}}}")
    return bool(_TOGETHER.search(before) or _TOGETHER_AFTER.search(after))
