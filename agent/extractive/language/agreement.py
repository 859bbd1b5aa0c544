"""Questions about several members put into the singular: "are the capitals of {1}"."""

from __future__ import annotations

import re

from agent.extractive.language import verbs, words
from agent.extractive.language.clauses import Form, form_of
from agent.extractive.language.phrases import Token, tokenise

_SINGULAR_BE = {"are": "is", "were": "was", "do": "does", "have": "has"}


def agreeing(text: str) -> str:
    """Put a question about several members into the singular: "are the capitals of {1}"."""
    if "{" not in text:
        return text
    text = re.sub(r"\b(?:each|all|every one) of (?=\{)", "", text)
    tokens = tokenise(text)
    form = form_of(tokens)
    if form.auxiliary >= len(tokens) or form.auxiliary > 6:
        return _possessive_to_of(text)
    auxiliary = tokens[form.auxiliary]
    singular = _SINGULAR_BE.get(auxiliary.low)
    about_one = form.kind == "copular" or (
        tokens[form.start : form.start + 1]
        and any(token.text.startswith("{") for token in tokens[form.start : form.end])
    )
    if form.kind == "copular" and singular in {"is", "was"}:
        text = singular_attribute(text, tokens, form)
    if singular and about_one and form.kind in {"copular", "inverted", "polar"}:
        said = singular.capitalize() if auxiliary.text[0].isupper() else singular
        text = text[: auxiliary.start] + said + text[auxiliary.end :]
    return _possessive_to_of(text)


def singular_attribute(text: str, tokens: list[Token], form: Form) -> str:
    """Turn "the capitals of {1}" into "the capital of {1}"; lists asked of each stay plural."""
    head = None
    for i in range(form.start, form.end):
        low = tokens[i].low
        if low in words.PREPOSITION | words.RELATIVE or tokens[i].text.startswith(("{", "(")):
            break
        if low == ",":
            return text
        head = i
    if head is None or not words.is_plural(tokens[head].low) or tokens[head].is_name:
        return text
    return text[: tokens[head].start] + words.singular(tokens[head].text) + text[tokens[head].end :]


_OWNED = re.compile(
    r"^(?P<open>(?:what|who)\s+(?:is|was|are|were))\s+(?P<owner>\{\w+\})'s\s+(?P<thing>.+)$",
    re.IGNORECASE,
)


def _possessive_to_of(text: str) -> str:
    match = _OWNED.match(text)
    if match is None:
        return text
    thing = match["thing"]
    parts = thing.split()
    if (
        words.is_plural(parts[-1])
        and len(parts) <= 4
        and match["open"].lower().endswith(("are", "were"))
    ):
        parts[-1] = words.singular(parts[-1])
    opening = re.sub(r"\bare$", "is", re.sub(r"\bwere$", "was", match["open"]))
    said = f"{opening} the {' '.join(parts)} of {match['owner']}"
    tokens = tokenise(said)
    return singular_attribute(said, tokens, form_of(tokens))


def singular_predicate(rest: str) -> str:
    """Turn "rivers in Africa" into "a river in Africa"."""
    parts = rest.split()
    head = next(
        (i for i, part in enumerate(parts) if part.lower() in words.PREPOSITION | words.RELATIVE),
        len(parts),
    )
    if (
        head
        and words.is_plural(parts[head - 1])
        and not any(
            verbs.verb_base(part)
            for part in parts[: max(head - 1, 1) - 0]
            if part != parts[head - 1]
        )
    ):
        parts[head - 1] = words.singular(parts[head - 1])
        article = "an" if parts[0][0].lower() in "aeiou" else "a"
        return " ".join([article, *parts])
    return rest
