"""Every template of the list of cases shows what a reader of the page sees of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.wikitext import to_text
from corpus.wikitext.templates import TEMPLATES
from corpus.wikitext.templates.call import Call, make_call, read_pairs
from corpus.wikitext.templates.lists import captioned, pictures

CASES: list[tuple[str, str]] = [
    (source, shown)
    for source, shown in json.loads(
        (Path(__file__).parents[4] / "bench" / "template_cases.json").read_text(encoding="utf-8")
    )
]


@pytest.mark.parametrize(("source", "shown"), CASES, ids=[source[:40] for source, _ in CASES])
def test_what_a_template_shows(source: str, shown: str) -> None:
    assert to_text(source, "Case").text == shown


def test_a_value_of_a_box_reads_as_the_template_alone() -> None:
    for source, shown in CASES:
        # A lone "n" is a switch of the box, not a value.
        if shown not in ("", "n") and "\n" not in source + shown:
            box = to_text(f"{{{{infobox\n| a = 1\n| about = {source}\n}}}}", "Case").text
            # The arrow of a rise is a picture, which a box's value goes without.
            assert shown.removeprefix("- ").lstrip("▲▼▬ ") in box.split("\n")[1]


def test_names_are_written_in_many_ways() -> None:
    for source in (
        "{{Nowrap|x y}}",
        "{{ nowrap |x y}}",
        "{{NOWRAP|x y}}",
        "{{template:nowrap|x y}}",
    ):
        assert to_text(source, "Case").text == "x y"
    assert to_text("{{sort_name|Ada|Lovelace}}", "Case").text == "Ada Lovelace"


def test_arguments_are_read_as_mediawiki_reads_them() -> None:
    pairs = read_pairs([["a"], ["name = b "], ["2=c"], ["x", "=y"], ["1999=d"], [" k =", "v"]])
    assert pairs == [
        (None, "a"),
        ("name", " b "),
        ("2", "c"),
        (None, "x=y"),
        ("1999", "d"),
        ("k", "v"),
    ]
    call = make_call("t", pairs)
    assert call.positional == ["a", "c", "x=y"]
    assert (call.get("missing", "name"), call.named["1999"], call.get("k")) == ("b", "d", "v")
    assert (call.at(0), call.at(9, "none")) == ("", "none")
    assert make_call("t", [("5", "e")]).positional == ["", "", "", "", "e"]
    assert make_call("t", [("0", "e")]).positional == []
    assert Call("t", named={"on": "Yes"}).flag("off", "on")


@settings(deadline=None, max_examples=300)
@given(
    name=st.sampled_from(sorted(TEMPLATES)),
    values=st.lists(st.text(alphabet="0123456789-.,/()[ ]abcZ漢é°'|=", max_size=8), max_size=8),
)
def test_no_value_breaks_a_template(name: str, values: list[str]) -> None:
    shown = to_text("before {{" + "|".join([name, *values]) + "}} after", "Case").text
    assert shown.startswith("before")
    # A caption stands below the paragraph that its picture is in; nothing else stands there.
    below = TEMPLATES[name] in (captioned, pictures)
    paragraph = shown.split("\n\n")[0] if below else shown
    assert paragraph.endswith("after")
    assert "{{" not in shown
    assert "}}" not in shown
