from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent.errors import ModelError, ReplyMalformed, ToolsRefused
from agent.llm.port import Completion, Request, ToolCall
from agent.llm.replies.repair import RepairedModel
from agent.llm.tokens import counter_for
from agent.prompted import PromptedReasoner
from agent.prompted.sub_answer import UNSUPPORTED, tidy_items
from agent.prompted.tool_calls import CALLS_A_ROUND, ROUNDS
from agent.reasoner import Finding
from agent.types import SubQuestion
from corpus.errors import InputError
from tests.fakes import Asked, FaithfulMind, ScriptedModel, call
from tests.unit.agent.prompted.test_reasoner import HITS, hit, toolbox

QUESTION = SubQuestion(id="1", text="Who discovered Triton?", kind="core")
FAITHFUL = FaithfulMind(answers={"discovered": "William Lassell"})
LASSELL = "Triton was discovered by William Lassell in 1846."
NOT_FOUND = {"found": False, "answer": "", "items": [], "quotes": []}


def answering(answer: str, quote: str, source: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "found": True,
        "answer": answer,
        "items": [],
        "quotes": [{"source": source, "quote": quote}],
        **more,
    }


async def answered(mind: Callable[[Asked], Any], **options: Any) -> tuple[Finding, list[Asked]]:
    model = ScriptedModel(mind)
    hits = options.pop("hits", [])
    box = options.pop("toolbox", toolbox())
    reasoner = PromptedReasoner(RepairedModel(model), box, **options)
    return await reasoner.answer(QUESTION, hits), model.asked


def in_turn(*said: Any) -> Callable[[Asked], Any]:
    """Say these one after the other, then answer faithfully."""
    left = list(said)

    def mind(asked: Asked) -> Any:
        one = left.pop(0) if left else FAITHFUL(asked)
        if isinstance(one, list) and not asked.tools:
            return FAITHFUL(asked)
        if isinstance(one, Exception):
            raise one
        return one

    return mind


def results(asked: Asked) -> list[str]:
    return [str(turn["content"]) for turn in asked.messages if turn["role"] == "tool"]


async def test_what_a_search_brings_is_answered_from_and_cited() -> None:
    finding, asked = await answered(in_turn([call("search", query="Triton")]))
    assert finding.sub_answer.status == "answered"
    assert finding.sub_answer.citations[0].quote == LASSELL
    assert [one.chunk.revision.title for one in finding.hits] == ["Triton"]
    assert asked[0].tools == ("search", "read")
    assert len(asked) == 2


async def test_reading_an_article_brings_its_passages() -> None:
    finding, asked = await answered(in_turn([call("read", title="Triton", query="discovered")]))
    assert finding.sub_answer.items == ("William Lassell",)
    assert LASSELL in results(asked[1])[0]


async def test_what_was_shown_is_not_shown_again() -> None:
    finding, asked = await answered(in_turn([call("search", query="Triton")]), hits=HITS)
    assert "[2] Triton: shown above" in results(asked[1])[0]
    assert asked[1].text.count(LASSELL) == 1
    assert finding.hits == tuple(HITS)


@pytest.mark.parametrize(
    ("made", "notice"),
    [
        (call("fetch", url="https://x"), "There is no such tool. There are search and read."),
        (call("search", words="Triton"), "The arguments of search are a JSON object with: query."),
        (call("search", query=["a"]), "The arguments of search are a JSON object with: query."),
        (
            ToolCall(id="1", name="read", arguments=None, raw='{"title": "Tri'),
            "The arguments of read are a JSON object with: title, query.",
        ),
        (call("search", query="zebra"), "Nothing was found."),
        (call("search", query="   "), "Nothing was found."),
        (call("read", title="Zebra"), "No article has this title. Near it:\nnone; search instead"),
    ],
)
async def test_a_call_that_cannot_be_run_is_told_why(made: ToolCall, notice: str) -> None:
    finding, asked = await answered(in_turn([made]), hits=HITS)
    assert results(asked[1]) == [notice]
    assert finding.sub_answer.status == "answered"


async def test_a_missing_title_is_answered_with_near_ones_as_data() -> None:
    _, asked = await answered(in_turn([call("read", title="Triton (moon)")]), hits=HITS)
    assert asked[1].fenced[-1] == "Triton"


