"""Questions with their steps: reads the files that the writer of steps learns from, and checks them.

    python bench/planner_steps.py FILE...

bench/data/STEPS_GUIDE.md says how a file is written. Every line that does not hold to it is printed
with what is wrong; exit status 1 where there is one.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from agent.extractive.language.stems import stem  # noqa: E402
from agent.extractive.language.words import number_of, word_set  # noqa: E402
from agent.extractive.planner.writer.forms import forms_of, words_in  # noqa: E402
from agent.extractive.planner.writer.program import OPERATORS, Line, line_of  # noqa: E402

VOICES = (
    "plain", "hasty", "polite", "command", "indirect", "spoken", "expert", "foreign", "formal",
    "told",
)  # fmt: skip
COMMON = word_set(
    """a an the of in on at to for from by with as into than or and not no nor but
    what which who whom whose when where why how many much long old far high deep tall large big
    wide heavy fast small short often is are was were be been being do does did has have had can
    could will would there that one people person thing things place year years name names time
    times day days date number age kind most more first last best other any all both between
    after before since until during about against over under through across along near than live
    lives lived die died born call called come came go went make made take took give gave get got
    belong lie lies stand stands cost earn work found find hold held become became use used same
    country city state town language different another only ever percent long ago man woman men
    women today now per"""
)
"""Words that a step may say though the question does not."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A wording with the plan of its block."""

    question: str
    operator: str
    lines: tuple[Line, ...]
    voice: str
    subject: str


def read(path: Path) -> tuple[list[Asked], list[str]]:
    """The wordings of a file, and what is wrong with it."""
    found: list[Asked] = []
    wrong: list[str] = []
    text = path.read_text(encoding="utf-8")
    at = 1
    for block in re.split(r"\n\s*\n", text):
        rows = [row for row in block.split("\n") if row.strip()]
        here, at = at, at + block.count("\n") + 2
        if not rows:
            continue
        if not rows[0].startswith("#") or len(rows) < 3 or rows[1].strip() not in OPERATORS:
            wrong.append(f"{path.name} near {here}: no subject, operator or wording: {rows[0]!r}")
            continue
        lines: list[Line] = []
        asked: list[tuple[str, str]] = []
        for row in rows[2:]:
            voice, _, said = row.partition(":")
            if voice.strip() in VOICES and said.strip():
                asked.append((voice.strip(), said.strip()))
            elif (line := line_of(row)) is not None and not asked:
                lines.append(line)
            else:
                wrong.append(f"{path.name} near {here}: neither step nor wording: {row!r}")
        wrong += [f"{path.name} near {here}: {one}" for one in _faults(rows[1].strip(), lines)]
        for voice, question in asked:
            one = Asked(question, rows[1].strip(), tuple(lines), voice, rows[0].strip("# "))
            found.append(one)
            for word in unheard(one):
                wrong.append(f"{path.name} near {here}: {word!r} is not said in: {question}")
    return found, wrong


def _faults(operator: str, lines: list[Line]) -> list[str]:
    faults = []
    if (operator == "none") != (not lines):
        faults.append("steps are needed, but for the operator none")
    for number, line in enumerate(lines, 1):
        if line.kind != "names" and not line.said.endswith("?"):
            faults.append(f"no question: {line.said}")
        if line.kind == "names" and "|" not in line.said:
            faults.append(f"names has two or more, with | between: {line.said}")
        for reference in re.findall(r"\{(\d+)\}", f"{line.bound} {line.said}"):
            if not 0 < int(reference) < number:
                faults.append(f"{{{reference}}} is no step before: {line.said}")
        if line.kind in ("is", "not", "most", "least") and "{" not in line.said:
            faults.append(f"asked of what? {line.said}")
    if lines and lines[-1].kind == "find":
        faults.append("the last step is a find: nothing is asked")
    return faults


def unheard(asked: Asked) -> list[str]:
    """Words of the steps that are neither in the question, in some form, nor free."""
    said = {
        form.casefold() for word in words_in(asked.question) for form in forms_of(word.text) if form
    }
    stems = {stem(one) for one in said}
    counts = {number_of(one) for one in said} - {None}
    found = []
    for line in asked.lines:
        for word in words_in(f"{line.bound} {line.said}"):
            low = word.text.casefold()
            known = low in COMMON or low in said or stem(low) in stems
            known = known or (low.isdigit() and number_of(low) in counts)
            if known or not low[0].isalnum() or low.replace(",", "") in said:
                continue
            found.append(word.text)
    return found


def main() -> int:
    """Print what is wrong, and how much there is."""
    failed = False
    for name in sys.argv[1:]:
        found, wrong = read(Path(name))
        for one in wrong:
            print(one)
        failed = failed or bool(wrong)
        plans = len({(one.operator, one.lines) for one in found})
        print(f"{name}: {len(found)} wordings, {plans} plans, {len(wrong)} faults")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
