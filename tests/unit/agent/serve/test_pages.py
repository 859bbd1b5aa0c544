import re

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from agent.serve.pages import CONTENT_SECURITY_POLICY, STATIC, mount_pages


@pytest.fixture
def client() -> TestClient:
    app = Starlette()
    mount_pages(app)
    return TestClient(app)


@pytest.mark.parametrize("path", ["/", "/search"])
def test_a_page_and_all_that_it_loads_are_there(client: TestClient, path: str) -> None:
    seen: set[str] = set()
    waiting = {path}
    while waiting:
        asked = waiting.pop()
        seen.add(asked)
        reply = client.get(asked)
        assert reply.status_code == 200, asked
        assert reply.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        named = re.findall(r"(?:src|href)=\"(/static/[^\"#]+)", reply.text)
        named += [f"/static/{name}" for name in re.findall(r"from \"\./([\w.]+)\"", reply.text)]
        waiting |= set(named) - seen
    assert {"/static/style.css", "/static/icon.svg", "/static/api.js"} <= seen


def test_what_was_not_changed_is_not_sent_again(client: TestClient) -> None:
    tag = client.get("/static/style.css").headers["etag"]
    again = client.get("/static/style.css", headers={"If-None-Match": tag})
    assert again.status_code == 304
    assert again.headers["content-security-policy"] == CONTENT_SECURITY_POLICY


@pytest.mark.parametrize(
    "path", ["/static/../pages.py", "/static/%2e%2e/pages.py", "/static/", "/static/none.js"]
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_markup_holds_no_script_and_no_style() -> None:
    for name in ("index.html", "search.html"):
        markup = (STATIC / name).read_text(encoding="utf-8")
        assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?![^>]*\ssrc=)|https?://", markup)
