"""What a step's next word may be: a word of the vocabulary, or a word of the question in some form."""

from __future__ import annotations

from collections.abc import Sequence

from agent.extractive.language.words import number_of
from agent.extractive.planner.writer.forms import forms_of

Action = tuple[int, int]
"""(form, place of a word of the question); a form of -1 for a word of the vocabulary."""


def actions_of(word: str, question: Sequence[str], vocabulary: dict[str, int]) -> list[Action]:
    """Every way to say a word of a step.

    Args:
        word: of the step.
        question: its words.
        vocabulary: the words that need not be in it, in lower case.
    """
    low = word.casefold()
    found: list[Action] = []
    if low in vocabulary:
        found.append((-1, vocabulary[low]))
    count = number_of(word) if word.isdigit() else None
    for place, said in enumerate(question):
        for form, made in enumerate(forms_of(said)):
            if made is not None and made.casefold() == low:
                found.append((form, place))
                break
        else:
            if count is not None and number_of(said) == count:
                found.append((0, place))
    return found


def followed(actions: Sequence[Action], before: int) -> Action:
    """The one way that is shown to the writer: what goes on from the word copied last, if any does.

    Args:
        actions: at least one.
        before: the place of the word of the question that was written last, -1 for none.
    """
    for action in actions:
        if action[0] >= 0 and before >= 0 and action[1] == before + 1:
            return action
    vocabulary = [action for action in actions if action[0] < 0]
    if vocabulary:
        return vocabulary[0]
    later = [action for action in actions if action[1] > before]
    return (later or list(actions))[0]
