"""Readers of multi-hop files: CofCA's own fields, and the public sets that are its factual control.

CofCA (Wu et al., 2024, section 3.1), as `evals synth counterfactual` writes it; the names that the
paper's prompts use are read as well ("2 hop question", "sub-questions", "final answer"):

    {"id": "1", "pair": "1", "source": "counterfactual", "type": "bridge", "hops": 2,
     "passage": "…", "question": "…", "answer": "…", "sub_questions": ["…", "…"],
     "sub_answers": ["…", "…"], "answer_aliases": ["…"]}

MuSiQue: `paragraphs`, `question_decomposition` in which `#1` stands for the answer of step 1.
HotpotQA, 2WikiMultihopQA: `context` of [title, [sentences]], no sub-questions.
MoreHopQA: both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from evals.datafiles import check_unique, field, read_located, strings
from evals.types import GoldStep, Json, Passage, Sample
from retrieval.terms.wording import FUNCTION_WORDS

Item = Mapping[str, Any]
STEMS = {
    "cofca": ("cofca",),
    "hotpotqa": ("hotpot",),
    "2wiki": ("2wiki",),
    "musique": ("musique",),
    "morehopqa": ("morehopqa", "with_human_verification"),
}
"""How the files of an edition begin; files of passages alone are passed over."""
MIXED = "mixed"
"""Every edition that a folder holds: counterfactual items beside their factual control."""
_NO_QUESTIONS = ("corpus", "passages")
_REFERENCE = re.compile(r"#(\d+)")
_NAME = (
    r"((?:[^\W\d_a-z][\w'’.-]*|\d+)(?:\s+(?:(?:of|the|de|von|van)\s+)?"
    r"(?:[^\W\d_a-z][\w'’-]*|\d+\b))*)"
)
_SUBJECTS = (
    re.compile(rf"(?:(?:The|A|An)\s+)?{_NAME}"),
    re.compile(rf"The(?:\s+[a-z][\w-]*)+?\s+(?:of|by|in|at|on|through)\s+(?:[Tt]he\s+)?{_NAME}"),
)
"""What a paragraph begins with: "Mount Orveth", "The Duke of Alba", "The length of the Orv"."""
_HOPS_IN_NAME = re.compile(r"^(\d+)[ _-]hop[ _-]question$")
_HOPS_IN_ID = re.compile(r"^(\d)hop")


def load_multihop(path: Path, edition: str) -> list[Sample]:
    """Read the samples of an edition, or of all that are there.

    Args:
        path: a file, or a folder that holds one file of the edition.
        edition: a name of `STEMS`, or `MIXED`.

    Raises:
        InputError: no such file or several; or names the file, the line and the field at fault.
    """
    if edition != MIXED:
        return _read(find_file(path, edition), edition, "")
    if not path.is_dir():
        raise InputError(f"{path}: the edition mixed reads a folder of data files")
    samples = [
        sample
        for name in STEMS
        if _files(path, name)
        for sample in _read(find_file(path, name), name, f"{name}:")
    ]
    if not samples:
        raise InputError(f"{path}: none of {', '.join(STEMS)} is there")
    return samples


def find_file(path: Path, edition: str) -> Path:
    """Return the data file of an edition.

    Raises:
        InputError: none, or several.
    """
    if path.is_file():
        return path
    files = _files(path, edition)
    if len(files) != 1:
        found = ", ".join(file.name for file in files) or "none"
        wanted = " or ".join(f"{stem}*.json[l]" for stem in STEMS[edition])
        raise InputError(
            f"{path}: one file {wanted} is needed, found {found}; name it with --data FILE"
        )
    return files[0]


def _files(path: Path, edition: str) -> list[Path]:
    return sorted(
        file
        for file in path.glob("*.json*")
        if file.name.startswith(STEMS[edition]) and not any(n in file.name for n in _NO_QUESTIONS)
    )


def _read(file: Path, edition: str, prefix: str) -> list[Sample]:
    read = READERS[edition]
    located = read_located(file)
    samples = [read(item, where, f"{prefix}{_id(item, where)}") for where, item in located]
    check_unique([(where, s.id) for (where, _), s in zip(located, samples, strict=True)])
    return samples


def _id(item: Item, where: str) -> str:
    name = "_id" if "_id" in item else "id"
    if name not in item:
        raise InputError(f"{where}: field 'id' is missing")
    return str(item[name])


def _cofca(item: Item, where: str, sample_id: str) -> Sample:
    named = {_plain_name(name): value for name, value in item.items()}
    passage = named.get("passage")
    texts = [passage] if isinstance(passage, str) else strings(named, "passage", where)
    if not any(text.strip() for text in texts):
        raise InputError(f"{where}: field 'passage' is empty")
    questions = strings(named, "sub_questions", where)
    answers = strings(named, "sub_answers", where)
    if len(questions) != len(answers):
        raise InputError(
            f"{where}: field 'sub_answers' has {len(answers)} entries for {len(questions)} "
            "sub-questions"
        )
    hops = named.get("hops", len(questions))
    source = str(named.get("source", "counterfactual"))
    if source not in ("factual", "counterfactual"):
        raise InputError(f"{where}: field 'source' is {source!r}: choose factual or counterfactual")
    return Sample(
        id=sample_id,
        question=field(named, "question", str, where),
        reference=_reference(named, where),
        passages=_paragraphs(texts),
        steps=_steps(list(zip(questions, answers, strict=True))),
        groups={
            "hops": f"{hops} hops",
            "type": str(named.get("type", "bridge")),
            "source": source,
            "data": "cofca",
        },
        pair=str(named.get("pair", "")),
    )


def _paragraphs(texts: list[str]) -> tuple[Passage, ...]:
    """Return a passage's paragraphs, each titled by what it begins with, if that has a name.

    The data has no titles, and a reader that takes "it" for the subject of the article needs one.
    """
    paragraphs = [part.strip() for text in texts for part in text.split("\n\n") if part.strip()]
    return tuple(Passage(title=_subject(text), text=text) for text in paragraphs)


def _subject(text: str) -> str:
    """Return the name of what a paragraph begins with: of "The length of the Orv is …", "Orv"."""
    for pattern in _SUBJECTS:
        found = pattern.match(text)
        # "The" of "The length of …" and "In" of "In 1990 …" are written large and name nothing.
        if found is not None and found[1].split()[0].casefold() not in FUNCTION_WORDS:
            return found[1].rstrip(".,")
    return ""


def _plain_name(name: str) -> str:
    if _HOPS_IN_NAME.match(name.strip().lower()):
        return "question"
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    return {"final_answer": "answer", "context": "passage"}.get(plain, plain)


def _musique(item: Item, where: str, sample_id: str) -> Sample:
    passages = [
        Passage(
            title=field(one, "title", str, where), text=field(one, "paragraph_text", str, where)
        )
        for one in _objects(item, "paragraphs", where)
    ]
    steps = _decomposition(item, where)
    named = _HOPS_IN_ID.match(str(item.get("id", "")))
    return Sample(
        id=sample_id,
        question=field(item, "question", str, where),
        reference=_reference(item, where),
        passages=tuple(passages),
        steps=steps,
        groups=_groups(int(named[1]) if named else len(steps), "bridge", "musique"),
    )


def _hotpotqa(item: Item, where: str, sample_id: str) -> Sample:
    kind = str(item.get("type", "bridge"))
    return Sample(
        id=sample_id,
        question=field(item, "question", str, where),
        reference=_reference(item, where),
        passages=_context(item, where),
        groups=_groups(2, kind, "hotpotqa"),
    )


def _two_wiki(item: Item, where: str, sample_id: str) -> Sample:
    kind = field(item, "type", str, where)
    return Sample(
        id=sample_id,
        question=field(item, "question", str, where),
        reference=_reference(item, where),
        passages=_context(item, where),
        # Two entities compared in what a bridge leads to: four hops; all other types have two.
        groups=_groups(
            4 if kind == "bridge_comparison" else 2,
            "comparison" if "comparison" in kind else "bridge",
            "2wiki",
        ),
    )


def _morehopqa(item: Item, where: str, sample_id: str) -> Sample:
    steps = _decomposition(item, where)
    return Sample(
        id=sample_id,
        question=field(item, "question", str, where),
        reference=_reference(item, where),
        passages=_context(item, where),
        steps=steps,
        groups=_groups(int(item.get("no_of_hops", len(steps))), "bridge", "morehopqa"),
    )


READERS: dict[str, Callable[[Item, str, str], Sample]] = {
    "cofca": _cofca,
    "hotpotqa": _hotpotqa,
    "2wiki": _two_wiki,
    "musique": _musique,
    "morehopqa": _morehopqa,
}


def _groups(hops: int, kind: str, data: str) -> dict[str, str]:
    return {"hops": f"{hops} hops", "type": kind, "source": "factual", "data": data}


def _objects(item: Item, name: str, where: str) -> list[Item]:
    found = field(item, name, list, where)
    for number, one in enumerate(found, start=1):
        if not isinstance(one, dict):
            raise InputError(f"{where}: field {name!r}, entry {number} must be an object")
    return found


def _decomposition(item: Item, where: str) -> tuple[GoldStep, ...]:
    found = _objects(item, "question_decomposition", where)
    pairs: list[tuple[str, str]] = []
    for step in found:
        question = _REFERENCE.sub(
            # Only what an earlier step found: "flight #32" is a name.
            lambda match: pairs[n - 1][1] if 1 <= (n := int(match[1])) <= len(pairs) else match[0],
            field(step, "question", str, where),
        )
        answer = field(step, "answer", object, where)
        pairs.append((question, str(answer)))
    return _steps(pairs)


def _steps(pairs: list[tuple[str, str]]) -> tuple[GoldStep, ...]:
    return tuple(
        GoldStep(id=str(number), question=question, answer=answer)
        for number, (question, answer) in enumerate(pairs, start=1)
    )


def _context(item: Item, where: str) -> tuple[Passage, ...]:
    """Return the paragraphs of `context`: pairs, or as Hugging Face stores them, two lists."""
    context: Any = field(item, "context", object, where)
    if isinstance(context, dict):
        context = list(zip(context.get("title", ()), context.get("sentences", ()), strict=False))
    try:
        passages = tuple(
            Passage(title=str(title), text="".join(_spaced(sentences)))
            for title, sentences in context
        )
    except (TypeError, ValueError):
        raise InputError(
            f"{where}: field 'context' must be a list of [title, [sentences]]"
        ) from None
    if not passages:
        raise InputError(f"{where}: field 'context' is empty")
    return passages


def _spaced(sentences: list[str]) -> list[str]:
    # HotpotQA's sentences begin with their space, those of 2Wiki do not.
    return [
        sentence if number == 0 or sentence[:1].isspace() else f" {sentence}"
        for number, sentence in enumerate(sentences)
    ]


def _reference(item: Item, where: str) -> Json:
    """Return the answer, or the list of all that are right where there are aliases."""
    if "answer" not in item:
        raise InputError(f"{where}: field 'answer' is missing")
    answer = item["answer"]
    if not isinstance(answer, str | int | float):
        raise InputError(f"{where}: field 'answer' must be str, not {type(answer).__name__}")
    aliases = strings(item, "answer_aliases", where) if item.get("answer_aliases") else []
    return [str(answer), *aliases] if aliases else str(answer)