async def test_the_same_call_over_and_over_ends_the_calls() -> None:
    again = [call("search", query="Triton")]
    finding, asked = await answered(in_turn(*[again] * 10))
    assert len(asked) == 4
    assert results(asked[2])[-1].startswith("You have made this call")
    assert asked[-1].tools == ()
    assert finding.sub_answer.status == "answered"


async def test_endless_calls_end_after_the_rounds() -> None:
    finding, asked = await answered(
        in_turn(*([call("search", query=f"Triton {n}")] for n in range(20)))
    )
    assert len(asked) == ROUNDS + 1
    assert asked[-1].tools == ()
    assert finding.sub_answer.status == "answered"


async def test_too_many_calls_at_once_are_cut() -> None:
    made = [
        ToolCall(id=str(n), name="search", arguments={"query": f"Triton {n}"}) for n in range(9)
    ]
    _, asked = await answered(in_turn(made))
    assert sum(result.startswith("Not run") for result in results(asked[1])) == 9 - CALLS_A_ROUND


async def test_nothing_found_after_tools_that_bring_nothing() -> None:
    finding, asked = await answered(
        in_turn(*([call("search", query=f"zebra{n}")] for n in range(20)))
    )
    assert finding.sub_answer.status == "not_found"
    assert len(asked) == ROUNDS


async def test_the_text_protocol() -> None:
    said = (
        "I need more.\n<search>Triton</search>\n<READ>Neptune | moons</READ><read>Zebra</read>"
        "<search>unclosed Triton"
    )
    finding, asked = await answered(in_turn(said), tools="text")
    assert finding.sub_answer.status == "answered"
    assert [one.tools for one in asked] == [(), ()]
    assert asked[1].messages[-2]["content"] == said
    assert asked[1].messages[-1]["role"] == "user"
    assert {one.chunk.revision.title for one in finding.hits} == {"Triton", "Neptune"}


async def test_a_server_without_tools_gets_the_text_protocol_from_then_on() -> None:
    def mind(asked: Asked) -> Any:
        if asked.tools:
            raise ToolsRefused("takes no tools")
        return FAITHFUL(asked) if asked.sources else "<search>Triton</search>"

    model = ScriptedModel(mind)
    reasoner = PromptedReasoner(model, toolbox())
    for _ in range(2):
        finding = await reasoner.answer(QUESTION, [])
        assert finding.sub_answer.status == "answered"
    assert [bool(one.tools) for one in model.asked] == [True, False, False, False, False]
    with pytest.raises(ToolsRefused):
        await PromptedReasoner(model, toolbox(), tools="native").answer(QUESTION, [])


async def test_a_call_written_as_json_by_a_model_that_was_offered_tools_is_run() -> None:
    finding, asked = await answered(
        in_turn('Let me look. {"name": "search", "parameters": {"query": "Triton"}}')
    )
    assert finding.sub_answer.status == "answered"
    assert len(asked) == 2


async def test_an_answer_without_json_is_asked_for_again_without_tools() -> None:
    finding, asked = await answered(in_turn("It was Lassell, I believe."), hits=HITS)
    assert finding.sub_answer.status == "answered"
    assert asked[1].tools == ()
    assert len(asked) == 2


async def test_no_hits_and_no_tools_make_no_call() -> None:
    finding, asked = await answered(FAITHFUL, toolbox=None)
    assert finding.sub_answer.status == "not_found"
    assert asked == []


async def test_not_found_is_an_answer() -> None:
    finding, _ = await answered(lambda _: NOT_FOUND, hits=HITS, toolbox=None)
    assert finding.sub_answer.status == "not_found"
    assert finding.hits == tuple(HITS)


async def test_a_quote_that_stands_nowhere_is_asked_for_once_more() -> None:
    invented = answering("It was Galle [2].", "Galle discovered Triton.", 2)
    finding, asked = await answered(in_turn(invented), hits=HITS, toolbox=None)
    assert "No quote stands word for word" in asked[1].text
    assert finding.sub_answer.status == "answered"


async def test_an_answer_that_quotes_nothing_real_fails_with_its_reason() -> None:
    invented = answering("It was Galle [7].", "Galle discovered Triton.", 7)
    finding, asked = await answered(lambda _: invented, hits=HITS, toolbox=None)
    assert (finding.sub_answer.status, finding.sub_answer.error) == ("failed", UNSUPPORTED)
    assert finding.sub_answer.text == ""
    assert finding.struck
    assert len(asked) == 2


