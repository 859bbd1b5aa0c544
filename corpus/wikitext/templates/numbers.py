"""Templates about numbers: measures, money, fractions, coordinates."""

from __future__ import annotations

import re
from math import floor, isfinite, log10

from corpus.form.scripts import superscript
from corpus.wikitext.templates.call import Call, Template, table

_UNITS = {
    "km2": "km²", "m2": "m²", "cm2": "cm²", "sqmi": "sq mi", "sqft": "sq ft", "sqyd": "sq yd", "sqkm": "km²",
    "sqm": "m²", "km3": "km³", "m3": "m³", "cm3": "cm³", "cumi": "cu mi", "cuft": "cu ft", "cuyd": "cu yd",
    "m3/s": "m³/s", "cuft/s": "cu ft/s", "kmh": "km/h", "kmph": "km/h", "c": "°C", "f": "°F", "k": "K",
    "°c": "°C", "°f": "°F", "degc": "°C", "degf": "°F", "kg/m3": "kg/m³", "/km2": "per km²",
    "/sqmi": "per sq mi", "pd/sqmi": "per sq mi", "pd/km2": "per km²", "pd/sqkm": "per km²",
    "g/cm3": "g/cm³", "inch": "in", "inches": "in", "foot": "ft", "feet": "ft", "mile": "mi",
    "miles": "mi", "metre": "m", "metres": "m", "meter": "m", "m/s2": "m/s²", "impgal": "imp gal",
    "usgal": "US gal", "l": "L", "acre": "acres", "hectare": "ha", "lb": "lb", "lbs": "lb", "pound": "lb",
    "ton": "tons", "lton": "long tons", "ston": "short tons", "tonne": "tonnes", "hp": "hp",
    "bhp": "bhp", "nmi": "nmi", "ly": "light-years", "au": "AU", "e6acre": "million acres",
    "e6km2": "million km²", "e6sqmi": "million sq mi", "e3km2": "thousand km²", "e6ha": "million ha",
    "lb-ft": "lb⋅ft", "n.m": "N⋅m", "nm": "N⋅m", "psi": "psi", "gal": "gal", "l/100 km": "L/100 km",
    "mpgimp": "mpg (imperial)", "mpgus": "mpg (US)", "mi/h": "mph", "c-change": "°C", "f-change": "°F", "k-change": "K",
}  # fmt: skip
_PLURALS = frozenset({"acres", "tons", "long tons", "short tons", "light-years"})
_BETWEEN = {
    "-": "–", "–": "–", "to": " to ", "and": " and ", "or": " or ", "by": " × ", "x": " × ", "×": " × ",
    "+/-": " ± ", "±": " ± ", "&": " and ", "to(-)": "–", "and(-)": " and ", ",": ", ", "to about": " to about ",
    "xx": " × ", "*": " × ", "+": " + ",
}  # fmt: skip
_NUMBER = re.compile(r"[-−+]?[\d.,]*\d(?:[+⁄/]\d+)*(?:[eE][-+]?\d+)?")
_PLAIN = re.compile(r"([-−+]?)(\d{4,})(\.\d+)?")


def convert(call: Call) -> str:
    """`{{convert|10|km|mi}}`: the measure as it is given.

    The converted value is not made here: it is MediaWiki's rounding, not the source's words.
    """
    values = call.positional
    if not values or not values[0]:
        return ""
    shown, position = group_digits(values[0]), 1
    while position + 1 < len(values) and values[position].lower() in _BETWEEN:
        shown += _BETWEEN[values[position].lower()] + group_digits(values[position + 1])
        position += 2
    unit = call.at(position + 1)
    if not unit:
        return shown
    written = write_unit(unit, call)
    shown += f" {written.removesuffix('s') if shown == '1' and written in _PLURALS else written}"
    # A measure in two units: {{convert|5|ft|11|in}}.
    second, third = call.at(position + 2), call.at(position + 3)
    if third and _NUMBER.fullmatch(second) and not _NUMBER.fullmatch(third):
        shown += f" {second} {write_unit(third, call)}"
    return shown


