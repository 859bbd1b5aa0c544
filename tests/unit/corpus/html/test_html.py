"""HTML as MediaWiki writes it, read to the same form as wikitext."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.html import to_text
from corpus.types import Table


def shown(source: str, title: str = "Title") -> str:
    return to_text(source, title).text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>One <b>two</b>\nthree</p><p>four</p>", "One two three\n\nfour"),
        ('<p>A<sup class="reference"><a href="#c">[1]</a></sup>B, C<sup class="reference">2</sup>.</p>', "A B, C."),
        ("<p>x<sup>2</sup> H<sub>2</sub>O 21<sup>st</sup></p>", "x² H2O 21st"),
        ("<p>One<br>two</p>", "One\n\ntwo"),
        ("<h1>Title</h1><h1>Other</h1><h2>Head<span class='mw-editsection'>[edit]</span></h2><p>x</p><h3>Empty</h3>",
         "## Head\n\nx"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c<p>d</p></li></ul><ol><li>e</li><ol><li>f</li></ol></ol>",
         "- a\n  - b\n- c d\n\n- e\n  - f"),
        ("<dl><dt>T:</dt><dd>def</dd><dd>more</dd><dt>Lone</dt><dt>Last</dt></dl>", "- T: def\nmore\nLone\nLast"),
        ("<pre>a  b\n\nc</pre>", "a b\n\nc"),
        ("<style>p{}</style><script>x</script><nav>n</nav><!-- c --><p>a<span style='display:none'>h</span>b</p>", "ab"),
        ('<div class="hatnote">Main article: <a href="./X">X</a></div><div class="hatnote">For others, see Y</div>', "Main article: X"),
        ('<math alttext="{\\displaystyle x^{2}}"></math>', "x^2"),
        ('<math><semantics><annotation encoding="application/x-tex">\\alpha</annotation></semantics></math>', "α"),
        ("<p>a&lt;b&gt; &amp;amp; {{c}}</p>", "a<b> &amp; {{c}}"),
        ("", ""),
        ("   ", ""),
        ("<!-- only -->", ""),
        ("plain words", "plain words"),
        ("<body><div class='x'><div class='mw-parser-output'><p>in</p></div><p>out</p></div></body>", "in"),
        ("<body><div class='mw-parser-output'><p>a</p></div><div class='mw-parser-output'><p>b</p></div></body>", "a\n\nb"),
        ("<body><main><p>m</p></main></body>", "m"),
        ("<figure><img src=x><figcaption>A bridge</figcaption></figure><p>t</p>", "A bridge\n\nt"),
    ],
)  # fmt: skip
def test_words_and_blocks(source: str, text: str) -> None:
    assert shown(source) == text


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("<table><caption>Cap</caption><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>x<br>y</td></tr></tbody></table>",
         ["Cap", "A | B", "A: 1 | B: x, y"]),
        ("<table><tr><th rowspan=2>N</th><th colspan=2>Size</th></tr><tr><th>m</th><th>ft</th></tr>"
         "<tr><td>Oak</td><td>10</td><td>33</td></tr></table>",
         ["N | Size", "N | m | ft", "N: Oak | Size m: 10 | Size ft: 33"]),
        ("<table class='infobox vcard'><caption>Oak</caption><tr><th>Height:</th><td><ul><li>20 m</li><li>66 ft</li></ul></td></tr>"
         "<tr><td colspan=2>A picture</td></tr><tr><td></td></tr><tr><td>Age</td><td>9</td></tr><tr><td>a</td><td>b</td><td>c</td></tr></table>",
         ["Oak", "Height: 20 m, 66 ft", "A picture", "Age: 9", "a | b | c"]),
        ("<table><tr><td>1</td><td style='display:none'>no</td></tr><tr><td>2</td></tr></table>", ["1", "2"]),
        ("<table><tr><td>" + "word " * 100 + "</td><td>b</td></tr></table>", [("word " * 100).strip(), "b"]),
        ("<table><tr><th>A</th><th>B</th></tr><tr><td>in<table><tr><td>x</td></tr></table></td><td>2</td></tr></table>",
         ["A | B", "A: in, x | B: 2"]),
    ],
)  # fmt: skip
def test_tables(source: str, lines: list[str]) -> None:
    assert shown(f"<p>before</p>{source}<p>after</p>") == "\n\n".join(
        ["before", "\n".join(lines), "after"]
    )


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ('href="./Rome#History" title="Rome"', "Rome"),
        ('href="/wiki/Bath,_Somerset"', "Bath, Somerset"),
        ('href="https://en.wikipedia.org/wiki/S%C3%A3o_Paulo"', "São Paulo"),
        ('href="../A/Rome.html"', "Rome"),
        ('href="Rome"', "Rome"),
        ('href="/w/x?action=edit" title="Rome (page does not exist)"', "Rome"),
        ('href="https://example.org/x"', None),
        ('href="#part"', None),
        ('href="./File:A.jpg"', None),
        ('class="external" href="./Rome"', None),
        ("", None),
    ],
)
def test_links(link: str, target: str | None) -> None:
    read = to_text(f"<p><a {link}>the  <b>town</b></a></p>", "Title")
    assert read.text == "the town"
    assert [(found.anchor, found.target) for found in read.links] == (
        [("the town", target)] if target else []
    )


def test_disambiguation_pages() -> None:
    assert to_text(
        '<div id="disambigbox" class="disambigbox">may refer to</div>', "A"
    ).disambiguation
    assert to_text("<p>x</p>", "A (disambiguation)").disambiguation
    assert not to_text("<p>x</p>", "A").disambiguation


def test_a_page_too_large_or_too_deep_is_read_more_simply(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = to_text("<span>" * 130 + "word" + "</span>" * 130, "A")
    assert (deep.text, deep.degraded) == (
        "word",
        "nested too deep: the form of the innermost parts is lost",
    )
    monkeypatch.setattr("corpus.html.MAX_TAGS", 10)
    large = to_text("<style>p {}</style><p>a&amp;b</p><ul><li>c</li></ul>" * 2, "A")
    assert (large.text, large.degraded) == ("a&b\nc\na&b\nc", "more than 10 tags")
    assert to_text("<p>" * 20, "A").text == ""


def test_a_declared_encoding_is_not_believed() -> None:
    assert (
        shown('<?xml version="1.0" encoding="ascii"?><meta charset="latin-1"><p>é 漢 \ud800</p>')
        == "é 漢"
    )


PARSOID = """<html><head><link rel="mw:PageProp/Language" href="./Category:No"></head><body>
<link rel="mw:PageProp/Category" href="./Category:Rivers_of_%C3%89urope#sorted"/>
<table class="infobox vcard" data-mw='{"parts":[{"template":{"target":
{"wt":"Infobox river\\n","href":"./Template:Infobox_river"}}}]}'>
<caption>Rhine</caption><tr><th>Length</th><td>1,233 km</td></tr></table>
<table class="vevent infobox" data-mw="no JSON"><tr><th>Mouth</th><td>North Sea</td></tr></table>
<table class="wikitable"><caption>Towns</caption><tr><th>Name</th><th>Since</th></tr>
<tr><td>Basel</td><td>374</td></tr></table></body></html>"""


def test_what_a_page_is_filed_under_and_holds() -> None:
    contents = to_text(PARSOID, "Rhine").contents
    assert contents.categories == ("Rivers of Éurope",)
    assert contents.boxes == ("Infobox river", "infobox")
    assert contents.tables == (Table(caption="Towns", heads=("Name | Since",)),)


TAGS = ["<p>", "</p>", "<table>", "<tr>", "<td colspan=3>", "<th>", "</table>", "<ul>", "<li>", "<dl>", "<dd>", "<b>", "<br>",
        "<sup class=reference>", "</sup>", "<a href='./X'>", "</a>", "<h2>", "<math>", "word", " ", "漢", "&amp;", "<", "<!--", "<pre>"]  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(TAGS), max_size=40))
def test_any_tags_in_any_order_end_in_clean_text(tags: list[str]) -> None:
    read = to_text("".join(tags), "Title")
    assert not re.search("[\ufdd0-\ufdef]", read.text + repr(read.contents))
    assert "".join(read.text[s.start : s.end] for s in read.sections) == read.text
