from __future__ import annotations

from agent.llm import open_model
from agent.prompted import PromptedReasoner
from agent.types import SubQuestion
from tests.fake_server import serving
from tests.fakes import FaithfulMind
from tests.unit.agent.test_prompted_reasoner import HITS


async def test_the_reasoner_works_over_http() -> None:
    mind = FaithfulMind(plan=["Who discovered Triton?"], answers={"discovered": "William Lassell"})
    with serving(mind) as server:
        model = open_model("some-model", server.url, "sk-secret")
        reasoner = PromptedReasoner(model, None)
        plan = await reasoner.plan("Who discovered Triton?", HITS)
        finding = await reasoner.answer(SubQuestion(id="1", text=plan[0].text, kind="core"), HITS)
    assert finding.sub_answer.text == "William Lassell [1]"
