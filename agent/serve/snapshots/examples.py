"""Questions that a snapshot can be asked: read off the fact boxes of its own articles.

Articles of one kind have the same lines in their boxes ("Composer: …", "Length: …"): a line that
three of them share is a question that needs three articles, and that these articles answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from corpus.store import Snapshot
from corpus.types import Article

OFFERED = 3
NAMED = 3
"""Articles in one question."""
READ = 500
"""Articles that are looked at: enough for questions, and read in less than a second."""
SAME_KIND = 0.6
"""Share of lines that two boxes have in common, from which they are of one kind (Jaccard)."""
_LINE = re.compile(r"^([A-Z][\w /()'-]{1,40}): (\S.*)$")
_UNFIT = re.compile(r"\(|^(?:The|An?) ")
_FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "Length": "Which is the longest: {}?",
        "Composer": "Who composed {}?",
        "Capital": "What are the capitals of {}?",
        "Population total": "Which of {} has the most inhabitants?",
        "Discoverer": "Who discovered {}?",
        "Birth place": "Where were {} born?",
        "Director": "Who directed {}?",
        "Author": "Who wrote {}?",
        "Designer": "Who designed {}?",
        "Mouth": "Where do {} end?",
        "Elevation m": "Which is the highest: {}?",
        "Area": "Which of {} has the largest area?",
        "Founder": "Who founded {}?",
        "Established": "When were {} established?",
        "Release date": "When were {} released?",
        "Released": "When were {} released?",
        "Headquarters": "Where are the headquarters of {}?",
        "Currency": "What are the currencies of {}?",
    },
}
"""By language: a line of a box, and the question that it answers for several articles."""


@dataclass(frozen=True, slots=True)
class _Boxed:
    article: Article
    keys: frozenset[str]


def examples(snapshot: Snapshot) -> tuple[str, ...]:
    """Return at most three questions that the snapshot's articles answer, each about three of them.

    The same snapshot gives the same questions. None are made in a language that has no wording
    for them here, or where too few articles have boxes.
    """
    forms = _FORMS.get(snapshot.manifest.language, {})
    boxed: dict[str, list[_Boxed]] = defaultdict(list)
    for article in islice(snapshot.articles(), READ):
        keys = _box(article.text)
        for key in keys & forms.keys():
            boxed[key].append(_Boxed(article, keys))
    made: list[str] = []
    asked: set[str] = set()
    for key, form in forms.items():
        titles = [title for title in _alike(boxed[key]) if title not in asked][:NAMED]
        if len(titles) == NAMED:
            asked.update(titles)
            made.append(form.format(_listed(titles, "or" if "Which" in form else "and")))
        if len(made) == OFFERED:
            break
    return tuple(made)


def _box(text: str) -> frozenset[str]:
    """Return the names of the lines of the box that an article begins with."""
    keys: set[str] = set()
    for line in text.partition("\n\n")[0].split("\n"):
        match = _LINE.match(line)
        if match is None:
            break
        keys.add(match[1])
    return frozenset(keys)


def _alike(boxed: Sequence[_Boxed]) -> list[str]:
    """Return titles of the largest group of one kind, longest article first."""
    groups: list[list[_Boxed]] = []
    for one in boxed:
        for group in groups:
            seed = group[0].keys
            if len(seed & one.keys) >= SAME_KIND * len(seed | one.keys):
                group.append(one)
                break
        else:
            groups.append([one])
    largest = max(groups, key=len, default=[])
    # A title with a bracket or with "The" before it reads badly in a list of names.
    plain = [one.article for one in largest if not _UNFIT.search(one.article.revision.title)]
    plain.sort(key=lambda article: (-len(article.text), article.revision.title))
    return [article.revision.title for article in plain]


def _listed(titles: Sequence[str], word: str) -> str:
    return f"{', '.join(titles[:-1])} {word} {titles[-1]}"
