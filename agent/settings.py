"""What a person chooses for a question, apart from the question: enough to go on after a crash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from agent.budget import Budget
from agent.types import Setting, Style
from corpus.address import check_model_address
from corpus.errors import InputError

StrategyName = Literal[
    "baseline", "query-definition", "query-subquestion", "retrieval", "e2e", "agentic"
]
STRATEGY_NAMES: tuple[StrategyName, ...] = get_args(StrategyName)
SETTING_NAMES: tuple[Setting, ...] = get_args(Setting)
STYLE_NAMES: tuple[Style, ...] = get_args(Style)

SEED = 31415
"""As FanOutQA's runs have it."""
LONGEST_QUESTION = 4000
"""Characters. Longer than any benchmark's question; a whole pasted document is a mistake."""
MOST_HITS = 1000
"""For one query: some 250,000 tokens, more than models take in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a question is answered. JSON values only; a key is never among them."""

    strategy: StrategyName = "agentic"
    setting: Setting = "open"
    evidence: tuple[str, ...] = ()
    """Titles that may be drawn on in the evidence setting."""
    style: Style = "long"
    k: int = 10
    """Hits for a query, and for the composer."""
    approve: bool = False
    """Stop for a person once the plan stands."""
    snapshot: str | None = None
    """Folder of the snapshot; None for the embedded sample."""
    language: str = "en"
    """Of the embedded sample, where that is used."""
    store: str | None = None
    """KIND:PLACE of the snapshot's vectors, see `retrieval.stores`; None for its own."""
    model: str | None = None
    """None for the extractive engine."""
    base_url: str | None = None
    tools: Literal["native", "text", "auto"] = "auto"
    classify: Literal["batch", "each"] = "batch"
    """Kinds of sub-questions from one call for all, or from a call with examples for each."""
    shots: int | None = None
    """Worked examples that a classification shows; None for as many as the way of asking has."""
    temperature: float = 0.0
    """0 is greedy."""
    seed: int | None = SEED
    """Passed on where the server takes one."""
    context_limit: int | None = None
    """Tokens that a prompt and its reply may have together."""
    verifier: str | None = None
    """Folder or hub's name of a cross-encoder that rules on citations on top of the rules."""
    reader: str | None = None
    """Folder or hub's name of an extractive question-answering model: the extractive engine's reader."""
    planner: str | None = None
    """Folder or hub's name of a text-to-text model: it marks questions for the extractive engine."""
    budget: Budget = field(default_factory=Budget)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Settings:
        """Return settings written by `to_json`; fields of another version are left out."""
        known = {one.name for one in fields(cls)}
        kept = {name: value for name, value in values.items() if name in known}
        kept["evidence"] = tuple(kept.get("evidence", ()))
        kept["budget"] = Budget(**kept.get("budget", {}))
        return cls(**kept)


def check_settings(settings: Settings) -> None:
    """Refuse what cannot be run.

    Raises:
        InputError: names the value, the choices and the remedy.
    """
    if str(settings.strategy) == "all":
        raise InputError(
            f"a question is answered by one strategy: choose {', '.join(STRATEGY_NAMES)}; "
            "`python -m evals run fanoutqa --strategy all` compares them"
        )
    _choose("strategy", settings.strategy, STRATEGY_NAMES)
    _choose("setting", settings.setting, SETTING_NAMES)
    _choose("style", settings.style, STYLE_NAMES)
    _choose("tools", settings.tools, ("native", "text", "auto"))
    _choose("classify", settings.classify, ("batch", "each"))
    if settings.base_url is not None:
        check_model_address(settings.base_url)
    if not 0 <= settings.temperature <= 2:
        raise InputError(f"temperature {settings.temperature:g}: give a number from 0 to 2")
    if settings.k < 1:
        raise InputError(f"k is {settings.k}: at least one hit is needed for a query")
    if settings.k > MOST_HITS:
        raise InputError(
            f"k is {settings.k}: an answer draws on at most {MOST_HITS} hits for a query"
        )
    if settings.setting == "evidence" and not settings.evidence:
        raise InputError("the evidence setting needs the titles it may draw on: --evidence TITLE")
    if settings.setting != "evidence" and settings.evidence:
        raise InputError(
            f"--evidence has no meaning in the {settings.setting} setting: add --setting evidence"
        )
    if settings.store is not None:
        if settings.setting != "open":
            raise InputError(
                f"--retriever has no meaning in the {settings.setting} setting: leave it out"
            )
        from retrieval.stores import named_store

        named_store(settings.store)
    if settings.snapshot is not None and settings.language != "en":
        raise InputError(
            f"the language {settings.language!r} is that of the embedded sample: the snapshot named "
            "has its own, so leave --language out"
        )
    if settings.reader is not None and settings.model is not None:
        raise InputError(
            f"the reader {settings.reader!r} is for the extractive engine, and the model "
            f"{settings.model!r} is named: leave one out"
        )
    if settings.planner is not None and settings.model is not None:
        raise InputError(
            f"the planner {settings.planner!r} is for the extractive engine, and the model "
            f"{settings.model!r} is named: leave one out"
        )
    if settings.context_limit is not None and settings.context_limit < 512:
        raise InputError(
            f"a context of {settings.context_limit} tokens holds no prompt: give 512 or more"
        )


def check_question(question: str) -> str:
    """Return the question with its white space folded.

    Raises:
        InputError: empty, without a letter, or too long to be a question.
    """
    folded = " ".join(question.split())
    if not any(character.isalnum() for character in folded):
        raise InputError('the question is empty: write it in quotes, "Which planets have rings?"')
    if len(folded) > LONGEST_QUESTION:
        raise InputError(
            f"the question has {len(folded):,} characters, at most {LONGEST_QUESTION:,} are "
            "taken: ask for one thing, the articles are found by themselves"
        )
    return folded


def _choose(name: str, value: object, choices: Sequence[object]) -> None:
    if value not in choices:
        offered = ", ".join(str(choice) for choice in choices)
        raise InputError(f"unknown {name} {value!r}: choose {offered}")
