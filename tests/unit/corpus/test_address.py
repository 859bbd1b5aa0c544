from __future__ import annotations

import pytest

from corpus.address import check_model_address
from corpus.errors import InputError


@pytest.mark.parametrize(
    "url",
    ["https://me:pass-word@host/v1", "http://token-1@host:8000/v1", "https://host/v1?key=token-1"],
)
def test_a_secret_in_a_models_address_is_refused_and_not_said(url: str) -> None:
    with pytest.raises(InputError, match="as the API key instead") as refused:
        check_model_address(url)
    assert "pass-word" not in str(refused.value)
    assert "token-1" not in str(refused.value)


@pytest.mark.parametrize("url", ["http://localhost:8000/v1", "https://host/openai/v1"])
def test_other_addresses_of_models_are_taken(url: str) -> None:
    check_model_address(url)
