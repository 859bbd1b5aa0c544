"""What a compound question of each type is built of."""

from __future__ import annotations

import pytest

from evals.builders.cq_syn.keywords import TYPES, missing_dimension
from evals.builders.cq_syn.structure import missing_part
from evals.judges.verdict import PACKAGED


@pytest.mark.parametrize(
    ("type_", "question", "missing"),
    [
        ("Factual_Statement", "When was it built, and who paid for it?", ""),
        ("Factual_Statement", "When was it built?", "it asks one thing"),
        ("Hypothetical_Analysis", "If it rained, what would follow, and how would you act?",
         "it supposes one thing, not two"),
        ("Hypothetical_Analysis", "If it rained, what would follow? If it snowed, what then?", ""),
        ("Hypothetical_Analysis", "If it rained, what would follow? Conversely, what in a drought?", ""),
        ("Comparison_and_Selection", "How do A and B differ, and which is the better choice?", ""),
        ("Comparison_and_Selection", "How do A and B differ, and what do they share?",
         "it chooses nothing"),
        ("Evaluation_and_Suggestion", "How effective is it, and what should be improved?", ""),
        ("Evaluation_and_Suggestion", "How effective is it, and when was it built?",
         "it asks for no suggestion"),
        ("Evaluation_and_Suggestion", "When was it built, and what should be added?",
         "it evaluates nothing"),
        ("Cause_and_Effect", "Why did it fall, and what were the effects?", ""),
    ],
)  # fmt: skip
def test_a_question_is_built_as_its_type_asks(type_: str, question: str, missing: str) -> None:
    assert missing_part(question, type_) == missing


@pytest.mark.parametrize("type_", TYPES)
def test_the_example_in_a_types_prompt_is_one_of_it(type_: str) -> None:
    text = (PACKAGED / f"cqsyn_{type_.lower()}.md").read_text(encoding="utf-8")
    example = text.partition("Example")[2].partition('"')[2].rpartition('"')[0]
    assert example.endswith("?")
    assert missing_part(example, type_) == ""
    assert missing_dimension(example, type_) is None
