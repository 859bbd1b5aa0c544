"""Verbs of English in their forms: base, -s, past, participle.

A question can be inverted ("Which countries border Chad?" to "Does Niger border Chad?") only by
who knows which of its words is the verb: common verbs are listed, others are read off -ed.
"""

from __future__ import annotations

import re

from agent.extractive.language.words import word_set


def _listed(text: str) -> list[str]:
    return text.split()


_VERBS = _listed("""
abolish accept achieve acquire act add adopt advise affect allow announce appear appoint approve
arrive ask assassinate attack attend author award base bear beat become begin belong border break
bring broadcast build burn bury buy call capture carry cause celebrate change chair charge choose
claim climb close coach collaborate collapse come command commission complete compose comprise
conduct connect conquer consist construct contain contribute control cost cover create cross crown
defeat define depict describe design destroy develop die direct discover dissolve divide donate
drain draft draw drive drop earn elect employ enact encode empty end enter establish exceed excavate exist
expand explode explore export extend fall feature feed fight film fill finance finish flow fly
focus follow form formulate found gain generate get give go govern graduate grow handle happen
head help hold host identify include increase influence inhabit inherit inspire introduce invade
invent join keep kill know land last launch lay lead leave lend lie live locate lose love make
manage manufacture mark marry mean measure meet merge migrate mother move name need nominate
obtain occupy occur offer open operate orbit order originate own paint participate pass patent
pay perform play portray possess practice precede predict premiere prepare present preside prevent
produce prove provide publish purchase race raise range rank reach read receive record reduce
refer refuse regulate ratify secede surrender ban sit reign release remain remove rename replace represent request require resign retire
return reveal rise rule run sail say score sculpt see sell send separate serve set settle shape
share shoot show sign sing sink sit speak specialise specialize spend split sponsor stand star
start state stay stop study succeed suffer supply support surround take teach tell think train
translate travel treat turn unite use view visit vote walk want watch wear win work write
adapt adorn apply argue arrest ascend assemble bestow breathe chase circle cite coexist commemorate
compete conceive consume convert cultivate debut declare dedicate defend deliver demolish deploy
derive descend detect devise differ dig dismiss displace dominate donate eat educate eject encounter
endorse engrave erect erupt escape evolve exhibit expel fail feel flee forbid freeze gather hang
hear hide honour honor ignite illustrate imprison inaugurate injure install intersect isolate
learn light maintain manoeuvre negotiate observe oversee overthrow perish persuade pioneer
populate pour predate proclaim promote propose protect quit rebuild recognise recognize recover
recruit put cut shut hit blow catch bend bite tear weave shrink sleep forget reject rescue resemble restore revive ride rob scuttle seek shine spread steal strike
survive suspend sweep swim throw traverse undergo unveil vanish weigh withdraw worship
""")

_IRREGULAR = _listed("""
put:put:put cut:cut:cut shut:shut:shut hit:hit:hit blow:blew:blown catch:caught:caught bend:bent:bent
bite:bit:bitten tear:tore:torn weave:wove:woven shrink:shrank:shrunk sleep:slept:slept
forget:forgot:forgotten bear:bore:born bear:bore:borne beat:beat:beaten become:became:become begin:began:begun
break:broke:broken bring:brought:brought build:built:built burn:burnt:burnt buy:bought:bought
choose:chose:chosen come:came:come cost:cost:cost draw:drew:drawn drive:drove:driven
fall:fell:fallen fight:fought:fought fly:flew:flown get:got:got give:gave:given go:went:gone
grow:grew:grown hold:held:held keep:kept:kept know:knew:known lay:laid:laid lead:led:led
leave:left:left lend:lent:lent lie:lay:lain lose:lost:lost make:made:made mean:meant:meant
meet:met:met pay:paid:paid prove:proved:proven read:read:read rise:rose:risen run:ran:run
say:said:said see:saw:seen sell:sold:sold send:sent:sent set:set:set shoot:shot:shot
show:showed:shown sing:sang:sung sink:sank:sunk sit:sat:sat speak:spoke:spoken
spend:spent:spent split:split:split stand:stood:stood take:took:taken teach:taught:taught
tell:told:told think:thought:thought wear:wore:worn win:won:won write:wrote:written
dig:dug:dug eat:ate:eaten feel:felt:felt flee:fled:fled forbid:forbade:forbidden
freeze:froze:frozen hang:hung:hung hear:heard:heard hide:hid:hidden light:lit:lit
oversee:oversaw:overseen overthrow:overthrew:overthrown quit:quit:quit rebuild:rebuilt:rebuilt
ride:rode:ridden seek:sought:sought shine:shone:shone spread:spread:spread steal:stole:stolen
strike:struck:struck sweep:swept:swept swim:swam:swum throw:threw:thrown
undergo:underwent:undergone withdraw:withdrew:withdrawn
""")

_PAST: dict[str, str] = {}
_PARTICIPLE: dict[str, str] = {}
IRREGULAR_BASE: dict[str, str] = {}
for _entry in _IRREGULAR:
    _base, _past, _participle = _entry.split(":")
    _PAST.setdefault(_base, _past)
    _PARTICIPLE.setdefault(_base, _participle)
    for _form in (_past, _participle):
        IRREGULAR_BASE.setdefault(_form, _base)

