"""Templates that show nothing a reader of the text needs: notes, navigation, maintenance, marks.

Where one is met, its arguments are not looked at.
"""

from __future__ import annotations

import re

_NOTES = """
sfn | sfnp | sfnm | sfnmp | harv | harvnb | harvp | harvtxt | harvcol | harvcoltxt | harvcolnb
harvid | sfnref | efn | efn-ua | efn-lr | refn | rp | r | ref | note | ref label | note label | cref
cnote | cref2 | cnote2 | notetag | notefoot | reflist | reflist2 | refbegin | refend | notelist
notelist-ua | notes | references | referencias | noteslist | listaref | réf | références
einzelnachweise | 脚注リスト | 脚注 | 脚注ヘルプ | refs | inconsistent citations | gr | inflation-fn | cite doi
cite pmid | cite jstor | webarchive | wayback | dead link | cbignore | subscription required
registration required | subscription | closed access | open access | free access | google books
lsj | in lang | pc | cite ngs | redbook2005 | rubberbible86th | greenwood&earnshaw2nd | or
wikicite
"""
"""Notes, references and what goes with them."""

_FURNITURE = """
about | about2 | for | for2 | otheruses | otheruses2 | otheruses4 | other uses | other uses2
other uses of | other people | other persons | other places | other ships | two other uses
three other uses | redr | distinguish | distinguish2 | hatnote | dablink | rellink | this
not to be confused | confused | selfref | technical reasons | correct title | dieser artikel
begriffsklärungshinweis | otheruseslist | homonymes | confusion | voir homonymes | otros usos
redirige aquí | distinguir | не се бърка | пояснение | пояснение2 | otheruseslist2 | 暧昧さ回避
cat main | catmore | category see also | look from | lookfrom | toc | toc left | toc right
toc limit | compact toc | compacttoc | tocright | toclimit | horizontal toc | tocnestright | notoc
portal | portal bar | portail | portada | portalbar | subject bar | sister project links
sisterlinks | sister project | wikiquote | wiktionary | wikiatlas | spoken wikipedia
spoken wikipedia-2 | eb1911 | library resources box | authority control | autoritats | normdaten
control de autoridades | bases | autorité | liens | 典拠管理 | 规范控制 | taxonbar | navboxes | navboxes top
navboxes bottom | navbox | navbar | succession box | start box | end box | succession
interwiki conflict | link fa | link ga | link fl | featured article | good article | featured list
fa | ga | geographic location | compass rose | adjacent stations | persondata | personendaten
defaultsort | displaytitle | italic title | italictitle | lowercase title | lowercase
title without disambig | italic dab | short description | pp | bots | nobots | geobox coor
coorheader | documentation | anchor | anchors | anker | ancre | equationref | equationnote
stack begin | stack end | stack | col-begin | col-end | col-break | col-2 | col-3 | col-4 | col-5
col-start | colbegin | colend | div col | div col end | div end | multicol | multicol-break
multicol-end | end | top | bottom | mid | col begin | col end | colonnes | fin colonnes
début de colonnes | columns-start | column | columns-end | noteta | notea | nota | 各国語版 | 書籍検索
audio | audio-nohelp | listen | external media | external video | video | pronunciation
sample box start | sample box end | external audio | multi-listen start | multi-listen item
multi-listen end | featured video | css image crop | superimpose | image map | imagemap
image array | maplink | osm location map | graph:chart | graph:lines | chart | flagicon image | dm2
webicon | link language | nihongo foot | hs | sort key | dtsh | ntsh | hidden sort key | sortkey
hid | pov-statement | better source | nonspecific | world factbook | cia world factbook link
cia world factbook | compact periodic table | periodic table | wwf ecoregion | year nav
year in other calendars | year dab | this date in recent years | calendar | months | day
nyt on this day | bbc on this day | special characters | ipa notice | ipa key | inflation
inflation-year | age | age in years | years ago | age in days | currentyear | currentmonthname
currentdate | pagename | fullpagename | namespace | sitename | currentday | subst | elect | elect2
set index article | broader | related articles | book bar | col div | algorithm-begin
algorithm-end | rcat shell | this is a redirect | pseudo image | incubator | interwiki
designation list end | in5 | subpages | eastern slavic name | family name hatnote | chinese name
korean name | spanish name | portuguese name | hungarian name | vietnamese name
"""
"""Navigation, hatnotes, columns, maps, marks of the page itself."""

