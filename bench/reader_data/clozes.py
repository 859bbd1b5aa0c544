"""Questions on prose, made from the sentences and links of a snapshot.

A linked name, a date or a number is taken out of a sentence, and the rest is put as a question
(Lewis et al. 2019, "Unsupervised Question Answering by Cloze Translation"). It is read for in the
sentence itself or, better, in another place that links the same two things, which says it in other
words (Fabbri et al. 2020). Windows of the same article that do not hold the words have no answer.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.reader.windows import Window, windows_of
from corpus.store import Snapshot
from retrieval.types import Hit

Kind = Literal["person", "place", "thing", "date", "number"]

_DATE = re.compile(
    r"\b(?:(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|"
    r"November|December)(?: \d{1,2},)? )?(?:1\d{3}|20[0-2]\d)\b"
)
_NUMBER = re.compile(
    r"(?<![\w,.\-–$€£])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?: (?:million|billion))?(?=(?: [a-z]{3,}){1,2})"
)
_BORDER = re.compile(r"[;:()]|, (?:and|but|which|who|while|where|whose|with)\b|\"")
_PRONOUN = re.compile(r"^(?:He|She|It|They|His|Her|Its|Their)\b")
_AUXILIARY = re.compile(
    r"\b(?:is|was|are|were|has|had|have|can|could|will|would|may|might|must|did|does|do)\b"
)
_PLACED = re.compile(r"\b(?:in|at|near|from|to|of|on)(?: the)? $")
_IRREGULAR = {
    "became": "become", "began": "begin", "bought": "buy", "brought": "bring", "built": "build",
    "came": "come", "chose": "choose", "drew": "draw", "fell": "fall", "flew": "fly",
    "fought": "fight", "found": "find", "gave": "give", "got": "get", "grew": "grow", "held": "hold",
    "kept": "keep", "knew": "know", "led": "lead", "left": "leave", "lost": "lose", "made": "make",
    "met": "meet", "paid": "pay", "ran": "run", "rose": "rise", "said": "say", "saw": "see",
    "sent": "send", "sold": "sell", "spent": "spend", "spoke": "speak", "stood": "stand",
    "taught": "teach", "thought": "think", "told": "tell", "took": "take", "went": "go",
    "won": "win", "wore": "wear", "wrote": "write",
}  # fmt: skip
_PERSONAL = re.compile(
    r"\((?:[^()]*\b)?(?:born|b\.|\d{3,4}\)?\s*[–-])|\bwas an? \w+ \w*(?:er|or|ist)\b"
)
_SUBORDINATE = re.compile(
    r"(?:When|Although|Though|If|As|Because|While|However|Since|Thus|Following|Due|By|Despite|With|"
    r"After|Before|For)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:In|On|By|During|After|At|From|Since) [^,]{3,40}, ")


@dataclass(slots=True)
class _Place:
    window: Window
    fact: Fact
    anchors: dict[str, str]
    """Anchor by the title linked to."""


def is_person(lead: str) -> bool:
    """Whether an article that begins so is about somebody."""
    return bool(_PERSONAL.search(lead[:250]))


def base_of(verb: str) -> str:
    """The base of a past tense, "" for any other word."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if not verb.endswith("ed") or len(verb) < 5:
        return ""
    bare = verb[:-2]
    if bare.endswith("i"):
        return bare[:-1] + "y"
    if bare[-1] == bare[-2] and bare[-1] not in "ls":
        return bare[:-1]
    if re.search(r"(?:[^aeiou][aiou][tdsrcvzg]|[csvzu]|[aiou]s|at|ir|ur|in)$", bare):
        return bare + "e"
    return bare


