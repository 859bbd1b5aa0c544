"""Comparisons that are said short, or with the things beside them, in their plain form.

"Elbe vs Oder how many km longer is the Elbe", "Elbe or Oder: which is longer, and by what margin?",
"If I put the areas of Uri and Zug together, what do I get?".
"""

from __future__ import annotations

import re

from agent.extractive.language import words

_THING = r"(?:the )?[\wÀ-ÿ'’.+#-]+(?: (?!or\b|and\b|vs\b|how\b|which\b|what\b)[\wÀ-ÿ'’.+#-]+){0,3}"
_PAIR = rf"(?!(?:in|on|at|of|from|by|between|for|among|is|are|was|were|do|does|did|has|have|how|which|what|who)\b)(?P<one>{_THING})(?:,? (?:vs\.?|versus|or|and) )(?P<other>{_THING})"
_MUCH = r"how (?:much|many [\w²]+(?: (?:metres|meters|kilometres|miles|feet))?)"
_LONGER = re.compile(
    rf"{_PAIR}[,:;–-]*\s+(?:and )?(?:by )?{_MUCH} (?P<degree>[a-z]+er) "
    r"(?:is|was) (?P<which>the [a-z]+er(?: one)?(?: of (?:them|the two|both))?|[^?]+?)\??",
    re.IGNORECASE,
)
_LONGER_OF = re.compile(
    rf"(?:by )?{_MUCH} (?P<degree>[a-z]+er) (?:is|was) the (?P=degree)(?: one)? of {_PAIR}\??",
    re.IGNORECASE,
)
_WHICH = re.compile(
    rf"{_PAIR}[,:;–-]+\s+(?:which|who|what)(?: one)? (?P<be>is|was|has|had) (?P<degree>(?:the )?[^,?]+?)"
    r"(?P<rest>,? and (?:by )?(?:how much|what (?:margin|amount|difference)|how many)\b[^?]*)?\??",
    re.IGNORECASE,
)
_OWNED_THAN = re.compile(
    rf"(?:by )?{_MUCH} (?:is|was) "
    r"(?:(?P<owner>[^?]+?)['’]s (?P<noun>[a-z]+)|the (?P<of_noun>[a-z]+) of (?P<of>[^?]+?)) "
    r"(?:larger|bigger|greater|higher|longer|more) than (?:that|the [a-z]+) of (?P<than>[^?]+)\??",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"(?:if|when) (?:I|you|we|one) (?:put|puts|add|adds|take|takes|sum|count|lump) (?:up )?"
    r"(?:the )?(?P<what>[a-z][a-z ]*? (?:of|in) [^?]+?)(?: (?:together|up|all together))?, "
    r"(?:what|how)\b[^?]*?\b(?:get|have|obtain|come to|arrive at|be|make)\??",
    re.IGNORECASE,
)
_MARGIN = re.compile(r"\bby what (?:margin|amount|difference|distance)\b", re.IGNORECASE)


def set_apart(text: str) -> str:
    """Return a comparison in its plain form; a text that is none of these stays as it is.

    "Elbe vs Oder how many km longer is the Elbe" becomes "How much longer is Elbe than Oder?".
    """
    text = _MARGIN.sub("by how much", text)
    longer = _LONGER.fullmatch(text) or _LONGER_OF.fullmatch(text)
    if longer is not None:
        return f"How much {longer['degree']} is {longer['one']} than {longer['other']}?"
    which = _WHICH.fullmatch(text)
    if which is not None:
        pair = f"{which['one']} or {which['other']}"
        degree = re.sub(r"^the (?=\w+er\b)", "", which["degree"])
        return f"Which {which['be']} {degree}, {pair}{which['rest'] or ''}?"
    owned = _OWNED_THAN.fullmatch(text)
    if owned is not None:
        noun, one = (
            (owned["noun"], owned["owner"]) if owned["noun"] else (owned["of_noun"], owned["of"])
        )
        return f"What is the difference between the {noun} of {one} and that of {owned['than']}?"
    together = _TOGETHER.fullmatch(text)
    if together is not None:
        noun, of, things = re.split(r" (of|in) ", together["what"], maxsplit=1)
        *first, last = noun.split()
        return f"What is the total {' '.join([*first, words.singular(last)])} {of} {things}?"
    return text
