"""What whoever runs the server chooses."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from agent.budget import Budget
from agent.graph.parts import Wiring
from agent.serve.access.tokens import Token
from agent.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of one server; JSON values, tokens and the parts of a model."""

    host: str = "127.0.0.1"
    port: int = 8765
    allowed_hosts: tuple[str, ...] = ()
    """Names under which the server is asked, beside localhost and addresses."""
    tokens: tuple[Token, ...] = ()
    cluster: str = ""
    """Where the segments of BM25+ are searched; "" for each process itself."""
    retriever: str | None = None
    """Store of the vectors, see `retrieval.stores`; None for the snapshot's own."""
    snapshots: tuple[Path | None, ...] = (None,)
    """Folders; None is the embedded sample. The first is the default."""
    models: tuple[str | None, ...] = (None,)
    """None is the extractive engine. The first is the default."""
    settings: Settings = field(default_factory=Settings)
    """Of a question that names no other; snapshot and model stand above."""
    wiring: Wiring = field(default_factory=Wiring)
    """Key, limits and files of the models."""
    workers: int = 1
    """Processes that serve; the limits below are of all of them together."""
    places: int = 8
    """Questions at once."""
    waiting: int = 64
    """Questions that may wait for a place."""
    searches: int = 512
    """Searches that may wait."""
    connections: int = 1000
    kept_bytes: int = 64 << 20
    """For what was found and answered before; 0 keeps nothing."""
    body_bytes: int = 262_144
    seconds: float = 300.0
    """Most that one question may take."""
    patience: float = 10.0
    """Seconds in which a request has to arrive, and in which a client has to take what it is sent."""
    grace: float = 20.0
    """Seconds in which answers may still end when the server stops."""

    @property
    def budget(self) -> Budget:
        """Of a question that names none."""
        return self.settings.budget
