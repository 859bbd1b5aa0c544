"""Train the model that matches what a step asks with a label or a column's head, and measure it.

    python bench/train_labels.py [FILE...] [--folds 4] [--judge FILE] [--out FOLDER]

Reads groups (bench/data/labels_{a..o}.txt): a box or a table with its labels and a value under
each, wordings that one of them answers, and wordings that none does. A bi-encoder: the question,
its thing replaced by "it", and each label with the kind of its value go through the embedded
encoder with its upper layers trained further; their cosine, scaled, stands against the score of
"none". Prints, cross-validated over groups with `--folds` and on `--judge`, which no training sees:
the share of wordings whose label is chosen, the share told to have none, and how often a choice
from some probability on is right.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
from reader_data.labelled import groups, telling_words  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from transformers import AutoModel  # noqa: E402

from agent.extractive.finder.attributes import LONGEST, about_it, described  # noqa: E402
from agent.extractive.weights.store import open_tokenizer, write_layers  # noqa: E402
from retrieval.dense.embedders import embedded_folder  # noqa: E402

DATA = ROOT / "bench/data"
MISSING = 0.25
"""Share of wordings whose label is taken away while training: none is left that answers."""
BATCH = 48
"""Wordings of one step: of as few groups as hold them, whose labels are encoded once."""
_WH = re.compile(r"^(?:who|whom|whose|what|which|when|where|why|how|in|at|on|by|from|to|is|was|did|does|do|are|were|has|had|have|can|could|will|it|since|for|name|tell|give)\b", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asking:
    """A wording with the labels it may choose from, and the one that answers (-1 for none)."""

    question: str
    labels: tuple[str, ...]
    answer: int
    group: int


def masked(question: str, thing: str) -> str:
    """The question with its thing, or a telling word of its name, replaced."""
    bare = re.sub(r"\s*\([^()]*\)$", "", thing)
    return about_it(question, [thing, bare, *telling_words(thing)])


def read_groups(paths: Sequence[Path]) -> list[Asking]:
    """The wordings of files of groups."""
    out: list[Asking] = []
    for number, group in enumerate(groups(paths)):
        shown = tuple(map(described, group.labels, group.values))
        out += [
            Asking(masked(wording, group.thing), shown, answer, number)
            for wording, answer in group.wordings
        ]
    return out


class Matcher(torch.nn.Module):
    """The encoder, its mean over the pieces, a scale and the score of none."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.trunk = AutoModel.from_pretrained(str(embedded_folder()), add_pooling_layer=False)
        self.trunk.requires_grad_(False)
        self.trunk.eval()
        self.layers = layers
        self.known: dict[str, torch.Tensor] = {}
        if layers:
            for layer in self.trunk.encoder.layer[-layers:]:
                layer.requires_grad_(True)
        self.scale = torch.nn.Parameter(torch.tensor(12.0))
        self.none = torch.nn.Linear(self.trunk.config.hidden_size, 1)
        torch.nn.init.zeros_(self.none.weight)
        torch.nn.init.constant_(self.none.bias, 5.0)

    @torch.no_grad()
    def read(self, texts: Iterable[str], tokenizer: Tokenizer) -> None:
        """Keep the states of texts before the layers that are trained, [pieces, hidden] each."""
        new = sorted(set(texts) - set(self.known), key=len)
        for at in range(0, len(new), 64):
            part = new[at : at + 64]
            lines = [torch.tensor(tokenizer.encode(text).ids[:LONGEST]) for text in part]
            ids = torch.nn.utils.rnn.pad_sequence(lines, batch_first=True)
            hidden = torch.where(ids[:, None, None, :] > 0, 0.0, -1e9)
            states = self.trunk.embeddings(input_ids=ids)
            for layer in self.trunk.encoder.layer[: -self.layers or None]:
                states = layer(states, attention_mask=hidden)
                states = states[0] if isinstance(states, tuple) else states
            for text, line, row in zip(part, lines, states, strict=True):
                self.known[text] = row[: len(line)].clone()

    def encode(self, texts: Sequence[str], tokenizer: Tokenizer) -> torch.Tensor:
        """Vectors of unit length, [texts, hidden]."""
        self.read(texts, tokenizer)
        below = [self.known[text] for text in texts]
        states = torch.nn.utils.rnn.pad_sequence(below, batch_first=True)
        mask = torch.zeros(states.shape[:2])
        for row, line in enumerate(below):
            mask[row, : len(line)] = 1
        hidden = torch.where(mask[:, None, None, :] > 0, 0.0, -1e9)
        for layer in self.trunk.encoder.layer[-self.layers :] if self.layers else ():
            states = layer(states, attention_mask=hidden)
            states = states[0] if isinstance(states, tuple) else states
        pooled = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return torch.nn.functional.normalize(pooled, dim=1)

    def scores(self, questions: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:  # fmt: skip
        """Scores of each label for each question, and of none for each question."""
        return self.scale * questions @ labels.T, self.none(questions)[:, 0]


def varied(one: Asking, rng: random.Random) -> Asking:
    """The wording as a step may put it, sometimes with its label taken away."""
    question, labels, answer = one.question, one.labels, one.answer
    if not _WH.match(question) and rng.random() < 0.5:
        question = (
            f"What is {'' if question.lower().startswith(('the ', 'its ')) else 'the '}{question}"
        )
    if answer >= 0 and rng.random() < MISSING:
        labels = tuple(label for i, label in enumerate(labels) if i != answer)
        answer = -1
    return Asking(question, labels, answer, one.group)


def train(examples: Sequence[Asking], tokenizer: Tokenizer, layers: int, epochs: int, seed: int = 0) -> Matcher:  # fmt: skip
    """Train on groups' wordings."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = Matcher(layers)
    model.read((text for one in examples for text in (one.question, *one.labels)), tokenizer)
    trunk = [p for p in model.trunk.parameters() if p.requires_grad]
    heads = [model.scale, *model.none.parameters()]
    groups: list[dict[str, Any]] = [{"params": heads, "lr": 2e-3, "weight_decay": 1e-3}]
    if trunk:
        groups.append({"params": trunk, "lr": 6e-5, "weight_decay": 1e-2})
    optimizer = torch.optim.AdamW(groups)
    of_group: dict[int, list[Asking]] = {}
    for one in examples:
        of_group.setdefault(one.group, []).append(one)
    steps = epochs * -(-len(examples) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer,
        [g["lr"] for g in groups],
        total_steps=steps,
        pct_start=0.1,
        anneal_strategy="linear",
    )
    began = time.perf_counter()
    for epoch in range(epochs):
        # Two halves of every group at different times: a step sees some three groups.
        halves = [
            part
            for group in of_group.values()
            for some in [rng.sample(group, len(group))]
            for part in (some[: len(some) // 2], some[len(some) // 2 :])
        ]
        order = [one for part in rng.sample(halves, len(halves)) for one in part]
        total = 0.0
        for layer in model.trunk.encoder.layer[-layers:] if layers else ():
            layer.train()
        for at in range(0, len(order), BATCH):
            batch = [varied(one, rng) for one in order[at : at + BATCH]]
            labels = list(dict.fromkeys(label for one in batch for label in one.labels))
            place = {label: i for i, label in enumerate(labels)}
            with torch.autocast("cpu", dtype=torch.bfloat16):
                vectors = model.encode([*(o.question for o in batch), *labels], tokenizer).float()
            scores, none = model.scores(vectors[: len(batch)], vectors[len(batch) :])
            own = torch.full_like(scores, -1e9)
            target = []
            for row, one in enumerate(batch):
                for label in one.labels:
                    own[row, place[label]] = 0.0
                target.append(len(labels) if one.answer < 0 else place[one.labels[one.answer]])
            logits = torch.cat([scores + own, none[:, None]], dim=1)
            loss = torch.nn.functional.cross_entropy(logits, torch.tensor(target))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item() * len(batch)
        print(f"  {(time.perf_counter() - began) / 60:.1f} min, epoch {epoch}: {total / len(order):.3f}", flush=True)  # fmt: skip
    return model


@torch.no_grad()
def judged(model: Matcher, examples: Sequence[Asking], tokenizer: Tokenizer) -> list[tuple[float, bool, bool]]:  # fmt: skip
    """(probability of the best label, whether it is right, whether one is) for each wording."""
    model.eval()
    out = []
    for one in examples:
        vectors = model.encode([one.question, *one.labels], tokenizer)
        scores, none = model.scores(vectors[:1], vectors[1:])
        best = int(scores[0].argmax())
        sure = float(torch.sigmoid(scores[0, best] - none[0]))
        out.append((sure, best == one.answer, one.answer >= 0))
    return out


def report(name: str, results: Sequence[tuple[float, bool, bool]]) -> None:
    """Print the figures of a set."""
    some = [r for r in results if r[2]]
    none = [r for r in results if not r[2]]
    print(f"{name}: {len(some)} with a label, {len(none)} without")
    print(f"  best label right {np.mean([r[1] for r in some]):.3f}")
    for least in (0.5, 0.7, 0.8, 0.9, 0.95):
        said = [r for r in results if r[0] >= least]
        right = sum(r[1] for r in said)
        print(
            f"  from {least}: chosen and right {sum(r[1] for r in some if r[0] >= least) / len(some):.3f}, "
            f"of what is chosen right {right / max(len(said), 1):.3f}, "
            f"none told {np.mean([r[0] < least for r in none]):.3f}"
        )


def main() -> None:
    """Cross-validate, judge, train on all and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("files", type=Path, nargs="*", default=[DATA / f"labels_{one}.txt" for one in "abcdefghijklmnopq"])  # fmt: skip
    parser.add_argument("--judge", type=Path, default=DATA / "labels_judging.txt")
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--folds", type=int, default=0, help="of a cross-validation besides")
    parser.add_argument("--out", type=Path, help="where labels.safetensors is written")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    tokenizer = open_tokenizer()
    examples = read_groups(arguments.files)
    print(f"{len(examples)} wordings, {len({e.group for e in examples})} groups", flush=True)
    results = []
    for fold in range(arguments.folds):
        seen = [e for e in examples if e.group % arguments.folds != fold]
        model = train(seen, tokenizer, arguments.layers, arguments.epochs)
        results += judged(model, [e for e in examples if e.group % arguments.folds == fold], tokenizer)  # fmt: skip
    if results:
        report("cross-validated by groups", results)
    model = train(examples, tokenizer, arguments.layers, arguments.epochs)
    report(arguments.judge.name, judged(model, read_groups([arguments.judge]), tokenizer))
    if arguments.out:
        layers = len(model.trunk.encoder.layer)
        kept = [f".layer.{number}." for number in range(layers - arguments.layers, layers)]
        state = {
            name: value.detach().numpy() for name, value in model.state_dict().items()
            if not name.startswith("trunk.") or any(one in name for one in kept)
        }  # fmt: skip
        write_layers(arguments.out / "labels.safetensors", state | {"scale": state["scale"].reshape(1)})  # fmt: skip


if __name__ == "__main__":
    main()
