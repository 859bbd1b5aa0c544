"""The models of a run: the one that answers, and those that judge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evals.ports import Judges
from evals.runs.prompt_files import check_prompt_folder
from evals.types import Jury

if TYPE_CHECKING:
    from agent.llm.calls import Calls
    from agent.llm.limits import Admission, Limits
    from agent.llm.port import LanguageModel
    from agent.llm.prices import PriceTable

CALLS = "calls.sqlite"
EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model and where it is reached."""

    model: str
    base_url: str | None = None
    api_key: str | None = None
    limits: Limits | None = None
    """Calls at once, calls and tokens a minute; shared by all models of one address."""
    timeout: float = 120.0
    """Seconds for one call."""
    stream: bool = False
    """Ask for replies in pieces."""
    prices: PriceTable | None = None
    """Of models that the listed prices lack."""
    limiter: Admission | None = None
    """Admits the calls instead of this process's own limiter."""
    kept: Calls | None = None
    """Keeps the calls instead of a file that this process writes."""

    def open(
        self, calls: Path, *, epoch: int = 0, fingerprint: str = "", replay: bool = False
    ) -> LanguageModel:
        """Return the model; its calls are kept in `calls`, or taken from there alone."""
        from agent.llm import open_model

        return open_model(
            self.model,
            self.base_url,
            self.api_key,
            cache=self.kept or calls,
            replay=replay,
            limits=self.limits,
            limiter=self.limiter,
            timeout=self.timeout,
            stream=self.stream,
            epoch=epoch,
            fingerprint=fingerprint,
        )


def open_judges(
    jury: Jury, calls: Path, *, api_key: str | None = None, replay: bool = False
) -> Judges:
    """Return the judges that were named; several are a panel whose majority counts.

    Args:
        jury: the judging models, and how they are asked.
        calls: file that keeps their calls.
        api_key: of their endpoint.
        replay: take replies from `calls` alone.

    Raises:
        InputError: a faulty folder of prompts.
    """
    from agent.prompted.templates import Prompts
    from evals.judges.coverage import BATCH, PromptedCoverage
    from evals.judges.extraction import PromptedExtractor
    from evals.judges.verdict import PACKAGED, PromptedJudge, SampledModel

    if not jury.models:
        return Judges()
    folder = check_prompt_folder(Path(jury.prompts) if jury.prompts else None)
    prompts = Prompts(folder, packaged=PACKAGED)
    models = [
        SampledModel(
            Endpoint(model=name, base_url=jury.base_url or None, api_key=api_key).open(
                calls, replay=replay
            ),
            jury.temperature,
            jury.seed,
        )
        for name in jury.models
    ]
    judges = tuple(PromptedJudge(model, prompts) for model in models)
    return Judges(
        judge=judges[0],
        panel=judges if len(judges) > 1 else (),
        coverage=PromptedCoverage(models[0], prompts, batch=jury.batch or BATCH, shots=jury.shots),
        extractor=PromptedExtractor(models[0], prompts),
    )
