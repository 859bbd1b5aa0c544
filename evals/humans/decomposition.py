"""Sub-questions with kinds for a set of questions, frozen to a file that a person can edit.

Made once and used for every system (Xie et al., section 3.1): a question that stands in the file
already is left as it is, so the same command goes on after an interruption and keeps what was
edited by hand.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import BaseModel, ConfigDict

from agent.llm.port import LanguageModel, Request
from agent.prompted.fence import fenced
from agent.prompted.templates import Prompts
from agent.types import Kind
from corpus.errors import InputError
from corpus.files import read_text
from evals.datafiles import field, read_located
from evals.judges.verdict import PACKAGED, SEED
from evals.records import write_beside

if TYPE_CHECKING:
    from agent.reasoner import Reasoner
    from retrieval.types import Retriever

COUNT = 20
"""Sub-questions a question, about (section 3.1)."""
HINTS = 10
AT_ONCE = 8


class DecompositionReply(BaseModel):
    """What a model that takes a question apart replies."""

    model_config = ConfigDict(extra="forbid")

    sub_questions: list[str]


class Decomposer(Protocol):
    """Takes a question apart."""

    @property
    def name(self) -> str:
        """As the file records it."""
        ...

    async def decompose(self, question: str, given: Sequence[str] = ()) -> list[tuple[str, Kind]]:
        """Return sub-questions with their kinds; ModelError where a model gave none.

        Sub-questions that are `given` only get their kinds.
        """
        ...


class PromptedDecomposer:
    """Asks a model for sub-questions, then for their kinds.

    Args:
        model: what is asked.
        reasoner: classifies; over the same model.
        count: about so many sub-questions.
        prompts: where `decompose.md` is; the packaged one by default.
    """

    def __init__(
        self,
        model: LanguageModel,
        reasoner: Reasoner,
        *,
        count: int = COUNT,
        prompts: Prompts | None = None,
    ) -> None:
        self._model = model
        self._reasoner = reasoner
        self._count = count
        self._prompts = prompts or Prompts(packaged=PACKAGED)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def decompose(self, question: str, given: Sequence[str] = ()) -> list[tuple[str, Kind]]:
        """Return the model's sub-questions, or those given, with their kinds."""
        texts = list(given) or await self._texts(question)
        if not texts:
            return []
        return list(zip(texts, await self._reasoner.classify(question, texts), strict=True))

    async def _texts(self, question: str) -> list[str]:
        messages = self._prompts.messages(
            "decompose", question=fenced(question), count=str(self._count)
        )
        reply = await self._model.complete(
            Request(
                messages, schema=DecompositionReply, max_tokens=200 + 60 * self._count, seed=SEED
            )
        )
        said = reply.parsed.sub_questions if isinstance(reply.parsed, DecompositionReply) else []
        return list(dict.fromkeys(" ".join(text.split()) for text in said if text.strip()))


class ExtractiveDecomposer:
    """Takes a question apart by its form, or by the headings of a snapshot's best articles.

    Args:
        reasoner: plans by rules.
        retriever: finds the articles.
    """

    def __init__(self, reasoner: Reasoner, retriever: Retriever) -> None:
        self._reasoner = reasoner
        self._retriever = retriever

    @property
    def name(self) -> str:
        """The reasoner's name."""
        return self._reasoner.name

    async def decompose(self, question: str, given: Sequence[str] = ()) -> list[tuple[str, Kind]]:
        """Return the sub-questions that stand on their own, or those given, with their kinds."""
        if given:
            return list(zip(given, await self._reasoner.classify(question, given), strict=True))
        hits = (await asyncio.to_thread(self._retriever.search, [question], HINTS))[0]
        planned = await self._reasoner.plan(question, hits)
        # One that waits for another's answer cannot be judged in a text by itself.
        return [(step.text, step.kind) for step in planned if not step.depends_on]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """What became of a set of questions."""

    made: int
    kept: int
    """Stood in the file already."""
    failed: tuple[tuple[str, str], ...]
    """(question, reason); the same command asks for them again."""


