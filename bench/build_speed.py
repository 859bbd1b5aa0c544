"""How fast a snapshot is built, by one worker and by two, and in how much memory.

    python bench/build_speed.py [--megabytes 300] [--data ../shared/data] [--work FOLDER]

The export is made of the real pages under DATA/dumps, repeated under new ids and titles, as a
multistream dump with its index, like Wikimedia's. It is built with its index (workers decompress)
and without (one thread of the main process decompresses). Beside it, the same pages read with
nothing but bz2, ElementTree and mwparserfromhell's `strip_code()`, which does far less.

Two ratios are printed: of the time by the clock, which other programs on the machine disturb, and
of the busiest process's time of the processor, which bounds the clock on a machine at rest: the
processes of a build wait for one another only when a queue between them is full or empty.
"""

from __future__ import annotations

import argparse
import bz2
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
DUMPS = (
    "enwiki-2014-11-wp2txt.xml.bz2",
    "enwiki-2016-05-gensim.xml.bz2",
    "enwiki-2021-dbpedia.xml.bz2",
)
PAGES_A_STREAM = 100
PEER_MEGABYTES = 4
_PAGE = re.compile(rb"<page>.*?</page>", re.S)
_HEAD = re.compile(rb"<title>(.*?)</title>(.*?)<id>\d+</id>", re.S)


@dataclass
class Measured:
    """One build."""

    seconds: float
    processor: float
    """Seconds of the processor, of all processes together."""
    main: float
    """Peak memory of the building process, MiB."""
    workers: list[float] = field(default_factory=list)
    """Peak memory of each worker, MiB."""
    busiest: float = 0.0
    """Seconds of the processor of the process that took most."""


def real_pages(folder: Path) -> list[bytes]:
    """Return the pages of the real dumps."""
    return [
        page
        for name in DUMPS
        for page in _PAGE.findall(bz2.decompress((folder / name).read_bytes()))
    ]


def repeated(pages: list[bytes], size: int) -> Iterator[bytes]:
    """Yield pages under new ids and titles until `size` bytes are reached."""
    number = made = 0
    while made < size:
        page = pages[number % len(pages)]
        round_ = number // len(pages)
        number += 1
        head = rb"<title>\1 %d</title>\2<id>%d</id>" % (round_, number)
        page = _HEAD.sub(head, page, count=1) + b"\n"
        made += len(page)
        yield page


def write_export(folder: Path, pages: list[bytes], size: int) -> tuple[Path, int]:
    """Write a multistream dump and its index; return it and the bytes of the XML in it."""
    dump = folder / "benchwiki-multistream.xml.bz2"
    index = folder / "benchwiki-multistream-index.txt.bz2"
    head = b'<mediawiki version="0.11" xml:lang="en">\n'
    total = len(head)
    lines: list[str] = []
    with dump.open("wb") as file:
        file.write(bz2.compress(head))
        stream: list[bytes] = []
        for number, page in enumerate(repeated(pages, size), 1):
            stream.append(page)
            total += len(page)
            if len(stream) == PAGES_A_STREAM:
                lines.append(f"{file.tell()}:{number}:page")
                file.write(bz2.compress(b"".join(stream)))
                stream.clear()
        lines.append(f"{file.tell()}:0:page")
        file.write(bz2.compress(b"".join(stream) + b"</mediawiki>\n"))
    index.write_bytes(bz2.compress("\n".join(lines).encode()))
    return dump, total


def build(dump: Path, out: Path, workers: int) -> Measured:
    """Build a snapshot in processes of its own, watched from outside."""
    options = ["--date", "2022-01-01", "--out", str(out), "--workers", str(workers)]
    command = [sys.executable, "-m", "corpus", "build", str(dump), *options]
    before = os.times()
    started = time.perf_counter()
    peaks: dict[int, float] = {}
    busy: dict[int, float] = {}
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            for pid in (process.pid, *children(process.pid)):
                peaks[pid] = max(peaks.get(pid, 0.0), peak_memory(pid))
                busy[pid] = max(busy.get(pid, 0.0), processor_seconds(pid))
            time.sleep(0.1)
        if process.returncode:
            sys.exit(f"the build ended with {process.returncode}")
    seconds = time.perf_counter() - started
    after = os.times()
    spent = after.children_user + after.children_system
    return Measured(
        seconds=seconds,
        processor=spent - before.children_user - before.children_system,
        main=peaks.pop(process.pid),
        workers=list(peaks.values()),
        busiest=max(busy.values()),
    )


def children(pid: int) -> list[int]:
    """Return the processes that any thread of a process has started."""
    found: list[int] = []
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, listing.read_text().split())
    return found


def peak_memory(pid: int) -> float:
    """Return the most memory a process has held so far, in MiB; 0 where it has ended."""
    try:
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its threads so far; 0 where it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peer_speed(dump: Path) -> float:
    """Return MB of XML a second for bz2, ElementTree and strip_code, in this process."""
    import mwparserfromhell

    started = time.perf_counter()
    read = 0
    with bz2.open(dump) as file:
        for _, element in ElementTree.iterparse(file):
            if element.tag == "text":
                source = element.text or ""
                mwparserfromhell.parse(source).strip_code()
                read += len(source.encode())
                if read > PEER_MEGABYTES * 1e6:
                    break
            element.clear()
    return read / 1e6 / (time.perf_counter() - started)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=300, help="size of the export's XML")
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--work", type=Path, default=None, help="folder for the export")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.work) as name:
        folder = Path(name)
        pages = real_pages(arguments.data / "dumps")
        dump, total = write_export(folder, pages, int(arguments.megabytes * 1e6))
        alone = folder / "alone.xml.bz2"
        alone.hardlink_to(dump)
        megabytes = total / 1e6
        packed = dump.stat().st_size / 1e6
        print(f"export: {megabytes:.0f} MB of XML, {packed:.0f} MB packed; {os.cpu_count()} cores")
        print(
            f"{'':34} {'wall s':>8} {'MB/s':>7} {'cpu s':>7} {'busiest':>8} {'main MiB':>9} {'workers MiB':>14}"
        )
        fingerprints = set()
        for label, path in (("with its index", dump), ("as one stream", alone)):
            runs: dict[int, Measured] = {}
            for workers in (1, 2):
                out = folder / "out"
                runs[workers] = done = build(path, out, workers)
                manifest = json.loads((out / "manifest.json").read_text())
                fingerprints.add(manifest["fingerprint"])
                stored = (out / "articles.sqlite").stat().st_size
                shutil.rmtree(out)
                peaks = " ".join(f"{peak:.0f}" for peak in sorted(done.workers))
                print(
                    f"{label + f', {workers} worker' + 's' * (workers > 1):34} {done.seconds:8.1f}"
                    f" {megabytes / done.seconds:7.2f} {done.processor:7.1f} {done.busiest:8.1f} {done.main:9.0f} {peaks:>14}"
                )
            print(
                f"{'':34} two workers are {runs[1].seconds / runs[2].seconds:.2f} times as fast by"
                f" the clock, {runs[1].busiest / runs[2].busiest:.2f} by the busiest process"
            )
        speed = peer_speed(dump)
        print(
            f"{'bz2 + ElementTree + strip_code()':34} {'':8} {speed:7.2f}   (first {PEER_MEGABYTES} MB)"
        )
        print(
            f"store: {stored / 1e6:.0f} MB, {stored / total:.2f} of the XML;"
            f" {manifest['articles']:,} articles, {manifest['chunks']:,} chunks;"
            f" the same fingerprint in every run: {'yes' if len(fingerprints) == 1 else 'NO'}"
        )


if __name__ == "__main__":
    main()
