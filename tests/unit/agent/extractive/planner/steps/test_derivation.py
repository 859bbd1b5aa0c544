"""From marked questions to steps: only the marks decide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.marks.types import LABELS, OPERATORS, Mark, Operator, parse
from agent.extractive.planner.steps.derivation import steps_of
from agent.extractive.planner.steps.members import for_every_member
from tests.unit.agent.extractive.planning import planned as plan


def texts(reading: Decomposition) -> list[str]:
    return [step.text for step in reading.steps]


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        ("what is [A the height] of [M Ben Nevis]", ["What is the height of Ben Nevis?"]),
        (
            "[A who painted [M the night watch]] and [A where was [RA he] born]",
            ["Who painted the night watch?", "Where was {1} born?"],
        ),
        (
            "[A highest fell] of [M Uri], [RA its] [A climber] and [RA its] [A height]",
            [
                "What is the highest fell of Uri?",
                "Who is the climber of {1}?",
                "What is the height of {1}?",
            ],
        ),
        (
            "[A Which songs did [M Ann] and [M Bob] write together]?",
            ["Which songs did Ann and Bob write together?"],
        ),
        ("[A What was built in [M Ely]] and [A when]", ["What was built in Ely?", "When?"]),
        (
            "[A When was [M Nerva] put on for the first time], and [A in which city]",
            [
                "When was Nerva put on for the first time?",
                "In which city was Nerva put on for the first time?",
            ],
        ),
        (
            "[B the highest fell of [M Uri]], [A what does mean its name]",
            ["What is the highest fell of Uri?", "What does mean {1}'s name?"],
        ),
        (
            "[A who drew [S the ten famous maps of Ely]]",
            ["What are the ten maps of Ely?", "Who drew {1}?"],
        ),
        # Only persons are born: those found for each thing.
        (
            "[S the bridges of Bath], [A builder] of [RS each] and [A where were [RS they] born]",
            ["What are the bridges of Bath?", "Who is the builder of {1}?", "Where was {2} born?"],
        ),
        (
            "[S the builders of Bath], [A teacher] of [RS each] and [A where were [RS they] born]",
            ["Who are the builders of Bath?", "Who is the teacher of {1}?", "Where was {1} born?"],
        ),
        (
            "[S the bridges of Bath], [A birthplace] of [RS each] builder",
            [
                "What are the bridges of Bath?",
                "Who is the builder of {1}?",
                "What is the birthplace of {2}?",
            ],
        ),
        (
            "[S the lands of Asia]: [A what [RS its] capital city is called], "
            "[A how many inhabitants [RA that city] has]",
            [
                "What are the lands of Asia?",
                "What is the capital city of {1}?",
                "How many inhabitants has {2}?",
            ],
        ),
        # The name of what is found is what is found.
        (
            "[A the name] of [B the oldest inn that bears a date]",
            ["What is the oldest inn that bears a date?"],
        ),
        (
            "[B an ore ship that sank] - [A what was the ship called]",
            ["What is an ore ship that sank?"],
        ),
        (
            "[B a ship that sank] - [A who built the ship]",
            ["What is a ship that sank?", "Who built {1}?"],
        ),
        (
            "[B The builder of [M Ely]], [A when did [RB he] die]",
            ["Who is the builder of Ely?", "When did {1} die?"],
        ),
        (
            "[A who restored [M Ely] before [B its builder] died]",
            ["Who is the builder of Ely?", "Who restored Ely before {1} died?"],
        ),
        (
            "[A how many live in [M Ely]] and [A which river is there]",
            ["How many live in Ely?", "Which river is in Ely?"],
        ),
        (
            "[A the population] of [B the capital of [B the country where cork grows]]",
            [
                "What is the country where cork grows?",
                "What is the capital of {1}?",
                "What is the population of {2}?",
            ],
        ),
        (
            "[B The founder of Lego], [A in which town was [RB he] born]?",
            ["Who is the founder of Lego?", "In which town was {1} born?"],
        ),
        (
            "give me [A the capital] and [A the area] of [S each country that borders Laos]",
            [
                "What are the countries that border Laos?",
                "What is the capital of {1}?",
                "What is the area of {1}?",
            ],
        ),
        (
            "[S the cantons of Switzerland] plus [RS their] [A capitals]",
            ["What are the cantons of Switzerland?", "What is the capital of {1}?"],
        ),
        (
            "[A When were [S the two engineers] born] [C who built the Eads Bridge]?",
            ["Who are the two engineers who built the Eads Bridge?", "When was {1} born?"],
        ),
        (
            "[A who mapped each one of [S the four straits of Chile]]",
            ["What are the four straits of Chile?", "Who mapped {1}?"],
        ),
        (
            "[A where was [B each of the poets born who won the Prix Goncourt]]",
            ["Who are the poets who won the Prix Goncourt?", "Where was {1} born?"],
        ),
        (
            "[A the directors] of [M Jaws] and [M Alien]",
            ["Who is the director of Jaws?", "Who is the director of Alien?"],
        ),
        (
            "[A where were [B the directors of [M Jaws] and [M Alien]] born]",
            [
                "Who is the director of Jaws?",
                "Who is the director of Alien?",
                "Where was {1} born?",
                "Where was {2} born?",
            ],
        ),
        (
            "who is [M Chopin]'s [A teacher] and [A when did [RA he] die]",
            ["Who is the teacher of Chopin?", "When did {1} die?"],
        ),
    ],
)
def test_steps_are_the_marked_words(marked: str, wanted: list[str]) -> None:
    assert sorted(texts(plan(marked))) == sorted(wanted)


def test_conditions_carry_their_bound_and_their_negation() -> None:
    reading = plan(
        "Which [S countries on the Rhine] [C have more than ten million people] but "
        "[C- are not in the European Union]?"
    )
    assert reading.set_step is not None
    first, second = (step.condition for step in reading.steps[1:])
    assert first is not None
    assert (first.kind, first.comparator, first.bound) == ("number", ">", 1e7)
    assert second is not None
    assert second.kind == "no"


def test_a_ranking_after_its_set_is_asked_of_each_member() -> None:
    reading = plan("which of [S the Galilean moons] has [K+ the largest diameter]")
    assert texts(reading) == ["What are the Galilean moons?", "What is the diameter of {1}?"]
    condition = reading.steps[1].condition
    assert condition is not None
    assert condition.kind == "max"


def test_a_ranking_before_its_set_is_looked_up_with_it() -> None:
    reading = plan("[A the lengths] of [K+ the three longest] [S rivers of Asia]")
    assert texts(reading)[0] == "What are the three longest rivers of Asia?"
    assert reading.count == 3


def test_who_grows_oldest_has_the_most_years() -> None:
    for marked in (
        "Who got [K- older], [M Ann] or [M Bo]?",
        "Who [K+ lived longer], [M Ann] or [M Bo]?",
    ):
        condition = plan(marked).steps[0].condition
        assert condition is not None
        assert condition.kind == "max"


def test_sides_of_a_comparison_are_asked_alike() -> None:
    reading = plan("which [K- flew first] [M concorde] or [M the tupolev 144]")
    assert texts(reading) == ["When did concorde fly?", "When did the tupolev 144 fly?"]
    assert reading.members == ("concorde", "tupolev 144")


def test_a_thing_compared_with_is_found_out_first() -> None:
    reading = plan("Is [B the highest peak of the Tatras] [C taller than [M Ben Nevis]]?", "yesno")
    bound = next(step for step in reading.steps if step.text == "How tall is Ben Nevis?")
    last = reading.steps[-1].condition
    assert last is not None
    assert last.against == bound.id


@pytest.mark.parametrize(
    ("operator", "combine"),
    [("sum", "sum"), ("average", "average"), ("same", "same"), ("any", "any"), ("give", "")],
)
def test_the_operator_says_what_is_made_of_the_values(operator: Operator, combine: str) -> None:
    assert plan("[A the area] of [S the Balearic Islands]", operator).combine == combine


def test_counting_counts_the_members() -> None:
    assert plan("How many of [S the Channel Islands] [C have an airport]?", "count").counted


spans = st.lists(
    st.tuples(st.sampled_from(LABELS), st.integers(0, 60), st.integers(1, 25)), max_size=9
)


@given(
    st.text("abc ,?'IVan the of which", min_size=1, max_size=80),
    spans,
    st.sampled_from(OPERATORS),
)
def test_any_marks_give_a_plan_that_can_be_run(
    question: str, found: list[tuple[str, int, int]], operator: Operator
) -> None:
    marks = [
        Mark(label=label, start=start, end=min(start + length, len(question)))
        for label, start, length in found
        if start < len(question) and question[start : start + length].strip()
    ]
    reading = for_every_member(steps_of(question, marks, operator))
    known: set[str] = set()
    for step in reading.steps:
        assert set(step.depends_on) <= known
        known.add(step.id)
    assert len(known) == len(reading.steps)


def test_a_verb_before_its_relative_clause_goes_back_to_its_clause() -> None:
    reading = plan("[A When were [B the three chemists born who shared the prize]]?")
    assert texts(reading) == [
        "Who are the three chemists who shared the prize?",
        "When was {1} born?",
    ]


def test_a_superlative_inside_a_clause_is_found_out_first() -> None:
    reading = plan("[S the gas giants]: [A who discovered the largest moon of [RS each]]")
    assert texts(reading) == [
        "What are the gas giants?",
        "What is the largest moon of {1}?",
        "Who discovered {2}?",
    ]


def test_a_set_that_lists_its_members_is_asked_of_each() -> None:
    reading = plan("[A the highest mountain] of [S each of Austria, Germany and Slovenia]")
    assert reading.members == ("Austria", "Germany", "Slovenia")
    assert texts(reading)[0] == "What is the highest mountain of Austria?"
    assert len(reading.steps) == 3


def test_a_condition_that_is_only_a_negation_gives_a_plan() -> None:
    text, marks = parse("[S The bays of Crete] face north, and which do [C- not]?")
    assert steps_of(text, marks, "give").steps


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        # A clause about what a word points at is asked, not told.
        (
            "which is [K+ deeper], [M Loch A] or [M Loch B], and [A how old [RK it] is]",
            ["How deep is Loch A?", "How deep is Loch B?", "How old is Loch A?",
             "How old is Loch B?"],
        ),
        ("[S the newts of Crete]: [A what [RS they] eat]",
         ["What are the newts of Crete?", "What does {1} eat?"]),
        ("so [A where'd [M Ann Lee] sail]", ["Where did Ann Lee sail?"]),
        ("tell me [A when it was that [M Ann Lee] sailed]", ["When did Ann Lee sail?"]),
        # The same of several, however they are joined.
        ("[A the age] of [M Ann], and the same for [M Bo]",
         ["What is the age of Ann?", "What is the age of Bo?"]),
        # A bare noun with its condition is one set; a superlative place ranks what stands in it.
        ("Which [S towns] [C lie on the Elbe], and [A how old is [RS each]]?",
         ["Which towns lie on the Elbe?", "How old is {1}?"]),
        ("Which of [S the abbeys of Fife] [C stands in the village with the fewest inhabitants]?",
         ["What are the abbeys of Fife?", "In which village does {1} stand?",
          "How many inhabitants does {2} have?"]),
        ("Which of [S the pilots] [C studied at Yale]?",
         ["Who are the pilots?", "Did {1} study at Yale?"]),
        # A relative clause says which are meant; "each" tells that a name in capitals is several.
        ("[S the ports] [C that lie on the Elbe] and [A how old is [RS each]]",
         ["What are the ports that lie on the Elbe?", "How old is {1}?"]),
        ("[A how deep is [S every Lunn Lake]]", ["What are the Lunn Lakes?", "How deep is {1}?"]),
        ("[A what is [B the largest crater of Mimas] called]",
         ["What is the largest crater of Mimas?"]),
        # "Do" before a verb adds nothing to it, "not" is the condition's.
        ("Which of [S the six ports] [C- don't use a crane]?",
         ["What are the six ports?", "Does {1} use a crane?"]),
        ("Which of [S the six ports] [C- didn't burn]?",
         ["What are the six ports?", "Did {1} burn?"]),
        ("Which of [S the pilots] [C did die in Ulm]?",
         ["Who are the pilots?", "Did {1} die in Ulm?"]),
        ("Which of [S the pilots] [C does have a boat]?",
         ["Who are the pilots?", "Does {1} have a boat?"]),
        # Who grew old is asked at what age he died.
        ("Who [K+ reached the greater age], [M Ann Lee] or [M Bo Lee]?",
         ["At what age did Ann Lee die?", "At what age did Bo Lee die?"]),
        ("Who got [K- older], [M Ann Lee] or [M Bo Lee]?",
         ["At what age did Ann Lee die?", "At what age did Bo Lee die?"]),
        ("Who is [K- older], [M Ann Lee] or [M Bo Lee]?",
         ["How old is Ann Lee?", "How old is Bo Lee?"]),
        ("Which of [S the tarns] [C- does not blorb Vella]?",
         ["What are the tarns?", "Does {1} blorb Vella?"]),
        ("[K+ most cranes] of [S every Lunn Dock 1988-2024]",
         ["What are the Lunn Dock 1988-2024?", "How many cranes does {1} have?"]),
        # What is asked of a condition by another word.
        ("Which of [S the pilots] [C did die in Ulm], and [A in what year] [RS each one]?",
         ["Who are the pilots?", "Did {1} die in Ulm?", "In what year did {1} die in Ulm?"]),
        ("Which of [S the pilots] [C crossed the Mere], and [A when]?",
         ["Who are the pilots?", "Did {1} cross the Mere?", "When did {1} cross the Mere?"]),
        # A date that something has, and things of one name with numbers.
        ("Which of [S the abbeys] [C dating from 1120] burned?",
         ["What are the abbeys?", "When does {1} date from?"]),
        ("Which of [S the abbeys] [C date back to 1120]?",
         ["What are the abbeys?", "When does {1} date from?"]),
        ("Which of [S the boats from Lunn 2 to Lunn 4] [C- did not sink]?",
         ["Did Lunn 2 sink?", "Did Lunn 3 sink?", "Did Lunn 4 sink?"]),
        # Where a set is listed is none of it, and a participle before a noun does not end its phrase.
        ("In [S the table with well-known bridges], how many of [RS them] [C are red]?",
         ["What are the well-known bridges?", "Is {1} red?"]),
        ("[A the age] of [S the ten often visited abbeys]",
         ["What are the ten often visited abbeys?", "What is the age of {1}?"]),
        ("[A the age] of [S the listed abbeys]",
         ["What are the listed abbeys?", "What is the age of {1}?"]),
        ("[B the hall of the abbey] [A was given in whose memory]",
         ["What is the hall of the abbey?", "{1} was given in whose memory?"]),
    ],
)  # fmt: skip
def test_what_is_told_or_joined_is_asked(marked: str, wanted: list[str]) -> None:
    assert texts(plan(marked)) == wanted


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        ("[A When was [M Ann Lee] born], and [A in which town]?",
         ["When was Ann Lee born?", "In which town was Ann Lee born?"]),
        ("[A Who founded [M Ayr Mills]] and [A when]?",
         ["Who founded Ayr Mills?", "When was Ayr Mills founded?"]),
        ("[A Who was the founder of [M Ayr Mills]], and [A in which year]?",
         ["Who was the founder of Ayr Mills?", "In which year of Ayr Mills?"]),
    ],
)  # fmt: skip
def test_half_a_clause_takes_the_rest_of_the_one_before(marked: str, wanted: list[str]) -> None:
    assert texts(plan(marked)) == wanted


@pytest.mark.parametrize(
    ("marked", "operator", "wanted"),
    [
        ("Did [M Ann Lee] [C invent Brod]?", "yesno", ["Did Ann Lee invent Brod?"]),
        ("Did [M Otho] [C premiere in Lyon]?", "yesno", ["Did Otho premiere in Lyon?"]),
        (
            "Was [M Otho] [C first performed in Lyon]?",
            "yesno",
            ["Was Otho first performed in Lyon?"],
        ),
        ("Was [M Otho] [C first performed in 1900]?", "yesno", ["When was Otho first performed?"]),
        ("Does [M Vella] [C border Brod]?", "yesno", ["Does Vella border Brod?"]),
        (
            "[A Into which sea does [B the river end that crosses Ulm]]?",
            "give",
            ["What is the river that crosses Ulm?", "Into which sea does {1} end?"],
        ),
    ],
)
def test_a_statement_keeps_its_tense(marked: str, operator: Operator, wanted: list[str]) -> None:
    assert texts(plan(marked, operator)) == wanted
