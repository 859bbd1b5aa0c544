"""Templates about places: flags and countries, which show a country's name; medals."""

from __future__ import annotations

from corpus.form.marks import ICON, ICON_END
from corpus.wikitext.templates.call import Call, Template, table
from corpus.wikitext.templates.countries import COUNTRIES


def country(call: Call) -> str:
    """`{{flag|France}}`, `{{flagcountry|FRA}}`: show the country's name."""
    return call.get("name") or name_of(call.at(1))


def name_of(code: str) -> str:
    """Return the country that a code stands for; a name as it is."""
    return COUNTRIES.get(code, code)


def athlete(call: Call) -> str:
    """`{{flagathlete|Name|FRA}}`: show name and country."""
    where = name_of(call.at(2))
    return f"{call.at(1)} ({where})" if where else call.at(1)


def medalist(call: Call) -> str:
    """`{{flagmedalist|Name|FRA}}`, `{{flagIOCmedalist|…}}`: show name and country."""
    return athlete(call)


def country_at_games(call: Call) -> str:
    """`{{flagIOC|FRA|2012 Summer|12}}`: show the country and the number that may follow."""
    number = call.at(3)
    return name_of(call.at(1)) + (f" ({number})" if number else "")


def flag_icon(call: Call) -> str:
    """`{{flagicon|FRA}}`: a small flag, its country shown only where nothing else is."""
    name = name_of(call.at(1) or call.get("1"))
    return f"{ICON}{name}{ICON_END}" if name else ""


def armed_force(call: Call) -> str:
    """`{{army|USA|1861}}`: the country and the kind of its force."""
    force = " ".join(word.capitalize() for word in call.name.split())
    return call.get("name") or f"{name_of(call.at(1))} {force}".strip()


def map_caption(call: Call) -> str:
    """`{{map caption|location_color=green|region=Europe|region_color=grey}}`: what the colours show."""
    place = call.get("location", "country")
    parts = [(f"Location of {place}" if place else "Location", call.get("location_color"))]
    for name in ("region", "subregion"):
        if where := call.get(name):
            parts.append((f"in {where}", call.get(f"{name}_color")))
    return " – ".join(f"{words} ({colour})" if colour else words for words, colour in parts)


def medal(name: str) -> Template:
    """Return a template that shows the kind of a medal, with what it is for."""
    return lambda call: (
        f"{name}: {call.at(1)}" if call.at(1) and not call.at(1).isdecimal() else name
    )


def medal_line(name: str) -> Template:
    """Return a template that shows one medal in a box: `{{MedalGold|[[2008 Beijing]]|Marathon}}`."""
    return lambda call: ", ".join(filter(None, (f"{name}: {call.at(1)}", *call.filled(2))))


def city_and_state(call: Call) -> str:
    """`{{city-state|Austin|Texas}}`: show both."""
    return ", ".join(call.filled()[:2])


def player(call: Call) -> str:
    """`{{fs player|no=1|nat=ENG|pos=GK|name=…}}`: a squad's line with its heads."""
    parts = {
        "No.": call.get("no"),
        "Position": call.get("pos"),
        "Nation": name_of(call.get("nat", "country")),
        "Player": call.get("name"),
        "Note": call.get("other"),
    }
    return "\n* " + " | ".join(f"{head}: {value}" for head, value in parts.items() if value)


_MEDALS = {"gold": "Gold", "silver": "Silver", "bronze": "Bronze"}
PLACES = table(
    {
        (
            'flag | flagcountry | flagu | flag country | country | noflag | fb | fbw | nft | flagteam | '
            'flag2 | flagcu | cr | cr-rt | cricon | ru | ru-rt | bk | bkw | ih | flaglist | flagg | '
            'flagright | fb-rt | flag+link | nf | drapeau2 | drapeau | bandera | bandera2 | país | '
            'pays | laenderservice | flagge | nobandera | flagcountry2 | noflagcountry | vb | vbw | '
            'hb | hbw | nflag | flagbig | country flag | country alias | '
            'flagicon2 | flagathlete country | fbu | 州国旗 | 国旗 | flagcdecode'
        ): country,
        "flagicon | flag icon | flagdeco | fbicon | ficon | flagicon2": flag_icon,
        "flagathlete | flagioc athlete | flagiocathlete": athlete,
        "flagmedalist | flagiocmedalist": medalist,
        "flagioc | flagioc2 | flagcpp | flagiocteam": country_at_games,
        **{f'{kind}{ending}': medal(name) for kind, name in _MEDALS.items() for ending in (' medal', '1', '2', '3', '01', '02', '03')},
        **{f'medal{kind}': medal_line(name) for kind, name in _MEDALS.items()},
        "city-state | city, state | citystate": city_and_state,
        "map caption": map_caption,
        "army | navy | air force | marines": armed_force,
        "fs player | nat fs player | nat fs g player | fs2 player | football squad player": player,
    }
)  # fmt: skip


def country_template(name: str) -> Template | None:
    """Return the template that a bare code is (`{{USA}}`, `{{FRA}}`), None for other names."""
    shown = COUNTRIES.get(name) if len(name) == 3 and name.isupper() else None
    return (lambda call: shown) if shown else None
