"""Templates about places: flags and countries, which show a country's name."""

from __future__ import annotations

from collections.abc import Callable

from corpus.wikitext.templates.arguments import Values

CODES = {
    "USA": "United States", "US": "United States", "GBR": "United Kingdom", "UK": "United Kingdom",
    "FRA": "France", "GER": "Germany", "DEU": "Germany", "ITA": "Italy", "ESP": "Spain", "POR": "Portugal",
    "PRT": "Portugal", "NED": "Netherlands", "NLD": "Netherlands", "BEL": "Belgium", "SUI": "Switzerland",
    "CHE": "Switzerland", "AUT": "Austria", "POL": "Poland", "CZE": "Czech Republic", "HUN": "Hungary",
    "RUS": "Russia", "URS": "Soviet Union", "CHN": "China", "PRC": "China", "JPN": "Japan",
    "KOR": "South Korea", "PRK": "North Korea", "IND": "India", "PAK": "Pakistan", "BAN": "Bangladesh",
    "AUS": "Australia", "NZL": "New Zealand", "CAN": "Canada", "MEX": "Mexico", "BRA": "Brazil",
    "ARG": "Argentina", "CHI": "Chile", "CHL": "Chile", "COL": "Colombia", "PER": "Peru", "VEN": "Venezuela",
    "URU": "Uruguay", "PAR": "Paraguay", "ECU": "Ecuador", "BOL": "Bolivia", "CUB": "Cuba",
    "RSA": "South Africa", "ZAF": "South Africa", "EGY": "Egypt", "NGR": "Nigeria", "NGA": "Nigeria",
    "KEN": "Kenya", "ETH": "Ethiopia", "MAR": "Morocco", "ALG": "Algeria", "DZA": "Algeria", "TUN": "Tunisia",
    "GHA": "Ghana", "CIV": "Ivory Coast", "CMR": "Cameroon", "SEN": "Senegal", "ISR": "Israel",
    "TUR": "Turkey", "GRE": "Greece", "GRC": "Greece", "SWE": "Sweden", "NOR": "Norway", "DEN": "Denmark",
    "DNK": "Denmark", "FIN": "Finland", "ISL": "Iceland", "IRL": "Ireland", "UKR": "Ukraine",
    "BLR": "Belarus", "ROU": "Romania", "ROM": "Romania", "BUL": "Bulgaria", "BGR": "Bulgaria",
    "SRB": "Serbia", "CRO": "Croatia", "HRV": "Croatia", "SLO": "Slovenia", "SVN": "Slovenia",
    "SVK": "Slovakia", "BIH": "Bosnia and Herzegovina", "MKD": "North Macedonia", "MNE": "Montenegro",
    "ALB": "Albania", "EST": "Estonia", "LAT": "Latvia", "LVA": "Latvia", "LTU": "Lithuania",
    "LUX": "Luxembourg", "MON": "Monaco", "MCO": "Monaco", "LIE": "Liechtenstein", "MLT": "Malta",
    "CYP": "Cyprus", "GEO": "Georgia", "ARM": "Armenia", "AZE": "Azerbaijan", "KAZ": "Kazakhstan",
    "UZB": "Uzbekistan", "IRN": "Iran", "IRI": "Iran", "IRQ": "Iraq", "SAU": "Saudi Arabia",
    "KSA": "Saudi Arabia", "UAE": "United Arab Emirates", "QAT": "Qatar", "KUW": "Kuwait",
    "THA": "Thailand", "VIE": "Vietnam", "VNM": "Vietnam", "INA": "Indonesia", "IDN": "Indonesia",
    "MAS": "Malaysia", "MYS": "Malaysia", "PHI": "Philippines", "PHL": "Philippines", "SIN": "Singapore",
    "SGP": "Singapore", "TPE": "Chinese Taipei", "TWN": "Taiwan", "HKG": "Hong Kong", "MGL": "Mongolia",
    "NEP": "Nepal", "SRI": "Sri Lanka", "LKA": "Sri Lanka", "JAM": "Jamaica", "TRI": "Trinidad and Tobago",
    "BAH": "Bahamas", "PUR": "Puerto Rico", "CRC": "Costa Rica", "PAN": "Panama", "GUA": "Guatemala",
    "DOM": "Dominican Republic", "ENG": "England", "SCO": "Scotland", "WAL": "Wales", "NIR": "Northern Ireland",
    "GDR": "East Germany", "FRG": "West Germany", "YUG": "Yugoslavia", "TCH": "Czechoslovakia", "EU": "European Union",
}  # fmt: skip
"""Codes of flag templates: ISO 3166, Olympic and FIFA where they differ."""


def country(values: Values) -> str:
    """`{{flag|France}}`, `{{flagcountry|FRA}}`: show the country's name."""
    name = values.get("name") or values.at(1)
    return CODES.get(name, name)


def athlete(values: Values) -> str:
    """`{{flagathlete|Name|FRA}}`: show name and country."""
    where = CODES.get(values.at(2), values.at(2))
    return f"{values.at(1)} ({where})" if where else values.at(1)


def medal(name: str) -> Callable[[Values], str]:
    """Show the kind of a medal."""
    return lambda values: name


def _by_code(code: str) -> Callable[[Values], str]:
    return lambda values: CODES[code]


PLACES: dict[str, Callable[[Values], str]] = {
    **{code.casefold(): _by_code(code) for code in CODES if len(code) == 3},
    **dict.fromkeys(
        ("flag", "flagcountry", "flagu", "flag country", "country", "noflag", "fb", "fbw", "nft", "ru",
         "flagteam", "flagioc", "flag2", "flagcu", "country data", "cr", "cricket", "ru-rt", "bk", "ih",
         "flaglist", "flagg"),
        country,
    ),
    **dict.fromkeys(("flagathlete", "flagioc athlete", "flagmedalist"), athlete),
    **dict.fromkeys(("flagicon", "flag icon", "flagdeco", "flagicon image", "fbicon"), lambda values: ""),
    "gold medal": medal("Gold"), "gold1": medal("Gold"), "gold01": medal("Gold"), "gold": medal("Gold"),
    "silver medal": medal("Silver"), "silver2": medal("Silver"), "silver02": medal("Silver"),
    "bronze medal": medal("Bronze"), "bronze3": medal("Bronze"), "bronze03": medal("Bronze"),
    "city-state": lambda values: ", ".join(values.filled()),
}  # fmt: skip
