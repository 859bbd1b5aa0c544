from __future__ import annotations

from corpus.progress import EVERY, Pace


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_long_work_is_told_with_rate_and_time_left() -> None:
    clock, lines = Clock(), list[str]()
    pace = Pace("chunks", lines.append, clock)
    pace("embedding", 64, 6_064)
    assert lines == []
    clock.now += EVERY
    pace("embedding", 564, 6_064)
    assert lines == ["embedding: 564 of 6,064 chunks, 100 a second, 0:00:55 left"]
    clock.now += EVERY - 1
    pace("embedding", 1_064, 6_064)
    assert len(lines) == 1
    clock.now += 1
    pace("FAISS", 0, 1)
    assert lines[1:] == ["FAISS: 0 of 1 chunks"]


def test_work_that_ends_soon_is_not_spoken_of() -> None:
    clock, lines = Clock(), list[str]()
    pace = Pace("chunks", lines.append, clock)
    for done in range(100):
        clock.now += 0.01
        pace("BM25+", done, 100)
    assert lines == []


def test_slow_work_has_a_rate_of_its_own() -> None:
    clock, lines = Clock(), list[str]()
    pace = Pace("MB", lines.append, clock)
    pace("reading", 0, 100)
    clock.now += 20
    pace("reading", 8, 100)
    assert lines == ["reading: 8 of 100 MB, 0.4 a second, 0:03:50 left"]
    pace = Pace("samples", lines.append, clock)
    pace("agentic, open", 0, 100)
    clock.now += 100
    pace("agentic, open", 4, 100, "1 failed")
    assert lines[1:] == ["agentic, open: 4 of 100 samples, 0.04 a second, 0:40:00 left, 1 failed"]


def test_amounts_beside_have_rates_of_their_own() -> None:
    clock, lines = Clock(), list[str]()
    pace = Pace("MB", lines.append, clock)
    pace("reading", 2.0, 8.5, unit="MB", beside=[(300, "pages")])
    clock.now += EVERY
    pace("reading", 4.5, 8.5, "900 articles", unit="MB", beside=[(1_300, "pages")])
    assert lines == [
        "reading: 4.5 of 8.5 MB, 0.5 a second, 0:00:08 left, 1,300 pages (200 a second), 900 articles"
    ]
    assert pace.rates("other", [(7, "pages")]) == ["7 pages"]
