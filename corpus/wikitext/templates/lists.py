"""Templates that set text apart: lists, quotations, captions, links to fuller articles."""

from __future__ import annotations

from corpus.form.lines import flatten
from corpus.form.marks import BREAK, CAPTION, CAPTION_END
from corpus.wikitext.templates.call import Call, Template, table
from corpus.wikitext.templates.words import text


def quotation(call: Call) -> str:
    """A set-off quotation with its source."""
    words = call.get("text", "quote", "quotetext", "content") or call.at(1)
    source = call.get("author", "by", "sign", "person") or call.at(2)
    work = call.get("source", "title", "cite") or call.at(3)
    behind = ", ".join(filter(None, (source, work)))
    return f"{BREAK}{words}{f' — {behind}' if behind else ''}{BREAK}" if words else ""


def main_article(lead: str) -> Template:
    """Return a template that leads to other articles: `{{main|A|B#C}}`."""

    def show(call: Call) -> str:
        titles = []
        for number, title in enumerate(call.positional, 1):
            if title:
                titles.append(
                    call.get(f"l{number}", f"label {number}", f"label{number}")
                    or title.replace("#", " § ")
                )
        return f"{BREAK}{lead}: {', '.join(titles)}{BREAK}" if titles else ""

    return show


def charts_of_bars(call: Call) -> str:
    """`{{bar percent|Label|colour|31.5}}`: label and share."""
    return f"{BREAK}{call.at(1)}: {call.at(3)}%{BREAK}" if call.at(3) else call.at(1)


def box_of_columns(call: Call) -> str:
    """`{{columns|col1=…|col2=…}}`: the columns one below the other."""
    values = [
        value
        for name, value in call.named.items()
        if name.startswith("col") and name[3:].isdecimal()
    ]
    return "\n".join(["", *values, *call.filled(), ""])


def titled(call: Call) -> str:
    """`{{collapsible list|title=…|…}}`: title and items on one line."""
    title = call.get("title", "header")
    listed = ", ".join(filter(None, map(flatten, call.filled())))
    return f"{flatten(title)}: {listed}" if title and listed else title or listed


def items(call: Call) -> str:
    """Show a list, its items separated by commas, on one line."""
    values = call.filled() or [call.get("list", "items", "1")]
    return ", ".join(filter(None, map(flatten, values)))


def taxa(call: Call) -> str:
    """`{{species list|Name|Authority|Name|…}}`: the names, each with its authority."""
    values = call.positional
    pairs = zip(values[::2], [*values[1::2], ""], strict=False)
    return ", ".join(" ".join(filter(None, map(flatten, pair))) for pair in pairs if pair[0])


def numbered_items(call: Call) -> str:
    """`{{ordered list|a|b}}`: show the items with their numbers."""
    return ", ".join(f"{number}. {flatten(value)}" for number, value in enumerate(call.filled(), 1))


def pictures(call: Call) -> str:
    """`{{multiple image|caption1=…|footer=…}}`: the captions."""
    named = call.named
    captions = [
        named[name]
        for name in named
        if name.startswith(("caption", "header", "footer")) and "_" not in name and " " not in name
    ]
    if call.name == "double image":
        captions += [call.at(6), call.at(7)]
    return "".join(f"{CAPTION}{flatten(caption)}{CAPTION_END}" for caption in captions if caption)


def captioned(call: Call) -> str:
    """`{{wide image|File.jpg|800px|Caption}}`: the caption."""
    caption = call.at(3) or call.get("caption")
    return f"{CAPTION}{flatten(caption)}{CAPTION_END}" if caption else ""


def montage(call: Call) -> str:
    """`{{photomontage|foot_montage=…}}`: the line below the pictures."""
    return call.get("foot_montage", "text", "caption")


def legend(call: Call) -> str:
    """`{{legend|#f00|Meaning}}`: show the meaning."""
    return f"{BREAK}{call.at(2)}{BREAK}" if call.at(2) else ""


def poem(call: Call) -> str:
    """`{{poemquote|…}}`: lines of verse."""
    return BREAK + text(call).replace("\n", BREAK) + BREAK


LISTS = table(
    {
        (
            "hlist | flatlist | plainlist | plain list | ubl | unbulleted list | unbulleted | ublist | "
            "bulleted list | blist | cslist | comma separated entries | ubli | indented plainlist | "
            "nowrap list | br separated entries | inline list | csv | flat list | bulletedlist | "
            "horizontal list | vunblist | unbulletedlist | liste | lista | pagelist | cmn | cls | "
            "comma list | enum | and list | or list | list | startflatlist | liste horizontale | "
            "grid list | unbulleted list citebundle"
        ): items,
        "ordered list | numbered list | olist": numbered_items,
        "taxon list | species list | linked species list": taxa,
        (
            "collapsible list | list collapsed | collapsible | collapsed list | hidden | "
            "collapsed infobox section"
        ): titled,
        (
            "quote | blockquote | cquote | quotation | rquote | quote box | bq | bquote | quote frame | "
            "pull quote | zitat | cita | citation bloc | centered pull quote | epigraph | quotebox | "
            "引用 | cita larga | long quote"
        ): quotation,
        "poemquote | poem | verse translation | poem quote": poem,
        "bar percent": charts_of_bars,
        "columns | col-list | column list": box_of_columns,
        (
            "legend | legend0 | legend2 | legend-line | legend inline | color box | colorbox | "
            "legende | légende"
        ): legend,
        (
            "main | main article | mainarticle | main articles | see main | hauptartikel | "
            "article principal | artículo principal | ap | основна | 主条目 | main list | details | "
            "details3 | detail | article détaillé | main cat | main page"
        ): main_article("Main article"),
        (
            "see also | seealso | see | further | further2 | see also2 | furtherinfo | "
            "further information | more information | voir aussi | véase | vt | siehe auch | "
            "vedi anche | 参见 | 參見 | see also if exists | see further | véase también | 関連記事 | rellink"
        ): main_article("See also"),
        (
            "multiple image | multiple images | double image | vertical images list | triple image | "
            "mehrere bilder | images multiples | auto images"
        ): pictures,
        (
            "wide image | panorama | tall image | panorama simple | panorámica | annotated image"
        ): captioned,
        "photomontage | photo montage": montage,
        "native name list": items,
    }
)
