"""Templates that are tables in disguise: climate, populations, episodes, family trees of species."""

from __future__ import annotations

import re

from corpus.form.lines import flatten
from corpus.form.marks import LINE
from corpus.form.table import CELL_SEPARATOR
from corpus.text import MONTHS
from corpus.wikitext.templates.call import Call, table

_MONTHS = tuple(name[:3].lower() for name in MONTHS)
_PICTURE = re.compile(r"(?:file|image|datei|fichier|archivo|файл)\s*:", re.IGNORECASE)
_YEAR = re.compile(r"\d{3,4}(?:年)?")


def _lines(rows: list[str]) -> str:
    return "".join(f"\n{LINE}{row}" for row in rows) + "\n" if rows else ""


def _row(cells: dict[str, str]) -> str:
    shown = {head: flatten(value) for head, value in cells.items() if value.strip()}
    return CELL_SEPARATOR.join(f"{head}: {value}" for head, value in shown.items())


def climate(call: Call) -> str:
    """`{{weather box|Jan high C=2.9|Feb high C=…}}`: a row for each measure, with its months."""
    measures: dict[str, dict[str, str]] = {}
    for name, value in call.named.items():
        month, blank, measure = name.partition(" ")
        if blank and month in _MONTHS and value:
            measures.setdefault(measure, {})[month.capitalize()] = value
    if not measures:
        return ""
    place = call.get("location")
    rows = [f"Climate data for {flatten(place)}"] if place else []
    for measure, months in measures.items():
        head = measure[:1].upper() + measure[1:]
        head = re.sub(r" c$", " °C", re.sub(r" f$", " °F", head))
        rows.append(_row({"Measure": head, **months}))
    return _lines(rows)


def populations(call: Call) -> str:
    """`{{historical populations|1850|771623|…}}`, `{{US Census population|1850=771623|…}}`."""
    values = call.filled()
    pairs = list(zip(values[::2], values[1::2], strict=False))
    pairs += [
        (name, value) for name, value in call.named.items() if _YEAR.fullmatch(name) and value
    ]
    if (year := call.get("estyear", "est_year")) and (estimate := call.get("estimate")):
        pairs.append((f"{year} (estimate)", estimate))
    title = call.get("title", "caption")
    rows = [flatten(title)] if title else []
    rows += [_row({"Year": year, "Population": population}) for year, population in pairs]
    return _lines(rows)


_EPISODE = {
    "episodenumber": "No.", "episodenumber2": "No. in season", "title": "Title",
    "rtitle": "Title", "translittitle": "Transliteration", "nativetitle": "Original title",
    "directedby": "Directed by", "writtenby": "Written by",
    "originalairdate": "Original air date", "altdate": "Other air date",
    "prodcode": "Production code", "viewers": "Viewers", "guests": "Guests", "aux1": "Notes",
    "aux2": "Notes 2", "aux3": "Notes 3",
}  # fmt: skip


def episode(call: Call) -> str:
    """`{{episode list|EpisodeNumber=1|Title=…}}`: a row, its summary on the line below."""
    cells: dict[str, str] = {}
    for name, head in _EPISODE.items():
        cells[head] = cells.get(head) or call.get(name)
    row = _row(cells)
    summary = flatten(call.get("shortsummary"))
    return _lines([line for line in (row, summary) if line])


def clade(call: Call) -> str:
    """`{{clade|1=A|label2=B|2={{clade|…}}}}`: the branches, nested ones in brackets."""
    branches = []
    for number, value in enumerate(call.positional, 1):
        label = flatten(call.get(f"label{number}"))
        branch = flatten(value)
        if label and branch:
            branches.append(f"{label} ({branch})")
        elif branch:
            branches.append(branch)
    return "; ".join(branches)


def crew(call: Call) -> str:
    """`{{spaceflight crew|position1=Commander|crew1_up=…}}`: a row for each position."""
    rows = []
    for number in range(1, 20):
        person = call.get(f"crew{number}_up", f"crew{number}", f"crew{number}_down")
        if person:
            position = call.get(f"position{number}", default="Crew")
            flights = call.get(f"flights{number}_up", f"flights{number}")
            rows.append(_row({"Position": position, "Astronaut": person, "Flight": flights}))
    return _lines(rows)


def navigation_of_seats(call: Call) -> str:
    """`{{infobox political party/seats|50|100}}`: seats held of all seats."""
    return f"{call.at(1)} / {call.at(2)}" if call.at(2) else call.at(1)


def election_row(call: Call) -> str:
    """`{{election box candidate|party=…|candidate=…|votes=…}}`: a row."""
    names = {
        "party": "Party",
        "candidate": "Candidate",
        "votes": "Votes",
        "percentage": "%",
        "change": "±%",
    }
    row = _row({head: call.named.get(name, "") for name, head in names.items()})
    return _lines([row] if row else [])


def ratings(call: Call) -> str:
    """`{{album ratings|rev1=Source|rev1Score=…}}`: each source with its rating."""
    rows = []
    for number in range(1, 40):
        if source := call.get(f"rev{number}"):
            rows.append(_row({"Source": source, "Rating": call.get(f"rev{number}score")}))
    return _lines(rows)


def tracks(call: Call) -> str:
    """`{{track listing|title1=…|length1=…}}`: a row for each track."""
    rows = []
    for number in range(1, 100):
        if title := call.get(f"title{number}"):
            by = call.get(f"writer{number}", f"lyrics{number}", f"extra{number}")
            cells = {"No.": str(number), "Title": title, "Note": call.get(f"note{number}")}
            rows.append(_row({**cells, "By": by, "Length": call.get(f"length{number}")}))
    headline = flatten(call.get("headline"))
    return _lines([headline, *rows] if headline else rows)


def cast_line(call: Call) -> str:
    """`{{medal sport|…}}`, `{{medal country|…}}`: a line above medals."""
    return _lines([flatten(call.at(1))] if call.at(1) else [])


def episodes(call: Call) -> str:
    """`{{episode table|episodes=…}}`: the rows inside; the other values are widths and colours."""
    caption = flatten(call.get("caption"))
    return (f"\n{LINE}{caption}" if caption else "") + "\n" + call.get("episodes") + "\n"


def gallery(call: Call) -> str:
    """`{{gallery|File:A.jpg|Caption|File:B.jpg|…}}`: the captions."""
    captions = [value for value in call.filled() if not _PICTURE.match(value)]
    return _lines([flatten(caption) for caption in captions])


def disease_code(call: Call) -> str:
    """`{{ICD10|F|84|0|f|80}}`: the code, F84.0."""
    head = call.at(1) + call.at(2)
    return f"{head}.{call.at(3)}" if call.at(3) else head


DATA = table(
    {
        "weather box | weatherbox | climate chart | climatebox | klimatabelle": climate,
        (
            'historical populations | us census population | historical population | uscensuspop | '
            'census population | population history'
        ): populations,
        "episode list | episode list/sublist | japanese episode list": episode,
        "clade | cladex | cladogram | clade/styled": clade,
        "spaceflight crew": crew,
        "episode table | episode table/part": episodes,
        "gallery": gallery,
        "icd10 | icd9 | icd11": disease_code,
        "infobox political party/seats | political party/seats": navigation_of_seats,
        (
            'election box candidate | election box candidate with party link | '
            'election box winning candidate with party link | election box candidate no change'
        ): election_row,
        "album ratings | album reviews | music ratings | video game reviews": ratings,
        "track listing | tracklist | tracklisting": tracks,
        (
            'medalsport | medalcountry | medalcompetition | medal sport | medal country | '
            'medal competition'
        ): cast_line,
    }
)  # fmt: skip
