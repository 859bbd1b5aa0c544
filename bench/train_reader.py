"""Train the reader's layers on top of the embedded encoder, and write them.

    python bench/train_reader.py [--data ../shared/data] [--minutes 75] [--out FOLDER]
    python bench/train_reader.py --mean FILE FILE [--out FOLDER]

The layers are trained; the embeddings stay as they are. The loss is the cross-entropy of where the
answer starts and ends, with the first token standing for "no answer here" (Devlin et al. 2019,
section 4.3). Questions made by rules come first, people's last, unless `--mixed` is given.
With `--mean`, the mean of weights of several trainings is written (Wortsman et al. 2022). Same seed,
same data: the same examples in the same order; the sums of floating point numbers depend on the
machine.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import torch  # noqa: E402
from reader_data import ASKED_BY_PEOPLE, Example, examples  # noqa: E402
from reader_model import Reader, mean_reader  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from torch.nn.functional import cross_entropy  # noqa: E402
from weighing import add_times, weighed  # noqa: E402

from corpus.store import Snapshot  # noqa: E402
from retrieval.dense.embedders import embedded_folder  # noqa: E402
from retrieval.dense.sentence import multiplies_bf16  # noqa: E402

DUMPS = (
    "enwiki-2014-11-wp2txt", "enwiki-2017-tables-gensim", "enwiki-2019-camchenry",
    "enwiki-2021-dbpedia",
)  # fmt: skip
AVERAGED = 0.999
"""Share of the running mean of the weights that a step keeps; the mean is what is written."""
RATE = 6e-5
"""Of learning, at its highest; from weights that were trained before, 1.5e-4 unlearns."""
BATCH = 2048
"""Tokens of a step."""
DATA = ROOT / "bench/data"
LONGEST = 192
"""Tokens of a question with its window; what is longer is cut."""


def by_source(found: list[Example]) -> dict[str, list[Example]]:
    """The examples by where they come from."""
    groups: dict[str, list[Example]] = {}
    for one in found:
        groups.setdefault(one.source, []).append(one)
    return groups


class Encoded(NamedTuple):
    """An example as the encoder reads it."""

    ids: list[int]
    first: int
    """Token of the answer; 0 where there is none."""
    last: int


def encode(found: list[Example], tokenizer: Tokenizer) -> list[Encoded]:
    """The examples as the encoder reads them, without those whose answer the cut takes away."""
    encoded = []
    for example, pair in zip(
        found, tokenizer.encode_batch([(e.question, e.text) for e in found]), strict=True
    ):
        ids = pair.ids[:LONGEST]
        first = last = 0
        if example.start >= 0:
            for i in range(len(ids)):
                if pair.sequence_ids[i] != 1:
                    continue
                start, end = pair.offsets[i]
                if start < example.end and end > example.start:
                    first = first or i
                    last = i
            if not first:
                continue
        encoded.append(Encoded(ids, first, last))
    return encoded


def batches(data: list[Encoded], size: int, rng: random.Random) -> list[list[Encoded]]:
    """Batches of like length in a random order; `size` is in tokens."""
    order = sorted(data, key=lambda one: len(one.ids) + rng.random() * 16)
    made: list[list[Encoded]] = [[]]
    for one in order:
        if made[-1] and (len(made[-1]) + 1) * len(one.ids) > size:
            made.append([])
        made[-1].append(one)
    rng.shuffle(made)
    return made


def rounds(found: list[Example], tokenizer: Tokenizer, repeats: int) -> list[list[Encoded]]:
    """What is read in each round: first what was made, then, `repeats` times, what people asked.

    Half of what was made of boxes and rows stays for the second round, so that neither is forgotten.
    """
    made = [one for one in found if one.source not in ASKED_BY_PEOPLE]
    asked = [one for one in found if one.source in ASKED_BY_PEOPLE]
    prose = [one for one in made if one.source.startswith("cloze")]
    rows = [one for one in made if not one.source.startswith("cloze")]
    half = len(rows) // 2
    later = [asked + rows[half:], *([asked] * (repeats - 1))]
    return [encode(part, tokenizer) for part in (prose + rows[:half], *later)]


def main() -> None:
    """Train for the minutes given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--minutes", type=float, default=75)
    parser.add_argument("--repeats", type=int, default=2, help="rounds over people's questions")
    parser.add_argument("--made", type=int, default=6000)
    parser.add_argument(
        "--mixed", action="store_true", help="made and asked in one round, all alike"
    )
    parser.add_argument("--rate", type=float, default=RATE, help="of learning, at its highest")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--written", type=Path, nargs="*", default=sorted(DATA.glob("reading_*.jsonl")),
        help="paragraphs with questions",
    )  # fmt: skip
    parser.add_argument(
        "--tables", type=Path, nargs="*", default=sorted(DATA.glob("tables_*.jsonl")),
        help="tables with questions",
    )  # fmt: skip
    add_times(parser)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--mean", type=Path, nargs="+", help="weights whose mean is written")
    parser.add_argument("--out", type=Path, default=ROOT / "runs/reader")
    arguments = parser.parse_args()
    if arguments.mean:
        mean_reader(arguments.mean).save(arguments.out)
        return
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    with tempfile.TemporaryDirectory() as folder:
        found = examples(
            arguments.data,
            build(arguments.data, Path(folder)),
            arguments.seed,
            arguments.made,
            arguments.written,
            arguments.tables,
        )
    tokenizer = Tokenizer.from_file(str(embedded_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    rng = random.Random(arguments.seed)
    found = weighed(by_source(found), arguments.times, rng)
    parts = (
        [encode(found, tokenizer)] if arguments.mixed
        else rounds(found, tokenizer, arguments.repeats)
    )  # fmt: skip
    order = [batch for part in parts for batch in batches(part, BATCH, rng)]
    tokens = sum(len(one.ids) for batch in order for one in batch)
    print(f"{len(found)} examples, {len(order)} steps, {tokens} tokens", flush=True)
    reader = Reader()
    if arguments.start:
        reader.take(arguments.start)
    train(reader, order, arguments.minutes, arguments.out, arguments.rate)


def train(
    reader: Reader,
    order: list[list[Encoded]],
    minutes: float,
    out: Path,
    rate: float = RATE,
) -> None:
    """Take a step a batch, in order, for so many minutes at most; the weights are saved on the way."""
    trained = [p for p in reader.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=rate, weight_decay=0.01)
    mean_of_steps = torch.optim.swa_utils.AveragedModel(reader, multi_avg_fn=running_mean)
    began = time.monotonic()
    running = 0.0
    reader.train()
    for done, batch in enumerate(order, start=1):
        spent = (time.monotonic() - began) / 60
        progress = max(done / len(order), spent / minutes)
        if progress >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, done / 60) * max(1 - progress, 0.02)
        value = step(reader, batch, optimiser, trained)
        mean_of_steps.update_parameters(reader)
        running = value if done == 1 else 0.98 * running + 0.02 * value
        if done % 25 == 0:
            print(f"{spent:5.1f} min, {done}/{len(order)}: {running:.3f}", flush=True)
        if done % 500 == 0:
            mean_of_steps.module.save(out)
    mean_of_steps.module.save(out)


def running_mean(means: list[torch.Tensor], weights: list[torch.Tensor], steps: int) -> None:
    """Move the mean a little to the weights of a step; the first ones weigh more, or it stays there."""
    kept = min(AVERAGED, (1 + float(steps)) / (10 + float(steps)))
    torch._foreach_lerp_(means, weights, 1 - kept)


def step(
    reader: Reader,
    batch: list[Encoded],
    optimiser: torch.optim.Optimizer,
    trained: list[torch.nn.Parameter],
) -> float:
    """One step down the gradient; the loss before it."""
    longest = max(len(one.ids) for one in batch)
    ids = torch.zeros(len(batch), longest, dtype=torch.long)
    mask = torch.zeros(len(batch), longest, dtype=torch.long)
    for row, one in enumerate(batch):
        ids[row, : len(one.ids)] = torch.tensor(one.ids)
        mask[row, : len(one.ids)] = 1
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=multiplies_bf16()):
        scores = reader(ids, mask)
    loss = loss_of(scores.float() + (mask[..., None] - 1) * 1e4, batch)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trained, 1.0)
    optimiser.step()
    return float(loss.detach())


def loss_of(scores: torch.Tensor, batch: list[Encoded]) -> torch.Tensor:
    """Cross-entropy of where the answers start and end.

    Args:
        scores: [texts, tokens, 2], as low as can be where there is no token.
        batch: the texts.
    """
    firsts = torch.tensor([one.first for one in batch])
    lasts = torch.tensor([one.last for one in batch])
    return cross_entropy(scores[:, :, 0], firsts) + cross_entropy(scores[:, :, 1], lasts)


def build(data: Path, folder: Path) -> list[Snapshot]:
    """Snapshots of the dumps that questions are made from."""
    made = []
    for name in DUMPS:
        out = folder / name
        command = [sys.executable, "-m", "corpus", "build", str(data / f"dumps/{name}.xml.bz2")]
        subprocess.run(
            [*command, "--date", "2022-01-01", "--out", str(out)], check=True, cwd=ROOT,
            capture_output=True,
        )  # fmt: skip
        made.append(Snapshot.open(out))
    return made


if __name__ == "__main__":
    main()
