from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from agent.graph.descriptions import join_items, spell_out
from agent.graph.schedule import (
    Progress,
    advance,
    close_all,
    doubted,
    resolve_dependencies,
)
from agent.types import Status, SubAnswer, SubQuestion
from tests.reasoners import core


def answered(id_: str, *items: str, text: str = "") -> SubAnswer:
    return SubAnswer(
        sub_question_id=id_, status="answered", text=text or ", ".join(items), items=items
    )


def go(
    steps: list[SubQuestion], *answers: SubAnswer, before: Progress | None = None, room: int = 60
) -> Progress:
    return advance(
        before.steps if before else steps,
        before.branches if before else {},
        {answer.sub_question_id: answer for answer in answers},
        room=room,
    )


PLANETS = core("1", "Which planets have rings?")
FOUND = core("2", "Who discovered the rings of {1}?", "1")


def test_steps_without_dependencies_are_ready_at_once() -> None:
    follow_up = SubQuestion(id="3", text="What next?", kind="follow_up")
    progress = go([PLANETS, FOUND, follow_up])
    assert [step.id for step in progress.ready] == ["1"]
    assert progress.closed == ()


def test_a_dependent_step_becomes_one_step_for_each_entity() -> None:
    progress = go([PLANETS, FOUND], answered("1", "Saturn", "Uranus", "saturn"))
    assert [(step.id, step.text, step.depends_on) for step in progress.ready] == [
        ("2.1", "Who discovered the rings of Saturn?", ("1",)),
        ("2.2", "Who discovered the rings of Uranus?", ("1",)),
    ]
    assert [step.id for step in progress.steps] == ["1", "2.1", "2.2"]
    assert progress.grown == progress.ready


def test_a_third_step_goes_through_what_each_branch_found() -> None:
    born = core("3", "When was {2} born?", "2")
    first = go([PLANETS, FOUND, born], answered("1", "Saturn", "Uranus"))
    answers = (
        answered("1", "Saturn", "Uranus"),
        answered("2.1", "Galileo"),
        SubAnswer(sub_question_id="2.2", status="not_found"),
    )
    second = go([], *answers, before=first)
    assert [(step.id, step.text, step.depends_on) for step in second.ready] == [
        ("3.1", "When was Galileo born?", ("2.1",))
    ]


def test_two_placeholders_go_together_where_one_was_filled_with_the_other() -> None:
    steps = [
        core("1", "Which countries border Austria?"),
        core("2", "What is the capital of {1}?", "1"),
        core("3", "How far is {2} from the border of {1}?", "1", "2"),
    ]
    one = answered("1", "Italy", "Hungary")
    first = go(steps, one)
    second = go([], one, answered("2.1", "Rome"), answered("2.2", "Budapest"), before=first)
    assert [step.text for step in second.ready] == [
        "How far is Rome from the border of Italy?",
        "How far is Budapest from the border of Hungary?",
    ]


def test_a_question_about_all_entities_gets_the_list() -> None:
    for text, filled in [
        ("Which of {1} is the largest?", "Which of Saturn, Uranus and Neptune is the largest?"),
        (
            "Among the {1}, which is coldest?",
            "Among the Saturn, Uranus and Neptune, which is coldest?",
        ),
        ("{1}中最大的是哪个？", "Saturn, Uranus and Neptune中最大的是哪个？"),
    ]:
        steps = [PLANETS, core("2", text, "1")]
        progress = go(steps, answered("1", "Saturn", "Uranus", "Neptune"))
        assert [step.text for step in progress.ready] == [filled]
    each = go([PLANETS, core("2", "What is the mass of {1}?", "1")], answered("1", "A", "B"))
    assert len(each.ready) == 2


def test_lists_are_written_as_the_script_writes_them() -> None:
    assert join_items(["A"]) == "A"
    assert join_items(["A", "B", "a"]) == "a and B"
    assert join_items(["A", "B", "C"]) == "A, B and C"
    assert join_items(["土星", "天王星"]) == "土星、天王星"


def test_dependents_of_failed_steps_are_closed_with_the_reason() -> None:
    last = core("3", "When was {2} born?", "2")
    failed = SubAnswer(sub_question_id="1", status="failed", error="no reply")
    progress = go([PLANETS, FOUND, last], failed)
    assert progress.ready == ()
    assert [(one.sub_question_id, one.status, one.error) for one in progress.closed] == [
        ("2", "failed", "it needs 1, which failed"),
        ("3", "failed", "it needs 2, which failed"),
    ]
    # The order of the steps in the plan does not matter.
    progress = go([last, FOUND, PLANETS], failed)
    assert {one.sub_question_id: one.status for one in progress.closed} == {
        "2": "failed",
        "3": "failed",
    }


def unfound(id_: str) -> SubAnswer:
    return SubAnswer(sub_question_id=id_, status="not_found")


