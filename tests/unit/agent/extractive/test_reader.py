"""Windows, which of them are read, the best span of each, and the value that a span gives."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive import ExtractiveReasoner
from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.reader.confirmation import (
    CONFIRMED_FROM,
    DOUBTED_FROM,
    agreement,
    windows_around,
    worth_of,
)
from agent.extractive.reader.named_reader import open_reader
from agent.extractive.reader.selection import select
from agent.extractive.reader.span import (
    LONGEST_ANSWER,
    EmbeddedReader,
    best_span,
    mean_scores,
    wordings,
)
from agent.extractive.reader.values import (
    UNSURE_FROM,
    find_value,
    read_value,
)
from agent.extractive.reader.windows import windows_of
from agent.extractive.weights.store import open_tokenizer, write_layers
from agent.settings import Settings, check_settings
from agent.types import SubQuestion
from corpus import Snapshot
from corpus.errors import InputError
from retrieval.dense.embedders import shared_embedder
from retrieval.dense.runtime import Array
from retrieval.types import Hit
from tests.reasoners import chunk
from tests.unit.agent.extractive.finder.test_values import hits_of
from tests.unit.agent.extractive.pointing import Pointer

BROD = (
    "Country: Vella\nPopulation: 90,000\nArea: 41 km2\n\n"
    "Brod is the capital of Vella, on the Arn. The bridge was opened on 3 May 1902 by Ann Lee. "
    "It is 213 m long and was widened in 1931.\n\n"
    "Mayor: Max Orr | Years: 1930–1941\nMayor: Ida Fell | Years: 1945–1950"
)


def facts(text: str = BROD, title: str = "Brod") -> list[Fact]:
    return facts_of([Hit(chunk=chunk(1, text, title), score=1.0, rank=1, source="test")])


def test_windows_hold_neighbours_of_a_kind_under_the_title() -> None:
    windows = windows_of(facts())
    assert [{fact.kind for fact in window.facts} for window in windows] == [
        {"value"},
        {"sentence"},
        {"row"},
    ]
    for window in windows:
        assert window.text.startswith("Brod")
        for fact, offset in zip(window.facts, window.offsets, strict=True):
            assert window.text[offset : offset + len(fact.text)] == fact.text
            assert window.fact_at(offset, offset + 3) == (fact, 0, 3)
    first, second = windows[1].offsets[:2]
    assert windows[1].fact_at(first, second + 2) is None


def test_the_windows_with_the_rarer_words_are_read() -> None:
    windows = windows_of([*facts(), *facts("The Arn is a river.", "Arn")], width=60)
    chosen = select("When was the bridge of Brod opened?", windows, 2)
    assert "bridge was opened" in chosen[0].text
    assert len(select("Brod", [*windows, *windows], 99)) == len(windows)
    assert select("Brod", [], 3) == []


@given(st.data())
def test_the_best_span_is_the_best_that_lies_in_a_fact(data: st.DataObject) -> None:
    window = windows_of(facts(), width=400)[1]
    pair = open_tokenizer().encode("Who opened the bridge?", window.text)
    number = st.floats(-6, 6, width=32)
    size = 2 * len(pair.ids)
    scores = np.array(data.draw(st.lists(number, min_size=size, max_size=size)), np.float32)
    scores = scores.reshape(-1, 2)
    logs = scores - np.log(np.exp(scores).sum(0))
    allowed = [
        logs[i, 0] + logs[j, 1]
        for i in range(len(pair.ids))
        for j in range(i, min(i + LONGEST_ANSWER, len(pair.ids)))
        if pair.sequence_ids[i] == 1
        and window.fact_at(pair.offsets[i][0], pair.offsets[j][1]) is not None
    ]
    span = best_span(scores, pair, window)
    if span is not None:  # the likeliest starts and ends alone are tried
        assert span.margin <= max(allowed) - logs[0].sum() + 1e-3
        assert span.text in window.text


def test_a_certain_start_and_end_is_the_span() -> None:
    window = windows_of(facts())[1]
    pair = open_tokenizer().encode("Who opened the bridge?", window.text)
    at = window.text.index("Ann Lee")
    first = next(i for i, o in enumerate(pair.offsets) if pair.sequence_ids[i] == 1 and o[0] == at)
    scores = np.zeros((len(pair.ids), 2), np.float32)
    scores[first, 0] = scores[first + 1, 1] = 9.0
    span = best_span(scores, pair, window)
    assert span is not None
    assert span.text == "Ann Lee"
    assert span.margin == pytest.approx(18.0)


@pytest.mark.parametrize(
    ("question", "ways"),
    [
        ("Which lake is near Ham?", ("which lake is near ham", "which lake near ham")),
        ("who built it", ("who built it",)[1:]),
        ("When was it built before 1900?", ("when was it built before 1900", "when it built before 1900")),
        ("?", ()),
    ],
)  # fmt: skip
def test_a_question_is_put_in_other_words(question: str, ways: tuple[str, ...]) -> None:
    assert wordings(question) == ways


def test_of_several_wordings_the_mean_is_read_and_the_question_itself_is_no_part_of_it() -> None:
    window = windows_of(facts())[1]
    encode = open_tokenizer().encode
    one, other = encode("Who opened the bridge?", window.text), encode("who opened", window.text)
    first, second = (np.full((len(pair.ids), 2), value, np.float32) for pair, value in ((one, 1.0), (other, 3.0)))  # fmt: skip
    mean = mean_scores(first, one, [(second, other)])
    read = [place == 0 or side == 1 for place, side in enumerate(one.sequence_ids)]
    assert (mean == np.where(np.array(read)[:, None], 2.0, 1.0)).all()
    assert (mean_scores(first, one, []) == first).all()


def test_a_span_ends_with_its_clause() -> None:
    text = "Ann Lee built it; Bo Kern paid for it."
    window = windows_of(facts_of(hits_of({"Brod Bridge": text})))[0]
    pair = open_tokenizer().encode("Who built the bridge?", window.text)
    scores = np.zeros((len(pair.ids), 2), np.float32)
    scores[pair.char_to_token(window.text.index("Ann"), 1), 0] = 9.0
    scores[pair.char_to_token(window.text.index("Lee"), 1), 1] = 8.0
    scores[pair.char_to_token(window.text.index("Kern"), 1), 1] = 9.0
    span = best_span(scores, pair, window)
    assert span is not None
    assert span.text == "Ann Lee"


@pytest.mark.parametrize(
    ("question", "words", "value"),
    [
        ("When was the bridge of Brod opened?", "1902", "3 May 1902"),
        ("How long is the bridge of Brod?", "213", "213 m"),
        ("How large is Brod?", "41", "41 km2"),
        ("Who opened the bridge of Brod?", "Ann Lee.", "Ann Lee"),
        ("How many people opened the bridge of Brod?", "Ann Lee", None),
        ("When was Brod founded?", "Vella", None),
        ("Who was the mayor of Brod in 1931?", "Mayor", None),
        ("What is Brod?", "Brod", None),
        ("When was the bridge of Brod closed in 1955?", "1902", None),
        ("Who opened the bridge of Kollau?", "Ann Lee", None),
        ("On which river is Brod?", "the capital", None),
        ("On which river is Brod?", "Arn", "Arn"),
    ],
)
def test_a_value_has_the_form_asked_for_and_is_about_what_is_named(
    question: str, words: str, value: str | None
) -> None:
    asked = read_asked(question, lambda name: name if name in ("Brod", "Kollau") else None)
    found = read_value(asked, facts(), Pointer(words, Pointer.alone_from), shared_embedder())
    assert (found.text if found else None) == value


@pytest.mark.parametrize(
    ("margin", "sure"),
    [(Pointer.alone_from, True), (UNSURE_FROM, False), (UNSURE_FROM - 0.1, None)],
)
def test_probability_decides_what_is_asserted_shown_or_left(
    margin: float, sure: bool | None
) -> None:
    asked = read_asked("Who opened the bridge of Brod?", lambda name: None)
    found = read_value(asked, facts(), Pointer("Ann Lee", margin), shared_embedder())
    assert (found.sure if found else None) == sure


@pytest.mark.parametrize(
    ("words", "margin", "worth"),
    [
        ("Ann Lee", CONFIRMED_FROM, "answered"),
        ("Lee", CONFIRMED_FROM, "answered"),
        ("Ann Lee", DOUBTED_FROM, "unsure"),
        ("Ann Lee", DOUBTED_FROM - 0.1, "not_found"),
        ("3 May 1902", 9.0, "not_found"),
        ("Max Orr", 9.0, "not_found"),
    ],
)
def test_what_rules_find_stands_where_the_reader_points_at_the_same_words(
    words: str, margin: float, worth: str
) -> None:
    known = facts()
    fact = next(one for one in known if "Ann Lee" in one.text)
    reader = Pointer(words, margin)
    spans = reader.read("Who opened the bridge?", windows_around(fact, known))
    assert worth_of(agreement("Ann Lee", fact, spans)) == worth


def test_a_value_that_the_reader_refuses_gives_way() -> None:
    asked = read_asked("Who opened the bridge of Brod?", lambda name: name)
    known = facts(BROD + "\n\nThe bridge of Brod was paid for by Jon Kay.")

    def said(words: str, margin: float) -> tuple[str, bool] | None:
        found = find_value(asked, known, shared_embedder(), Pointer(words, margin))
        return (found.text, found.sure) if found else None

    assert said("Ann Lee", CONFIRMED_FROM) == ("Ann Lee", True)
    assert said("Ann Lee", DOUBTED_FROM) == ("Ann Lee", False)
    assert said("Jon Kay", Pointer.alone_from) == ("Jon Kay", True)
    assert said("Jon Kay", UNSURE_FROM) == ("Jon Kay", False)
    assert said("Jon Kay", UNSURE_FROM - 1) is None
    # A row is read as the row of a thing, and its head says what of it: "Mayor" opens nothing.
    assert said("Max Orr", Pointer.alone_from) == ("Max Orr", False)


def test_a_sentence_in_the_words_of_the_question_needs_no_sure_reader() -> None:
    known = facts(BROD + "\n\nAda Bell invented the safety pin, and Jon Kay sold it.")
    unsure = Pointer("Ada Bell", -9.0)

    def said(question: str) -> tuple[str, bool] | None:
        found = find_value(
            read_asked(question, lambda name: name), known, shared_embedder(), unsure
        )
        return (found.text, found.sure) if found else None

    assert said("Who invented the safety pin?") == ("Ada Bell", True)
    assert said("Who patented the safety pin?") != ("Ada Bell", True)


def test_a_box_of_the_very_thing_needs_no_reader() -> None:
    refusing = Pointer("nowhere", 0.0)
    for question, value in (
        ("How many people live in Brod?", "90,000"),
        ("How big is Brod?", "41 km2"),
    ):
        asked = read_asked(question, lambda name: "Brod (town)")
        found = find_value(asked, facts(title="Brod (town)"), shared_embedder(), refusing)
        assert found is not None
        assert (found.text, found.sure) == (value, True)
    elsewhere = read_asked("How many people live in Kollau?", lambda name: name)
    found = find_value(elsewhere, facts(), shared_embedder(), refusing)
    assert found is None or not found.sure


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A question-answering model of one small layer, with the embedded model's word pieces."""
    import torch
    from transformers import BertConfig, BertForQuestionAnswering, BertTokenizerFast

    folder = tmp_path_factory.mktemp("reader")
    torch.manual_seed(0)
    tokenizer = BertTokenizerFast(tokenizer_object=open_tokenizer())
    config = BertConfig(
        vocab_size=tokenizer.vocab_size, hidden_size=16, num_hidden_layers=1,
        num_attention_heads=2, intermediate_size=16,
    )  # fmt: skip
    BertForQuestionAnswering(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_any_question_answering_model_reads(tiny: Path) -> None:
    import torch
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer

    windows = windows_of(facts())
    question = "Who opened the bridge?"
    spans = open_reader(str(tiny)).read(question, windows)
    assert len(spans) == len(windows)
    assert [span.margin for span in spans] == sorted((s.margin for s in spans), reverse=True)
    model = AutoModelForQuestionAnswering.from_pretrained(tiny).eval()
    tokenizer = AutoTokenizer.from_pretrained(tiny)
    for window in windows:
        made = tokenizer(question, window.text, return_tensors="pt")
        with torch.inference_mode():
            out = model(**made)
        scores = torch.stack([out.start_logits[0], out.end_logits[0]], -1).numpy()
        alone = best_span(scores, made.encodings[0], window)
        both = next(span for span in spans if span.window is window)
        assert alone is not None
        assert (both.start, both.end) == (alone.start, alone.end)
        assert both.margin == pytest.approx(alone.margin, abs=1e-3)


def test_layers_that_were_trained_here_read_without_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    random = np.random.default_rng(0)
    head = {"head.weight": random.normal(size=(2, 384)), "head.bias": np.zeros(2)}
    write_layers(tmp_path / "reader.safetensors", head)
    windows = windows_of(facts())
    spans = open_reader(str(tmp_path)).read("Who opened the bridge?", windows)
    assert {span.window.text for span in spans} == {window.text for window in windows}
    # A window is read alike beside others and alone.
    alone = open_reader(str(tmp_path)).read("Who opened the bridge?", windows[:1])[0]
    both = next(span for span in spans if span.window is windows[0])
    assert (both.start, both.end) == (alone.start, alone.end)
    assert both.margin == pytest.approx(alone.margin, abs=1e-3)


def test_without_torch_a_reader_is_refused_in_one_line(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match="needs torch and transformers: pip install"):
        open_reader(str(tiny))


def test_a_reader_beside_a_model_is_refused() -> None:
    with pytest.raises(InputError, match="is for the extractive engine"):
        check_settings(Settings(reader="a", model="b"))


def test_the_engine_reads_with_the_reader_that_is_named(sample: Snapshot) -> None:
    import asyncio

    hits = [
        Hit(chunk=one, score=1.0, rank=1, source="test")
        for one in sample.chunks_at(sample.rows_of(["Titan (moon)"]))
    ]
    for margin, status in (
        (Pointer.alone_from, "answered"),
        (UNSURE_FROM, "unsure"),
        (UNSURE_FROM - 1, "not_found"),
    ):
        reasoner = ExtractiveReasoner(
            shared_embedder(), sample, None, Pointer("Gerard Kuiper", margin)
        )
        step = SubQuestion(id="1", text="Who detected methane on Titan?", kind="core")
        found = asyncio.run(reasoner.answer(step, hits)).sub_answer
        assert found.status == status
        assert found.items == (("Gerard Kuiper",) if status != "not_found" else ())
        assert all("Gerard Kuiper" in citation.quote for citation in found.citations)


def test_what_a_sentence_says_in_other_words_needs_a_reader_that_is_certain(
    sample: Snapshot,
) -> None:
    place = sample.chunks_at(sample.rows_of(["Titan (moon)"]))[0]
    fact = next(one for one in facts_of([Hit(chunk=place, score=1.0, rank=1, source="t")])
                if one.kind == "sentence")  # fmt: skip
    word = fact.text.split()[0]
    for margin, certain in ((Pointer.alone_from, True), (Pointer.alone_from - 0.1, False)):
        reasoner = ExtractiveReasoner(shared_embedder(), sample, None, Pointer(word, margin))
        assert reasoner.confirms("What is it?", word, fact.text, place) == certain
        assert not reasoner.confirms("What is it?", word, fact.text[1:], place)


def test_a_motto_is_not_told_to_be_in_a_language_by_being_one(sample: Snapshot) -> None:
    chunks = sample.chunks_at(sample.rows_of(["Yale University"]))
    place = next(chunk for chunk in chunks if "Motto: " in chunk.text)
    quote = next(line for line in place.text.split("\n") if line.startswith("Motto: "))
    reasoner = ExtractiveReasoner(shared_embedder(), sample)
    value = quote.removeprefix("Motto: ")
    assert reasoner.confirms("What is the motto of Yale University?", value, quote, place)
    for asked in (
        "What is the motto in english of Yale University?",
        "Latin motto of Yale University",
    ):
        assert not reasoner.confirms(asked, value, quote, place)


@pytest.mark.parametrize(
    ("question", "title", "line", "value", "proven"),
    [
        ("Which countries does the Rhine flow through?", "Rhine", "Countries: ", "France", True),
        ("Which countries of the Rhine have a king?", "Rhine", "Countries: ", "France", False),
        ("Which country on the Rhine is a kingdom?", "Rhine", "Countries: ", "France", False),
        ("Which cities stand on the shores of Lake Erie?", "Lake Erie", "Cities: ", "Toledo", True),
        ("Which cities of Lake Erie have a university?", "Lake Erie", "Cities: ", "Toledo", False),
        # Whom the sentence need not call so: Kuiper's own article does.
        ("Which astronomer discovered Miranda?", "Gerard Kuiper", "Kuiper disc", "Gerard Kuiper", True),
        ("Which painter discovered Miranda?", "Gerard Kuiper", "Kuiper disc", "Gerard Kuiper", False),
        ("What is the capital with no railway?", "Vaduz", "The town has", "Vaduz", True),
        # Where something is from its article says, its box, or everybody knows.
        ("Which Italian city burnt down?", "Chicago", "The fire of", "Chicago", False),
        ("Who is the Swiss who designed Pascal?", "Pascal (programming language)", "Designer", "Niklaus Wirth", True),
        ("Who is the Italian who designed Pascal?", "Pascal (programming language)", "Designer", "Niklaus Wirth", False),
        ("Which European capital was called Laibach?", "Ljubljana", "Under the Habs", "Ljubljana", True),
        # All whom one cell of a row lists; a town of birth is a place of birth, a home need not be.
        ("Who are the laureates between whom the Nobel Prize in Chemistry was divided in 2010?",
         "Nobel Prize in Chemistry", "Year: 2010", "Akira Suzuki", True),
        ("Who are the laureates between whom the Turing Award was divided in 2010?",
         "Nobel Prize in Chemistry", "Year: 2010", "Akira Suzuki", False),
        ("What is the birth town of Linus Pauling?", "Linus Pauling", "Birth place", "Portland, Oregon, U.S.", True),
        ("What is the home town of Linus Pauling?", "Linus Pauling", "Birth place", "Portland, Oregon, U.S.", False),
    ],
)  # fmt: skip
def test_a_quote_in_other_words_proves_what_it_tells_and_no_more(
    sample: Snapshot, question: str, title: str, line: str, value: str, proven: bool
) -> None:
    facts = facts_of(
        [
            Hit(chunk=chunk, score=1.0, rank=1, source="t")
            for chunk in sample.chunks_at(sample.rows_of([title]))
        ]
    )
    fact = next(one for one in facts if one.text.startswith(line))
    reasoner = ExtractiveReasoner(shared_embedder(), sample, None, Pointer(value, -99.0))
    assert reasoner.confirms(question, value, fact.text, fact.hit.chunk) == proven


def test_what_is_no_reader_is_refused_in_one_line(tiny: Path, tmp_path: Path) -> None:
    from transformers import BertConfig, BertModel

    with pytest.raises(InputError, match="no model there"):
        open_reader(str(tmp_path))
    BertModel(BertConfig.from_pretrained(tiny)).save_pretrained(tmp_path)
    for file in tiny.glob("tokenizer*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(InputError, match="not trained to find answers") as caught:
        open_reader(str(tmp_path))
    assert "\n" not in str(caught.value)


def test_what_was_read_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = EmbeddedReader.open()
    passes: list[int] = []
    states = reader._encoder.states

    def counted(ids: list[list[int]]) -> Array:
        passes.append(len(ids))
        return states(ids)

    monkeypatch.setattr(reader._encoder, "states", counted)
    windows = windows_of(facts())
    first = reader.read("Who opened the bridge?", windows)
    made = sum(passes)
    assert made >= len(windows)
    assert reader.read("Who opened the bridge?", windows) == first
    assert reader.read_titles("Who opened the bridge?", windows[:1])
    assert sum(passes) == made
    reader.read("Who closed the mill?", windows)
    assert sum(passes) > made
