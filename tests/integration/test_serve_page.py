"""The two pages in headless Chromium, over the real server: asked, watched, opened, kept, exported.

Where Chromium is missing (Debian: `apt-get install -y chromium`), these tests are skipped, but never
in CI.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from agent.serve.pages import CONTENT_SECURITY_POLICY
from agent.serve.snapshots.examples import examples
from corpus.sample import sample_snapshot
from corpus.store import Snapshot

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"),
    reason="Chromium is not installed: apt-get install -y chromium",
)
QUESTION = "Which of the Great Lakes has the largest surface area, and which river drains it?"
IN_PART_UNSURE = (
    "What is the Latin motto of each Ivy League university that was founded before 1750?"
)
"""Nothing says of the mottos that they are Latin."""
WAIT = 60_000
"""Milliseconds for an answer on a machine that others use too."""
HOSTILE = "<img src=x onerror=\"document.title='owned'\">](javascript:alert(1)) **x** `y` &lt;b&gt;"


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """Run the server as its user does; yield its address."""
    server = subprocess.Popen(
        [sys.executable, "-m", "agent", "serve", "--port", "0", *arguments],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stderr is not None
        told = ""
        while (address := re.search(r"http://\S+?(?=/\s)", told)) is None:
            line = server.stderr.readline()
            assert line, told
            told += line
        yield address[0]
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)


@pytest.fixture(scope="module")
def silent() -> Iterator[socket.socket]:
    """A model's endpoint that never replies."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(WAIT / 1000)
        yield listening


@pytest.fixture(scope="module")
def base(silent: socket.socket) -> Iterator[str]:
    endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
    with serving("--model", "silent", "--base-url", endpoint) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM is not None, "CI must have Chromium: apt-get install -y chromium"
    with sync_playwright() as playwright:
        expect.set_options(timeout=WAIT)
        started = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield started
        started.close()


@contextmanager
def visiting(browser: Browser, base: str, **options: Any) -> Iterator[Page]:
    """Open a page in a browser without history; it may ask nobody but the server, and complain of nothing."""
    context: BrowserContext = browser.new_context(base_url=base, **options)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None,
    )
    try:
        yield page
        foreign = [url for url in asked if not url.startswith((base, "blob:"))]
        assert not foreign
        # What refusals that are tested make Chromium say.
        due = ("Failed to load resource", "requires 'TrustedHTML' assignment")
        assert not [told for told in complaints if not any(one in told for one in due)]
    finally:
        context.close()


@pytest.fixture
def page(browser: Browser, base: str) -> Iterator[Page]:
    with visiting(browser, base) as opened:
        yield opened


@pytest.fixture(scope="module")
def answered(browser: Browser, base: str) -> Iterator[Page]:
    """The page with one answer on show; tests leave it as they found it."""
    with visiting(browser, base, accept_downloads=True) as opened:
        ask(opened, QUESTION)
        expect(opened.locator(".prose")).to_be_visible()
        yield opened


def ask(page: Page, question: str, **choices: str) -> None:
    page.goto("/")
    expect(page.locator("#strategy option").first).to_be_attached()
    for name, value in ({"model": "extractive"} | choices).items():
        page.select_option(f"#{name}", value)
    page.fill("#question", question)
    page.keyboard.press("Enter")


def kept_answer(page: Page) -> dict[str, Any]:
    """Return the server's reply as the browser keeps it."""
    found: dict[str, Any] = page.evaluate(
        """async () => {
            const { find } = await import('/static/history.js');
            return (await find(location.hash.split('/').at(-1))).answer;
        }"""
    )
    return found


def test_the_plan_grows_and_each_value_has_its_quote(answered: Page) -> None:
    reply = kept_answer(answered)
    steps = {step["id"]: step for step in reply["sub_questions"] if step["kind"] != "follow_up"}
    assert len(steps) > 3
    filled = [id_ for id_ in steps if "." in id_]
    assert filled
    # A filled step stands under the planned one, which the reply no longer names.
    parent = answered.locator("#tree > li.group").first
    assert "found in 1" in parent.locator("> .step").inner_text()
    assert parent.locator("> ol > li").count() > 1
    quotes = {one["number"]: one["quote"] for one in reply["citations"]}
    rows = answered.locator("#tree li:not(.group) > .step")
    assert rows.count() == len(steps)
    for step, row in zip(sorted(steps.values(), key=_order), rows.all(), strict=True):
        shown = row.inner_text()
        assert step["text"] in shown
        for number in step["citations"][:2]:
            assert quotes[number] in shown
        assert ("unsure" in shown) == (step["status"] == "unsure")


