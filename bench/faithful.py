"""How much of what stands in infoboxes and tables is found again in the text.

    python bench/faithful.py [DUMPS]

The values and rows are taken from the source by mwparserfromhell's tree and by rules of this script
alone, so that a fault of the extractor is not a fault of the measure. Counted are values and rows
that need no knowledge of any template: no braces, no tags but references and `<br>`, at most twelve
words. Names of files, sizes in pixels and colours are no values. Three shares, fanfold's beside
those of mwparserfromhell's `strip_code`:

    values    stand, word for word, in one line of the text
    labelled  stand so in a line that holds the words of their parameter's name
    rows      have all their cells in one line

Values that do need a template's knowledge are measured in two steps: the cases of
template_cases.json, each a use of a template and what a reader of the page sees of it; and the
share of the infobox values with templates whose every template stands in a case that holds.

Last, no mark of markup may be left in a text, and no words may be glued where a reference stood.
"""

from __future__ import annotations

import argparse
import json
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mwparserfromhell
from real_pages import DEFAULT_DUMPS, RealPage, read_pages

from corpus.wikitext import to_text

CASES = Path(__file__).with_name("template_cases.json")
MOST_WORDS = 12
READERS = ("fanfold", "strip_code")
_BOX = re.compile(r"infobox|taxobox|geobox|chembox|drugbox|基礎情報", re.IGNORECASE)
_REMOVED = re.compile(
    r"<!--.*?-->|<ref\b[^<>]*/>|<ref\b[^<>]*>.*?</ref\s*>", re.DOTALL | re.IGNORECASE
)
_PICTURE = re.compile(r"\[\[(?:file|image|ファイル|画像|文件)\s*:", re.IGNORECASE)
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_SITE = re.compile(r"\[(?:https?:)?//[^\s\]]+ ?([^\]]*)\]")
_NO_VALUE = re.compile(
    r".*\.(?:jpe?g|png|svg|gif|tiff?|og[agv]|webm|webp)|\d*\s*x?\s*\d+\s*px|#[0-9a-f]{3,8}|yes|no|",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}|<ref", re.IGNORECASE)
_AT_REFERENCE = re.compile(
    r"([^\W\d_]+)(?:<ref\b[^<>]*/>|<ref\b[^<>/]*>(?:(?!</ref).)*</ref\s*>)+([^\W\d_]+)",
    re.DOTALL | re.IGNORECASE,
)
_LIST_MARKS = re.compile(r"^[*#:;]+", re.MULTILINE)


