"""Citations that stand in the text of an article: lists of works, bibliographies."""

from __future__ import annotations

from corpus.wikitext.templates.call import Call, Template, table


def citation(call: Call) -> str:
    """`{{cite book|last=…|title=…|year=…}}`: authors, year, title, where it appeared.

    The parameters of the English citation templates and the names that French, German, Spanish and
    Japanese ones give to the same things.
    """
    authors = _authors(call)
    year = call.get(
        "year",
        "date",
        "publication-date",
        "année",
        "jahr",
        "datum",
        "año",
        "fecha",
        "date publication",
    )
    title = call.get("title", "titre", "titel", "título", "titulo", "script-title", "trans-title")
    chapter = call.get(
        "chapter", "article", "entry", "contribution", "chapitre", "kapitel", "capítulo"
    )
    within = call.get(
        "journal", "work", "newspaper", "magazine", "encyclopedia", "website", "périodique", "sammelwerk", "publicación",
        "periodical", "revue", "booktitle", "book-title", "series",
    )  # fmt: skip
    volume, issue = call.get("volume"), call.get("issue", "number", "numéro")
    pages = call.get("pages", "page", "pp", "p", "passage", "seiten", "páginas")
    publisher = call.get("publisher", "éditeur", "verlag", "editorial", "institution", "出版社")
    place = call.get("location", "place", "publication-place", "lieu", "ort", "ubicación")
    if volume and within:
        within += f" {volume}" + (f" ({issue})" if issue else "")
        within += f": {pages}" if pages else ""
    where = ": ".join(filter(None, (place, publisher)))
    head = f"{authors} ({year})" if authors and year else authors
    shown = [head, f'"{chapter}"' if chapter else "", title, within, where]
    if year and not authors:
        shown.append(year)
    if isbn := call.get("isbn"):
        shown.append(f"ISBN {isbn}")
    return (
        ". ".join(part.strip().rstrip(".") for part in shown if part.strip()) + "."
        if title or chapter
        else ""
    )


def _authors(call: Call) -> str:
    names = []
    for number in ("", *map(str, range(1, 10))):
        last = call.get(
            f"last{number}",
            f"surname{number}",
            f"author{number}-last",
            f"nom{number}",
            f"apellido{number}s",
        )
        given = call.get(
            f"first{number}",
            f"given{number}",
            f"author{number}-first",
            f"prénom{number}",
            f"nombre{number}",
        )
        name = ", ".join(filter(None, (last, given))) or call.get(
            f"author{number}", f"auteur{number}", f"autor{number}"
        )
        if name and name not in names:
            names.append(name)
    if not names:
        names = [call.get("authors", "vauthors", "people", "editor", "editor-last", "著者")]
    return "; ".join(filter(None, names))


def reference_by_number(prefix: str) -> Template:
    """Return a template that shows an identifier behind its kind: `{{ISBN|…}}`."""
    return lambda call: f"{prefix} {call.at(1)}" if call.at(1) else ""


CITATIONS = table(
    {
        (
            'citation | ouvrage | article | literatur | internetquelle | obra citada | cita libro | '
            'cita web | cita publicación | lien web | harvard reference | citar livro | цитат уеб | '
            'цитат книга | книга'
        ): citation,
        **{kind.lower(): reference_by_number(kind) for kind in ('ISBN', 'ISSN', 'OCLC', 'DOI', 'JSTOR', 'PMID', 'LCCN', 'arXiv', 'Bibcode')},
        'isbn13': reference_by_number('ISBN'),
    }
)  # fmt: skip


def is_citation_name(key: str) -> bool:
    """Whether a template is a citation by its name, in lower case."""
    return key.startswith(("cite ", "vcite ", "vcite2 ", "cite_", "harvard citation "))