async def freeze(
    decomposer: Decomposer,
    questions: Sequence[tuple[str, str]],
    out: Path,
    *,
    given: Mapping[str, Sequence[str]] | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> Frozen:
    """Decompose the questions that `out` does not hold yet, and write it after each.

    Args:
        decomposer: takes a question apart.
        questions: (id, question).
        out: JSON Lines: id, question, engine, sub_questions with text and kind.
        given: by id, sub-questions that only need kinds.
        report: told how many are done.

    Raises:
        InputError: `out` holds something else.
    """
    from agent.errors import ModelError

    held = {str(item["id"]): item for item in _held(out)}
    missing = [(key, question) for key, question in questions if key not in held]
    gate = asyncio.Semaphore(AT_ONCE)
    failed: list[tuple[str, str]] = []
    done = len(questions) - len(missing)

    async def one(key: str, question: str) -> None:
        nonlocal done
        async with gate:
            try:
                found = await decomposer.decompose(question, (given or {}).get(key, ()))
                reason = "no sub-question was found"
            except ModelError as error:
                found, reason = [], str(error)
            if found:
                held[key] = {
                    "id": key,
                    "question": question,
                    "engine": decomposer.name,
                    "sub_questions": [{"text": text, "kind": kind} for text, kind in found],
                }
                _write(out, [held[k] for k in _order(questions, held)])
            else:
                failed.append((question, reason))
            done += 1
            report(done)

    await asyncio.gather(*(one(key, question) for key, question in missing))
    return Frozen(
        made=len(missing) - len(failed),
        kept=len(questions) - len(missing),
        failed=tuple(failed),
    )


def read_questions(path: Path) -> list[tuple[str, str]]:
    """Read (id, question): JSON or JSON Lines with `question` and perhaps `id`, or plain lines.

    Without an id a question is its own; a question that comes again is taken once.

    Raises:
        InputError: no such file, or nothing in it.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file of questions")
    if path.suffix == ".txt":
        lines = (line.strip() for line in read_text(path).splitlines())
        found = {line: line for line in lines if line}
    else:
        found = {}
        for where, item in read_located(path):
            asked = item.get("question")
            # WebGPT's comparisons hold the question's words in an object.
            if isinstance(asked, dict):
                item = {"question": asked.get("full_text")}
            question = field(item, "question", str, where)
            found.setdefault(str(item.get("id", question)), question)
    if not found:
        raise InputError(f"{path}: holds no questions")
    return list(found.items())


def read_given(path: Path) -> dict[str, list[str]]:
    """Read sub-questions without kinds, by the id of their question.

    The authors' `decompositions.json` is such a file: `question` and `sub_questions`, all texts.
    """
    if path.suffix == ".txt":
        return {}
    found = {}
    for where, item in read_located(path):
        listed = item.get("sub_questions", [])
        if isinstance(listed, list) and listed and all(isinstance(one, str) for one in listed):
            texts = dict.fromkeys(" ".join(one.split()) for one in listed if one.strip())
            found[str(item.get("id", field(item, "question", str, where)))] = list(texts)
    return found


def _held(out: Path) -> list[Mapping[str, Any]]:
    if not out.exists():
        return []
    items: list[Mapping[str, Any]] = []
    for where, item in read_located(out):
        field(item, "sub_questions", list, where)
        items.append({"id": field(item, "question", str, where), **item})
    return items


def _order(questions: Sequence[tuple[str, str]], held: Mapping[str, object]) -> list[str]:
    """Return what is held: first what was there for other questions, then as the questions come."""
    asked = [key for key, _ in questions]
    return [*(key for key in held if key not in set(asked)), *(k for k in asked if k in held)]


def _write(out: Path, items: Sequence[Mapping[str, Any]]) -> None:
    text = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)

    def write(beside: Path) -> None:
        beside.write_text(text, encoding="utf-8")

    out.parent.mkdir(parents=True, exist_ok=True)
    write_beside(out, write)
