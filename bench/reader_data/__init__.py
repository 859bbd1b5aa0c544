"""Examples for the reader: questions with the window of facts that answers them, or does not.

Sources, all read from a data folder and none of it kept in the repository:
SQuAD 2.0 (Rajpurkar et al. 2018), WikiTableQuestions (Pasupat and Liang 2015), FeTaQA (Nan et al.
2022), all CC BY-SA 4.0, and questions made from the boxes and tables of Wikipedia dumps. Beside them
the questions of this project's writers (bench/data).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from corpus.store import Snapshot
from reader_data.boxes import made
from reader_data.clozes import clozes
from reader_data.examples import Case, Example
from reader_data.labelled import labelled
from reader_data.prose import pooled, squad, squad_cases, written
from reader_data.tables import fetaqa, rows_asked, table_cases, tables, written_tables
from reader_data.titled import titled

__all__ = [
    "ASKED_BY_PEOPLE", "Case", "Example", "examples", "labelled", "pooled", "squad_cases",
    "table_cases", "titled", "written_tables",
]  # fmt: skip

ASKED_BY_PEOPLE = frozenset(
    [
        "squad", "squad none", "squad other", "table", "table other", "fetaqa",
        "written", "written none", "table written", "table written none", "set written",
        "set written none", "label", "label none", "titled", "titled none", "titled other",
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
    groups_of_labels: Iterable[Path] = (),
    asked_for_titles: Iterable[Path] = (),
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
        *labelled(groups_of_labels, rng),
        *titled(asked_for_titles, rng),
    ]
    rng.shuffle(found)
    return found
