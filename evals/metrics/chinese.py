"""What two Chinese answers are compared as: one script, one way to write a number.

    1,545米 = 1545米 = １５４５米 = 约1545米      臺灣 = 台湾

Half-width forms (NFKC), simplified characters (OpenCC, phrase by phrase: 乾隆 stays), numbers without
separators of thousands, and no "about" before or after a number. Numerals in characters and units
stay as they are: 一 is a numeral in 一百 and none in 一休, and 公里 is not the same word as 千米.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

_THOUSANDS = re.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")
_ABOUT = re.compile(r"(?:大约为?|约为?|大概|将近|接近|近)\s*(?=\d)")
_OR_SO = re.compile(r"(?<=\d)([^\W\d_]{0,4}?)(?:左右|上下)")


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """Return the text as it is compared; punctuation and spaces stay, for the tokens leave them out."""
    simplified = str(_converter().convert(unicodedata.normalize("NFKC", text)))
    plain = _THOUSANDS.sub("", simplified)
    return _OR_SO.sub(r"\1", _ABOUT.sub("", plain)).lower()


@lru_cache(maxsize=1)
def _converter() -> Any:
    # Made when first needed: reading the dictionaries takes a moment.
    from opencc import OpenCC

    return OpenCC("t2s")
