"""A run folder: what was asked, what came back, how it scored, and nothing that is not on disk.

config.json        the configuration, its hash, where the data and the snapshot lie
predictions.jsonl  one record for every sample and epoch; a retried failure is appended, and the
                   last record counts
scores.jsonl       one record for every scored prediction, and scoring.json says by whom
calls.sqlite       every model call, by request hash
report.html        written by `evals report`
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import IO, Literal

from corpus.errors import InputError
from corpus.files import locked
from evals.records import RecordFile, from_json, to_json, write_beside
from evals.types import Json, Jury, Prediction, RunConfig, Score

Key = tuple[str, int]
"""Sample id and epoch."""
Selection = Literal["", "all", "first", "ids"]
"""Which samples of the data a run asks for: all, the first so many, or those named; "" of folders
that do not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """What config.json holds."""

    id: str
    """Hash of `config`."""
    config: RunConfig
    data: str
    """Path of the data, as it was given; not part of the hash."""
    snapshot: Mapping[str, Json]
    """Name, date and folder of the snapshot."""
    sample_ids: tuple[str, ...]
    """The samples asked for, in order."""
    tool_version: str
    base_url: str = ""
    """Endpoint of the model, without credentials."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Name → hash of every prompt file there was, those of the judges among them."""
    prompts_folder: str = ""
    """Where files lie that replaced packaged ones."""
    store: str = ""
    """Where the snapshot's vectors were searched, if not in its folder."""
    label: str = ""
    """What reports call the run; "" for the fewest words that tell it from those beside it."""
    selection: Selection = ""
    concurrency: int = 0
    """Questions asked at once, on each worker; 0 where it is not known."""
    answers: str = ""
    """Path of the file that imported answers came from, as it was given."""
    system: str = ""
    """Of a file with the answers of several systems, the one that was taken."""
    caveats: tuple[str, ...] = ()
    """What makes the figures say less than they seem to, as every table repeats."""
    articles: tuple[int, int] = (0, 0)
    """How many of the articles that the questions need the snapshot holds, and how many they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """Who scored: what makes the scores of two runs comparable."""

    judge: str = ""
    panel: tuple[str, ...] = ()
    coverage: str = ""
    extractor: str = ""
    lemmatiser: str = ""
    batch: int | None = None
    """Sub-questions that the coverage judge was asked in one call, where not the usual number."""
    shots: int | None = None
    """Worked examples that it saw, where not all there are."""
    prompts: str = ""
    """Hash of the judges' prompts; empty where no model judged."""
    jury: Jury | None = None
    """How to ask the same judges again."""


def run_id(config: RunConfig) -> str:
    """Return the first 16 hexadecimal digits of the configuration's SHA-256."""
    return hashlib.sha256(to_json(config).encode()).hexdigest()[:16]


def selection_of(limit: int | None, ids: Sequence[str]) -> Selection:
    """Return which samples a limit and ids select."""
    if ids:
        return "ids"
    return "all" if limit is None else "first"


def _joined(before: Selection, now: Selection) -> Selection:
    """Return which samples two selections of the same data come to."""
    if "all" in (before, now):
        return "all"
    return before if before == now else "ids"


def describe_difference(old: RunConfig, new: RunConfig) -> str:
    """Return "field: old → new" for every field that differs, and the prompts that do."""
    changed = [
        f"{one.name}: {getattr(old, one.name)!r} → {getattr(new, one.name)!r}"
        for one in fields(RunConfig)
        if one.name != "prompts" and getattr(old, one.name) != getattr(new, one.name)
    ]
    names = sorted({*old.prompts, *new.prompts})
    others = [name for name in names if old.prompts.get(name) != new.prompts.get(name)]
    return ", ".join([*changed, *(f"the prompt {name}" for name in others)])


