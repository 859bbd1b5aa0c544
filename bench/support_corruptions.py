"""The ways in which `support_pairs` corrupts a passage: the claim differs from it in one thing.

Each maker is one of `support_claims`; each takes care that the change is not true after all: the new
number, name or unit stands nowhere in the sentence, or nowhere in the chunk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from support_claims import HEDGED, YEAR, Made, Maker, facts, plain, say_fact
from support_sentences import MONTH, NAME, PRONOUNS, Page

_NUMBER = re.compile(
    r"(?<![\w.,$)/–-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w,–/-]|\.\d| (?:BC|AD|CE)\b)"
)


_BOUND = re.compile(
    r"\b(?:than|least|most|over|under|up to|exceed\w*|below|above|before|by|after|since|until|within)"
    r" (?:the year |early |late |[A-Z][a-z]+ |\d{1,2},? |[$€£])*$"
)
"""Before a number that only bounds something: another number may leave the claim true."""


def number_changed(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """A number that is no year changed: its first digit (dev), its second (held out)."""
    for sentence in plain(page):
        dated = re.compile(rf"(?:{MONTH})\s?$"), re.compile(rf"^ (?:{MONTH})")
        for found in _NUMBER.finditer(sentence.text):
            before, after = sentence.text[: found.start()], sentence.text[found.end() :]
            digits = [at for at, letter in enumerate(found[0]) if letter.isdigit()]
            if (
                dated[0].search(before)
                or dated[1].search(after)
                or YEAR.fullmatch(found[0])
                or _BOUND.search(before)
            ):
                continue
            at = digits[1] if held and len(digits) > 1 else digits[0]
            digit = (int(found[0][at]) + random.randint(2, 6)) % 10
            new = found[0][:at] + str(digit or 7) + found[0][at + 1 :]
            if new != found[0] and new not in sentence.chunk.text:
                yield before + new + after, sentence.text, sentence.chunk
                break


def date_changed(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """The year moved by some years (dev); the month changed, else the year by one (held out)."""
    for sentence in plain(page):
        month = re.search(
            rf"\b(?:(?:{MONTH}))\b(?= \d)",
            sentence.text,
        )
        year = YEAR.search(sentence.text)
        if held and month:
            found, new = (
                month,
                random.choice([m for m in MONTH.split("|") if m not in sentence.text]),
            )
        elif year:
            away = random.choice((-1, 1)) if held else random.choice((-8, -6, -4, 3, 5, 7))
            found, new = year, str(int(year[0]) + away)
        else:
            continue
        if new not in sentence.text and not _BOUND.search(sentence.text[: found.start()]):
            yield (
                sentence.text[: found.start()] + new + sentence.text[found.end() :],
                sentence.text,
                sentence.chunk,
            )


_UNITS = {
    "km": ("miles", "m"), "kilometres": ("miles", "metres"), "kilometers": ("miles", "meters"), "miles": ("kilometres", "feet"),
    "m": ("ft", "km"), "metres": ("feet", "kilometres"), "meters": ("feet", "kilometers"), "feet": ("metres", "miles"), "ft": ("m", "miles"),
    "kg": ("lb", "g"), "million": ("billion", "thousand"), "billion": ("million", "trillion"), "years": ("months", "weeks"),
    "days": ("years", "hours"), "hours": ("days", "minutes"), "minutes": ("hours", "seconds"), "months": ("years", "days"),
    "weeks": ("months", "hours"), "mm": ("cm", "m"), "cm": ("inches", "mm"), "inches": ("feet", "cm"), "acres": ("square miles", "square metres"),
    "percent": ("million", "thousand"), "centuries": ("years", "decades"), "decades": ("centuries", "months"),
}  # fmt: skip


def unit_changed(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """The number kept, its unit or magnitude another."""
    number = r"((?:\d[\d,.]*|two|three|four|five|six|seven|eight|ten|twelve|twenty|thirty))"
    pattern = re.compile(
        rf"\b{number} ({'|'.join(unit for unit in _UNITS if unit != 'percent')})\b(?! old\b|/)(?: \([^()]*\))?"
    )
    for sentence in plain(page):
        found = pattern.search(sentence.text)
        if not found:
            continue
        unit = _UNITS[found[2]][held]
        new = f"{found[1]} {unit}"
        if new not in sentence.chunk.text and not _BOUND.search(sentence.text[: found.start()]):
            yield (
                sentence.text[: found.start()] + new + sentence.text[found.end() :],
                sentence.text,
                sentence.chunk,
            )


_PERSON = r"[A-Z][a-zà-ÿ]+ (?:[A-Z]\. )?[A-Z][a-zà-ÿ]{2,}"


_PLACE = re.compile(
    r"\b(?:University|County|School|City|House|War|Street|Group|Records|Industries|America|Africa|Pacific"
    r"|Bank|Airport|Plate|Museum|Reunion|Space|Congress|Language|Association|Lake|River|Mount|Prairie)\b"
)


def name_swapped(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """A name replaced by another of the article that the chunk does not hold, after the same word."""
    lead = r"\b(and|against|under) " if held else r"\b(by|with) "
    pattern = re.compile(
        rf"{lead}({_PERSON})(?= (?:and|in|on|at|as|for|was|who|to)\b|[,.])(?!, [A-Z])"
    )
    # A word that the article also writes small is part of no person's name: Norfolk Street, Six Flags.
    small = set(re.findall(r"\b[a-z]{3,}\b", page.article.text))
    pool: dict[str, set[str]] = {}
    for found in pattern.finditer(page.article.text):
        if not small & set(found[2].lower().split()) and not _PLACE.search(found[2]):
            pool.setdefault(found[1], set()).add(found[2])
    for sentence in plain(page):
        words = set(re.findall(r"\w{3,}", sentence.chunk.text))
        for found in pattern.finditer(sentence.text):
            names = pool.get(found[1], set())
            new = sorted(name for name in names if not words & set(name.split()))
            if new and found[2] in names:
                start, end = found.span(2)
                claim = sentence.text[:start] + random.choice(new) + sentence.text[end:]
                yield claim, sentence.text, sentence.chunk
                break


def subject_swapped(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """The subject replaced by another article's of the same kind, which the chunk does not name."""
    kin = [p for p in others if page.sort and p.sort == page.sort and p.subject != page.subject]
    labels = {fact.column for fact in page.infobox}
    alike = [
        p
        for p in others
        if len(labels & {fact.column for fact in p.infobox}) >= 4 and p is not page
    ]
    kin = [p for p in kin if p.subject.split()[-1] not in page.chunks[0].text]
    if page.sort == "person":
        kin = [p for p in kin if len(p.subject.split()) > 1]
    for fact in facts(page):
        rivals = [
            p for p in alike
            if len(p.subject) > 2 and p.subject.split()[-1] not in fact.chunk.text
            and any(f.column == fact.column and f.value not in fact.value and fact.value not in f.value for f in p.infobox)
        ]  # fmt: skip
        if rivals:
            yield say_fact(fact, held, random.choice(rivals).subject), fact.line, fact.chunk
    for sentence in page.sentences:
        if not (kin and sentence.about and not sentence.pronoun):
            continue
        name = page.subject if sentence.text.startswith(page.subject) else page.subject.split()[-1]
        rival = random.choice(kin).subject
        rest = sentence.text[len(name) :]
        if (
            re.search(r"\d|[A-Z]\w+ [A-Z]\w+", rest)
            and rival.split()[-1] not in sentence.chunk.text
            and not re.match(r"'| [A-Z]| \(", rest)
        ):
            yield (
                rival + rest,
                sentence.text,
                sentence.chunk,
            )


