"""From a marked question to its steps: what is looked up first, what is asked of each thing found.

Only the marks decide. A step's text is the marked words, with the marks inside them replaced by
what they find; what stands outside every mark is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from agent.extractive import words
from agent.extractive.agreement import agreeing
from agent.extractive.conditions import Condition
from agent.extractive.degrees import degree_of, is_amount
from agent.extractive.enumerations import without_article
from agent.extractive.findings import count_of
from agent.extractive.planner.marks import Mark, Node, Operator, nested
from agent.extractive.planner.nouns import before_preposition, is_plural_phrase, pluralised
from agent.extractive.planner.order import in_order
from agent.extractive.planner.wording import (
    inverted,
    is_clause,
    noun_question,
    predicate_question,
    ranking_question,
    respelled,
    same_question,
    thing_question,
)
from agent.extractive.reading import MEMBER, Combine, Draft, Reading
from agent.extractive.stems import content_stems, related, stem
from agent.extractive.verbs import is_participle, verb_base

COMPARED = frozenset(["same", "common", "difference", "sum", "average"])
MEASURED = frozenset(["sum", "average", "difference"])
"""Operators whose values are numbers: "points" are asked as how many."""
COMBINES: dict[str, Combine] = {
    "sum": "sum", "average": "average", "difference": "difference", "same": "same",
    "common": "common", "yesno": "all", "any": "any",
}  # fmt: skip
_EACH = re.compile(
    r"^(?:(?:each|every|all|both|any|one|some|none|which)(?:\s+one)?\s+of\s+|"
    r"(?:each|every|all|both|any)\s+(?:of\s+)?)",
    re.IGNORECASE,
)
_OF = re.compile(
    r"\s*(?:(?:of|in|for|from|on|at|to|by|about|has|have|had|with|does|do|is|are)\b)?\s*"
    r"(?:both\s+|each\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_OWNS = re.compile(r"\s*(?:['’]s?)?\s*(?:[-–—:,(]\s*)?(?:the\s+)?", re.IGNORECASE)
_JOIN = re.compile(
    r"(?:\s|,|/|\+|&|\band\b|\bor\b|\bplus\b|\bthe\b|\bas well as\b|\balong with\b|\bthen\b|"
    r"\balso\b|\bits\b|\btheir\b)*",
    re.IGNORECASE,
)
_EXTRAPOSED = re.compile(
    r"(?P<thing>[^,]+?)\s+(?P<verb>[a-z]+)\s+(?P<rest>(?:who|that|which|whose)\s.+)$"
)
_EXTREME_OF = re.compile(
    r"\b(?:the (?:\w+est|most \w+|least \w+) [\w\s]+? of (?:\{\w+\}))|"
    r"\{\w+\}['’]s (?:\w+est|most \w+|least \w+) \w+"
)
_NO_NOUNS = (
    words.AUXILIARY | words.PREPOSITION | words.ORDINALS.keys()
    | frozenset(["first", "last", "then", "now", "once", "both", "ever", "also", "still"])
)  # fmt: skip
_POSSESSIVE = re.compile(r"its|their|his|her|whose|(?:each|every) one['’]s", re.IGNORECASE)
_MADE_OF = re.compile(
    r"\b(?:total|combined|overall|average|mean|joint|sum of the|added)\s+|"
    r",?\s+(?:in total|in all|all in all|altogether|all together|(?:taken |put |added )?together|"
    r"combined|added up|all told|on average)$",
    re.IGNORECASE,
)
_YEARS = re.compile(r"\b(?:years?|yrs?|decades|months|days|how long)\b", re.IGNORECASE)
_MORE = re.compile(r"\s+(?:more|fewer|less)(?=\s|$)", re.IGNORECASE)
_HOW_MANY = re.compile(r"(?:\w+\s+)?how (?:many|much)\s+(?:more|fewer|less)\s+$", re.IGNORECASE)
_THAT_OF = re.compile(r"(?:that|those|the one|the ones)\s+(?:of|in|from)\s+(?P<of>.+)$", re.I)
_ONE_OF = re.compile(
    r"\s(?P<prep>at|in|from|for|by|to|with)\s+(?:an?|any|one of the)\s+"
    r"(?P<kind>(?:[\w'’.-]+\s+)*[A-Z][\w'’.-]*\s+(?:[\w'’-]+\s+)*[a-z][\w-]+)$"
)
_AT_WHICH = re.compile(r"(?P<prep>\w+) (?:which|what)(?: ones?)?$", re.IGNORECASE)
_QUALIFIER = re.compile(
    r"\s*,?\s*((?:in|during|at|as of|on|by|between|from|since|before|after|until|around)\s+"
    r"(?:[^,;:?!\s]+\s+){0,4}?(?:the\s+)?(?:\w*\d{2,4}\w*|[A-Z][\w.'-]+)(?:\s+[A-Z][\w.'-]+)*)"
)


def steps_of(question: str, marks: Sequence[Mark], operator: Operator) -> Reading:
    """Build the plan of a marked question.

    Args:
        question: as asked.
        marks: of a person or of the tagger.
        operator: what is made of the values.

    Returns:
        The steps in the order they are asked, innermost first; none where nothing is marked.
    """
    return _Builder(question, nested(marks), operator).build()


class _Builder:
    """A question while its marks are turned into steps."""

    def __init__(self, question: str, roots: list[Node], operator: Operator) -> None:
        self.question = question
        self.roots = roots
        self.operator = operator
        self.draft = Draft(question=question)
        self.stands: dict[int, str] = {}
        """What stands for a thing's node, by its id: a placeholder, a name or `MEMBER`."""
        self.last: dict[str, str] = {}
        """What stands for the last thing of a label."""
        self.attribute = ""
        """The words of the last attribute, for "that of"."""
        self.trailing = ""
        """The verb of a clause that stood inside the description it asks about."""
        self.picked = {
            id(other): one
            for nodes in ([roots] + [node.inside for root in roots for node in (root, *_flat(root))])
            for one, other in pairwise(nodes)
            if one.mark.label in ("K+", "K-") and other.mark.label == "S"
            and not self._gap(one.mark, other.mark).strip()
        }  # fmt: skip
        """The superlative right before a set, by the id of the set's node."""
        self.of_persons = False
        """Whether the set's members are people."""
        self.described = ""
        """The last description, for "that of"."""
        self.among: dict[str, str] = {}
        """The question by which a condition is one of a kind, by its preposition."""
        self.predicate = ""
        """The words of the last condition, for "at which one"."""

    def build(self) -> Reading:
        """Walk the marks."""
        self._open_group()
        if not self.draft.members:
            # What is asked of each comes after what names them, wherever the question says it.
            for place, node in enumerate(self.roots):
                if node.mark.label == "S":
                    self._thing(node, place)
        for place, node in enumerate(self.roots):
            if node.mark.label in ("C", "C-") and self.draft.set_id:
                self._condition(node, place)
        for place, node in enumerate(self.roots):
            if node.mark.label in ("S", "B", "M"):
                self._thing(node, place)
            elif node.mark.label == "A":
                self._attribute(node, place)
            elif node.mark.label in ("C", "C-") and not self.draft.set_id:
                self._condition(node, place)
            elif node.mark.label in ("K+", "K-"):
                self._ranking(node, place)
        draft = self.draft
        several = bool(draft.set_id or draft.members)
        combine = (
            COMBINES.get(self.operator, "") if several or self.operator == "difference" else ""
        )
        return Reading(
            question=self.question,
            steps=tuple(in_order(draft.steps)),
            members=tuple(without_article(member) for member in draft.members),
            count=draft.count,
            counted=self.operator == "count" and several,
            combine=combine,
            open_ended=self.operator == "explain",
        )

    # Words

    def _said(self, mark: Mark) -> str:
        return " ".join(self.question[mark.start : mark.end].split())

    def _gap(self, left: Mark, right: Mark) -> str:
        return self.question[left.end : right.start]

    def _filled(self, node: Node) -> str:
        """The words of a node with what stands for the things inside it."""
        parts: list[str] = []
        at = node.mark.start
        grouped = False
        for child in node.inside:
            if child.mark.start < at:
                continue
            between = self.question[at : child.mark.start]
            if any(child is one for one in self.picked.values()):
                parts.append(between)
                at = child.mark.end
                continue
            stands = self._stand(child)
            if stands == MEMBER and grouped:
                # "Yale and Harvard" is one place in the text of one member's step.
                at = child.mark.end
                continue
            at = child.mark.end
            if child.mark.label.startswith("R") and stands:
                stands, at = self._owned(node, child, stands)
            parts.extend((between, stands))
            grouped = stands == MEMBER
        parts.append(self.question[at : node.mark.end])
        return " ".join("".join(parts).split())

    def _owned(self, node: Node, pointer: Node, stands: str) -> tuple[str, int]:
        """What stands for a pointing word with the noun that it owns, and where that ends.

        "Where was each designer born" asks of the one found by "who designed it"; "when was its
        city founded" of the city of it.
        """
        said = self._said(pointer.mark)
        rest = self.question[pointer.mark.end : node.mark.end]
        noun = re.match(r"\s+([a-z][\w-]+)(?=\s+\w)", rest)
        owns = _POSSESSIVE.fullmatch(said) is not None
        verbal = noun is None or noun[1] in _NO_NOUNS
        if noun is None or verbal or not (owns or said.lower() in ("each", "every")):
            return (f"{stands}'s" if owns else stands), pointer.mark.end
        if not owns and (verb_base(noun[1]) or is_participle(noun[1])):
            return stands, pointer.mark.end
        asked = set(content_stems(self.attribute))
        if "A" in self.last and related(stem(noun[1]), frozenset(asked)):
            return self.last["A"], pointer.mark.end + noun.end()
        if node.mark.label == "A" and is_clause(self._said(node.mark)):
            step = self.draft.add(agreeing(noun_question(noun[1], stands, one=True)), role="bridge")
            return f"{{{step}}}", pointer.mark.end + noun.end()
        return f"{stands}'s", pointer.mark.end

    def _stand(self, node: Node) -> str:
        """What stands for a thing: its placeholder once its step is there, or its name."""
        label = node.mark.label
        if label.startswith("R"):
            return self._pointed(label) or self._said(node.mark)
        if label in ("S", "B", "M"):
            return self._thing(node, None)
        return self._filled(node)

    def _pointed(self, label: str) -> str:
        wanted = {
            "RS": ("S", "M", "B"), "RM": ("M", "B", "S"), "RB": ("B", "A", "M"),
            "RA": ("A", "B", "M"), "RK": ("K", "S", "M", "B"),
        }[label]  # fmt: skip
        if label == "RK" and "K" not in self.last and "A" in self.last:
            wanted = ("A", *wanted)
        if label == "RS" and "S" not in self.last and not self.draft.members:
            wanted = ("A", *wanted)  # "which moons did X find, and how wide is each"
        found = next((one for one in wanted if one in self.last), "")
        if found == "A" and label == "RS":
            self._made_set(self.last["A"])
        return self.last.get(found, "")

    def _made_set(self, stands: str) -> None:
        """Make the step whose values are asked about one by one the set of the plan."""
        if self.draft.subject:
            return
        for place, step in enumerate(self.draft.steps):
            if f"{{{step.id}}}" == stands:
                self.draft.steps[place] = replace(step, role="set")
                self.draft.set_id = step.id

    # Things

    def _open_group(self) -> None:
        """Note the named things of which the same is asked: a list, or a comparison's sides."""
        ranked = any(node.mark.label in ("K+", "K-") for node in self.roots)
        found: list[Mark] = []
        described: dict[str, Node] = {}
        for node in self.roots:
            if node.mark.label in ("M", "B"):
                inside = [node]
            elif node.mark.label == "A":
                inside = [one for one in node.inside if one.mark.label in ("M", "B")]
                inside = inside or [one for one in _flat(node) if one.mark.label == "M"]
            else:
                continue
            single = node.mark.label in ("M", "B") or ranked or self.operator in COMPARED
            if len(inside) < 2 and inside and inside[0].mark.label == "B":
                names_inside = [one for one in _flat(inside[0]) if one.mark.label == "M"]
                inside = names_inside if len(names_inside) > 1 else inside
            if len(inside) > 1 or (inside and single):
                found.extend(one.mark for one in inside)
                described.update(
                    (self._said(one.mark), one) for one in inside if one.mark.label == "B"
                )
        if (
            found
            and self.operator == "give"
            and not ranked
            and not any(mark.label == "M" for mark in found)
        ):
            joined = any(_JOIN.fullmatch(self._gap(one, other)) for one, other in pairwise(found))
            found = found if joined else []
        names = list(dict.fromkeys(self._said(mark) for mark in found))
        listing = next((n for n in self._all() if n.mark.label == "S" and self._names(n)), None)
        if listing is not None and not found:
            # "Each of Austria, Germany and Slovenia" names its members itself.
            self.draft.members = self._names(listing)
            self.draft.count = len(self.draft.members)
            self.stands[id(listing)] = self.last["S"] = self.last["M"] = MEMBER
            return
        listed = any(
            one.label == "M" and other.label == "M" and _JOIN.fullmatch(self._gap(one, other))
            for one, other in pairwise(found)
        )
        whole = ranked or self.operator in COMPARED or self.operator in ("yesno", "any", "count")
        if len(names) > 1 and (listed or whole):
            for name in names:
                if name in described:
                    self._described(name, described[name])
            self.draft.members = tuple(names)
            self.draft.count = len(names)
            self.last["M"] = MEMBER

    def _described(self, name: str, node: Node) -> None:
        """Find out first what a description leads to that is listed or compared."""
        text = self._completed(self._filled(node))
        step = self.draft.add(
            agreeing(thing_question(text, many=False)),
            role="bridge",
            member=without_article(name),
            column="found",
        )
        self.draft.stands[name] = f"{{{step}}}"

    def _completed(self, text: str) -> str:
        """A description with the noun that "that of" stands for."""
        match = _THAT_OF.fullmatch(text)
        if match is None or " of " not in self.described:
            self.described = text
            return text
        return f"{self.described.rpartition(' of ')[0]} of {match['of']}"

    def _all(self) -> list[Node]:
        return [one for root in self.roots for one in (root, *_flat(root))]

    def _names(self, node: Node) -> tuple[str, ...]:
        """The names that a set's words list, () where they describe it."""
        said = _EACH.sub("", self._said(node.mark))
        parts = [part for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", said) if part]
        return tuple(parts) if len(parts) > 1 and all(p[:1].isupper() for p in parts) else ()

    def _thing(self, node: Node, place: int | None) -> str:
        known = self.stands.get(id(node))
        if known is not None:
            self.last[node.mark.label] = known
            return known
        label = node.mark.label
        if self._said(node.mark) in self.draft.members and label in ("M", "B"):
            stands = MEMBER
        elif label == "M" or (label == "S" and self._names_one(node)):
            stands, label = self._said(node.mark), "M"
        elif label == "S":
            stands = self._set(node)
        else:
            text = self._completed(self._apart(self._filled(node)))
            head = before_preposition(_EACH.sub("", text))[-1:]
            named = bool(head) and head[0][:1].isupper()
            plural = bool(head) and words.is_plural(head[0])
            many = "{" not in text and plural and not named
            alone = many and not self.draft.subject and not self._has_set()
            step = self.draft.add(
                agreeing(thing_question(text, many=many)), role="set" if alone else "bridge"
            )
            if alone:
                # "The three scientists who shared it" are several: each is asked about.
                self.draft.set_id, self.draft.count = step, count_of(text)
            stands = f"{{{step}}}"
        self.stands[id(node)] = stands
        self.last[label] = stands
        return stands

    def _has_set(self) -> bool:
        return any(node.mark.label == "S" for node in self._all())

    def _names_one(self, node: Node) -> bool:
        """Whether the words of a set are one name: "the Danube"."""
        parts = re.sub(r"^the\s+", "", self._said(node.mark)).split()
        named = all(part[:1].isupper() for part in parts)
        return named and not words.is_plural(parts[-1]) and not parts[-1].endswith("s")

    def _apart(self, text: str) -> str:
        """A description without the clause's own verb, where that stands before its relative clause.

        "When were [the chemists born who shared the prize]" asks when the chemists were born.
        """
        match = _EXTRAPOSED.match(text)
        if match is None or not is_participle(match["verb"]):
            return text
        self.trailing = match["verb"]
        return f"{match['thing']} {match['rest']}"

    def _set(self, node: Node) -> str:
        said = self._apart(self._filled(node))
        plain = _EACH.sub("", said)
        before = self.picked.get(id(node))
        if before is not None:
            # "The three longest rivers of Asia": such a list may stand somewhere as it is.
            words_before = re.sub(r"^(?:is|are|was|were)\s+", "", self._said(before.mark))
            full = f"{words_before} {plain}"
            several = count_of(words_before) is not None or is_plural_phrase(plain)
            step = self.draft.add(
                thing_question(full, many=several), role="set" if several else "value"
            )
            self.last["K"] = f"{{{step}}}"
            if several:
                self.draft.set_id, self.draft.count = step, count_of(words_before)
            return f"{{{step}}}"
        if not is_plural_phrase(plain):
            plain = pluralised(plain)
        asked = thing_question(plain, many=True)
        step = self.draft.add(asked, role="set")
        if not self.draft.set_id:
            self.of_persons = asked.startswith("Who")
            self.draft.set_id, self.draft.count = step, count_of(plain)
        return f"{{{step}}}"

    # What is asked

    def _attribute(self, node: Node, place: int) -> None:
        self.trailing = ""
        text = self._filled(node)
        if self.trailing and text.rstrip().endswith("}"):
            text = f"{text} {self.trailing}"
        inside = [child for child in node.inside if child.mark.label != "A"]
        if text.casefold() in ("that", "those", "the same") and self.attribute:
            text = self.attribute
        else:
            self.attribute = text
        thing = "" if inside else self._target(place)
        if self.operator in ("sum", "average"):
            text = _MADE_OF.sub("", text)
        if self.operator == "difference":
            text = self._without_more(node, place, _MORE.sub("", text) if inside else text)
            inside = inside or ([node] if "{" in text else [])
        if which := self._at_which(self._said(node.mark)):
            text, inside = which, [node]
        if self.operator in ("common", "same", "difference"):
            text = re.sub(r"\b(?:both|each)\s+(?:of\s+)?", "", text)
        past = re.search(r"\b(?:did|was|were|had)\b", self.question, re.IGNORECASE) is not None
        same = bool(thing) and self.operator == "same"
        shared = same_question(text, thing, past=past) if same else ""
        if shared:
            said = shared
        elif is_clause(text):
            text = self._extreme(respelled(text))
            for child in inside:
                if stood := self.stands.get(id(child)):
                    text = inverted(text, stood)
            said = text if inside or not thing else self._about(text, thing)
        elif inside:
            said = noun_question(text, "", one=True)
        elif (
            self.operator == "difference"
            and _YEARS.search(self.question)
            and thing
            and (not is_amount(text) and degree_of(text.split()[0]) is None)
        ):
            said = f"When was the {without_article(text)} of {thing}?"
        elif self.operator in MEASURED and words.is_plural(text.split()[-1]) and thing:
            counted = re.sub(r"^(?:the|its|their|his|her)\s+", "", text, flags=re.IGNORECASE)
            said = f"How many {counted} does {thing} have?"
        else:
            said = noun_question(text, thing, one=bool(self.draft.subject) or bool(thing))
        said = f"{said.rstrip(' ?')}{self._qualifier(place)}"
        step = self.draft.add(agreeing(said))
        self.last["A"] = f"{{{step}}}"

    def _without_more(self, node: Node, place: int, text: str) -> str:
        """The clause of a difference asked of one: "through how many countries does {m} flow"."""
        before = _HOW_MANY.search(self.question[: node.mark.start])
        after = self.roots[place + 1] if place + 1 < len(self.roots) else None
        if before is None or after is None or after.mark.label not in ("M", "B"):
            return text
        stands = self._thing(after, place + 1)
        tail = re.split(r"\s*\bthan\b", self.question[after.mark.end :])[0]
        opening = _MORE.sub("", before[0]).strip()
        return f"{opening} {text}{self._gap(node.mark, after.mark)}{stands}{tail}"

    def _extreme(self, text: str) -> str:
        """A clause with what stands for "the largest moon of {1}" in it, which is found first."""
        match = _EXTREME_OF.search(text)
        if match is None or match[0] == text:
            return text
        step = self.draft.add(thing_question(match[0], many=False), role="bridge")
        return f"{text[: match.start()]}{{{step}}}{text[match.end() :]}"

    def _at_which(self, text: str) -> str:
        """The question that "at which one" asks after a condition that names a kind of thing."""
        match = _AT_WHICH.fullmatch(text)
        subject = self.draft.subject
        if match is None or not subject:
            return ""
        if match["prep"].lower() in self.among:
            return self.among[match["prep"].lower()]
        phrase = re.search(
            rf"\s{re.escape(match['prep'])} (?:an?|any|the|one of the)\s+(?P<noun>[^,{{}}]+?)\??$",
            self.predicate,
        )
        if phrase is None:
            return ""
        opening = self.predicate[: phrase.start()]
        return f"{match['prep']} which {phrase['noun']} {opening[:1].lower()}{opening[1:]}"

    def _about(self, text: str, thing: str) -> str:
        """A clause that names nothing, asked of a thing: "how deep" of a lake."""
        if re.search(r"\b(?:is|are|was|were|did|does|do|has|have|had)\s*$", text, re.I):
            return f"{text} {thing}"
        if re.match(r"(?:how\s+\w+|when|where|which\s+\w+|what\s+\w+)$", text, re.I):
            return f"{text} is {thing}"
        return f"{text} of {thing}"

    def _target(self, place: int) -> str:
        """What stands for the thing that an attribute without one inside it applies to."""
        mark = self.roots[place].mark
        if place and self.roots[place - 1].mark.label in (
            "S", "M", "B", "RS", "RM", "RB", "RA", "RK",
        ):  # fmt: skip
            before = self.roots[place - 1]
            gap = self._gap(before.mark, mark)
            owner = before.mark.label.startswith("R") or "’s" in gap or "'s" in gap
            if owner and _OWNS.fullmatch(gap):
                return self._stand(before)
        for after in range(place + 1, len(self.roots)):
            node = self.roots[after]
            gap = self._gap(self.roots[after - 1].mark, node.mark)
            label = node.mark.label
            if label == "A" and _JOIN.fullmatch(gap) and not node.inside:
                continue
            if label in ("K+", "K-") and _OF.fullmatch(gap) and after + 1 < len(self.roots):
                follower = self.roots[after + 1]
                if follower.mark.label == "S":
                    return self._thing(follower, after + 1)
            if label in ("S", "M", "B") and _OF.fullmatch(gap):
                return self._thing(node, after)
            if label.startswith("R") and _OF.fullmatch(gap) and gap.strip():
                return self._stand(node)
            break
        if self.draft.subject:
            return self.draft.subject
        for label in ("S", "B", "M", "A"):
            if label in self.last:
                return self.last[label]
        later = next((n for n in self.roots[place + 1 :] if n.mark.label in ("S", "B", "M")), None)
        return self._thing(later, self.roots.index(later)) if later is not None else ""

    def _qualifier(self, place: int) -> str:
        """A time or place that stands after an attribute's thing, outside the marks."""
        end = self.roots[place].mark.end
        if place + 1 < len(self.roots) and self.roots[place + 1].mark.label in ("S", "M", "B"):
            end = self.roots[place + 1].mark.end
        starts = [node.mark.start for node in self.roots if node.mark.start >= end]
        rest = self.question[end : min(starts, default=len(self.question))]
        match = _QUALIFIER.match(rest)
        return f" {match[1]}" if match else ""

    def _subject(self, place: int) -> str:
        if self.draft.subject:
            return self.draft.subject
        before = [n for n in self.roots[:place] if n.mark.label in ("S", "M", "B")]
        pointers = [n for n in self.roots[:place] if n.mark.label.startswith("R")]
        if pointers and (not before or pointers[-1].mark.start > before[-1].mark.start):
            return self._stand(pointers[-1])
        if before:
            return self._thing(before[-1], None)
        later = next((n for n in self.roots[place + 1 :] if n.mark.label in ("S", "M", "B")), None)
        return self._thing(later, self.roots.index(later)) if later is not None else ""

    def _condition(self, node: Node, place: int) -> None:
        subject = self._subject(place)
        if not subject:
            return
        said = self._filled(node)
        person = self.of_persons
        if node.mark.label == "C" and self._among(said, subject):
            return
        ask = predicate_question(said, subject, negated=node.mark.label == "C-", person=person)
        self.predicate = ask.text
        condition = ask.condition
        if ask.than:
            other = predicate_question(said, ask.than, negated=False).text
            condition = replace(condition, against=self.draft.add(other, role="bridge"))
        self.draft.add(agreeing(ask.text), condition=condition)

    def _among(self, said: str, subject: str) -> bool:
        """Ask for what must be one of a named kind: "took a degree at an Ivy League university"."""
        match = _ONE_OF.search(said)
        if match is None:
            return False
        opening = predicate_question(
            said[: match.start()], subject, negated=False, person=self.of_persons
        )
        if opening.condition.kind != "yes":
            return False
        told = opening.text.rstrip("?")
        kind = match["kind"]
        asked = f"{match['prep']} which {kind.split()[-1]} {told[:1].lower()}{told[1:]}"
        bound = self.draft.add(thing_question(pluralised(kind), many=True), role="bridge")
        self.draft.add(agreeing(asked), condition=Condition(kind="in", against=bound))
        self.among[match["prep"]] = asked
        return True

    def _ranking(self, node: Node, place: int) -> None:
        if any(node is one for one in self.picked.values()):
            return  # asked with its set
        subject = self._subject(place)
        if not subject:
            return
        said = self._filled(node)
        ask = ranking_question(said, subject, most=node.mark.label == "K+")
        top = count_of(said) or 1
        self.draft.add(agreeing(ask.text), condition=replace(ask.condition, top=top))
        self.last["K"] = subject


def _flat(node: Node) -> list[Node]:
    return [one for child in node.inside for one in (child, *_flat(child))]
