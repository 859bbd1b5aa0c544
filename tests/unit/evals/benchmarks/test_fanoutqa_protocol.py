"""FanOutQA's own three protocols: the model alone, told the date, its context filled as in the paper."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus.builder.snapshot import build_snapshot
from corpus.errors import InputError
from evals.benchmarks.fanoutqa import DATE, FANOUTQA
from evals.runs.exchange.submission import export_submission
from evals.runs.folder import RunFolder
from evals.runs.matrix import run_matrix
from evals.runs.models import Endpoint
from evals.runs.sources import Sources
from evals.types import RunConfig
from tests.exports import export, page
from tests.fake_server import FakeServer, refusal, serving
from tests.fakes import Asked, call

QUESTION = "How long is each river of Orland?"
LONG = "\n\n".join(
    f"The Ash is {number} km long past mile {number}, and flows on through Orland." * 8
    for number in range(60)
)


def evidence(page_id: int, title: str) -> dict[str, Any]:
    return {"pageid": page_id, "revid": page_id, "title": title, "url": "u"}


def step(id_: str, page_id: int, title: str) -> dict[str, Any]:
    made = {"id": id_, "question": "?", "decomposition": [], "answer": 1, "depends_on": []}
    return made | {"evidence": evidence(page_id, title)}


ITEM = {
    "id": "q1",
    "question": QUESTION,
    "decomposition": [step("a", 1, "Orland"), step("b", 2, "Ash (river)"), step("c", 9, "Thorn")],
    "answer": {"Ash": 120},
    "categories": ["Rivers"],
}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("protocol")
    dump = folder / "dump.xml"
    pages = (page("Orland", 1, "One river is in Orland: the Ash."), page("Ash", 2, LONG))
    dump.write_text(export(*pages), encoding="utf-8")
    build_snapshot([dump], folder / "snapshot", date="2016-01-01")
    return folder / "snapshot"


@pytest.fixture
def ask(snapshot: Path, tmp_path: Path) -> Iterator[Callable[..., RunFolder]]:
    data = tmp_path / "questions.json"
    data.write_text(json.dumps([ITEM]), encoding="utf-8")

    def run(server: FakeServer, setting: Any, **more: Any) -> RunFolder:
        config = RunConfig(
            benchmark=FANOUTQA.name, style=FANOUTQA.style, split="dev", edition="own",
            setting=setting, strategy="baseline", model="m", k=10, mode="bm25",
            prompting="paper", **more,
        )  # fmt: skip
        sources = Sources(
            benchmark=FANOUTQA,
            data=data,
            snapshot=snapshot,
            endpoint=Endpoint(model="m", base_url=server.url),
        )
        out = tmp_path / f"run-{setting}-{more.get('tools', '')}"
        (folder,) = run_matrix(config, sources, out)
        return folder

    return run


def answer_of(folder: RunFolder) -> Any:
    (prediction,) = folder.predictions()
    assert prediction.response is not None, prediction.error
    return prediction.response


def prompt(request: dict[str, Any]) -> str:
    return "\n".join(str(message["content"]) for message in request["messages"])


def test_closed_book_is_the_question_and_the_date(ask: Callable[..., RunFolder]) -> None:
    with serving(lambda _: "Ash: 120") as server:
        assert answer_of(ask(server, "closed")).text == "Ash: 120"
    (request,) = server.requests
    assert QUESTION in prompt(request)
    assert DATE in prompt(request)
    assert "<data" not in prompt(request)


@pytest.mark.parametrize("limit", [2048, 4096])
def test_evidence_fills_the_context_and_leaves_room_for_the_reply(
    ask: Callable[..., RunFolder], limit: int
) -> None:
    from agent.llm.tokens import Estimate

    with serving(lambda _: "Ash: 120") as server:
        folder = ask(server, "evidence", context_limit=limit)
    response = answer_of(folder)
    (request,) = server.requests
    used = Estimate()(prompt(request))
    # A chunk is at most 1,024 characters: what is left beside the reply is less than one more.
    assert limit - 520 - 600 < used <= limit - 520
    assert request["max_tokens" if "max_tokens" in request else "max_completion_tokens"] == 520
    # The article was renamed and is found by its page; one is not in the snapshot, and that is said.
    assert {hit.chunk.revision.title for hit in response.answers[0].hits} >= {"Ash"}
    assert response.answers[0].notes == ("evidence not in the snapshot: Thorn",)
    rows = dict(FANOUTQA.tables([], list(folder.predictions()), [])[1].rows)
    assert rows["answers given without a necessary article"] == 1.0


def test_a_context_of_unknown_size_is_not_guessed(ask: Callable[..., RunFolder]) -> None:
    with serving(lambda _: "x") as server, pytest.raises(InputError, match="--context-limit"):
        ask(server, "evidence")


def researcher(asked: Asked) -> Any:
    """Looks up a title that is none, then the article, then answers."""
    said = asked.text
    looked = said.count("Titles near it") + said.count("flows on through Orland") // 8
    if looked == 0:
        return [call("search", query="Ash of Orland")] if asked.tools else "<search>Ash of Orland"
    if "flows on" not in said:
        return [call("search", query="Ash")] if asked.tools else "<search>Ash</search>"
    return "Ash: 120"


@pytest.mark.parametrize("tools", ["native", "text", "auto"])
def test_open_book_is_driven_by_the_model(ask: Callable[..., RunFolder], tools: str) -> None:
    refuses = {"tools": refusal(400, "tools are not supported")} if tools == "auto" else {}
    with serving(researcher, refuses=refuses) as server:
        folder = ask(server, "open", context_limit=8192, tools=tools)
    response = answer_of(folder)
    assert response.text == "Ash: 120"
    queries = [step.detail["queries"] for step in response.answers[0].trace]
    assert queries == [["Ash of Orland"], ["Ash"]]
    last = server.requests[-1]
    shown = [str(m["content"]) for m in last["messages"] if "flows on" in str(m["content"])]
    # Half of the context is the most that one article gets.
    assert 0 < sum(len(text) for text in shown) / 4 < 8192
    assert QUESTION in str(last["messages"][0]["content"])
    native = tools == "native"
    assert ("tools" in last) == native
    about = {"context": "8192", "function_calling": "" if tools == "auto" else "yes"}
    metadata = json.loads(
        export_submission([folder], folder.path / "out", about).metadata.read_text()
    )
    assert metadata["type"] == "FOUNDATION"
    assert metadata["context"] == 8192
    assert metadata["is_trained_for_function_calling"] is (tools != "auto")


def test_a_talk_that_outgrows_its_context_keeps_the_question(ask: Callable[..., RunFolder]) -> None:
    def insatiable(asked: Asked) -> Any:
        return "<search>Ash</search>"

    with serving(insatiable) as server:
        folder = ask(server, "open", context_limit=2048, tools="text")
    assert answer_of(folder).abstained
    assert all(QUESTION in prompt(request) for request in server.requests)
    # Equal requests are answered from the recorded calls.
    assert 2 <= len(server.requests) <= 31
