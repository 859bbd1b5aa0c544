"""Audits gold answers against a snapshot: what its articles do not say cannot be answered from it.

A benchmark's answers were written from one revision of each article and a snapshot holds another,
or lacks the article: such questions are lost to every system, and a score does not show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from corpus.store import Snapshot
from evals.metrics.fanoutqa import Reference, normalise
from evals.runs.system.articles import find_article
from evals.types import Sample

ANSWER = "answer"
"""Stands for a step's id where the whole question's answer is meant."""
_COMPUTABLE = re.compile(r"[\d.,%\s$€£-]+|yes|no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """A string of a gold answer that none of the question's articles contains."""

    step: str
    """Id of the gold step, or `ANSWER`."""
    text: str
    computable: bool
    """A number, yes or no: it may follow from what the articles say without standing there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Newer:
    """An article of which the gold answer used a later revision than the snapshot holds."""

    title: str
    gold_rev_id: int
    rev_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What stands between one question and this snapshot."""

    id: str
    question: str
    missing: tuple[str, ...]
    """Necessary articles that the snapshot lacks."""
    newer: tuple[Newer, ...]
    undated: tuple[str, ...]
    """Articles of which the data does not know the revision that its answer was written from."""
    absent: tuple[Absent, ...]

    @property
    def answerable(self) -> bool:
        """Whether every article is there and every string that must stand in one does."""
        return not self.missing and all(absent.computable for absent in self.absent)


def audit(samples: Sequence[Sample], snapshot: Snapshot) -> Iterator[Audit]:
    """Audit each sample against the articles it names as its evidence.

    Args:
        samples: with `evidence`; their steps' own evidence is looked at step by step.
        snapshot: the snapshot that a run would search.
    """
    pages = {title: page for sample in samples for title, page in sample.pages.items()}
    dated = any(sample.revisions for sample in samples)

    @lru_cache(maxsize=512)
    def text_of(title: str) -> str | None:
        article = find_article(snapshot, title, pages)
        return None if article is None else normalise(f"{article.revision.title} {article.text}")

    for sample in samples:
        articles = {title: find_article(snapshot, title, pages) for title in sample.evidence}
        steps = [(step.id, step.answer, step.evidence) for step in sample.steps if step.evidence]
        claims = [*steps, (ANSWER, sample.reference, sample.evidence)]
        yield Audit(
            id=sample.id,
            question=sample.question,
            missing=tuple(title for title, article in articles.items() if article is None),
            newer=tuple(
                Newer(
                    title=title,
                    gold_rev_id=sample.revisions[title],
                    rev_id=article.revision.rev_id,
                )
                for title, article in articles.items()
                if article is not None and sample.revisions.get(title, 0) > article.revision.rev_id
            ),
            undated=tuple(t for t in sample.evidence if dated and t not in sample.revisions),
            absent=tuple(
                Absent(step=step, text=said, computable=bool(_COMPUTABLE.fullmatch(said)))
                for step, answer, titles in claims
                for said in dict.fromkeys(_strings(answer))
                # What a missing article would have said is not known.
                if (texts := [text_of(title) for title in titles])
                and None not in texts
                and not any(_stands_in(said, text) for text in texts if text is not None)
            ),
        )


def _strings(reference: Reference) -> Iterator[str]:
    if isinstance(reference, Mapping):
        for key, value in reference.items():
            yield from _strings(key)
            yield from _strings(value)
    elif isinstance(reference, Sequence) and not isinstance(reference, str):
        for part in reference:
            yield from _strings(part)
    elif isinstance(reference, bool):
        yield "yes" if reference else "no"
    elif reference is not None:
        yield str(reference)


def _stands_in(said: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(normalise(said))}\b", text) is not None
