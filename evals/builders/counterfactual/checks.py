"""What must hold of a counterfactual item (CofCA, section 3.1), checked by rules.

The checks read the finished texts and the snapshot; they know nothing of how a text was made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from corpus.text import split_sentences
from evals.builders.counterfactual.chains import first_of
from evals.builders.counterfactual.item import CofcaItem, Version
from evals.builders.counterfactual.words.lexicon import Lexicon
from evals.builders.infobox.labels import RELATIONS
from evals.builders.types import Check
from evals.metrics.squad import TokenScore, token_score

_WORD = re.compile(r"[^\W\d_]+")


def check_item(item: CofcaItem, lexicon: Lexicon, is_title: Callable[[str], bool]) -> list[Check]:
    """Return the verdicts on an item, each check once."""
    told = item.told
    composed = _checks_of_writing(item, told) if item.asked_by else _checks_of_facts(item, told)
    return [
        _check("no original name survives", ", ".join(surviving_names(item, lexicon))),
        _check("every sub-answer is in the passage", ", ".join(missing_answers(told))),
        _check("two or more sentences are needed", telling_sentence(item, told)),
        _check(
            "the new facts are not in the snapshot", ", ".join(known_names(item, lexicon, is_title))
        ),
        _check("memory earns nothing", why_remembered(item, told)),
        *composed,
    ]


def _checks_of_facts(item: CofcaItem, told: Version) -> list[Check]:
    """Checks that know which facts a question was composed of."""
    return [
        _check("the answer follows from the sub-answers", why_not_following(item, told)),
        _check("the question names no step between", ", ".join(named_steps(item, told))),
        _check("another answer of the same kind is in the passage", why_only_answer(item)),
    ]


def _checks_of_writing(item: CofcaItem, told: Version) -> list[Check]:
    """Checks of a question that a model wrote, whatever facts it is about."""
    given = [answer for answer in told.sub_answers[:-1] if contains(told.question, answer)]
    last = told.sub_answers[-1] if told.sub_answers else ""
    bridge = item.type == "bridge"
    return [
        _check("the question names no step between", ", ".join(given) if bridge else ""),
        _check(
            "the question does not hold its answer",
            told.answer if bridge and contains(told.question, told.answer) else "",
        ),
        _check(
            "the answer is the last sub-answer",
            f"{last!r}" if bridge and last.casefold() != told.answer.casefold() else "",
        ),
    ]


def _check(name: str, fault: str) -> Check:
    return Check(name=name, passed=not fault, reason=fault)


def contains(text: str, name: str) -> bool:
    """Tell whether a name stands in a text as whole words."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def surviving_names(item: CofcaItem, lexicon: Lexicon) -> list[str]:
    """Return names of the factual version that the counterfactual one still has."""
    text = "\n".join(item.told.texts)
    whole = [name for name in item.names if _is_telling(name, lexicon) and contains(text, name)]
    ordinary_starts = {match[1] for match in re.finditer(r"(?:^|[.!?]\s+|\n)([^\W\d_]+)", text)}
    words = [
        word
        for word, new in item.renamed
        if word != new and contains(text, word) and word not in ordinary_starts
    ]
    return sorted({*whole, *words, *_derived(text, [word for word, _ in item.renamed])})


_LONGEST_ROOT = 6
"""Letters that a word in lower case must share with a name to be made from it."""


def _derived(text: str, words: Sequence[str]) -> list[str]:
    """Return words in lower case that are made from a name and no words of English: "berkelium"."""
    import simplemma

    roots = tuple(word[:_LONGEST_ROOT].lower() for word in words if len(word) >= _LONGEST_ROOT)
    return [
        word
        for word in sorted({match[0] for match in _WORD.finditer(text)})
        if word.islower()
        and word.startswith(roots or ("\0",))
        and (word.endswith("ium") or not simplemma.is_known(word, lang="en"))
    ]


def _is_telling(name: str, lexicon: Lexicon) -> bool:
    """Tell a name from words that are kept in every world ("the Council", "Summer")."""
    return any(not lexicon.keeps(word) for word in _WORD.findall(name))


