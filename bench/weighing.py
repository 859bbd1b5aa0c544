"""What trainings share: how often each source is read, and the mean of what several of them wrote."""

from __future__ import annotations

import random
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import TypeVar

import torch

T = TypeVar("T")


def add_times(parser: ArgumentParser) -> None:
    """Add `--times SOURCE=N`, which `weighed` reads."""
    parser.add_argument(
        "--times", nargs="*", default=[], metavar="SOURCE=N", help="how often a source is read"
    )


def weighed(groups: Mapping[str, Sequence[T]], given: Sequence[str], rng: random.Random) -> list[T]:
    """The examples of each source as often as is told: N = 2.5 is all of them twice and a drawn half.

    Args:
        groups: examples by their source.
        given: `SOURCE=N`, where SOURCE is how a source's name begins; the first that fits counts.
            Others are read once.
        rng: draws what is read in part.
    """
    times = {name: float(n) for name, n in (one.split("=") for one in given)}
    taken: list[T] = []
    for source, group in groups.items():
        often = next((n for name, n in times.items() if source.startswith(name)), 1.0)
        whole = list(group) * int(often)
        taken += whole + rng.sample(list(group), int((often - int(often)) * len(group)))
    return taken


def mean_of(states: Sequence[Mapping[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """The mean of several trainings' weights, name by name (Wortsman et al. 2022, model soups)."""
    return {name: torch.stack([one[name].float() for one in states]).mean(0) for name in states[0]}
