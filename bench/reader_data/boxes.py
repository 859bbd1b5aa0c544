"""Questions made from the boxes and tables of Wikipedia dumps."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from agent.extractive.finder.facts import facts_of
from agent.extractive.reader.windows import Window, windows_of
from corpus.store import Snapshot
from reader_data.examples import Example, overlap
from retrieval.types import Hit

ASKED_AS = {
    "population": ["how many people live in {x}", "how populous is {x}", "number of inhabitants of {x}"],
    "area": ["how large is {x}", "how big is {x}"], "length": ["how long is {x}"],
    "elevation": ["how high is {x}", "height of {x}"], "height": ["how tall is {x}"],
    "depth": ["how deep is {x}"], "width": ["how wide is {x}"], "mass": ["how heavy is {x}"],
    "author": ["who wrote {x}", "who is the writer of {x}"], "director": ["who directed {x}"],
    "directed by": ["who directed {x}", "director of {x}"], "written by": ["who wrote {x}"],
    "producer": ["who produced {x}"], "composer": ["who composed {x}", "who wrote the music of {x}"],
    "founder": ["who founded {x}", "by whom was {x} founded"],
    "founded": ["when was {x} founded", "in what year was {x} founded", "founding date of {x}"],
    "established": ["when was {x} established", "what year was {x} set up"],
    "formed": ["when was {x} formed"], "opened": ["when did {x} open", "what year was {x} opened"],
    "release date": ["when was {x} released", "when did {x} come out"],
    "released": ["when was {x} released", "release year of {x}"],
    "birth place": ["where was {x} born", "birthplace of {x}", "in which town was {x} born"],
    "place of birth": ["where was {x} born"], "death place": ["where did {x} die"],
    "birth date": ["when was {x} born", "birth year of {x}", "date of birth of {x}"],
    "death date": ["when did {x} die", "date of death of {x}"],
    "born": ["when and where was {x} born"], "died": ["when and where did {x} die"],
    "spouse": ["who was {x} married to", "wife or husband of {x}"], "children": ["how many children did {x} have"],
    "alma mater": ["where did {x} study", "which university did {x} go to"],
    "occupation": ["what did {x} do for a living", "what was the profession of {x}"],
    "nationality": ["from which country is {x}", "where does {x} come from"],
    "capital": ["which city is the capital of {x}", "seat of government of {x}"],
    "currency": ["what money is used in {x}", "what do people pay with in {x}"],
    "official language": ["what language is spoken in {x}"], "official languages": ["what languages are spoken in {x}"],
    "location": ["where is {x}", "where is {x} located", "in which place does {x} stand"],
    "country": ["in which country is {x}", "what country is {x} in"], "city": ["in what city is {x}"],
    "owner": ["who owns {x}"], "architect": ["who designed {x}", "who built {x}"],
    "developer": ["who developed {x}", "who made {x}"], "designer": ["who designed {x}"],
    "publisher": ["who published {x}"], "leader": ["who leads {x}", "who is the head of {x}"],
    "president": ["who is president of {x}"], "genre": ["what kind of work is {x}"],
    "discovered by": ["who discovered {x}", "discoverer of {x}"], "discovered": ["when was {x} found"],
    "headquarters": ["where is {x} based"], "industry": ["what does {x} do"], "starring": ["who stars in {x}"],
    "language": ["in what language is {x}"], "price": ["how much does {x} cost"],
    "capacity": ["how many people fit into {x}"], "students": ["how many students does {x} have"],
    "architectural style": ["in what style is {x} built"], "water source": ["which rivers feed {x}"],
}  # fmt: skip
FORMS = (
    "What is the {a} of {x}?", "What was the {a} of {x}?", "{x}'s {a}", "{a} of {x}",
    "{x} {a}", "what {a} does {x} have", "tell me the {a} of {x}", "Which {a} has {x}?",
)  # fmt: skip


def made(snapshots: Sequence[Snapshot], rng: random.Random, most: int) -> Iterator[Example]:
    """Questions on boxes and rows: with the answer, without its line, and on a sibling's line."""
    boxes: list[tuple[str, str, str, Window]] = []
    rows: list[tuple[str, str, str, Window]] = []
    prose: dict[str, list[Window]] = {}
    for snapshot in snapshots:
        for chunk in snapshot.chunks():
            hit = Hit(chunk=chunk, score=0.0, rank=1, source="data")
            for window in windows_of(facts_of([hit])):
                if window.facts[0].kind == "sentence":
                    prose.setdefault(chunk.revision.title, []).append(window)
                for fact in window.facts:
                    if (
                        fact.kind == "value"
                        and len(fact.cells[0][1]) <= 120
                        and _is_box(fact.label)
                    ):
                        boxes.append((fact.title, fact.label, fact.cells[0][1], window))
                    elif fact.kind == "row" and len(fact.cells) > 1 and fact.cells[0][0]:
                        name = fact.cells[0][1]
                        head, value = rng.choice(fact.cells[1:])
                        if head and value and 2 < len(name) < 50 and not name.isdigit():
                            rows.append((name, head, value, window))
    yield from _in_prose(boxes, prose, rng, most // 2)
    labels = Counter(label.casefold() for _, label, _, _ in boxes)
    siblings: dict[str, list[tuple[str, Window]]] = {}
    for title, label, _, window in boxes:
        siblings.setdefault(label.casefold(), []).append((title, window))
    usual = [box for box in boxes if labels[box[1].casefold()] >= 3]
    for title, label, value, window in rng.sample(usual, min(most, len(usual))):
        name = re.sub(r"\s*\(.*\)$", "", title)
        question = asked_for(label, name, rng)
        line = f"{label}: {value}"
        at = window.text.find(line, window.body)
        if at < 0:
            continue
        begin = at + len(label) + 2
        yield Example(question, window.text, begin, begin + len(value), "box")
        chance = rng.random()
        if chance < 0.4:
            other, its = rng.choice(siblings[label.casefold()])
            if other != title:
                yield Example(question, its.text, -1, -1, "sibling")
        elif chance < 0.8 and window.text.count(label) == 1 and len(window.facts) > 2:
            kept = [fact.text for fact in window.facts if not fact.text.startswith(line[:30])]
            text = window.text[: window.body] + "; ".join(kept)
            yield Example(question, text, -1, -1, "without")
    for name, head, value, window in rng.sample(rows, min(most // 2, len(rows))):
        at = window.text.find(f"{head}: {value}", window.text.find(name, window.body))
        if at < 0 or window.text.find(name, window.body) < 0:
            continue
        begin = at + len(head) + 2
        yield Example(asked_for(head, name, rng), window.text, begin, begin + len(value), "row")
        if rng.random() < 0.5:
            stranger = rng.choice(rows)
            if stranger[0] not in window.text:
                yield Example(asked_for(head, stranger[0], rng), window.text, -1, -1, "row other")


def _in_prose(
    boxes: Sequence[tuple[str, str, str, Window]],
    prose: dict[str, list[Window]],
    rng: random.Random,
    most: int,
) -> Iterator[Example]:
    """Questions on boxes, asked of prose: of the article's own, and of another's that reads alike."""
    usual = [box for box in boxes if box[1].casefold() in ASKED_AS]
    every = [window for windows in prose.values() for window in windows]
    for title, label, value, _ in rng.sample(usual, min(most, len(usual))):
        bare = re.sub(r"\s*\(.*\)$", "", title)
        question = asked_for(label, bare, rng, natural=True)
        said = re.split(r",| \(", value)[0].strip()
        if len(said) > 3 and said.casefold() not in bare.casefold():
            telling = [w for w in prose.get(title, ()) if said in w.text[w.body :]]
            if telling:
                window = max(telling, key=lambda w: overlap(question, w.text[w.body :]))
                begin = window.text.index(said, window.body)
                end = begin + (len(value) if window.text.startswith(value, begin) else len(said))
                yield Example(question, window.text, begin, end, "box prose")
        alike = re.sub(re.escape(bare), "", question)
        others = [w for w in rng.sample(every, min(300, len(every))) if bare not in w.text]
        stranger = max(others, key=lambda w: overlap(alike, w.text[w.body :]))
        if overlap(alike, stranger.text) > 0:
            yield Example(question, stranger.text, -1, -1, "box stranger")


def _is_box(label: str) -> bool:
    return label not in ("Main article", "See also", "Caption", "Main articles", "Image")


def asked_for(label: str, name: str, rng: random.Random, natural: bool = False) -> str:
    """A question for what a label or a head gives of a thing, put in one of several ways."""
    low = label.casefold()
    if low in ASKED_AS and (natural or rng.random() < 0.6):
        text = rng.choice(ASKED_AS[low]).format(x=name)
        return text[:1].upper() + text[1:] + rng.choice(["?", "?", ""])
    return rng.choice(FORMS).format(a=label if rng.random() < 0.5 else low, x=name)