def _order(step: dict[str, Any]) -> list[int]:
    return [int(part) for part in step["id"].split(".")]


def test_the_tree_is_drawn_event_by_event(page: Page, base: str) -> None:
    """The server's own events, one after the other: no step is lost, moved or forgets what it was."""
    asked = {"question": QUESTION, "model": "extractive"}
    stream = httpx.post(f"{base}/v1/ask/stream", json=asked, timeout=60).text
    page.goto("/")
    seen = page.evaluate(
        """async (stream) => {
            const [{ events }, { begin, take }, { treeView }] = await Promise.all(
                ['api', 'run', 'tree'].map((name) => import(`/static/${name}.js`)));
            const [list, tally] = [document.createElement('ol'), document.createElement('div')];
            const run = begin('', {});
            const draw = treeView(list, tally);
            const seen = [];
            const feed = events((name, data) => {
                take(run, name, data);
                draw(run);
                const rows = [...list.querySelectorAll('li:has(> .step)')];
                seen.push([name, rows.map((row) => [row.querySelector('.number').textContent, row.className])]);
            });
            feed(stream);
            return seen;
        }""",
        stream,
    )
    names = [name for name, _ in seen]
    assert names[0] == "begun"
    assert names[-1] == "answer"
    planned = dict(seen)["plan"]
    assert {state for _, state in planned} == {"waiting"}
    order = ["waiting", "running", "answered unsure not_found failed not_asked group"]
    for (_, before), (name, after) in pairwise(seen[names.index("plan") :]):
        now = dict(after)
        for id_, state in before:
            was, is_ = (
                next(n for n, o in enumerate(order) if one in o) for one in (state, now[id_])
            )
            assert was <= is_, f"{name}: step {id_} was {state} and is {now[id_]}"
        assert [one for one, _ in after] == sorted(now, key=lambda id_: _order({"id": id_}))
    assert len(seen[-1][1]) > len(planned)
    assert "waiting" not in {state for _, state in seen[-1][1]}


def test_unsure_looks_unsure(page: Page) -> None:
    ask(page, IN_PART_UNSURE)
    expect(page.locator(".prose")).to_be_visible()
    reply = kept_answer(page)
    unsure = {one["number"] for one in reply["citations"] if one["support"] == "unsure"}
    assert unsure
    for mark in page.locator(".prose .mark").all():
        number = int(re.sub(r"\D", "", mark.inner_text()))
        label = mark.get_attribute("aria-label") or ""
        assert (", unsure" in label) == (number in unsure)
        style = mark.evaluate("(mark) => getComputedStyle(mark).borderStyle")
        assert ("dashed" in style) == (number in unsure)


def test_a_mark_opens_its_chunk_at_the_quote(answered: Page, base: str) -> None:
    for place in range(answered.locator(".prose .mark").count()):
        mark = answered.locator(".prose .mark").nth(place)
        number = int(re.sub(r"\D", "", mark.inner_text()))
        cited = next(one for one in kept_answer(answered)["citations"] if one["number"] == number)
        mark.click()
        sheet = answered.locator("#source")
        expect(sheet.locator(".chunk")).to_be_visible()
        assert sheet.locator("mark").text_content() == cited["quote"]
        chunk = httpx.get(f"{base}/v1/chunks/{cited['chunk_id']}").json()
        # Headings are set as headings: their hashes are all that is not shown.
        shown = re.sub(r"^#{2,6} ", "", chunk["text"], flags=re.M)
        assert sheet.locator(".chunk").text_content() == shown
        assert str(cited["rev_id"]) in sheet.inner_text()
        assert sheet.locator("#source-link a").get_attribute("href") == cited["url"]
        answered.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        assert mark.evaluate("(mark) => mark === document.activeElement")


