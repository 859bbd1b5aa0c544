"""The structure of a plan, and of what it found, says when there is no answer."""

from __future__ import annotations

from dataclasses import replace

from agent.extractive.composer.abstention import AT_ONCE, explained, off_topic, refusal, unruled
from agent.extractive.planner.conditions import Condition
from agent.extractive.planner.decomposition import Decomposition, Step
from agent.reasoner import Composed
from agent.types import Citation, SubAnswer, SubQuestion
from corpus.types import Chunk, Revision
from retrieval.types import Hit

REVISION = Revision(page_id=1, rev_id=1, title="Lake Como", timestamp="", url="")
TEXT = "Lake Como is a lake in Lombardy. Its greatest depth is 425 metres."
HIT = Hit(
    chunk=Chunk(id="1:1:0", revision=REVISION, start=0, end=len(TEXT), section="", text=TEXT),
    score=1.0,
    rank=1,
    source="bm25",
)


def found(id_: str, item: str) -> SubAnswer:
    quote = Citation(number=1, chunk_id="1:1:0", revision=REVISION, start=0, end=5, quote="Lake ")
    return SubAnswer(
        sub_question_id=id_, status="answered", text=item, items=(item,), citations=(quote,)
    )


def said(reading: Decomposition, *answers: SubAnswer) -> str:
    questions = [
        SubQuestion(id=step.id, text=step.text, kind="core", depends_on=step.depends_on)
        for step in reading.steps
    ]
    return refusal(reading, questions, answers, [HIT])


BRIDGE = Step(id="1", text="What is the deepest lake of Lombardy?", role="bridge")
VALUE = Step(id="2", text="What is the depth of {1}?", depends_on=("1",))


def test_what_is_found_and_spoken_of_is_answered() -> None:
    reading = Decomposition(question="What is the depth of Lake Como?", steps=(VALUE,))
    assert said(reading, found("2", "425 metres")) == ""


def test_a_description_found_out_is_no_answer_without_what_is_asked_of_it() -> None:
    reading = Decomposition(question="What is the depth of the lake?", steps=(BRIDGE, VALUE))
    assert "hangs on" in said(reading, found("1", "Lake Como"))


def test_what_is_only_unsure_is_not_asserted() -> None:
    reading = Decomposition(question="What is the depth of Lake Como?", steps=(VALUE,))
    doubted = replace(found("2", "425 metres"), status="unsure")
    assert "not sure to answer" in said(reading, doubted)


def test_nothing_is_held_against_a_bound_that_is_unsure() -> None:
    bound = Step(id="1", text="When did Como freeze?", role="bridge")
    held = Step(
        id="2",
        text="When did Lake Como freeze?",
        condition=Condition(kind="date", comparator="<", against="1"),
    )
    reading = Decomposition(question="Did Lake Como freeze?", steps=(bound, held), combine="all")
    assert said(reading, found("1", "1929"), found("2", "1921")) == ""
    doubted = replace(found("1", "1929"), status="unsure")
    assert "compared with" in said(reading, doubted, found("2", "1921"))


def test_a_bound_need_not_be_said_by_what_is_held_against_it() -> None:
    bound = Condition(kind="number", comparator=">", bound=400.0, dimension="length")
    question = "Is Ro deeper than 500 square kilometres?"
    for condition, refused in ((bound, False), (None, True)):
        step = Step(id="1", text="What is Ro?", condition=condition)
        reading = Decomposition(question=question, steps=(step,), combine="all")
        assert bool(said(reading, found("1", "Ro"))) is refused


def test_nothing_is_computed_of_what_is_unsure() -> None:
    other = Step(id="3", text="What is the depth of Lake Iseo?")
    reading = Decomposition(
        question="Are the depths of Lake Como and Lake Iseo the same?",
        steps=(VALUE, other),
        combine="same",
    )
    sure = found("2", "425 metres"), found("3", "251 metres")
    assert said(reading, *sure) == ""
    assert "unsure" in said(reading, sure[0], replace(sure[1], status="unsure"))


def test_members_alone_do_not_answer_what_is_asked_of_them() -> None:
    members = Step(id="1", text="What are the lakes of Lombardy?", role="set")
    reading = Decomposition(question="Depth of each lake of Lombardy", steps=(members, VALUE))
    assert "nothing of what is asked" in said(reading, found("1", "Lake Como"))
    alone = Decomposition(question="Name the lakes of Lombardy", steps=(members,))
    assert said(alone, found("1", "Lake Como")) == ""


