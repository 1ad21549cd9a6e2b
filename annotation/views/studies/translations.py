"""`/studies/<study>/settings/translations/`: the texts of a study and their translations."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError, NotAllowedNow
from annotation.domain.base.states import TAKING_ANSWERS, StudyState
from annotation.permissions import Access, Act
from annotation.selectors.quality.seen_translations import (
    last_translation,
    seen_translations,
    typed_texts,
)
from annotation.selectors.quality.study_texts import (
    CONTACT,
    NOTE,
    StudyText,
    TextGroup,
    all_texts,
    n_missing,
    seen_originals,
    text_groups,
)
from annotation.services.studies.translating import preview_translations, translate_texts
from annotation.views.base.page import page, study_page

FIELD = "text-"
CHARACTERS_OF_A_LINE = 40
MOST_ROWS = 14
MEANWHILE = "translations_changed"


@study_page(get=Act.EDIT, post=Act.EDIT)
def translations(request: HttpRequest, access: Access) -> HttpResponse:
    study, sent = access.study, request.method == "POST"
    if sent and study.state != StudyState.DRAFT:
        access.require(Act.MANAGE)
    language = (request.POST if sent else request.GET).get("language", "")
    if not sent:
        return _page(request, access, language)
    names = [name for name in request.POST if name.startswith(FIELD)]
    texts = {name.removeprefix(FIELD): request.POST.get(name, "") for name in names}
    if any(name.startswith(f"{what}/") for what in (CONTACT, NOTE) for name in texts):
        access.require(Act.MANAGE)
    seen, before = request.POST.get("seen", ""), _shown_translations(request)
    given: dict[str, Any] = {"language": language, "texts": texts, "seen": seen, "before": before}
    act = request.POST.get("act")
    if act == "remove" and study.state == StudyState.DRAFT:
        given["texts"] = _without_translations(access, language)
    texts = typed_texts(texts, before)
    try:
        asks = act not in {"save-correction", "save-version"}
        if asks and (changes := preview_translations(study=study, **given)):
            return _page(request, access, language, typed=texts, changes=changes)
        translate_texts(study=study, actor=access.user, correction=act == "save-correction", **given)
    except GroundworkError as refusal:
        return _page(request, access, language, typed=texts, refusal=refusal)
    messages.success(request, _("Translations removed.") if act == "remove" else _("Translations saved."))
    return redirect(f"{reverse('study-translations', args=[access.slug])}?language={language}")


def _without_translations(access: Access, language: str) -> dict[str, str]:
    """No translation for every text that has one and that the member may change."""
    groups = [group for group in text_groups(access.study) if _may_change(access, group)]
    return {text.name: "" for text in all_texts(groups) if text.translations.get(language)}


def _shown_translations(request: HttpRequest) -> dict[str, str]:
    """The digests of the translations that the page showed; empty if they cannot be read."""
    try:
        found = json.loads(request.POST.get("before", ""))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _page(
    request: HttpRequest,
    access: Access,
    language: str,
    *,
    typed: Mapping[str, str] | None = None,
    changes: Any = (),
    refusal: GroundworkError | None = None,
) -> HttpResponse:
    study, groups = access.study, text_groups(access.study)
    offered = [
        {"code": code, "name": name, "missing": n_missing(groups, code)}
        for code, name in settings.LANGUAGES
        if code != study.language
    ]
    chosen = next((one for one in offered if one["code"] == language), None)
    context = {
        **page(access, "translations"),
        "languages": offered,
        "into": chosen,
        "n_texts": sum(len(group.texts) for group in groups),
        "groups": [_group(access, group, language, typed or {}, refusal) for group in groups],
        "may_save": any(_may_change(access, group) for group in groups),
        **_shown(request, groups, language, refusal),
        "changes": changes,
        "refusal": refusal.message if refusal else "",
        "is_meanwhile": refusal is not None and refusal.code == MEANWHILE,
        "last": last_translation(study, language) if chosen else None,
        "has_translations": any(text.translations.get(language) for text in all_texts(groups)),
        "is_draft": study.state == StudyState.DRAFT,
    }
    return render(request, "annotation/studies/texts/translations.html", context, status=_status(refusal))


def _status(refusal: GroundworkError | None) -> int:
    if refusal is None:
        return 200
    return 409 if isinstance(refusal, NotAllowedNow) else 422


def _shown(
    request: HttpRequest, groups: list[TextGroup], language: str, refusal: GroundworkError | None
) -> dict[str, str]:
    """The digests of the texts on the page; if nothing was compared yet, those it showed before."""
    originals, translations = seen_originals(groups), seen_translations(groups, language)
    if refusal is not None and refusal.code == MEANWHILE:
        originals = request.POST.get("seen", "")
    elif refusal is not None:
        translations |= _shown_translations(request)
    return {"seen": originals, "before": json.dumps(translations)}


def _group(
    access: Access,
    group: TextGroup,
    language: str,
    typed: Mapping[str, str],
    refusal: GroundworkError | None,
) -> dict[str, Any]:
    problems = refusal.fields if refusal else {}
    return {
        "title": group.title,
        "may_change": _may_change(access, group),
        "rows": [_row(text, language, typed, problems) for text in group.texts],
    }


def _row(
    text: StudyText, language: str, typed: Mapping[str, str], problems: Mapping[str, str]
) -> dict[str, Any]:
    stored = text.translations.get(language, "")
    value = typed.get(text.name, stored)
    return {
        "text": text,
        "field": FIELD + text.name,
        "value": value,
        "is_missing": text.is_missing(language),
        "rows": min(max(_lines(text.own), _lines(value)), MOST_ROWS),
        "problem": problems.get(text.name, ""),
        "stored": stored,
    }


def _lines(text: str) -> int:
    """About how many lines a text needs in its field; Chinese and Japanese characters are twice as wide."""
    widths = [
        sum(1 + (unicodedata.east_asian_width(one) in "WF") for one in line) for line in text.split("\n")
    ]
    return sum(1 + width // CHARACTERS_OF_A_LINE for width in widths)


def _may_change(access: Access, group: TextGroup) -> bool:
    """Everything in a draft; later, admins and owners may change what can still be changed."""
    study = access.study
    if study.source:
        return False
    if group.managed and not access.may_manage:
        return False
    if study.state == StudyState.DRAFT:
        return True
    return group.changes_later and study.state in TAKING_ANSWERS and access.may_manage
