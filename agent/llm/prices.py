"""What a call costs: a table of prices per million tokens that a user can extend."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
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


OPENAI = "openai"
"""Whose list counts at an address that no provider is known by: a proxy's, as a rule."""
OPEN_WEIGHTS = "gpt-oss"
"""Begins the names of models that OpenAI gives away: at such an address they cost nobody knows what."""
LARGEST = 16 << 20
"""Bytes of a file of prices."""


class PriceTable:
    """Prices by model name: those that were given, then those that the provider lists.

    A dated name (`gpt-4o-2024-08-06`) has the price of the undated. Lists are those of the package
    genai-prices, as of its release; nothing is fetched.

    Args:
        prices: of models that the lists lack, or have otherwise.
        address: where the models are asked, which tells the provider; OpenAI's own by default.
    """

    def __init__(
        self, prices: Mapping[str, Price] | None = None, address: str | None = None
    ) -> None:
        self._prices = dict(prices or {})
        self._address = address

    def at(self, address: str | None) -> PriceTable:
        """Return the same table for models at an address; at the same as before where it is None."""
        return self if address is None else PriceTable(self._prices, address)

    @classmethod
    def read(cls, path: Path) -> PriceTable:
        """Read a JSON file `{"model": {"in": 0.5, "out": 1.5}, …}`, which counts before the lists.

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
        names = dict.fromkeys((model, name, _DATED.sub("", name)))
        price = next((self._prices[one] for one in names if one in self._prices), None)
        if price is not None:
            return (usage.tokens_in * price.tokens_in + usage.tokens_out * price.tokens_out) / 1e6
        costs = (_listed(one, usage, self._address) for one in names)
        return next((cost for cost in costs if cost is not None), None)


def _listed(model: str, usage: Usage, address: str | None) -> float | None:
    """Return what a call costs by the provider's list; None for a name that is in none."""
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    provider = _lister(model, address)
    if provider is None:
        return None
    tokens = Tokens(input_tokens=usage.tokens_in, output_tokens=usage.tokens_out)
    return float(calc_price(tokens, model, provider_id=provider).total_price)


@lru_cache(maxsize=256)
def _lister(model: str, address: str | None) -> str | None:
    """Return whose list names a model at an address; None where none does.

    The package forgets what it did not find, and looks through hundreds of patterns at every call.
    """
    from genai_prices.data_snapshot import get_snapshot

    provider: str = OPENAI
    if address is not None:
        try:
            provider = get_snapshot().find_provider(None, None, address).id
        except LookupError:
            if model.startswith(OPEN_WEIGHTS):
                return None
    try:
        _, found = get_snapshot().find_provider_model(model, None, provider, None)
    except LookupError:
        return None
    # The lists match by pattern, too: a name that only begins like a listed one is another model.
    return provider if found.id == model else None