def write_unit(code: str, call: Call | None = None) -> str:
    """Return how the code of a unit is written."""
    if call is not None and call.get("adj", "abbr") == "pre":
        return code
    return _UNITS.get(code.lower(), code)


def group_digits(number: str) -> str:
    """Return a number with its thousands separated; other text as it is."""
    match = _PLAIN.fullmatch(number.strip())
    if match is None:
        return number.strip()
    return f"{match[1]}{int(match[2]):,}{match[3] or ''}"


def format_number(call: Call) -> str:
    """`{{formatnum:12345}}`, `{{nts|12345}}`: with thousands separated, or as it was with `R`."""
    if call.name == "formatnum" and call.at(2).upper() in ("R", "NOSEP"):
        return call.at(1)
    return group_digits(call.at(1))


def value_with_unit(call: Call) -> str:
    """`{{val|1.2|0.1|e=6|u=kg}}`: number, uncertainty, power of ten and unit."""
    shown = group_digits(call.at(1))
    if (error := call.at(2)).startswith("("):
        shown += error
    elif error:
        shown += (
            f" ± {error}" if not call.at(3) else f" +{error.lstrip('+')} −{call.at(3).lstrip('-−')}"
        )
    if power := call.get("e"):
        shown += f"×10{superscript(power)}" if shown else f"10{superscript(power)}"
    unit, per = call.get("u", "ul"), call.get("up", "upl")
    shown = f"{call.get('p')}{shown}{call.get('s')}"
    return f"{shown} {write_unit(unit)}{f'/{per}' if per else ''}".strip()


def fraction(call: Call) -> str:
    """`{{frac|1|3|4}}`: a whole number and a fraction, a fraction, or one over a number."""
    values = call.filled()
    if len(values) >= 3:
        return f"{values[0]} {values[1]}/{values[2]}"
    if len(values) == 2:
        return f"{values[0]}/{values[1]}"
    return f"1/{values[0]}" if values else "/"


def power_of_ten(call: Call) -> str:
    """`{{e|6}}`: times ten to a power."""
    return f"×10{superscript(call.at(1))}" if call.at(1) else ""


def height(call: Call) -> str:
    """`{{height|m=1.8}}` or `{{height|ft=5|in=11}}`."""
    if metres := call.get("m", "meter", "metre", "meters", "metres"):
        return f"{metres} m"
    if centimetres := call.get("cm"):
        return f"{centimetres} cm"
    feet, inches = call.get("ft", "feet", "foot"), call.get("in", "inch", "inches")
    return " ".join(filter(None, (feet and f"{feet} ft", inches and f"{inches} in")))


def money(sign: str) -> Template:
    """Return a template that shows an amount behind its currency's sign."""
    return lambda call: f"{sign}{group_digits(call.at(1))}"


def price(call: Call) -> str:
    """`{{format price|12345678}}`: in millions or billions where it is that large."""
    text = call.at(1).replace(",", "")
    if not re.fullmatch(r"\d+(?:\.\d+)?", text):
        return call.at(1)
    amount = float(text)
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if amount >= size:
            return f"{amount / size:.3g} {word}"
    return group_digits(text)


def percentage(call: Call) -> str:
    """`{{percentage|1|3|1}}`: the share in per cent; one number is the share itself."""
    if not call.at(2):
        return f"{call.at(1)}%" if call.at(1) else ""
    try:
        part, whole = float(call.at(1).replace(",", "")), float(call.at(2).replace(",", ""))
        digits = min(max(int(call.at(3, "0")), 0), 6)
        return f"{100 * part / whole:.{digits}f}%"
    except (ValueError, ZeroDivisionError):
        return ""


def rounded(call: Call) -> str:
    """`{{sigfig|4.22|1}}`, `{{round|3.14159|2}}`: to so many significant digits, or behind the point."""
    number, digits = call.at(1).replace(",", ""), call.at(2, "0")
    try:
        value, places = float(number), int(digits)
    except ValueError:
        return call.at(1)
    if not isfinite(value) or not -20 <= places <= 20:
        return call.at(1)
    if call.name == "sigfig" and value:
        places -= floor(log10(abs(value))) + 1
    return group_digits(f"{round(value, places):.{max(places, 0)}f}")


