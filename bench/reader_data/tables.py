"""Questions on tables: WikiTableQuestions (Pasupat and Liang 2015), FeTaQA (Nan et al. 2022), own ones."""

from __future__ import annotations

import gzip
import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from agent.extractive.reader.windows import Window
from reader_data.boxes import asked_for
from reader_data.examples import Case, Example, overlap, windows_in

NO_LOOK_UP = re.compile(
    r"\b(?:how many|how much|number of|total|difference|more|most|least|fewest|first|last|next|"
    r"before|after|previous|following|same|average|longest|shortest|highest|lowest|largest|"
    r"smallest|above|below|top|latest|earliest|best|worst|or|consecutive|times|tallest|oldest|"
    r"youngest|biggest|greatest|preceded|prior|newest|fastest|slowest|heaviest|maximum|minimum)\b"
)
"""Words of questions on tables that a single look-up does not answer."""


def part(name: str) -> int:
    """A number from 0 to 9 that a name always gets: what is held out is the same every time."""
    return zlib.crc32(name.encode()) % 10


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
        question = asked_for(head, name, rng)
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