_MAINTENANCE = """
cn | fact | citation-needed | clarify | who | who? | whom | by whom | by whom? | according to whom
which | which? | when | when? | where | where? | why | how | what | vague | dubious | disputed
verify source | verify credibility | unreliable source | unreliable source? | failed verification
not in citation | unreliable medical source | medref | update | outdated | out of date
original research | pov | npov | peacock | weasel | unref | more citations needed section
more footnotes | no footnotes | one source | primary sources | blp sources | blp unsourced
self-published | citation style | cleanup | copy edit | copyedit | cleanup-rewrite | expand
incomplete list | incomplete | dynamic list | empty section | ambox | mbox | tmbox | ombox | cmbox
issues | article issues | tone | essay-like | orphan | wikify | merge | merge from | merge to
mergefrom | mergeto | merge-from | split | split section | globalize | lead too short
lead too long | lead rewrite | notability | advert | confusing | confusing section | technical
unbalanced | undue | unsourced | long plot | in-universe | bare urls | cleanup-link rot
external links | no more links | nomorelinks | under construction | in use | hoax
proposed deletion | prod | recentism | current | full | anachronism | specify | elucidate | examples
discuss | off-topic | lopsided | contradict | inline citations | quantify | opinion | fv
nonprimary | undue weight | clarification | cleanup section | inappropriate tone | sources | 要出典
出典の明記 | 独自研究 | 要検証 | 誰 | いつ | 要説明 | 複数の問題 | 要追記 | 来源请求 | fact-zh | belege fehlen | überarbeiten
lückenhaft | référence nécessaire | refnec | référence souhaitée | cita requerida
referencias adicionales | източник | без източници | нужда от цитат | template other | main other
void | null | tl | yesno | db | babel | notinsource | not in source | very long | example farm
importance-section | third-party | prone to spam | organize section | cl-span | request quotation
research help
"""
"""Requests of editors to editors."""

_CATALOGUES = """
dmoz | curlie | find a grave | official social | internet archive author | internet archive
internet archive short film | isfdb name | isfdb title | ol author | nhle | mathworld | planetmath
mactutor | mathgenealogy | sep entry | sep | iep | inpho | philpapers | nlab | springer | eom
amg name | ibdb name | nyttopic | guardiantopic | finance links | opencorp | statedept | govpubs
in our time | emedicine2 | congbio | national heritage list for england | iep entry | london gazette
goldbookref | oetymd | oed | iucn | 24hlm | wikidata | wikidata entity link
interlanguage link wikidata | pwre | eol | sfdb | sfhof | iblist | klov game | moby game
arcade history | coinop game | strategywiki | twitter | facebook | instagram | youtube | comicbookdb
imslp | imslp2 | cantorion | rockhall | wta | tennishof | atp | daviscup player | bbc online
epguides | british comedy guide | tv.com show | structurae | habs | haer | moma artist | oscoor gbx
fm station data | am station data | anime news network | 1911 | americana | msw3 carnivora | icsc
medlineplus2 | ninds | hdl | biographical memoirs | answers.com | radic
"""
"""Links to entries of other sites, which hold an identifier only."""

_NAMES = frozenset(
    name.strip()
    for group in (_NOTES, _FURNITURE, _MAINTENANCE, _CATALOGUES)
    for name in group.replace("\n", "|").split("|")
    if name.strip()
)
_SHAPE = re.compile(
    r"(?:pp-|pp |r from|r to|r with|r unprintworthy|r printworthy|use |contains |population |user|taxonomy/|editnotice"
    r"|imdb|allmovie|allmusic|discogs|musicbrainz|gutenberg|librivox|goodreads|tcmdb|worldcat|commons|wikimedia|wikisource"
    r"|wikispecies|wikiversity|wikibooks|wikinews|wikivoyage|wikipedia books|navbox |redirect|engvar|expand |update |citations? need"
    r"|disambiguation|multiple issues|refimprove|unreferenced|ahnentafel|location map|family ?tree|tree chart|chart[/ ]|dutch municipality|s-\w{2,5}$|#).*"
    r"|.*(?:[- ]stub|sidebar| navbox| topics?| footer| icon|[- ]inline| labelled map| imagemap| start boxes| navigation| needed"
    r"| missing| poster| cleanup| profile| in topic)"
)
"""Families of such templates, by how their names begin or end."""


def is_silent_name(key: str) -> bool:
    """Whether a template shows nothing, by its name in lower case."""
    return key in _NAMES or _SHAPE.fullmatch(key) is not None