_DOUBLING = re.compile(r"[^aeiou][aeiou][bdgmnprt]$")
_SINGLE_SYLLABLE = re.compile(r"^[^aeiou]*[aeiou]+[^aeiou]*$")


def _doubled(base: str) -> str:
    single = _SINGLE_SYLLABLE.match(base) and _DOUBLING.search(base)
    return base + base[-1] if single else base


def past(base: str) -> str:
    """Return the past tense of a verb's base form."""
    if base in _PAST:
        return _PAST[base]
    if base.endswith("e"):
        return base + "d"
    if re.search(r"[^aeiou]y$", base):
        return base[:-1] + "ied"
    return _doubled(base) + "ed"


def participle(base: str) -> str:
    """Return the past participle of a verb's base form."""
    return _PARTICIPLE.get(base) or past(base)


def third_person(base: str) -> str:
    """Return the -s form of a verb's base form."""
    if re.search(r"[^aeiou]y$", base):
        return base[:-1] + "ies"
    return base + ("es" if re.search(r"(?:s|x|z|ch|sh|o)$", base) else "s")


BASE_VERBS = frozenset(_VERBS)
_FORMS: dict[str, str] = {}
for _base in _VERBS:
    for _form in (third_person(_base), past(_base), participle(_base)):
        _FORMS.setdefault(_form, _base)
    _stem = _base[:-1] if _base.endswith("e") and not _base.endswith("ee") else _doubled(_base)
    _FORMS.setdefault(_stem + "ing", _base)
_PARTICIPLES = frozenset(participle(base) for base in _VERBS) | {"borne"}
_PASTS = frozenset(past(base) for base in _VERBS)

_NOT_PARTICIPLES = word_set(
    "hundred red bed seed speed feed weed need shed hatred sacred kindred indeed united "
    "unprecedented breed bed bleed creed greed steed embed limited"
)


def verb_base(word: str) -> str | None:
    """Return the base form of a verb in any form, None for a word that is no known verb."""
    low = word.lower()
    if low in BASE_VERBS:
        return low
    if low in _FORMS:
        return _FORMS[low]
    if low in IRREGULAR_BASE:
        return IRREGULAR_BASE[low]
    if is_participle(low):
        stem = low[:-2] if low.endswith("ed") else low
        if low.endswith("ied"):
            return low[:-3] + "y"
        if re.search(r"([bdgmnprt])\1$", stem):
            return stem[:-1]
        # "created" comes from "create", "visited" from "visit": the e is there after a
        # consonant that English does not end a verb's stem with.
        return (
            stem + "e"
            if re.search(r"(?:[aiou][tkdvszcg]|[csvzu]|[^aeiou]l|dg|ng)$", stem)
            else stem
        )
    return None


def is_participle(word: str) -> bool:
    """Say whether a word can be a past participle."""
    low = word.lower()
    if low in _PARTICIPLES:
        return True
    return len(low) > 4 and low.endswith("ed") and low not in _NOT_PARTICIPLES


def is_past(word: str) -> bool:
    """Say whether a word can be a past tense."""
    low = word.lower()
    return low in _PASTS or (len(low) > 4 and low.endswith("ed") and low not in _NOT_PARTICIPLES)


def is_base_verb(word: str) -> bool:
    """Say whether a word is the base form of a known verb."""
    return word.lower() in BASE_VERBS


_PERSONS = word_set(
    "person people man woman child boy girl author artist actor actress hero heroine king queen prince "
    "princess emperor empress monarch pope bishop saint president chancellor minister premier mayor "
    "senator judge justice lawyer doctor physician nurse professor teacher student engineer architect "
    "scientist physicist chemist mathematician astronomer poet novelist philosopher politician "
    "general admiral officer soldier astronaut athlete champion captain coach manager laureate "
    "recipient member founder winner nominee candidate player pilot spouse husband wife father mother "
    "son daughter brother sister parent partner friend colleague ancestor successor predecessor "
    "ruler chairman chairwoman ceo head boss star celebrity host guitarist drummer vocalist dictator "
    "sultan shah tsar czar duke earl baron knight protagonist character figure advisor adviser "
    "commander citizen goalscorer scorer medalist medallist cosmonaut explorer provost rector"
)


_NO_PERSONS = word_set(
    "flower shower tower power cover container server border layer trailer opener order number "
    "counter letter carrier freighter mother-tongue"
)


def is_person_noun(word: str) -> bool:
    """Say whether a singular noun names people: listed, -ist, -ian, -man, or verb + -er or -or."""
    low = word.lower()
    if low in _PERSONS or re.search(r".{3}(?:ist|ician|grapher|(?<!wo)man|woman)$", low):
        return True
    match = re.match(r"(\w{3,}?)(?:er|or)$", low)
    if match is None or low in _NO_PERSONS:
        return False
    stem = match[1]
    return any(
        option in BASE_VERBS
        for option in (stem, stem + "e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem)
    )
