"""The fact that proves words best: of all that hold them, not always the one they were found in.

"Designer: Guido van Rossum" hardly says who invented Python; "Guido van Rossum began it in 1989" does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.subanswers import Confirms
from agent.citations.support.answers import examine_answer
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.language.stems import content_stems

MOST_HEARD = 3
"""Other facts with the same words that are looked at."""


def witness(
    asked: Asked,
    value: str,
    found: Fact,
    facts: Sequence[Fact],
    confirms: Confirms,
) -> Fact | None:
    """Return the fact that proves words to answer a step: the one they were found in, or another.

    A sentence of another article may speak of another thing, whatever words it shares with the
    step: of articles that the step does not name only boxes, rows and lists are heard, where they say
    what is asked.

    Args:
        asked: the step.
        value: the words, of which their finder is sure.
        found: where they were found.
        facts: that were read for the step.
        confirms: whether a quote that lacks words of the step says it all the same.

    Returns:
        None where no fact proves them.
    """

    def proves(fact: Fact) -> bool:
        chunk = fact.hit.chunk
        verdict, held = examine_answer(asked.text, (value,), fact.text, chunk)
        if verdict.ruling == "supported":
            return bool(held)
        lacks_words = bool(held) and verdict.wording and fact.title in own
        return lacks_words and confirms(asked.text, value, fact.text, chunk)

    own = {found.title, *asked.subjects}
    whole = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
    others = [
        fact
        for fact in facts
        if (fact.title in own or fact.cells) and fact.text != found.text and whole.search(fact.text)
    ]
    others.sort(key=lambda fact: -_said(asked, fact))
    return next(filter(proves, [found, *others[:MOST_HEARD]]), None)


def _said(asked: Asked, fact: Fact) -> int:
    """How many of a question's telling words a fact has, with its title."""
    return len(asked.stems & {*content_stems(fact.text), *content_stems(fact.title)})
