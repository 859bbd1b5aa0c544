"""Ten questions of several forms over real dumps: is the right article cited, is the answer right?

    python bench/dump_questions.py [-v] [--data ../shared/data] [--keep FOLDER]

Builds the snapshots and their BM25+ indexes into a temporary folder, or into FOLDER, where they are
found again the next time. The questions were written after reading the articles.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent import Agent  # noqa: E402

DUMPS = {
    "2014": ("enwiki-2014-11-wp2txt.xml.bz2", "2014-11-30"),
    "2016": ("enwiki-2016-05-gensim.xml.bz2", "2016-06-01"),
    "2021": ("enwiki-2021-dbpedia.xml.bz2", "2021-12-31"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with what must come of it."""

    dump: str
    form: str
    text: str
    titles: tuple[str, ...]
    """Articles that must be cited."""
    answers: tuple[str, ...]
    """Words that the answer must hold; | stands between ways to write one."""


QUESTIONS = (
    Question(
        dump="2014",
        form="where",
        text="Where was Abraham Lincoln born?",
        titles=("Abraham Lincoln",),
        answers=("Hodgenville|Hardin County",),
    ),
    Question(
        dump="2014",
        form="two parts",
        text="Who commanded Apollo 11, and when was it launched?",
        titles=("Apollo 11",),
        answers=("Neil|Armstrong", "July 16, 1969|16 July 1969"),
    ),
    Question(
        dump="2014",
        form="who",
        text="Who wrote Animal Farm?",
        titles=("Animal Farm",),
        answers=("George Orwell",),
    ),
    Question(
        dump="2014",
        form="comparison",
        text="Which country has the larger population, Albania or Azerbaijan?",
        titles=("Azerbaijan", "Albania"),
        answers=("Azerbaijan",),
    ),
    Question(
        dump="2014",
        form="fan-out",
        text="What is the capital of each of Albania, Angola and Azerbaijan, and what is the currency of each?",
        titles=("Albania", "Angola", "Azerbaijan"),
        answers=("Tirana", "Luanda", "Baku", "Lek", "Kwanza", "Manat"),
    ),
    Question(
        dump="2014",
        form="fan-out",
        text="What are the atomic numbers of argon, arsenic and astatine?",
        titles=("Argon", "Arsenic", "Astatine"),
        answers=("18", "33", "85"),
    ),
    Question(
        dump="2016",
        form="who",
        text="Who composed An American in Paris?",
        titles=("An American in Paris",),
        answers=("George Gershwin",),
    ),
    Question(
        dump="2016",
        form="two parts",
        text="When was Andre Agassi born, and in which city?",
        titles=("Andre Agassi",),
        answers=("April 29, 1970|29 April 1970", "Las Vegas"),
    ),
    Question(
        dump="2021",
        form="two parts",
        text="Who founded IKEA, and in which year?",
        titles=("IKEA",),
        answers=("Ingvar Kamprad", "1943"),
    ),
    Question(
        dump="2021",
        form="what",
        text="What did Angela Merkel study, and where was she born?",
        titles=("Angela Merkel",),
        answers=("chemistry|physics", "Hamburg"),
    ),
)


def build(data: Path, folder: Path) -> dict[str, Path]:
    """Build what is not there yet, and return the snapshot of each dump."""
    built = {}
    for name, (file, date) in DUMPS.items():
        built[name] = folder / name
        if (folder / name / "manifest.json").exists():
            continue
        for command in (
            ["corpus", "build", str(data / "dumps" / file), "--date", date, "--out", built[name]],
            ["retrieval", "build", built[name], "--bm25-only"],
        ):
            subprocess.run(
                [sys.executable, "-m", *map(str, command)],
                cwd=ROOT,
                check=True,
                capture_output=True,
            )
    return built


def ask_all(snapshots: dict[str, Path], *, verbose: bool) -> tuple[int, int]:
    """Ask every question; return how many cite the right articles, and how many answer right."""
    agents = {name: Agent(folder, style="short") for name, folder in snapshots.items()}
    cited = right = 0
    for question in QUESTIONS:
        begun = time.perf_counter()
        answer = agents[question.dump].ask(question.text)
        seconds = time.perf_counter() - begun
        titles = {citation.revision.title for citation in answer.citations}
        low = answer.text.casefold()
        cites = all(title in titles for title in question.titles)
        holds = all(
            any(way.casefold() in low for way in words.split("|")) for words in question.answers
        )
        cited += cites
        right += holds
        print(
            f"{'cited' if cites else '-':6}{'right' if holds else '-':6}{seconds:5.1f} s  "
            f"{question.dump}  {question.form:11}{question.text}",
            flush=True,
        )
        if verbose or not (cites and holds):
            print("        " + answer.text.replace("\n", "\n        "))
            print("        cited:", ", ".join(sorted(titles)))
    return cited, right


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-v", "--verbose", action="store_true", help="print every answer")
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--keep", type=Path, help="folder of the snapshots")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        cited, right = ask_all(build(chosen.data, folder), verbose=chosen.verbose)
    print(
        f"{cited} of {len(QUESTIONS)} cite the right articles, {right} hold the answer; bound: all"
    )


if __name__ == "__main__":
    main()
