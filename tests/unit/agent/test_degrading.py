"""What an answer falls back to when a model says too much, nonsense, or nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent import Agent
from agent.errors import ModelError, ReplyTruncated
from agent.llm.port import Completion, Request
from agent.llm.replies.repair import RepairedModel
from agent.types import Answer, Setting, Usage
from corpus import Snapshot
from corpus.errors import BackendError
from tests.fakes import Asked, FaithfulMind, ScriptedModel, as_text
from tests.reasoners import WordRetriever
from tests.unit.agent.rings import CHUNKS

QUESTION = "Which planets have rings?"
STEPS = [
    "Which planets have rings?",
    "Who saw the rings of Saturn?",
    "Who saw the rings of Uranus?",
]
USED = Usage(calls=1, tokens_in=10, tokens_out=10)


class CutOff(ScriptedModel):
    """Speaks as its mind does, and is cut off after so many characters a token of room."""

    def __init__(self, mind: Any, forms: dict[str, float]) -> None:
        super().__init__(mind)
        self._forms = forms
        self.rooms: list[tuple[str, int]] = []

    async def complete(self, request: Request) -> Completion:
        schema = request.schema
        name = schema.__name__ if schema is not None else ""
        self.rooms.append((name, request.max_tokens))
        reply = await super().complete(request)
        most = self._forms.get(name)
        room = None if most is None else int(most * request.max_tokens)
        if room is None or len(reply.text) <= room:
            return reply
        return Completion(text=reply.text[:room], finish_reason="length", usage=reply.usage)


def ask(sample: Snapshot, model: Any, *, setting: Setting = "open", **options: Any) -> Answer:
    agent = Agent(
        snapshot=sample,
        model=RepairedModel(model),
        setting=setting,
        retriever=WordRetriever(CHUNKS) if setting == "open" else None,
        tools="text",
        **options,
    )
    return agent.ask(QUESTION)


def test_a_reply_cut_off_is_asked_for_again_with_twice_the_room(sample: Snapshot) -> None:
    mind = FaithfulMind(plan=STEPS)
    length = len(as_text(mind(Asked(messages=(), form="PlanReply"))))
    model = CutOff(mind, {"PlanReply": 0.75 * length / 4096})
    answer = ask(sample, model, strategy="e2e")
    assert [step.text for step in answer.sub_questions] == STEPS
    assert answer.notes == ()
    assert [room for name, room in model.rooms if name == "PlanReply"] == [4096, 8192]
    assert "much shorter" in model.asked[1].text


def test_what_came_of_a_plan_that_is_cut_off_twice_is_followed(sample: Snapshot) -> None:
    mind = FaithfulMind(plan=STEPS)
    first = len(as_text(FaithfulMind(plan=STEPS[:1])(Asked(messages=(), form="PlanReply"))))
    model = CutOff(mind, {"PlanReply": 1.2 * first / 8192})
    answer = ask(sample, model, strategy="e2e")
    assert [step.text for step in answer.sub_questions] == STEPS[:1]
    assert answer.notes == ("a reply of the model was cut off (plan): what came of it is used",)
    assert answer.citations


def test_a_plan_of_which_nothing_came_means_the_question_whole(sample: Snapshot) -> None:
    model = CutOff(FaithfulMind(plan=STEPS), {"PlanReply": 10 / 8192})
    answer = ask(sample, model, strategy="e2e")
    assert [step.text for step in answer.sub_questions] == [QUESTION]
    assert answer.notes[0].startswith("no plan could be made (")
    assert answer.citations


def test_a_composition_cut_off_keeps_its_sentences(sample: Snapshot) -> None:
    def mind(asked: Asked) -> object:
        if asked.form != "ComposedReply":
            return FaithfulMind(plan=STEPS[:1])(asked)
        number, (_, source) = next(iter(asked.sources.items()))
        quote = source.split(".")[0] + "."
        # The quotes come last, and are lost: a mark without one is judged by what it stands after.
        return {"text": f"{quote} [{number}] It was not until" + " later" * 90, "quotes": []}

    answer = ask(sample, CutOff(mind, {"ComposedReply": 200 / 8192}), strategy="baseline")
    assert "It was not" not in answer.text
    assert answer.text.endswith("[1]")
    assert "what came of it is used" in answer.notes[0]


@pytest.mark.parametrize("said", ["", "nonsense", '{"text": 3'])
def test_a_composition_that_fails_leaves_sub_answers_with_their_citations(
    sample: Snapshot, said: str
) -> None:
    mind = FaithfulMind(plan=STEPS)
    model = ScriptedModel(lambda asked: said if asked.form == "ComposedReply" else mind(asked))
    answer = ask(sample, model, strategy="e2e")
    assert answer.citations
    assert not answer.abstained
    assert answer.notes[-1] == (
        "the answers of the sub-questions stand as they were found, not composed"
    )


@pytest.mark.parametrize("strategy", ["baseline", "retrieval", "e2e", "agentic"])
def test_a_model_that_says_nothing_usable_leaves_the_nearest_passages(
    sample: Snapshot, strategy: Any
) -> None:
    answer = ask(sample, ScriptedModel(lambda _: "nonsense"), strategy=strategy)
    assert answer.abstained
    assert answer.failure
    assert answer.citations == ()
    assert answer.passages
    texts = {chunk.id: chunk for chunk in CHUNKS}
    for passage in answer.passages:
        chunk = texts[passage.chunk_id]
        assert chunk.text[passage.start - chunk.start : passage.end - chunk.start] == passage.quote
        assert passage.support == "unsure"
    assert all(one.error for one in answer.sub_answers if one.status == "failed")


def test_in_the_closed_setting_there_are_none(sample: Snapshot) -> None:
    answer = ask(sample, ScriptedModel(lambda _: "nonsense"), setting="closed")
    assert answer.abstained
    assert answer.passages == ()


@pytest.mark.parametrize("strategy", ["baseline", "agentic"])
def test_a_model_that_never_answers_is_an_error(sample: Snapshot, strategy: Any) -> None:
    def mind(_: Asked) -> object:
        raise ModelError("the server is down")

    with pytest.raises(BackendError, match="server is down"):
        ask(sample, ScriptedModel(mind), strategy=strategy)


def test_a_server_without_twice_the_room_costs_nothing_more(sample: Snapshot) -> None:
    mind = FaithfulMind(plan=STEPS)

    class Small(CutOff):
        async def complete(self, request: Request) -> Completion:
            if request.max_tokens > 4096:
                raise ModelError("does not take the request: too many tokens")
            return await super().complete(request)

    first = len(as_text(FaithfulMind(plan=STEPS[:2])(Asked(messages=(), form="PlanReply"))))
    answer = ask(sample, Small(mind, {"PlanReply": 1.1 * first / 4096}), strategy="e2e")
    assert [step.text for step in answer.sub_questions] == STEPS[:2]


def test_under_a_context_limit_the_second_room_is_what_is_left(sample: Snapshot) -> None:
    model = CutOff(FaithfulMind(plan=STEPS), {"PlanReply": 0.0})
    ask(sample, model, strategy="e2e", context_limit=4096)
    rooms = [room for name, room in model.rooms if name == "PlanReply"]
    assert rooms[0] == 1024
    assert rooms[0] <= rooms[1] <= 4096 - rooms[0]


async def test_what_a_cut_off_reply_said_is_replayed(tmp_path: Any) -> None:
    from agent.llm.cache import CachedModel, CacheKey
    from agent.llm.calls import CallCache
    from agent.llm.port import Message

    said = json.dumps({"sub_questions": []})[:-3]
    model = ScriptedModel(lambda _: Completion(text=said, finish_reason="length", usage=USED))
    key = CacheKey(model="m", endpoint="http://h/v1")
    asked = (Message(role="user", content="Plan"),)
    cache = CallCache(tmp_path / "c")
    for one in (CachedModel(RepairedModel(model), cache, key), CachedModel(None, cache, key)):
        with pytest.raises(ReplyTruncated) as caught:
            await one.complete(Request(asked))
        assert caught.value.said == said
    cache.close()
