"""Train the model that tells core, background and follow-up sub-questions apart, and measure it.

A label is the majority's of three who labelled every sub-question without seeing the writer's
label (bench/data/KINDS.md), or, with `--labels writer`, the writer's. Prints how far the three
agree; then accuracy and Cohen's kappa (with its 95 % interval, questions resampled) of a
cross-validation over the labelled questions that come with the package, of what was trained on all
of them, and of the weights that the package holds: on the judging questions of another writer and,
where a file of human annotations is given, on those; neither takes part in training. `--more` learns
from a file of further examples as well; `--write` stores the weights. Those that are stored were
made by `--labels writer --write`.

    python bench/train_kinds.py [--labels writer] [--annotations FILE.jsonl]
                                [--more bench/data/kinds_examples.txt] [--write]
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import cohen_kappa_score, confusion_matrix

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent.extractive.planner.kinds import KINDS, MODEL, KindModel, describe, load_model  # noqa: E402
from evals.metrics.statistics import fleiss_kappa  # noqa: E402
from retrieval.dense.embedders import shared_embedder  # noqa: E402
from retrieval.types import Embedder  # noqa: E402

EXAMPLES = MODEL.with_name("kinds.txt")
JUDGING = ROOT / "bench/data/kinds_judging.txt"
ANNOTATIONS = ROOT / "../shared/data/subquestion/type-annotations.jsonl"
PENALTY = 15.0
"""L2 penalty: the flat top of the cross-validation over 5 to 30."""
FOLDS = 9


Questions = list[tuple[str, list[tuple[str, int]]]]
"""(question, [(sub-question, index of its kind, -1 where the labels tie)])."""
LETTERS = {"c": 0, "b": 1, "f": 2}
_LINE = re.compile(r"([cbf]) ([cbf]{3}): (.+)")
"""The writer's label, those of three others, the sub-question."""


def read_examples(path: Path, labels: str) -> Questions:
    """Return the questions of a file, with the labels of its "writer" or of the "majority"."""
    questions: Questions = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("? "):
            questions.append((line[2:].strip(), []))
        elif match := _LINE.fullmatch(line):
            (best, count), *_ = Counter(match[2]).most_common(1)
            majority = LETTERS[best] if count > 1 else -1
            label = LETTERS[match[1]] if labels == "writer" else majority
            questions[-1][1].append((match[3].strip(), label))
    return questions


def print_agreement(path: Path) -> None:
    """Print how far the three agree with one another, and their majority with the writer."""
    rows = [
        match for line in path.read_text("utf-8").splitlines() if (match := _LINE.fullmatch(line))
    ]
    agreed = fleiss_kappa([match[2] for match in rows])
    decided = [(match[1], Counter(match[2]).most_common(1)[0]) for match in rows]
    pairs = [(writer, best) for writer, (best, count) in decided if count > 1]
    print(
        f"{path.name}: {len(rows)} sub-questions, Fleiss' kappa of the three"
        f" {agreed or 0.0:.3f}, Cohen's of the majority with the writer"
        f" {cohen_kappa_score(*zip(*pairs, strict=True)):.3f}, without a majority"
        f" {len(rows) - len(pairs)}"
    )


def read_annotations(path: Path) -> Questions:
    """Return the same from annotations; a tie between annotators has the label -1."""
    questions: dict[str, list[tuple[str, int]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        ranked = Counter(label.replace("-", "_") for label in record["labels"]).most_common()
        tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
        label = -1 if tie else KINDS.index(ranked[0][0])
        questions.setdefault(record["question"], []).append((record["sub_question"], label))
    return list(questions.items())


class Remembering:
    """An embedder that embeds a text once."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.dim = embedder.name, embedder.dim
        self._embedder = embedder
        self._known: dict[str, np.ndarray] = {}

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return [n, dim], as the embedder does."""
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known.update(zip(new, self._embedder.encode(new), strict=True))
        return np.stack([self._known[text] for text in texts])


def few(subs: list[tuple[str, int]], rng: random.Random) -> list[tuple[str, int]]:
    """Three to five of a question's sub-questions: plans are often that short."""
    return rng.sample(subs, min(len(subs), rng.randint(3, 5)))


def fit(
    features: np.ndarray, wording: np.ndarray, labels: np.ndarray, name: str, strength: float
) -> KindModel:
    """Fit the softmax regression."""
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    inputs = np.hstack([(features - mean) / scale, wording, np.ones((len(labels), 1))])
    wanted = np.eye(len(KINDS))[labels]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(inputs.shape[1], -1)
        logits = inputs @ weights
        logits -= logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        chances /= chances.sum(axis=1, keepdims=True)
        penalty = strength * weights
        penalty[-1] = 0
        value = -np.log((chances * wanted).sum(axis=1) + 1e-12).sum()
        return value + 0.5 * (penalty * weights).sum(), (
            inputs.T @ (chances - wanted) + penalty
        ).ravel()

    start = np.zeros(inputs.shape[1] * len(KINDS))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400})
    weights = found.x.reshape(inputs.shape[1], -1)
    return KindModel(embedder=name, mean=mean, scale=scale, weights=weights[:-1], bias=weights[-1])


