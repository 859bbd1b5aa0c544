"""Plans of Chinese questions, by rules: lists of names, what is asked of each, nested 的."""

from __future__ import annotations

import re

from agent.extractive.planner.decomposition import MEMBER, Decomposition, Draft

_NAME = r"[^、，,。？?和与及跟的是有在各分哪几谁]{2,12}"
_LIST = re.compile(rf"(?P<names>{_NAME}(?:、{_NAME})*(?:和|与|以及|及|跟){_NAME})(?P<rest>.*)")
_RESPECTIVE = re.compile(r"分别|各自|各")
_RANKED = re.compile(r"(?:哪|谁)(?:一?个|一?位|一?座|一?条|里)?.{0,6}?(?:更|最|比较)")


def chinese_steps(question: str) -> Decomposition | None:
    """The steps of a question that asks the same of several named things, None for any other.

    "北京和上海的人口分别是多少？" asks for the population of either.
    """
    text = question.rstrip("？?。 ")
    match = _LIST.match(text)
    if match is None or _RANKED.search(text) or not _RESPECTIVE.search(match["rest"]):
        return None
    names = tuple(name for name in re.split(r"、|和|与|以及|及|跟", match["names"]) if name)
    rest = _RESPECTIVE.sub("", match["rest"]).strip("，, ")
    if len(names) < 2 or not rest:
        return None
    draft = Draft(question=question, members=names)
    draft.add(f"{MEMBER}{rest}？")
    return Decomposition(question=question, steps=tuple(draft.steps), members=names)