def question_of(
    text: str, start: int, end: int, kind: Kind, title: str, rng: random.Random
) -> str | None:
    """A question whose answer is `text[start:end]`; None where the clause is no whole statement.

    Args:
        text: a sentence.
        start: of the answer.
        end: of the answer.
        kind: of the answer.
        title: of the article, which "he" and "it" stand for.
        rng: chooses among wordings.
    """
    begin = max((m.end() for m in _BORDER.finditer(text, 0, start)), default=0)
    stop = min((m.start() for m in _BORDER.finditer(text, end)), default=len(text))
    before, after = text[begin:start].lstrip(" ,"), text[end:stop].rstrip(" .,;")
    if _LEADING.match(before) and rng.random() < 0.7:
        before = _LEADING.sub("", before)
    if _SUBORDINATE.match(before) or before.count(",") > 1:
        return None
    if kind != "number" and (re.match(r" [A-Z]", after) or re.search(r"\b[A-Z]\w+ $", before)):
        return None  # a part of a longer name
    if not 5 <= len((before + after).split()) <= 26:
        return None
    owner = _PRONOUN.match(before)
    if owner:
        name = title + ("'s" if owner[0] in ("His", "Her", "Its", "Their") else "")
        before = name + before[owner.end() :]
    placed = _PLACED.search(before)
    asked = _asked(kind, bool(placed), rng)
    if kind == "number":
        counted = re.match(r"(?: [a-z]+){1,2}", after)
        if counted is None:
            return None
        asked, after = f"how many{counted[0]}", after[counted.end() :]
    if not re.sub(r"\b(?:the|an?|[A-Z][a-z]+ist)\b", "", before, flags=re.IGNORECASE).strip():
        made = f"{asked}{after}"
    else:
        if placed and asked in ("where", "when"):
            before = before[: placed.start()]
        elif placed and rng.random() < 0.5:
            asked = f"{placed[0].strip()} {asked}"
            before = before[: placed.start()]
        made = _fronted(asked, re.sub(r"\bthe $", "", before), after, rng)
        if made is None:
            return None
    made = " ".join(made.split())
    if rng.random() < 0.8:
        made = made[:1].upper() + made[1:]
    return made + ("?" if rng.random() < 0.8 else "")


def _asked(kind: Kind, placed: bool, rng: random.Random) -> str:
    if kind == "date":
        return rng.choice(["when", "when", "in what year", "what year"])
    if kind == "person":
        return rng.choice(
            ["who", "who", "who", "which person", "what is the name of the person who"]
        )
    if kind == "place" or (placed and rng.random() < 0.4):
        return rng.choice(["where", "where", "what place", "which place"])
    return rng.choice(["what", "what", "which", "what thing"])


def _fronted(asked: str, before: str, after: str, rng: random.Random) -> str | None:
    """The question words first, then the auxiliary, the subject and the rest."""
    if rng.random() < 0.4:
        after = after.split(",")[0]
    auxiliary = _AUXILIARY.search(before)
    if auxiliary and auxiliary.start():
        subject, rest = before[: auxiliary.start()], before[auxiliary.end() :]
        return f"{asked} {auxiliary[0]} {_low(subject)} {rest} {after}"
    for match in re.finditer(r"(?<= )[a-z]+", before):
        base = base_of(match[0])
        if base:
            subject, rest = before[: match.start()], before[match.end() :]
            return f"{asked} did {_low(subject)} {base} {rest} {after}"
    return None


def _low(subject: str) -> str:
    return re.sub(r"^(?:The|A|An|In|This|These|Its)\b", lambda m: m[0].lower(), subject)


