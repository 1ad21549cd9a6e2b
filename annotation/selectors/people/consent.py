"""Versions of a consent text, and which of them raters agreed to."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.domain.base.codebook import RATERS
from annotation.domain.questions.text_languages import Text, language_shown, text_in
from annotation.models import Agreement, Rater, RaterKind, Study
from annotation.selectors.base.table_types import Table
from annotation.selectors.people.of_study import raters_of
from annotation.selectors.people.outcomes import outcome_of, with_outcomes

RATER_COLUMNS = tuple(RATERS)


def versions_of(study: Study) -> Any:
    """The versions, newest first, each with `n_raters` who agreed to it last."""
    latest = (
        Rater.objects.filter(
            study=study, kind=RaterKind.PERSON, consented_at__isnull=False, consent_number=OuterRef("number")
        )
        .order_by()
        .values("consent_number")
        .annotate(n=Count("pk"))
        .values("n")
    )
    counted = Coalesce(Subquery(latest, output_field=IntegerField()), 0)
    return study.consent_texts.select_related("author").annotate(n_raters=counted).order_by("-number")


def agreed_text(rater: Rater) -> Text:
    """The text that a rater agreed to last, as it was then, in the language in which they read it."""
    own = rater.study.language
    last = rater.agreements.select_related("text").filter(text__number=rater.consent_number).first()
    if last is None:
        found = rater.study.consent_texts.filter(number=rater.consent_number).first()
        return text_in(found.text if found else rater.study.consent, "", own_language=own, language="")
    language = last.interface_language
    translated = last.text.translations.get(language, "")
    return text_in(last.text.text, translated, own_language=own, language=language)


def agreements_of(rater: Rater) -> QuerySet[Agreement]:
    """What a rater has agreed to, the oldest first."""
    return rater.agreements.select_related("text").order_by("text__number")


def raters_table(study: Study) -> Table:
    """One row per rater under their code: state, and which consent text they agreed to when."""
    last = Agreement.objects.filter(rater=OuterRef("pk")).order_by("-text__number")
    raters = with_outcomes(raters_of(study=study)).annotate(
        version=Subquery(last.values("text__number")[:1]),
        agreed_at=Subquery(last.values("agreed_at")[:1]),
        agreed_in=Subquery(last.values("interface_language")[:1]),
        agreed_translations=Subquery(last.values("text__translations")[:1]),
    )
    return RATER_COLUMNS, (_rater_row(study, one) for one in raters.iterator())


def _text_language(study: Study, rater: Any) -> str:
    if rater.version is None:
        return ""
    translations = rater.agreed_translations or {}
    return language_shown(translations, own=study.language, interface=rater.agreed_in or "")


def _rater_row(study: Study, rater: Any) -> dict[str, Any]:
    return {
        "study": study.slug,
        "rater": rater.code,
        "state": rater.state,
        "simulated": rater.simulated,
        "excluded": rater.excluded,
        "n_answered": rater.n_answered,
        "consent_version": rater.version,
        "consented_at": rater.agreed_at.isoformat() if rater.agreed_at else "",
        "consent_language": rater.agreed_in or "",
        "consent_text_language": _text_language(study, rater),
        "finished_at": rater.finished_at.isoformat() if rater.finished_at else "",
        "outcome": outcome_of(rater) or "",
    }
