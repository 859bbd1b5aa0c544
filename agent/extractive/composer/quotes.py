"""An answer without sub-answers: the facts of the hits that fit best, quoted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.extractive.composer.abstention import off_topic
from agent.extractive.composer.lines import Marks, shown_marks
from agent.extractive.composer.sub_answers import sub_answer
from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.finder.lists import find_members
from agent.extractive.finder.ranking import rank_facts
from agent.extractive.language.words import count_of
from agent.reasoner import Composed
from agent.types import Style, SubQuestion
from retrieval.types import Embedder, Hit

MOST_FACTS = 8
"""Facts that an answer without sub-questions quotes."""
QUOTED_FROM = 0.35
"""Score from which a fact is worth quoting in an open-ended answer."""
OFF_TOPIC = "no passage holds half of what the question says"
UNFIT = "nothing in the passages fits the question well enough to be quoted"


def quote_facts(
    questions: Sequence[str],
    hits: Sequence[Hit],
    style: Style,
    *,
    embedder: Embedder,
    title_of: Callable[[str], str | None],
    lead_of: Callable[[str], str],
) -> Composed:
    """Quote the facts of the hits that answer the questions best.

    Args:
        questions: the question, and its core sub-questions where they are known.
        hits: the only evidence.
        style: short asks for the members of a list alone.
        embedder: compares meanings.
        title_of: returns the title that a name leads to.
        lead_of: returns how the article of a title begins.
    """
    if off_topic(questions[0], hits):
        return Composed(text="", withheld=OFF_TOPIC)
    facts = facts_of(hits)
    marks = Marks(hits)
    asked = read_asked(questions[0], title_of)
    if asked.many:
        count = count_of(questions[0])
        listing = find_members(asked, facts, embedder, count, lead_of)
        if listing is not None and style == "short":
            names = tuple(dict.fromkeys(member.name for member in listing.members))
            answer = sub_answer(
                SubQuestion(id="1", text=questions[0], kind="core"),
                "",
                names,
                list({id(m.fact): m.fact for m in listing.members}.values()),
            )
            lines = [f"{name}{shown_marks(marks.of(answer, name))}" for name in names]
            return Composed(text="\n".join(lines), items=names, quotes=tuple(marks.quotes))
    chosen: dict[int, Fact] = {}
    each = max(1, MOST_FACTS // len(questions))
    for text in questions:
        ranked = rank_facts(read_asked(text, title_of), facts, embedder)
        good = [fact for fact, score in ranked if score >= QUOTED_FROM]
        for fact in good[: MOST_FACTS if len(questions) == 1 else each]:
            chosen.setdefault(id(fact), fact)
    number_of = {hit.chunk.id: number for number, hit in enumerate(hits, start=1)}
    lines, quotes = [], []
    for fact in chosen.values():
        number = number_of[fact.hit.chunk.id]
        said = f"“{fact.text}”" if style == "long" else fact.text
        lines.append(f"{_about(fact)}{said} [{number}]")
        quotes.append((number, fact.text))
    return Composed(
        text="\n".join(lines),
        items=tuple(fact.text for fact in chosen.values()),
        quotes=tuple(quotes),
        withheld="" if chosen else UNFIT,
    )


def _about(fact: Fact) -> str:
    """Return whom a fact is about where it does not say so: "Satellites: 97" alone says nothing."""
    name = re.sub(r"\s*\(.*\)$", "", fact.title)
    return "" if name.casefold() in fact.text.casefold() else f"{name}: "