def missing_answers(version: Version) -> list[str]:
    """Return the answers that do not stand in the passage, letter by letter."""
    answers = (*version.sub_answers, version.answer)
    return [answer for answer in dict.fromkeys(answers) if not contains(version.passage, answer)]


MOST_REMEMBERED = 1 / 3
"""Token F1 that the real answer may have against the counterfactual one."""


def remembered(item: CofcaItem) -> TokenScore:
    """Return what the real answer scores: what a system earns that never reads the passage."""
    return token_score(item.factual.answer, [item.told.answer])


def why_remembered(item: CofcaItem, version: Version) -> str:
    """Return why the real answer still earns something, or ""."""
    # A model wrote the question of such an item: the real answer is of another.
    if item.asked_by or remembered(item).f1 <= MOST_REMEMBERED:
        return ""
    return f"the real answer {item.factual.answer!r} is too near to {version.answer!r}"


def why_not_following(item: CofcaItem, version: Version) -> str:
    """Return why the answer is not what the sub-answers lead to, or ""."""
    if item.type == "bridge":
        for before, question in zip(version.sub_answers, version.sub_questions[1:], strict=False):
            if not contains(question, before):
                return f"{question!r} does not ask on from {before!r}"
        return "" if version.sub_answers[-1] == version.answer else "it is not the last sub-answer"
    relation = RELATIONS[item.pattern.rpartition(" > ")[2]]
    asked = [
        (question, answer)
        for question, answer in zip(version.sub_questions, version.sub_answers, strict=True)
        if relation.read_text(answer)
    ]
    first = first_of(relation, [answer for _, answer in asked])
    if first is None:
        return "no value is clearly the first"
    if not contains(asked[first][0], version.answer):
        return f"{asked[first][1]!r} belongs to another than {version.answer!r}"
    return ""


def telling_sentence(item: CofcaItem, version: Version) -> str:
    """Return a sentence from which alone the question can be answered, or ""."""
    for sentence in split_sentences(version.passage):
        # Not as whole words: "Gasonian franc" tells of Gasonia.
        held = [answer for answer in version.sub_answers if answer in sentence]
        if len(held) == len(version.sub_answers):
            return sentence
        if item.type == "bridge" and contains(sentence, version.answer):
            start = _subject(version.question, version.sub_questions[0])
            if start and contains(sentence, start):
                return sentence
    return ""


def _subject(question: str, first: str) -> str:
    """Return the name that the question and its first sub-question share."""
    shared = [
        match[0]
        for match in re.finditer(r"[A-Z][\w.'’-]*(?: (?:[a-z]{1,3} )?[A-Z0-9][\w.'’-]*)*", first)
        if match.start() > 0 and contains(question, match[0].removesuffix("'s"))
    ]
    return max(shared, key=len, default="")


def named_steps(item: CofcaItem, version: Version) -> list[str]:
    """Return the answers on the way, and the answer itself, that the question gives away."""
    if item.type == "bridge":
        return [answer for answer in version.sub_answers if contains(version.question, answer)]
    bridged = [answer for answer in version.sub_answers if answer not in _compared(item, version)]
    return [answer for answer in bridged if contains(version.question, answer)]


def _compared(item: CofcaItem, version: Version) -> set[str]:
    relation = RELATIONS[item.pattern.rpartition(" > ")[2]]
    return {answer for answer in version.sub_answers if relation.read_text(answer)}


def known_names(item: CofcaItem, lexicon: Lexicon, is_title: Callable[[str], bool]) -> list[str]:
    """Return the new names that the snapshot knows."""
    invented = [new for _, new in item.renamed if new.lower() in lexicon.every]
    answers = [a for a in item.told.sub_answers if not re.search(r"\d", a) and is_title(a)]
    return [*invented, *answers]


def why_only_answer(item: CofcaItem) -> str:
    """Return why a reader could answer by the kind of answer alone, or ""."""
    relation = RELATIONS[item.pattern.rpartition(" > ")[2]]
    sentences = split_sentences(item.factual.passage)
    values = {value for sentence in sentences if (value := relation.stated_in(sentence))}
    return "" if len(values) > 1 else f"only one sentence states {relation.label!r}"
