"""Examples for the reader: questions with the window of facts that answers them, or does not.

Sources, all read from a data folder and none of it kept in the repository:
SQuAD 2.0 (Rajpurkar et al. 2018), WikiTableQuestions (Pasupat and Liang 2015), FeTaQA (Nan et al.
2022), all CC BY-SA 4.0, and questions made from the boxes and tables of Wikipedia dumps.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reader_clozes import clozes

from agent.extractive.finder.facts import facts_of
from agent.extractive.reader.windows import Window, windows_of
from corpus.chunk import spans
from corpus.store import Snapshot
from corpus.types import Chunk, Revision
from retrieval.types import Hit

HELD_OUT = frozenset(["Normans", "Packet_switching", "Immune_system", "Warsaw"])
"""Articles of SQuAD that no training sees."""
TUNING = frozenset(["Huguenot"])
"""The article that thresholds are set on."""
NO_LOOK_UP = re.compile(
    r"\b(?:how many|how much|number of|total|difference|more|most|least|fewest|first|last|next|"
    r"before|after|previous|following|same|average|longest|shortest|highest|lowest|largest|"
    r"smallest|above|below|top|latest|earliest|best|worst|or|consecutive|times|tallest|oldest|"
    r"youngest|biggest|greatest|preceded|prior|newest|fastest|slowest|heaviest|maximum|minimum)\b"
)
"""Words of questions on tables that a single look-up does not answer."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question, what is read for it, and the span that answers: (-1, -1) where none does."""

    question: str
    text: str
    start: int
    end: int
    source: str


@dataclass(frozen=True, slots=True)
class Case:
    """A question with everything that may be read for it, as it is tested."""

    question: str
    windows: tuple[Window, ...]
    answers: tuple[str, ...]
    """Empty where it has none."""


def part(name: str) -> int:
    """A number from 0 to 9 that a name always gets: what is held out is the same every time."""
    return zlib.crc32(name.encode()) % 10


def hit_of(title: str, text: str, number: int = 0, section: str = "") -> Hit:
    """A text as a hit, for texts that come from no snapshot."""
    revision = Revision(page_id=0, rev_id=0, title=title, timestamp="", url="")
    chunk = Chunk(
        id=f"{title}:{number}",
        revision=revision,
        start=0,
        end=len(text),
        section=section,
        text=text,
    )
    return Hit(chunk=chunk, score=0.0, rank=1, source="data")


def windows_in(title: str, text: str, number: int = 0, section: str = "") -> list[Window]:
    """The windows of a text of any length."""
    pieces = [text[start:end] for start, end in spans(text)]
    return [
        window
        for i, piece in enumerate(pieces)
        for window in windows_of(facts_of([hit_of(title, piece, number * 1000 + i, section)]))
    ]


def overlap(question: str, text: str) -> float:
    """How many of a question's longer words a text holds."""
    wanted = {word[:6] for word in re.findall(r"\w{4,}", question.casefold())}
    return sum(1.0 for word in wanted if word in text.casefold()) / max(len(wanted), 1)


# SQuAD


def squad(path: Path, titles: str, rng: random.Random) -> Iterator[Example]:
    """Two or three windows a question: with its answer, and the likeliest without one."""
    for _, paragraphs in _squad_articles(path, titles):
        for number, (windows, questions) in enumerate(paragraphs):
            others = [w for i, (ws, _) in enumerate(paragraphs) if i != number for w in ws]
            for qa in questions:
                question = qa["question"].strip()
                texts = {answer["text"] for answer in qa["answers"]}
                rest = []
                for window in windows:
                    found = next((t for t in texts if t in window.text[window.body :]), None)
                    if found is None:
                        rest.append(window)
                    elif qa["answers"]:
                        start = window.text.index(found, window.body)
                        yield Example(question, window.text, start, start + len(found), "squad")
                        break
                rest.sort(key=lambda w: -overlap(question, w.text))
                if qa["is_impossible"]:
                    for window in rest[: 1 + (rng.random() < 0.4)]:
                        yield Example(question, window.text, -1, -1, "squad none")
                    continue
                near = max(
                    rng.sample(others, min(len(others), 12)),
                    key=lambda w: overlap(question, w.text),
                )
                yield Example(question, (rest[:1] or [near])[0].text, -1, -1, "squad other")
                if rng.random() < 0.3 and not any(t in near.text for t in texts):
                    yield Example(question, near.text, -1, -1, "squad other")


