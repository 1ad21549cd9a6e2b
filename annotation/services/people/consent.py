"""The consent text in versions: which is in force, who agreed to which, and asking again after a change."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_TEXT
from annotation.domain.base.states import TAKING_ANSWERS, RaterState
from annotation.models import Agreement, ConsentText, Rater, RaterKind, Study, User
from annotation.services.base import audit


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
    if latest is not None and latest.text == study.consent:
        return latest
    number = 1 if latest is None else latest.number + 1
    version = ConsentText.objects.create(study=study, number=number, text=study.consent, author=actor)
    study.consent_number = number
    study.save(update_fields=["consent_number"])
    return version


def change_text(*, study: Study, actor: User, text: str) -> ConsentText:
    """Put a new version of the consent text in force; raters who agreed to an older one are asked again.

    Parameters
    ----------
    study, actor
        An open or paused study, and who changes it.
    text : str
        The whole new text; the one in force already makes no version.

    Raises
    ------
    NotAllowedNow
        The study is a draft or closed.
    InvalidContent
        The text is empty or too long (`bad_consent_text`).
    """
    text = _plain(text)
    if not text or len(text) > LONGEST_TEXT:
        raise InvalidContent(
            f"Write what raters agree to, in {LONGEST_TEXT} characters at most.",
            code="bad_consent_text",
            fields={"text": f"1 to {LONGEST_TEXT} characters."},
        )
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        if study.state not in TAKING_ANSWERS:
            raise NotAllowedNow(
                f"The study is {study.state}: a new version is for raters of an open or paused study.",
                code=f"study_{study.state}",
            )
        if text == _plain(study.consent):
            return store_consent_version(study=study, actor=actor)
        study.consent = text
        study.save(update_fields=["consent"])
        version = store_consent_version(study=study, actor=actor)
        audit.record(study=study, actor=actor, act="change_consent", version=version.number)
    return version


def _plain(text: str) -> str:
    """Browsers send other ends of lines than they were given."""
    return text.replace("\r\n", "\n").strip()


def note_agreement(*, rater: Rater, number: int | None, when: datetime) -> None:
    """Store which version a rater agrees to; the caller holds a lock and saves the rater.

    Parameters
    ----------
    rater, when
        The rater, with its study loaded, and the time now.
    number : int or None
        The version that was read; None for the one in force.

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
            "There is no such consent text: load the page again.", code="no_such_consent_text"
        )
    Agreement.objects.get_or_create(rater=rater, text=text, defaults={"agreed_at": when})
    rater.consent_number = max(rater.consent_number, text.number)


def agree_again(*, rater: Rater, number: int) -> Rater:
    """Store that a rater who takes part already has agreed to a newer consent text.

    Parameters
    ----------
    rater, number
        The rater, and the version that was read; if a newer one is in force by now, the rater is asked
        again.

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
            raise NotAllowedNow("You do not take part in this study.", code=f"rater_{rater.state}")
        note_agreement(rater=rater, number=number, when=timezone.now())
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
        raise NotAllowedNow("Read the consent text and agree first.", code="no_consent")


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
        "The text you agreed to has changed. Read the new one and agree before going on.",
        code="consent_changed",
    )
