"""Seeds of chains: question and answer, from a file or from a snapshot's infoboxes."""

from __future__ import annotations

from pathlib import Path

from corpus.errors import InputError
from evals.builders.fact_chains.domains import classify, domain_of, take_turns
from evals.builders.fact_chains.item import ChainItem, Link
from evals.builders.types import Provenance
from evals.datafiles import read_json_list


def read_seeds(path: Path, seed: int) -> list[ChainItem]:
    """Return all seeds of a file, the six domains taking turns.

    Args:
        path: JSON or JSON Lines with `question` and `answer`, perhaps `id` and `primary_category`,
            as Chinese SimpleQA has them, and `separator` where an answer names several.
        seed: of the order within a domain.

    Raises:
        InputError: the file is missing or malformed: file, line and field are named.
    """
    import random

    if not path.is_file():
        raise InputError(f"{path}: no such file of seeds")
    items: list[ChainItem] = []
    for number, record in enumerate(read_json_list(path), start=1):
        values = {name: record.get(name) for name in ("question", "answer")}
        for name, value in values.items():
            if not isinstance(value, str) or not value.strip():
                raise InputError(f"{path}, item {number}: field {name!r} must be a text")
        question, answer = str(values["question"]).strip(), str(values["answer"]).strip()
        separator = str(record.get("separator", ""))
        # "/" belongs to the answer (6/4拍) unless the data says that it stands between several.
        answers = tuple(
            part.strip() for part in (answer.split(separator) if separator else [answer])
        )
        category = str(record.get("primary_category", ""))
        items.append(
            ChainItem(
                id=f"s{number}",
                kind="seed",
                articles=(str(record.get("id", f"{path.name}:{number}")),),
                provenance=Provenance(seed=seed),
                domain=domain_of(category) or classify(question),
                chain=(Link(question=question, answers=answers),),
            )
        )
    random.Random(seed).shuffle(items)
    return take_turns(items, lambda item: item.domain)
