"""What `support_pairs` makes its claims of: sentences, infobox lines and table rows of real pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from corpus.store import Snapshot
from corpus.types import Article, Chunk

MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_ABBREVIATED = re.compile(
    r"(?:\b(?:[A-Z]|[A-Z]\.[A-Z]|Mr|Mrs|Ms|Dr|St|Sts|Jr|Sr|Gen|Col|Lt|Sgt|Rev|Prof|Gov|Sen|Rep|Mt|Ft"
    r"|vs|etc|cf|ca|c|b|d|r|fl|no|nos|vol|pp|approx|al|Inc|Ltd|Co|Corp|Bros|U\.S|e\.g|i\.e|[ap]\.m"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|lit|trans|ed|eds|est|Op|No))\.$"
)
_END = re.compile(r"[.!?][\"”’)]*(?= +[\"“('‘]?[A-Z0-9])")
_LEANING = re.compile(
    r"(?:Th(?:is|ese|ose|at|us|erefore|ere|en|ey)|Such|But|And|Or|Yet|So|However|Hence|Also|Another"
    r"|Others?|Both|Neither|Either|Here|We|I|You|One|Some|Many|Most|Their|Our|My|As|If|When|While"
    r"|After|Before|Although|Though|Because|Since|Unlike|Like|Despite|Instead|Moreover|Furthermore"
    r"|Additionally|Similarly|Finally|Later|Meanwhile|Nevertheless|Consequently|Afterwards"
    r"|Subsequently|Today|Now|Only|Not|No|Nor|What|Who|How|Why|Where)\b"
)
"""A sentence that begins so leans on the one before it: no claim by itself."""
_BAD = re.compile(
    r"[\[\]{}|:;…@*=<>#]|http|\.\.|\b(?:sic|ibid|citation)\b|  | ,| \.|[^\x00-\u024f–—’‘“”°²³½−′″]"
)
FINITE = re.compile(
    r"\b(?:is|was|were|are|has|had|have|became|began|made|won|wrote|took|held|led|went|came|saw|said"
    r"|gave|found|left|ran|grew|rose|fell|met|lost|built|kept|brought|\w{3,}ed)\b"
)
NAME = r"[A-Z][a-zà-ÿ]+(?: [A-Z][a-zà-ÿ]+){0,2}"
_INFOBOX = re.compile(r"^([A-Z][A-Za-z ]{2,30}): (\S.{0,70})$")
_ROW = re.compile(r"^[^|:\n]{1,40}: [^|\n]+(?: \| [^|:\n]{1,40}: [^|\n]+)+$")
_LIFE = re.compile(
    r"\((?:[^()]*; ?)?(?:born [^()]*\d{4}|[^()]*\d{3,4} ?[–-] ?[^()]*\d{3,4})[^()]*\)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence that can stand alone, or one that begins with a pronoun, where it was read."""

    text: str
    chunk: Chunk
    article: Page
    about: bool
    """It begins with the article's subject, or with a pronoun that can mean nothing else."""

    @property
    def pronoun(self) -> str:
        """Return the pronoun it begins with, or nothing."""
        first = self.text.split()[0]
        return first if first in PRONOUNS else ""


PRONOUNS = ("He", "She", "It", "His", "Her", "Its")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One value of an infobox (then `column` is its label) or of a table's row."""

    subject: str
    column: str
    value: str
    line: str
    """The infobox line or the table's row, as it stands in the chunk."""
    head: str
    """The table's line of heads, where the chunk holds it; empty for an infobox."""
    chunk: Chunk
    article: Page


