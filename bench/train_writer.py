"""Train the writer of steps on questions with their steps, and write its layers.

    python bench/train_writer.py [--epochs 4] [--start FOLDER] [--threads 2] [--out FOLDER]
    python bench/train_writer.py --mean FOLDER FOLDER [--out FOLDER]

Reads bench/data/steps_*.txt (bench/data/STEPS_GUIDE.md says what they hold): those with letters
were written for this, of steps_marked.txt, made by rules of questions whose spans people had marked,
every epoch draws a quarter. The questions are multiplied by exchanging names, nouns and verbs, by
joining two, by frames of courtesy, by talk around them (asides_*.txt), by dropping capitals and
marks. With `--mean`, the mean of what several trainings wrote is written instead. Same seed and
data: the same examples in the same order.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
from planner_steps import COMMON, read  # noqa: E402
from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: E402
from weighing import add_times, mean_of, weighed  # noqa: E402
from writer_examples import (  # noqa: E402
    Encoded,
    Example,
    batch_of,
    encode,
    joined,
    names_of,
    renamed,
    roughened,
)
from writer_frames import (  # noqa: E402
    Asides,
    amid,
    exchangeable,
    exchanged,
    framed,
    read_asides,
)
from writer_model import Writer  # noqa: E402

from agent.extractive.planner.writer.choices import actions_of  # noqa: E402
from agent.extractive.planner.writer.forms import words_in  # noqa: E402
from agent.extractive.planner.writer.program import SPECIALS, row_of  # noqa: E402
from agent.extractive.weights.store import open_tokenizer, read_layers, write_layers  # noqa: E402
from retrieval.dense.sentence import multiplies_bf16  # noqa: E402

DATA = ROOT / "bench/data"
BATCH = 40
HELD = 64
AVERAGED = 0.995
"""Share of the running mean of the weights that a step keeps; the mean is what is written."""
DRAWN = 4
"""One in so many of what rules made is read in an epoch."""
EXCHANGED, FRAMED, AMID = 0.4, 0.12, 0.3
"""Shares of the questions in which a noun or verb is another, that are put in a frame, and that
stand amid other talk."""
RATE, SLOW = 4e-4, 0.25
"""The highest rate, and the encoder's share of it."""


def loaded(path: Path) -> list[Example]:
    """The questions of a file of steps."""
    return [Example(one.question, one.operator, one.lines) for one in read(path)[0]]


def words_of(examples: list[Example]) -> list[str]:
    """The vocabulary: what need not stand in the question."""
    counted: Counter[str] = Counter()
    for one in examples:
        texts = [word.text for word in words_in(one.question)]
        row = row_of(one.operator, one.lines)
        counted.update(word.casefold() for word in row if not actions_of(word, texts, {}))
    often = sorted(word for word, times in counted.items() if times >= 3)
    return list(dict.fromkeys([*SPECIALS, *sorted(COMMON), *often, "?"]))


