"""What a chunk states, and in which section."""

from __future__ import annotations

from agent.extractive.finder.facts import facts_of
from corpus.types import Chunk, Revision
from retrieval.types import Hit

TEXT = (
    "The oven burnt down.\n\n### Rents\n\nRents rose.\n\n## Visitors\n\n- Bo Lind, 1801\n\n"
    "### Meals\n\nInn: Eel | Meal: Soup\n"
)


def test_facts_stand_in_the_section_whose_heading_is_above_them() -> None:
    revision = Revision(page_id=1, rev_id=1, title="Glass", timestamp="", url="")
    chunk = Chunk(
        id="1:1:2", revision=revision, start=90, end=90 + len(TEXT),
        section="Decline > Fires", text=TEXT,
    )  # fmt: skip
    found = facts_of([Hit(chunk=chunk, score=1.0, rank=1, source="bm25")])
    assert [(fact.kind, fact.section) for fact in found] == [
        ("sentence", "Decline > Fires"),
        ("sentence", "Decline > Rents"),
        ("item", "Visitors"),
        ("row", "Visitors > Meals"),
    ]
    assert found[1].context == "Glass, Decline > Rents: Rents rose."
