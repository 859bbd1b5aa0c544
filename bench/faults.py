"""Whether a machine that fails is told truly, and whether the same command then goes on.

    python bench/faults.py [DUMP] [--stages build,index,…] [--faults full,SIGINT,…] [--moments 5]

Five stages, each a command of its own: a build, a BM25+ index, vectors with FAISS, a question, and a
run of four questions, all offline. Each is met by a full disk (a file system of its own that is too
small; where none may be mounted, files that may not grow), by SIGINT and SIGTERM at moments drawn
over its time (at an earlier one where it was done by then), by few file descriptors and by little
memory. Wanted: the documented exit code, one line that names what happened and calls nothing
damaged, and the same command, run again without the fault, ending in the same bytes as if nothing
had been. The command that meets the fault starts an interpreter, as a user does; the one after it,
which meets none, is a fork of a warm process.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.trouble.commands import Ended, Forks, Job, run_fresh

DUMP = Path(__file__).parents[2] / "shared" / "data" / "dumps" / "enwiki-2025-02-zulko.xml.bz2"
DATE = "2026-01-01"
DESCRIPTORS = (8, 12, 16, 20, 24, 32, 40, 48, 64)
MEMORY = (60, 100, 150, 250, 350, 450, 600, 800, 1000, 1300, 1600, 2000, 2600)
"""MB of addresses."""
STARTING = 0.3
"""Seconds that the interpreter takes before the first line of the program."""
SIGNALS = ("SIGINT", "SIGTERM")
EARLIEST = 0.05
"""Share of a command's time."""
LONGEST = 300.0
"""Seconds after which a command counts as hanging."""
WORDS = {
    "full": ("disk is full", "may not grow", "disk quota"),
    "SIGINT": ("interrupted",),
    "SIGTERM": ("interrupted",),
    "descriptors": ("descriptor",),
    "memory": ("memory", "no process or thread"),
}
CODES = {"full": {2, 4}, "SIGINT": {130}, "SIGTERM": {130}, "descriptors": {2, 4}, "memory": {2, 4}}
"""4 is for a question that can no longer be kept, or whose parts failed one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One command, and what it leaves."""

    name: str
    job: Callable[[Path], Job]
    """The command, in a folder."""
    needs: tuple[str, ...]
    """Of what earlier stages made: what is copied into the folder first."""
    result: Callable[[Path, Ended], str]
    """A digest of what it made or said."""


def digest(*folders: Path) -> str:
    """Return a digest of all files below some folders, but for locks."""
    whole = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name != "lock":
                whole.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return whole.hexdigest()


def _said(_: Path, ended: Ended) -> str:
    said = json.loads(ended.out)
    return json.dumps([said["answer"], said["citations"]])


def _scored(folder: Path, _: Ended) -> str:
    lines = (folder / "run" / "predictions.jsonl").read_text("utf-8").splitlines()
    answers = sorted(
        (one["sample_id"], one["response"]["text"])
        for one in map(json.loads, lines)
        if one["response"]
    )
    return json.dumps([answers, digest(folder / "run" / "scores.jsonl")])


def stages_of(dump: Path) -> list[Stage]:
    """Return the five stages on a dump."""

    def job(program: str, *argv: str | Path) -> Callable[[Path], Job]:
        def at(folder: Path) -> Job:
            env = {
                "XDG_STATE_HOME": str(folder / "state"),
                "XDG_CACHE_HOME": str(folder / "cache"),
                "OMP_NUM_THREADS": "1",
            }
            filled = [str(one).replace("{}", str(folder)) for one in argv]
            return Job(program=program, argv=filled, env=env)

        return at

    return [
        Stage(
            name="build",
            job=job(
                *("corpus", "build", dump, "--date", DATE, "--out", "{}/snapshot", "--workers", "2")
            ),
            needs=(),
            result=lambda folder, _: digest(folder / "snapshot"),
        ),
        Stage(
            name="index",
            job=job("retrieval", "build", "{}/snapshot", "--bm25-only"),
            needs=("build",),
            result=lambda folder, _: digest(folder / "snapshot" / "indexes" / "bm25"),
        ),
        Stage(
            name="vectors",
            job=job("retrieval", "build", "{}/snapshot"),
            needs=("build", "index"),
            result=lambda folder, _: digest(folder / "snapshot" / "indexes" / "dense"),
        ),
        Stage(
            name="question",
            job=job(
                *("agent", "Which cities are named, and when were they founded?", "--json"),
                *("--snapshot", "{}/snapshot"),
            ),
            needs=("build", "index"),
            result=_said,
        ),
        Stage(
            name="run",
            job=job(
                *("evals", "run", "fanoutqa", "--snapshot", "{}/snapshot", "--setting", "open"),
                *("--limit", "4", "--out", "{}/run"),
            ),
            needs=("build", "index"),
            result=_scored,
        ),
    ]


