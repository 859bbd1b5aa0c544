"""A plan as a language model writes it: word by word, each word a few tokens.

    count
    set what are the lakes in Finland
    > 1,000 km2: how large is #1

The model goes on from the question and a line break. Each word is made tokens by itself, so that what
may be said next is known as words: those that need not be asked, and those of the question in some form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.extractive.planner.writer.choices import Action, actions_of, followed
from agent.extractive.planner.writer.forms import Word, forms_of, words_in
from agent.extractive.planner.writer.program import ASKED, BESIDE, END, KINDS, OPERATORS, REFERENCES

STOP = 2
"""The token that ends a plan: SmolLM2's <|im_end|>."""
_CLOSING = frozenset(",;:.!?)]%”»")
_WRITTEN = {
    ASKED: ":",
    BESIDE: " |",
    **{f"<{one}>": f"\n{one}" for one in KINDS},
    **{f"<{one}>": f"\n{one}" for one in OPERATORS},
    **{reference: f" #{number}" for number, reference in enumerate(REFERENCES, 1)},
}

Encode = Callable[[str], Sequence[int]]


def tokens_of(word: str, encode: Encode) -> tuple[int, ...]:
    """The tokens of one word of a plan, with the space or the line break before it."""
    if word == END:
        return (STOP,)
    written = _WRITTEN.get(word)
    if written is None:
        closing = word[0] in _CLOSING or word in ("'s", "’s")
        written = word if closing else f" {word}"
    return tuple(encode(written))


def sayings_of(question: Sequence[Word], vocabulary: Sequence[str]) -> list[str]:
    """Every word that a plan of a question may say.

    Args:
        question: its words.
        vocabulary: the words that need not be in it.
    """
    asked = [word.text for word in question]
    said = dict.fromkeys([*vocabulary, *asked])
    known = {word.casefold() for word in said}
    for word in asked:
        for made in forms_of(word):
            if made is not None and made.casefold() not in known:
                known.add(made.casefold())
                said[made] = None
    return list(said)


def said_in(question: str, row: Sequence[str], vocabulary: Sequence[str]) -> list[str] | None:
    """The words of a plan as the question has them, None where one can be said in no way."""
    numbers = {word: number for number, word in enumerate(vocabulary)}
    asked = [word.text for word in words_in(question)]
    found, before = [], -1
    for word in row:
        actions: list[Action] = actions_of(word, asked, numbers)
        if not actions:
            return None
        form, place = followed(actions, before)
        found.append(
            vocabulary[place] if form < 0 else forms_of(asked[place])[form] or asked[place]
        )
        before = place if form >= 0 else -1
    return found
