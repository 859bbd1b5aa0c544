from __future__ import annotations

import json

import pytest

from agent.serve.problems import Problem, encode, problem_to_json, public
from agent.serve.routes.chat import content_of, inert
from agent.types import Answer, Citation, Usage
from corpus.errors import BackendError, InputError
from corpus.store import ArticleNotFound
from tests.reasoners import chunk


@pytest.mark.parametrize(
    "text",
    [
        "the store /home/ann/snapshots/enwiki/articles.sqlite is damaged",
        "'/var/lib/x' is gone",
        "no model at http://10.0.0.7:8000/v1 (refused)",
    ],
)
def test_paths_and_addresses_are_never_told(text: str) -> None:
    told = public(text)
    assert not any(part in told for part in ("ann", "/var", "10.0.0.7", "sqlite"))
    assert "[path]" in told or "[address]" in told


@pytest.mark.parametrize("text", ["1/2 of them", "AC/DC and TCP/IP", "a / b", "km/h", ""])
def test_other_text_stays(text: str) -> None:
    assert public(text) == text


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InputError("bad"), 422),
        (BackendError("the model failed"), 502),
        (ArticleNotFound("Titn", ["Titan"], "sample"), 404),
        (MemoryError(), 503),
        (ValueError("a bug at /srv/app/x.py"), 500),
    ],
)
def test_every_error_is_a_problem(error: Exception, status: int) -> None:
    problem, told = problem_to_json(error, where="GET /x", request_id="7", openai=True)
    assert (problem.status, told["status"]) == (status, status)
    assert set(told) >= {"type", "title", "detail", "where", "mend", "request_id", "error"}
    assert "x.py" not in json.dumps(told)


def test_what_no_utf8_can_say_is_replaced() -> None:
    assert json.loads(encode({"a": "\ud800 Ü"})) == {"a": "? Ü"}


def answer(text: str, *citations: Citation) -> Answer:
    return Answer(
        question="?",
        text=text,
        abstained=False,
        sub_questions=(),
        sub_answers=(),
        citations=citations,
        suggestions=(),
        usage=Usage(),
    )


def test_marks_are_annotated_where_they_stand_and_sources_follow() -> None:
    one = chunk(1, "The rings of Saturn.", "Saturn")
    cited = Citation(
        number=1, chunk_id=one.id, revision=one.revision, start=100, end=120, quote=one.text
    )
    text, annotations = content_of(answer("Saturn [1], not [2].", cited))
    assert [note["url_citation"]["url"] for note in annotations] == [one.revision.url]
    span = annotations[0]["url_citation"]
    assert text[span["start_index"] : span["end_index"]] == "[1]"
    assert "“The rings of Saturn.”" in text.splitlines()[-1]


def test_text_of_articles_is_no_markdown() -> None:
    assert inert("![x](http://e.example)") == "!\\[x]\\(http://e.example)"
    assert inert("<script>alert()</script> [1]: [a][b]") == (
        "\\<script>alert()\\</script> [1]\\: [a]\\[b]"
    )
    assert inert("5 < 6, a [1] b") == "5 < 6, a [1] b"
    assert isinstance(Problem(status=400, detail="x"), Exception)
