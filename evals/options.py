"""Options and environment that several groups of the command line share.

Only command lines read the environment; everything below them is handed what was chosen.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import InputError
from corpus.terminal import say

if TYPE_CHECKING:
    from evals.judge import PreferenceJudge
    from evals.setup import Endpoint
    from evals.types import Judges

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="a run's folder")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on standard output")]
JudgeOption = Annotated[
    list[str] | None,
    typer.Option("--judge", metavar="MODEL", help="judging model; several are a panel"),
]
JudgeUrl = Annotated[str, typer.Option(help="the judges' endpoint; the model's by default")]
CoverageBatch = Annotated[
    int | None,
    typer.Option(
        "--coverage-batch", min=1, help="sub-questions judged in one call; 1 as in the paper"
    ),
]
Rpm = Annotated[float | None, typer.Option("--rpm", help="model calls a minute, at most")]
Tpm = Annotated[float | None, typer.Option("--tpm", help="tokens a minute, at most")]
Timeout = Annotated[float, typer.Option(help="seconds for one model call")]
Stream = Annotated[bool, typer.Option("--stream", help="ask for replies in pieces")]
Prices = Annotated[
    Path | None, typer.Option(metavar="FILE", help="JSON file of prices, see docs/models.md")
]
EMBEDDING = "embedding"
"""Instead of a model's name: judge by embeddings."""
SAMPLE_DATA = Path(__file__).parent / "sample"


def numbers_of(given: str, option: str) -> tuple[int, ...]:
    """Return whole numbers separated by commas.

    Raises:
        InputError: one is not a whole number above 0.
    """
    numbers = [part.strip() for part in given.split(",") if part.strip()]
    wrong = next((part for part in numbers if not part.isdecimal() or int(part) == 0), None)
    if wrong is not None:
        raise InputError(f"{option} {wrong!r}: give whole numbers above 0, separated by commas")
    return tuple(map(int, numbers))


def endpoint_of(
    model: str,
    base_url: str,
    *,
    rpm: float | None = None,
    tpm: float | None = None,
    timeout: float = 120.0,
    stream: bool = False,
    prices: Path | None = None,
) -> Endpoint | None:
    """Return the model named, by option or environment; None is the extractive engine.

    Args:
        model: its name.
        base_url: where it is reached.
        rpm: most calls a minute.
        tpm: most tokens a minute.
        timeout: seconds for one call.
        stream: ask for replies in pieces.
        prices: file of prices that the listed ones lack.

    Raises:
        InputError: an address without a model, a limit that is not above 0, a faulty file of prices.
    """
    from agent.llm.limits import Limits
    from agent.llm.prices import PriceTable
    from evals.setup import Endpoint

    for option, value in (("--rpm", rpm), ("--tpm", tpm), ("--timeout", timeout)):
        if value is not None and not 0 < value < math.inf:
            raise InputError(f"{option} {value:g}: give a number above 0")

    model = model or os.environ.get("FANFOLD_MODEL", "")
    if not model:
        if base_url:
            raise InputError("--base-url names an endpoint without a model: add --model")
        say("evals: no model named, the extractive engine answers")
        return None
    return Endpoint(
        model=model,
        base_url=base_url or os.environ.get("FANFOLD_BASE_URL") or None,
        api_key=os.environ.get("FANFOLD_API_KEY") or None,
        limits=Limits(calls_per_minute=rpm, tokens_per_minute=tpm) if rpm or tpm else None,
        timeout=timeout,
        stream=stream,
        prices=None if prices is None else PriceTable.read(prices),
    )


def judges_of(
    folder: Path, names: Sequence[str], base_url: str, batch: int | None = None
) -> Judges:
    """Return the judges named; their calls are kept in `folder`.

    Args:
        folder: of the run.
        names: of the models.
        base_url: their endpoint; the environment's by default.
        batch: sub-questions put to the coverage judge in one call.

    Raises:
        InputError: two of them are the same.
    """
    from evals.setup import CALLS, Endpoint, open_judges

    address = base_url or os.environ.get("FANFOLD_BASE_URL") or None
    key = os.environ.get("FANFOLD_API_KEY") or None
    endpoints = [Endpoint(model=name, base_url=address, api_key=key) for name in names]
    return open_judges(endpoints, folder / CALLS, batch=batch)


def pairwise_judge_of(folder: Path, name: str, base_url: str) -> PreferenceJudge | None:
    """Return the judge of pairs of answers: a model, `embedding` for none, or None if not named."""
    if name == EMBEDDING:
        from evals.preferences import EmbeddedPreference

        return EmbeddedPreference()
    return judges_of(folder, [name] if name else [], base_url).judge
