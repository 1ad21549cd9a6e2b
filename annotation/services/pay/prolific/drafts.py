"""The study on Prolific: drafted from ours, and its places matched to open rating slots."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.pay.prolific import SUBMISSIONS_JOB
from annotation.io.pay.prolific import NUMBER, NotSent, OutsideStudy, Refused
from annotation.models import Invitation, Job, ProlificStudy, ProlificSubmission, Study, User
from annotation.services.base import audit
from annotation.services.base.jobs import UNFINISHED
from annotation.services.pay.prolific.connection import client_of, refuse_without_results
from annotation.services.pay.prolific.draft_content import MOST_PLACES, Draft, check_draft, fields_of
from annotation.services.seats.locks import lock_studies

# For so long a request to create a draft may be on its way, longer than anybody waits for its answer.
UNDER_WAY = timedelta(minutes=2)


def create_draft(
    *, study: Study, invitation: Invitation, address: str, draft: Draft, actor: User
) -> ProlificStudy:
    """Create a draft on Prolific, where a person publishes it.

    The row is stored before the call. If no answer comes, it stays without a number, and `find_draft` looks
    for the study by its internal name: a second one is never created by itself.

    Parameters
    ----------
    study, actor
        A connected study with its pay set, and who drafts.
    invitation : Invitation
        An open link of the study for Prolific, with a completion code.
    address : str
        The full address of the link.
    draft : Draft
        What people read, and what they are paid.

    Raises
    ------
    InvalidContent
        `bad_draft`: `fields` says what is wrong.
    NotAllowedNow
        `already_drafted`: the study has one on Prolific; `currency_not_on_prolific`: Prolific pays in others;
        `not_connected`.
    GroundworkError
        Of the interface. If Prolific refused, nothing is stored.
    """
    client = client_of(study)
    check_draft(study=study, invitation=invitation, draft=draft)
    code = secrets.token_hex(4).upper() if draft.screen_out_reward is not None else ""
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        _refuse_second(study)
        row = ProlificStudy.objects.create(
            study=study,
            invitation=invitation,
            internal_name=f"{study.slug}-{secrets.token_hex(6)}",
            screen_out_code=code,
            places=draft.places,
            reward=draft.reward,
            made_by=actor,
        )
        audit.record(
            study=study, actor=actor, act="draft_on_prolific", places=draft.places, reward=draft.reward
        )
    try:
        found = client.create_study(fields_of(row, address=address, draft=draft))
    except (Refused, NotSent):
        # Nothing is on Prolific: it can be drafted again.
        row.delete()
        raise
    return _store(row, found)


def find_draft(*, study: Study, actor: User) -> ProlificStudy | None:
    """Look for a draft whose creation was not answered; None, and the row deleted, if there is none.

    Parameters
    ----------
    study, actor
        With a draft that has no number, and who looks for it.

    Raises
    ------
    NotAllowedNow
        `no_draft_to_find`: there is no draft, or its number is known; `draft_under_way`: Prolific may still
        create it.
    GroundworkError
        Of the interface; the draft stays as it is.
    """
    with transaction.atomic():
        row = _unanswered(study)
    found = client_of(study).study_named(row.internal_name)
    with transaction.atomic():
        row = _unanswered(study)
        if found is not None:
            audit.record(study=study, actor=actor, act="find_prolific_draft", prolific_study=found.number)
            return _store(row, found)
        audit.record(study=study, actor=actor, act="discard_prolific_draft")
        row.delete()
    return None


def _unanswered(study: Study) -> ProlificStudy:
    """The draft without a number, with its study locked."""
    lock_studies([study.pk])
    row = ProlificStudy.objects.filter(study=study, number="").first()
    if row is None:
        raise NotAllowedNow(
            message("There is no draft to look for. Reload the page."), code="no_draft_to_find"
        )
    _refuse_under_way(row)
    return row


def _refuse_under_way(row: ProlificStudy) -> None:
    if not row.number and row.made_at > timezone.now() - UNDER_WAY:
        raise NotAllowedNow(
            message("Prolific may still be creating the draft. Try again in two minutes."),
            code="draft_under_way",
        )


def link_study(*, study: Study, invitation: Invitation, number: str, actor: User) -> ProlificStudy:
    """Use a study that somebody has created on Prolific.

    Parameters
    ----------
    study, invitation, actor
        A connected study, its link for Prolific, and who links them.
    number : str
        The study's ID on Prolific.

    Raises
    ------
    InvalidContent
        `bad_prolific_id`: the text is no ID.
    NotAllowedNow
        `already_drafted`, `not_connected`.
    GroundworkError
        Of the interface; nothing is stored.
    """
    if not NUMBER.fullmatch(number):
        sentence = message("Enter the ID of the study, as the address of its page on Prolific shows it.")
        raise InvalidContent(sentence, code="bad_prolific_id", fields={"number": sentence})
    _refuse_second(study)
    found = client_of(study).study(number)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        _refuse_second(study)
        row = ProlificStudy.objects.create(
            study=study,
            invitation=invitation,
            number=found.number,
            internal_name=f"{study.slug}-{secrets.token_hex(6)}",
            places=found.places,
            reward=found.reward,
            status=found.status,
            made_by=actor,
            read_at=timezone.now(),
        )
        audit.record(study=study, actor=actor, act="link_prolific_study", prolific_study=found.number)
    return row


def unlink_study(*, study: Study, actor: User) -> None:
    """Forget which study on Prolific is ours, and its submissions; on Prolific it stays as it is.

    Parameters
    ----------
    study, actor
        The study, and who separates them.

    Raises
    ------
    NotAllowedNow
        `payments_in_doubt`: payments have no result yet, which the submissions show; `submissions_under_way`:
        a job is reading them or sending decisions; `draft_under_way`: Prolific may still create the draft.
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        row = ProlificStudy.objects.filter(study=study).first()
        if row is not None:
            _refuse_under_way(row)
            refuse_without_results(study)
            if Job.objects.filter(UNFINISHED, study=study, kind=SUBMISSIONS_JOB).exists():
                raise NotAllowedNow(
                    message(
                        "Submissions are being read, or decisions sent. Try again when the job has ended."
                    ),
                    code="submissions_under_way",
                )
            ProlificSubmission.objects.filter(study=study).delete()
            audit.record(study=study, actor=actor, act="unlink_prolific_study", prolific_study=row.number)
            row.delete()


