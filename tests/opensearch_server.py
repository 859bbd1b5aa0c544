"""A server of this process that speaks as much of OpenSearch's REST interface as a vector store needs.

Indexes with one `knn_vector` field compared by inner product, `_bulk`, `_refresh`, `_count`,
`_search`, `_msearch`, `_mget`, `_delete_by_query` of all, aliases of a pattern. What is written is
found by its id at once, and counted and searched after a refresh, as there. The search is exact.
Now and then a request is refused with 429 or 503, or some vectors of a bulk are, with 429.
"""

from __future__ import annotations

import base64
import fnmatch
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np

Answer = tuple[int, Any]


@dataclass
class Index:
    """One index: its mapping, what was written, and what a search sees of it."""

    body: Mapping[str, Any]
    written: dict[str, dict[str, Any]] = field(default_factory=dict)
    seen: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def vector_field(self) -> tuple[str, int]:
        """The name of the field of vectors, and their dimension."""
        for name, mapping in self.body["mappings"]["properties"].items():
            if mapping["type"] == "knn_vector":
                assert mapping["method"]["space_type"] == "innerproduct"
                return name, mapping["dimension"]
        raise AssertionError("no field of vectors")

    def fault(self, document: Mapping[str, Any]) -> str:
        """Return what is wrong with a document, "" where nothing is."""
        name, dim = self.vector_field
        if len(document.get(name, ())) != dim:
            return f"Vector dimension mismatch. Expected: {dim}"
        strict = self.body["mappings"].get("dynamic") == "strict"
        return "mapping set to strict" if strict and set(document) != {name} else ""

    def search(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a search by a vector."""
        name, _ = self.vector_field
        asked = body["query"]["knn"][name]
        ids = list(self.seen)
        hits: list[dict[str, Any]] = []
        if ids:
            vectors = np.array([self.seen[one][name] for one in ids], np.float32)
            products = vectors @ np.array(asked["vector"], np.float32)
            scores = np.where(products > 0, products + 1, 1 / (1 - np.minimum(products, 0)))
            for place in np.argsort(-scores, kind="stable")[: min(asked["k"], body["size"])]:
                hit = {"_id": ids[place], "_score": float(scores[place])}
                if body.get("_source") is not False:
                    hit["_source"] = self.seen[ids[place]]
                hits.append(hit)
        total = {"value": len(hits), "relation": "eq"}
        return {"took": 1, "timed_out": False, "hits": {"total": total, "hits": hits}}


class Server:
    """Its indexes, and the troubles it makes."""

    def __init__(self, key: str = "") -> None:
        self.indexes: dict[str, Index] = {}
        self.key = key
        """USER:PASSWORD that it asks for."""
        self.troubles: Iterator[int] = iter(())
        """Statuses with which the next requests are refused; 0 lets one pass, 1 refuses the half of
        a bulk's documents."""
        self.refused = 0
        self.url = ""
        self._lock = threading.Lock()

    def answer(self, method: str, path: str, body: bytes, authorization: str) -> Answer:
        """Answer a request."""
        with self._lock:
            wanted = base64.b64encode(self.key.encode()).decode()
            if self.key and authorization != f"Basic {wanted}":
                return 401, {"error": f"Unauthorized: {authorization}", "status": 401}
            trouble = next(self.troubles, 0)
            if trouble > 1:
                self.refused += 1
                reason = {"type": "rejected_execution_exception", "reason": "too busy"}
                return trouble, {"error": reason, "status": trouble}
            return self._routed(method, unquote(path).strip("/").split("/"), body, trouble == 1)

    def _routed(self, method: str, path: list[str], body: bytes, halve: bool) -> Answer:
        match method, path:
            case "GET", [""]:
                return 200, {"version": {"number": "3.1.0", "distribution": "opensearch"}}
            case _, [*name, "_bulk"]:
                return 200, self._bulk(name[0] if name else "", lines(body), halve)
            case "GET", [pattern, "_alias"]:
                names = fnmatch.filter(self.indexes, pattern)
                return 200, {name: {"aliases": {}} for name in names}
            case "PUT", [name]:
                if name in self.indexes:
                    return 400, {"error": {"type": "resource_already_exists_exception"}}
                self.indexes[name] = Index(json.loads(body))
                return 200, {"acknowledged": True, "index": name}
            case _, [name, *_] if name not in self.indexes:
                reason = {"type": "index_not_found_exception", "reason": f"no such index [{name}]"}
                return 404, {"error": reason, "status": 404}
            case _, [name, *rest]:
                return self._of_index(self.indexes[name], method, rest, body)
        raise AssertionError(f"{method} {path}")

    def _of_index(self, index: Index, method: str, rest: list[str], body: bytes) -> Answer:
        match method, rest:
            case "GET" | "HEAD", []:
                return 200, {"index": index.body}
            case _, ["_refresh"]:
                index.seen = dict(index.written)
                return 200, {"_shards": {"successful": 1}}
            case _, ["_count"]:
                return 200, {"count": len(index.seen)}
            case _, ["_search"]:
                return 200, index.search(json.loads(body))
            case _, ["_msearch"]:
                return 200, {"responses": [index.search(one) for one in lines(body)[1::2]]}
            case _, ["_mget"]:
                ids = json.loads(body)["ids"]
                found = [{"_id": one, "_source": index.written.get(one)} for one in ids]
                return 200, {"docs": [one | {"found": one["_source"] is not None} for one in found]}
            case "POST", ["_delete_by_query"]:
                deleted, index.written, index.seen = len(index.written), {}, {}
                return 200, {"deleted": deleted}
        raise AssertionError(f"{method} {rest}")

    def _bulk(self, name: str, said: list[Any], halve: bool) -> dict[str, Any]:
        items: list[dict[str, Any]] = []
        for place in range(0, len(said), 2):
            action, document = said[place]["index"], said[place + 1]
            index = self.indexes[action.get("_index", name)]
            status, fault = (429, "too busy") if halve and place % 4 else (201, "")
            if not fault and (fault := index.fault(document)):
                status = 400
            told: dict[str, Any] = {"_id": action["_id"], "status": status}
            if fault:
                self.refused += 1
                told["error"] = {"type": "mapper_parsing_exception", "reason": fault}
            else:
                index.written[action["_id"]] = document
            items.append({"index": told})
        return {"took": 1, "errors": any("error" in one["index"] for one in items), "items": items}


def lines(body: bytes) -> list[Any]:
    """Return the JSON values of a body of lines."""
    return [json.loads(line) for line in body.splitlines() if line.strip()]


@contextmanager
def serving(key: str = "") -> Iterator[Server]:
    """Serve on a free port of the loopback interface."""
    server = Server(key)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            path = urlsplit(self.path).path
            asked = self.headers.get("authorization", "")
            status, told = server.answer(self.command, path, body, asked)
            reply = b"" if self.command == "HEAD" else json.dumps(told).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json; charset=UTF-8")
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            pass

    for method in ("GET", "HEAD", "POST", "PUT"):
        setattr(Handler, f"do_{method}", Handler.answer)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        server.url = f"http://127.0.0.1:{listening.server_port}"
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()
