"""Train the planner's tagger on marked questions, and write its layers.

    python bench/train_planner.py [--data ../shared/data] [--epochs 12] [--out FOLDER]

Reads bench/data/planner_questions_*.jsonl and, for the operator alone, four fifths of QDMR (Wolfson
et al. 2020) without the parts that come from question sets fanfold scores. The marked questions
are multiplied by swapping named things and sets between them, by dropping marks of punctuation and
capitals. Same seed and data: the same examples in the same order.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import random
import sys
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from transformers import AutoModel  # noqa: E402

from agent.extractive.language.words import AUXILIARY, DETERMINER, PREPOSITION, RELATIVE, WH  # noqa: E402
from agent.extractive.planner.marks.tagger import CASES, WIDTHS, cases, tag_names  # noqa: E402
from agent.extractive.planner.marks.types import OPERATORS, Mark, in_layers, parse  # noqa: E402
from agent.extractive.weights.store import open_tokenizer, read_layers, write_layers  # noqa: E402
from retrieval.dense.embedders import embedded_folder  # noqa: E402

AVERAGED = 0.995
"""Share of the running mean of the weights that a step keeps; the mean is what is written."""
SCORED = ("HOTPOT", "MUSIQUE", "FANOUT")
"""Question sets inside QDMR that fanfold scores: never learned from."""
THINGS = ("M", "S", "B")
ASKED = ("A", "C", "C-", "K+", "K-")
SMOOTHED = 0.02
"""Of the tags; the operator's is 0.05."""
LOWERED = 0.2
"""Share of questions that lose their capitals."""
IGNORED = -100


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its marks (None where only the operator is known) and operator."""

    text: str
    marks: tuple[Mark, ...] | None
    operator: str


class Planner(torch.nn.Module):
    """The encoder, the tags of every piece, the operator of the first."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = AutoModel.from_pretrained(str(embedded_folder()), add_pooling_layer=False)
        size = self.trunk.config.hidden_size
        self.tags = torch.nn.Linear(size, sum(WIDTHS.values()))
        self.operator = torch.nn.Linear(size, len(OPERATORS))
        self.cases = torch.nn.Embedding(CASES, size)
        torch.nn.init.zeros_(self.cases.weight)
        self.trunk.embeddings.requires_grad_(False)

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, written: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores of tags [texts, pieces, tags] and of operators [texts, operators]."""
        embeddings = self.trunk.embeddings
        places = embeddings.position_embeddings.weight[: ids.shape[1]]
        states = embeddings.word_embeddings(ids) + places + self.cases(written)
        states = states + embeddings.token_type_embeddings.weight[0]
        states = embeddings.dropout(embeddings.LayerNorm(states))
        hidden = torch.where(mask[:, None, None, :] > 0, 0.0, -1e9)
        for layer in self.trunk.encoder.layer:
            states = layer(states, attention_mask=hidden)
            states = states[0] if isinstance(states, tuple) else states
        return self.tags(states), self.operator(states[:, 0])


def marked(paths: list[Path]) -> list[dict[str, Any]]:
    """Records of marked questions, with their text and marks read."""
    found = []
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                record = json.loads(line)
                text, marks = parse(record["marked"])
                found.append({**record, "text": text, "marks": tuple(marks)})
    return found


def qdmr(path: Path, *, held_out: bool) -> list[Example]:
    """Questions of QDMR with the operator that its last steps stand for."""
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            item = json.loads(line)
            if item["id"].upper().startswith(SCORED):
                continue
            if (zlib.crc32(item["id"].encode()) % 5 == 0) != held_out:
                continue
            operator = qdmr_operator(item["steps"], ast.literal_eval(item["operators"]))
            found.append(Example(item["question"].strip(), None, operator))
    return found


def qdmr_operator(steps: list[str], operators: list[str]) -> str:
    """The planner's operator for a decomposition: what its last computing step does."""
    last = operators[-1].lower()
    text = steps[-1].lower()
    if last in ("aggregate", "group"):
        for word, name in (("number", "count"), ("sum", "sum"), ("average", "average")):
            if word in text:
                return name
        return "give"
    if last == "arithmetic":
        if "difference" in text:
            return "difference"
        return "sum" if "sum" in text else "average" if "average" in text else "give"
    if last == "boolean":
        return "same" if "same" in text else "yesno"
    return "give"


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing as some question names it, with the marks inside it; offsets count from its start."""

    text: str
    marks: tuple[Mark, ...]


def pieces(examples: list[Example]) -> dict[str, list[Piece]]:
    """The things that the marked questions name, by label and leading quantifier."""
    pool: dict[str, list[Piece]] = {}
    for example in examples:
        for mark in example.marks or ():
            if mark.label in (*THINGS, *ASKED):
                said = example.text[mark.start : mark.end]
                inside = tuple(
                    Mark(label=o.label, start=o.start - mark.start, end=o.end - mark.start)
                    for o in example.marks or ()
                    if mark.start <= o.start and o.end <= mark.end
                )
                if mark.label in THINGS or not any(o.label.startswith("R") for o in inside):
                    pool.setdefault(_shape(example, mark), []).append(Piece(said, inside))
    return pool


def swapped(
    example: Example,
    pool: dict[str, list[Piece]],
    rng: random.Random,
    labels: tuple[str, ...],
    share: float,
) -> Example:
    """The question with a share of its spans of some labels exchanged for those of others.

    A thing that stands alone may also become a description of one, or the other way about: what is
    asked of a name can be asked of whatever a description leads to.
    """
    if example.marks is None:
        return example
    text, marks = example.text, list(example.marks)
    things = [m for m in marks if m.label in labels]
    alone = sum(m.label == "M" for m in marks) == 1
    free = [
        m for m in things
        if not any(o is not m and o.start <= m.start and m.end <= o.end for o in things)
    ]  # fmt: skip
    for mark in sorted(free, key=lambda m: -m.start):
        around = [o for o in marks if o is not mark and (o.start, o.end) == (mark.start, mark.end)]
        if rng.random() > share or around:
            continue
        said = text[mark.start : mark.end]
        shape = _shape(Example(text, tuple(marks), ""), mark)
        if mark.label == "M" and alone and rng.random() < 0.25:
            shape = "B the"
        elif mark.label == "B" and rng.random() < 0.25:
            shape = rng.choice(["M ", "M the"])
        other = rng.choice(pool.get(shape) or [Piece(said, ())])
        if not other.marks:
            continue
        named = other.text.lower() if said.islower() else other.text
        moved = len(named) - len(said)
        text = text[: mark.start] + named + text[mark.end :]
        kept = [o for o in marks if not (mark.start <= o.start and o.end <= mark.end)]
        marks = [
            Mark(
                label=o.label,
                start=o.start + (moved if o.start >= mark.end else 0),
                end=o.end + (moved if o.end >= mark.end else 0),
            )
            for o in kept
        ]
        marks += [
            Mark(label=o.label, start=o.start + mark.start, end=o.end + mark.start)
            for o in other.marks
        ]
    return Example(text, tuple(marks), example.operator)


def _shape(example: Example, mark: Mark) -> str:
    """What spans that may stand in for one another have in common."""
    said = example.text[mark.start : mark.end]
    first = said.split()[0].lower()
    if mark.label in THINGS:
        quantity = first if first in ("the", "each", "all", "every", "both", "any") else ""
        return f"{mark.label} {quantity}"
    if mark.label == "A":
        holds = any(mark.start <= o.start and o.end <= mark.end and o is not mark
                    for o in example.marks or ())  # fmt: skip
        clause = first in WH | AUXILIARY or holds or first in PREPOSITION
        return f"A {said}" if clause else f"A {first if first in DETERMINER else ''}"
    led = first if first in WH | AUXILIARY | PREPOSITION | RELATIVE | DETERMINER else ""
    before = example.text[mark.end :].lstrip()[:1].isalnum()
    verb = "" if led else first[-2:]
    return f"{mark.label} {led}{verb}{' before a word' if mark.label[0] == 'K' and before else ''}"


def joined(example: Example, other: Example, rng: random.Random) -> Example:
    """Two plain questions asked in one breath, where neither points back."""
    for one in (example, other):
        if one.operator != "give" or one.marks is None or len(one.text) > 90:
            return example
        if any(mark.label.startswith("R") for mark in one.marks):
            return example
    first = example.text.rstrip(" ?.")
    link = rng.choice([" and ", ", and ", " plus ", "; "])
    at = len(first) + len(link)
    second = other.text[:1].lower() + other.text[1:] if other.text[1:2].islower() else other.text
    marks = [
        *(m for m in example.marks or () if m.end <= len(first)),
        *(Mark(label=m.label, start=m.start + at, end=m.end + at) for m in other.marks or ()),
    ]
    return Example(first + link + second, tuple(marks), "give")


def roughened(example: Example, rng: random.Random) -> Example:
    """The question without its closing mark, or without a comma or an apostrophe."""
    text, marks = example.text, list(example.marks or ())
    for at in [i for i, c in enumerate(text) if c in ",?'’-–\"."][::-1]:
        if rng.random() > 0.35 or any(m.start == at or m.end == at + 1 for m in marks):
            continue
        text = text[:at] + text[at + 1 :]
        marks = [
            Mark(label=m.label, start=m.start - (m.start > at), end=m.end - (m.end > at))
            for m in marks
        ]
    return Example(text, None if example.marks is None else tuple(marks), example.operator)


def lowered(example: Example) -> Example:
    """The question typed without capitals."""
    text = "".join(c.lower() if len(c.lower()) == 1 else c for c in example.text)
    return Example(text, example.marks, example.operator)


Target = tuple[list[int], list[list[int]], int, list[int]]


def targets(example: Example, tokenizer: Tokenizer) -> Target:
    """Word pieces, the tag of each in every layer, the operator, how each piece is written."""
    encoding = tokenizer.encode(example.text)
    ids = encoding.ids[:128]
    rows = [[IGNORED] * len(WIDTHS) for _ in ids]
    if example.marks is not None:
        layers = in_layers(example.marks)
        for number, layer in enumerate(WIDTHS):
            names = tag_names(layer)
            for i in range(1, len(ids) - 1):
                rows[i][number] = 0
            for mark in layers[layer]:
                begun = False
                for i in range(1, len(ids) - 1):
                    start, end = encoding.offsets[i]
                    if start < mark.end and end > mark.start:
                        rows[i][number] = names.index(f"{'I' if begun else 'B'}-{mark.label}")
                        begun = True
    written = cases(example.text, encoding.offsets[: len(ids)])
    return ids, rows, OPERATORS.index(example.operator), written  # type: ignore[arg-type]


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--questions", type=Path, nargs="*")
    parser.add_argument("--without", nargs="*", default=[], help="subjects and voices left out")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--start", type=Path, help="layers to go on from")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "agent/extractive/weights")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(arguments.threads)
    paths = arguments.questions or sorted((ROOT / "bench/data").glob("planner_questions_*.jsonl"))
    records = [
        r for r in marked(paths)
        if r["subject"] not in arguments.without and r["voice"] not in arguments.without
    ]  # fmt: skip
    own = [Example(r["text"], r["marks"], r["op"]) for r in records]
    others = qdmr(arguments.data / "reading/qdmr.jsonl.gz", held_out=False)
    pool = pieces(own)
    print(f"{len(own)} marked questions, {len(others)} of QDMR", flush=True)
    tokenizer = open_tokenizer()
    model = Planner()
    if arguments.start:
        state = {name: torch.tensor(value) for name, value in read_layers(arguments.start).items()}
        renamed = {f"trunk.{n}" if n.startswith("encoder.") else n: v for n, v in state.items()}
        model.load_state_dict(renamed, strict=False)
    trained = [p for p in model.parameters() if p.requires_grad]
    heads = [
        *model.tags.parameters(), *model.operator.parameters(), *model.cases.parameters(),
    ]  # fmt: skip
    mean_of = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGED)
    )
    known = {id(p) for p in heads}
    groups = [
        {"params": [p for p in trained if id(p) not in known], "rate": 2e-4},
        {"params": heads, "rate": 1e-3},
    ]
    optimiser = torch.optim.AdamW(groups, lr=2e-4, weight_decay=0.01)
    rng = random.Random(0)
    began = time.monotonic()
    model.train()
    steps = 0
    size = 40
    total = arguments.epochs * ((len(own) + len(own) // 4) // size + 1)
    for epoch in range(arguments.epochs):
        chosen = [swapped(e, pool, rng, ASKED, 0.3) for e in own]
        chosen = [swapped(e, pool, rng, THINGS, 0.5) for e in chosen]
        chosen = [
            roughened(joined(e, rng.choice(chosen), rng) if rng.random() < 0.1 else e, rng)
            for e in chosen
        ]
        chosen = [lowered(e) if rng.random() < LOWERED else e for e in chosen]
        chosen += [roughened(e, rng) for e in rng.sample(others, len(own) // 4)]
        encoded = sorted(
            (targets(e, tokenizer) for e in chosen), key=lambda one: len(one[0]) + rng.random() * 6
        )
        batches = [encoded[i : i + size] for i in range(0, len(encoded), size)]
        rng.shuffle(batches)
        mean = 0.0
        for batch in batches:
            longest = max(len(ids) for ids, *_ in batch)
            written = torch.zeros(len(batch), longest, dtype=torch.long)
            ids = torch.zeros(len(batch), longest, dtype=torch.long)
            mask = torch.zeros(len(batch), longest, dtype=torch.long)
            tags = torch.full((len(batch), longest, len(WIDTHS)), IGNORED)
            for row, (line, rows, _, how) in enumerate(batch):
                written[row, : len(line)] = torch.tensor(how)
                ids[row, : len(line)] = torch.tensor(line)
                mask[row, : len(line)] = 1
                tags[row, : len(line)] = torch.tensor(rows)
            for group in groups:
                rate = float(group["rate"])  # type: ignore[arg-type]
                scale = min(1.0, (steps + 1) / 80) * max(1 - steps / total, 0.02)
                optimiser.param_groups[groups.index(group)]["lr"] = rate * scale
            with torch.autocast("cpu", dtype=torch.bfloat16):
                scores, operators = model(ids, mask, written)
            wanted = torch.tensor([operator for _, _, operator, _ in batch])
            loss = torch.nn.functional.cross_entropy(
                operators.float(), wanted, label_smoothing=0.05
            )
            at = 0
            for number, width in enumerate(WIDTHS.values()):
                part = scores[:, :, at : at + width].float().reshape(-1, width)
                at += width
                if (tags[:, :, number] != IGNORED).any():
                    loss = loss + torch.nn.functional.cross_entropy(
                        part,
                        tags[:, :, number].reshape(-1),
                        ignore_index=IGNORED,
                        label_smoothing=SMOOTHED,
                    )
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimiser.step()
            mean_of.update_parameters(model)
            steps += 1
            mean += float(loss.detach()) / len(batches)
        minutes = (time.monotonic() - began) / 60
        print(f"{minutes:5.1f} min, epoch {epoch}: {mean:.3f}", flush=True)
    save(mean_of.module, arguments.out)


def save(model: Planner, folder: Path) -> None:
    """Write the layers and the heads."""
    write_layers(
        folder / "planner.safetensors",
        {
            name: value.detach().numpy().astype(np.float32)
            for name, value in model.state_dict().items()
        },
    )


if __name__ == "__main__":
    main()
