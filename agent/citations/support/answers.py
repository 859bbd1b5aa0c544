"""Whether a quote proves the answer to a sub-question: the claim is question and value together.

The value stands in the quote; the quote speaks of what the question names, as a whole name and not
as the head of a column; the years that the question names stand there, too, and so do the words for
what is asked. "Who discovered Moon? William Herschel" is not proven by a table's row about Oberon.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.ages import whose_age
from agent.citations.content.dates import find_dates
from agent.citations.content.figures import NUMBER_WORDS, UNIT_WORDS
from agent.citations.content.names import (
    Aliases,
    asked_names,
    spoken,
    without_names,
)
from agent.citations.content.origins import adjective_of, asked_origin
from agent.citations.content.words import content_words, missing_ideographs, missing_words, stems_of
from agent.citations.quotes import IDEOGRAPH, label_in_words
from agent.citations.support.clauses import (
    lesser,
    only_a_place,
    only_an_owner,
    turned_round,
)
from agent.citations.support.examination import as_statement, check_quote, examine, same_word
from agent.citations.support.faults import Faults, Verdict, shown
from agent.citations.support.grounds import Evidence
from agent.citations.support.kinds import narrowed_to
from agent.citations.support.members import (
    check_listed,
    choosing,
    is_asked_about,
    is_member,
    named_span,
    only_listed,
)
from agent.citations.support.moments import check_moments
from agent.citations.support.polarity import (
    compares_nothing,
    denied_in,
    doubt_dropped,
    only_compared,
    polarity_differs,
    supposed,
)
from agent.citations.support.roles import other_role
from agent.citations.support.subjects import (
    box_of_another,
    check_chosen_row,
    says_of,
    says_what_it_has,
    speaks_of,
)
from agent.citations.support.values import (
    HELD,
    check_kind,
    check_place,
    counts_nothing,
    in_pieces,
    is_count,
    names_article,
    points_elsewhere,
    says_none,
    value_held,
)
from corpus.text import CARDINALS, word_set
from corpus.types import Chunk

_ASKING = word_set(
    """type kind sort person someone somebody thing things exactly full whole true name names give
    list tell show compare different various respective known please date year day time century man men
    woman women people stand stands stood standing lie flow flows flowing run runs pass passes cross
    crosses take takes took use uses used credited
    attributed ascribed owed table famous persons individuals guy guys fellow fellows
    chap chaps folk folks soil often"""
)
_KIND_ASKED = re.compile(
    r"^(?:(?:in|on|at|from|to|under|with|through|for|by)\s+(?:which|what)|whose)\s+"
    r"(?P<first>(?:[\w-]+\s+){1,3}?)(?=(?:is|was|are|were|do|does|did|has|have|had|can|will)\b)"
    r"|\b(?P<second>\w+(?:er|or|ist|ian|man|men|ers|ors|ists|ians))\s+(?=who\b|that\b|whose\b)",
    re.IGNORECASE,
)
"""Words that only say of what kind the value is: "In which theatre was …", "the astronomer who …"."""
_PAIR = re.compile(r"\b([a-z]+) and ([a-z]+)\b")
_YES_NO = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.IGNORECASE
)


def examine_answer(
    question: str,
    values: Sequence[str],
    quote: str,
    chunk: Chunk,
    *,
    aliases: Aliases | None = None,
    opening: str = "",
) -> tuple[Verdict, frozenset[str]]:
    """Return whether a quote proves values as the answer to a question, and which of them it holds.

    Args:
        question: a sub-question, its placeholders filled.
        values: what the answer names; for a list, each member. Empty where the answer is a text
            that was judged by itself.
        quote: words of the chunk.
        chunk: what is cited.
        aliases: other names of a name, from the snapshot's redirects.
        opening: how the article begins, where that was retrieved: what its lists list.
    """
    evidence = Evidence.of(quote, chunk, None, aliases, opening=opening)
    if evidence is None:
        reason = f"the passage does not hold “{shown(quote)}”"
        return Verdict(ruling="unsupported", reason=reason), frozenset()
    if len(values) == 1 and values[0].casefold().strip(" .") in ("yes", "no", "是", "否", "不是"):
        return _polar(question, values[0], evidence), frozenset(values)
    faults = Faults()
    ends, spanned = named_span(question)
    if ends and {*ends}.issubset(values):
        # No line of a list says between which others it stands.
        faults.wording.append(f"the quote does not say what lies between “{' and '.join(ends)}”")
        question = spanned
    if aged := whose_age(question, values, quote):
        question = f"What of {aged}?"
    check_quote(evidence, faults)
    held = frozenset(
        value
        for value in values
        if (value_held(value, evidence) and not points_elsewhere(value))
        or is_count(question, value, evidence)
        or aged
    )
    if values and not held:
        faults.hard.append(f"“{shown('; '.join(values))}” does not stand in the quote")
    if held:
        check_kind(question, held, faults)
        if other := other_role(question, sorted(held), evidence.place.line):
            reason = f"the quote says of “{shown(other)}” another role than the one asked"
            faults.soft.append(reason)
    _check_names(question, sorted(held), evidence, faults)
    check_moments(question, values, evidence, faults)
    named = [name.text for name in asked_names(question)]
    if len(values) == 1 and is_asked_about(values[0], named):
        faults.soft.append("the value is what is asked about")
    elif name := next((one for one in named if only_listed(one, sorted(held), evidence)), ""):
        faults.soft.append(f"the quote names “{name}” only as one of what it lists")
    for value in sorted(held):
        check_place(question, value, named, evidence, faults)
    _check_asked(question, sorted(held), evidence, faults, count=len(values))
    sentence = as_statement(evidence.place.sentence)
    if any(turned_round(question, value, sentence) for value in held):
        faults.hard.append("the quote says it the other way round")
    if most := lesser(question, sentence):
        faults.soft.append(f"the quote does not say “{most}” without a rank")
    if not says_none(question, held) and polarity_differs(question, sentence, same_word):
        denied = any(denied_in(name, question, sentence) for name in named)
        settled = faults.soft if denied else faults.spoken
        settled.append("question and quote do not agree in what they deny")
    # What stands whole under a label says itself how sure it is: "Motto: I would found a school".
    whole = evidence.place.label and values and sentence.endswith(values[0])
    if not whole and (
        doubt_dropped(question, sentence)
        or any(supposed(value, question, sentence) for value in held)
    ):
        faults.soft.append("the quote only supposes it")
    return faults.ruled(prose=not evidence.place.structured), held


_SEVERAL = re.compile(rf"\bthe (?:{'|'.join(CARDINALS[2:])}) \w+s\b", re.IGNORECASE)
"""How a question asks of several things, of which a sentence about one tells but a part."""


def _check_names(question: str, values: Sequence[str], evidence: Evidence, faults: Faults) -> None:
    """Ask that the quote speaks of what the question names: one at least as its subject."""
    said = f"{question} {' '.join(values)}"
    names = asked_names(question)
    if other := box_of_another(question, names, evidence):
        faults.soft.append(other)
    if is_member(values, evidence):
        check_listed(names, evidence, faults)
        return
    if values and (origin := asked_origin(question)):
        if evidence.names(origin, (evidence.values, *evidence.frame)) not in HELD:
            faults.wording.append(f"the quote does not say “{origin}”")
        names = [name for name in names if adjective_of(name.text) != origin]
    spoken_of: list[str] = []
    lacking: list[str] = []
    for name in names:
        texts = (evidence.values, *evidence.frame)
        held = evidence.names(name.text, texts) in HELD or evidence.is_title(name.text)
        held = held or evidence.introduces(name.text) or in_pieces(name.text, evidence)
        held = held and not evidence.only_lies_in(name.text)
        (spoken_of if held else lacking).append(name.text)
    if names and not spoken_of:
        around = (evidence.quote, evidence.place.sentence, evidence.place.caption)
        if any(evidence.names(name, around) == "part" for name in lacking):
            faults.spoken.append(f"the quote may speak of another {lacking[0]}")
        elif not (evidence.place.structured or _SEVERAL.search(question)) and all(
            evidence.names(name, (evidence.opening,)) in HELD for name in lacking
        ):
            # "The town in Illinois" is told by the first sentence of its article.
            faults.wording.append(f"only the article's beginning names “{lacking[0]}”")
        else:
            faults.hard.append(f"the question names “{lacking[0]}”, which the quote does not")
        return
    # What the article's first sentence says, it says of its own subject.
    label = label_in_words(evidence.place.label)
    heads = (evidence.quote, label, evidence.place.caption, evidence.opening)
    for lacked in lacking:
        if evidence.names(lacked, heads) not in HELD:
            faults.soft.append(f"the question names “{lacked}”, which the quote does not")
    place, first = evidence.place, next(iter(spoken_of), "")
    elsewhere = not place.structured and not evidence.is_title(first)
    if first and elsewhere and only_a_place(first, question, place.sentence):
        faults.spoken.append(f"the quote speaks of what is in {first}")
    if first and elsewhere and only_compared(first, values, question, place.sentence):
        faults.soft.append(f"the quote only compares something with {first}")
    described = [*values, *(name.text for name in names)]
    owned = first and elsewhere and not any(evidence.is_title(one) for one in described)
    if owned and only_an_owner(first, question, place.sentence):
        faults.spoken.append(f"the quote speaks of {shown(evidence.title)}, not of {first}")
    if spoken_of and not any(spoken(name, value) != "no" for name in spoken_of for value in values):
        # The area in a country's row is not that of the capital named beside it.
        check_chosen_row(spoken_of, said, evidence, faults)
    subjects = Faults()
    if any(says_of(subject, values, evidence) for subject in spoken_of):
        return
    for subject in spoken_of:
        tried = Faults()
        speaks_of(subject, said, evidence, tried, chosen=True)
        subjects = tried
        if not (tried.hard or tried.soft or tried.spoken):
            break
    faults.add(subjects)


def _check_asked(
    question: str,
    values: Sequence[str],
    evidence: Evidence,
    faults: Faults,
    *,
    count: int = 0,
) -> None:
    """Doubt a quote that lacks words for what is asked: no capital without "capital"."""
    if IDEOGRAPH.search(question):
        asked = re.sub(
            r"什么|哪些|哪个|哪里|哪儿|哪|谁|多少|几|何时|为什么|怎么|如何|请问|是|吗|？|\?",
            "",
            question,
        )
        texts = " ".join((*evidence.texts, *evidence.frame, evidence.place.caption))
        if missing_ideographs(asked, texts) > 0.34:
            faults.soft.append("the quote does not say all that is asked")
        return
    said = question
    for kind in _KIND_ASKED.finditer(question):
        said = said.replace(kind["first"] or kind["second"], " ", 1)
    said = without_names(said, initial=False)
    dates = {word for date in find_dates(question) for word in content_words(date.text)}
    narrowed = narrowed_to(question, evidence)
    wanted = [
        word
        for word in content_words(said)
        if word not in (_ASKING - narrowed) | NUMBER_WORDS | UNIT_WORDS and word not in dates
    ]
    wanted = choosing(wanted, question, count, evidence)
    stems = evidence.stems | stems_of(evidence.place.sentence)
    if is_member(values, evidence) or (count > 1 and evidence.place.structured):
        stems |= stems_of(evidence.opening)
    missing = [
        word
        for word in missing_words(wanted, stems, stems_of(evidence.chunk.text))
        if not names_article(word, evidence)
    ]
    if lost := sorted(one for one in narrowed if stems_of(one).isdisjoint(stems)):
        # The first of all is not the first woman, whatever the chunk says besides.
        faults.soft.append(f"the quote does not say “{', '.join(lost)}”")
    elif any(one in missing and other in missing for one, other in _PAIR.findall(question)):
        # One label in other words is not both: who owns a thing need not have bought and sold it.
        faults.soft.append(f"the quote does not say “{', '.join(missing)}”")
    elif missing:
        faults.wording.append(f"the quote does not say “{', '.join(missing)}”")


def _polar(question: str, value: str, evidence: Evidence) -> Verdict:
    """Rule on "Yes" and "No": the question without its first word, as a claim."""
    claim = _YES_NO.sub("", question.strip().rstrip("?？"), count=1).strip()
    verdict = examine(claim, evidence.quote, evidence.chunk, aliases=evidence.aliases)
    if verdict.ruling == "supported" and counts_nothing(claim):
        return Verdict(ruling="unsure", reason="the question does not say what its number counts")
    if verdict.ruling != "unsupported" and compares_nothing(claim, evidence.quote):
        return Verdict(ruling="unsure", reason="the question does not say what it compares")
    if value.casefold().strip(" .") in ("yes", "是"):
        names = asked_names(question)
        if says_what_it_has(claim, evidence):
            reason = "a label says what its thing has, and not what it is"
            return Verdict(ruling="unsure", reason=reason)
        if verdict.ruling == "supported" and (other := box_of_another(question, names, evidence)):
            return Verdict(ruling="unsure", reason=other)
        own = bool(evidence.place.label) and any(evidence.is_title(name.text) for name in names)
        if verdict.ruling == "unsupported" and own and len(names) > 1:
            # "Country: Spain", of what lies in Europe: what a value lies in need not stand there.
            return Verdict(ruling="unsure", reason=verdict.reason, wording=True)
        return verdict
    # "No" is proven by a quote that denies what was asked. Another value only hints at it, as long as
    # nothing shows that it excludes the one asked for.
    opposite = polarity_differs(claim, as_statement(evidence.place.sentence), same_word)
    faults = Faults()
    check_quote(evidence, faults)
    about = Faults()
    _check_names(question, (), evidence, about)
    _check_asked(question, (), evidence, about)
    faults.hard += about.hard
    if opposite:
        faults.soft += [*about.soft, *about.spoken]
        faults.wording += about.wording
    else:
        faults.wording.append("the quote does not deny it in words")
    return faults.verdict
