"""Where sentences end, in prose and in what people write."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from corpus.text import STOP, sentence_spans, split_sentences


def test_sentences_end_neither_at_initials_nor_at_abbreviations() -> None:
    text = 'J. Fraser Stoddart met Dr. Who in the U.S. Navy. He said "No!" Then he left.\nEnd'
    assert split_sentences(text) == [
        "J. Fraser Stoddart met Dr. Who in the U.S. Navy.",
        'He said "No!"',
        "Then he left.",
        "End",
    ]
    assert split_sentences("他来了。她走了！“好。”完") == ["他来了。", "她走了！", "“好。”", "完"]


def test_any_stop_ends_a_sentence_where_small_letters_begin_one() -> None:
    text = "it is 1.5 m tall. it stands (c. 1801) in Orm"
    assert split_sentences(text, end=STOP) == ["it is 1.5 m tall.", "it stands (c.", "1801) in Orm"]
    assert split_sentences(text) == [text]


def test_a_line_left_whole_is_one() -> None:
    text = "Name: St. Ives. Area: 3.\nOne is here. Two is not."
    spans = sentence_spans(text, whole=lambda line: ": " in line)
    assert [text[start:end] for start, end in spans] == [
        "Name: St. Ives. Area: 3.",
        "One is here.",
        "Two is not.",
    ]


@given(st.text('aB .!?。\n"”)1'))
def test_sentences_hold_all_but_space_in_order(text: str) -> None:
    spans = list(sentence_spans(text))
    assert "".join("".join(text[a:b] for a, b in spans).split()) == "".join(text.split())
    assert all(a < b for a, b in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