def coordinates(call: Call) -> str:
    """`{{coord|48|51|N|2|21|E|…}}`: degrees, minutes and seconds, or a pair of decimals."""
    halves: list[str] = []
    numbers: list[str] = []
    for part in call.filled():
        if part.upper() in ("N", "S", "E", "W") and numbers:
            degrees = "".join(n + s for n, s in zip(numbers, "°′″", strict=False))
            halves.append(degrees + part.upper())
            numbers = []
        elif re.fullmatch(r"[-−+]?\d+(?:\.\d+)?", part):
            numbers.append(part)
        else:
            break
    if len(halves) >= 2:
        return " ".join(halves[:2])
    return ", ".join(numbers[:2]) if len(numbers) >= 2 and not halves else ""


def change(sign: str) -> Template:
    """Return a template that shows an arrow and what goes with it."""
    return lambda call: f"{sign} {call.at(1)}".strip()


def ordinal(call: Call) -> str:
    """`{{ordinal|21}}`: "21st"."""
    number = call.at(1)
    if not number.isdecimal():
        return number
    ending = {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return number + ("th" if number[-2:-1] == "1" else ending)


def digits_in_groups(call: Call) -> str:
    """`{{gaps|12|345}}`: the groups of one number, joined as MediaWiki's spacing shows them."""
    return " ".join(call.filled())


def rail_gauge(call: Call) -> str:
    """`{{RailGauge|1435mm}}`: the gauge as it is given."""
    return re.sub(r"(?<=\d)(mm|in|ft)\b", r" \1", call.at(1))


_CURRENCIES = {
    "us$": "US$", "usd": "US$", "usdollar": "US$", "us dollar": "US$", "gbp": "£", "pound sterling": "£",
    "£": "£", "pound": "£", "euro": "€", "eur": "€", "€": "€", "inr": "₹", "indian rupee": "₹",
    "indianrupee": "₹", "jpy": "¥", "yen": "¥", "cny": "CN¥", "cn¥": "CN¥", "rmb": "CN¥", "aud": "A$", "a$": "A$",
    "cad": "C$", "canadian dollar": "C$", "hkd": "HK$", "krw": "₩", "rub": "₽", "₽": "₽", "nis": "₪",
    "nzd": "NZ$", "sgd": "S$", "php": "₱", "mxn": "Mex$", "brl": "R$",
}  # fmt: skip
_ARROWS = {
    "increase": "▲", "decrease": "▼", "steady": "▬", "profit": "▲", "loss": "▼", "gain": "▲",
    "up": "▲", "down": "▼", "nochange": "▬", "increaseneutral": "▲", "decreaseneutral": "▼",
    "increasenegative": "▲", "decreasepositive": "▼", "no change": "▬", "same position": "▬",
}  # fmt: skip
NUMBERS = table(
    {
        (
            'convert | cvt | conv | convinfobox | auto | unit length | convert/2 | unité | unit | '
            'unità | converter'
        ): convert,
        "formatnum | nts | number table sorting | fn | num | nombre | formatnumber": format_number,
        "val | physics value | val2": value_with_unit,
        "frac | fraction | sfrac | ratio | half | fracbot | bruch | fracc | su2": fraction,
        "e | esp | x10^ | 10^": power_of_ten,
        (
            'coord | coor | coordinates | coor dms | coor dm | coor d | coor title dms | coor title d | '
            'coor at dms | koordinate | coordenadas | координаты | 坐標 | 坐标 | ウィキ座標2段度分秒 | '
            'lunar coords and quad cat | lunar coords | mars coords and quad cat'
        ): coordinates,
        **{name: change(arrow) for name, arrow in _ARROWS.items()},
        **{name: money(sign) for name, sign in _CURRENCIES.items()},
        "percentage | percent | pct | percent-done": percentage,
        "sigfig | round | rnd": rounded,
        "height": height,
        "format price": price,
        "ordinal": ordinal,
        "gaps": digits_in_groups,
        "railgauge | track gauge | rail gauge": rail_gauge,
    }
)  # fmt: skip
