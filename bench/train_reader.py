"""Train the reader's layers on top of the embedded encoder, and write them.

    python bench/train_reader.py [--data ../shared/data] [--minutes 75] [--out FOLDER]
    python bench/train_reader.py --mean FILE FILE [--out FOLDER]

The layers are trained; the embeddings stay as they are. The loss is the cross-entropy of where the
answer starts and ends, with the first token standing for "no answer here" (Devlin et al. 2019,
section 4.3). Questions made by rules come first, people's last. With `--mean`, the mean of weights
of several trainings is written (Wortsman et al. 2022). Same seed, same data: the same examples in
the same order; the sums of floating point numbers depend on the machine.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
from reader_data import ASKED_BY_PEOPLE, Example, examples  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from transformers import AutoModel  # noqa: E402
from weighing import add_times, mean_of, weighed  # noqa: E402

from agent.extractive.weights.store import read_layers, write_layers  # noqa: E402
from corpus.store import Snapshot  # noqa: E402
from retrieval.dense.embedders import embedded_folder  # noqa: E402
from retrieval.dense.sentence import multiplies_bf16  # noqa: E402

DUMPS = (
    "enwiki-2014-11-wp2txt", "enwiki-2017-tables-gensim", "enwiki-2019-camchenry",
    "enwiki-2021-dbpedia",
)  # fmt: skip
DROPPED = 0.1
"""Share of the encoder's states that is dropped while it learns."""
AVERAGED = 0.999
"""Share of the running mean of the weights that a step keeps; the mean is what is written."""
FROZEN = 0
"""Lower layers that are not trained; two spare a quarter of the time of a step."""
RATE = 2e-4
"""Of learning, at its highest."""
BATCH = 2048
"""Tokens of a step."""
DATA = ROOT / "bench/data"
LONGEST = 192
"""Tokens of a question with its window; what is longer is cut."""


class Reader(torch.nn.Module):
    """The encoder and two scores a token: start and end."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = AutoModel.from_pretrained(
            str(embedded_folder()),
            add_pooling_layer=False,
            attn_implementation="eager",
            hidden_dropout_prob=DROPPED,
            # Drawing the masks of attention would take as long as the layers do.
            attention_probs_dropout_prob=0.0,
        )
        self.head = torch.nn.Linear(self.trunk.config.hidden_size, 2)
        self.trunk.embeddings.requires_grad_(False)
        for layer in self.trunk.encoder.layer[:FROZEN]:
            layer.requires_grad_(False)

    def take(self, path: Path) -> None:
        """Take the weights that an earlier training wrote."""
        state = {name: torch.tensor(value) for name, value in read_layers(path).items()}
        renamed = {n if n.startswith("head.") else f"trunk.{n}": v for n, v in state.items()}
        unknown = self.load_state_dict(renamed, strict=False).unexpected_keys
        if unknown:
            raise SystemExit(f"{path}: not this model's weights: {unknown[0]}")

    @torch.no_grad()
    def lower(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """What the frozen layers make of a batch, [texts, tokens, hidden], bfloat16."""
        self.trunk.eval()
        states = self.trunk.embeddings(input_ids=ids)
        for layer in self.trunk.encoder.layer[:FROZEN]:
            states = self._run(layer, states, mask)
        self.trunk.train()
        return states.to(torch.bfloat16)

    def upper(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Scores of start and end, [texts, tokens, 2]."""
        for layer in self.trunk.encoder.layer[FROZEN:]:
            states = self._run(layer, states, mask)
        scores: torch.Tensor = self.head(states)
        return scores

    def _run(self, layer: Any, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        bias = (1.0 - mask[:, None, None, :].to(states.dtype)) * -1e4
        made = layer(states, bias)
        return made[0] if isinstance(made, tuple) else made


def mean_reader(paths: list[Path]) -> Reader:
    """The reader with the mean of the weights that several trainings wrote."""
    readers = [Reader() for _ in paths]
    for reader, path in zip(readers, paths, strict=True):
        reader.take(path)
    readers[0].load_state_dict(mean_of([reader.state_dict() for reader in readers]))
    return readers[0]


def by_source(found: list[Example]) -> dict[str, list[Example]]:
    """The examples by where they come from."""
    groups: dict[str, list[Example]] = {}
    for one in found:
        groups.setdefault(one.source, []).append(one)
    return groups


Encoded = tuple[list[int], int, int]
"""Token ids, first token of the answer and last one; 0 and 0 where there is none."""


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
        encoded.append((ids, first, last))
    return encoded


def batches(data: list[Any], size: int, rng: random.Random) -> list[list[Any]]:
    """Batches of like length in a random order; `size` is in tokens."""
    order = sorted(data, key=lambda one: len(one[0]) + rng.random() * 16)
    made: list[list[Any]] = [[]]
    for one in order:
        if made[-1] and (len(made[-1]) + 1) * len(one[0]) > size:
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
        save(mean_reader(arguments.mean), arguments.out)
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
    tokens = sum(len(ids) for batch in order for ids, _, _ in batch)
    print(f"{len(found)} examples, {len(order)} steps, {tokens} tokens", flush=True)
    reader = Reader()
    if arguments.start:
        reader.take(arguments.start)
    train(reader, order, arguments.minutes, arguments.out, arguments.rate)


def train(
    reader: Reader, order: list[list[Encoded]], minutes: float, out: Path, rate: float = RATE
) -> None:
    """Take a step a batch, in order, for so many minutes at most; the weights are saved on the way."""
    trained = [p for p in reader.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=RATE, weight_decay=0.01)
    mean = torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGED)
    mean_of_steps = torch.optim.swa_utils.AveragedModel(reader, multi_avg_fn=mean)
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
            save(mean_of_steps.module, out)
    save(mean_of_steps.module, out)


def step(
    reader: Reader,
    batch: list[Encoded],
    optimiser: torch.optim.Optimizer,
    trained: list[torch.nn.Parameter],
) -> float:
    """One step down the gradient; the loss before it."""
    longest = max(len(ids) for ids, _, _ in batch)
    ids = torch.zeros(len(batch), longest, dtype=torch.long)
    mask = torch.zeros(len(batch), longest, dtype=torch.long)
    for row, (line, _, _) in enumerate(batch):
        ids[row, : len(line)] = torch.tensor(line)
        mask[row, : len(line)] = 1
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=multiplies_bf16()):
        scores = reader.upper(reader.lower(ids, mask).float(), mask)
    scores = scores.float() + (mask[..., None] - 1) * 1e4
    loss = torch.zeros(())
    for side in (0, 1):
        places = torch.tensor([one[1 + side] for one in batch])
        loss = loss + torch.nn.functional.cross_entropy(scores[:, :, side], places)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trained, 1.0)
    optimiser.step()
    return float(loss.detach())


def save(reader: torch.nn.Module, folder: Path) -> None:
    """Write the layers and the head."""
    folder.mkdir(parents=True, exist_ok=True)
    write_layers(
        folder / "reader.safetensors",
        {
            name: value.detach().numpy().astype(np.float32)
            for name, value in reader.state_dict().items()
            if not any(f".layer.{i}." in name for i in range(FROZEN))
        },
    )


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
