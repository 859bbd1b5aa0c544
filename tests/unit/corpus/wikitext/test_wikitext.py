"""Wikitext as a reader of the page sees it: words, links, lists, tables, boxes, headings."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.types import Table
from corpus.wikitext import redirect_target, to_text

MARKUP = re.compile(r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}|<ref")


def shown(source: str) -> str:
    return to_text(source, "Title").text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("'''Alder''' is ''a'' tree.<ref>{{cite book|title=T}}</ref> It<!-- no --> grows.", "Alder is a tree. It grows."),
        ("grows.<ref name=a/>Next A<ref>x</ref>B, C <ref>y</ref>. D (<ref>z</ref>)", "grows. Next A B, C. D"),
        ("水<ref>w</ref>火", "水火"),
        ("<ref>unclosed [[a]] and more", "unclosed a and more"),
        ("a<!-- never closed", "a"),
        ("a <!-- c -->\nb\n<!-- whole line -->\nc", "a b c"),
        ("x<sup>2</sup>, H<sub>2</sub>O, 21<sup>st</sup>, e<sup>x</sup>", "x², H2O, 21st, e^x"),
        ("<nowiki>[[no link]] {{none}}</nowiki> <code>a = 1</code>", "[[no link]] {{none}} a = 1"),
        ("<pre>\n* [[x]]\n</pre>after", "* [[x]]\n\nafter"),
        ("<math>\\frac{a}{b} \\le {\\alpha}^{2}</math>", "(a)/(b) ≤ α^2"),
        ("<math>\\mathrm{x} \\unknown {{y}} \\\\ z</math>", "x unknown {y} ; z"),
        ("<timeline>\nx\n</timeline>a<references/>", "a"),
        ("One<br>two<br/>three", "One\n\ntwo\n\nthree"),
        ("<span style='display: none'>hidden</span>shown <s>struck</s>", "shown struck"),
        ("<span style='display:none'>hidden", "hidden"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("<unknown>kept</unknown>", "<unknown>kept</unknown>"),
        ("<h3>Head</h3>text", "### Head\n\ntext"),
        ("<poem>one\ntwo</poem>", "one\n\ntwo"),
        ("<div>a</div><p>b</p><ul><li>c</li></ul><dl><dt>t</dt><dd>u</dd></dl>", "a\n\nb\n\n- c\n\n- t: u"),
        ("__NOTOC__ a __nothing__", "a __nothing__"),
        ("----\nafter\n----word", "after\n\nword"),
        ("a {{{1|default}}} b {{{x}}}c", "a default b c"),
        ("{{!}} a }} b ]] c |} d {{ e [[ f", "a b c d e f"),
        ("&lt;b&gt; &amp;amp; x&#8211;y&nbsp;z &#xD800;&#0;&#xFDD0;&#xFFFE; &bogus; &eacute;&#x41;", "<b> &amp; x–y z &bogus; éA"),
        ("one &lt;ref> &#123;&#123; two", "one <ref> {{ two"),
        ("a\u200b\u00adb\u2003c", "ab c"),
        ("\x00a\ud800b\ufdd0c\r\nd", "abc d"),
    ],
)  # fmt: skip
def test_words(source: str, text: str) -> None:
    assert shown(source) == text


@pytest.mark.parametrize(
    ("source", "text", "links"),
    [
        ("[[tree|a kind]] [[alder]]s", "a kind alders", [("a kind", "tree"), ("alders", "alder")]),
        ("[[Alder (tree)|]] [[Bath, Somerset|]]", "Alder Bath", [("Alder", "Alder (tree)"), ("Bath", "Bath, Somerset")]),
        ("[[a_b#c|d]] [[#e]] [[f#g]]", "d #e f#g", [("d", "a b"), ("f#g", "f")]),
        ("a [[Category:X]] [[:Category:Y]] [[fr:Aulne]] [[:fr:B]] [[wikt:c|d]]", "a Category:Y fr:B d", []),
        ("[[User:A|]] [[2001: A Film]]", "A 2001: A Film", [("2001: A Film", "2001: A Film")]),
        ("[[:File:A.jpg|the picture]]", "the picture", []),
        ("[http://a.org Words] [http://a.org] http://b.org [//c.org d [x] e]", "Words http://b.org d [x] e", []),
        ("[[a|b [[c]] d]]", "b c d", [("c", "c"), ("b c d", "a")]),
        ("[[broken\nlink]] [[a|''b'']]", "broken link b", [("b", "a")]),
    ],
)  # fmt: skip
def test_links(source: str, text: str, links: list[tuple[str, str]]) -> None:
    read = to_text(source, "Title")
    assert (read.text, [(link.anchor, link.target) for link in read.links]) == (text, links)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("[[File:A.jpg|thumb|left|100px|alt=x|A [[bridge]] in {{convert|1|km}}]]Text.", "Text.\n\nA bridge in 1 km"),
        ("a [[File:B.jpg]][[Image:C.png|20px|Icon]] b", "a b"),
        ("[[Datei:A.jpg|mini|Eine Brücke]]", "Eine Brücke"),
        ("[[File:A.jpg|thumb|x]]\n== Head ==\n[[File:B.jpg|thumb|y]]\ntext", "x\n\n## Head\n\ny\n\ntext"),
        ("<gallery>\nFile:A.jpg|A bridge\nFile:B.jpg|alt=x|A [[tower|big tower]]\nFile:C.jpg\n</gallery>", "- A bridge\n- A big tower"),
    ],
)  # fmt: skip
def test_pictures(source: str, text: str) -> None:
    assert shown(source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("* a\n** b\n# c\n#: more\n\n* d", "- a\n  - b\n- c\nmore\n\n- d"),
        ("; Term : definition\n: indented", "- Term: definition\nindented"),
        ("; Lone\n: its definition\n; Last", "- Lone: its definition\nLast"),
        ("; Empty\n:\ntext", "Empty\n\ntext"),
        ("* \n** \ntext", "text"),
        ("* a<br>b", "- a b"),
    ],
)
def test_lists(source: str, text: str) -> None:
    assert shown(source) == text


def test_headings_and_their_sections() -> None:
    source = "Lead.\n== One ==\nText.\n=== Deep [[er]] ===\nMore.\n== Empty ==\n== Two ==\nEnd.\n= Top =\nx"
    read = to_text(source, "Title")
    assert read.text == (
        "Lead.\n\n## One\n\nText.\n\n### Deep er\n\nMore.\n\n## Two\n\nEnd.\n\n## Top\n\nx"
    )
    assert [section.path for section in read.sections[:5]] == [
        (),
        ("One",),
        ("One", "Deep er"),
        ("Two",),
        ("Top",),
    ]
    assert read.sections[0].start == 0
    assert read.sections[-1].end == len(read.text)
    for before, after in zip(read.sections, read.sections[1:], strict=False):
        assert before.end == after.start
        assert read.text[after.start :].startswith(f"{'#' * after.level} {after.title}")


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (
            "{|\n! Year !! Won\n|-\n| 1999 || Yes\n|-\n| colspan=2 | Whole line\n|-\n! Sum\n| 5\n|}",
            ["Year | Won", "Year: 1999 | Won: Yes", "Whole line", "Year: Sum | Won: 5"],
        ),
        (
            "{| class=wikitable\n|+ style=x | A ''caption''\ngoes on\n! rowspan=2 | Name\n! colspan=2 | Size\n|-\n"
            "! m !! ft\n|-\n| rowspan=2 | Oak || 10 || 33\n|-\n| 12 || 40\n|}",
            [
                "A caption goes on",
                "Name | Size",
                "Name | m | ft",
                "Name: Oak | Size m: 10 | Size ft: 33",
                "Name: Oak | Size m: 12 | Size ft: 40",
            ],
        ),
        ("{|\n| '''A''' || '''B'''\n|-\n| 1 || 2\n|}", ["A | B", "A: 1 | B: 2"]),
        ("{|\n! Height\n| 5 m\n|-\n! Width:\n| 2 m\n|}", ["Height: 5 m", "Width: 2 m"]),
        ("{|\n| a\n|\n{|\n! in\n|-\n| ner\n|}\n|}", ["a | in, ner"]),
        ("{|\n! N\n! List\n|-\n| 1\n|\n* x\n* y<br>z\n|}", ["N | List", "N: 1 | List: x, y, z"]),
        ("{|\n! A !! B\n|-\n|style=\"x\"| 1 || bgcolor=#fff | 2\n|-\n|}", ["A | B", "A: 1 | B: 2"]),
        ("{|\n! A !! B\n|-\n| data-sort-value=1 {{yes}} || 2\n|}", ["A | B", "A: Yes | B: 2"]),
        ("{|\n! A !! B\n|-\n| 1 || 2\n|-\n! C !! D\n|-\n| 3 || 4\n|}", ["A | B", "A: 1 | B: 2", "C | D", "C: 3 | D: 4"]),
        ("{|\n! A !! B !! C !! D !! E\n|-\n| colspan=5 | x\n|-\n| colspan=4 | y || z\n|}", ["A | B | C | D | E", "x", "A – D: y | E: z"]),
        (
            "<table><caption>C</caption><tr><th>A</th><th>B</th></tr><tr><td style=x>1</td><td>2</td></tr></table>",
            ["C", "A | B", "A: 1 | B: 2"],
        ),
        ("{|\n|-\n|}", []),
        ("{|\n! A !! B\n|-\n| rowspan=0 colspan=x | 1 || 2\n|}", ["A | B", "A: 1 | B: 2"]),
    ],
)  # fmt: skip
def test_tables(source: str, lines: list[str]) -> None:
    assert shown(f"before\n{source}\nafter").split("\n\n")[1:-1] == (
        ["\n".join(lines)] if lines else []
    )


def test_text_laid_out_by_a_table_is_text() -> None:
    long = "Many words stand here. " * 30
    text = shown(f"{{|\n| {long}\n\nSecond.\n\nThird.\n| beside\n|}}")
    assert text.split("\n\n") == [long.strip(), "Second.", "Third. beside"]


@pytest.mark.parametrize(
    ("box", "lines"),
    [
        ("| name = Rhine\n| lengthKm = 1230\n| image = A.jpg\n| width = 20px\n| colour = #fff\n| sub = yes", ["Name: Rhine", "Length Km: 1230"]),
        ("| leader_title1 = Mayor\n| leader_name1 = Jo Doe\n| leader_title2 = Chair", ["Mayor (leader name1): Jo Doe", "Leader title2: Chair"]),
        ("| area_label = Land:\n| area = 5", ["Land (area): 5"]),
        ("| 1blankname2 = Vice Chancellor | 1namedata2 = Jo Doe", ["Vice Chancellor (1namedata2): Jo Doe"]),
        ("| state = collapsed | state2 = Illinois", ["State2: Illinois"]),
        ("| latd = 12 | latm = 30 | latNS = S | longd = 7 | longm = 5 | longs = 9 | longEW = W", ["Coordinates: 12°30′S 7°5′9″W"]),
        ("| latd = 12", []),
        ("| office1 = Mayor | term1 = 1999 | office2 = Judge | term2 = 2004 | born = 1950",
         ["Office1: Mayor | Term1: 1999", "Office2: Judge | Term2: 2004", "Born: 1950"]),
        ("| years1 = 1995 | years2 = 1997 | clubs1 = Reds | clubs2 = Blues | goals1 = 4",
         ["Years1: 1995 | Clubs1: Reds", "Years2: 1997 | Clubs2: Blues", "Goals1: 4"]),
        ("| list = \n* a\n* b\n| sites = {{plainlist}}\n* c<br>(d)\n* e\n{{endplainlist}}", ["List: a, b", "Sites: c (d), e"]),
        ("| name = Independence from<br>the crown | map = A.svg{{!}}B.svg", ["Name: Independence from the crown"]),
        ("| module = {{infobox person\n| born = 1950\n| died = 2000\n}}\n| name = X", ["Name: X", "Born: 1950", "Died: 2000"]),
        ("| ref = <ref>x</ref> | note = '''''' | body_style = yes", []),
        ("| population_total = 8804190 {{increase}} | area_km2 = 23817.5 | area_code = 12345 | oclc = 53163540",
         ["Population total: 8,804,190", "Area km2: 23,817.5", "Area code: 12345", "Oclc: 53163540"]),
        ("| revenue = {{increase}} {{US$|394.3 billion}} (2022) | trend = {{decrease}} | fsi = 102.3 {{increase}} 2.5",
         ["Revenue: US$394.3 billion (2022)", "Trend: ▼", "Fsi: 102.3 ▲ 2.5"]),
        ("| body_style = 2-door coupé | flag = {{flagicon|FRA}}", ["Body style: 2-door coupé", "Flag: France"]),
    ],
)  # fmt: skip
def test_boxes(box: str, lines: list[str]) -> None:
    assert (
        shown(f"{{{{Infobox thing\n{box}\n}}}}\nText.")
        == "\n\n".join(["\n".join(lines), "Text."]).strip()
    )


def test_a_long_row_of_numbered_values_is_not_one_line() -> None:
    long = "word " * 60
    text = shown(f"{{{{infobox\n| a1 = {long}\n| b1 = {long}\n}}}}")
    assert text.count("\n") == 1


@pytest.mark.parametrize(
    ("source", "title", "expected"),
    [
        ("'''A''' may be: {{disambig}}", "A", True),
        ("{{hndis|Doe, Jo}}", "Jo Doe", True),
        ("{{disambiguation needed|date=x}} text", "A", False),
        ("text", "A (disambiguation)", True),
        ("{{人名の曖昧さ回避}}", "A", True),
        ("text", "A (film)", False),
    ],
)
def test_disambiguation_pages(source: str, title: str, expected: bool) -> None:
    assert to_text(source, title).disambiguation is expected


def test_redirects() -> None:
    assert redirect_target("#REDIRECT [[Alder#Bark]]") == "Alder"
    assert redirect_target("#redirect: [[alder|x]]") is not None
    assert redirect_target("Text #REDIRECT [[Alder]]") is None


def test_what_is_left_of_removed_things_is_no_paragraph() -> None:
    assert (
        shown("Text.\n\n({{cn}}).\n\n== Notes ==\n{{reflist}}\n\n== Sources ==\n*{{sfn|A}},")
        == "Text."
    )


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("{{a|" * 60 + "x" + "}}" * 60, "nested deeper"),
        ("[[a|b]] {{a|" * 600, "more than 1,000 marks of templates"),
        (
            "== Head ==\n[[a|word]] {{b}} <ref>c</ref> &lt;\n\n" * 300,
            "longer than 10,000 characters",
        ),
    ],
)
def test_a_page_too_large_or_too_deep_is_read_more_simply(
    source: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpus.wikitext.MAX_CHARACTERS", 10_000)
    monkeypatch.setattr(sys.modules["corpus.wikitext.expand"], "MAX_MARKS", 1_000)
    read = to_text(source, "Title")
    assert reason in (read.degraded or "")
    assert MARKUP.search(read.text) is None


def test_the_plain_way_keeps_words_and_headings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.wikitext.MAX_CHARACTERS", 10)
    source = "Lead [[a|word]] &lt;b>.\n== Head ==\n{| class=x\n|-\n| cell\n|}\nend"
    read = to_text(source, "Title")
    assert read.text.startswith("Lead word <b>.\n\n## Head\n\n")
    assert [section.title for section in read.sections] == ["", "Head"]
    assert "cell" in read.text


PAGE = """{{Infobox planet|name=Io
|mass= 5 kg
|discovered=1610
|moons={{unbulleted list|a|b}}
|module={{ infobox_spaceflight
|crew=2
|launch=1990
|site=Cape
}}
}}
Io is a [[moon]].