def refresh_study(*, study: Study) -> ProlificStudy:
    """Read status and places of the study on Prolific.

    Parameters
    ----------
    study : Study
        With a study on Prolific.

    Raises
    ------
    GroundworkError
        Of the interface; what was read before stays.
    """
    row = study_on_prolific(study)
    return _store(row, client_of(study).study(row.number))


def raise_places(*, study: Study, places: int, actor: User) -> ProlificStudy:
    """Set the total of places on Prolific, which can only grow.

    Parameters
    ----------
    study, actor
        With a study on Prolific, and who raises the places.
    places : int
        The new total.

    Raises
    ------
    InvalidContent
        `bad_places`: not above the present total, or too many.
    GroundworkError
        Of the interface. The total is absolute, so asking again after a lost answer changes nothing more.
    """
    row = refresh_study(study=study)
    if not row.places < places <= MOST_PLACES:
        sentence = message(
            "Enter a total above %(now)d and of at most %(most)d places.", now=row.places, most=MOST_PLACES
        )
        raise InvalidContent(sentence, code="bad_places", fields={"places": sentence})
    before = row.places
    with transaction.atomic():
        audit.record(study=study, actor=actor, act="raise_prolific_places", before=before, after=places)
    return _store(row, client_of(study).change_places(row.number, places))


def study_on_prolific(study: Study) -> ProlificStudy:
    """The study on Prolific, with a number.

    Parameters
    ----------
    study : Study
        Ours.

    Raises
    ------
    NotAllowedNow
        `no_prolific_study`: there is none yet, or none whose number is known.
    """
    row = ProlificStudy.objects.filter(study=study).exclude(number="").first()
    if row is None:
        raise NotAllowedNow(
            message("No study on Prolific belongs to this one. Draft it, or enter its ID, in Settings."),
            code="no_prolific_study",
        )
    return row


def _store(row: ProlificStudy, found: OutsideStudy) -> ProlificStudy:
    row.number, row.status, row.read_at = found.number, found.status, timezone.now()
    row.places, row.reward = found.places or row.places, found.reward or row.reward
    fields = ("number", "status", "read_at", "places", "reward")
    if not ProlificStudy.objects.filter(pk=row.pk).update(**{name: getattr(row, name) for name in fields}):
        sentence = message(
            "The study was separated from Prolific meanwhile. Its ID on Prolific is %(number)s.",
            number=found.number,
        )
        raise NotAllowedNow(sentence, code="changed_elsewhere")
    return row


def _refuse_second(study: Study) -> None:
    if ProlificStudy.objects.filter(study=study).exists():
        raise NotAllowedNow(
            message("This study has a study on Prolific already. Separate them first."),
            code="already_drafted",
        )
