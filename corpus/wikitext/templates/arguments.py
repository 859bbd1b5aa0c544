"""The arguments of one template, as the functions of the table read them."""

from __future__ import annotations

from collections.abc import Sequence


class Values:
    """Positional values from 1, named values by name; white space around them is off."""

    def __init__(self, arguments: Sequence[tuple[str | None, str]]) -> None:
        self.positional: list[str] = []
        self.named: dict[str, str] = {}
        for name, value in arguments:
            if name is None:
                self.positional.append(value.strip())
            elif name.isdecimal():
                self._place(int(name), value.strip())
            else:
                self.named[name.strip().casefold()] = value.strip()

    def _place(self, number: int, value: str) -> None:
        if 0 < number <= len(self.positional) + 20:
            self.positional.extend([""] * (number - len(self.positional)))
            self.positional[number - 1] = value

    def at(self, number: int, default: str = "") -> str:
        """Return the positional value of a number, from 1."""
        if 0 < number <= len(self.positional):
            return self.positional[number - 1] or default
        return default

    def get(self, *names: str, default: str = "") -> str:
        """Return the first of these named values that is there and not empty."""
        for name in names:
            if self.named.get(name):
                return self.named[name]
        return default

    def filled(self) -> list[str]:
        """Return the positional values that are not empty."""
        return [value for value in self.positional if value]
