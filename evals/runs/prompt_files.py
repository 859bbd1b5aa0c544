"""The prompt files of a run: which stand in, and the hash of each.

A folder given with `--prompts` replaces files of the agent and of the benchmarks by name; what it
does not hold is fanfold's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from agent.prompted.templates import PACKAGED as AGENT
from agent.prompted.templates import prompt_language
from corpus.errors import InputError

BENCHMARKS = Path(__file__).parents[1] / "prompts"
_DIGITS = 16


def check_prompt_folder(folder: Path | None) -> Path | None:
    """Return a folder of prompts that replaces at least one file, and holds no other.

    Raises:
        InputError: no folder, nothing in it, or a file that replaces none: a slip in a name would
            otherwise leave the packaged wording in use unseen.
    """
    if folder is None:
        return None
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder of prompts")
    known = {path.stem for packaged in (AGENT, BENCHMARKS) for path in packaged.glob("*.md")}
    given = sorted(path.stem for path in folder.glob("*.md"))
    if not given:
        raise InputError(f"{folder}: holds no prompt file: name one like answer.md")
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=3)
            raise InputError(
                f"{folder / name}.md replaces no prompt"
                + (f": is it {' or '.join(near)}?" if near else "")
            )
    return folder


def prompt_hashes(folder: Path | None, language: str = "en") -> dict[str, str]:
    """Return the first 16 hexadecimal digits of every prompt's SHA-256, by "agent/NAME" and NAME.

    Args:
        folder: files that replace packaged ones.
        language: of the benchmark: the agent's prompts are those of that language.
    """
    found: dict[str, str] = {}
    for prefix, packaged in (("agent/", AGENT), ("", BENCHMARKS)):
        for path in sorted(packaged.glob("*.md")):
            translated = packaged / prompt_language(language) / path.name
            files = (folder / path.name if folder is not None else None, translated, path)
            used = next(file for file in files if file is not None and file.is_file())
            digest = hashlib.sha256(used.read_bytes()).hexdigest()
            found[f"{prefix}{path.stem}"] = digest[:_DIGITS]
    return found


def digest_of(hashes: Mapping[str, str]) -> str:
    """Return one hash of several."""
    lines = "".join(f"{name} {value}\n" for name, value in sorted(hashes.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:_DIGITS]