def test_keys_lead_through_the_sources(answered: Page) -> None:
    answered.locator(".prose .mark").first.press("Enter")
    place = answered.locator("#source-place")
    total = len(kept_answer(answered)["citations"])
    expect(place).to_have_text(f"1 of {total}")
    answered.keyboard.press("ArrowRight")
    expect(place).to_have_text(f"2 of {total}")
    answered.keyboard.press("ArrowLeft")
    expect(place).to_have_text(f"1 of {total}")
    for _ in range(12):
        answered.keyboard.press("Tab")
        inside = (
            "document.activeElement === document.body || source.contains(document.activeElement)"
        )
        assert answered.evaluate(inside), "the focus stays in an open sheet"
    answered.keyboard.press("Escape")


def test_exports_say_what_the_answer_says(answered: Page) -> None:
    with answered.expect_download() as download:
        answered.get_by_role("button", name="Save as JSON").click()
    assert download.value.suggested_filename.endswith(".json")
    assert json.loads(download.value.path().read_text(encoding="utf-8")) == kept_answer(answered)
    with answered.expect_download() as download:
        answered.get_by_role("button", name="Save as Markdown").click()
    text = download.value.path().read_text(encoding="utf-8")
    reply = kept_answer(answered)
    for one in reply["citations"]:
        assert re.search(rf"^\[\^{one['number']}\]: ", text, re.M)
    for step in reply["sub_questions"]:
        assert step["kind"] == "follow_up" or f"- {step['id']}: " in text
    assert set(_links(text)) == {one["url"] for one in reply["citations"]}


def _links(markdown: str) -> list[str]:
    """Return where a document leads; fail where it holds markup of HTML."""
    found: list[str] = []
    for token in MarkdownIt("commonmark", {"html": True}).parse(markdown):
        for one in (token, *(token.children or [])):
            assert one.type not in ("html_block", "html_inline", "image"), one.content
            if one.type == "link_open":
                found.append(str(one.attrs["href"]))
    return found


def test_earlier_answers_are_kept_and_forgotten(browser: Browser, base: str) -> None:
    with visiting(browser, base) as page:
        page.on("dialog", lambda dialog: dialog.accept())
        ask(page, "What is the capital of France?")
        expect(page.locator(".prose")).to_be_visible()
        text, address = page.locator(".prose").inner_text(), page.url
        page.goto("/search")
        page.goto(address)
        expect(page.locator(".prose")).to_have_text(text, use_inner_text=True)
        page.get_by_role("link", name="Ask another").click()
        entry = page.locator("#earlier-list a")
        expect(entry).to_have_text("What is the capital of France?")
        entry.click()
        expect(page.locator(".prose")).to_be_visible()
        page.go_back()
        page.get_by_role("button", name="Forget: What is the capital").click()
        expect(page.locator("#earlier")).to_be_hidden()
        page.goto(address)
        expect(page.locator("#trouble")).to_contain_text("not kept in this browser")
        held = page.evaluate(
            """async () => {
                const { keep, list } = await import('/static/history.js');
                const { begin } = await import('/static/run.js');
                for (let n = 0; n < 104; n++) {
                    const at = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
                    await keep({ ...begin('q' + n, {}), at, state: 'done' });
                }
                return (await list()).map((one) => one.question);
            }"""
        )
        assert held == [f"q{n}" for n in reversed(range(4, 104))]


def test_stop_ends_the_work_on_the_server_too(page: Page, silent: socket.socket) -> None:
    ask(page, QUESTION, model="silent")
    connection, _ = silent.accept()
    with connection:
        expect(page.locator(".progress")).to_have_text("Planning")
        page.get_by_role("button", name="Stop").click()
        expect(page.locator("#answer")).to_contain_text("stopped before its answer")
        assert page.evaluate("document.activeElement.id") == "asked"
        connection.settimeout(WAIT / 1000)
        while connection.recv(65536):
            """What was sent before the question was stopped."""
    page.get_by_role("link", name="Ask another").click()
    expect(page.locator("#earlier-list li")).to_contain_text("stopped")


def test_a_refusal_is_shown_in_the_servers_words(page: Page, base: str) -> None:
    question = "How deep is it?"
    wrong = {"setting": "evidence", "evidence": ["No Such Article"], "model": "extractive"}
    told = httpx.post(f"{base}/v1/ask", json={"question": question, **wrong}).json()
    page.goto("/")
    page.select_option("#model", "extractive")
    page.select_option("#setting", "evidence")
    page.fill("#evidence", "No Such Article")
    page.fill("#question", question)
    page.get_by_role("button", name="Ask", exact=True).click()
    notice = page.locator(".notice.bad")
    for part in ("title", "detail", "mend"):
        if told.get(part):
            expect(notice).to_contain_text(told[part])


