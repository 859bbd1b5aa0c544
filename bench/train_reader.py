"""Train the reader's layers on top of the embedded encoder, and write them.

    python bench/train_reader.py [--data ../shared/data] [--minutes 75] [--out FOLDER]

The upper layers are trained; the embeddings and the lower layers stay as they are, so that what
they make of a batch is computed once. The loss is the cross-entropy of
where the answer starts and ends, with the first token standing for "no answer here" (Devlin et al.
2019, section 4.3). Same seed, same data: the same examples in the same order; the sums of floating
point numbers depend on the machine.
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
from reader_data import Example, examples  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from transformers import AutoModel  # noqa: E402

from agent.extractive.weights.store import read_layers, write_layers  # noqa: E402
from corpus.store import Snapshot  # noqa: E402
from retrieval.embed import embedded_folder  # noqa: E402

DUMPS = (
    "enwiki-2014-11-wp2txt", "enwiki-2017-tables-gensim", "enwiki-2019-camchenry",
    "enwiki-2021-dbpedia",
)  # fmt: skip
FROZEN = 3
"""Lower layers that are not trained: half the time a step for what data of this size can teach."""
BATCH = 2048
"""Tokens of a step."""
LONGEST = 192
"""Tokens of a question with its window; what is longer is cut."""


class Reader(torch.nn.Module):
    """The encoder and two scores a token: start and end."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = AutoModel.from_pretrained(
            str(embedded_folder()), add_pooling_layer=False, attn_implementation="sdpa"
        )
        self.head = torch.nn.Linear(self.trunk.config.hidden_size, 2)
        self.trunk.embeddings.requires_grad_(False)
        for layer in self.trunk.encoder.layer[:FROZEN]:
            layer.requires_grad_(False)

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


def encode(found: list[Example], tokenizer: Tokenizer) -> list[tuple[list[int], int, int]]:
    """(token ids, first token of the answer, last one), (…, 0, 0) where there is none."""
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


def main() -> None:
    """Train for the minutes given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--minutes", type=float, default=75)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--made", type=int, default=6000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, help="layers to go on from")
    parser.add_argument("--out", type=Path, default=ROOT / "runs/reader")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(arguments.threads)
    with tempfile.TemporaryDirectory() as folder:
        found = examples(arguments.data, build(arguments.data, Path(folder)), 0, arguments.made)
    tokenizer = Tokenizer.from_file(str(embedded_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    data = encode(found, tokenizer)
    tokens = sum(len(ids) for ids, _, _ in data)
    print(f"{len(data)} examples, {tokens} tokens", flush=True)
    reader = Reader()
    if arguments.start:
        state = {name: torch.tensor(value) for name, value in read_layers(arguments.start).items()}
        renamed = {n if n.startswith("head.") else f"trunk.{n}": v for n, v in state.items()}
        reader.load_state_dict(renamed, strict=False)
    trained = [p for p in reader.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=1.2e-4, weight_decay=0.01)
    rng = random.Random(0)
    planned = arguments.epochs * len(batches(data, BATCH, random.Random(0)))
    began = time.monotonic()
    done, running = 0, 0.0
    reader.train()
    fixed = batches(data, BATCH, rng)
    cached: dict[int, torch.Tensor] = {}
    for epoch in range(arguments.epochs):
        order = list(range(len(fixed)))
        rng.shuffle(order)
        for number in order:
            batch = fixed[number]
            spent = (time.monotonic() - began) / 60 / arguments.minutes
            progress = max(done / planned, spent)
            if progress >= 1:
                break
            for group in optimiser.param_groups:
                group["lr"] = 1.2e-4 * min(1.0, (done + 1) / 60) * max(1 - progress, 0.02)
            longest = max(len(ids) for ids, _, _ in batch)
            ids = torch.zeros(len(batch), longest, dtype=torch.long)
            mask = torch.zeros(len(batch), longest, dtype=torch.long)
            for row, (line, _, _) in enumerate(batch):
                ids[row, : len(line)] = torch.tensor(line)
                mask[row, : len(line)] = 1
            with torch.autocast("cpu", dtype=torch.bfloat16):
                if number not in cached:
                    cached[number] = reader.lower(ids, mask)
                scores = reader.upper(cached[number].float(), mask)
            scores = scores.float() + (mask[..., None] - 1) * 1e4
            loss = sum(
                torch.nn.functional.cross_entropy(
                    scores[:, :, side], torch.tensor([one[1 + side] for one in batch])
                )
                for side in (0, 1)
            )
            optimiser.zero_grad()
            loss.backward()  # type: ignore[union-attr]
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimiser.step()
            done += 1
            value = float(loss.detach())  # type: ignore[union-attr]
            running = value if done == 1 else 0.98 * running + 0.02 * value
            if done % 25 == 0:
                minutes = (time.monotonic() - began) / 60
                print(
                    f"{minutes:5.1f} min, epoch {epoch}, {done}/{planned}: {running:.3f}",
                    flush=True,
                )
            if done % 400 == 0:
                save(reader, arguments.out)
    save(reader, arguments.out)


def save(reader: Reader, folder: Path) -> None:
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
