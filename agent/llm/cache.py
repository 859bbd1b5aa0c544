"""Replies already paid for: a SQLite file of calls, keyed by everything that changes a reply.

A run keeps its calls in `calls.sqlite`. A finished call is never sent twice; `replay` answers from
the file alone and never opens a socket. Several processes may share a file (SQLite's write-ahead
log); within one process, equal calls under way at the same time are sent once.

Failures are kept too, so that a replay fails where the run failed; a later run that may use the
network tries them again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
import threading
import weakref
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from agent import errors
from agent.errors import ModelError, ReplayMiss
from agent.llm.port import Completion, LanguageModel, Message, Tool, ToolCall
from agent.llm.structured import read_reply, strict_schema
from agent.types import Usage
from corpus.errors import BackendError, InputError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    key TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    ok INTEGER NOT NULL,
    reply TEXT NOT NULL,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT
"""
_APPLICATION_ID = 0x46464331
"""Marks the file as ours; another SQLite file is refused rather than written into."""
_FAILURES: dict[str, type[ModelError]] = {
    kind.__name__: kind
    for kind in (
        errors.ModelError,
        errors.ModelRefused,
        errors.ReplyMalformed,
        errors.ReplyTruncated,
        errors.ToolsRefused,
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheKey:
    """What changes a reply beside the request itself."""

    model: str
    endpoint: str
    epoch: int = 0
    """Raise it to draw a fresh sample of every reply."""
    fingerprint: str = ""
    """Of the snapshot that the conversation draws on."""

    def of(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] | None,
        schema: type[BaseModel] | None,
        max_tokens: int,
        temperature: float,
        seed: int | None,
    ) -> str:
        """Return the SHA-256 of the call, in hexadecimal."""
        call = {
            "key": asdict(self),
            "messages": [_message(message) for message in messages],
            "tools": [[tool.name, tool.description, dict(tool.parameters)] for tool in tools or ()],
            "schema": None if schema is None else [schema.__name__, dict(strict_schema(schema))],
            "max_tokens": max_tokens,
            "temperature": float(temperature),
            "seed": seed,
        }
        text = json.dumps(call, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _message(message: Message) -> list[object]:
    calls = [[call.id, call.name, _arguments(call)] for call in message.tool_calls]
    return [message.role, message.content, calls, message.tool_call_id]


def _arguments(call: ToolCall) -> object:
    return call.raw if call.arguments is None else dict(call.arguments)


class CallCache:
    """The file of calls. Safe to share between threads and processes."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._lock = threading.Lock()
        if read_only and not path.is_file():
            raise InputError(f"{path}: no recorded calls to replay; run without replay first")
        try:
            self._connection = self._connect(path, read_only)
        except sqlite3.OperationalError as error:
            wanted = "read from" if read_only else "recorded in"
            raise InputError(
                f"calls cannot be {wanted} {path} ({error}): make room or name another file"
            ) from error
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"{path} is no file of recorded calls ({error}): move it away or name another"
            ) from error
        self.close = weakref.finalize(self, self._connection.close)
        """Close the file; the end of this object does so too."""

    @staticmethod
    def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
        if not read_only:
            path.parent.mkdir(parents=True, exist_ok=True)
        mode = "ro" if read_only else "rwc"
        if read_only and not path.with_name(f"{path.name}-wal").exists():
            # Nobody is writing: read without the files that SQLite would make beside it, which a
            # folder that may not be written or a full disk would forbid.
            mode = "ro&immutable=1"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=30,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            mark = connection.execute("PRAGMA application_id").fetchone()[0]
            used = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if mark != _APPLICATION_ID and used:
                raise sqlite3.DatabaseError("another program's database")
            if not read_only:
                connection.execute("PRAGMA journal_mode = WAL")
                # Survives a killed process; a power cut may cost the last replies, no more.
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(_SCHEMA)
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        except BaseException:
            connection.close()
            raise
        return connection

    def get(self, key: str) -> tuple[bool, dict[str, Any]] | None:
        """Return (ok, record) of a call, or None."""
        with self._lock:
            row = self._connection.execute(
                "SELECT ok, reply FROM calls WHERE key = ?", (key,)
            ).fetchone()
        return None if row is None else (bool(row[0]), json.loads(row[1]))

    def put(self, key: str, model: str, *, ok: bool, record: dict[str, Any]) -> None:
        """Keep a call. A reply is never overwritten by a failure, nor by a later reply."""
        reply = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace").decode()
        try:
            with self._lock:
                self._connection.execute(
                    "INSERT INTO calls (key, model, ok, reply) VALUES (?, ?, ?, ?) "
                    "ON CONFLICT (key) DO UPDATE SET ok = excluded.ok, reply = excluded.reply, "
                    "at = excluded.at WHERE calls.ok = 0",
                    (key, model, int(ok), reply),
                )
        except sqlite3.OperationalError as error:
            raise BackendError(f"cannot record a call in {self.path}: {error}") from error

    def __len__(self) -> int:
        with self._lock:
            return int(self._connection.execute("SELECT count(*) FROM calls").fetchone()[0])


class CachedModel:
    """A model that answers known calls from a cache; with no model behind it, those alone."""

    def __init__(self, model: LanguageModel | None, cache: CallCache, key: CacheKey) -> None:
        self._model = model
        self._cache = cache
        self._key = key
        self._under_way: dict[str, asyncio.Future[None]] = {}

    @property
    def name(self) -> str:
        """The model's name."""
        return self._key.model

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] | None = None,
        schema: type[BaseModel] | None = None,
        max_tokens: int = 1024,
        temperature: float = 0.0,
        seed: int | None = None,
    ) -> Completion:
        """Return the kept reply, or ask and keep it; see `LanguageModel.complete`.

        Raises:
            ReplayMiss: the call is not in the cache and there is no model to ask.
        """
        key = self._key.of(
            messages,
            tools=tools,
            schema=schema,
            max_tokens=max_tokens,
            temperature=temperature,
            seed=seed,
        )
        while (under_way := self._under_way.get(key)) is not None:
            await asyncio.wait([under_way])
        kept = self._cache.get(key)
        if kept is not None and (kept[0] or self._model is None):
            return _restored(*kept, schema)
        if self._model is None:
            raise ReplayMiss(
                f"call {key[:16]} to {self.name!r} is not among those recorded in "
                f"{self._cache.path}: the question, prompts, model or snapshot have changed"
            )
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._under_way[key] = done
        try:
            completion = await self._model.complete(
                messages,
                tools=tools,
                schema=schema,
                max_tokens=max_tokens,
                temperature=temperature,
                seed=seed,
            )
        except ModelError as error:
            record = {"error": type(error).__name__, "message": str(error)}
            record["usage"] = asdict(error.usage)  # type: ignore[assignment]
            self._cache.put(key, self.name, ok=False, record=record)
            raise
        else:
            self._cache.put(key, self.name, ok=True, record=_record(completion))
            return completion
        finally:
            del self._under_way[key]
            done.set_result(None)


def _record(completion: Completion) -> dict[str, Any]:
    return {
        "text": completion.text,
        "tool_calls": [
            [call.id, call.name, None if call.arguments is None else dict(call.arguments), call.raw]
            for call in completion.tool_calls
        ],
        "finish_reason": completion.finish_reason,
        "usage": asdict(completion.usage),
    }


def _restored(ok: bool, record: dict[str, Any], schema: type[BaseModel] | None) -> Completion:
    usage = Usage(**record["usage"])
    usage = replace(usage, cached=usage.calls)
    if not ok:
        failure = _FAILURES.get(record["error"], ModelError)(record["message"])
        failure.usage = usage
        raise failure
    calls = tuple(
        ToolCall(id=id_, name=name, arguments=arguments, raw=raw)
        for id_, name, arguments, raw in record["tool_calls"]
    )
    parsed = None
    if schema is not None and not calls:
        parsed, _ = read_reply(record["text"], schema)
    return Completion(
        text=record["text"],
        tool_calls=calls,
        parsed=parsed,
        finish_reason=record["finish_reason"],
        usage=usage,
    )
