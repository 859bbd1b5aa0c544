"""Where a question's hits come from, as the setting says: nothing, the snapshot, or given articles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from agent.settings import Settings
from corpus.errors import InputError
from corpus.progress import Pace

if TYPE_CHECKING:
    from corpus.articles import Articles
    from corpus.store import Snapshot
    from retrieval.index import Mode
    from retrieval.types import Hit, Retriever

Say = Callable[[str], None]


class NoRetriever:
    """The closed setting: nothing is ever found."""

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return an empty list for each query."""
        return [[] for _ in queries]


def open_snapshot(settings: Settings, say: Say) -> Snapshot:
    """Open the snapshot that was named, or the embedded sample.

    Raises:
        InputError: no snapshot there; says how to build one.
    """
    from corpus.store import Snapshot

    if settings.snapshot is not None:
        snapshot = Snapshot.open(settings.snapshot)
        snapshot.check()
        return snapshot
    from corpus.sample import sample_snapshot

    return Snapshot.open(sample_snapshot(settings.language, say=say))


def retriever_of(
    settings: Settings,
    snapshot: Articles,
    say: Say,
    model: str | None,
    store_key: str | None = None,
) -> Retriever:
    """Return what a setting searches.

    Args:
        settings: the setting, and the titles of the evidence.
        snapshot: that holds the articles.
        say: told what takes a while.
        model: name of the one that reads the hits; None for the extractive engine.
        store_key: of the store that the settings name.

    Raises:
        InputError: a title that leads to no article, or articles without an index.
    """
    if settings.setting == "closed":
        return NoRetriever()
    if settings.setting == "evidence":
        from retrieval.evidence import EvidenceRetriever, FilledEvidence

        missing = [title for title in settings.evidence if snapshot.find(title) is None]
        if missing:
            near = snapshot.search_titles(missing[0], limit=3)
            raise InputError(
                f"no article is called {missing[0]!r} in the snapshot {snapshot.manifest.name}"
                + (f"; near it: {', '.join(near)}" if near else "")
            )
        given = EvidenceRetriever(snapshot, list(settings.evidence))
        if model is None:
            return given
        from agent.llm.tokens import counter_for
        from agent.prompted.inquiry import EVIDENCE_TOKENS

        # The prompt leaves out what its other parts leave no room for.
        tokens = settings.context_limit or EVIDENCE_TOKENS
        return FilledEvidence(given, tokens, counter_for(model))
    from corpus.store import Snapshot
    from retrieval.index import open_retriever

    if not isinstance(snapshot, Snapshot):
        raise InputError(
            f"{snapshot.manifest.name} is articles in memory, which have no index: ask in the "
            "evidence setting, or give a retriever"
        )
    mode = mode_of(snapshot, say, sample=settings.snapshot is None)
    if settings.store is None:
        return open_retriever(snapshot.folder, mode)
    return open_retriever(snapshot.folder, "hybrid", store=settings.store, store_key=store_key)


def mode_of(snapshot: Snapshot, say: Say, *, sample: bool) -> Mode:
    """Return how a snapshot is searched where nothing else is said: by all that it has indexes for.

    Args:
        snapshot: to search.
        say: told what takes a while.
        sample: it is the embedded one, whose indexes are built where they are missing.
    """
    from retrieval.index import ensure_built, has_vectors, list_indexes

    if sample:
        if not list_indexes(snapshot.folder):
            say("the sample's indexes are built, once")
        ensure_built(snapshot.folder, on_progress=Pace("chunks", say))
    return "hybrid" if has_vectors(snapshot.folder, None) else "bm25"
