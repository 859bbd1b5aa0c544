"""Train the model that tells core, background and follow-up sub-questions apart, and measure it.

Prints the accuracy and Cohen's kappa of a cross-validation over the labelled questions that come
with the package, and, where a file of human annotations is given, those on the annotations, which
take no part in training. `--write` stores the weights in the package.

    python bench/train_kinds.py [--annotations FILE.jsonl] [--write]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import cohen_kappa_score, confusion_matrix

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent.extractive.kinds import KINDS, MODEL, KindModel, describe  # noqa: E402
from retrieval.embed import shared_embedder  # noqa: E402

EXAMPLES = MODEL.with_name("kinds.txt")
ANNOTATIONS = ROOT / "../shared/data/subquestion/type-annotations.jsonl"
PENALTY = 15.0
"""L2 penalty: the flat top of the cross-validation over 5 to 30."""
FOLDS = 9


def read_examples(path: Path) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return (question, [(sub-question, index of its kind)]) for each question of the file."""
    letters = {"c": 0, "b": 1, "f": 2}
    questions: list[tuple[str, list[tuple[str, int]]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("? "):
            questions.append((line[2:].strip(), []))
        elif line[1:3] == ": ":
            questions[-1][1].append((line[3:].strip(), letters[line[0]]))
    return questions


def read_annotations(path: Path) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return the same from annotations; a tie between annotators has the label -1."""
    questions: dict[str, list[tuple[str, int]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        ranked = Counter(label.replace("-", "_") for label in record["labels"]).most_common()
        tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
        label = -1 if tie else KINDS.index(ranked[0][0])
        questions.setdefault(record["question"], []).append((record["sub_question"], label))
    return list(questions.items())


def fit(features: np.ndarray, wording: np.ndarray, labels: np.ndarray, name: str) -> KindModel:
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
        penalty = PENALTY * weights
        penalty[-1] = 0
        value = -np.log((chances * wanted).sum(axis=1) + 1e-12).sum()
        return value + 0.5 * (penalty * weights).sum(), (
            inputs.T @ (chances - wanted) + penalty
        ).ravel()

    start = np.zeros(inputs.shape[1] * len(KINDS))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400})
    weights = found.x.reshape(inputs.shape[1], -1)
    return KindModel(embedder=name, mean=mean, scale=scale, weights=weights[:-1], bias=weights[-1])


def report(title: str, truth: np.ndarray, guess: np.ndarray) -> None:
    """Print accuracy, kappa and the confusion of one evaluation."""
    known = truth >= 0
    truth, guess = truth[known], guess[known]
    largest = np.bincount(truth).max() / len(truth)
    print(
        f"{title}: n {len(truth)}, accuracy {np.mean(truth == guess):.3f} "
        f"(largest class {largest:.3f}), kappa {cohen_kappa_score(truth, guess):.3f}, "
        f"left out as ties {int((~known).sum())}"
    )
    for kind, row in zip(KINDS, confusion_matrix(truth, guess, labels=range(3)), strict=True):
        print(f"  {kind:12s}" + "".join(f"{value:6d}" for value in row))


def main() -> None:
    """Run the cross-validation, then the final model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--annotations", type=Path, default=ANNOTATIONS)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    embedder = shared_embedder()
    examples = read_examples(EXAMPLES)
    described = [describe(q, [s for s, _ in subs], embedder) for q, subs in examples]
    labels = [np.array([label for _, label in subs]) for _, subs in examples]

    def train(picked: list[int]) -> KindModel:
        return fit(
            np.vstack([described[i][0] for i in picked]),
            np.vstack([described[i][1] for i in picked]),
            np.concatenate([labels[i] for i in picked]),
            embedder.name,
        )

    guesses: dict[int, np.ndarray] = {}
    for fold in range(FOLDS):
        model = train([i for i in range(len(examples)) if i % FOLDS != fold])
        for i in range(fold, len(examples), FOLDS):
            guesses[i] = model.scores(*described[i]).argmax(axis=1)
    everything = range(len(examples))
    report(
        f"own examples, {FOLDS}-fold by question",
        np.concatenate(labels),
        np.concatenate([guesses[i] for i in everything]),
    )
    model = train(list(everything))
    if chosen.annotations.exists():
        truth, guess = [], []
        for question, subs in read_annotations(chosen.annotations):
            seen = describe(question, [text for text, _ in subs], embedder)
            truth.append(np.array([label for _, label in subs]))
            guess.append(model.scores(*seen).argmax(axis=1))
        report("human annotations, unseen", np.concatenate(truth), np.concatenate(guess))
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
