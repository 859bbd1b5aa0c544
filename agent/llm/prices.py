"""What a call costs: a table of prices per million tokens that a user can extend."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agent.types import Usage
from corpus.errors import InputError
from corpus.files import parse_json, read_text

_DATED = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{4}|\d{8}|latest)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens."""

    tokens_in: float
    tokens_out: float


LISTED: Mapping[str, Price] = {
    "gpt-6-astra": Price(tokens_in=10.00, tokens_out=50.00),
    "gpt-6-sol": Price(tokens_in=2.00, tokens_out=10.00),
    "gpt-6-luna": Price(tokens_in=0.10, tokens_out=0.50),
    "gpt-5.6-sol": Price(tokens_in=4.00, tokens_out=20.00),
    "gpt-5.6-terra": Price(tokens_in=2.00, tokens_out=12.00),
    "gpt-5.6-luna": Price(tokens_in=0.20, tokens_out=1.20),
    "gpt-5.5": Price(tokens_in=5.00, tokens_out=30.00),
    "gpt-5.4": Price(tokens_in=2.50, tokens_out=15.00),
    "gpt-5.4-mini": Price(tokens_in=0.75, tokens_out=4.50),
    "gpt-5.4-nano": Price(tokens_in=0.20, tokens_out=1.25),
    "gpt-5": Price(tokens_in=1.25, tokens_out=10.00),
    "gpt-5-mini": Price(tokens_in=0.25, tokens_out=2.00),
    "gpt-5-nano": Price(tokens_in=0.05, tokens_out=0.40),
    "gpt-4.1": Price(tokens_in=2.00, tokens_out=8.00),
    "gpt-4.1-mini": Price(tokens_in=0.40, tokens_out=1.60),
    "gpt-4.1-nano": Price(tokens_in=0.10, tokens_out=0.40),
    "gpt-4o": Price(tokens_in=2.50, tokens_out=10.00),
    "gpt-4o-mini": Price(tokens_in=0.15, tokens_out=0.60),
    "gpt-4-turbo": Price(tokens_in=10.00, tokens_out=30.00),
}
"""OpenAI's standard list prices as of November 2026: no discounts, prompts under 272,000 tokens."""


LARGEST = 16 << 20
"""Bytes of a file of prices."""


class PriceTable:
    """Prices by model name; a dated name (`gpt-4o-2024-08-06`) has the price of the undated."""

    def __init__(self, prices: Mapping[str, Price] | None = None) -> None:
        self._prices = {**LISTED, **(prices or {})}

    @classmethod
    def read(cls, path: Path) -> PriceTable:
        """Read a JSON file `{"model": {"in": 0.5, "out": 1.5}, …}` over the listed prices.

        Raises:
            InputError: not such a file.
        """
        data = parse_json(read_text(path, "file of prices", most=LARGEST), str(path))
        try:
            prices = {
                str(model): Price(tokens_in=float(price["in"]), tokens_out=float(price["out"]))
                for model, price in data.items()
            }
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            raise InputError(
                f'{path}: prices are JSON like {{"model": {{"in": 0.5, "out": 1.5}}}}, US dollars '
                f"per million tokens ({type(error).__name__}: {error})"
            ) from error
        return cls(prices)

    def cost(self, model: str, usage: Usage) -> float | None:
        """Return US dollars, or None where the model's price is not known."""
        name = model.rpartition("/")[2]
        price = (
            self._prices.get(model)
            or self._prices.get(name)
            or self._prices.get(_DATED.sub("", name))
        )
        if price is None:
            return None
        return (usage.tokens_in * price.tokens_in + usage.tokens_out * price.tokens_out) / 1e6
