"""One use of a template: its name and arguments, as the functions of the table read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

_DIGITS = 3
"""A name of more digits is a year or the like, not the number of a positional argument."""


@dataclass(slots=True)
class Call:
    """A template with its arguments; values are stripped, names in lower case."""

    name: str
    """In lower case, underscores and runs of blanks as one space."""
    positional: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)

    def at(self, number: int, default: str = "") -> str:
        """Return the positional value of a number, counted from 1; `default` for an empty one."""
        if 0 < number <= len(self.positional):
            return self.positional[number - 1] or default
        return default

    def get(self, *names: str, default: str = "") -> str:
        """Return the first of these named values that is there and not empty."""
        for name in names:
            if value := self.named.get(name):
                return value
        return default

    def filled(self, start: int = 1) -> list[str]:
        """Return the positional values from a number on that are not empty."""
        return [value for value in self.positional[start - 1 :] if value]

    def flag(self, *names: str) -> bool:
        """Whether one of these named values says yes."""
        return self.get(*names).lower() in ("y", "yes", "1", "true", "on")


Template = Callable[[Call], str]
"""What a template shows, from its call alone."""


def table(entries: Mapping[str, Template]) -> dict[str, Template]:
    """Return a table by single names, from one whose keys name several templates, `a | b`."""
    return {name.strip(): show for names, show in entries.items() for name in names.split("|")}


def read_pairs(arguments: Sequence[list[str]]) -> list[tuple[str | None, str]]:
    """Return a template's arguments as (name, value) in order, None for those without a name.

    Args:
        arguments: the pieces of each argument. The first piece is source text: an equals sign in it
            parts name from value; one inside a link or another template does not.
    """
    pairs: list[tuple[str | None, str]] = []
    for pieces in arguments:
        written = pieces[0]
        name, sign, rest = written.partition("=")
        if not sign:
            pairs.append((None, written if len(pieces) == 1 else "".join(pieces)))
        elif len(pieces) == 1:
            pairs.append((name.strip(), rest))
        else:
            pairs.append((name.strip(), rest + "".join(pieces[1:])))
    return pairs


def make_call(name: str, pairs: Sequence[tuple[str | None, str]]) -> Call:
    """Return the call that these arguments make."""
    call = Call(name)
    for key, value in pairs:
        value = value.strip()
        if key is None:
            call.positional.append(value)
        elif key.isdecimal() and len(key) <= _DIGITS:
            _place(call.positional, int(key), value)
        else:
            call.named[key.lower()] = value
    return call


def _place(positional: list[str], number: int, value: str) -> None:
    if number > 0:
        positional.extend([""] * (number - len(positional)))
        positional[number - 1] = value
