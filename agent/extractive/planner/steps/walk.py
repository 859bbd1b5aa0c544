"""A marked question on the way to its steps: what is drafted, and what stands for what."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from agent.extractive.language import words
from agent.extractive.language.verbs import is_base_verb, is_participle
from agent.extractive.planner.decomposition import Draft
from agent.extractive.planner.marks.types import Mark, Node, Operator, flat

EACH = re.compile(
    r"^(?:(?:each|every|all|both|any|one|some|none|which)(?:\s+one)?\s+of\s+|"
    r"(?:each|every|all|both|any)\s+(?:of\s+)?)",
    re.IGNORECASE,
)
_EXTRAPOSED = re.compile(
    r"(?P<thing>[^,]+?)\s+(?P<verb>[a-z]+)\s+(?P<rest>(?:who|that|which|whose)\s.+)$"
)
BY_HOW_MUCH = re.compile(
    r"by how (?:many|much)(?:\s+[\w²]+)?|"
    r"(?:(?:what(?:['’]?s| is| was)?|and|tell me)\s+)?the (?:difference|gap|margin)(?: between them)?(?: in [\w²]+)?|"
    r"how (?:many|much)(?:\s+[\w²]+)?\s+(?:\w+er|more|less|fewer)\b",
    re.IGNORECASE,
)
_KEEPING = re.compile(
    r"(?:^|[,.;:–—-]\s*|\b(?:and|tell me|know)\s+)"
    r"(?:(?:which|what|who)(?:\s+of)?|how many(?:\s+of)?)\s+$",
    re.IGNORECASE,
)
_THAT_OF = re.compile(r"(?:that|those|the one|the ones)\s+(?:of|in|from)\s+(?P<of>.+)$", re.I)


_RUN = re.compile(
    r"(?:^|\s(?:from|between)\s)(?P<name>[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*) (?P<low>\d{1,2})"
    r"\s*(?:to|through|thru|until|till|and|[-–])\s*(?:(?P=name) )?(?P<high>\d{1,2})$"
)
"""Things of one name with numbers: "the missions from Apollo 11 to Apollo 17"."""
LONGEST_RUN = 20


class Walk:
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
        self.place = ""
        """The words of the last attribute that "there" may mean."""
        self.impersonal = ""
        """What stands for the last attribute that asks for no person: "it" and "its"."""
        self.clause = ""
        """The last clause that was asked, for "and in which year"."""
        self.trailing = ""
        """The verb of a clause that stood inside the description it asks about."""
        self.picked = {
            id(other): one
            for nodes in ([roots] + [node.inside for root in roots for node in (root, *flat(root))])
            for one, other in pairwise(nodes)
            if one.mark.label in ("K+", "K-") and other.mark.label == "S"
            and not self.gap(one.mark, other.mark).strip()
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
        ranked = any(node.mark.label[0] == "K" for node in roots)
        self.margin = ranked and BY_HOW_MUCH.search(question) is not None
        """Whether it is also asked by how much the first leads."""
        self.merged: set[int] = set()
        """Conditions that the question for a set already holds, by the ids of their nodes."""

    def said(self, mark: Mark) -> str:
        """The words of a mark."""
        return " ".join(self.question[mark.start : mark.end].split())

    def gap(self, left: Mark, right: Mark) -> str:
        """The words between two marks."""
        return self.question[left.end : right.start]

    def nodes(self) -> list[Node]:
        """All nodes, each before those inside it."""
        return [one for root in self.roots for one in (root, *flat(root))]

    def first_thing(self) -> int:
        """Where the first thing of the question begins."""
        things = [node.mark.start for node in self.nodes() if node.mark.label in ("S", "M", "B")]
        return min(things, default=0)

    def pointed(self, label: str) -> str:
        """What stands for the thing that a pointing word of a label means, "" for none."""
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
            self.make_set(self.last["A"])
        return self.last.get(found, "")

    def make_set(self, stands: str) -> None:
        """Make the step whose values are asked about one by one the set of the plan."""
        if self.draft.subject:
            return
        for place, step in enumerate(self.draft.steps):
            if f"{{{step.id}}}" == stands:
                self.draft.steps[place] = replace(step, role="set")
                self.draft.set_id = step.id

    def completed(self, text: str) -> str:
        """A description with the noun that "that of" stands for."""
        match = _THAT_OF.fullmatch(text)
        if match is None or " of " not in self.described:
            self.described = text
            return text
        return f"{self.described.rpartition(' of ')[0]} of {match['of']}"

    def has_set(self) -> bool:
        """Whether anything is marked as a set."""
        return any(node.mark.label == "S" for node in self.nodes())

    def names_one(self, node: Node) -> bool:
        """Whether the words of a set are one name: "the Danube"."""
        parts = re.sub(r"^the\s+", "", self.said(node.mark)).split()
        named = all(part[:1].isupper() for part in parts)
        before = self.question[: node.mark.start].lower().split()[-1:]
        if before and before[0] in ("which", "what", "each", "every", "any", "no"):
            return False  # "which Great Lake"
        return named and not words.is_plural(parts[-1]) and not parts[-1].endswith("s")

    def apart(self, text: str) -> str:
        """A description without the clause's own verb, where that stands before its relative clause.

        "When were [the chemists born who shared the prize]" asks when the chemists were born, "where
        does [the river end that crosses Ulm]" where the river ends.
        """
        match = _EXTRAPOSED.match(text)
        if match is None:
            return text
        does = re.search(rf"\b(?:do|does|did)\s+{re.escape(match['thing'])}\b", self.question)
        if not is_participle(match["verb"]) and not (does and is_base_verb(match["verb"])):
            return text
        self.trailing = match["verb"]
        return f"{match['thing']} {match['rest']}"

    def make_value(self, stands: str) -> None:
        """Make what was to be found on the way the answer: "what is the largest crater called"."""
        for place, step in enumerate(self.draft.steps):
            if f"{{{step.id}}}" == stands and step.role == "bridge":
                self.draft.steps[place] = replace(step, role="value")

    def follows_its_thing(self, place: int, text: str) -> bool:
        """Whether an attribute is the predicate of what stands before it: "[X] [was given by whom]"."""
        if not place or text.split()[0].lower() not in words.AUXILIARY:
            return False
        before = self.roots[place - 1].mark
        return before.label in ("M", "B") and not self.gap(before, self.roots[place].mark).strip()

    def keeps(self, place: int) -> bool:
        """Whether a condition is the predicate of "which of [the set]", not a participle."""
        if not place or self.roots[place - 1].mark.label != "S":
            return False
        before = self.roots[place - 1].mark
        asks = _KEEPING.search(self.question[: before.start]) is not None
        return asks and not self.gap(before, self.roots[place].mark).strip()

    def listed_names(self, node: Node) -> tuple[str, ...]:
        """The names that a set's words list, () where they describe it."""
        said = EACH.sub("", self.said(node.mark))
        run = _RUN.search(said)
        if run is not None and 0 < int(run["high"]) - int(run["low"]) < LONGEST_RUN:
            numbers = range(int(run["low"]), int(run["high"]) + 1)
            return tuple(f"{run['name']} {number}" for number in numbers)
        parts = [part for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", said) if part]
        numbered = re.fullmatch(r"(?P<name>.+?)\s+\d+", parts[0]) if parts else None
        if numbered is not None:  # "Apollo 15, 16 and 17"
            parts = [f"{numbered['name']} {one}" if one.isdigit() else one for one in parts]
        return tuple(parts) if len(parts) > 1 and all(p[:1].isupper() for p in parts) else ()
