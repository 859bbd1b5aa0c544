"""Lists that are all there is deny what they do not hold, and extreme things exclude others."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import facts_of
from agent.extractive.finder.statements.extremes import of_an_extreme
from agent.extractive.finder.statements.polar import read_polar
from agent.extractive.finder.statements.sets import of_a_set, wholes
from agent.extractive.sources import Sources
from corpus.articles import MemoryArticles
from retrieval.dense.embedders import shared_embedder
from tests.unit.agent.extractive.finder.test_values import hits_of

LEAGUE = """The Kern League is a club of four coastal towns in the north.

Members
Town: Elm | Harbour: Old Quay
Town: Brod | Harbour: New Quay
Town: Ham | Harbour: Ferry
Town: Ostby | Harbour: Point"""
CROSSING = """Three people have crossed the Mere, two of them on foot.

Walkers
Name: Ida Kern | Year: 1901
Name: Jo Ott | Year: 1902
Name: Bo Lund | Year: 1903"""
PAGES = {
    "Kern League": LEAGUE,
    "Mere": CROSSING,
    "Sills": "Some sills\n\nSill: One Sill | Kind: a\nSill: Two Sill | Kind: b\nSill: Old Sill | Kind: c",
    "Varn": "The Varn flows through three countries, Austria, Hungary and Serbia, to the sea.",
    "Elm": "Elm is a town. It is the largest town of Kernland.",
    "Tarn": "Tarn is a town. It is the second largest town of Kernland.",
    "Kernland": "Kernland is a country.",
}
SOURCES = Sources(MemoryArticles(PAGES.items(), name="few", date="2026-11-01"), readable=True)
FACTS = facts_of(hits_of(PAGES))


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("Is Tarn one of the towns of the Kern League?", False),
        ("Is Ham a member of the Kern League?", True),
        ("Is Tarn in the Kern League?", False),
        ("Did Alan Brod cross the Mere?", False),
        ("Did Jo Ott cross the Mere?", True),
        ("Was Alan Brod one of the three people who crossed the Mere?", False),
        ("Does the Varn flow through Poland?", False),
        ("Does the Varn flow through Serbia?", True),
    ],
)
def test_a_whole_list_settles_who_belongs(question: str, yes: bool) -> None:
    told = of_a_set(read_asked(question, SOURCES.subject_of), FACTS, SOURCES)
    assert told is not None
    assert told[0] is yes


@pytest.mark.parametrize(
    "question",
    [
        "Did Alan Brod cross the Mere in 1910?",  # a year is another matter
        "Did Alan Brod swim in the Mere?",
        "Did the wife of Jo Ott cross the Mere?",
        "Is Grey Sill one of the sills?",  # nothing says how many there are
        "Does the Varn flow through Graz?",  # a town is no country
        "Is Tarn the largest town of the Kern League?",
        "Did Ida cross the Mere?",  # who may be Ida Kern
        "Is Tarn older than the Kern League?",
        "Is Kernland in the Kern League?",  # no town: it may be there in another way
        "Is Quern in the Kern League?",  # nothing tells what it is
    ],
)
def test_a_list_denies_nothing_else(question: str) -> None:
    told = of_a_set(read_asked(question, SOURCES.subject_of), FACTS, SOURCES)
    assert told is None


def test_only_lists_as_long_as_their_number_are_whole() -> None:
    assert [len(one.members) for one in wholes(SOURCES.facts_at("Kern League"))] == [4]
    assert not list(wholes(SOURCES.facts_at("Sills")))


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("Is Elm the biggest town of Kernland?", True),
        ("Is Tarn the largest town in Kernland?", False),
        ("Is Tarn the oldest town of Kernland?", None),
        ("Is Tarn the largest lake of Kernland?", None),
        ("Was Tarn the largest town of Kernland?", None),
    ],
)
def test_there_is_one_extreme_thing(question: str, yes: bool | None) -> None:
    told = of_an_extreme(read_asked(question, SOURCES.subject_of), FACTS, SOURCES)
    assert (told and told[0]) is yes


MONE = "Name: Mone\nCapital: Mone (city)\n\nMone is a city-state. It has no separate capital."
TUTOR = "Name: Ida Kern\nAlma mater: Brod University\n\nIda Kern was a chemist."
GIANT = "Name: Sator\nLargest satellite: Oda\n\nSator is a planet."


@pytest.mark.parametrize(
    ("question", "title", "text"),
    [
        ("Does Mone have a capital?", "Mone", MONE),
        ("Did Ida Kern teach at Brod University?", "Ida Kern", TUTOR),
        ("Is Sator the largest planet?", "Sator", GIANT),
    ],
)
def test_a_box_does_not_say_yes_to_what_it_does_not_tell(
    question: str, title: str, text: str
) -> None:
    sources = Sources(
        MemoryArticles({title: text}.items(), name="one", date="2026-11-01"), readable=True
    )
    facts = facts_of(hits_of({title: text}))
    told = read_polar(read_asked(question, sources.subject_of), facts, shared_embedder(), sources)
    assert told is None or not told.yes
