"""A small wiki with an API on loopback: pages with histories, and the moods of a real server."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from tests.exports import Edit

TITLES_AT_ONCE = 50


@dataclass
class Wiki:
    """What the server serves, and what it was asked."""

    histories: dict[str, Sequence[Edit]]
    answer_size: int = 10
    """Pages with content in one part of an answer; the rest is to be asked for by `continue`."""
    moods: list[tuple[int, dict[str, str], str]] = field(default_factory=list)
    """Answers (status, headers, body) given before the first real one."""
    asked: list[dict[str, str]] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    address: str = ""

    def answer(self, asked: dict[str, str]) -> dict[str, Any]:
        """Return what the API answers."""
        if asked.get("meta") == "siteinfo":
            return {
                "query": {
                    "general": {"base": "https://en.wikipedia.org/wiki/Main_Page"},
                    "namespaces": {"0": {"name": ""}, "14": {"id": 14, "name": "Kategorio"}},
                }
            }
        titles = asked["titles"].split("|")
        if len(titles) > TITLES_AT_ONCE:
            return {"error": {"code": "toomanyvalues", "info": "Too many values"}}
        if "rvstart" in asked and len(titles) > 1:
            return {"error": {"code": "rvmultpages", "info": "one page only"}}
        normalized = [
            {"from": title, "to": title[:1].upper() + title[1:].replace("_", " ")}
            for title in titles
        ]
        names = [entry["to"] for entry in normalized]
        first = int(asked.get("rvcontinue", "0"))
        last = first + self.answer_size
        pages = [self._page(name, asked, first <= at < last) for at, name in enumerate(names)]
        answer: dict[str, Any] = {
            "query": {
                "normalized": [entry for entry in normalized if entry["from"] != entry["to"]],
                "pages": pages,
            }
        }
        if last < len(names):
            answer["continue"] = {"rvcontinue": str(last), "continue": "||"}
        return answer

    def _page(self, name: str, asked: dict[str, str], with_content: bool) -> dict[str, Any]:
        if name not in self.histories:
            return {"ns": 0, "title": name, "missing": True}
        page_id = list(self.histories).index(name) + 1
        page: dict[str, Any] = {
            "pageid": page_id,
            "ns": 1 if name.startswith("Talk:") else 0,
            "title": name,
        }
        edits = [
            (page_id * 100 + at, edit)
            for at, edit in enumerate(self.histories[name])
            if edit.timestamp <= asked.get("rvstart", "9")
        ]
        if edits and with_content:
            rev_id, edit = max(edits, key=lambda pair: pair[1].timestamp)
            slot = {"contentmodel": edit.model, "content": edit.text}
            page["revisions"] = [
                {"revid": rev_id, "timestamp": edit.timestamp, "slots": {"main": slot}}
            ]
        return page


@contextmanager
def serving(wiki: Wiki) -> Iterator[Wiki]:
    """Serve a wiki until the block ends; its `address` is that of the API."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            form = self.rfile.read(int(self.headers["Content-Length"])).decode()
            asked = {name: values[0] for name, values in parse_qs(form).items()}
            wiki.asked.append(asked)
            wiki.agents.add(self.headers["User-Agent"])
            if wiki.moods:
                status, headers, body = wiki.moods.pop(0)
            else:
                status, headers, body = 200, {}, json.dumps(wiki.answer(asked))
            content = body.encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    wiki.address = f"http://127.0.0.1:{server.server_address[1]}/w/api.php"
    try:
        yield wiki
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
