"""What is shown where nothing was answered: the passages nearest to the question, in their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.types import Citation, SubAnswer
from corpus.text import sentence_spans
from retrieval.types import Hit

MOST = 3
LONGEST = 300
"""Characters of one quote."""
_HEAD = re.compile(r"#{1,6} |(?!.*: ).* \| ")
"""A heading's line, or that of a table's heads, which has no `Label: value`."""
_WORD = re.compile(r"\w{3,}|[\u3400-\u9fff]")


def nearest_passages(
    question: str, hits: Sequence[Hit], answers: Sequence[SubAnswer] = ()
) -> tuple[Citation, ...]:
    """Return what sub-answers that were not asserted rest on, then quotes of the first hits.

    A hit is quoted from the sentence nearest to the question onwards. Passages answer nothing by
    themselves, and say so by their support.

    Args:
        question: in words.
        hits: best first; one quote is taken of each of the first.
        answers: of the sub-questions.
    """
    words = set(_WORD.findall(question.casefold()))
    held = {(one.chunk_id, one.start): one for answer in answers for one in answer.citations}
    passages = [
        replace(one, number=number, support="unsure")
        for number, one in enumerate(list(held.values())[:MOST], start=1)
    ]
    quoted = {one.chunk_id for one in passages}
    left = [hit for hit in hits if hit.chunk.id not in quoted][: MOST - len(passages)]
    for number, hit in enumerate(left, start=len(passages) + 1):
        chunk = hit.chunk
        start, end = _nearest(words, chunk.text)
        passages.append(
            Citation(
                number=number,
                chunk_id=chunk.id,
                revision=chunk.revision,
                start=chunk.start + start,
                end=chunk.start + end,
                quote=chunk.text[start:end],
                support="unsure",
            )
        )
    return tuple(passages)


def _nearest(words: set[str], text: str) -> tuple[int, int]:
    """Return the span of the sentence that shares most words, and of what follows it and fits.

    It ends with its paragraph; headings and the heads of tables say nothing by themselves.
    """
    spans = [span for span in sentence_spans(text) if not _HEAD.match(text[slice(*span)])]
    if not spans:
        return 0, min(LONGEST, len(text))

    def shared(span: tuple[int, int]) -> int:
        return len(words & set(_WORD.findall(text[slice(*span)].casefold())))

    first = max(range(len(spans)), key=lambda place: (shared(spans[place]), -place))
    start, end = spans[first]
    for begin, later in spans[first + 1 :]:
        between = text[end:begin]
        if later - start > LONGEST or between.strip() or "\n\n" in between:
            break
        end = later
    if end - start > LONGEST:
        cut = text.rfind(" ", start, start + LONGEST)
        end = cut if cut > start else start + LONGEST
    return start, end