def negated(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """A statement denied, or a denial stated."""
    # "Had" denied needs its participle: "had not won", never "had not a coast".
    verb = (
        r"(?:(?<!may )(?<!might )(?<!would )(?<!could )(?<!should )(?:has|had|have)"
        r"(?= (?:been|become|made|won|taken|given|seen|grown|begun|come|held|found|\w{3,}ed)\b)"
        r"|(?:can|could|will|would)(?= (?!have)[a-z]{2,}))"
        if held
        else r"(?:is|was|are|were)(?= [a-z])"
    )
    quantified = "All|Most|Some|Many|Few|Each|Every|Several|Not|Nearly|Almost"
    weak = (
        "not|also|only|still|never|no|to|any|that|said|reportedly|often|sometimes|usually|generally"
    )
    deny = re.compile(rf"^((?!{quantified})[^,]*? {verb})(?! (?:{weak}|a number|an? [a-z]+ of)\b)")
    state = re.compile(
        r"\b(did|does|do|had|has|have|could|would|can|will) not (?=[a-z])"
        if held
        else r"\b(is|was|are|were) not (?=[a-z])"
    )
    for sentence in plain(page):
        text = sentence.text
        if state.search(text) and not re.search(
            r"not (?:only|just|until|necessarily|even|to|un)|\bbut\b|\bnor\b|\bany\b|\bor\b", text
        ):
            yield state.sub(r"\1 ", text, count=1), text, sentence.chunk
        elif not HEDGED.search(text):
            found = deny.match(text)
            if found and not re.search(
                r"\b(?:that|which|who|where|when|if|and|while|as)\b", found[1]
            ):
                yield found[1] + " not" + text[found.end() :], text, sentence.chunk


def other_sentence(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """A claim with the words of another sentence: of its chunk (dev), of the chunk beside (held out)."""
    for one in plain(page):
        facts = set(re.findall(rf"\d[\d,.]*\d|{NAME}", one.text[1:]))
        rivals = [
            two for two in page.sentences
            if two.text != one.text
            and ((two.chunk.id != one.chunk.id and abs(two.chunk.start - one.chunk.start) < 2500) if held else two.chunk.id == one.chunk.id)
            and not any(fact in (two.chunk.text if held else two.text) for fact in facts)
        ]  # fmt: skip
        if len(facts) >= 2 and rivals:
            two = random.choice(rivals)
            yield one.text, two.text, two.chunk


def few_letters(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """A quote of a few letters: the beginning of a word or a small word (dev), any piece (held out)."""
    for sentence in plain(page):
        text = sentence.text
        if held:
            at = random.randrange(5, len(text) - 6)
            quote = text[at : at + random.randint(1, 4)].strip(" .,")
        else:
            words = [word for word in text[:-1].split() if word.isalpha()]
            quote = random.choice(
                [text[:3], text[:2], random.choice([w for w in words if len(w) <= 3] or words)[:3]]
            )
        if quote and re.search(r"\w", quote):
            yield text, quote, sentence.chunk


def column_head(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """A cell's claim with the column's head alone (dev) or the whole line of heads (held out)."""
    for fact in page.cells:
        quote = (fact.head or f"{fact.column}:") if held else fact.column
        column = fact.column[0].lower() + fact.column[1:]
        claim = (
            f"{fact.subject} has {fact.value} as its {column}."
            if held
            else f"The {column} of {fact.subject} is {fact.value}."
        )
        yield claim, quote, fact.chunk


_PAIRS = (
    ("Niger", "Nigeria"), ("Guinea", "Papua New Guinea"), ("Guinea", "Guinea-Bissau"), ("Mexico", "New Mexico"),
    ("India", "Indiana"), ("Virginia", "West Virginia"), ("England", "New England"), ("Jersey", "New Jersey"),
    ("York", "New York"), ("Wales", "New South Wales"), ("Kansas", "Arkansas"), ("Sudan", "South Sudan"),
    ("China", "Indochina"), ("Georgia", "South Georgia"), ("Orleans", "New Orleans"), ("Hampshire", "New Hampshire"),
    ("Zealand", "New Zealand"), ("Haven", "New Haven"), ("Brunswick", "New Brunswick"), ("Mali", "Somalia"),
    ("Oman", "Romania"), ("Michigan", "Lake Michigan"), ("Caledonia", "New Caledonia"), ("Johnson", "Johnston"),
    ("Lincoln", "Lincolnshire"), ("Hudson", "Hudson Bay"), ("Springfield", "West Springfield"),
)  # fmt: skip
_LENGTHENED = (
    ("London", "East London"), ("Germany", "East Germany"), ("Korea", "North Korea"),
    ("Paris", "Paris, Texas"), ("Berlin", "Berlin, New Hampshire"), ("Athens", "Athens, Georgia"), ("Moscow", "Moscow, Idaho"),
    ("Dominica", "Dominican Republic"), ("Delhi", "New Delhi"), ("Alaska", "Gulf of Alaska"),
)  # fmt: skip
"""Pairs where the longer place lies in the shorter one, or the short name is used for both: to cut
such a name may leave a claim true, to lengthen it does not leave it supported."""
_LARGER = re.compile(r"(?:New|West|South|North|East|Northern|of|Lake) $")


def part_of_name(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """A name cut to one that is part of it (dev), or taken for a longer one that holds it (held out)."""
    for sentence in plain(page):
        text = sentence.text
        pairs = _PAIRS + _LENGTHENED if held else _PAIRS
        for short, long in random.sample(pairs, len(pairs)):
            was, new = (short, long) if held else (long, short)
            found = re.search(rf"(?<![\w-]){re.escape(was)}(?![\w-]|, [A-Z]| [A-Z]|'s)", text)
            if (
                not found
                or _LARGER.search(text[: found.start()])
                or (held and long in sentence.chunk.text)
            ):
                continue
            if not held and new in text.replace(was, ""):
                continue
            yield text[: found.start()] + new + text[found.end() :], text, sentence.chunk
            break


_DOES = (
    "defeated|beat|succeeded|preceded|killed|influenced|conquered|replaced|taught|invaded|attacked|directed"
    "|praised|criticized|criticised|supported|founded|wrote|discovered|betrayed|murdered|followed|persuaded"
    "|accused|slew|rescued|overthrew|challenged|appointed|ordered|hired|told|asked|gave|invited|joined|bought"
    "|acquired|sued|introduced|saved|convinced|sent|helped"
)
_DONE = "\\w+ed|slain|beaten|overthrown|taught|won|bought|led|held|chosen|given|written|owned"


def role_swapped(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """Who did it and whom it was done to change places."""
    who = rf"(?:{NAME})"
    # No noun may follow the second name, or it only qualifies that noun.
    ends = r"(?=[,.]| (?:in|on|at|and|as|to|from|for|with|during|after|by|of|that|until|was|were|into|using)\b)"
    active = re.compile(
        rf"(?:^|(?<=, )|(?<=that ))({who}) ((?:later |then |also |had |has )?(?:{_DOES})) ({who}){ends}"
    )
    passive = re.compile(rf"^({who}) ((?:was|were|is) (?:{_DONE}) by) ({who}){ends}")
    for sentence in page.sentences:
        found = active.search(sentence.text) or passive.search(sentence.text)
        if (
            found
            and not set(found[1].split()) & set(found[3].split())
            and found[1].split()[0] not in {"In", "On", "The", "By", "At", *PRONOUNS}
        ):
            text = sentence.text
            claim = (
                text[: found.start()] + f"{found[3]} {found[2]} {found[1]}" + text[found.end() :]
            )
            yield claim, text, sentence.chunk


CORRUPTED: dict[str, Maker] = {
    "number changed": number_changed,
    "date changed": date_changed,
    "unit changed": unit_changed,
    "name swapped": name_swapped,
    "subject swapped": subject_swapped,
    "negated": negated,
    "other sentence": other_sentence,
    "few letters": few_letters,
    "column head": column_head,
    "part of a name": part_of_name,
    "role swapped": role_swapped,
}
