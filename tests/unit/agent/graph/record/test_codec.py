from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.graph.assembly import CODEC, Serializer
from agent.graph.record.codec import Codec, UnknownTypeError
from agent.graph.record.hits import NO_HITS, Hits
from agent.graph.state import Found, Task, Tasks
from agent.types import SubAnswer, TraceStep, Usage
from corpus.types import Chunk, Revision
from retrieval.types import Hit
from tests.reasoners import core, first_line, hit

text = st.text(max_size=20)
numbers = st.integers(0, 2**40)
revisions = st.builds(
    Revision,
    page_id=numbers,
    rev_id=numbers,
    title=text,
    timestamp=text,
    url=text,
    caveat=text,
)
hits = st.builds(
    Hit,
    chunk=st.builds(
        Chunk,
        id=text,
        revision=revisions,
        start=numbers,
        end=numbers,
        section=text,
        text=text,
    ),
    score=st.floats(allow_nan=False),
    rank=st.integers(1, 99),
    source=text,
)


@given(st.lists(hits, max_size=3))
def test_hits_come_back_as_they_were(some: list[Hit]) -> None:
    back = Hits(packed=Hits(some).packed)
    assert list(back) == some
    assert back == Hits(some)


def test_objects_within_objects_come_back_exactly() -> None:
    one = hit(1, "Titan is a moon.")
    found = Found(
        sub_answer=SubAnswer(
            sub_question_id="1",
            status="answered",
            text="x",
            citations=(first_line(one),),
            items=("Titan",),
        ),
        hits=Hits([one]),
    )
    value = {"found": {"1": found}, "steps": (core("1", "x"),), "none": None, "n": 1.5}
    back = CODEC.unpack(CODEC.pack(value))
    assert back["found"]["1"].sub_answer == found.sub_answer
    assert list(back["found"]["1"].hits) == [one]
    assert list(back["steps"]) == list(value["steps"])
    trace = TraceStep(name="plan", sub_question_id=None, seconds=0.1, detail={"hits": [1, 2]})
    assert CODEC.unpack(CODEC.pack(trace)) == trace
    assert CODEC.unpack(CODEC.pack(Usage(calls=2))) == Usage(calls=2)


def test_what_a_graph_sends_comes_back() -> None:
    from langgraph.types import Interrupt, Send

    task = Task(sub_question=core("1", "x"), hits=NO_HITS)
    send = Send("answer", Tasks(tasks=(task,)))
    serializer = Serializer()
    back = serializer.loads_typed(serializer.dumps_typed([send]))
    assert back == [send]
    form, data = serializer.dumps_typed((Interrupt(value=[{"id": "1"}], id="a"),))
    assert form == "msgpack"
    assert serializer.loads_typed((form, data))[0].value == [{"id": "1"}]


def test_objects_of_other_types_are_never_made() -> None:
    class Other:
        pass

    with pytest.raises(UnknownTypeError):
        CODEC.pack({"x": Other()})
    import ormsgpack

    with pytest.raises((IndexError, ormsgpack.MsgpackDecodeError)):
        CODEC.unpack(ormsgpack.packb(ormsgpack.Ext(99, b"\x90")))


def test_a_type_of_a_single_field_comes_back() -> None:
    from dataclasses import dataclass

    @dataclass
    class Only:
        part: tuple[int, ...]

    codec = Codec({Only: ["part"]})
    assert codec.unpack(codec.pack([Only((1, 2))])) == [Only((1, 2))]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**60), 2**60) | text,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
        max_leaves=8,
    )
)
def test_plain_data_comes_back(value: Any) -> None:
    assert CODEC.unpack(CODEC.pack(value)) == value
