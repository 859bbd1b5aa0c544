"""Templates that show nothing a reader of the text needs: notes, navigation, maintenance, marks.

Where one is met, its arguments are not looked at.
"""

from __future__ import annotations

import re

_NAMES = frozenset(
    # Notes and references.
    "sfn|sfnp|sfnm|sfnmp|harv|harvnb|harvp|harvtxt|harvcol|harvcoltxt|harvcolnb|harvid|sfnref|efn|efn-ua|efn-lr|refn|rp|r|ref|note|ref label"
    "|note label|cref|cnote|cref2|cnote2|notetag|notefoot|reflist|reflist2|refbegin|refend|notelist|notelist-ua|notes|references|referencias|noteslist"
    "|listaref|réf|références|einzelnachweise|脚注リスト|脚注|脚注ヘルプ|refs|#tag:ref|sfn whitelist|inconsistent citations|gr|inflation-fn|ndash-ref"
    "|cite doi|cite pmid|cite jstor|webarchive|wayback|dead link|cbignore|page needed|rp needed|bare url inline|subscription required|registration required"
    "|subscription|closed access|open access|free access|primary source-inline|google books|lsj|in lang|pc|cite ngs|redbook2005|rubberbible86th|greenwood&earnshaw2nd"
    # Navigation, hatnotes, page furniture.
    "|about|about2|for|for2|otheruses|otheruses2|otheruses4|other uses|other uses2|other uses of|other people|other persons|other places|other ships"
    "|two other uses|three other uses|redirect|redirect2|redirect3|redirect4|redirect5|redirect6|redirect7|redirect-distinguish|redirect-several|redr"
    "|distinguish|distinguish2|hatnote|dablink|rellink|this|not to be confused|confused|selfref|technical reasons|correct title|dieser artikel"
    "|begriffsklärungshinweis|otheruseslist|homonymes|confusion|voir homonymes|otros usos|redirige aquí|distinguir|не се бърка|пояснение|пояснение2"
    "|otheruseslist2|暧昧さ回避|redirectのリスト|cat main|catmore|category see also|look from|lookfrom"
    "|toc|toc left|toc right|toc limit|compact toc|compacttoc|tocright|toclimit|horizontal toc|tocnestright|notoc"
    "|portal|portal bar|portal-inline|portail|portada|portalbar|subject bar|sister project links|sisterlinks|sister project|sister inline|commons|commons category|commonscat"
    "|commons and category|commonscat-inline|commons-inline|commons category-inline|commons cat|wikiquote|wiktionary|wikisource|wikisource-inline|wikibooks|wikibooks-inline|wikinews|wikispecies"
    "|wikispecies-inline|wikiversity|wikivoyage|wikivoyage-inline|wikiatlas|wikisourcelang|wikisource author|wikipedia books|wikipedia books link|spoken wikipedia|spoken wikipedia-2"
    "|wikisource1911enc|eb1911|eb1911 poster|eb9 poster|library resources box|authority control|autoritats|normdaten|control de autoridades|bases|autorité|liens|典拠管理|规范控制"
    "|taxonbar|navboxes|navboxes top|navboxes bottom|navbox|navbar|succession box|s-start|s-end|s-bef|s-ttl|s-aft|s-break|s-hon|s-off|s-ppo|s-par|s-reg|s-ach|s-new|s-non|s-inc|s-vac|s-prec|s-rel|s-aca"
    "|start box|end box|succession|interwiki conflict|link fa|link ga|link fl|featured article|good article|featured list|fa|ga|geographic location|compass rose|adjacent stations"
    "|persondata|personendaten|defaultsort|displaytitle|italic title|italictitle|lowercase title|lowercase|title without disambig|italic dab"
    "|short description|use dmy dates|use mdy dates|use ymd dates|engvarb|engvaro|pp|bots|nobots|coord missing|geobox coor|coorheader|good-article"
    "|documentation|anchor|anchors|anker|ancre|equationref|equationnote|numblk-ref|stack begin|stack end|stack|col-begin|col-end|col-break|col-2|col-3|col-4|col-5|col-start|colbegin|colend"
    "|div col|div col end|div end|multicol|multicol-break|multicol-end|start date-hidden|end|top|bottom|mid|col begin|col end|colonnes|fin colonnes|début de colonnes"
    "|columns-start|column|columns-end|gallery-begin|image label end|noteTA|notea|notetа|noteta|nota|各国語版|書籍検索|audio|audio-nohelp|listen|external media|external video|video|pronunciation|sample box start|sample box end|external audio"
    "|multi-listen start|multi-listen item|multi-listen end|featured video|css image crop|superimpose|image map|imagemap|image array|location map|location map+|location map~|location map many|location map end"
    "|maplink|osm location map|osmrelation-inline|graph:chart|graph:lines|chart bottom|chart top|chart|chart/start|chart/end|familytree|family tree|tree chart|tree chart/start|tree chart/end|familytree/start|familytree/end|ahnentafel top|ahnentafel bottom"
    "|flagicon|flag icon|flagdeco|flagicon image|fbicon|ficon|dm2|webicon|legend striped|lang icon|link language|nihongo foot|refn-ja|hs|sort key|dtsh|ntsh|hidden sort key|#|sortkey|hid"
    "|cite tweet-inline|pov-statement|better source|nonspecific|world factbook|cia world factbook link|cia world factbook|nonfree|quote without source|image requested"
    "|compact periodic table|periodic table|wwf ecoregion|year nav|year in other calendars|year dab|this date in recent years|calendar|months|day|nyt on this day|bbc on this day"
    "|contains special characters|contains arabic text|contains indic text|contains chinese text|contains tifinagh text|contains japanese text|special characters|ipa notice|ipa key"
    "|inflation|inflation-year|age|age in years|years ago|age in days|currentyear|currentmonthname|currentdate|update after|as of?"
    "|#invoke|#if|#ifeq|#ifexist|#ifexpr|#iferror|#expr|#time|#tag|#section|#coordinates|pagename|fullpagename|namespace|sitename|currentday|subst"
    # Maintenance.
    "|citation needed|cn|fact|citation-needed|clarify|clarification needed|who|who?|whom|by whom|by whom?|according to whom|which|which?|when|when?|where|where?|why|how|what|vague"
    "|dubious|dubious-inline|disputed|disputed-inline|verify source|verification needed|verify credibility|unreliable source|unreliable source?|failed verification|not in citation"
    "|unreliable medical source|medref|update|update inline|outdated|outdated inline|out of date|original research|original research inline|or|synthesis inline|pov|pov inline|npov|peacock|weasel|weasel inline|weasel-inline"
    "|refimprove|refimprove section|unreferenced|unreferenced section|unref|more citations needed|more citations needed section|more footnotes|no footnotes|one source|primary sources|blp sources|blp unsourced|self-published|self-published inline"
    "|citation style|cleanup|copy edit|copyedit|copy edit inline|cleanup-rewrite|expand|expand section|expand list|incomplete list|incomplete|dynamic list|empty section|multiple issues|ambox|mbox|tmbox|ombox|cmbox|issues|article issues"
    "|tone|tone inline|essay-like|orphan|wikify|merge|merge from|merge to|mergefrom|mergeto|merge-from|split|split section|globalize|lead too short|lead too long|lead rewrite|notability|advert|confusing|confusing section|technical|unbalanced|undue|undue-inline|unsourced|long plot|in-universe"
    "|bare urls|cleanup-link rot|external links|no more links|nomorelinks|no more links-inline|under construction|in use|hoax|proposed deletion|prod|recentism|current|sic note|full|full citation needed|page numbers needed|volume needed|isbn missing|anachronism|specify|elucidate"
    "|example needed|examples|discuss|relevance inline|relevance-inline|off-topic|speculation inline|lopsided|contradict|contradict-inline|contradiction-inline|inline citations|season needed|year needed|time needed|attribution needed|quantify|opinion|fv|nonprimary|undue weight|clarification|cleanup section|inappropriate tone|sources"
    "|要出典|出典の明記|独自研究|要検証|誰|いつ|要説明|複数の問題|要追記|来源请求|fact-zh|refimprove-zh|belege fehlen|überarbeiten|lückenhaft|référence nécessaire|refnec|référence souhaitée|cita requerida|referencias adicionales|източник|без източници|нужда от цитат|redirect category shell|redirect template"
    "|!(|-!|template other|main other|void|null|tl|yesno|db|#babel|babel"
    # Links to catalogues.
    "|imdb name|imdb title|imdb event|dmoz|curlie|find a grave|youtube-link|official social|gutenberg author|librivox author|internet archive author|internet archive|internet archive short film|isfdb name|isfdb title|worldcat id|worldcat|oL author|ol author|nhle"
    "|mathworld|planetmath|mactutor|mathgenealogy|sep entry|sep|iep|inpho|philpapers|nlab|springer|eom|allmovie title|amg name|tcmdb name|tcmdb title|ibdb name|discogs artist|musicbrainz artist|nyttopic|guardiantopic|finance links|opencorp|statedept|govpubs"
    "|in our time|emedicine2|congbio|national heritage list for england|iep entry|books-inline|london gazette|goldbookref|oetymd|oed|iucn|24hlm|wikidata|wikidata entity link|interlanguage link wikidata"
    .lower().split("|")
)  # fmt: skip
_SHAPE = re.compile(
    r"(?:pp-|pp |r from|r to|r with|r unprintworthy|r printworthy|use |contains |population |user|taxonomy/|template:|editnotice|defaultsort|displaytitle|#invoke|#tag"
    r"|navbox ).*|.*(?:[- ]stub|sidebar| navbox| topics| footer| icon|[- ]inline| labelled map| imagemap| start boxes| navigation)"
)


def is_silent_name(key: str) -> bool:
    """Whether a template shows nothing, by its name in lower case."""
    return key in _NAMES or _SHAPE.fullmatch(key) is not None
