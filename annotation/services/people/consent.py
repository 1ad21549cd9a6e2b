"""Versions of the consent form: publishing them, and the consent of raters."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_TEXT
from annotation.domain.base.messages import message
from annotation.domain.base.states import TAKING_ANSWERS, RaterState
from annotation.domain.questions.text_languages import consent_translations, is_same_text, plain_lines
from annotation.models import Agreement, ConsentText, Rater, RaterKind, Study, User
from annotation.services.base import audit
from annotation.services.questions.text_languages import offered_translations
from config.interface_language import known_language

TEXT_LENGTH = message("Enter a consent form of 1 to %(n)s characters.", n=f"{LONGEST_TEXT:,}")


def store_consent_version(*, study: Study, actor: User | None) -> ConsentText:
    """Store the study's consent text as a version, unless it is the one in force already.

    Called under the lock of the study's row, when it opens.

    Parameters
    ----------
    study : Study
        A study whose row the caller's transaction locks.
    actor : User or None
        Author of the version.
    """
    latest = study.consent_texts.order_by("-number").first()
    translations = consent_translations(study.translations)
    if latest is not None and (latest.text, latest.translations) == (study.consent, translations):
        return latest
    number = 1 if latest is None else latest.number + 1
    version = ConsentText.objects.create(
        study=study, number=number, text=study.consent, translations=translations, author=actor
    )
    study.consent_number = number
    study.save(update_fields=["consent_number"])
    return version


def change_text(
    *, study: Study, actor: User, text: str, translations: Mapping[str, str] | None = None
) -> ConsentText:
    """Put a new version of the consent text in force; raters who agreed to an older one are asked again.

    Parameters
    ----------
    study, actor
        An open or paused study, and who changes it.
    text : str
        The whole new text; the one in force already, with the same translations, makes no version.
    translations : mapping of str to str or None
        Language of raters' pages → the new text in it. A translation that is not given again is of the older
        text and is removed; raters then see the new text untranslated. None if no translation changes.

    Raises
    ------
    NotAllowedNow
        The study is a draft or closed.
    InvalidContent
        The text is empty or too long (`bad_consent_text`), or there are no pages in a language
        (`language_not_offered`).
    """
    text = plain_lines(text)
    given = {language: plain_lines(one) for language, one in (translations or {}).items() if plain_lines(one)}
    offered_translations(given)
    if not text or len(text) > LONGEST_TEXT:
        raise InvalidContent(
            TEXT_LENGTH,
            code="bad_consent_text",
            fields={"text": TEXT_LENGTH},
        )
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        if study.state not in TAKING_ANSWERS:
            raise NotAllowedNow(
                message("You can only publish a new version while the study is open or paused."),
                code=f"study_{study.state}",
            )
        stored = consent_translations(study.translations)
        if is_same_text(text, study.consent) and (translations is None or given == stored):
            return store_consent_version(study=study, actor=actor)
        study.consent = text
        study.translations = {
            language: {**study.translations.get(language, {}), "consent": given.get(language, "")}
            for language in {*study.translations, *given}
        }
        study.save(update_fields=["consent", "translations"])
        version = store_consent_version(study=study, actor=actor)
        audit.record(study=study, actor=actor, act="change_consent", version=version.number)
    return version


def note_agreement(*, rater: Rater, number: int | None, when: datetime, interface_language: str = "") -> None:
    """Store which version a rater agrees to; the caller holds a lock and saves the rater.

    Parameters
    ----------
    rater, when
        The rater, with its study loaded, and the time now.
    number : int or None
        The version that was read; None for the one in force.
    interface_language : str
        Language of the page on which it was read; empty where it is not known.

    Raises
    ------
    InvalidContent
        There is no such version (`no_such_consent_text`).
    """
    if number is None:
        text: ConsentText | None = store_consent_version(study=rater.study, actor=None)
    else:
        text = rater.study.consent_texts.filter(number=number).first()
    if text is None:
        raise InvalidContent(
            message("This consent form does not exist. Reload the page."), code="no_such_consent_text"
        )
    given = {"agreed_at": when, "interface_language": known_language(interface_language)}
    Agreement.objects.get_or_create(rater=rater, text=text, defaults=given)
    rater.consent_number = max(rater.consent_number, text.number)


def agree_again(*, rater: Rater, number: int, interface_language: str = "") -> Rater:
    """Store that a rater who takes part already has agreed to a newer consent text.

    Parameters
    ----------
    rater, number
        The rater, and the version that was read; if a newer one is in force by now, the rater is asked
        again.
    interface_language : str
        Language of the page on which it was read; empty where it is not known.

    Raises
    ------
    NotAllowedNow
        The rater has withdrawn, or has not joined yet.
    InvalidContent
        There is no such version (`no_such_consent_text`).
    """
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        if rater.consented_at is None or rater.state == RaterState.WITHDRAWN:
            raise NotAllowedNow(message("You do not take part in this study."), code=f"rater_{rater.state}")
        note_agreement(rater=rater, number=number, when=timezone.now(), interface_language=interface_language)
        rater.save(update_fields=["consent_number"])
    return rater


def is_asked_again(rater: Rater) -> bool:
    """Whether a rater has to read a newer consent text before going on.

    Parameters
    ----------
    rater : Rater
        With its study loaded.
    """
    study = rater.study
    return (
        rater.kind == RaterKind.PERSON
        and study.state in TAKING_ANSWERS
        and rater.consent_number < study.consent_number
    )


def check_consented(rater: Rater) -> None:
    """Refuse a rater who has agreed to no consent text yet (`NotAllowedNow`, `no_consent`)."""
    if rater.consented_at is None:
        raise NotAllowedNow(message("Read the consent form and agree first."), code="no_consent")


def check_agreed(rater: Rater, *, shown_at: datetime | None = None) -> None:
    """Refuse a rater who has not agreed to the consent text in force.

    Parameters
    ----------
    rater, shown_at
        The rater, and when the page that is answered was shown: a page shown under the older text is still
        accepted.

    Raises
    ------
    NotAllowedNow
        `consent_changed`.
    """
    if not is_asked_again(rater):
        return
    newer = rater.study.consent_texts.filter(number__gt=rater.consent_number).order_by("number").first()
    if newer is None or (shown_at is not None and shown_at < newer.created_at):
        return
    raise NotAllowedNow(
        message("The consent form has changed. Please read the new version before you continue."),
        code="consent_changed",
    )
