"""Prompt files: found, read, filled. One file per question put to a model; any can be replaced."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from string import Template

from agent.llm.port import Message
from corpus.errors import InputError

PACKAGED = Path(__file__).parent / "prompts"
_BETWEEN = re.compile(r"^---[ \t]*$", re.MULTILINE)
_PART = re.compile(r"^<!-- (system|user|text) -->[ \t]*$", re.MULTILINE)


class Prompts:
    """The prompt files of one language.

    A file's parts begin with `<!-- system -->`, `<!-- user -->` or, for a piece that other files
    take in, `<!-- text -->`; `$name` stands for a value.

    Args:
        folder: files found here replace the packaged ones of the same name, one by one.
        language: "en", or a folder beside the English prompts such as "zh".
        packaged: the package's own prompts; the agent's by default.
    """

    def __init__(
        self,
        folder: Path | str | None = None,
        language: str = "en",
        *,
        packaged: Path = PACKAGED,
    ) -> None:
        translated = packaged if language == "en" else packaged / language
        if not translated.is_dir():
            known = sorted(path.name for path in packaged.iterdir() if path.is_dir())
            raise InputError(
                f"no prompts in language {language!r}: choose {' or '.join(['en', *known])}"
            )
        if folder is not None and not Path(folder).is_dir():
            raise InputError(f"{folder}: no such folder of prompts")
        self._folders = (
            *(() if folder is None else (Path(folder),)),
            translated,
            packaged,
        )
        self._paths: dict[str, Path] = {}

    def messages(self, name: str, **values: str) -> list[Message]:
        """Return the conversation that a prompt file opens, filled.

        Raises:
            InputError: the file wants a value that this step does not have.
        """
        path, parts = self._parts(name)
        return [
            Message(role=role, content=_filled(path, parts[role], values))
            for role in ("system", "user")
            if role in parts
        ]

    def text(self, name: str, **values: str) -> str:
        """Return a piece that other prompts take in, filled."""
        path, parts = self._parts(name)
        if "text" not in parts:
            raise InputError(f"{path}: has no part <!-- text -->")
        return _filled(path, parts["text"], values)

    def examples(self, name: str, shots: int | None) -> str:
        """Return the first `shots` worked examples of `NAME_examples.md`, all of them where None.

        A line `---` stands between two examples, words that lead to them at the head of the first;
        the text is empty where none is asked for.
        """
        path, parts = self._parts(f"{name}_examples")
        found = [one.strip() for one in _BETWEEN.split(parts.get("text", ""))]
        if shots is not None and shots > len(found):
            raise InputError(f"{path}: has {len(found)} examples, {shots} were asked for")
        shown = found[:shots]
        return "\n" + "\n\n".join(shown) if shown else ""

    def _parts(self, name: str) -> tuple[Path, dict[str, str]]:
        path = self._paths.get(name)
        if path is None:
            paths = (folder / f"{name}.md" for folder in self._folders)
            path = next((one for one in paths if one.is_file()), None)
            assert path is not None, f"the prompt {name} is not packaged"
            self._paths[name] = path
        return path, read_parts(path)


def prompt_language(code: str) -> str:
    """Return the language of the agent's prompts for text in language `code`: itself, or "en"."""
    return code if (PACKAGED / code).is_dir() else "en"


@lru_cache(maxsize=128)
def read_parts(path: Path) -> dict[str, str]:
    """Return a prompt file's parts by name, stripped.

    Raises:
        InputError: it has none.
    """
    pieces = _PART.split(path.read_text("utf-8"))
    if len(pieces) < 3:
        raise InputError(
            f"{path}: a prompt needs a line <!-- system -->, <!-- user --> or <!-- text -->"
        )
    return {name: text.strip() for name, text in zip(pieces[1::2], pieces[2::2], strict=True)}


def _filled(path: Path, text: str, values: dict[str, str]) -> str:
    try:
        return Template(text).substitute(values)
    except KeyError as error:
        raise InputError(
            f"{path}: ${error.args[0]} is not filled here; known are "
            + ", ".join(f"${name}" for name in sorted(values))
        ) from None
    except ValueError as error:
        raise InputError(f"{path}: a lone $ must be written $$ ({error})") from error