class Trials:
    """Runs stages under faults and judges what they end in."""

    def __init__(self, home: Path, stages: list[Stage], forks: Forks) -> None:
        self._home = home
        self._forks = forks
        self._stages = {stage.name: stage for stage in stages}
        self._expected: dict[str, str] = {}
        self._made: dict[str, Path] = {}
        self._took: dict[str, float] = {}
        self._grew: dict[str, int] = {}

    def prepare(self, names: Collection[str]) -> None:
        """Run these stages, and what they need, once in peace."""
        needed = {need for name in names for need in self._stages[name].needs} | set(names)
        for stage in self._stages.values():
            if stage.name not in needed:
                continue
            folder = self._home / f"peace-{stage.name}"
            self._lay_out(stage, folder)
            before = _size(folder)
            ended = run_fresh(stage.job(folder), self._home, longest=LONGEST)
            assert ended.code in (0, 3), ended.err
            self._expected[stage.name] = stage.result(folder, ended)
            self._made[stage.name] = folder / "snapshot"
            self._took[stage.name] = ended.seconds
            self._grew[stage.name] = _size(folder) - before
            print(
                f"{stage.name}: {ended.seconds:.1f} s, {self._grew[stage.name] / 1e6:.2f} MB",
                flush=True,
            )

    def _lay_out(self, stage: Stage, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if stage.needs:
            shutil.copytree(self._made[stage.needs[-1]], folder / "snapshot")

    def trial(self, stage: Stage, fault: str, amount: float) -> list[str]:
        """Meet a stage with a fault; return what is wrong with how it ended and went on."""
        with self._folder(stage, fault, amount) as (folder, whole_disk):
            job = stage.job(folder)
            if fault == "descriptors":
                job = replace(job, limits={"NOFILE": int(amount)})
            elif fault == "memory":
                job = replace(job, limits={"AS": int(amount * 1e6)})
            elif fault == "full" and whole_disk is None:
                job = replace(
                    job, limits={"FSIZE": max(4096, int(amount * self._grew[stage.name]))}
                )
            begun = _interrupter(fault, amount * (self._took[stage.name] - STARTING))
            ended = run_fresh(job, self._home, begun=begun, longest=LONGEST)
            wrong = judge(stage, fault, ended)
            if whole_disk is not None:
                whole_disk()
            # What held out is done; a build would find its snapshot there.
            done = ended.code in (0, 3)
            again = ended if done else self._forks.run(stage.job(folder))
            if again.code not in (0, 3):
                wrong.append(
                    f"the same command ends with {again.code}: {again.err.strip()[-300:]!r}"
                )
            elif stage.result(folder, again) != self._expected[stage.name]:
                wrong.append("the same command ends in another result")
        held = "held" if ended.code in (0, 3) else "met"
        told = ended.told[-1][:200] if ended.told else ""
        label = "wrong" if wrong else "right"
        print(
            f"{label} {stage.name}, {fault} {amount:g}: {held} [{ended.code}] {'; '.join(wrong)} {told!r}",
            flush=True,
        )
        return wrong if wrong or held == "met" else ["held"]

    @contextmanager
    def _folder(
        self, stage: Stage, fault: str, amount: float
    ) -> Iterator[tuple[Path, Callable[[], object] | None]]:
        """Lend a folder with what the stage needs; for a full disk on a file system of its own."""
        folder = self._home / "trial"
        folder.mkdir()
        mounted = False
        if fault == "full":
            self._lay_out(stage, folder)
            room = int(_size(folder) + amount * self._grew[stage.name]) // 4096 * 4096
            shutil.rmtree(folder)
            folder.mkdir()
            mounted = _mount(folder, max(room, 8192))
        try:
            self._lay_out(stage, folder)
            enlarge = (lambda: _mount(folder, 4 << 30, again=True)) if mounted else None
            yield folder, enlarge
        finally:
            if mounted:
                subprocess.run(["umount", "-l", str(folder)], check=True)
            shutil.rmtree(folder, ignore_errors=True)


def judge(stage: Stage, fault: str, ended: Ended) -> list[str]:
    """Return what is wrong with how a command under a fault ended; nothing where it held out."""
    wrong = []
    if "Traceback (most recent call last)" in ended.err or "Exception ignored" in ended.err:
        wrong.append(f"a trace: {ended.err.strip().splitlines()[-1][:200]}")
    if "damaged" in ended.err or "build the snapshot again" in ended.err:
        wrong.append("sound data are called damaged")
    if ended.seconds >= LONGEST:
        wrong.append("it hangs")
    if ended.code in (0, 3):
        return wrong
    if ended.code not in CODES[fault] or (
        ended.code == 4 and stage.name not in ("question", "run")
    ):
        wrong.append(f"exit {ended.code}")
    told = ended.told
    if not told or not any(words in told[-1] for words in WORDS[fault]):
        wrong.append("not a true line")
    if len(told) > 1:
        wrong.append(f"{len(told)} lines")
    return wrong


def _interrupter(fault: str, seconds: float) -> Callable[[int], None]:
    if fault not in SIGNALS:
        return lambda _: None

    def later(process: int) -> None:
        def send() -> None:
            time.sleep(STARTING + seconds)
            with suppress(ProcessLookupError):
                os.kill(process, getattr(signal, fault))

        threading.Thread(target=send, daemon=True).start()

    return later


def _mount(folder: Path, size: int, *, again: bool = False) -> bool:
    options = f"{'remount,' if again else ''}size={size}"
    command = ["mount", "-t", "tmpfs", "-o", options, "fanfold", str(folder)]
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def _size(folder: Path) -> int:
    """Return the bytes of all blocks of 4 KiB that the files of a folder take."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return sum(-(-path.stat().st_size // 4096) * 4096 for path in files)


def amounts_of(fault: str, moments: int, limits: int, chance: random.Random) -> list[float]:
    """Return what a fault is tried with: shares of room or of time, or every so many limits."""
    if fault == "descriptors":
        return list(DESCRIPTORS[::limits])
    if fault == "memory":
        return list(MEMORY[::limits])
    return [(number + chance.random()) / moments * 0.95 for number in range(moments)]


def main() -> None:
    """Try every stage with every fault and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dump", nargs="?", type=Path, default=DUMP)
    parser.add_argument("--stages", default="build,index,vectors,question,run")
    parser.add_argument("--faults", default=",".join(WORDS))
    parser.add_argument("--moments", type=int, default=5)
    parser.add_argument("--limits", type=int, default=1, help="try every so many of the limits")
    parser.add_argument("--seed", type=int, default=3)
    chosen = parser.parse_args()
    stages = stages_of(chosen.dump)
    home = Path(tempfile.mkdtemp(prefix="fanfold-faults-"))
    counts: dict[tuple[str, str], list[int]] = {}
    forks = Forks(home, longest=LONGEST)
    try:
        trials = Trials(home, stages, forks)
        names = chosen.stages.split(",")
        trials.prepare(names)
        for stage in (stage for stage in stages if stage.name in names):
            for fault in chosen.faults.split(","):
                chance = random.Random(f"{chosen.seed} {stage.name} {fault}")
                count = counts.setdefault((stage.name, fault), [0, 0, 0])
                for amount in amounts_of(fault, chosen.moments, chosen.limits, chance):
                    wrong = trials.trial(stage, fault, amount)
                    while wrong == ["held"] and fault in SIGNALS and amount > EARLIEST:
                        # It was done before the signal came: one that comes earlier.
                        amount *= 0.7
                        wrong = trials.trial(stage, fault, amount)
                    count[0] += 1
                    count[1] += wrong == ["held"]
                    count[2] += not wrong or wrong == ["held"]
    finally:
        forks.close()
        shutil.rmtree(home, ignore_errors=True)
    print(f"\n{'stage':10}{'fault':13}{'tried':>6}{'held out':>9}{'right':>6}")
    for (stage_name, fault), (tried, held, right) in counts.items():
        print(f"{stage_name:10}{fault:13}{tried:6}{held:9}{right:6}")
    print(f"{sum(c[2] for c in counts.values())} of {sum(c[0] for c in counts.values())} right")


if __name__ == "__main__":
    main()