def test_titles_are_offered_for_the_evidence(page: Page) -> None:
    page.goto("/")
    page.select_option("#setting", "evidence")
    page.locator("#evidence").press_sequentially("Lake Sup")
    page.get_by_role("button", name="Lake Superior", exact=True).click()
    assert page.input_value("#evidence") == "Lake Superior\n"


def test_a_token_is_asked_for_and_forgotten_with_the_tab(browser: Browser) -> None:
    token = "correct-horse-battery"
    with serving("--token", token) as base, visiting(browser, base) as page:
        page.goto("/")
        page.fill("#token-value", "wrong-horse-battery")
        page.keyboard.press("Enter")
        expect(page.locator("#token")).to_be_visible()
        page.fill("#token-value", token)
        page.keyboard.press("Enter")
        expect(page.locator("#strategy option").first).to_be_attached()
        expect(page.locator("#token")).to_be_hidden()
        assert page.evaluate("localStorage.length") == 0
        page.goto("/search?q=lake")
        expect(page.locator(".hit").first).to_be_visible()


def test_the_examples_are_answered(base: str) -> None:
    about = httpx.get(f"{base}/v1/about").json()
    offered = about["snapshots"][0]["examples"]
    assert len(offered) == 3
    with Snapshot.open(sample_snapshot()) as snapshot:
        assert tuple(offered) == examples(snapshot)
    for question in offered:
        reply = httpx.post(
            f"{base}/v1/ask", json={"question": question, "model": "extractive"}, timeout=60
        ).json()
        assert not reply["abstained"], question
        assert any(one["support"] == "supported" for one in reply["citations"]), question


# ---- comparing ways to search


def test_ranks_are_those_of_the_three_searches(page: Page, base: str) -> None:
    query, k = "longest river of Europe", 5
    found = {
        mode: httpx.get(f"{base}/v1/search", params={"q": query, "k": k, "mode": mode}).json()[
            "results"
        ][0]["hits"]
        for mode in ("bm25", "dense", "hybrid")
    }
    page.goto("/search")
    page.select_option("#k", str(k))
    page.fill("#query", query)
    page.keyboard.press("Enter")
    expect(page.locator(".column.hybrid .hit")).to_have_count(k)
    assert "q=longest" in page.url
    names = {"bm25": "BM25+", "dense": "Dense", "hybrid": "Hybrid"}
    ranks = {mode: {hit["chunk_id"]: hit["rank"] for hit in hits} for mode, hits in found.items()}
    for mode, hits in found.items():
        cards = page.locator(f".column.{mode} .hit")
        assert cards.count() == len(hits)
        for card, hit in zip(cards.all(), hits, strict=True):
            assert card.get_attribute("data-chunk") == hit["chunk_id"]
            said = card.locator(".elsewhere").inner_text()
            for other in names.keys() - {mode}:
                rank = ranks[other].get(hit["chunk_id"])
                assert f"{names[other]}: {rank or 'not among them'}" in said
    shared = len(ranks["bm25"].keys() & ranks["dense"].keys())
    assert f"BM25+ and Dense share {shared}" in page.locator("#shared").inner_text()
    page.locator(".column.dense .hit .title").first.click()
    expect(page.locator("#source .chunk")).to_contain_text(found["dense"][0]["text"][:40])


# ---- text is text


