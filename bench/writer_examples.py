"""Examples of the writer of steps: questions with their plans, multiplied, and as numbers."""

from __future__ import annotations

import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

import numpy as np  # noqa: E402
import torch  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from writer_model import COUNT_OF_FORMS, LONGEST_ROW  # noqa: E402

from agent.extractive.planner.writer.choices import Action, actions_of, followed  # noqa: E402
from agent.extractive.planner.writer.forms import cases, forms_of, words_in  # noqa: E402
from agent.extractive.planner.writer.model import LONGEST, pieces_of  # noqa: E402
from agent.extractive.planner.writer.program import Line, row_of  # noqa: E402

NUMBERS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


@dataclass(frozen=True, slots=True)
class Example:
    """A question and its plan."""

    question: str
    operator: str
    lines: tuple[Line, ...]


def names_of(one: Example) -> list[str]:
    """Names in a question that its steps say as well: runs of capitals, and what is listed."""
    plan = " ".join(f"{line.bound} {line.said}" for line in one.lines)
    found = []
    for run in re.finditer(
        r"(?<![.!?] )(?<!^)\b[A-Z][\w'’-]*(?: (?:of |de |van |the )?[A-Z][\w'’-]*)*", one.question
    ):
        if re.search(rf"\b{re.escape(run[0])}\b", plan) and len(run[0]) > 2:
            found.append(run[0])
    for line in one.lines:
        if line.kind == "names":
            found += [
                n.strip()
                for n in line.said.split("|")
                if "{" not in n and n.strip() in one.question
            ]
    return list(dict.fromkeys(found))


def renamed(one: Example, pool: list[str], rng: random.Random) -> Example:
    """The question with names exchanged for others, in its steps as well."""
    text, lines = one.question, one.lines
    for name in names_of(one):
        if rng.random() > 0.5:
            continue
        other = rng.choice(pool)
        if any(other.casefold() in t.casefold() for t in (text, *(line.said for line in lines))):
            continue
        if name == name.lower():
            other = other.lower()
        text, lines = (
            _exchanged(text, name, other),
            tuple(
                Line(li.kind, _exchanged(li.bound, name, other), _exchanged(li.said, name, other))
                for li in lines
            ),
        )
    return Example(text, one.operator, lines)


def _exchanged(text: str, name: str, other: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: other, text)


def joined(one: Example, other: Example, rng: random.Random) -> Example:
    """Two questions asked in one breath."""
    if one.operator != "give" or other.operator != "give" or len(one.lines) + len(other.lines) > 5:
        return one
    shift = len(one.lines)

    def moved(text: str) -> str:
        return re.sub(r"\{(\d+)\}", lambda m: f"{{{int(m[1]) + shift}}}", text)

    lines = [*one.lines, *(Line(li.kind, moved(li.bound), moved(li.said)) for li in other.lines)]
    link = rng.choice([" And ", " ", " Also, ", " Another thing: ", " and "])
    first = one.question.rstrip(" ?.") + ("" if link == " and " else rng.choice("??."))
    second = other.question
    if link != " " and second[1:2].islower():
        second = second[:1].lower() + second[1:]
    return Example(first + link + second, "give", tuple(lines))


def roughened(one: Example, rng: random.Random) -> Example:
    """The question without capitals, or without some of its marks."""
    text = one.question
    if rng.random() < 0.15:
        text = text.lower()
    if rng.random() < 0.2:
        text = text.rstrip("?.")
    if rng.random() < 0.1:
        text = re.sub(r",(?= )", "", text)
    if rng.random() < 0.5:
        text = re.sub(
            r"(?<![\w.,:{-])([2-9]|1[0-2])(?= [a-z])", lambda m: NUMBERS[int(m[1]) - 2], text
        )
    return Example(text, one.operator, one.lines)


@dataclass(slots=True)
class Encoded:
    """An example as numbers."""

    ids: list[int]
    written: list[int]
    spans: list[list[int]]
    """The pieces of every word of the question."""
    formed: list[list[bool]]
    """[forms][words]: whether the word has the form."""
    shown: list[Action]
    """What was said before each word of the row."""
    wanted: list[list[Action]]
    """Every way to say each word."""


def encode(one: Example, tokenizer: Tokenizer, vocabulary: dict[str, int]) -> Encoded | None:
    """An example as numbers, None where a word can be said in no way, or it is too long."""
    encoding = tokenizer.encode(one.question)
    words = words_in(one.question)
    ids, offsets = encoding.ids, encoding.offsets
    if len(ids) > LONGEST:
        return None
    spans = pieces_of(words, offsets)
    texts = [w.text for w in words]
    formed = [[forms_of(t)[f] is not None for t in texts] for f in range(COUNT_OF_FORMS)]
    row = row_of(one.operator, one.lines)
    if len(row) >= LONGEST_ROW:
        return None
    shown: list[Action] = [(-1, len(vocabulary))]
    wanted = []
    before = -1
    for word in row:
        actions = actions_of(word, texts, vocabulary)
        if not actions:
            return None
        wanted.append(actions)
        chosen = followed(actions, before)
        before = chosen[1] if chosen[0] >= 0 else -1
        shown.append(chosen)
    return Encoded(ids, cases(one.question, offsets), spans, formed, shown[:-1], wanted)


def batch_of(
    batch: list[Encoded], vocabulary: int
) -> tuple[dict[str, torch.Tensor], torch.Tensor, torch.Tensor, torch.Tensor]:
    """The inputs, what can be said [texts, choices], what is right [texts, row, choices], the rows."""
    n = len(batch)
    pieces = max(len(e.ids) for e in batch)
    words = max(len(e.spans) for e in batch)
    rows = max(len(e.shown) for e in batch)
    choices = vocabulary + COUNT_OF_FORMS * words
    ids, mask, written = (np.zeros((n, pieces), np.int64) for _ in range(3))
    means = np.zeros((n, words, pieces), np.float32)
    said, form = (np.zeros((n, rows), np.int64) for _ in range(2))
    copied, real = (np.zeros((n, rows), bool) for _ in range(2))
    possible = np.zeros((n, choices), bool)
    possible[:, :vocabulary] = True
    right = np.zeros((n, rows, choices), bool)
    for t, e in enumerate(batch):
        ids[t, : len(e.ids)] = e.ids
        mask[t, : len(e.ids)] = 1
        written[t, : len(e.ids)] = e.written
        for w, span in enumerate(e.spans):
            means[t, w, span] = 1 / len(span)
        for f, line in enumerate(e.formed):
            possible[t, vocabulary + f * words : vocabulary + f * words + len(line)] = line
        for i, (f, p) in enumerate(e.shown):
            said[t, i], copied[t, i], form[t, i] = p, f >= 0, max(f, 0)
        for i, actions in enumerate(e.wanted):
            real[t, i] = True
            for f, p in actions:
                right[t, i, p if f < 0 else vocabulary + f * words + p] = True
    tensors = {"ids": ids, "mask": mask, "written": written, "means": means, "said": said,
               "from_question": copied, "form": form}  # fmt: skip
    inputs = {name: torch.from_numpy(value) for name, value in tensors.items()}
    return inputs, torch.from_numpy(possible), torch.from_numpy(right), torch.from_numpy(real)