def words(text: str) -> str:
    """Return the letters and digits of a text, in lower case, one space between words."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", folded.replace("_", " ")))


def plain(source: str) -> str | None:
    """Return what a value shows, None where that takes more than links, bold type and breaks."""
    text = _REMOVED.sub("", source)
    if "{" in text or "}" in text or _PICTURE.search(text):
        return None
    text = re.sub(r"<br\s*/?>", "\n", text, flags=re.IGNORECASE)
    if "<" in text or ">" in text or re.search(r"&(?!nbsp;|ndash;|amp;)", text):
        return None
    text = _SITE.sub(r"\1", _LINK.sub(r"\1", text))
    if "[" in text or "]" in text or "|" in text:
        return None
    text = (
        text.replace("&nbsp;", " ").replace("&ndash;", "–").replace("&amp;", "&").replace("''", "")
    )
    text = _LIST_MARKS.sub("", text).strip()
    return None if _NO_VALUE.fullmatch(text) or len(words(text).split()) > MOST_WORDS else text


def box_values(code: Any) -> Iterator[tuple[str, str]]:
    """Yield parameter names and values of the infoboxes of a page."""
    for template in code.ifilter_templates():
        if _BOX.search(str(template.name)):
            for parameter in template.params:
                value = plain(str(parameter.value))
                if parameter.showkey and value and words(value):
                    yield str(parameter.name).strip(), words(value)


def table_rows(code: Any) -> Iterator[list[str]]:
    """Yield the cells of each row of the tables of a page that has at least two."""
    for table in code.ifilter_tags(matches=lambda tag: str(tag.tag) == "table"):
        for row in table.contents.nodes:
            if getattr(row, "tag", None) != "tr":
                continue
            cells = [
                plain(str(cell.contents))
                for cell in row.contents.nodes
                if getattr(cell, "tag", None) in ("td", "th")
            ]
            if len(cells) < 2 or any(cell is None for cell in cells):
                continue
            shown = [words(cell or "") for cell in cells]
            if any(shown):
                yield [cell for cell in shown if cell]


def template_names(code: Any) -> Iterator[list[str]]:
    """Yield the names of the templates in each infobox value that has any, in lower case."""
    for template in code.ifilter_templates():
        if not _BOX.search(str(template.name)):
            continue
        for parameter in template.params:
            source = _REMOVED.sub("", str(parameter.value))
            if "{{" in source and not _BOX.search(source):
                inner = mwparserfromhell.parse(source).filter_templates()
                names = [str(used.name).strip().lower().replace("_", " ") for used in inner]
                if names:
                    yield names


def check_cases() -> tuple[int, int, set[str]]:
    """Return how many cases hold, how many there are, and the templates of which all cases hold."""
    held: set[str] = set()
    failed: set[str] = set()
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    right = 0
    for source, shown in cases:
        holds = to_text(source, "Case").text == shown
        right += holds
        for used in mwparserfromhell.parse(source).filter_templates():
            (held if holds else failed).add(str(used.name).strip().lower())
    return right, len(cases), held - failed


def glued(page: RealPage, text: str) -> list[str]:
    """Return the words of a text that stand in its source only with a reference between their halves."""
    pairs = {before + after for before, after in _AT_REFERENCE.findall(page.source)}
    shown = set(words(text).split()) if pairs else set()
    whole = set(words(page.source).split()) if pairs else set()
    return [word for word in pairs if words(word) in shown and words(word) not in whole]


def count(page: RealPage, known: set[str], misses: dict[str, list[str]] | None) -> Counter[str]:
    """Count one page's values and rows, and those found in fanfold's text and in strip_code's."""
    code = mwparserfromhell.parse(page.source)
    texts = {"fanfold": to_text(page.source, page.title).text, "strip_code": str(code.strip_code())}
    lines = {
        name: [f" {words(line)} " for line in text.split("\n")] for name, text in texts.items()
    }
    found: Counter[str] = Counter()
    for used in template_names(code):
        found["templated"] += 1
        found["templated known"] += known.issuperset(used)
        if misses is not None and not known.issuperset(used):
            misses["templates"].append(f"{page.title}: {', '.join(set(used) - known)}")
    for who, text in texts.items():
        found[f"marked {who}"] += _MARKUP.search(text) is not None
        found[f"glued {who}"] += len(glued(page, text))
    for name, value in box_values(code):
        found["values"] += 1
        label = f" {words(re.sub(r'(?<=[a-z])(?=[A-Z][a-z])', ' ', name))} "
        for who, all_lines in lines.items():
            holding = [line for line in all_lines if f" {value} " in line]
            found[f"values {who}"] += bool(holding)
            labelled = any(label in line for line in holding)
            found[f"labelled {who}"] += labelled
            if misses is not None and who == "fanfold" and not labelled:
                misses["labelled" if holding else "values"].append(
                    f"{page.title}: {name} = {value}"
                )
    for cells in table_rows(code):
        found["rows"] += 1
        for who, all_lines in lines.items():
            whole = any(all(f" {cell} " in line for cell in cells) for line in all_lines)
            found[f"rows {who}"] += whole
            if misses is not None and who == "fanfold" and not whole:
                misses["rows"].append(f"{page.title}: {' | '.join(cells)}")
    return found


def main() -> None:
    """Print the three shares and how many there were to find."""
    parser = argparse.ArgumentParser(description="Share of infobox values and table rows kept.")
    parser.add_argument("dumps", type=Path, nargs="?", default=DEFAULT_DUMPS)
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    arguments = parser.parse_args()
    begun = time.perf_counter()
    misses: dict[str, list[str]] | None = (
        {"values": [], "labelled": [], "rows": [], "templates": []} if arguments.misses else None
    )
    total: Counter[str] = Counter()
    pages = read_pages(arguments.dumps)
    right, cases, known = check_cases()
    for page in pages:
        total += count(page, known, misses)
    for kind, missed in (misses or {}).items():
        print(f"--- {kind} missed: {len(missed)}", *missed, sep="\n")
    print(f"{len(pages)} pages in {time.perf_counter() - begun:.0f} s")
    print(f"{'':24}{'of':>8}{'fanfold':>10}{'strip_code':>12}{'bound':>8}")
    names = {
        "values": "values in one line",
        "labelled": "values with their label",
        "rows": "rows in one line",
    }
    for (kind, title), bound in zip(names.items(), (0.97, 0.92, 0.95), strict=True):
        of = total["values" if kind == "labelled" else kind]
        shares = [total[f"{kind} {who}"] / max(of, 1) for who in READERS]
        print(f"{title:24}{of:8,}{shares[0]:10.1%}{shares[1]:12.1%}{bound:8.0%}")
    print(f"{'template cases':24}{cases:8,}{right / cases:10.1%}{'':12}{0.85:8.0%}")
    share = total["templated known"] / max(total["templated"], 1)
    print(f"{'values of such templates':24}{total['templated']:8,}{share:10.1%}{'':12}{0.85:8.0%}")
    for kind, title in {"marked": "texts with markup", "glued": "glued words"}.items():
        counts = [total[f"{kind} {who}"] for who in READERS]
        print(f"{title:24}{len(pages):8,}{counts[0]:10,}{counts[1]:12,}{0:8}")


if __name__ == "__main__":
    main()