def hostile_events() -> str:
    """Return a stream in which every text is an attack."""
    citation = {
        "number": 1,
        "chunk_id": "../../x:<1>",
        "page_id": 1,
        "rev_id": 1,
        "title": HOSTILE,
        "url": "javascript:document.title='owned'",
        "timestamp": HOSTILE,
        "caveat": HOSTILE,
        "start": 0,
        "end": 9,
        "quote": HOSTILE,
        "support": "supported",
    }
    step = {"id": "1", "text": f"{HOSTILE} {{1}}", "kind": "core", "depends_on": []}
    ended = {"status": "unsure", "answer": f"{HOSTILE} [1]", "error": HOSTILE}
    answer = {
        "question": HOSTILE,
        "answer": f"# {HOSTILE}\n- {HOSTILE} [1]\n\n<script>document.title='owned'</script>",
        "abstained": False,
        **dict.fromkeys(("setting", "strategy", "model"), HOSTILE),
        "snapshot": {"name": HOSTILE, "date": "2026-11-01", "asked": "", "fingerprint": ""},
        "sub_questions": [{**step, **ended, "citations": [1]}],
        "citations": [citation],
        **{name: [HOSTILE] for name in ("suggestions", "struck", "uncited_sentences", "notes")},
        "uncited": 1,
        "unsupported": True,
        "passages": [citation],
        "usage": {"calls": 1, "seconds": 1.0},
    }
    events = [
        ("begun", {"question": HOSTILE}),
        ("plan", {"sub_questions": [step], "changes": [HOSTILE]}),
        ("step_ended", {"sub_question": step, **ended, "items": [], "citations": [citation]}),
        ("answer", answer),
    ]
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)


def test_hostile_text_is_shown_as_text(page: Page) -> None:
    def reply(route: Route) -> None:
        route.fulfill(status=200, content_type="text/event-stream", body=hostile_events())

    page.route("**/v1/ask/stream", reply)
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    ask(page, HOSTILE)
    expect(page.locator(".prose")).to_be_visible()
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    assert page.locator("#asked").inner_text() == HOSTILE
    assert page.locator("main").inner_text().count("<img src=x onerror=") >= 10
    page.locator(".prose .mark").first.click()
    expect(page.locator("#source .warning")).to_be_visible()
    assert page.locator("#source mark").text_content() == HOSTILE
    assert page.locator("#source-link a").count() == 0
    assert page.locator("main img, main script, dialog img, dialog script").count() == 0
    hrefs = page.locator("a").evaluate_all("(all) => all.map((a) => a.protocol)")
    assert set(hrefs) == {"http:"}
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as Markdown").click()
    assert _links(download.value.path().read_text(encoding="utf-8")) == []
    page.get_by_role("link", name="Ask another").click()
    expect(page.locator("#earlier-list a")).to_have_text(HOSTILE)
    assert "owned" not in page.title()


def test_a_hostile_snapshot_is_shown_as_text(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("hostile")
    title = "<script>document.title='owned'</script> Orm"
    records = [
        {"title": title, "text": f"Length: 41 km\n\nThe Orm is a river. {HOSTILE}"},
        {"title": "Second\u202e river", "text": "The Second is a river of 12 km. </p><iframe>"},
    ]
    source = folder / "rivers.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    for command in (
        ["corpus", "build", str(source), "--date", "2026-11-01", "--out", str(folder / "s")],
        ["retrieval", "build", str(folder / "s"), "--bm25-only"],
    ):
        subprocess.run([sys.executable, "-m", *command], check=True, capture_output=True)
    with (
        serving("--snapshot", str(folder / "s")) as base,
        visiting(browser, base) as page,
    ):
        page.goto("/search?q=river of 41 km")
        hit = page.locator(".column.bm25 .hit").first
        expect(hit.locator(".title")).to_have_text(title)
        # Only BM25+ was built: the other columns say so in the server's words.
        refused = httpx.get(f"{base}/v1/search", params={"q": "river", "mode": "dense"}).json()
        expect(page.locator(".column.dense .notice")).to_contain_text(refused["detail"])
        hit.locator(".title").click()
        expect(page.locator("#source .chunk")).to_contain_text("<img src=x onerror=")
        assert page.locator("#source img, main img, iframe, main script").count() == 0
        assert "owned" not in page.title()


def test_no_script_in_markup_ever_runs(page: Page, base: str) -> None:
    for path in ("/", "/search", "/static/ask.js"):
        reply = httpx.get(base + path)
        assert reply.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    for path in ("/static/../pages.py", "/static/%2e%2e/pages.py", "/static/"):
        assert httpx.get(base + path).status_code == 404
    page.goto("/")
    refused = page.evaluate(
        """() => {
            try { document.body.innerHTML = '<b>x</b>'; return 'parsed'; } catch (error) { return error.name; }
        }"""
    )
    assert refused == "TypeError"
    for name in ("index.html", "search.html"):
        markup = httpx.get(f"{base}/static/{name}").text
        assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?![^>]*\ssrc=)|https?://", markup)