async def test_one_invented_quote_among_real_ones_is_struck_out() -> None:
    said = answering(
        "Lassell found it [2]. It is green [1].",
        LASSELL,
        2,
    )
    said["quotes"].append({"source": 1, "quote": "Neptune is green."})
    finding, asked = await answered(lambda _: said, hits=HITS, toolbox=None)
    assert len(asked) == 1
    assert [one.chunk_id for one in finding.sub_answer.citations] == ["2:1:0"]
    assert any("green" in line for line in finding.struck)


@pytest.mark.parametrize(
    "said",
    [
        answering("William Lassell", LASSELL, 2),
        answering("", LASSELL, 2, items=["William Lassell"]),
        answering("William Lassell", "Triton  was discovered\nby William Lassell", 2),
        {"found": True, "answer": "William Lassell", "quotes": {"source": "[2]", "quote": LASSELL}},
    ],
)
async def test_a_quote_without_marks_gets_its_mark(said: dict[str, Any]) -> None:
    finding, _ = await answered(lambda _: said, hits=HITS, toolbox=None)
    assert finding.sub_answer.text == "William Lassell [1]"
    citation = finding.sub_answer.citations[0]
    chunk = HITS[1].chunk
    assert chunk.text[citation.start - chunk.start : citation.end - chunk.start] == citation.quote


async def test_a_model_that_fails_fails_the_step_only_with_its_error() -> None:
    with pytest.raises(ModelError, match="down"):
        await answered(in_turn(ModelError("down")))
    with pytest.raises(ReplyMalformed):
        await answered(lambda _: "no JSON", hits=HITS, toolbox=None)
    unrepaired = PromptedReasoner(ScriptedModel(lambda _: "no JSON"), None)
    with pytest.raises(ReplyMalformed, match="no usable reply"):
        await unrepaired.answer(QUESTION, HITS)


async def test_the_closed_setting_answers_from_memory_without_citations() -> None:
    finding, asked = await answered(
        lambda _: {"found": True, "answer": "Lassell [1]", "items": ["Lassell"]}, closed=True
    )
    assert finding.sub_answer.text == "Lassell"
    assert finding.sub_answer.citations == ()
    assert asked[0].form == "ClosedAnswerReply"
    assert asked[0].tools == ()
    finding, _ = await answered(lambda _: {"found": False, "answer": ""}, closed=True)
    assert finding.sub_answer.status == "not_found"


def test_items_are_made_fit_for_other_questions() -> None:
    assert tidy_items([" Triton ", "Triton", "", "{1} of\nNaples [2]", "x" * 300, "⟦3⟧"]) == (
        "Triton",
        "(1) of Naples",
        "x" * 200,
        "(3)",
    )


LONG = [
    hit(f"Fact {n}: " + "the moon is cold and far away. " * 30, f"Moon {n}", n) for n in range(40)
]


@pytest.mark.parametrize("model", ["gpt-4o", "unknown-model"])
@pytest.mark.parametrize("limit", [2048, 4096])
async def test_prompts_and_replies_fit_the_context(model: str, limit: int) -> None:
    count = counter_for(model)
    sizes: list[int] = []

    class Measured(ScriptedModel):
        async def complete(self, request: Request) -> Completion:
            sizes.append(sum(count(m.content) + 4 for m in request.messages) + request.max_tokens)
            return await super().complete(request)

    searches = [[call("search", query=f"moon {n}")] for n in range(3)]
    mind = in_turn(*searches)
    reasoner = PromptedReasoner(Measured(mind, model), toolbox(LONG), context_limit=limit)
    finding = await reasoner.answer(
        SubQuestion(id="1", text="Which moon is cold?", kind="core"), LONG[:20]
    )
    assert finding.sub_answer.status == "answered"
    assert max(sizes) <= limit
    assert max(sizes) > limit * 0.5


async def test_a_context_too_small_for_the_step_is_one_clear_line() -> None:
    reasoner = PromptedReasoner(ScriptedModel(FAITHFUL), None, context_limit=300)
    with pytest.raises(InputError, match="a context of 300 tokens cannot hold this step"):
        await reasoner.answer(QUESTION, HITS)


@pytest.mark.parametrize(
    ("option", "fault"),
    [({"tools": "none"}, "unknown tools"), ({"classify": "some"}, "unknown classify")],
)
def test_unknown_options_are_refused(option: dict[str, Any], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        PromptedReasoner(ScriptedModel(FAITHFUL), None, **option)