def interval(truths: list[np.ndarray], guesses: list[np.ndarray]) -> tuple[float, float]:
    """95 % interval of kappa by a bootstrap over questions."""
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(1000):
        picked = rng.integers(0, len(truths), len(truths))
        truth = np.concatenate([truths[i] for i in picked])
        guess = np.concatenate([guesses[i] for i in picked])
        drawn.append(cohen_kappa_score(truth[truth >= 0], guess[truth >= 0]))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def report(title: str, truths: list[np.ndarray], guesses: list[np.ndarray]) -> None:
    """Print accuracy, kappa and the confusion of one evaluation, an array of labels a question."""
    low, high = interval(truths, guesses)
    truth, guess = np.concatenate(truths), np.concatenate(guesses)
    known = truth >= 0
    truth, guess = truth[known], guess[known]
    largest = np.bincount(truth).max() / len(truth)
    print(
        f"{title}: n {len(truth)}, accuracy {np.mean(truth == guess):.3f} "
        f"(largest class {largest:.3f}), kappa {cohen_kappa_score(truth, guess):.3f} "
        f"[{low:.2f}, {high:.2f}], without a majority {int((~known).sum())}"
    )
    for kind, row in zip(KINDS, confusion_matrix(truth, guess, labels=range(3)), strict=True):
        print(f"  {kind:12s}" + "".join(f"{value:6d}" for value in row))


def main() -> None:
    """Run the cross-validation, then the final model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--annotations", type=Path, default=ANNOTATIONS)
    parser.add_argument("--more", type=Path, nargs="*", default=[])
    parser.add_argument("--labels", choices=("majority", "writer"), default="majority")
    parser.add_argument("--penalty", type=float, default=PENALTY)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    for path in (EXAMPLES, *chosen.more, JUDGING):
        print_agreement(path)
    embedder = Remembering(shared_embedder())
    examples = [
        one for path in (EXAMPLES, *chosen.more) for one in read_examples(path, chosen.labels)
    ]
    described = [describe(q, [s for s, _ in subs], embedder) for q, subs in examples]
    labels = [np.array([label for _, label in subs]) for _, subs in examples]
    rng = random.Random(0)
    parts = [few(subs, rng) for _, subs in examples]
    short = [
        describe(q, [s for s, _ in part], embedder)
        for (q, _), part in zip(examples, parts, strict=True)
    ]

    def train(picked: list[int]) -> KindModel:
        seen = [described[i] for i in picked] + [short[i] for i in picked]
        known = [labels[i] for i in picked] + [
            np.array([label for _, label in parts[i]]) for i in picked
        ]
        truth = np.concatenate(known)
        return fit(
            np.vstack([one for one, _ in seen])[truth >= 0],
            np.vstack([one for _, one in seen])[truth >= 0],
            truth[truth >= 0],
            embedder.name,
            chosen.penalty,
        )

    guesses: dict[int, np.ndarray] = {}
    for fold in range(FOLDS):
        model = train([i for i in range(len(examples)) if i % FOLDS != fold])
        for i in range(fold, len(examples), FOLDS):
            guesses[i] = model.scores(*described[i]).argmax(axis=1)
    everything = list(range(len(examples)))
    report(f"own examples, {FOLDS}-fold by question", labels, [guesses[i] for i in everything])
    model = train(everything)
    unseen = {"another writer's, unseen": read_examples(JUDGING, chosen.labels)}
    if chosen.annotations.exists():
        unseen["human annotations, unseen"] = read_annotations(chosen.annotations)
    for title, questions in unseen.items():
        seen = [describe(q, [text for text, _ in subs], embedder) for q, subs in questions]
        truths = [np.array([label for _, label in subs]) for _, subs in questions]
        for name, judged in (("trained here", model), ("in the package", load_model())):
            guesses_of = [judged.scores(*one).argmax(axis=1) for one in seen]
            report(f"{title}, weights {name}", truths, guesses_of)
    if chosen.write:
        stored = {
            "embedder": model.embedder,
            **{
                name: np.round(getattr(model, name), 5).tolist()
                for name in ("mean", "scale", "weights", "bias")
            },
        }
        MODEL.write_text(json.dumps(stored) + "\n", encoding="utf-8")
        print(f"written: {MODEL.relative_to(ROOT)} ({MODEL.stat().st_size / 1024:.0f} KiB)")


if __name__ == "__main__":
    main()