class Page:
    """An article with its chunks."""

    def __init__(self, article: Article, chunks: list[Chunk], dump: str) -> None:
        self.article = article
        self.chunks = chunks
        self.dump = dump

    @cached_property
    def subject(self) -> str:
        """What the article is about: its title without a bracket."""
        return re.sub(r" \(.*\)$", "", self.article.revision.title)

    @cached_property
    def first(self) -> str:
        """The first sentence that begins with the subject."""
        for chunk in self.chunks[:2]:
            for paragraph in _paragraphs(chunk):
                sentence = split(paragraph)[0]
                words = self.subject.split()
                if words[0] in sentence[:60] and words[-1] in sentence[:90]:
                    return sentence
        return ""

    @cached_property
    def sort(self) -> str:
        """What kind of thing it is, roughly: "person", or the noun after "is a"; "" if unknown."""
        if _LIFE.search(self.first[:200]):
            return "person"
        found = re.search(
            r"\b(?:is|was) (?:an?|the) (?:[\w'-]+ ){0,3}?(\w{4,})(?: (?:of|in|by|that|which|for|on|from|located)\b|[,.])",
            self.first,
        )
        return found[1] if found else ""

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The good sentences, in order."""
        found = []
        for chunk in self.chunks:
            for paragraph in _paragraphs(chunk):
                about = False
                for text in split(paragraph):
                    begins = self._begins_with_subject(text)
                    about = begins or (about and text.startswith(PRONOUNS))
                    if is_good(text, leaning=about):
                        found.append(Sentence(text=text, chunk=chunk, article=self, about=about))
                    # A second name in the sentence is a second thing that a pronoun may mean.
                    about = about and (not chunk.section or not re.search(NAME, text[12:]))
        return found

    def _begins_with_subject(self, text: str) -> bool:
        last = self.subject.split()[-1]
        names = {self.subject, last} if self.sort == "person" else {self.subject}
        return any(re.match(rf"{re.escape(name)}\b(?!['’-])", text) for name in names)

    @cached_property
    def infobox(self) -> list[Fact]:
        """The lines of the infobox that the article opens with."""
        chunk = self.chunks[0]
        facts = []
        for line in chunk.text.split("\n\n")[0].split("\n"):
            found = _INFOBOX.match(line)
            if found and " | " not in line:
                facts.append(
                    Fact(
                        subject=self.subject,
                        column=found[1],
                        value=found[2],
                        line=line,
                        head="",
                        chunk=chunk,
                        article=self,
                    )
                )
        return facts

    @cached_property
    def cells(self) -> list[Fact]:
        """Cells of tables whose first column names things, each with its row's head."""
        facts = []
        for chunk in self.chunks:
            lines = chunk.text.split("\n")
            rows = [line for line in lines if _ROW.match(line)]
            parsed = {line: [cell.split(": ", 1) for cell in line.split(" | ")] for line in rows}
            heads = [cells[0][-1] for cells in parsed.values()]
            for line, cells in parsed.items():
                if any(len(cell) != 2 for cell in cells) or heads.count(cells[0][1]) > 1:
                    continue
                names = [label for label, _ in cells]
                labels = " | ".join(names)
                if f"\n{labels}\n" not in self.article.text or len(set(names)) < len(names):
                    continue
                head = labels if labels in lines else ""
                facts += [
                    Fact(
                        subject=cells[0][1],
                        column=label,
                        value=value,
                        line=line,
                        head=head,
                        chunk=chunk,
                        article=self,
                    )
                    for label, value in cells[1:]
                    if _is_cell(cells[0], label, value)
                ]
        return facts


def read_pages(snapshot: Snapshot, dump: str) -> Iterator[Page]:
    """Yield every article of a snapshot with its chunks; disambiguation pages are left out."""
    chunks: dict[int, list[Chunk]] = {}
    for chunk in snapshot.chunks():
        chunks.setdefault(chunk.revision.page_id, []).append(chunk)
    for article in snapshot.articles():
        if not article.disambiguation and article.revision.page_id in chunks:
            yield Page(article, chunks[article.revision.page_id], dump)


def split(paragraph: str) -> list[str]:
    """Cut a paragraph into sentences; an abbreviation or an initial ends none."""
    sentences, start = [], 0
    for end in _END.finditer(paragraph):
        if _ABBREVIATED.search(paragraph[start : end.start() + 1]):
            continue
        sentences.append(paragraph[start : end.end()].strip())
        start = end.end()
    return [*sentences, paragraph[start:].strip()]


def is_good(text: str, *, leaning: bool = False) -> bool:
    """Say whether a sentence is whole, plain, and understood without the one before it."""
    words = text.split()
    return (
        8 <= len(words) <= 38
        and text[0].isupper()
        and text.endswith(".")
        and not _ABBREVIATED.search(text)
        and (leaning or not (_LEANING.match(text) or words[0] in PRONOUNS))
        and not _BAD.search(text)
        and text.count("(") == text.count(")")
        and text.count('"') % 2 == 0
        and text.count("“") == text.count("”")
        and FINITE.search(text) is not None
    )


def is_clause(text: str) -> bool:
    """Say whether words are a main clause of their own: a finite verb, nothing left open."""
    return (
        len(text.split()) >= 6
        and FINITE.search(text) is not None
        and text.count("(") == text.count(")")
        and text.count('"') % 2 == 0
        and not re.search(
            r"(?:\b(?:and|or|of|in|the|a|an|to|by|that|with|both|between|not)|,)$", text
        )
    )


def _paragraphs(chunk: Chunk) -> Iterator[str]:
    for line in chunk.text.split("\n"):
        if len(line) > 60 and line[0].isalpha() and " | " not in line and not _INFOBOX.match(line):
            yield line


def _is_cell(first: list[str], label: str, value: str) -> bool:
    return (
        bool(re.fullmatch(r"[A-Z][a-z]{3,}(?: [a-z]+){0,2}", label))
        and not re.search(
            rf"ed$|[^s]s$|^(?:{MONTH}|Sept|Year|Name|Past|Present|Result|Refer|Comment|Arabic|Geometric|Bond|Duration)",
            label,
        )
        and bool(re.fullmatch(r"[A-Z][\w .,'’-]{3,40}", first[1]))
        and not first[1].endswith((".", "ion", "ity", "days", "mm", "number", "weight", "point"))
        and first[0] not in ("Year", "Rank", "Date", "Season", "Measure", "Month")
        and bool(
            re.fullmatch(r"[A-Za-z0-9À-ɏ$€£][A-Za-z0-9À-ɏ .,'’%–-]{0,39}[A-Za-z0-9À-ɏ%]", value)
        )
        and value != first[1]
    )