# ---- everybody can use it


@pytest.mark.parametrize(("width", "scheme"), [(1200, "dark"), (400, "light")])
def test_nothing_stands_in_anybodys_way(
    browser: Browser, base: str, width: int, scheme: Any
) -> None:
    """Axe's rules for WCAG 2.2 AA (contrast, names, roles, order) hold, and nothing scrolls sideways."""
    view = {"width": width, "height": 850}
    with visiting(
        browser, base, color_scheme=scheme, viewport=view, reduced_motion="reduce"
    ) as page:
        ask(page, "Which river drains Lake Superior, and what is the area of Lake Huron?")
        expect(page.locator(".prose")).to_be_visible()
        _check(page, "the answer")
        page.locator(".prose .mark, .quote").first.click()
        expect(page.locator("#source .chunk")).to_be_visible()
        _check(page, "a source")
        page.keyboard.press("Escape")
        page.get_by_role("link", name="Ask another").click()
        expect(page.locator("#earlier-list a")).to_be_visible()
        _check(page, "the first screen")
        page.goto("/search?q=lake&k=5")
        expect(page.locator(".column.hybrid .hit").first).to_be_visible()
        _check(page, "the search")


def _check(page: Page, where: str) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{where} is {wide} px too wide"
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = Axe().run(page, options={"runOnly": tags, "resultTypes": ["violations"]})
    told = [
        f"{where}: {one['id']}: {node['html'][:160]}"
        for one in found.response["violations"]
        for node in one["nodes"]
    ]
    assert not told, "\n".join(told)


def test_the_keyboard_is_enough(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#example-list button").first).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "question", "one can type at once"
    reached: list[str] = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.id || document.activeElement.textContent")
        )
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        if page.evaluate("document.activeElement !== document.body"):
            assert outline != "none", f"{reached[-1]}: the focus is not visible"
    order = ["Ask", "strategy", "setting", "snapshot", "model"]
    assert reached[: len(order)] == order
    page.locator("#model").focus()
    page.keyboard.press("ArrowDown")
    assert page.input_value("#model") == "extractive"
    page.locator("#example-list button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#answer .prose")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "asked"
    expect(page.locator("#live")).to_have_text("The answer is there.")


# ---- formulas of the page


def test_spans_count_characters_as_the_server_does(page: Page) -> None:
    random.seed(3)
    alphabet = "ab é漢🌊𝔸\u0301\n👩‍🚀"
    cases = []
    for _ in range(300):
        text = "".join(random.choices(alphabet, k=random.randrange(1, 40)))
        start, end = sorted(random.choices(range(len(text) + 1), k=2))
        cases.append([text, start, end, text[start:end]])
    page.goto("/")
    wrong = page.evaluate(
        """async (cases) => {
            const { highlighted, span } = await import('/static/text.js');
            return cases.filter(([text, start, end, quote]) => {
                const shown = document.createElement('p');
                shown.append(...highlighted(text, start, end, quote));
                const mark = shown.querySelector('mark')?.textContent ?? '';
                return span(text, start, end) !== quote || mark !== quote || shown.textContent !== text;
            });
        }""",
        cases,
    )
    assert wrong == []


def test_events_are_read_wherever_the_stream_is_cut(page: Page) -> None:
    stream = (
        ': keep-alive\r\n\r\nevent: plan\r\ndata: {"a":\r\ndata: "é🌊"}\r\n\r\n'
        'event: composing\ndata: {}\n\ndata:{"b": 1}\r\revent: empty\n\n'
    )
    page.goto("/")
    read = page.evaluate(
        """async (stream) => {
            const { events } = await import('/static/api.js');
            const ways = new Set();
            for (let one = 0; one <= stream.length; one++) {
                for (let two = one; two <= stream.length; two += 3) {
                    const found = [];
                    const feed = events((name, data) => found.push([name, data]));
                    [stream.slice(0, one), stream.slice(one, two), stream.slice(two)].forEach(feed);
                    ways.add(JSON.stringify(found));
                }
            }
            return [...ways];
        }""",
        stream,
    )
    assert read == ['[["plan",{"a":"é🌊"}],["composing",{}],["message",{"b":1}]]']
