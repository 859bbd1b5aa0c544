from __future__ import annotations

from collections import OrderedDict

from hypothesis import given
from hypothesis import strategies as st

from agent.events import Answered, Composing
from agent.serve.snapshots.kept import Kept, is_settled, size_of_events, size_of_hits
from agent.types import Answer, SubAnswer, Usage
from retrieval.types import Hit
from tests.reasoners import chunk

KEYS = st.integers(0, 5)


@given(st.integers(0, 60), st.lists(st.tuples(KEYS, st.integers(1, 40) | st.none()), max_size=60))
def test_the_last_that_were_asked_for_are_kept_and_no_more(
    most: int, done: list[tuple[int, int | None]]
) -> None:
    kept, model = Kept[str](most), OrderedDict[int, int]()
    for key, size in done:
        if size is None:
            found = kept.get(key)
            assert (found is not None) == (key in model)
            if key in model:
                model.move_to_end(key)
        elif size <= most:
            kept.put(key, f"{size}", size)
            model.pop(key, None)
            model[key] = size
            while sum(model.values()) > most:
                model.popitem(last=False)
        else:
            kept.put(key, f"{size}", size)
        assert kept.size == sum(model.values()) <= most
    assert [key for key in range(6) if kept.get(key)] == sorted(model)


def answer(status: str, failure: str | None = None) -> Answer:
    step = SubAnswer(sub_question_id="1", status=status)  # type: ignore[arg-type]
    return Answer(
        question="Who?",
        text="Somebody.",
        abstained=False,
        sub_questions=(),
        sub_answers=(step,),
        citations=(),
        suggestions=(),
        usage=Usage(),
        failure=failure,
    )


def test_what_time_or_luck_decided_is_not_settled() -> None:
    assert all(is_settled(answer(status)) for status in ("answered", "unsure", "not_found"))
    assert not any(is_settled(answer(status)) for status in ("failed", "not_asked"))
    assert not is_settled(answer("answered", failure="the model was away"))


def test_longer_things_count_for_more() -> None:
    short, long = (
        Hit(chunk=chunk(1, text), score=1.0, rank=1, source="x") for text in ("a", "a" * 900)
    )
    assert size_of_hits([long]) > size_of_hits([short]) > size_of_hits([])
    told = (Composing(), Answered(answer=answer("answered")))
    assert size_of_events(told) > size_of_events(told[:1]) > 0