def test_most_of_a_question_must_be_in_what_was_found() -> None:
    reading = Decomposition(question="Which senator proposed the aqueduct tariff?", steps=(VALUE,))
    assert "most of what" in said(reading, found("2", "425 metres"))


def test_what_is_computed_of_sure_values_may_be_asked_in_many_words() -> None:
    question = "Reportedly Lake Como differs in depth from others; please say by how much"
    other = Step(id="3", text="What is the depth of Lake Iseo?")
    reading = Decomposition(question=question, steps=(VALUE, other), combine="difference")
    answers = found("2", "425 metres"), found("3", "251 metres")
    assert said(reading, *answers) == ""
    assert "most of what" in said(replace(reading, combine=""), *answers)
    deepest = tuple(replace(one, condition=Condition(kind="max")) for one in reading.steps)
    ranked = replace(reading, combine="", steps=deepest)
    assert said(ranked, *answers) == ""
    assert said(ranked, answers[0], replace(answers[1], status="unsure"))


def test_a_plan_that_says_it_is_not_read_answers_nothing() -> None:
    reading = Decomposition(question="Depth?", steps=(VALUE,), unread="not made out")
    assert said(reading, found("2", "425 metres")) == "not made out"


def test_passages_that_say_little_of_a_question_are_not_quoted_for_it() -> None:
    assert not off_topic("How deep is Lake Como in metres?", [HIT])
    assert off_topic("Which heads of state of the European Union are older than 80?", [HIT])
    assert off_topic("How deep is Lake Como?", [])


def test_what_a_strategy_never_asked_is_the_reason_for_an_answer_withheld() -> None:
    steps = [
        SubQuestion(id="1", text="What are the lakes of Lombardy?", kind="core"),
        SubQuestion(
            id="2", text="How deep are the lakes of Lombardy?", kind="core", depends_on=("1",)
        ),
    ]
    answers = {
        "1": found("1", "Lake Como"),
        "2": SubAnswer(sub_question_id="2", status="not_found"),
    }
    withheld = Composed(text="", withheld="the members were found")
    assert explained(withheld, steps, answers).withheld == AT_ONCE
    asked = [steps[0], replace(steps[1], text="How deep is Lake Como?")]
    assert explained(withheld, asked, answers) is withheld
    assert explained(Composed(text="425 m"), steps, answers).withheld == ""
    unsure = {"1": replace(answers["1"], status="unsure"), "2": answers["2"]}
    assert explained(withheld, steps, unsure) is withheld


def test_what_asks_for_yes_or_no_is_answered_so() -> None:
    assert unruled("Is Lake Como deeper than wide?", "425 metres [1]")
    assert not unruled("Is Lake Como deep?", "Yes [1]")
    assert not unruled("Is Lake Como in Lombardy or in Tuscany?", "Lombardy [1]")
    assert unruled("Is Lake Como in Lombardy or not?", "Lombardy [1]")
    assert not unruled("Do you know how deep Lake Como is?", "425 metres [1]")


def test_a_premise_that_was_judged_is_no_answer() -> None:
    question = "I know that Como is an ocean. How deep is it?"
    steps = (Step(id="1", text="Is Como an ocean?"), Step(id="2", text="How deep is Como?"))
    reading = Decomposition(question=question, steps=steps)
    asked = [SubQuestion(id=step.id, text=step.text, kind="core") for step in steps]
    assert "takes for granted" in refusal(reading, asked, [found("1", "No")], [HIT])
    judged = Decomposition(question="Well, is Como an ocean or not?", steps=steps[:1])
    assert refusal(judged, asked[:1], [found("1", "No")], [HIT]) == ""
    assert not refusal(reading, asked, [found("1", "No"), found("2", "425 metres")], [HIT])


def test_what_the_asker_says_of_himself_need_not_be_found() -> None:
    talk = "My youngest daughter keeps painting boats all winter, so how deep is Lake Como?"
    reading = Decomposition(question=talk, steps=(VALUE,))
    assert said(reading, found("2", "425 metres")) == ""
    request = "Need a quick overview: list how deep Lake Como is, please."
    reading = Decomposition(question=request, steps=(VALUE,))
    assert said(reading, found("2", "425 metres")) == ""
    asked = "Which youngest daughter keeps painting boats all winter, and how deep is Lake Como?"
    reading = Decomposition(question=asked, steps=(VALUE,))
    assert said(reading, found("2", "425 metres")).startswith("most of what the question says")