def test_what_was_not_found_is_asked_about_in_words_and_nothing_of_it_is_sure() -> None:
    born = core("3", "When was {2} born?", "2")
    first = go([born, FOUND, PLANETS], unfound("1"))
    (step,) = first.ready
    assert step.text == "Who discovered the rings of the planets that have rings?"
    reason = "it hangs on 1, which was not found"
    assert doubted(step, first.branches, {"1": unfound("1")}) == reason
    second = go([], unfound("1"), unfound("2.1"), before=first)
    assert second.ready[0].text == (
        "When was whoever discovered the rings of the planets that have rings born?"
    )
    # What the words lead to names the thing again, and stays as unsure.
    answers = (unfound("1"), replace(answered("2.1", "Galileo"), status="unsure"))
    third = go([], *answers, before=first)
    assert third.ready[0].text == "When was Galileo born?"
    known = {one.sub_question_id: one for one in answers}
    assert doubted(third.ready[0], third.branches, known) == (
        "it hangs on the answer to 2, which is unsure"
    )


def test_a_guess_goes_before_words_and_after_what_is_unsure() -> None:
    plan = [PLANETS, FOUND]
    guesses = {"1": ("Saturn", "a sentence that is far too long to be the name of any one thing")}
    progress = advance(plan, {}, {"1": unfound("1")}, room=9, guesses=guesses)
    (step,) = progress.ready
    assert step.text == "Who discovered the rings of Saturn?"
    assert doubted(step, progress.branches, {"1": unfound("1")})
    unsure = replace(answered("1", "Mars"), status="unsure")
    progress = advance(plan, {}, {"1": unsure}, room=9, guesses=guesses)
    assert [step.text for step in progress.ready] == ["Who discovered the rings of Mars?"]


def test_a_few_unsure_things_are_each_gone_on_with_and_many_are_described() -> None:
    for items, asked in (
        (("Ada", "Bo", "Cy"), ["Ada", "Bo", "Cy"]),
        (("Ada", "Bo", "Cy", "Di"), ["the sisters"]),
    ):
        plan = [core("1", "Who are the sisters?"), core("2", "When was {1} born?", "1")]
        unsure = replace(answered("1", *items), status="unsure")
        progress = advance(plan, {}, {"1": unsure}, room=9)
        assert [step.text for step in progress.ready] == [f"When was {one} born?" for one in asked]
        assert all(doubted(one, progress.branches, {"1": unsure}) for one in progress.ready)


def test_an_answer_without_entities_is_filled_in_whole_where_it_is_short() -> None:
    short = answered("1", text="Saturn alone. [1]")
    assert go([PLANETS, FOUND], short).ready[0].text == "Who discovered the rings of Saturn alone?"
    long = answered("1", text="word " * 60)
    progress = go([PLANETS, FOUND], long)
    assert progress.closed[0].error == "the answer to 1 names nothing to go on with"
    assert progress.closed[0].status == "failed"


def test_a_dependency_without_a_placeholder_only_orders() -> None:
    after = core("2", "What is a ring?", "1")
    assert go([PLANETS, after]).ready == (PLANETS,)
    failed = SubAnswer(sub_question_id="1", status="failed", error="x")
    assert [step.id for step in go([PLANETS, after], failed).ready] == ["2"]


def test_what_is_over_the_budget_is_closed_and_not_dropped() -> None:
    progress = go([PLANETS, FOUND], answered("1", "A", "B", "C"), room=2)
    assert [step.id for step in progress.ready] == ["2.1", "2.2"]
    assert [(one.sub_question_id, one.error) for one in progress.closed] == [
        ("2.3", "the budget of sub-questions ran out")
    ]
    assert [one.sub_question_id for one in close_all([PLANETS, FOUND], {}, "enough")] == ["1", "2"]


def test_dependencies_name_the_filled_steps_in_the_end() -> None:
    after = core("3", "And then?", "2")
    progress = go([PLANETS, FOUND, after], answered("1", "A", "B"))
    resolved = {
        step.id: step.depends_on for step in resolve_dependencies(progress.steps, progress.branches)
    }
    assert resolved == {"1": (), "2.1": ("1",), "2.2": ("1",), "3": ("2.1", "2.2")}


def test_placeholders_are_put_into_words_where_nothing_is_replanned() -> None:
    last = core("3", "When was {2} born?", "2")
    assert spell_out(last, [PLANETS, FOUND, last]) == (
        "When was whoever discovered the rings of the planets that have rings born?"
    )
    assert spell_out(core("1", "Why {9}?"), []) == "Why {9}?"


STATUSES: tuple[Status, ...] = ("answered", "unsure", "not_found", "failed")
Outcomes = dict[str, tuple[Status, tuple[str, ...]]]


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[SubQuestion], Outcomes]:
    count = draw(st.integers(1, 7))
    steps = []
    for number in range(1, count + 1):
        on = draw(st.sets(st.integers(1, number - 1), max_size=2)) if number > 1 else set()
        used = [one for one in on if draw(st.booleans())]
        text = f"Q{number} " + " ".join(f"{{{one}}}" for one in used)
        steps.append(core(str(number), text.strip(), *map(str, sorted(on))))
    items = st.lists(st.sampled_from("abcde"), max_size=4, unique=True).map(tuple)
    outcomes = {
        str(number): draw(st.tuples(st.sampled_from(STATUSES), items))
        for number in range(1, count + 1)
    }
    return steps, outcomes


