"""Wikilinks: what is shown of them, and which lead to articles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpus.form.lines import flatten
from corpus.form.marks import CAPTION, CAPTION_END
from corpus.text import word_set

_FILE = word_set(
    """file image media 文件 檔案 档案 圖像 图像 图片 圖片 ファイル 画像 datei bild fichier archivo imagen файл картинка
    изображение bestand immagine ficheiro imagem plik grafika soubor fil tiedosto dosya 파일 그림 ملف
    پرونده תמונה קובץ berkas fișier fitxer зображення slika"""
) | {"tập\xa0tin"}
_CATEGORY = word_set(
    """category 分类 分類 カテゴリ kategorie catégorie categoria categoría категория категорія kategoria
    categorie kategori kategória luokka 분류 تصنيف رده קטגוריה kategorija"""
)
_PROJECT = word_set(
    """wikipedia wp template t portal help mediawiki module user talk special draft book wikt
    wiktionary commons c wikisource s wikiquote q wikinews n wikibooks b wikispecies species
    wikiversity v wikivoyage voy wikidata d meta m mw phab iarchive doi hdl arxiv google imdb
    imdbtitle 模板 模块 維基百科 维基百科 用户 用戶 使用者 шаблон уикипедия потребител портал vorlage wikipédia modèle
    plantilla 利用者 テンプレート プロジェクト diskussion benutzer utilisateur usuario"""
)
_LANGUAGE_PREFIX = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,10}){0,2}|simple|zh-min-nan|be-x-old|roa-rup")
_OPTION = re.compile(
    r"\s*(?:thumb(?:nail)?|frame(?:d|less)?|border|left|right|cent(?:er|re)|none|upright(?:\s*[= ].*)?|baseline"
    r"|sub|super|top|text-top|middle|bottom|text-bottom|\d*\s*x?\s*\d+\s*px|"
    r"(?:alt|link|page|lang|class|thumb|thumbtime|start|end|lossy|muted|loop)\s*=.*"
    r"|mini(?:atur)?|hochkant(?:\s*=.*)?|links|rechts|zentriert|ohne|rahmenlos|gerahmt|rand"
    r"|vignette|gauche|droite|centré|centrer|cadre|redresse(?:\s*=?.*)?|sans_cadre|bordure"
    r"|miniatura(?:deimagen)?|izquierda|derecha|centro|centrado|ninguna|marco|sinmarco|borde"
    r"|мини|миникартинка|вляво|вдясно|център|ляво|дясно|без|слева|справа|центр"
    r"|缩略图|縮圖|有框|无框|無框|边框|邊框|左|右|居中|置中|无|無|サムネイル|フレーム|フレームなし|中央|境界|なし)\s*",
    re.IGNORECASE | re.DOTALL,
)
_FRAMED = re.compile(
    r"\s*(?:thumb(?:nail)?(?:\s*=.*)?|framed?|mini(?:atur)?|gerahmt|vignette|cadre|miniatura(?:deimagen)?|marco"
    r"|мини|миникартинка|缩略图|縮圖|有框|サムネイル|フレーム)\s*",
    re.IGNORECASE,
)
_PIPE_TRICK = re.compile(r"\s*(?:\([^()]*\)|（[^（）]*）|,.*)$")


def namespace_of(target: str) -> str:
    """Return "file", "category", "project", "language" or "" for an article."""
    prefix, colon, _ = target.partition(":")
    if not colon:
        return ""
    name = prefix.strip().replace("_", " ").lower()
    if name in _FILE:
        return "file"
    if name in _CATEGORY:
        return "category"
    if name in _PROJECT:
        return "project"
    if prefix.islower() and _LANGUAGE_PREFIX.fullmatch(name):
        return "language"
    return ""


def category_of(target: str, own_names: frozenset[str] = frozenset()) -> str:
    """Return the category that a link files its page under, "" for a link that only leads there.

    Args:
        target: as written, `Category:Rivers of Europe`.
        own_names: of the namespace on the page's wiki, beside the usual ones, in lower case.
    """
    prefix, colon, name = target.partition(":")
    prefix = prefix.strip().replace("_", " ").lower()
    return name.strip() if colon and (prefix in _CATEGORY or prefix in own_names) else ""


def show_link(target: str, anchor: str | None) -> tuple[str, str]:
    """Return what a link shows and the title it leads to ("" where it leads to no article)."""
    target = target.strip()
    silent = not target.startswith(":")
    namespace = namespace_of(target) if ":" in target else ""
    if namespace == "" and not silent:
        target = target[1:]
        namespace = namespace_of(target)
    if namespace == "file":
        return (
            show_file([anchor]) if anchor and silent else anchor or "" if not silent else ""
        ), ""
    if namespace == "category" and silent:
        return "", ""
    if namespace == "language" and silent and anchor is None:
        return "", ""
    if anchor is None:
        shown = target.lstrip(":")
        return shown.replace("_", " "), "" if namespace else _title(target)
    if not anchor.strip():
        shown = target.rsplit(":", 1)[-1] if namespace else target
        return _PIPE_TRICK.sub("", shown), "" if namespace else _title(target)
    return anchor, "" if namespace else _title(target)


def show_file(arguments: Sequence[str]) -> str:
    """Return a picture's caption between marks, "" for one without a frame or a caption."""
    framed = False
    caption = ""
    for argument in arguments:
        if _FRAMED.fullmatch(argument):
            framed = True
        elif not _OPTION.fullmatch(argument):
            caption = argument
    caption = flatten(caption)
    return f"{CAPTION}{caption}{CAPTION_END}" if framed and caption else ""


def _title(target: str) -> str:
    title = target.partition("#")[0].replace("_", " ").strip()
    return title
