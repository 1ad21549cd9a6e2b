"""What a visitor reads on a page, or hears of it, and in which letters it is written."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from annotation.models import Study

SILENT = {"script", "style", "code", "kbd"}
VOID = {"meta", "link", "input", "br", "img", "path", "circle", "col", "hr"}
SPOKEN = re.compile(
    r"aria-label|title|placeholder|alt|data-word-\w+|data-unplaced|data-(?:until|next|save)|data-time-over|data-countdown"
)
LATIN = re.compile(r"[A-Za-z]{2,}")
# The same in every language: the program, codes of raters, time zones, keys and ids.
NAMES = re.compile(r"Groundwork|R-\d+|UTC|Ctrl|Delete|Esc|NUL|\bID\b|EUR|https?://\S+|\{\w+\}")
TEXT = "◇◇◇"
ATTRIBUTES = re.compile(r"<(/?\w+)[^>]*>")
INLINE = re.compile(r"</?(?:a|b|bdi|button|em|noscript|span|strong)>")
GAP = re.compile(r"\S*[。！？]\s+[^\s<]+")


class _Reader(HTMLParser):
    def __init__(self, language: str) -> None:
        super().__init__()
        self.language, self.texts, self._open = language, list[str](), list[tuple[str, bool]]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        foreign = given.get("lang", self.language) != self.language
        silent = tag in SILENT or foreign or bool(self._open and self._open[-1][1])
        if not silent:
            self.texts += [value for name, value in given.items() if SPOKEN.fullmatch(name)]
        if tag not in VOID:
            self._open.append((tag, silent))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not (self._open and self._open[-1][1]):
            self.texts.append(" ".join(data.split()))


def english_on(html: str, language: str) -> list[str]:
    """The sentences of a page that have Latin words, texts marked as in another language left out."""
    reader = _Reader(language)
    reader.feed(html)
    return [sentence for sentence in reader.texts if LATIN.search(NAMES.sub("", sentence))]


def gaps_on(html: str) -> list[str]:
    """Where a space follows a full-width mark, which has that room already."""
    return [" ".join(found.split()) for found in GAP.findall(INLINE.sub("", ATTRIBUTES.sub(r"<\1>", html)))]


def without_words(study: Study) -> None:
    """Put signs in place of every text of a study, so that all words on its pages are the interface's."""
    Study.objects.filter(pk=study.pk).update(
        title=TEXT, description=TEXT, instructions=TEXT, content_warning=TEXT, translations={}
    )
    study.consent_texts.update(text=TEXT)
    for form in study.forms.all():
        for version in form.versions.all():
            version.blocks = [{**block, "label": TEXT, "mark": []} for block in version.blocks]
            version.question, version.translations = TEXT, {}
            version.save(update_fields=["blocks", "question", "translations"])
            version.criteria.update(name=TEXT, question=TEXT)
            for criterion in version.criteria.all():
                criterion.points.update(label=TEXT, description=TEXT)
    for item in study.items.all():
        item.fields, item.components = dict.fromkeys(item.fields, TEXT), []
        item.save(update_fields=["fields", "components"])
