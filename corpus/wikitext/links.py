"""Internal links: the words they show, the pages they lead to; pictures, categories, other wikis."""

from __future__ import annotations

import re

from corpus.form.marks import CAPTION, CAPTION_END, PIPE
from corpus.types import Link

_FILES = frozenset(
    [
        "file",
        "image",
        "media",
        "datei",
        "bild",
        "fichier",
        "archivo",
        "imagen",
        "ficheiro",
        "imagem",
        "bestand",
        "afbeelding",
        "plik",
        "файл",
        "изображение",
        "картинка",
        "ファイル",
        "画像",
        "文件",
        "檔案",
        "图像",
        "圖像",
        "파일",
        "그림",
    ]
)
_CATEGORIES = frozenset(
    [
        "category",
        "kategorie",
        "catégorie",
        "categoría",
        "categoria",
        "categorie",
        "kategoria",
        "категория",
        "カテゴリ",
        "分类",
        "分類",
        "분류",
    ]
)
_OPTION = re.compile(
    r"(?:thumb(?:nail)?|mini(?:atur)?|frame(?:d|less)?|border|left|right|cent(?:er|re)|none|baseline|"
    r"sub|super|top|text-top|middle|bottom|text-bottom|upright(?:\s*=?\s*[\d.]*)|links|rechts|zentriert|"
    r"gauche|droite|centré|vignette|izquierda|derecha|\d*\s*(?:x\s*\d+)?\s*px|缩略图|縮圖|右|左|サムネイル|"
    r"(?:alt|link|page|lang|class|thumbtime|start|end)\s*=.*)",
    re.I | re.S,
)
_WIKI = re.compile(
    r"(?:[a-z]{2,3}(?:-[a-z]{2,8})*|simple|wikt|wiktionary|commons|c|s|wikisource|q|wikiquote|b|d|m|meta|"
    r"mw|n|species|v|voy|w|arxiv|doi|iarchive)",
)
_TRAIL = re.compile(r"[a-zäöüßéèêáàâóòôúùûçñ]+")


class Links:
    """Renders links and remembers where they lead."""

    def __init__(self) -> None:
        self.found: dict[Link, None] = {}

    def render(self, content: str, following: str) -> tuple[str, int]:
        """Return what a link shows, and how many of the letters behind it belong to it."""
        target, bar, shown = content.partition("|")
        target = target.strip()
        colon = target.startswith(":")
        prefix, has_prefix, rest = target.lstrip(":").partition(":")
        space = prefix.strip().casefold()
        if has_prefix and not colon:
            if space in _FILES:
                return _caption(shown if bar else ""), 0
            if space in _CATEGORIES:
                return "", 0
            if _WIKI.fullmatch(prefix.strip()) and not bar:
                # A bare link to the same page in another language belongs to the margin.
                return "", 0
        if has_prefix and colon and not bar:
            return rest.strip(), 0
        page = target.lstrip(":").partition("#")[0].replace("_", " ").strip()
        if bar and not shown.strip():
            # The pipe trick: [[Mercury (planet)|]] shows "Mercury".
            shown = re.sub(r"\s*\([^()]*\)$|,.*$", "", page)
        anchor = shown.strip() if bar else target.lstrip(":").replace("_", " ")
        trail = _TRAIL.match(following)
        if trail:
            anchor += trail[0]
        anchor = anchor.replace("|", PIPE)
        if (
            page
            and "\n" not in page
            and len(page) <= 255
            and not has_prefix_of_wiki(space, has_prefix)
        ):
            words = anchor.replace("''", "").replace(PIPE, "|").strip()
            self.found[Link(anchor=words, target=page)] = None
        return anchor, len(trail[0]) if trail else 0


def has_prefix_of_wiki(space: str, has_prefix: str) -> bool:
    """Whether a link's prefix leads out of the articles."""
    return bool(has_prefix) and (
        bool(_WIKI.fullmatch(space)) or space in _FILES or space in _CATEGORIES
    )


def _caption(options: str) -> str:
    parts = [part.strip() for part in options.split("|")]
    words = [part for part in parts if part and not _OPTION.fullmatch(part)]
    return f"{CAPTION}{words[-1]}{CAPTION_END}" if words else ""
