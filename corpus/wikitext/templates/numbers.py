"""Templates about numbers: measures, money, fractions, coordinates."""

from __future__ import annotations

import re
from collections.abc import Callable

from corpus.wikitext.templates.arguments import Values

_UNITS = {
    "km2": "km²", "m2": "m²", "sqmi": "sq mi", "sqft": "sq ft", "sqkm": "km²", "km3": "km³", "m3": "m³",
    "cumi": "cu mi", "cuft": "cu ft", "m3/s": "m³/s", "cuft/s": "cu ft/s", "kmh": "km/h", "km/h": "km/h",
    "c": "°C", "f": "°F", "k": "K", "°c": "°C", "°f": "°F", "ftin": "ft", "mph": "mph", "kg/m3": "kg/m³",
    "/km2": "/km²", "/sqmi": "/sq mi", "pd/sqmi": "/sq mi", "pd/km2": "/km²", "g/cm3": "g/cm³",
    "inch": "in", "inches": "in", "foot": "ft", "feet": "ft", "mile": "mi", "miles": "mi", "metre": "m",
    "m/s2": "m/s²", "impgal": "imp gal", "usgal": "US gal", "l": "L",
}  # fmt: skip
_BETWEEN = {
    "-": "–", "–": "–", "to": " to ", "and": " and ", "or": " or ", "by": " by ", "x": " × ", "×": " × ",
    "+/-": " ± ", "±": " ± ", "to(-)": " to ", "and(-)": " and ",
}  # fmt: skip
_NUMBER = re.compile(r"[-−+]?[\d.,/+eE×\s]*\d[\d.,/+]*")


def convert(values: Values) -> str:
    """`{{convert|10|km|mi}}`: show the measure as it is given; the conversion is not made here."""
    parts = values.positional
    if not parts or not parts[0]:
        return ""
    shown = group_digits(parts[0])
    position = 1
    while position + 1 < len(parts) and parts[position].casefold() in _BETWEEN:
        shown += _BETWEEN[parts[position].casefold()] + group_digits(parts[position + 1])
        position += 2
    shown = (
        f"{shown} {unit_of(parts[position])}"
        if position < len(parts) and parts[position]
        else shown
    )
    # {{convert|5|ft|11|in}}: a measure in two units.
    if position + 2 < len(parts) and _NUMBER.fullmatch(parts[position + 1]):
        second = parts[position + 2]
        if second and not second.isdecimal():
            shown += f" {parts[position + 1]} {unit_of(second)}"
    return shown


def unit_of(code: str) -> str:
    """Return how a unit's code is written."""
    return _UNITS.get(code.casefold(), code)


def group_digits(number: str) -> str:
    """Return a number with its thousands separated, other text as it is."""
    plain = number.strip().replace("+", " ") if "/" in number else number.strip()
    match = re.fullmatch(r"([-−+]?)(\d{4,})(\.\d+)?", plain)
    if not match:
        return plain
    return f"{match[1]}{int(match[2]):,}{match[3] or ''}"


def value_with_unit(values: Values) -> str:
    """`{{val|1.2|e=6|u=kg}}`: number, uncertainty, power of ten and unit."""
    shown = group_digits(values.at(1))
    if values.at(2):
        shown += f"±{values.at(2)}"
    if values.get("e"):
        from corpus.wikitext.protect import superscript

        shown += f"×10{superscript(values.get('e'))}"
    unit = values.get("u", "ul")
    per = values.get("up", "upl")
    return f"{shown} {unit_of(unit)}{f'/{per}' if per else ''}".strip()


def fraction(values: Values) -> str:
    """`{{frac|1|3|4}}`: a whole number and a fraction, a fraction, or one over a number."""
    parts = values.filled()
    if len(parts) >= 3:
        return f"{parts[0]} {parts[1]}/{parts[2]}"
    if len(parts) == 2:
        return f"{parts[0]}/{parts[1]}"
    return f"1/{parts[0]}" if parts else ""


def scientific(values: Values) -> str:
    """`{{e|6}}`: times ten to a power."""
    from corpus.wikitext.protect import superscript

    return f"×10{superscript(values.at(1))}" if values.at(1) else ""


def height(values: Values) -> str:
    """`{{height|m=1.8}}` or `{{height|ft=5|in=11}}`."""
    if values.get("m", "meter", "metre"):
        return f"{values.get('m', 'meter', 'metre')} m"
    if values.get("cm"):
        return f"{values.get('cm')} cm"
    feet, inches = values.get("ft", "feet"), values.get("in", "inch")
    return " ".join(filter(None, (f"{feet} ft" if feet else "", f"{inches} in" if inches else "")))


def money(sign: str) -> Callable[[Values], str]:
    """Show an amount behind its currency's sign."""
    return lambda values: f"{sign}{group_digits(values.at(1))}"


def percentage(values: Values) -> str:
    """`{{percentage|1|3|1}}`: the share in per cent."""
    try:
        part, whole = float(values.at(1).replace(",", "")), float(values.at(2).replace(",", ""))
        digits = int(values.at(3, "0"))
        return f"{100 * part / whole:.{min(max(digits, 0), 6)}f}%"
    except (ValueError, ZeroDivisionError):
        return ""


def coordinates(values: Values) -> str:
    """`{{coord|48|51|N|2|21|E|…}}`: degrees, minutes and seconds, or a pair of decimals."""
    parts = [part for part in values.positional if part]
    halves: list[str] = []
    numbers: list[str] = []
    for part in parts:
        if part.upper() in ("N", "S", "E", "W"):
            signs = ("°", "′", "″")
            halves.append(
                "".join(n + s for n, s in zip(numbers, signs, strict=False)) + part.upper()
            )
            numbers = []
        elif re.fullmatch(r"[-−+]?\d+(?:\.\d+)?", part):
            numbers.append(part)
        else:
            break
    if len(halves) == 2:
        return " ".join(halves)
    return ", ".join(numbers[:2]) if len(numbers) >= 2 else ""


NUMBERS: dict[str, Callable[[Values], str]] = {
    **dict.fromkeys(("convert", "cvt", "conv", "convinfobox", "auto", "unit length"), convert),
    **dict.fromkeys(
        ("formatnum", "nts", "ntsh", "number table sorting", "gaps", "val-plain", "format price", "fn", "num"),
        lambda values: group_digits(values.at(1)),
    ),
    **dict.fromkeys(("val", "physics value"), value_with_unit),
    **dict.fromkeys(("frac", "fraction", "sfrac", "ratio", "half"), fraction),
    **dict.fromkeys(("e", "esp", "x10^"), scientific),
    **dict.fromkeys(("coord", "coor", "coordinates", "coor dms", "coor dm", "coor d"), coordinates),
    "height": height,
    "percentage": percentage,
    "percent": percentage,
    "sup": lambda values: values.at(1),
    "us$": money("US$"),
    "usd": money("US$"),
    "usdollar": money("US$"),
    "gbp": money("£"),
    "pound sterling": money("£"),
    "£": money("£"),
    "euro": money("€"),
    "eur": money("€"),
    "€": money("€"),
    "inr": money("₹"),
    "indian rupee": money("₹"),
    "jpy": money("¥"),
    "cny": money("CN¥"),
    "aud": money("A$"),
    "cad": money("C$"),
    "inflation": lambda values: "",
    "#": lambda values: "",
    "increase": lambda values: "↑",
    "decrease": lambda values: "↓",
    "steady": lambda values: "→",
    "profit": lambda values: "↑",
    "loss": lambda values: "↓",
    "gain": lambda values: "↑",
}  # fmt: skip
