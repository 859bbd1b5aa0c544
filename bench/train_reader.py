"""Train the reader's layers on top of the embedded encoder, and write them.

    python bench/train_reader.py [--data ../shared/data] [--minutes 75] [--out FOLDER]
    python bench/train_reader.py --encoder FOLDER [--frozen N] [--out FOLDER]
    python bench/train_reader.py --teacher FILE --encoder FOLDER [--varied] [--out FOLDER]
    python bench/train_reader.py --mean FILE FILE [--out FOLDER]

The layers are trained; the embeddings stay as they are. The loss is the cross-entropy of where the
answer starts and ends, with the first token standing for "no answer here" (Devlin et al. 2019,
section 4.3). Questions made by rules come first, people's last, unless `--mixed` is given. With
`--encoder`, a larger model of the same word pieces is trained instead; with `--teacher` as well, that
model, as it was trained, says beside each answer how likely it finds every word, and the small reader
learns from both (Hinton et al. 2015), with `--varied` from questions too that only it answers
(`reader_data.varied`). With `--mean`, the mean of weights of several trainings is
written (Wortsman et al. 2022). Same seed, same data: the same examples in the same order; the sums of
floating point numbers depend on the machine.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import torch  # noqa: E402
from reader_data import ASKED_BY_PEOPLE, Example, examples  # noqa: E402
from reader_data.encoded import UNKNOWN, Encoded, batches, encode  # noqa: E402
from reader_data.varied import unanswered  # noqa: E402
from reader_model import Reader, Scorer, Teacher, mean_reader  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from torch.nn.functional import cross_entropy, kl_div  # noqa: E402
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
HEAD_TIMES = 3.0
"""How much faster the head learns than the layers."""
RATE = 6e-5
"""Of learning, at its highest; from weights that were trained before, 1.5e-4 unlearns."""
TAUGHT = 0.7
"""Share of the loss that is the distance to what the teacher finds likely."""
SOFTENED = 2.0
"""Temperature of both while they are compared."""
BATCH = 2048
"""Tokens of a step."""
DATA = ROOT / "bench/data"


def by_source(found: list[Example]) -> dict[str, list[Example]]:
    """The examples by where they come from."""
    groups: dict[str, list[Example]] = {}
    for one in found:
        groups.setdefault(one.source, []).append(one)
    return groups


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
    for name, pattern, what in (
        ("--written", "reading_*.jsonl", "paragraphs with questions"),
        ("--tables", "tables_*.jsonl", "tables with questions"),
        ("--labels", "labels_?.txt", "boxes and rows with questions that their labels answer"),
        ("--titled", "titled_*.jsonl", "questions that a paragraph's title answers"),
    ):
        files = sorted(DATA.glob(pattern))
        parser.add_argument(name, type=Path, nargs="*", default=files, help=what)
    add_times(parser)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--encoder", type=Path, help="folder of a larger model's encoder")
    parser.add_argument("--frozen", type=int, default=0, help="its lower layers that do not learn")
    parser.add_argument("--teacher", type=Path, help="weights of that model to learn from")
    parser.add_argument(
        "--varied", action="store_true", help="learn as well from questions that only it answers"
    )
    parser.add_argument("--mean", type=Path, nargs="+", help="weights whose mean is written")
    parser.add_argument("--out", type=Path, default=ROOT / "runs/reader")
    arguments = parser.parse_args()
    if arguments.varied and not arguments.teacher:
        parser.error("--varied needs --teacher: nobody else answers varied questions")
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
            arguments.labels,
            arguments.titled,
        )
    tokenizer = Tokenizer.from_file(str(embedded_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    rng = random.Random(arguments.seed)
    groups = by_source(found)
    found = weighed(groups, arguments.times, rng)
    parts = (
        [encode(found, tokenizer)] if arguments.mixed
        else rounds(found, tokenizer, arguments.repeats)
    )  # fmt: skip
    if arguments.varied:
        squad = arguments.data / "reading/squad2-dev-half.json.gz"
        vectors = Reader().trunk.embeddings.word_embeddings.weight.detach()
        parts[-1] += unanswered(groups, squad, tokenizer, vectors, rng)
    order = [batch for part in parts for batch in batches(part, BATCH, rng)]
    tokens = sum(len(one.ids) for batch in order for one in batch)
    print(f"{len(found)} examples, {len(order)} steps, {tokens} tokens", flush=True)
    teacher: Teacher | None = None
    reader: Reader | Teacher
    if arguments.encoder and not arguments.teacher:
        reader = Teacher(arguments.encoder, arguments.frozen)
    else:
        reader = Reader()
        if arguments.teacher:
            teacher = Teacher(arguments.encoder).eval()
            teacher.take(arguments.teacher)
    if arguments.start:
        reader.take(arguments.start)
    train(reader, order, arguments.minutes, arguments.out, arguments.rate, teacher)


def train(
    reader: Reader | Teacher,
    order: list[list[Encoded]],
    minutes: float,
    out: Path,
    rate: float = RATE,
    teacher: Teacher | None = None,
) -> None:
    """Take a step a batch, in order, for so many minutes at most; the weights are saved on the way."""
    trained = [p for p in reader.parameters() if p.requires_grad]
    heads = set(reader.head.parameters())
    groups = [
        {"params": [p for p in trained if p not in heads], "times": 1.0},
        {"params": list(heads), "times": HEAD_TIMES},
    ]
    optimiser = torch.optim.AdamW(groups, lr=rate, weight_decay=0.01, fused=True)
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
            group["lr"] = group["times"] * rate * min(1.0, done / 60) * max(1 - progress, 0.02)
        value = step(reader, batch, optimiser, trained, teacher)
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
    reader: Scorer,
    batch: list[Encoded],
    optimiser: torch.optim.Optimizer,
    trained: list[torch.nn.Parameter],
    teacher: Scorer | None = None,
) -> float:
    """One step down the gradient; the loss before it."""
    longest = max(len(one.ids) for one in batch)
    ids = torch.zeros(len(batch), longest, dtype=torch.long)
    mask = torch.zeros(len(batch), longest, dtype=torch.long)
    for row, one in enumerate(batch):
        ids[row, : len(one.ids)] = torch.tensor(one.ids)
        mask[row, : len(one.ids)] = 1
    likely = None
    if teacher is not None:
        with torch.no_grad():
            likely = scored(teacher, ids, mask)
    loss = loss_of(scored(reader, ids, mask), batch, likely)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trained, 1.0)
    optimiser.step()
    return float(loss.detach())


def scored(model: Scorer, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """What a model gives every token, [texts, tokens, 2], as low as can be where there is none."""
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=multiplies_bf16()):
        scores: torch.Tensor = model(ids, mask)
    return scores.float() + (mask[..., None] - 1) * 1e4


def loss_of(
    scores: torch.Tensor, batch: list[Encoded], taught: torch.Tensor | None = None
) -> torch.Tensor:
    """Cross-entropy of where the answers start and end, and the distance to what a teacher finds likely.

    Args:
        scores: [texts, tokens, 2], as low as can be where there is no token.
        batch: the texts.
        taught: a teacher's scores, if there is one.
    """
    firsts = torch.tensor([one.first for one in batch])
    lasts = torch.tensor([one.last for one in batch])
    loss = sum(
        cross_entropy(scores[:, :, end], places, ignore_index=UNKNOWN, reduction="sum")
        for end, places in enumerate((firsts, lasts))
    ) / len(batch)
    if taught is None:
        return loss
    ends = (scores / SOFTENED).log_softmax(1)
    apart = kl_div(ends, (taught / SOFTENED).softmax(1), reduction="none")
    return (1 - TAUGHT) * loss + TAUGHT * SOFTENED**2 * apart.sum(dim=(1, 2)).mean()


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