{| class="wikitable"
|+ Tall ''things''
! colspan=2 | Where !! rowspan=2 | Height
|-
! Range !! Peak
|-
| Alps || Mont Blanc || 4,806
|}
* item
{|
| a || b
|-
| {|
! q !! r
|-
| 1 || 2
|}
|}
{{Navbox|list={{Infobox hidden|a=1
|b=2
|c=3
}}}}
[[Category:Moons of Jupiter|Io{{!}}]][[Kategorio:AT&amp;T_x]][[:Category:Led to]]
[[ category : small   thing ]][[Category:{{PAGENAME}}]][[Category:Moons of Jupiter]]
<!-- [[Category:Hidden]] --><nowiki>[[Category:No]]</nowiki>"""


def test_what_a_page_is_filed_under_and_holds() -> None:
    read = to_text(PAGE, "Io", frozenset({"kategorio"}))
    assert read.contents.categories == ("Moons of Jupiter", "AT&T x", "small thing")
    assert read.contents.boxes == ("Infobox planet", "infobox spaceflight")
    # One inside a cell of another has lost its form, and is none.
    assert read.contents.tables == (
        Table(caption="Tall things", heads=("Where | Height", "Range | Peak | Height")),
        Table(caption="", heads=()),
    )
    for table in read.contents.tables:
        lines = read.text.split("\n")
        assert not table.caption or table.caption in lines
        assert all(head in lines for head in table.heads)
    assert "Kategorio" not in read.text
    assert "Kategorio:AT&T x" in to_text(PAGE, "Io").text


PIECES = [
    "{{", "}}", "[[", "]]", "{|", "|}", "|", "=", "<ref>", "</ref>", "<!--", "-->", "a", "infobox", "File:", "thumb",
    "<nowiki>", "*", "{", "}", "[", "]", "http://", "&amp;", "{{{", "<br>", "''", "\n", "\n|-\n", "\n!", " ", "convert",
    "<table>", "<td>", "\n==", "Category:", "\n|+", "&lt;ref", "colspan=3 |", "birth date", "1", "漢",
]  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_any_marks_in_any_order_end_in_clean_text(pieces: list[str]) -> None:
    read = to_text("".join(pieces), "Title")
    if "<nowiki>" not in pieces and "&lt;ref" not in pieces:
        assert MARKUP.search(read.text) is None
    assert not re.search("[\ufdd0-\ufdef]", read.text + repr(read.contents))
    for table in read.contents.tables:
        assert set(table.heads) <= set(read.text.split("\n"))
    assert "".join(read.text[s.start : s.end] for s in read.sections) == read.text
