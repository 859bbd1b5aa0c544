"""Requests made from the OpenAPI description: replies are as described, and nothing wrong is let in."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import positive_data_acceptance

from agent.graph.parts import Wiring
from agent.serve.options import Options
from tests.reasoners import ScriptedReasoner, core
from tests.serving import serving

EXAMPLES = 8
"""Of each operation, right ones and wrong ones."""
# No schema says that a question holds words, that titles go with a setting, that a title is there.
TOO_STRICT = [positive_data_acceptance]
# The interface is what is tried, not the engine: questions are answered at once.
OPTIONS = Options(
    wiring=Wiring(reasoner=ScriptedReasoner(steps=[core("1", "Which rings?")])), waiting=1000
)


def test_the_description_is_kept_to() -> None:
    found: list[str] = []
    with serving(OPTIONS) as server:
        schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
        operations = [result.ok() for result in schema.get_all_operations()]
        assert len(operations) >= 17
        for operation in operations:
            for mode in GenerationMode:

                @settings(
                    max_examples=EXAMPLES,
                    deadline=None,
                    derandomize=True,
                    database=None,
                    suppress_health_check=list(HealthCheck),
                )
                @given(case=operation.as_strategy(generation_mode=mode))
                def keeps(case: schemathesis.Case) -> None:
                    case.call_and_validate(excluded_checks=TOO_STRICT)

                try:
                    keeps()
                except Unsatisfiable:
                    # There is nothing that could be wrong in a request without parts.
                    assert mode is GenerationMode.NEGATIVE
                except (FailureGroup, Failure) as error:
                    told = "; ".join(map(str, getattr(error, "exceptions", (error,))))
                    found.append(f"{operation.label} ({mode.value}): {told}")
    assert not found, "\n\n".join(found)
