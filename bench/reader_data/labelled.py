"""Groups of bench/data/labels_*.txt: a box or a row with short questions that one label answers.

A group starts with "box: THING", or "table: CAPTION" and "row: THING"; then come its labels, a value
under each, and a line a label with the questions that it answers ("-": that none does).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reader_data.examples import Example, overlap, windows_in
from reader_data.tables import table_windows

_POLAR = re.compile(r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.I)


@dataclass(slots=True)
class Group:
    """A box or a row, and what is asked of it."""

    caption: str
    """Of the row's table; empty for a box."""
    thing: str = ""
    labels: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    wordings: list[tuple[str, int]] = field(default_factory=list)
    """Each with the place of the label that answers, -1 where none does."""


def groups(paths: Iterable[Path]) -> list[Group]:
    """The groups of files; SystemExit where a line names a label that its group has not."""
    found: list[Group] = []
    for path in paths:
        for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            line = raw.strip()
            head, colon, rest = line.partition(":")
            if not colon or line.startswith("#"):
                continue
            rest = rest.strip()
            if head in ("box", "table"):
                found.append(Group(rest) if head == "table" else Group("", rest))
                continue
            group = found[-1]
            if head == "row":
                group.thing = rest
            elif head == "labels":
                group.labels = tuple(one.strip() for one in rest.split(";"))
            elif head == "values":
                group.values = tuple(rest.split(" | "))
                if len(group.values) != len(group.labels):
                    raise SystemExit(f"{path}:{number}: not a value for each label")
            else:
                # A label may hold a colon itself.
                name = next((one for one in group.labels if line.startswith(one + ":")), head)
                if name != "-" and name not in group.labels:
                    raise SystemExit(f"{path}:{number}: no label {name!r} in its group")
                answer = -1 if name == "-" else group.labels.index(name)
                asked = (one.strip() for one in line[len(name) + 1 :].split("|"))
                group.wordings += [(one, answer) for one in asked if one]
    return found


def telling_words(thing: str) -> list[str]:
    """The words of a thing's name that tell it, the longest first."""
    bare = re.sub(r"\s*\([^()]*\)$", "", thing)
    return sorted(re.findall(r"[\w'’.-]{4,}", bare), key=len, reverse=True)


def labelled(paths: Iterable[Path], rng: random.Random) -> Iterator[Example]:
    """What is asked of a group's thing by its name, with some of its lines: with the answer, and without.

    Questions of yes or no are left out: their words stand nowhere.
    """
    for group in groups(paths):
        names = [name.casefold() for name in telling_words(group.thing)]
        for question, answer in group.wordings:
            named = any(name in question.casefold() for name in names)
            if not named or _POLAR.match(question):
                continue
            others = [i for i in range(len(group.labels)) if i != answer and rng.random() < 0.8]
            if answer >= 0:
                yield from _read(group, question, sorted({answer, *others}), answer, "label")
            if answer < 0 or rng.random() < 0.4:
                yield from _read(group, question, others, -1, "label none")


def _read(
    group: Group, question: str, lines: list[int], answer: int, source: str
) -> Iterator[Example]:
    """A question with the window of these lines that answers, or seems to."""
    labels, values = ([part[i] for i in lines] for part in (group.labels, group.values))
    if group.caption:
        windows = table_windows(group.caption, labels, [values])
    else:
        text = "\n".join(f"{label}: {value}" for label, value in zip(labels, values, strict=True))
        windows = windows_in(group.thing, text)
    if not windows:
        return
    if answer < 0:
        likeliest = max(windows, key=lambda w: overlap(question, w.text))
        yield Example(question, likeliest.text, -1, -1, source)
        return
    line = f"{group.labels[answer]}: {group.values[answer]}"
    for window in windows:
        at = window.text.find(line, window.body)
        if at >= 0:
            end = at + len(line)
            yield Example(question, window.text, end - len(group.values[answer]), end, source)
            return
