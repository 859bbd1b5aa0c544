"""Options and environment that several groups of the command line share.

Only command lines read the environment; everything below them is handed what was chosen.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from agent import telemetry
from corpus.address import check_model_address
from corpus.errors import InputError
from corpus.terminal import say

if TYPE_CHECKING:
    from evals.judges.verdict import PreferenceJudge
    from evals.ports import Judges
    from evals.runs.models import Endpoint
    from evals.types import Jury

QUESTIONS, SYSTEM = "Questions", "System under test"
MODEL, JUDGES = "Model under test", "Judges"
"""How help groups options."""
BenchmarkArgument = Annotated[
    str,
    typer.Argument(metavar="BENCHMARK", help="fanoutqa, subquestion, compound, cofca or ccmor"),
]
Data = Annotated[
    Path,
    typer.Option(
        metavar="PATH",
        help="the data; the sample by default",
        show_default=False,
        rich_help_panel=QUESTIONS,
    ),
]
Split = Annotated[
    str,
    typer.Option(
        help="split; the benchmark's first by default, of a made set all", rich_help_panel=QUESTIONS
    ),
]
Edition = Annotated[
    str, typer.Option(help="edition; what the data shows by default", rich_help_panel=QUESTIONS)
]
Limit = Annotated[
    int | None, typer.Option(min=1, help="first N samples", rich_help_panel=QUESTIONS)
]
Ids = Annotated[
    str, typer.Option(help="these samples, separated by commas", rich_help_panel=QUESTIONS)
]
RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="a run's folder")]
JudgeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        metavar="MODEL",
        help="judging model; several are a panel",
        rich_help_panel=JUDGES,
    ),
]
JudgeUrl = Annotated[
    str, typer.Option(help="the judges' endpoint; the model's by default", rich_help_panel=JUDGES)
]
CoverageBatch = Annotated[
    int | None,
    typer.Option(
        "--coverage-batch",
        min=1,
        help="sub-questions judged in one call; 1 as in the paper",
        rich_help_panel=JUDGES,
    ),
]
Rpm = Annotated[
    float | None, typer.Option("--rpm", help="model calls a minute, at most", rich_help_panel=MODEL)
]
Tpm = Annotated[
    float | None, typer.Option("--tpm", help="tokens a minute, at most", rich_help_panel=MODEL)
]
Timeout = Annotated[float, typer.Option(help="seconds for one model call", rich_help_panel=MODEL)]
Stream = Annotated[
    bool, typer.Option("--stream", help="ask for replies in pieces", rich_help_panel=MODEL)
]
Prices = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="JSON file of prices, see docs/models.md", rich_help_panel=MODEL
    ),
]
PromptFolder = Annotated[
    Path | None,
    typer.Option(
        "--prompts",
        metavar="DIR",
        help="prompt files that replace fanfold's own",
        rich_help_panel=SYSTEM,
    ),
]
Temperature = Annotated[
    float, typer.Option(min=0.0, max=2.0, help="of the model; 0 is greedy", rich_help_panel=MODEL)
]
Label = Annotated[
    str,
    typer.Option(
        help="name of the run in tables and figures; else the fewest words that tell it from others"
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        help="passed on to the model; every further epoch counts on", rich_help_panel=MODEL
    ),
]
JudgeTemperature = Annotated[
    float,
    typer.Option(
        "--temperature", min=0.0, max=2.0, help="of the judges; 0 is greedy", rich_help_panel=JUDGES
    ),
]
JudgeSeed = Annotated[
    int, typer.Option("--seed", help="passed on to the judges", rich_help_panel=JUDGES)
]
Shots = Annotated[
    int | None,
    typer.Option(
        "--shots", min=0, help="worked examples in prompts that have some", rich_help_panel=SYSTEM
    ),
]
Classify = Annotated[
    str,
    typer.Option(
        help="kinds by one call for all (batch) or one each, with examples (each)",
        rich_help_panel=SYSTEM,
    ),
]
TOOLS: tuple[Literal["auto", "native", "text"], ...] = ("auto", "native", "text")
CLASSIFY: tuple[Literal["batch", "each"], ...] = ("batch", "each")
MODES: tuple[Literal["", "bm25", "dense", "hybrid"], ...] = ("", "bm25", "dense", "hybrid")
SEED = 31415
"""As FanOutQA's runs have it."""
NO_JUDGE = "none"
"""Instead of a model's name: score without the judges of an earlier scoring."""


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
        InputError: an address without a model or that is none, a limit that is not above 0, a faulty file of prices.
    """
    from agent.llm.limits import Limits
    from agent.llm.prices import PriceTable
    from evals.runs.models import Endpoint

    telemetry.heed(os.environ)
    for option, value in (("--rpm", rpm), ("--tpm", tpm), ("--timeout", timeout)):
        if value is not None and not 0 < value < math.inf:
            raise InputError(f"{option} {value:g}: give a number above 0")

    model = model or os.environ.get("FANFOLD_MODEL", "")
    if not model:
        if base_url:
            raise InputError("--base-url names an endpoint without a model: add --model")
        say("evals: no model named, the extractive engine answers")
        return None
    address = base_url or os.environ.get("FANFOLD_BASE_URL") or None
    if address is not None:
        check_model_address(address)
    return Endpoint(
        model=model,
        base_url=address,
        api_key=os.environ.get("FANFOLD_API_KEY") or None,
        limits=Limits(calls_per_minute=rpm, tokens_per_minute=tpm) if rpm or tpm else None,
        timeout=timeout,
        stream=stream,
        prices=None if prices is None else PriceTable.read(prices),
    )


def store_of(spec: str) -> str:
    """Return a store of vectors as a run keeps it, "" where none was named.

    Raises:
        InputError: it names none, or an address that cannot be kept beside the run.
    """
    if not spec:
        return ""
    from retrieval.stores import named_store

    return named_store(spec)


def store_key() -> str | None:
    """Return the key of a store of vectors."""
    return os.environ.get("FANFOLD_STORE_KEY") or None


def jury_of(
    names: Sequence[str],
    base_url: str,
    *,
    batch: int | None = None,
    shots: int | None = None,
    prompts: Path | None = None,
    temperature: float = 0.0,
    seed: int = SEED,
) -> Jury:
    """Return the judges named, and how they are asked.

    Args:
        names: of the models.
        base_url: their endpoint; the environment's by default.
        batch: sub-questions put to the coverage judge in one call.
        shots: worked examples that it sees.
        prompts: folder of prompt files that replace the packaged ones.
        temperature: of every call.
        seed: of every call.

    Raises:
        InputError: the folder replaces no prompt.
    """
    from evals.runs.prompt_files import check_prompt_folder
    from evals.types import Jury

    folder = check_prompt_folder(prompts)
    return Jury(
        models=tuple(name for name in names if name != NO_JUDGE),
        base_url=base_url or os.environ.get("FANFOLD_BASE_URL") or "",
        batch=batch,
        shots=shots,
        prompts="" if folder is None else str(folder.resolve()),
        temperature=temperature,
        seed=seed,
    )


def judges_of(folder: Path, jury: Jury, *, replay: bool = False) -> Judges:
    """Return the judges named; their calls are kept in `folder`, or with `replay` taken from there.

    Raises:
        InputError: two of them are the same.
    """
    from evals.runs.models import CALLS, open_judges

    if jury.models and jury.base_url:
        check_model_address(jury.base_url)
    key = os.environ.get("FANFOLD_API_KEY") or None
    return open_judges(jury, folder / CALLS, api_key=key, replay=replay)


def pairwise_judge_of(folder: Path, jury: Jury) -> PreferenceJudge | None:
    """Return the judge of pairs of answers, a model; None if none was named."""
    return judges_of(folder, jury).judge
