"""Translations as a page showed them, so that changes by others since then are not overwritten unseen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from annotation.domain.questions.text_languages import plain_lines
from annotation.models import AuditEntry, Study
from annotation.selectors.quality.study_texts import TextGroup, all_texts

DIGEST_CHARACTERS = 12


def seen_translations(groups: Iterable[TextGroup], language: str) -> dict[str, str]:
    """Name of each text → a digest of its translation into a language, as it is stored now."""
    return {text.name: _digest(text.translations.get(language, "")) for text in all_texts(groups)}


def typed_texts(texts: Mapping[str, str], seen: Mapping[str, str]) -> dict[str, str]:
    """The translations that differ from those that the page showed; the others were not typed."""
    return {name: text for name, text in texts.items() if seen.get(name) != _digest(text)}


def changed_meanwhile(
    groups: Iterable[TextGroup], language: str, texts: Mapping[str, str], seen: Mapping[str, str]
) -> list[str]:
    """Names of texts whose translation has changed since the page was shown."""
    found = []
    for text in all_texts(groups):
        stored = _digest(text.translations.get(language, ""))
        if text.name in texts and seen.get(text.name, stored) != stored != _digest(texts[text.name]):
            found.append(text.name)
    return found


def last_translation(study: Study, language: str) -> AuditEntry | None:
    """Who saved translations into a language last, and when; None where the page saved none."""
    saved = AuditEntry.objects.filter(study=study, act="translate_texts", detail__language=language)
    return saved.select_related("actor").order_by("-created_at", "-pk").first()


def _digest(text: str) -> str:
    return hashlib.sha256(plain_lines(text).encode(errors="replace")).hexdigest()[:DIGEST_CHARACTERS]
