"""The HTTP interface on a real server over loopback, as clients see it."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from agent import Agent
from agent.graph.parts import Wiring
from agent.serve.access.tokens import make_token
from agent.serve.options import Options
from agent.terminal.answer import answer_to_json
from retrieval import open_retriever
from retrieval.ranking.restriction import restrict
from tests.reasoners import ScriptedReasoner, core
from tests.serving import Running, events_of, serving

QUESTION = "Who discovered Titan?"
TOKEN = "t" * 32


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving(Options(body_bytes=65_536, patience=2.0)) as server:
        yield server


@pytest.fixture
def client(running: Running) -> Iterator[httpx.Client]:
    with running.client() as made:
        yield made


def problem(response: httpx.Response, status: int) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    told = response.json()
    assert told["status"] == status
    assert all(told[name] for name in ("detail", "where", "request_id"))
    assert not any(part in response.text for part in ("Traceback", '.py"', str(Path.home())))
    assert isinstance(told, dict)
    return told


def test_an_answer_is_the_command_lines(client: httpx.Client) -> None:
    served = client.post("/v1/ask", json={"question": QUESTION}).json()
    with Agent() as agent:
        told = answer_to_json(agent.ask(QUESTION), agent)
    for one in (served, told):
        del one["usage"]
    assert served == told
    assert not served["abstained"]
    for citation in served["citations"]:
        chunk = client.get(f"/v1/chunks/{citation['chunk_id']}?around=100").json()
        start = citation["start"] - chunk["start"]
        assert chunk["text"][start:].startswith(citation["quote"])
        article = client.get(f"/v1/articles/{chunk['title']}").json()
        around = chunk["before"] + chunk["text"] + chunk["after"]
        begun = chunk["start"] - len(chunk["before"])
        assert article["text"][begun : begun + len(around)] == around
        verified = client.post(
            "/v1/verify", json={"quote": citation["quote"], "chunk_id": citation["chunk_id"]}
        ).json()
        assert (verified["found"], verified["start"]) == (True, citation["start"])


def test_a_stream_tells_what_happens_and_ends_with_the_answer(client: httpx.Client) -> None:
    asked = {"question": QUESTION, "strategy": "e2e", "style": "short"}
    with client.stream("POST", "/v1/ask/stream", json=asked) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        told = [(name, json.loads(data)) for name, data in events_of(stream.iter_lines())]
    names = [name for name, _ in told]
    assert names[0] == "begun"
    assert names[-1] == "answer"
    assert names.count("answer") == 1
    assert {"plan", "searching", "step_started", "step_ended", "composing"} <= set(names)
    begun, answer = told[0][1], told[-1][1]
    assert (begun["strategy"], begun["style"]) == ("e2e", "short")
    assert answer["strategy"] == "e2e"
    ended = next(data for name, data in told if name == "step_ended")
    assert ended["status"] in ("answered", "unsure")
    assert ended["citations"][0]["quote"]


def test_search_finds_what_the_retriever_finds(client: httpx.Client, running: Running) -> None:
    library = running.service.default_library
    queries = ["rings of Saturn", "largest lake", "zzz"]
    for mode in ("bm25", "dense", "hybrid"):
        retriever = open_retriever(library.snapshot.folder, mode)  # type: ignore[arg-type]
        for titles in ([], ["Saturn", "Titan (moon)"]):
            inner = restrict(retriever, titles) if titles else retriever
            reply = client.post(
                "/v1/search", json={"queries": queries, "k": 4, "mode": mode, "titles": titles}
            ).json()
            got = [[hit["chunk_id"] for hit in one["hits"]] for one in reply["results"]]
            assert got == [[hit.chunk.id for hit in hits] for hits in inner.search(queries, 4)]
        retriever.close()  # type: ignore[attr-defined]
    one = client.get("/v1/search", params={"q": queries[0], "k": 4, "mode": "hybrid"}).json()
    assert [hit["chunk_id"] for hit in one["results"][0]["hits"]] == got_ids(client, queries[0])


def got_ids(client: httpx.Client, query: str) -> list[str]:
    reply = client.post("/retrieve", json={"queries": [query], "topk": 4, "return_scores": True})
    (hits,) = reply.json()["result"]
    assert all(hit["document"]["contents"].startswith('"') for hit in hits)
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    return [hit["document"]["id"] for hit in hits]


@pytest.mark.parametrize("path", ["/v1/search", "/retrieve", "/v1/verify"])
def test_a_direct_route_replies_as_the_application_does(
    path: str, client: httpx.Client, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortcut = running.server.config.app._app  # type: ignore[union-attr]
    assert path in shortcut._direct
    chunk_id = client.post("/v1/search", json={"queries": ["rings"]}).json()["results"][0]["hits"][
        0
    ]
    sent = [
        json.dumps(body).encode()
        for body in (
            {"queries": ["rings of Saturn", "zzz"]},
            {"queries": ["rings"], "topk": 2, "return_scores": True},
            {"queries": ["rings"], "k": "3", "mode": "bm25", "titles": ["Saturn"]},
            {"queries": ["rings"], "titles": ["Satrun"]},
            {"queries": ["rings"], "snapshot": "other"},
            {"queries": ["rings"], "k": 0, "mode": "best", "x": 1},
            {"queries": []},
            {"quote": "Saturn", "chunk_id": chunk_id["chunk_id"], "claim": "Saturn is a planet."},
            {"quote": "x", "chunk_id": "1:2:3"},
            [],
            None,
        )
    ]
    sent += [b"", b"{", b"\xff", b"NaN", b"[" * 50_000, '{"queries": ["rings"]}'.encode("utf-16")]
    kind = {"content-type": "application/json"}

    def replies() -> list[tuple[int, dict[str, str], Any]]:
        found = []
        for content in sent:
            reply = client.post(path, content=content, headers=kind)
            told = reply.json()
            told.pop("request_id", None)
            headers = {
                name: value
                for name, value in reply.headers.items()
                if name not in ("date", "cache-status", "content-length")
            }
            found.append((reply.status_code, headers, told))
        return found

    direct = replies()
    monkeypatch.setattr(shortcut, "_direct", {})
    assert direct == replies()
    assert {200, 400, 422} <= {status for status, _, _ in direct}


def test_what_there_is_to_choose(client: httpx.Client) -> None:
    about = client.get("/v1/about").json()
    assert about["snapshots"][0]["name"] == about["defaults"]["snapshot"]
    assert {one["name"] for one in about["settings"]} == {"open", "closed", "evidence"}
    evidence = {"question": QUESTION, "setting": "evidence", "evidence": ["Titan (moon)"]}
    answer = client.post("/v1/ask", json=evidence).json()
    assert {citation["title"] for citation in answer["citations"]} == {"Titan (moon)"}
    assert client.get("/v1/titles", params={"q": "titan"}).json()["titles"][0] == "Titan"


@pytest.mark.parametrize(
    ("asked", "status", "where"),
    [
        ({}, 422, "question"),
        ({"question": "  ?!"}, 422, "question"),
        ({"question": "x" * 4001}, 422, "question"),
        ({"question": "Who?", "strategy": "best"}, 422, "strategy"),
        ({"question": "Who?", "stratgy": "e2e"}, 422, "stratgy"),
        ({"question": "Who?", "k": 0}, 422, "k"),
        ({"question": "Who?", "max_seconds": -1}, 422, "max_seconds"),
        ({"question": "Who?", "evidence": ["Titan"]}, 422, "evidence"),
        ({"question": "Who?", "setting": "evidence"}, 422, "evidence"),
        ({"question": "Who?", "snapshot": "none"}, 404, "snapshot"),
        ({"question": "Who?", "model": "none"}, 404, "model"),
        ({"question": "Who?", "setting": "evidence", "evidence": ["Titn"]}, 404, "POST /v1/ask"),
    ],
)
@pytest.mark.parametrize("path", ["/v1/ask", "/v1/ask/stream"])
def test_what_is_wrong_is_named(
    client: httpx.Client, path: str, asked: dict[str, Any], status: int, where: str
) -> None:
    told = problem(client.post(path, json=asked), status)
    assert told["where"].startswith(where)
    if asked.get("evidence") == ["Titn"]:
        assert "Titan" in told["near"]


def test_what_is_no_request_for_this_server(client: httpx.Client) -> None:
    json_ = {"content-type": "application/json"}
    ask = "/v1/ask"
    problem(client.get("/nothing"), 404)
    problem(client.get(ask), 405)
    problem(client.post(ask, content=b"{", headers=json_), 400)
    problem(client.post(ask, content=b"[" * 60_000, headers=json_), 400)
    problem(client.post(ask, content=b'{"question": "\\ud800?"}', headers=json_), 422)
    problem(client.post(ask, content=b"\xff\xfe", headers=json_), 400)
    problem(client.post(ask, content=b"{}", headers={"content-type": "text/plain"}), 415)
    problem(client.post(ask, content=b" " * 70_000, headers=json_), 413)
    problem(client.post(ask, json={}, headers={"host": "evil.example"}), 421)
    problem(client.post(ask, json={}, headers={"origin": "http://evil.example"}), 403)
    problem(client.post(ask, json={}, headers={"origin": "null"}), 403)
    problem(client.get("/v1/chunks/1:2:3"), 404)
    problem(client.get("/v1/chunks/../../etc/passwd"), 404)
    problem(client.get("/v1/articles/Titn"), 404)
    assert client.get("/healthz", headers={"origin": str(client.base_url)}).status_code == 200


def test_half_sent_requests_cost_nothing(running: Running) -> None:
    halves = {
        b"": b"",
        b"POST /v1/ask HTTP/1.1\r\nHost: local": b"408",
        b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b'Content-Length: 100\r\n\r\n{"question"': b"408",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"x: " + b"y" * 40_000: b"431",
        b"nonsense\r\n\r\n": b"400",
    }

    def send(sent: bytes) -> tuple[bytes, float]:
        with socket.create_connection(("127.0.0.1", running.port)) as raw:
            raw.settimeout(10)
            begun = time.monotonic()
            raw.sendall(sent)
            reply = b""
            while part := raw.recv(65536):
                reply += part
            return reply[9:12], time.monotonic() - begun

    with ThreadPoolExecutor(len(halves)) as pool:
        for sent, (status, seconds) in zip(halves, pool.map(send, halves), strict=True):
            assert status == halves[sent], sent[:40]
            assert seconds < 6


def test_a_token_lets_in_and_a_rate_holds() -> None:
    tokens = (make_token(TOKEN, "ann"), make_token("b" * 32, "ben", 2))
    with serving(Options(tokens=tokens)) as server, server.client() as client:
        assert client.get("/healthz").status_code == 200
        told = client.get("/v1/about")
        problem(told, 401)
        assert told.headers["www-authenticate"].startswith("Bearer")
        problem(client.get("/v1/about", headers={"authorization": f"Bearer {TOKEN}x"}), 401)
        right = {"authorization": f"Bearer {TOKEN}"}
        assert client.get("/v1/about", headers=right).status_code == 200
        slow = {"authorization": "Bearer " + "b" * 32}
        replies = [client.get("/v1/titles?q=a", headers=slow) for _ in range(3)]
        assert [reply.status_code for reply in replies] == [200, 200, 429]
        assert 1 <= int(replies[2].headers["retry-after"]) <= 60
        assert TOKEN not in client.get("/metrics", headers=right).text


SLOW = Options(
    wiring=Wiring(reasoner=ScriptedReasoner(steps=[core("1", "Which rings?")], seconds=30)),
    places=1,
    waiting=1,
    grace=0.5,
)


def test_too_many_are_refused_and_whoever_leaves_frees_the_place() -> None:
    asked = {"question": QUESTION}
    with serving(SLOW) as server, server.client() as client:
        with client.stream("POST", "/v1/ask/stream", json=asked) as first:
            # Kept: a generator that is dropped closes the connection.
            begun = events_of(first.iter_lines())
            assert next(begun)[0] == "begun"
            with client.stream("POST", "/v1/ask/stream", json=asked) as second:
                queued = events_of(second.iter_lines())
                assert next(queued) == ("queued", '{"ahead":0}')
                refused = client.post("/v1/ask", json=asked)
                problem(refused, 429)
                assert int(refused.headers["retry-after"]) >= 1
        server.settle()
        with pytest.raises(httpx.ReadTimeout):
            client.post("/v1/ask", json=asked, timeout=0.5)
        server.settle()
        assert 'fanfold_questions_total{outcome="left"} 3.0' in client.get("/metrics").text


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/ask", {"question": QUESTION}),
        ("/v1/ask/stream", {"question": QUESTION}),
        (
            "/v1/chat/completions",
            {
                "model": "fanfold",
                "stream": True,
                "messages": [{"role": "user", "content": QUESTION}],
            },
        ),
    ],
)
def test_whoever_vanishes_before_the_first_byte_ends_the_work(
    path: str, body: dict[str, Any]
) -> None:
    content = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    whole = head.encode() + b"Content-Length: %d\r\n\r\n" % len(content) + content
    with serving(replace(SLOW, places=20)) as server:
        for _ in range(10):
            with socket.create_connection(("127.0.0.1", server.port)) as raw:
                raw.sendall(whole)
        with server.client() as client:
            assert client.get("/readyz").status_code == 200
            server.settle(10)
            assert 'outcome="answered"' not in client.get("/metrics").text


def test_the_same_again_is_not_worked_on_again(running: Running, client: httpx.Client) -> None:
    asked = {"question": "Who discovered Titan, the moon?", "style": "short"}
    first = client.post("/v1/ask", json=asked)
    assert "cache-status" not in first.headers
    again = client.post("/v1/ask", json=asked)
    assert again.headers["cache-status"] == "fanfold; hit"
    assert again.json() == first.json()
    with client.stream("POST", "/v1/ask/stream", json=asked) as stream:
        assert stream.headers["cache-status"] == "fanfold; hit"
        told = list(events_of(stream.iter_lines()))
    assert [told[0][0], told[-1][0]] == ["begun", "answer"]
    assert json.loads(told[-1][1]) == first.json()
    other = client.post("/v1/ask", json={**asked, "style": "long"})
    assert "cache-status" not in other.headers
    queries = ["the storms of Jupiter", "the storms of Saturn"]
    found = client.post("/v1/search", json={"queries": queries[:1]})
    assert "cache-status" not in found.headers
    both = client.post("/v1/search", json={"queries": queries})
    assert "cache-status" not in both.headers
    assert both.json()["results"][0] == found.json()["results"][0]
    kept = client.post("/v1/search", json={"queries": queries})
    assert kept.headers["cache-status"] == "fanfold; hit"
    assert kept.json() == both.json()
    assert (
        "cache-status" not in client.post("/v1/search", json={"queries": queries, "k": 3}).headers
    )


def test_nothing_is_kept_where_that_is_turned_off() -> None:
    with serving(Options(kept_bytes=0)) as server, server.client() as client:
        for _ in range(2):
            assert "cache-status" not in client.get("/v1/search?q=Saturn").headers


def test_a_refused_method_is_told_all_that_the_path_has(client: httpx.Client) -> None:
    told = {
        path: client.request("DELETE", path).headers["allow"]
        for path in ("/v1/search", "/v1/ask", "/v1/articles/Saturn", "/")
    }
    assert told == {
        "/v1/search": "GET, POST",
        "/v1/ask": "POST",
        "/v1/articles/Saturn": "GET",
        "/": "GET, HEAD",
    }


def test_a_stop_tells_everybody() -> None:
    ends: list[str] = []
    with serving(replace(SLOW, waiting=10, grace=3.0)) as server:

        def ask(path: str) -> None:
            with (
                server.client() as client,
                client.stream("POST", path, json={"question": QUESTION}) as stream,
            ):
                body = stream.read().decode()
                ends.append(f"{stream.status_code} {body}")

        threads = [
            threading.Thread(target=ask, args=(path,))
            for path in ("/v1/ask", "/v1/ask/stream", "/v1/ask/stream")
        ]
        for thread in threads:
            thread.start()
        while server.service.running + server.service.waiting < 3:
            time.sleep(0.01)
        server.server.should_exit = True
        while not server.service.stopping:
            time.sleep(0.01)
        with server.client() as client:
            problem(client.get("/readyz"), 503)
            problem(client.post("/v1/ask", json={"question": QUESTION}), 503)
        for thread in threads:
            thread.join(20)
    assert sorted(end[:3] for end in ends) == ["200", "200", "503"]
    assert all('"status":503' in end for end in ends)