class RunFolder:
    """One run on disk. Writing needs `lock`; reading does not."""

    def __init__(self, path: Path, record: RunRecord) -> None:
        self.path = path
        self.record = record
        self.predictions_file = RecordFile(path / "predictions.jsonl", Prediction)
        self.scores_file = RecordFile(path / "scores.jsonl", Score)
        self._lock: IO[bytes] | None = None

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Open a run to read it.

        Raises:
            InputError: where the folder is missing or no run.
        """
        config = path / "config.json"
        if not config.is_file():
            raise InputError(
                f"{path} is no run folder: it has no config.json; make one by evals run"
            )
        try:
            record = from_json(RunRecord, config.read_bytes())
        except ValueError as error:
            raise InputError(f"{config}: not a run's configuration: {error}") from None
        return cls(path, record)

    @classmethod
    def begin(cls, path: Path, record: RunRecord) -> RunFolder:
        """Make a run folder, or go on in it where the configuration is the same.

        More samples may be asked for than before; they are added.

        Raises:
            InputError: where the folder holds a run of another configuration, or something else.
        """
        if (path / "config.json").exists():
            folder = cls.open(path)
            if folder.record.config != record.config:
                changed = describe_difference(folder.record.config, record.config)
                raise InputError(
                    f"{path} holds another run ({changed}); name another folder with --out, "
                    "or repeat the command that made it"
                )
            known = folder.record.sample_ids
            more = tuple(i for i in record.sample_ids if i not in set(known))
            folder.record = replace(
                record,
                sample_ids=known + more,
                label=record.label or folder.record.label,
                selection=_joined(folder.record.selection, record.selection),
            )
        else:
            if path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise InputError(f"{path} is not empty and no run folder; name another with --out")
            path.mkdir(parents=True, exist_ok=True)
            folder = cls(path, record)
        text = json.dumps(json.loads(to_json(folder.record)), ensure_ascii=False, indent=2)
        write_beside(path / "config.json", lambda p: _write(p, text + "\n"))
        return folder

    def lock(self) -> None:
        """Keep other processes from writing here until this one ends.

        Raises:
            InputError: where another process runs in this folder.
        """
        refusal = f"{self.path}: another process is running in this folder; wait for it to end"
        self._lock = locked(self.path / ".lock", refusal)

    def close(self) -> None:
        """Close the files and give the lock back."""
        self.predictions_file.close()
        self.scores_file.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def predictions(self) -> Iterator[Prediction]:
        """Yield the last prediction of every sample and epoch asked for, as they were written.

        One record is in memory at a time: runs of thousands of samples stay small.
        """
        last = {key: number for number, (key, _) in enumerate(self._outcomes())}
        wanted = {last[key] for key in self.wanted() if key in last}
        for number, prediction in enumerate(self.predictions_file):
            if number in wanted:
                yield prediction

    def put_in_order(self) -> None:
        """Write the predictions in the order of the samples, whoever asked them.

        What was asked again keeps its own order: the last record still counts.
        """
        order = {key: place for place, key in enumerate(self.wanted())}
        places = [order.get(key, len(order)) for key, _ in self._outcomes()]
        if places == sorted(places):
            return
        self.predictions_file.close()
        path = self.predictions_file.path
        lines = path.read_bytes().splitlines(keepends=True)
        ordered = sorted(range(len(places)), key=places.__getitem__)
        write_beside(path, lambda p: _write_bytes(p, (lines[number] for number in ordered)))

    def outcomes(self) -> dict[Key, str | None]:
        """Return for every sample and epoch predicted so far its error, None where it has none."""
        return dict(self._outcomes())

    def _outcomes(self) -> Iterator[tuple[Key, str | None]]:
        for prediction in self.predictions_file:
            yield (prediction.sample_id, prediction.epoch), prediction.error

    def wanted(self) -> list[Key]:
        """Return every sample and epoch that the run asks for."""
        return [
            (sample_id, epoch)
            for epoch in range(self.record.config.epochs)
            for sample_id in self.record.sample_ids
        ]

    def scores(self) -> dict[Key, Score]:
        """Return the scores, by sample and epoch."""
        return {(s.sample_id, s.epoch): s for s in self.scores_file}

    def scoring(self) -> Scoring | None:
        """Return who scored; None before the first scoring."""
        path = self.path / "scoring.json"
        try:
            return from_json(Scoring, path.read_bytes()) if path.exists() else None
        except ValueError:
            raise InputError(f"{path} does not say who scored: run `evals score` again") from None

    def replace_scores(self, scores: Iterable[Score], scoring: Scoring) -> None:
        """Write all scores anew, whole or not at all."""
        self.scores_file.close()
        text = "".join(to_json(score) + "\n" for score in scores)
        write_beside(self.path / "scores.jsonl", lambda p: _write(p, text))
        write_beside(self.path / "scoring.json", lambda p: _write(p, to_json(scoring) + "\n"))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _write_bytes(path: Path, lines: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(lines)