def epoch_of(
    own: Sequence[Example],
    marked: list[Example],
    names: list[str],
    others: Mapping[int, Sequence[str]],
    asides: Asides,
    rng: random.Random,
) -> list[Example]:
    """The examples of an epoch, multiplied."""
    chosen = [*own, *rng.sample(marked, len(marked) // DRAWN)]
    chosen = [exchanged(e, others, rng) if rng.random() < EXCHANGED else e for e in chosen]
    chosen = [renamed(e, names, rng) for e in chosen]
    chosen = [framed(e, rng) if rng.random() < FRAMED else e for e in chosen]
    chosen = [joined(e, rng.choice(chosen), rng) if rng.random() < 0.06 else e for e in chosen]
    chosen = [amid(e, asides, rng) if rng.random() < AMID else e for e in chosen]
    return [roughened(e, rng) for e in chosen]


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, help="folder of layers to go on from")
    parser.add_argument("--seed", type=int, default=0)
    add_times(parser)
    parser.add_argument("--mean", type=Path, nargs="+", help="folders whose mean is written")
    parser.add_argument("--heldout", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, default=ROOT / "agent/extractive/weights")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    if arguments.mean:
        save(*mean_writer(arguments.mean), arguments.out)
        return
    files = {one.stem: loaded(one) for one in sorted(DATA.glob("steps_*.txt"))}
    marked = files.pop("steps_marked")
    own = [one for group in files.values() for one in group]
    listed = words_of([*own, *marked])
    vocabulary = {word: number for number, word in enumerate(listed)}
    tokenizer = open_tokenizer()
    model = Writer(len(vocabulary) + 1)
    if arguments.start:
        start(model, arguments.start, vocabulary)
    pool = sorted(
        {name for one in [*own, *marked] for name in names_of(one) if name != name.lower()}
    )
    others = exchangeable([*own, *marked])
    asides = read_asides(
        line
        for path in sorted(DATA.glob("asides_*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    held = [
        e
        for path in arguments.heldout
        for one in loaded(path)
        if (e := encode(one, tokenizer, vocabulary))
    ]
    print(
        f"{len(own)} + {len(marked)} questions, {len(listed)} words, {len(pool)} names", flush=True
    )
    rng = random.Random(arguments.seed)
    drawn = len(weighed(files, arguments.times, random.Random(0))) + len(marked) // DRAWN
    trainer = Trainer(model, arguments.epochs * drawn // BATCH)
    for epoch in range(arguments.epochs):
        # What is read in part is another part in every epoch.
        encoded = [
            e
            for one in epoch_of(
                weighed(files, arguments.times, rng), marked, pool, others, asides, rng
            )
            if (e := encode(one, tokenizer, vocabulary))
        ]
        encoded.sort(key=lambda e: len(e.ids) + len(e.shown) + rng.random() * 8)
        batches = [encoded[i : i + BATCH] for i in range(0, len(encoded), BATCH)]
        rng.shuffle(batches)
        mean = sum(trainer.step(batch) for batch in batches) / len(batches)
        print(
            f"{trainer.minutes():5.1f} min, epoch {epoch}: {mean:.3f}{trainer.on(held)}", flush=True
        )
        save(trainer.mean_of.module, listed, arguments.out)


class Trainer:
    """The optimiser, the schedule of its rate and the running mean of the weights."""

    def __init__(self, model: Writer, total: int) -> None:
        self._model = model
        self._total = total
        self._began = time.monotonic()
        self._steps = 0
        trained = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
        self._groups = [
            ([p for n, p in trained if not n.startswith("trunk.")], 1.0),
            ([p for n, p in trained if n.startswith("trunk.")], SLOW),
        ]
        groups = [{"params": parameters} for parameters, _ in self._groups]
        self._optimiser = torch.optim.AdamW(groups, lr=RATE, weight_decay=0.01)
        mean = torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGED)
        self.mean_of = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=mean)

    def minutes(self) -> float:
        """Since the training began."""
        return (time.monotonic() - self._began) / 60

    def step(self, batch: list[Encoded]) -> float:
        """Learn from one batch; return its loss."""
        self._model.train()
        scale = min(1.0, (self._steps + 1) / 200) * max(1 - self._steps / self._total, 0.01)
        for group, (_, share) in zip(self._optimiser.param_groups, self._groups, strict=True):
            group["lr"] = RATE * scale * share
        loss = loss_of(self._model, batch)
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        self._optimiser.step()
        self.mean_of.update_parameters(self._model)
        self._steps += 1
        return float(loss.detach())

    def on(self, held: list[Encoded]) -> str:
        """The loss on what is held out, in words; "" of nothing."""
        if not held:
            return ""
        self.mean_of.eval()
        with torch.no_grad():
            parts = [held[i : i + HELD] for i in range(0, len(held), HELD)]
            losses = [float(loss_of(self.mean_of.module, part)) for part in parts]
        return f", held out {sum(losses) / len(losses):.3f}"


def start(model: Writer, folder: Path, vocabulary: dict[str, int]) -> None:
    """Load the layers of a folder; words of its vocabulary get the places that they have here."""
    state = {n: torch.tensor(v) for n, v in read_layers(folder / "writer.safetensors").items()}
    before = (folder / "writer_words.txt").read_text(encoding="utf-8").split("\n")[:-1]
    rows, bias = model.words.weight.detach().clone(), model.words_bias.detach().clone()
    for number, word in [*enumerate(before), (len(before), None)]:
        place = len(vocabulary) if word is None else vocabulary.get(word)
        if place is not None:
            rows[place], bias[place] = state["words.weight"][number], state["words_bias"][number]
    state |= {"words.weight": rows, "words_bias": bias}
    renamed_ = {f"trunk.{n}" if n.startswith("encoder.") else n: v for n, v in state.items()}
    model.load_state_dict(renamed_, strict=False)


def mean_writer(folders: list[Path]) -> tuple[Writer, list[str]]:
    """The writer with the mean of the weights of some folders, and the words of the last of them."""
    listed = (folders[-1] / "writer_words.txt").read_text(encoding="utf-8").split("\n")[:-1]
    vocabulary = {word: number for number, word in enumerate(listed)}
    # A word that a folder does not have is what it is in the last one.
    models = [Writer(len(vocabulary) + 1) for _ in folders]
    for model in models:
        start(model, folders[-1], vocabulary)
    for model, folder in zip(models, folders, strict=True):
        start(model, folder, vocabulary)
    models[0].load_state_dict(mean_of([model.state_dict() for model in models]))
    return models[0], listed


def loss_of(model: torch.nn.Module, batch: list[Encoded]) -> torch.Tensor:
    """Mean over words of minus the logarithm of the probability of all ways to say them."""
    vocabulary = model.words.num_embeddings
    inputs, possible, right, real = batch_of(batch, vocabulary)
    # The fused attention of processors goes backwards slower than plain products do.
    with (
        torch.autocast("cpu", dtype=torch.bfloat16, enabled=multiplies_bf16()),
        sdpa_kernel(SDPBackend.MATH),
    ):
        scores = model(**inputs)
    scores = scores.float().masked_fill(~possible[:, None], -1e9)
    everything = torch.logsumexp(scores, -1)
    good = torch.logsumexp(scores.masked_fill(~right, -1e9), -1)
    return (everything - good)[real].mean()


def save(model: torch.nn.Module, listed: list[str], folder: Path) -> None:
    """Write the layers and the vocabulary."""
    state = {n: v.detach().numpy().astype(np.float32) for n, v in model.state_dict().items()}
    write_layers(folder / "writer.safetensors", state)
    (folder / "writer_words.txt").write_text("\n".join(listed) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
