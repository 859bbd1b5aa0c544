from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from agent.prompted import PromptedReasoner
from agent.prompted.templates import PACKAGED, Prompts, prompt_language, read_parts
from agent.types import SubAnswer, SubQuestion
from corpus.errors import InputError
from tests.fakes import Asked, FaithfulMind, ScriptedModel
from tests.unit.agent.prompted.test_reasoner import HITS, toolbox

FILES = sorted(PACKAGED.rglob("*.md"))
PLACEHOLDER = re.compile(r"\$\{?(\w+)")
QUESTION = SubQuestion(id="1", text="Who discovered Triton?", kind="core")
ANSWER = SubAnswer(sub_question_id="1", status="answered", text="Lassell")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGED)))
def test_every_file_has_parts_and_ends_in_words(path: Path) -> None:
    parts = read_parts(path)
    assert set(parts) in ({"text"}, {"system", "user"})
    assert all(parts.values())


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.parent != PACKAGED], ids=lambda path: path.name
)
def test_a_translation_has_the_placeholders_of_its_original(path: Path) -> None:
    original = PACKAGED / path.name
    for part, text in read_parts(path).items():
        assert set(PLACEHOLDER.findall(text)) == set(
            PLACEHOLDER.findall(read_parts(original)[part])
        )


async def every_step(mind: Any, **options: Any) -> list[Asked]:
    """Put every question of the reasoner once."""
    model = ScriptedModel(mind)
    for tools in ("native", "text"):
        reasoner = PromptedReasoner(model, toolbox(), tools=tools, **options)  # type: ignore[arg-type]
        await reasoner.answer(QUESTION, [])
    for classify in ("batch", "each"):
        reasoner = PromptedReasoner(model, None, classify=classify, **options)  # type: ignore[arg-type]
        await reasoner.plan("Who discovered Triton?", HITS)
        await reasoner.answer(QUESTION, HITS)
        await reasoner.covered("Who discovered Triton?", [QUESTION.text], HITS)
    for closed in (False, True):
        reasoner = PromptedReasoner(model, None, closed=closed, **options)
        if closed:
            await reasoner.answer(QUESTION, [])
        for style in ("long", "short"):
            for guidance in ("plain", "core_definition", "core_sub_questions", "sub_answers"):
                await reasoner.compose(
                    "Who discovered Triton?",
                    sub_questions=[QUESTION],
                    sub_answers=[ANSWER],
                    hits=HITS,
                    style=style,  # type: ignore[arg-type]
                    guidance=guidance,  # type: ignore[arg-type]
                )
    return model.asked


class Searching(FaithfulMind):
    """Calls a tool first, natively or in words."""

    def __call__(self, asked: Asked) -> object:
        if asked.form == "AnswerReply" and not asked.sources:
            if asked.tools:
                from tests.fakes import call

                return [call("search", query="Triton")]
            if "<search>" in asked.text:
                return "<search>Triton</search>"
        return FaithfulMind.__call__(self, asked)


class AnyLanguage(Searching):
    """Does not read the prompt's own words."""

    def __call__(self, asked: Asked) -> object:
        if asked.form in ("PlanReply", "ComposedReply"):
            said = {"sub_questions": [{"id": "1", "question": "谁？"}], "text": "谁 [1]。"}
            return {**said, "quotes": []}
        if asked.form == "AnswerReply" and asked.sources:
            quote = {"source": 1, "quote": asked.sources[1][1]}
            return {"found": True, "answer": "拉塞尔", "items": [], "quotes": [quote]}
        return super().__call__(asked)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_every_placeholder_is_filled_and_every_file_is_used(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: set[str] = set()
    parts = Prompts._parts

    def noted(self: Prompts, name: str) -> Any:
        used.add(name)
        return parts(self, name)

    monkeypatch.setattr(Prompts, "_parts", noted)
    asked = await every_step(
        Searching() if language == "en" else AnyLanguage(), prompts=Prompts(language=language)
    )
    assert len(asked) > 20
    for one in asked:
        assert not PLACEHOLDER.search(one.outside), one.outside
    others = {"query_definition"}  # a strategy's, put to a retriever
    assert used == {path.stem for path in PACKAGED.glob("*.md")} - others
    if language != "en":
        assert used == {path.stem for path in (PACKAGED / language).glob("*.md")} - others
        written = {message["content"] for one in asked for message in one.messages[:1]}
        assert all(re.search("[\u4e00-\u9fff]", text) for text in written)


async def test_a_users_prompt_replaces_the_packaged_one(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text(
        "<!-- user -->\nMine costs $$5: $question $hints $data_rule", "utf-8"
    )
    model = ScriptedModel(FaithfulMind(plan=["Who?"]))
    await PromptedReasoner(model, None, prompts=Prompts(tmp_path)).plan(
        "Who discovered Triton?", []
    )
    assert model.asked[0].text.startswith("Mine costs $5: Who discovered Triton? (none)")
    assert model.asked[1].form == "KindsReply"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<!-- user -->\n$question $nonsense", r"plan.md: \$nonsense is not filled here"),
        ("<!-- user -->\n$question costs $5", r"plan.md: a lone \$ must be written"),
        ("Just text", "needs a line <!-- system -->"),
    ],
)
async def test_a_faulty_prompt_is_one_clear_line(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "plan.md").write_text(text, "utf-8")
    reasoner = PromptedReasoner(ScriptedModel(FaithfulMind()), None, prompts=Prompts(tmp_path))
    with pytest.raises(InputError, match=fault):
        await reasoner.plan("Who?", [])


async def test_a_piece_without_its_part_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "data_rule.md").write_text("<!-- user -->\nx", "utf-8")
    with pytest.raises(InputError, match="has no part <!-- text -->"):
        Prompts(tmp_path).text("data_rule")


def test_a_language_without_prompts_gets_the_english_ones() -> None:
    assert [prompt_language(code) for code in ("en", "zh", "xx")] == ["en", "zh", "en"]


def test_unknown_languages_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no prompts in language 'xx': choose en or zh"):
        Prompts(language="xx")
    with pytest.raises(InputError, match="no such folder"):
        Prompts(tmp_path / "none")
