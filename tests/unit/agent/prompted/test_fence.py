from __future__ import annotations

import pytest

from agent.prompted.fence import harmless, plain, tokenless
from bench.fence import HIDDEN, TEMPLATES, disguises, passed

TOKENS = [token for text in TEMPLATES.values() for token in text.split()]


@pytest.mark.parametrize("token", TOKENS)
def test_no_control_token_is_left_however_it_is_hidden(token: str) -> None:
    for hidden in disguises(token).values():
        text = f"He wrote {hidden} and 1 < 2."
        shown = harmless(text)
        assert not passed(shown, token)
        assert "1 < 2" in shown
        # What a model quotes of it is found in the source again.
        assert HIDDEN.sub("", plain(shown)) == HIDDEN.sub("", text)


def test_marks_of_our_own_stay_where_only_tokens_go() -> None:
    assert tokenless("Ada [1] </s> [INST]") == "Ada [1] ‹/s> ⟦INST]"