def squad_cases(path: Path, titles: str) -> Iterator[Case]:
    """Every question on the chosen articles with its own paragraph, as SQuAD is tested."""
    for _, paragraphs in _squad_articles(path, titles):
        for windows, questions in paragraphs:
            for qa in questions:
                answers = tuple(answer["text"] for answer in qa["answers"])
                yield Case(qa["question"].strip(), tuple(windows), answers)


def _squad_articles(
    path: Path, titles: str
) -> Iterator[tuple[str, list[tuple[list[Window], list[dict[str, Any]]]]]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        data = json.load(file)["data"]
    for article in data:
        kind = (
            "held out" if article["title"] in HELD_OUT
            else "tuning" if article["title"] in TUNING
            else "train"
        )  # fmt: skip
        if kind != titles:
            continue
        title = article["title"].replace("_", " ")
        yield (
            title,
            [
                (windows_in(title, " ".join(p["context"].split()), i), p["qas"])
                for i, p in enumerate(article["paragraphs"])
            ],
        )


# Paragraphs by writers of this project


def written(paths: Iterable[Path], rng: random.Random) -> Iterator[Example]:
    """The questions of bench/data/reading_*.jsonl: the window that answers, the likeliest that does not."""
    for windows, question, answer in _written(paths):
        nearest = sorted(windows, key=lambda w: -overlap(question, w.text))
        holding = [w for w in nearest if answer and answer in w.text[w.body :]]
        if holding:
            window = holding[0]
            start = window.text.index(answer, window.body)
            yield Example(question, window.text, start, start + len(answer), "written")
        elif answer:
            continue
        others = [w for w in nearest if w not in holding]
        if others and (not answer or rng.random() < 0.4):
            yield Example(question, others[0].text, -1, -1, "written none")


def written_cases(paths: Iterable[Path]) -> Iterator[Case]:
    """Every question with its own paragraph."""
    for windows, question, answer in _written(paths):
        yield Case(question, tuple(windows), (answer,) if answer else ())


def _written(paths: Iterable[Path]) -> Iterator[tuple[list[Window], str, str]]:
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            paragraph = json.loads(line)
            windows = windows_in(paragraph["title"], paragraph["text"], number)
            for question, answer in paragraph["questions"]:
                yield windows, question.strip(), answer.strip()


# Tables


def row_line(header: Sequence[str], row: Sequence[str]) -> str:
    """A table row as snapshots hold it."""
    return " | ".join(
        f"{' '.join(head.split())}: {' '.join(cell.split())}"
        for head, cell in zip(header, row, strict=False)
        if cell.strip()
    )


def _tables(path: Path, kind: str) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            table = json.loads(line)
            number = part(table["table"])
            if kind == ("held out" if number == 0 else "tuning" if number == 1 else "train"):
                yield table


_MEASURE = re.compile(
    r"(?:how (?:many|much)|what (?:is|was) the (?:total )?number of)\b(?!.*\b(?:total|difference|more|"
    r"most|least|fewest|average|before|after|above|below|or|than|times)\b)"
)
_LARGE = re.compile(r"\D{0,2}(?:[3-9]\d|\d{1,3}(?:,?\d{3})+|\d{3,})(?:\.\d+)?\D{0,8}")
"""Numbers that stand in a cell more likely than that somebody counted so many rows."""


def _look_ups(table: dict[str, Any], measured: bool = False) -> Iterator[tuple[str, str, int]]:
    """(question, answer, row) of the questions that one cell answers.

    Args:
        table: with its questions.
        measured: whether those after a number that a cell gives are taken as well.
    """
    for qa in table["questions"]:
        question = " ".join(qa["question"].split())
        if len(qa["answers"]) != 1:
            continue
        answer = " ".join(qa["answers"][0].split())
        if NO_LOOK_UP.search(question.casefold()) and not (
            measured and _MEASURE.match(question.casefold()) and _LARGE.fullmatch(answer)
        ):
            continue
        rows = sorted(
            (-overlap(question, " ".join(row)), i)
            for i, row in enumerate(table["rows"])
            if any(" ".join(cell.split()).casefold() == answer.casefold() for cell in row)
        )
        told = rows and (len(rows) == 1 or rows[0][0] < rows[1][0])
        if answer and told and answer.casefold() not in question.casefold():
            yield question, answer, rows[0][1]


def table_windows(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Window]:
    """The windows of a table; rows of more than 1,000 characters are cut."""
    lines = [row_line(header, row)[:1000] for row in rows]
    return windows_in(title, "\n".join(line for line in lines if " | " in line))


def tables(path: Path, rng: random.Random) -> Iterator[Example]:
    """Look-ups on tables: the window of rows that holds the answer, and one that does not."""
    for table in _tables(path, "train"):
        for question, answer, row in _look_ups(table, measured=True):
            near = [row, *rng.sample(range(len(table["rows"])), min(6, len(table["rows"])))]
            chosen = [table["rows"][i] for i in sorted(set(near))]
            windows = table_windows(table["page"], table["header"], chosen)
            line = row_line(table["header"], table["rows"][row])[:1000]
            for window in windows:
                at = window.text.find(line, window.body)
                start = _cell_in(line, answer)
                if at >= 0 and start >= 0:
                    begin = at + start
                    yield Example(question, window.text, begin, begin + len(answer), "table")
                    break
            rest = [w for w in windows if line not in w.text]
            if rest and rng.random() < 0.5:
                yield Example(question, rng.choice(rest).text, -1, -1, "table other")


def rows_asked(path: Path, rng: random.Random, most: int) -> Iterator[Example]:
    """Questions made from a table's heads: what a row has under one of them, and a row elsewhere."""
    asked = []
    for table in _tables(path, "train"):
        header = [" ".join(head.split()) for head in table["header"]]
        firsts = Counter(row[0].strip() for row in table["rows"] if row)
        for i, row in enumerate(table["rows"]):
            column = rng.randrange(len(header))
            key = 0 if column and rng.random() < 0.7 else rng.randrange(len(header))
            if key == column or max(key, column) >= len(row):
                continue
            name, value = (" ".join(row[k].split()) for k in (key, column))
            unique = sum(key < len(r) and " ".join(r[key].split()) == name for r in table["rows"])
            if unique == 1 and 2 < len(name) < 50 and value and header[column] and firsts:
                asked.append((table, i, name, header[column], value))
    for table, i, name, head, value in rng.sample(asked, min(most, len(asked))):
        rows = table["rows"]
        near = [j for j in range(max(0, i - 3), min(len(rows), i + 4)) if j != i]
        line = row_line(table["header"], rows[i])[:1000]
        question = _asked(head, name, rng)
        chance = rng.random()
        if chance < 0.35:
            for window in table_windows(table["page"], table["header"], [rows[j] for j in near]):
                if name not in window.text:
                    yield Example(question, window.text, -1, -1, "cell other")
                    break
            continue
        if chance < 0.55:
            # The very row, without the column that is asked for.
            kept = [k for k, h in enumerate(table["header"]) if " ".join(h.split()) != head]
            cut = [[row[k] for k in kept if k < len(row)] for row in (rows[j] for j in (i, *near))]
            for window in table_windows(table["page"], [table["header"][k] for k in kept], cut):
                if name in window.text and value not in window.text:
                    yield Example(question, window.text, -1, -1, "cell without")
                    break
            continue
        chosen = sorted({i, *rng.sample(near, min(3, len(near)))})
        for window in table_windows(table["page"], table["header"], [rows[j] for j in chosen]):
            at = window.text.find(line, window.body)
            start = line.find(f"{head}: {value}")
            if at >= 0 and start >= 0:
                begin = at + start + len(head) + 2
                yield Example(question, window.text, begin, begin + len(value), "cell")
                break


def written_tables(paths: Iterable[Path], rng: random.Random) -> Iterator[Example]:
    """The questions of bench/data/tables_*.jsonl: of one cell, and of the members of a set.

    Of a set every row that is meant is an example of its own, so that a reader learns to tell a
    row that is meant from its neighbours.
    """
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            table = json.loads(line)
            rows = range(len(table["rows"]))
            for question, row, head in table["questions"]:
                others = rng.sample(rows, min(6, len(rows)))
                yield from _of_rows(table, question, row, head, others, "table written", rng)
            for question, head, meant in table.get("sets", ()):
                strangers = [row for row in rows if row not in meant]
                for row in rng.sample(meant, min(3, len(meant))):
                    near = rng.sample(strangers, min(rng.randrange(4), len(strangers)))
                    yield from _of_rows(table, question, row, head, near, "set written", rng)
                near = rng.sample(strangers, min(4, len(strangers)))
                yield from _of_rows(table, question, -1, "", near, "set written", rng)


def _of_rows(
    table: dict[str, Any],
    question: str,
    row: int,
    head: str,
    others: Sequence[int],
    source: str,
    rng: random.Random,
) -> Iterator[Example]:
    """A question with the window of the row that answers among some others, and now and then without.

    Args:
        table: with its heads and rows.
        question: on it.
        row: that answers, -1 where none does.
        head: of the column that answers.
        others: rows that are read beside it, none of which answers.
        source: of the examples.
        rng: draws.
    """
    read = sorted({*others, *([row] if row >= 0 else [])})
    chosen = [[" ".join(cell.split()) for cell in table["rows"][one]] for one in read]
    windows = table_windows(table["page"], table["header"], chosen)
    if row < 0:
        if windows:
            likeliest = max(windows, key=lambda w: overlap(question, w.text))
            yield Example(question, likeliest.text, -1, -1, f"{source} none")
        return
    line = row_line(table["header"], table["rows"][row])[:1000]
    answer = " ".join(table["rows"][row][table["header"].index(head)].split())
    start = line.find(f"{head}: {answer}") + len(head) + 2
    for window in windows:
        at = window.text.find(line, window.body)
        if at >= 0:
            yield Example(question, window.text, at + start, at + start + len(answer), source)
        elif rng.random() < 0.5:
            yield Example(question, window.text, -1, -1, f"{source} none")


def _cell_in(line: str, answer: str) -> int:
    match = re.search(rf"(?<=: ){re.escape(answer)}(?= \||$)", line, re.IGNORECASE)
    return match.start() if match else -1


def table_cases(path: Path, kind: str) -> Iterator[Case]:
    """Every look-up on the tables held out, with the whole table."""
    for table in _tables(path, kind):
        windows = tuple(table_windows(table["page"], table["header"], table["rows"]))
        for question, answer, _ in _look_ups(table):
            yield Case(question, windows, (answer,))


def fetaqa(path: Path, rng: random.Random) -> Iterator[Example]:
    """Questions of FeTaQA whose answer is a cell that the question does not say."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    for item in items:
        array = item["table_array"]
        cells = [(r, c) for r, c in item.get("highlighted_cell_ids", ()) if 0 < r < len(array)]
        low = item["question"].casefold()
        said = item["answer"].casefold()
        new = [
            (r, c)
            for r, c in cells
            if c < len(array[r]) and (cell := array[r][c].strip().casefold())
            and cell in said and cell not in low
        ]  # fmt: skip
        if len(new) != 1:
            continue
        r, c = new[0]
        line = row_line(array[0], array[r])
        answer = " ".join(array[r][c].split())
        start = _cell_in(line, answer)
        chosen = sorted({r, *rng.sample(range(1, len(array)), min(4, len(array) - 1))})
        title = item["table_page_title"]
        for window in table_windows(title, array[0], [array[i] for i in chosen]):
            at = window.text.find(line, window.body)
            if at >= 0 and start >= 0:
                yield Example(
                    item["question"], window.text, at + start, at + start + len(answer), "fetaqa"
                )
                break


# Questions made from boxes and tables

ASKED_AS = {
    "population": ["how many people live in {x}", "how populous is {x}", "number of inhabitants of {x}"],
    "area": ["how large is {x}", "how big is {x}"], "length": ["how long is {x}"],
    "elevation": ["how high is {x}", "height of {x}"], "height": ["how tall is {x}"],
    "depth": ["how deep is {x}"], "width": ["how wide is {x}"], "mass": ["how heavy is {x}"],
    "author": ["who wrote {x}", "who is the writer of {x}"], "director": ["who directed {x}"],
    "directed by": ["who directed {x}", "director of {x}"], "written by": ["who wrote {x}"],
    "producer": ["who produced {x}"], "composer": ["who composed {x}", "who wrote the music of {x}"],
    "founder": ["who founded {x}", "by whom was {x} founded"],
    "founded": ["when was {x} founded", "in what year was {x} founded", "founding date of {x}"],
    "established": ["when was {x} established", "what year was {x} set up"],
    "formed": ["when was {x} formed"], "opened": ["when did {x} open", "what year was {x} opened"],
    "release date": ["when was {x} released", "when did {x} come out"],
    "released": ["when was {x} released", "release year of {x}"],
    "birth place": ["where was {x} born", "birthplace of {x}", "in which town was {x} born"],
    "place of birth": ["where was {x} born"], "death place": ["where did {x} die"],
    "birth date": ["when was {x} born", "birth year of {x}", "date of birth of {x}"],
    "death date": ["when did {x} die", "date of death of {x}"],
    "born": ["when and where was {x} born"], "died": ["when and where did {x} die"],
    "spouse": ["who was {x} married to", "wife or husband of {x}"], "children": ["how many children did {x} have"],
    "alma mater": ["where did {x} study", "which university did {x} go to"],
    "occupation": ["what did {x} do for a living", "what was the profession of {x}"],
    "nationality": ["from which country is {x}", "where does {x} come from"],
    "capital": ["which city is the capital of {x}", "seat of government of {x}"],
    "currency": ["what money is used in {x}", "what do people pay with in {x}"],
    "official language": ["what language is spoken in {x}"], "official languages": ["what languages are spoken in {x}"],
    "location": ["where is {x}", "where is {x} located", "in which place does {x} stand"],
    "country": ["in which country is {x}", "what country is {x} in"], "city": ["in what city is {x}"],
    "owner": ["who owns {x}"], "architect": ["who designed {x}", "who built {x}"],
    "developer": ["who developed {x}", "who made {x}"], "designer": ["who designed {x}"],
    "publisher": ["who published {x}"], "leader": ["who leads {x}", "who is the head of {x}"],
    "president": ["who is president of {x}"], "genre": ["what kind of work is {x}"],
    "discovered by": ["who discovered {x}", "discoverer of {x}"], "discovered": ["when was {x} found"],
    "headquarters": ["where is {x} based"], "industry": ["what does {x} do"], "starring": ["who stars in {x}"],
    "language": ["in what language is {x}"], "price": ["how much does {x} cost"],
    "capacity": ["how many people fit into {x}"], "students": ["how many students does {x} have"],
    "architectural style": ["in what style is {x} built"], "water source": ["which rivers feed {x}"],
}  # fmt: skip
FORMS = (
    "What is the {a} of {x}?", "What was the {a} of {x}?", "{x}'s {a}", "{a} of {x}",
    "{x} {a}", "what {a} does {x} have", "tell me the {a} of {x}", "Which {a} has {x}?",
)  # fmt: skip


def made(snapshots: Sequence[Snapshot], rng: random.Random, most: int) -> Iterator[Example]:
    """Questions on boxes and rows: with the answer, without its line, and on a sibling's line."""
    boxes: list[tuple[str, str, str, Window]] = []
    rows: list[tuple[str, str, str, Window]] = []
    prose: dict[str, list[Window]] = {}
    for snapshot in snapshots:
        for chunk in snapshot.chunks():
            hit = Hit(chunk=chunk, score=0.0, rank=1, source="data")
            for window in windows_of(facts_of([hit])):
                if window.facts[0].kind == "sentence":
                    prose.setdefault(chunk.revision.title, []).append(window)
                for fact in window.facts:
                    if (
                        fact.kind == "value"
                        and len(fact.cells[0][1]) <= 120
                        and _is_box(fact.label)
                    ):
                        boxes.append((fact.title, fact.label, fact.cells[0][1], window))
                    elif fact.kind == "row" and len(fact.cells) > 1 and fact.cells[0][0]:
                        name = fact.cells[0][1]
                        head, value = rng.choice(fact.cells[1:])
                        if head and value and 2 < len(name) < 50 and not name.isdigit():
                            rows.append((name, head, value, window))
    yield from _in_prose(boxes, prose, rng, most // 2)
    labels = Counter(label.casefold() for _, label, _, _ in boxes)
    siblings: dict[str, list[tuple[str, Window]]] = {}
    for title, label, _, window in boxes:
        siblings.setdefault(label.casefold(), []).append((title, window))
    usual = [box for box in boxes if labels[box[1].casefold()] >= 3]
    for title, label, value, window in rng.sample(usual, min(most, len(usual))):
        name = re.sub(r"\s*\(.*\)$", "", title)
        question = _asked(label, name, rng)
        line = f"{label}: {value}"
        at = window.text.find(line, window.body)
        if at < 0:
            continue
        begin = at + len(label) + 2
        yield Example(question, window.text, begin, begin + len(value), "box")
        chance = rng.random()
        if chance < 0.4:
            other, its = rng.choice(siblings[label.casefold()])
            if other != title:
                yield Example(question, its.text, -1, -1, "sibling")
        elif chance < 0.8 and window.text.count(label) == 1 and len(window.facts) > 2:
            kept = [fact.text for fact in window.facts if not fact.text.startswith(line[:30])]
            text = window.text[: window.body] + "; ".join(kept)
            yield Example(question, text, -1, -1, "without")
    for name, head, value, window in rng.sample(rows, min(most // 2, len(rows))):
        at = window.text.find(f"{head}: {value}", window.text.find(name, window.body))
        if at < 0 or window.text.find(name, window.body) < 0:
            continue
        begin = at + len(head) + 2
        yield Example(_asked(head, name, rng), window.text, begin, begin + len(value), "row")
        if rng.random() < 0.5:
            stranger = rng.choice(rows)
            if stranger[0] not in window.text:
                yield Example(_asked(head, stranger[0], rng), window.text, -1, -1, "row other")


def _in_prose(
    boxes: Sequence[tuple[str, str, str, Window]],
    prose: dict[str, list[Window]],
    rng: random.Random,
    most: int,
) -> Iterator[Example]:
    """Questions on boxes, asked of prose: of the article's own, and of another's that reads alike."""
    usual = [box for box in boxes if box[1].casefold() in ASKED_AS]
    every = [window for windows in prose.values() for window in windows]
    for title, label, value, _ in rng.sample(usual, min(most, len(usual))):
        bare = re.sub(r"\s*\(.*\)$", "", title)
        question = _asked(label, bare, rng, natural=True)
        said = re.split(r",| \(", value)[0].strip()
        if len(said) > 3 and said.casefold() not in bare.casefold():
            telling = [w for w in prose.get(title, ()) if said in w.text[w.body :]]
            if telling:
                window = max(telling, key=lambda w: overlap(question, w.text[w.body :]))
                begin = window.text.index(said, window.body)
                end = begin + (len(value) if window.text.startswith(value, begin) else len(said))
                yield Example(question, window.text, begin, end, "box prose")
        alike = re.sub(re.escape(bare), "", question)
        others = [w for w in rng.sample(every, min(300, len(every))) if bare not in w.text]
        stranger = max(others, key=lambda w: overlap(alike, w.text[w.body :]))
        if overlap(alike, stranger.text) > 0:
            yield Example(question, stranger.text, -1, -1, "box stranger")


def _is_box(label: str) -> bool:
    return label not in ("Main article", "See also", "Caption", "Main articles", "Image")


def _asked(label: str, name: str, rng: random.Random, natural: bool = False) -> str:
    low = label.casefold()
    if low in ASKED_AS and (natural or rng.random() < 0.6):
        text = rng.choice(ASKED_AS[low]).format(x=name)
        return text[:1].upper() + text[1:] + rng.choice(["?", "?", ""])
    return rng.choice(FORMS).format(a=label if rng.random() < 0.5 else low, x=name)


ASKED_BY_PEOPLE = frozenset(
    [
        "squad", "squad none", "squad other", "table", "table other", "fetaqa",
        "written", "written none", "table written", "table written none", "set written",
        "set written none",
    ]
)  # fmt: skip
"""Sources of examples that nobody's rules made."""


def examples(
    data: Path,
    snapshots: Iterable[Snapshot],
    seed: int,
    most_made: int,
    paragraphs: Iterable[Path] = (),
    tables_written: Iterable[Path] = (),
) -> list[Example]:
    """All examples for training, shuffled."""
    rng = random.Random(seed)
    kept = list(snapshots)
    reading = data / "reading"
    found = [
        *squad(reading / "squad2-dev-half.json.gz", "train", rng),
        *tables(reading / "wikitablequestions-train.jsonl.gz", rng),
        *fetaqa(reading / "fetaqa-dev.jsonl.gz", rng),
        *rows_asked(reading / "wikitablequestions-train.jsonl.gz", rng, most_made // 3),
        *made(kept, rng, most_made // 3),
        *(
            Example(question, window.text, start, end, source)
            for question, window, start, end, source in clozes(kept, rng, most_made)
        ),
        *written(paragraphs, rng),
        *written_tables(tables_written, rng),
    ]
    rng.shuffle(found)
    return found
