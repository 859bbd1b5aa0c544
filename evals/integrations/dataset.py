"""A data set as others read it: Parquet, a card for `datasets`, Croissant's metadata."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.errors import InputError
from corpus.files import parse_json, read_bytes, read_text
from evals.integrations.croissant import UNKNOWN_LICENSE, About, Written, describe
from evals.parquet import (
    ANSWERS,
    SAMPLES,
    Origin,
    answer_schema,
    sample_row,
    sample_schema,
    write_rows,
)
from evals.records import write_beside
from evals.runs.folder import RunFolder
from evals.runs.samples import find_benchmark, kept_samples
from evals.types import Prediction, Sample, Score

if TYPE_CHECKING:
    import pyarrow as pa

CARD = "README.md"
CROISSANT = "croissant.json"


def write_dataset(
    folder: Path,
    about: About,
    benchmark: str,
    edition: str,
    splits: Mapping[str, Sequence[Sample]],
    answers: Sequence[tuple[Prediction, Score | None]] = (),
) -> Path:
    """Write a data set; `evals run --data FOLDER` reads it back.

    Args:
        folder: new, or one that was written before.
        about: for the card.
        benchmark: whose samples they are.
        edition: of the benchmark.
        splits: split → samples.
        answers: of a run over the one split, with their scores.

    Returns:
        The card.

    Raises:
        InputError: the folder holds something else.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / CROISSANT).is_file():
        raise InputError(f"{folder} is not empty and no data set; name another with --out")
    files: list[Written] = []
    for split, samples in splits.items():
        origin = Origin(benchmark=benchmark, edition=edition, split=split)
        schema = sample_schema(origin)
        files.append(_write(folder, SAMPLES, split, map(sample_row, samples), schema))
        if answers:
            files.append(_write(folder, ANSWERS, split, _answers(answers), answer_schema(origin)))
    metadata = json.dumps(describe(folder, about, files), ensure_ascii=False, indent=2)
    _write_text(folder / CARD, _card(about, files))
    _write_text(folder / CROISSANT, metadata + "\n")
    return folder / CARD


def export_dataset(run: RunFolder, folder: Path, *, name: str = "", license: str = "") -> Path:
    """Write a run's samples, answers and scores as a data set.

    Args:
        run: with its samples.
        folder: of the data set.
        name: of the data set; the benchmark's and the model's by default.
        license: SPDX identifier of the benchmark's data.

    Returns:
        The card.

    Raises:
        InputError: the folder holds something else.
    """
    config, scores = run.record.config, run.scores()
    about = About(
        name=name or f"{config.benchmark}-{config.split}-{config.model}",
        description=(
            f"Questions of {config.benchmark} ({config.split}, edition {config.edition}) with the "
            f"answers of {config.model} by the strategy {config.strategy}, setting "
            f"{config.setting}, and their scores."
        ),
        license=license or UNKNOWN_LICENSE,
        citation=find_benchmark(config.benchmark).citation,
        body=_snapshot_of(run),
    )
    answers = [(one, scores.get((one.sample_id, one.epoch))) for one in run.predictions()]
    return write_dataset(
        folder, about, config.benchmark, config.edition, {config.split: kept_samples(run)}, answers
    )


MADE = {
    "counterfactual": ("cofca", "cofca.json"),
    "cq-syn": ("compound", "compound-qa"),
    "fact-chains": ("ccmor", "ccmor.jsonl"),
}
"""Builder → the benchmark that its items are of, and where they are."""