def filled(step: SubQuestion, progress: Progress) -> list[str]:
    made = [one for some in progress.branches.values() for one in some if one.id == step.id]
    return [id_ for one in made for id_ in one.filled]


def became(id_: str, progress: Progress, answers: dict[str, SubAnswer]) -> list[SubAnswer]:
    parts = [one.id for one in progress.branches.get(id_, ())] or [id_]
    return [answers[part] for part in parts]


@given(plans(), st.integers(1, 30))
def test_every_plan_comes_to_an_end_and_nothing_that_hangs_on_doubt_is_sure(
    plan: tuple[list[SubQuestion], Outcomes], room: int
) -> None:
    steps, outcomes = plan
    answers: dict[str, SubAnswer] = {}
    guesses: dict[str, tuple[str, ...]] = {}
    progress = Progress(steps=tuple(steps), branches={}, ready=(), closed=())
    asked: list[str] = []
    for _ in range(len(steps) + 2):
        progress = advance(
            progress.steps, progress.branches, answers, room=room - len(answers), guesses=guesses
        )
        answers.update({one.sub_question_id: one for one in progress.closed})
        if not progress.ready:
            break
        for step in progress.ready:
            asked.append(step.text)
            status, items = outcomes[step.id.split(".")[0]]
            doubt = doubted(step, progress.branches, answers)
            sure = [
                any(answer.status == "answered" for answer in became(id_, progress, answers))
                for id_ in filled(step, progress)
            ]
            assert bool(doubt) == (not all(sure))
            status = "unsure" if doubt and status == "answered" else status
            shown = items if status in ("answered", "unsure") else ()
            guesses[step.id] = items if status == "not_found" else ()
            answers[step.id] = replace(answered(step.id, *shown), status=status)
    assert not progress.ready
    assert {step.id for step in progress.steps} == set(answers)
    assert not any("{" in text for text in asked)
    assert len(asked) <= room
    known = {step.id for step in progress.steps}
    for step in resolve_dependencies(progress.steps, progress.branches):
        assert set(step.depends_on) <= known


async def test_core_steps_asked_together_keep_what_they_depend_on() -> None:
    from types import SimpleNamespace

    from agent.budget import Budget
    from agent.graph.nodes import take_core
    from agent.graph.state import State
    from agent.settings import Settings
    from agent.types import SubQuestion

    steps = (
        SubQuestion(id="1", text="Which rivers are in Orland?", kind="core"),
        SubQuestion(id="2", text="How long is {1}?", kind="core", depends_on=("1",)),
    )
    context = SimpleNamespace(settings=Settings(budget=Budget()))
    update = await take_core(State(steps=steps), SimpleNamespace(context=context))  # type: ignore[arg-type]
    # Plans are scored by their order; all are asked at once all the same.
    assert [step.depends_on for step in update["steps"]] == [(), ("1",)]
    assert [step.id for step in update["ready"]] == ["1", "2"]
    assert "{1}" not in update["ready"][1].text


def test_a_sentence_fills_no_placeholder() -> None:
    plan = [core("1", "Who?"), core("2", "When was {1} born?", "1")]
    sentence = "Six missions set twelve astronauts on its surface and brought back rock."
    for answer in (
        SubAnswer(sub_question_id="1", status="answered", text=sentence),
        SubAnswer(sub_question_id="1", status="answered", text=sentence, items=(sentence,)),
    ):
        progress = advance(plan, {}, {"1": answer}, room=9)
        assert progress.ready == ()
        assert [one.sub_question_id for one in progress.closed] == ["2"]
    named = SubAnswer(sub_question_id="1", status="answered", text="Ada", items=("J. S. Bach",))
    assert advance(plan, {}, {"1": named}, room=9).ready[0].text == "When was J. S. Bach born?"


def test_one_unsure_thing_is_gone_on_with_where_nothing_surer_was_found() -> None:
    plan = [core("1", "Who?"), core("2", "When was {1} born?", "1"), core("3", "After {2}?", "2")]
    unsure = {"1": SubAnswer(sub_question_id="1", status="unsure", text="Ada", items=("Ada",))}
    progress = advance(plan, {}, unsure, room=9)
    (asked,) = progress.ready
    assert asked.text == "When was Ada born?"
    assert doubted(asked, progress.branches, unsure) == (
        "it hangs on the answer to 1, which is unsure"
    )
    sure = {"1": replace(unsure["1"], status="answered")}
    assert doubted(asked, progress.branches, sure) == ""
    assert doubted(plan[0], progress.branches, unsure) == ""


def test_what_is_sure_goes_before_what_is_unsure() -> None:
    plan = [core("1", "Who?"), core("2", "Who taught {1}?", "1"), core("3", "Born when, {2}?", "2")]
    both = advance(plan, {}, {"1": answered("1", "Ada", "Bo")}, room=9)
    answers = {
        "1": answered("1", "Ada", "Bo"),
        "2.1": replace(answered("2.1", "Cy"), status="unsure"),
        "2.2": answered("2.2", "Di"),
    }
    progress = advance(both.steps, both.branches, answers, room=9)
    assert [step.text for step in progress.ready] == ["Born when, Di?"]
