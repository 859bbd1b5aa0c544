from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.serve.access.tokens import Doorkeeper, make_token, read_tokens
from agent.serve.problems import Problem
from corpus.errors import InputError

ONE, TWO = "a" * 32, "b" * 32


def test_a_file_of_tokens_names_callers_and_rates(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"# who may\nann {ONE}\n\nben {TWO} 60\n")
    door = Doorkeeper(read_tokens(file))
    assert door.admit(f"Bearer {ONE}") == "ann"
    assert door.admit(f"bearer  {TWO} ") == "ben"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ann", "line 1"),
        (f"ann {ONE} often", "requests a minute"),
        (f"ann {ONE} 0", "requests a minute"),
        ("ann short-secret", "16 or more"),
        ("# nobody\n", "holds no token"),
    ],
)
def test_a_wrong_file_is_refused_and_no_token_is_said(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "tokens"
    file.write_text(text)
    with pytest.raises(InputError, match=said) as refused:
        read_tokens(file)
    assert ONE not in str(refused.value)
    assert "short-secret" not in str(refused.value)


@given(st.text() | st.none())
def test_nothing_but_the_token_lets_in(header: str | None) -> None:
    door = Doorkeeper([make_token(ONE)])
    with pytest.raises(Problem) as refused:
        door.admit(header)
    assert refused.value.status == 401
    assert Doorkeeper([]).admit(header) == "anyone"


@given(st.lists(st.floats(0, 30), min_size=1, max_size=200), st.sampled_from([0.5, 1.0, 6.0, 60.0]))
def test_a_rate_is_held_whatever_the_moments(pauses: list[float], rate: float) -> None:
    now = 0.0
    door = Doorkeeper([make_token(ONE, "ann", rate)], clock=lambda: now)
    admitted, refused = [], []
    for pause in pauses:
        now += pause
        try:
            door.admit(f"Bearer {ONE}")
        except Problem as problem:
            refused.append(problem)
        else:
            admitted.append(now)
    assert all(one.status == 429 and int(one.headers["Retry-After"]) >= 1 for one in refused)
    # A minute's worth at once, and what has filled up since.
    assert len(admitted) <= max(1.0, rate) + now * rate / 60 + 1e-6


def test_processes_share_one_rate() -> None:
    tokens = [make_token(TWO, "ann"), make_token(ONE, "ben", 6.0)]
    rooms = multiprocessing.get_context("spawn").Array("d", 4)
    doors = [Doorkeeper(tokens, clock=lambda: 1000.0, rooms=rooms) for _ in range(2)]
    for turn in range(6):
        doors[turn % 2].admit(f"Bearer {ONE}")
    for door in doors:
        door.admit(f"Bearer {TWO}")
        with pytest.raises(Problem) as refused:
            door.admit(f"Bearer {ONE}")
        assert refused.value.headers["Retry-After"] == "10"
