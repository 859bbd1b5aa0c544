"""The parameters of Compound-QA's fine-tuning (Hou et al., 2024, section 5), in one place."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What is trained, and how; the paper's values, and the common ones where it names none."""

    rank: int = 8
    alpha: int = 16
    learning_rate: float = 1e-4
    batch: int = 128
    """Examples a step, over all devices and accumulation steps."""
    at_once: int = 4
    """Examples a device works on at once: a matter of memory, not of the result."""
    epochs: float = 3.0
    """Not named in the paper; LLaMA-Factory's example has 3."""
    warmup: float = 0.1
    """Share of the steps; as LLaMA-Factory's example."""
    max_length: int = 4096
    """Tokens of question, context and answer; longer examples are cut."""
    seed: int = 31415

    def accumulation(self, devices: int = 1) -> int:
        """Return how many steps of `at_once` examples on every device make one batch.

        Raises:
            InputError: the batch cannot be made up that way.
        """
        together = self.at_once * devices
        if together < 1 or self.batch % together:
            raise InputError(
                f"a batch of {self.batch} cannot be made of {self.at_once} examples at once on "
                f"{devices} devices: choose numbers whose product divides {self.batch}"
            )
        return self.batch // together


TRAINED_ON = ("reasoning", "knowledge")
TESTED_ON = ("understanding",)
"""Dimensions (section 5): the model is tested on one that it was not trained on."""
