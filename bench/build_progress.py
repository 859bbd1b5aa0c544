"""Whether a build's progress is true from the start: what it foretells against what came.

    python bench/build_progress.py [--megabytes 60] [--workers 2] [--data ../shared/data] [--stream]

Builds an export of the dumps' real pages repeated under new ids (as bench/build_speed.py), with
what the command line is told on the way, and prints at a twentieth, a tenth, a quarter, a half and
three quarters of the reading: the seconds gone, those left as foretold (amount left by the
rate since the first report) and as they came, pages and megabytes a second, and the longest silence between two reports.
`--stream` builds it as one bz2 stream.
"""

from __future__ import annotations

import argparse
import bz2
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from build_speed import real_pages, write_export  # noqa: E402

from corpus.builder.pipeline import Progress  # noqa: E402
from corpus.builder.snapshot import build_snapshot  # noqa: E402

SHARES = (0.05, 0.1, 0.25, 0.5, 0.75)


def main() -> None:
    """Build, and print what was foretold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--stream", action="store_true", help="as one bz2 stream")
    chosen = parser.parse_args()
    told: list[tuple[float, Progress]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = real_pages(chosen.data / "dumps")
        dump, size = write_export(folder, pages, chosen.megabytes * 1_000_000)
        if chosen.stream:
            whole = folder / "benchwiki.xml.bz2"
            whole.write_bytes(bz2.compress(bz2.decompress(dump.read_bytes())))
            dump = whole
        began = time.monotonic()
        manifest = build_snapshot(
            [dump],
            folder / "out",
            date="2022-01-01",
            workers=chosen.workers,
            report=lambda progress: told.append((time.monotonic() - began, progress)),
        )
        seconds = time.monotonic() - began
    print(f"{size / 1e6:.0f} MB of XML, {manifest.articles:,} articles, {seconds:.1f} s in all")
    reading = [(at, one) for at, one in told if one.stage == "reading"]
    (first, before), end = reading[0], reading[-1][0]
    for share in SHARES:
        at, one = next((at, one) for at, one in reading[1:] if one.done >= share * one.total)
        rate = (one.done - before.done) / (at - first)
        pages_rate = (one.pages - before.pages) / (at - first)
        foretold, came = (one.total - one.done) / rate, end - at
        print(
            f"{share:4.0%} read after {at:6.1f} s: {one.done:5.1f} of {one.total:.1f} {one.unit},"
            f" {rate:.2f} MB/s, {pages_rate:6.0f} pages/s; left as foretold"
            f" {foretold:6.1f} s, as it came {came:6.1f} s ({foretold / max(came, 1e-9) - 1:+.0%})"
        )
    for stage in dict.fromkeys(one.stage for _, one in told):
        times = [at for at, one in told if one.stage == stage]
        print(f"{stage}: from {times[0]:.1f} to {times[-1]:.1f} s, {len(times)} reports")
    times = [0.0, *(at for at, _ in told), seconds]
    print(f"longest silence {max(after - at for at, after in pairwise(times)):.1f} s")


if __name__ == "__main__":
    main()
