"""Screenshots of the report with one, two and eight runs, 38 and 1,000 questions, wide and narrow.

    python bench/report_screens.py RUNS OUT [--only NAME]

RUNS is a folder of scored runs. Their answers are repeated under ids of their own until there are
enough questions, the runs under labels of their own until there are enough runs; every report is
made as `evals compare` makes it. Needs Chromium. Prints a line for each picture: its name, the size
of the report, and what in the page is wider than the window.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from html import unescape
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from evals.records import to_json  # noqa: E402
from evals.reports.command import report_runs  # noqa: E402
from evals.runs.folder import RunFolder, run_id  # noqa: E402
from evals.runs.samples import keep_samples, kept_samples  # noqa: E402
from evals.runs.several import open_runs  # noqa: E402

RUNS, QUESTIONS = (1, 2, 8), (38, 1_000)
WIDTHS = {1_200: 2_600, 400: 4_200}
"""Width to height of the window, in pixels."""
NARROWEST = 500
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_PROBE = """<script>addEventListener('load', async () => {
  if (location.hash) await new Promise(done => setTimeout(done, 1500));
  const wide = [...document.querySelectorAll('body *')].filter(one => {
    const box = one.getBoundingClientRect();
    return box.width && box.right > innerWidth + 1 && !one.closest('.wide') && !one.closest('svg');
  });
  const texts = [...document.querySelectorAll('svg text')].map(one => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width);
  const crossed = texts.filter(([one, a], n) => texts.slice(n + 1).some(([other, b]) =>
    one.ownerSVGElement === other.ownerSVGElement && a.left < b.right - 2 && b.left < a.right - 2 &&
    a.top < b.bottom - 3 && b.top < a.bottom - 3)).map(([one]) => one.textContent);
  const pre = document.createElement('pre'); pre.id = 'probe'; pre.hidden = true;
  pre.textContent = JSON.stringify({wide: wide.slice(0, 5).map(one => one.outerHTML.slice(0, 90)), crossed});
  document.body.append(pre);
  parent.postMessage(pre.textContent, '*');
});</script></body>"""


def enlarged(source: RunFolder, path: Path, questions: int, label: str) -> Path:
    """Write a run of so many questions, the source's repeated, and return its folder."""
    samples = kept_samples(source)
    chosen = list(islice(cycle(samples), questions))
    ids = [f"{sample.id}-{n // len(samples)}" for n, sample in enumerate(chosen)]
    config = replace(source.record.config, seed=len(label))
    record = replace(
        source.record, id=run_id(config), config=config, sample_ids=tuple(ids), label=label
    )
    run = RunFolder.begin(path, record)
    keep_samples(run, [replace(one, id=new) for one, new in zip(chosen, ids, strict=True)])
    predictions = {one.sample_id: one for one in source.predictions()}
    scores = {one.sample_id: one for one in source.scores().values()}
    pairs = list(zip(chosen, ids, strict=True))
    lines = [replace(predictions[old.id], sample_id=new) for old, new in pairs]
    text = "".join(to_json(line) + "\n" for line in lines)
    run.predictions_file.path.write_text(text, encoding="utf-8")
    scoring = source.scoring()
    assert scoring is not None
    run.replace_scores([replace(scores[old.id], sample_id=new) for old, new in pairs], scoring)
    return path


def framed(page: Path, width: int, height: int, fragment: str) -> Path:
    """Return a page that shows another in a frame: Chromium's windows are at least 500 wide."""
    outer = page.with_name(f"{page.stem}.outer.html")
    outer.write_text(
        f"<body style='margin:0'><iframe src='{page.name}{fragment}' width='{width}' "
        f"height='{height}' style='border:0'></iframe><pre id='probe' hidden></pre><script>"
        "addEventListener('message', e => document.getElementById('probe').textContent = e.data)"
        "</script></body>",
        encoding="utf-8",
    )
    return outer


def shoot(page: Path, picture: Path, width: int, height: int, fragment: str = "") -> str:
    """Take a picture of a page, and return what the probe in it found."""
    assert CHROMIUM is not None, "Chromium is not installed: apt-get install -y chromium"
    profile = picture.with_suffix(".profile")
    common = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--hide-scrollbars", f"--user-data-dir={profile}", f"--window-size={width},{height}",
        "--virtual-time-budget=6000",
    ]  # fmt: skip
    narrow = width < NARROWEST
    address = framed(page, width, height, fragment).as_uri() if narrow else page.as_uri() + fragment
    try:
        subprocess.run([*common, f"--screenshot={picture}", address],
                       check=True, capture_output=True, timeout=180)  # fmt: skip
        dumped = subprocess.run([*common, "--dump-dom", address],
                                check=True, capture_output=True, text=True, timeout=180)  # fmt: skip
    finally:
        shutil.rmtree(profile, ignore_errors=True)
    found = re.search(r'<pre id="probe"[^>]*>(.*?)</pre>', dumped.stdout, re.DOTALL)
    return unescape(found[1]) if found else "no probe"


def main() -> None:
    """Make every report and every picture."""
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    sources = [run for run in open_runs([Path(sys.argv[1])]) if run.scoring() is not None]
    out = Path(sys.argv[2]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    for runs in RUNS:
        for questions in QUESTIONS:
            name = f"{runs}x{questions}"
            if only and only != name:
                continue
            folder = out / name
            shutil.rmtree(folder, ignore_errors=True)
            made = []
            for number, source in enumerate(islice(cycle(sources), runs)):
                turn = number // len(sources)
                label = source.record.config.variant + (f", {8 * turn}k tokens" if turn else "")
                made.append(enlarged(source, folder / str(number), questions, label))
            report = out / f"{name}.html"
            began = time.monotonic()
            report_runs(made, report, "html")
            seconds = time.monotonic() - began
            probed = out / f"{name}.probed.html"
            text = report.read_text(encoding="utf-8").replace("</body>", _PROBE)
            probed.write_text(text, encoding="utf-8")
            size = report.stat().st_size / 1e6
            print(f"{name}: {size:.1f} MB, made in {seconds:.1f} s", flush=True)
            first = kept_samples(RunFolder.open(made[0]))[0].id
            for width, height in WIDTHS.items():
                for what, fragment in (("overview", ""), ("question", f"#q={first}")):
                    picture = out / f"{name}-{width}-{what}.png"
                    print(f"  {picture.name}: {shoot(probed, picture, width, height, fragment)}")
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
