"""What there is to choose, as clients are told it: `/v1/about`."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from agent.serve.agents import EXTRACTIVE
from agent.serve.shapes import LONGEST_QUOTE, MOST_K, MOST_QUERIES
from agent.settings import LONGEST_QUESTION, SETTING_NAMES, STRATEGY_NAMES, STYLE_NAMES

if TYPE_CHECKING:
    from agent.serve.service import Service

_ABOUT = {
    "baseline": "Retrieves for the question alone and answers from the hits.",
    "query-definition": "Retrieves for the question with the definition of a core sub-question.",
    "query-subquestion": "Retrieves for the question and its core sub-questions as one query.",
    "retrieval": "Retrieves for each core sub-question and answers from the hits that cover most.",
    "e2e": "Answers each core sub-question for itself and composes their answers.",
    "agentic": "Plans with dependencies, fans out, fills later steps with what was found.",
    "open": "Draws on the whole snapshot.",
    "evidence": "Draws on the articles that are named, alone.",
    "closed": "Draws on no article: a model's memory; the extractive engine abstains.",
    "long": "Prose of about 300 words.",
    "short": "One item a line.",
}


def description_of(service: Service) -> dict[str, Any]:
    """Return what there is to choose: `/v1/about`."""
    own, limits = service.options.settings, service.options
    strategies = sorted(STRATEGY_NAMES, key=lambda name: name != own.strategy)
    settings = sorted(SETTING_NAMES, key=lambda name: name != own.setting)
    styles = sorted(STYLE_NAMES, key=lambda name: name != own.style)
    return {
        "name": "fanfold",
        "version": installed_version(),
        "snapshots": [library.about() for library in service.libraries.values()],
        "models": [
            {"id": name, "kind": "rules" if name == EXTRACTIVE else "model"}
            for name in service.models
        ],
        "strategies": [{"name": name, "about": _ABOUT[name]} for name in strategies],
        "settings": [{"name": name, "about": _ABOUT[name]} for name in settings],
        "styles": [{"name": name, "about": _ABOUT[name]} for name in styles],
        "defaults": {
            "snapshot": service.default_library.name,
            "model": service.models[0],
            "strategy": own.strategy,
            "setting": own.setting,
            "style": own.style,
            "mode": service.default_library.mode,
            "k": own.k,
        },
        "limits": {
            "question_characters": LONGEST_QUESTION,
            "body_bytes": limits.body_bytes,
            "k": MOST_K,
            "queries": MOST_QUERIES,
            "seconds": limits.seconds,
            "sub_questions": limits.budget.sub_questions,
            "quote_characters": LONGEST_QUOTE,
        },
    }


def installed_version() -> str:
    """Return fanfold's version; "" where it runs without having been installed."""
    try:
        return version("fanfold")
    except PackageNotFoundError:
        return ""