def publish_synthesis(made: Path, folder: Path, *, name: str = "", license: str = "") -> Path:
    """Write what `evals synth` made as a data set, by its splits, with its data card.

    Args:
        made: folder of a builder.
        folder: of the data set.
        name: of the data set; the builder's by default.
        license: SPDX identifier.

    Returns:
        The card.

    Raises:
        InputError: not a builder's folder, not finished, or `folder` holds something else.
    """
    config = made / "config.json"
    builder = parse_json(read_bytes(config), str(config)).get("builder") if config.is_file() else ""
    if builder not in MADE or not (made / "items.jsonl").is_file():
        raise InputError(f"{made} holds no data set that evals synth made; make one first")
    benchmark, place = MADE[builder]
    chosen = find_benchmark(benchmark)
    edition = chosen.editions[0]
    samples = chosen.load(made / place, chosen.splits[0], edition)
    items = [
        parse_json(line, str(made / "items.jsonl"))
        for line in read_text(made / "items.jsonl").splitlines()
    ]
    split_of = {str(item["id"]): str(item.get("split") or "test") for item in items}
    splits: dict[str, list[Sample]] = {}
    for sample in samples:
        # A counterfactual item's twins are told apart behind its id.
        own = sample.id if sample.id in split_of else sample.id.rpartition("-")[0]
        splits.setdefault(split_of.get(own, "test"), []).append(sample)
    card = read_text(made / "card.md") if (made / "card.md").is_file() else ""
    about = About(
        name=name or f"fanfold-{builder}",
        description=f"Questions for {benchmark} that `evals synth {builder}` made.",
        license=license or UNKNOWN_LICENSE,
        citation=chosen.citation,
        body=card.partition("\n")[2].strip(),
    )
    return write_dataset(folder, about, benchmark, edition, splits)


def _snapshot_of(run: RunFolder) -> str:
    snapshot = run.record.snapshot
    if not run.record.config.snapshot:
        return ""
    return (
        f"Answered from the snapshot {snapshot['name']} of {snapshot['date']} "
        f"(fingerprint `{snapshot['fingerprint']}`)."
    )


def _write(
    folder: Path, config: str, split: str, rows: Iterable[Mapping[str, Any]], schema: pa.Schema
) -> Written:
    path = f"{config}/{split}.parquet"
    (folder / config).mkdir(parents=True, exist_ok=True)
    listed = list(rows)
    write_beside(folder / path, lambda beside: write_rows(beside, listed, schema))
    return config, split, path, schema


def _answers(answers: Sequence[tuple[Prediction, Score | None]]) -> list[dict[str, Any]]:
    rows = []
    for prediction, score in answers:
        response, usage = prediction.response, prediction.usage
        given = response.answers if response is not None else ()
        found = {one.sub_question_id: one for answer in given for one in answer.sub_answers}
        rows.append(
            {
                "id": prediction.sample_id,
                "epoch": prediction.epoch,
                "answer": None if response is None else response.text,
                "error": prediction.error,
                "abstained": None if response is None else response.abstained,
                "sub_questions": [
                    {
                        "id": step.id,
                        "text": step.text,
                        "kind": step.kind,
                        "status": found[step.id].status if step.id in found else "not_asked",
                        "answer": found[step.id].text if step.id in found else "",
                    }
                    for answer in given
                    for step in answer.sub_questions
                ],
                "citations": [
                    {
                        "number": cited.number,
                        "chunk_id": cited.chunk_id,
                        "title": cited.revision.title,
                        "rev_id": cited.revision.rev_id,
                        "timestamp": cited.revision.timestamp,
                        "url": cited.revision.url,
                        "start": cited.start,
                        "end": cited.end,
                        "quote": cited.quote,
                        "support": cited.support,
                    }
                    for answer in given
                    for cited in answer.citations
                ],
                "scores": [
                    {"metric": metric, "value": value}
                    for metric, value in (score.values.items() if score is not None else ())
                ],
                "seconds": prediction.seconds,
                "calls": usage.calls,
                "tokens_in": usage.tokens_in,
                "tokens_out": usage.tokens_out,
            }
        )
    return rows


def _card(about: About, files: Sequence[Written]) -> str:
    head = [
        "---",
        f"license: {about.license}",
        f"pretty_name: {json.dumps(about.name, ensure_ascii=False)}",
        "configs:",
    ]
    for config in dict.fromkeys(config for config, *_ in files):
        head += [f"- config_name: {config}", "  data_files:"]
        for _, split, path, _ in (file for file in files if file[0] == config):
            head += [f"  - split: {split}", f"    path: {path}"]
        # Without one, `load_dataset` would ask which is meant.
        head += ["  default: true"] if config == SAMPLES else []
    known = about.license != UNKNOWN_LICENSE
    terms = "" if known else "The licence is that of the data it was made from; look it up there."
    parts = [
        "\n".join([*head, "---"]),
        f"# {about.name}",
        about.description,
        terms,
        about.body,
        f"Questions: {about.citation}.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _write_text(path: Path, text: str) -> None:
    def write(beside: Path) -> None:
        beside.write_text(text, encoding="utf-8")

    write_beside(path, write)
