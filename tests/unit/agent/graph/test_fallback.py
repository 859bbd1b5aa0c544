"""The passages that are shown where nothing was answered."""

from __future__ import annotations

from agent.graph.fallback import nearest_passages
from corpus.types import Chunk, Revision
from retrieval.types import Hit

TEXT = (
    "## Peaks\n\nPeak | Height | Country\nPeak: Zugspitze | Height: 2,962 m | Country: Germany\n\n"
    "Triglav is a mountain of Slovenia. It is 2,864 m high.\n\n## History\n\nIt was climbed in 1778."
)


def quotes(question: str) -> list[str]:
    revision = Revision(page_id=1, rev_id=1, title="Peaks", timestamp="", url="")
    chunk = Chunk(id="1:1:0", revision=revision, start=0, end=len(TEXT), section="Peaks", text=TEXT)
    hit = Hit(chunk=chunk, score=1.0, rank=1, source="bm25")
    return [passage.quote for passage in nearest_passages(question, [hit])]


def test_a_passage_ends_with_its_paragraph_and_holds_no_heading() -> None:
    assert quotes("Who owns Triglav, the mountain of Slovenia?") == [
        "Triglav is a mountain of Slovenia. It is 2,864 m high."
    ]


def test_the_heads_of_a_table_are_no_passage() -> None:
    assert quotes("What is the height of a peak of which country?") == [
        "Peak: Zugspitze | Height: 2,962 m | Country: Germany"
    ]