def clozes(
    snapshots: Sequence[Snapshot], rng: random.Random, most: int
) -> Iterator[tuple[str, Window, int, int, str]]:
    """(question, window, start, end, source); start is -1 where the window has no answer.

    Args:
        snapshots: whose prose is asked about.
        rng: chooses sentences and wordings.
        most: questions with an answer.
    """
    pairs: dict[frozenset[str], list[_Place]] = {}
    persons: dict[str, bool] = {}
    by_title: dict[str, list[Window]] = {}
    statements: list[tuple[str, _Place, str, str, Kind]] = []
    for snapshot in snapshots:
        for title, places in _read(snapshot, persons, by_title):
            bare = re.sub(r"\s*\(.*\)$", "", title)
            for place in places:
                for target, anchor in place.anchors.items():
                    pairs.setdefault(frozenset((title, target)), []).append(place)
                    kind: Kind = "person" if persons.get(target) else "thing"
                    statements.append((bare, place, target, anchor, kind))
                for pattern, other in ((_DATE, "date"), (_NUMBER, "number")):
                    found = [m[0] for m in pattern.finditer(place.fact.text)]
                    if found and rng.random() < 0.35:
                        one: Kind = "date" if other == "date" else "number"
                        statements.append((bare, place, "", rng.choice(found), one))
    rng.shuffle(statements)
    every = [window for windows in by_title.values() for window in windows]
    count = 0
    for bare, place, target, answer, kind in statements:
        if count >= most:
            return
        at = place.fact.text.find(answer)
        if at < 0 or answer.casefold() in bare.casefold():
            continue
        question = question_of(place.fact.text, at, at + len(answer), kind, bare, rng)
        if question is None or answer.casefold() in question.casefold():
            continue
        title = place.fact.title
        others = [
            one
            for one in pairs.get(frozenset((title, target)), ())
            if one.fact is not place.fact and one.anchors.get(target)
        ]
        named = bare.casefold() in question.casefold()
        if others and named and rng.random() < 0.8:
            place = rng.choice(others)
            answer = place.anchors[target]
            source = "cloze elsewhere"
        elif rng.random() < 0.35:
            source = "cloze"
        else:
            continue
        offset = place.window.offsets[place.window.facts.index(place.fact)]
        at = place.fact.text.find(answer)
        if at < 0:
            continue
        yield question, place.window, offset + at, offset + at + len(answer), source
        count += 1
        if rng.random() < 0.45:
            near = [w for w in by_title[title] if answer.casefold() not in w.text.casefold()]
            if near:
                chosen = max(
                    rng.sample(near, min(8, len(near))), key=lambda w: _shared(question, w.text)
                )
                yield question, chosen, -1, -1, "cloze other"
        elif rng.random() < 0.5:
            alike = question.replace(bare, "")
            far = [w for w in rng.sample(every, min(300, len(every))) if bare not in w.text]
            stranger = max(far, key=lambda w: _shared(alike, w.text))
            if answer.casefold() not in stranger.text.casefold():
                yield question, stranger, -1, -1, "cloze stranger"


def _shared(question: str, text: str) -> int:
    low = text.casefold()
    return sum(word in low for word in set(re.findall(r"\w{4,}", question.casefold())))


def _read(
    snapshot: Snapshot, persons: dict[str, bool], by_title: dict[str, list[Window]]
) -> Iterator[tuple[str, list[_Place]]]:
    """(title, sentences with the links in them) of every article; persons are known before."""
    articles = list(snapshot.articles())
    links = {}
    for article in articles:
        persons[article.revision.title] = is_person(article.text)
        links[article.revision.title] = {
            link.anchor: link.target for link in article.links if len(link.anchor) > 2
        }
    chunks: dict[str, list[Hit]] = {}
    for chunk in snapshot.chunks():
        hit = Hit(chunk=chunk, score=0.0, rank=1, source="data")
        chunks.setdefault(chunk.revision.title, []).append(hit)
    for title, hits in chunks.items():
        places = []
        anchors = links.get(title, {})
        for window in windows_of(facts_of(hits)):
            if window.facts[0].kind != "sentence":
                continue
            by_title.setdefault(title, []).append(window)
            for fact in window.facts:
                said = set(re.findall(r"[^\W_]+", fact.text))
                held = {
                    target: anchor
                    for anchor, target in anchors.items()
                    if anchor.split()[0].strip(",.'") in said and anchor in fact.text
                    and target != title and anchor[:1].isupper()
                }  # fmt: skip
                places.append(_Place(window, fact, held))
        yield title, places
