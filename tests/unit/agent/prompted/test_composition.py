from __future__ import annotations

from typing import Any

import pytest

from agent.citations import check
from agent.errors import ReplyMalformed
from agent.prompted import PromptedReasoner
from agent.reasoner import Composed, Guidance
from agent.types import Citation, Style, SubAnswer, SubQuestion
from retrieval.types import Hit
from tests.fakes import Asked, FaithfulMind, ScriptedModel
from tests.unit.agent.prompted.test_reasoner import HITS, hit

STEPS = [
    SubQuestion(id="1", text="Who discovered Triton?", kind="core"),
    SubQuestion(id="2", text="What is a moon?", kind="background"),
    SubQuestion(id="3", text="Is Triton cold?", kind="core"),
]
QUOTE = "Triton was discovered by William Lassell in 1846."


def found(number: int = 1) -> SubAnswer:
    chunk = HITS[1].chunk
    citation = Citation(
        number=number,
        chunk_id=chunk.id,
        revision=chunk.revision,
        start=0,
        end=len(QUOTE),
        quote=QUOTE,
    )
    return SubAnswer(
        sub_question_id="1",
        status="answered",
        text=f"William Lassell [{number}]",
        citations=(citation,),
    )


ANSWERS = [
    found(),
    SubAnswer(sub_question_id="2", status="not_found"),
    SubAnswer(sub_question_id="3", status="failed", error="model down"),
]


async def composed(
    mind: Any,
    guidance: Guidance,
    *,
    style: Style = "long",
    hits: list[Hit] | None = None,
    answers: list[SubAnswer] | None = None,
    **options: Any,
) -> tuple[Composed, list[Asked]]:
    model = ScriptedModel(mind)
    reasoner = PromptedReasoner(model, None, **options)
    made = await reasoner.compose(
        "What is known of Triton?",
        sub_questions=STEPS,
        sub_answers=ANSWERS if answers is None else answers,
        hits=HITS if hits is None else hits,
        style=style,
        guidance=guidance,
    )
    return made, model.asked


@pytest.mark.parametrize("guidance", ["plain", "core_definition", "core_sub_questions"])
async def test_from_hits_the_marks_count_the_hits(guidance: Guidance) -> None:
    made, asked = await composed(FaithfulMind(), guidance)
    assert (2, QUOTE) in made.quotes
    checked = check(made.text, [one.chunk for one in HITS], quotes=made.quotes)
    assert [one.chunk_id for one in checked.citations] == ["1:1:0", "2:1:0"]
    assert checked.struck == ()
    has_steps = "Is Triton cold?" in asked[0].text
    assert has_steps is (guidance == "core_sub_questions")
    assert "What is a moon?" not in asked[0].text
    assert ("go to its heart" in asked[0].outside) is (guidance == "core_definition")


async def test_from_sub_answers_every_one_is_accounted_for() -> None:
    made, asked = await composed(FaithfulMind(), "sub_answers", answers=[found(7), *ANSWERS[1:]])
    assert made.quotes == ((2, QUOTE),)
    material = asked[0].fenced[0]
    assert "- Who discovered Triton?\n  William Lassell [2]\n" in material
    assert f'[2] "{QUOTE}"' in material
    assert "- What is a moon?\n  not found" in material
    assert "- Is Triton cold?\n  could not be looked up" in material
    assert "Neptune is the eighth planet" not in asked[0].text


async def test_short_style_asks_for_one_item_a_line() -> None:
    _, asked = await composed(FaithfulMind(), "plain", style="short")
    assert "one item a line" in asked[0].outside
    _, asked = await composed(FaithfulMind(), "plain", style="long")
    assert "about 300 words" in asked[0].outside


async def test_with_nothing_to_write_from_nothing_is_written() -> None:
    made, asked = await composed(FaithfulMind(), "plain", hits=[])
    assert (made.text, asked) == ("", [])
    made, asked = await composed(FaithfulMind(), "sub_answers", answers=ANSWERS[1:])
    assert (made.text, asked) == ("", [])


@pytest.mark.parametrize("guidance", ["plain", "core_sub_questions", "sub_answers"])
async def test_the_closed_setting_writes_from_memory_without_marks(guidance: Guidance) -> None:
    made, asked = await composed(
        lambda _: {"text": "From memory [1].", "items": ["a [2]"]}, guidance, hits=[], closed=True
    )
    assert (made.text, made.items, made.quotes) == ("From memory.", ("a",), ())
    assert asked[0].form == "ClosedComposedReply"


async def test_an_empty_text_is_asked_for_once_more() -> None:
    said = [{"text": " "}, {"text": "Lassell [2].", "quotes": [{"source": 2, "quote": QUOTE}]}]
    made, _ = await composed(lambda _: said.pop(0), "plain")
    assert made.text == "Lassell [2]."
    with pytest.raises(ReplyMalformed, match="The text is empty"):
        await composed(lambda _: {"text": ""}, "plain")


async def test_what_does_not_fit_the_context_is_left_out_and_said_to_be() -> None:
    hits = [hit(f"Fact {n}. " + "words " * 150, f"A{n}", n) for n in range(1, 60)]
    _, asked = await composed(FaithfulMind(), "plain", hits=hits, context_limit=4096)
    assert 3 < len(asked[0].sources) < 30
    many = [
        SubAnswer(sub_question_id="1", status="answered", text="word " * 200) for _ in range(30)
    ]
    _, asked = await composed(
        FaithfulMind(), "sub_answers", answers=[found(), *many], context_limit=4096
    )
    assert "more, left out for want of room" in asked[0].text
