"""Deletion of studies: drafts at once, others after a period in which it can be cancelled."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import ENDED_JOBS, TAKING_ANSWERS, JobState
from annotation.models import (
    Assignment,
    CalibrationItem,
    CrowdStudy,
    Job,
    Membership,
    RaterKind,
    Rating,
    Response,
    Study,
    User,
)
from annotation.selectors.pay.payments import totals_for_log
from annotation.selectors.studies.rows_of_study import owned_models
from annotation.services.base import audit
from annotation.services.base.archives import delete_archives
from annotation.services.base.drafts import lock_draft
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.base.queues.clocks import refuse_wrong_clocks
from annotation.services.base.uploads.receiving import delete_files_of, delete_files_with
from annotation.services.items.media.storing import delete_media_of, delete_media_with
from config.postgresql.shared_clock import shared_now

logger = logging.getLogger(__name__)
KIND = "delete_study"
CHUNK_SIZE = 1000
TRIED_AGAIN_AFTER = timedelta(hours=1)


def delete_draft(*, study: Study, actor: User) -> None:
    """Delete a draft with its items, forms, links and previews; only a line in the log remains.

    A study on a crowd platform stays there as it is.

    Raises
    ------
    NotAllowedNow
        The study is no draft, or has imported ratings (`holds_ratings`).
    """
    with transaction.atomic():
        study = lock_draft(study.pk, message("You can only delete a study while it is a draft."))
        if holds_ratings(study):
            raise NotAllowedNow(
                message("You cannot delete this draft, because it has raters or imported ratings."),
                code="holds_ratings",
            )
        study.checks.all().delete()
        # It keeps its link from being deleted.
        CrowdStudy.objects.filter(study=study).delete()
        CalibrationItem.objects.filter(qualification__study=study).delete()
        trials = Response.objects.filter(assignment__rater__study=study)
        Rating.objects.filter(response__in=trials).delete()
        trials.delete()
        Assignment.objects.filter(rater__study=study).delete()
        study.raters.all().delete()
        delete_files_with(study)
        delete_media_with(study)
        study.delete()
    logger.info("Draft %s was deleted by account %s.", study.slug, actor.pk)


def holds_ratings(study: Study) -> bool:
    """Whether a study has raters other than the previews of its members."""
    return study.raters.exclude(kind=RaterKind.TRIAL).exists()


def request_deletion(*, study: Study, title: str, actor: User | None) -> Study:
    """Have a study deleted after `STUDY_DELETION_DAYS`; asking again changes nothing.

    Parameters
    ----------
    study : Study
        Closed, or a draft.
    title : str
        Its title, typed again.
    actor : User or None
        The owner who asks; None on the command line.

    Returns
    -------
    Study
        With `deleted_after`.

    Raises
    ------
    NotAllowedNow
        Raters are at work (`not_closed`), or a main study is pooled with it (`pilot_pooled`).
    InvalidContent
        The title is another one (`other_title`).
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if study.state in TAKING_ANSWERS:
            raise NotAllowedNow(message("Close the study before you delete it."), code="not_closed")
        pooled = study.main_studies.filter(pilot_pooled_at__isnull=False).first()
        if pooled is not None:
            raise NotAllowedNow(
                message(
                    "The responses of this study are pooled with those of its main study “%(title)s”. "
                    "Withdraw that first, under Settings of the main study.",
                    title=pooled.title,
                ),
                code="pilot_pooled",
            )
        if title.strip() != study.title.strip():
            sentence = message("This is not the title of the study. Enter it exactly as shown.")
            raise InvalidContent(sentence, code="other_title", fields={"title": sentence})
        if study.deleted_after is None:
            study.deleted_after = shared_now() + timedelta(days=settings.STUDY_DELETION_DAYS)
            study.save(update_fields=["deleted_after"])
            after = study.deleted_after.isoformat()
            audit.record(study=study, actor=actor, act="request_deletion", after=after)
            audit.record_for_site(actor=actor, act="request_study_deletion", study=study.slug, after=after)
    return study


def cancel_deletion(*, study: Study, actor: User | None) -> Study:
    """Keep a study that was to be deleted.

    Parameters
    ----------
    study, actor
        The study, and the owner who decides; None on the command line.

    Raises
    ------
    NotAllowedNow
        Its deletion was not requested (`no_deletion`), or has begun (`deletion_began`).
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if study.deletion_began_at is not None:
            sentence = message("The deletion has begun and can no longer be cancelled.")
            raise NotAllowedNow(sentence, code="deletion_began")
        if study.deleted_after is None:
            raise NotAllowedNow(message("No deletion of this study was requested."), code="no_deletion")
        study.deleted_after = None
        study.save(update_fields=["deleted_after"])
        audit.record(study=study, actor=actor, act="cancel_deletion")
        audit.record_for_site(actor=actor, act="cancel_study_deletion", study=study.slug)
    return study


def request_due_deletions() -> None:
    """Queue a job for each study whose time has come; a failed one is tried again after an hour."""
    now = timezone.now()
    for pk in Study.objects.filter(deleted_after__lte=now).values_list("pk", flat=True):
        known = Job.objects.filter(kind=KIND, params={"study": pk})
        waits = known.exclude(state__in=ENDED_JOBS) | known.filter(finished_at__gt=now - TRIED_AGAIN_AFTER)
        if not waits.exists():
            enqueue(kind=KIND, study=None, params={"study": pk}, created_by=None)


def run_deletion(*, lease: Lease) -> None:
    """Delete a study for good, with all its rows and files; the job of `request_due_deletions`.

    Each step is a transaction of its own and deletes what is left, so that another worker can go on after the
    first was killed. From the first step on no member reaches the study.

    Parameters
    ----------
    lease : Lease
        Lease of a job that names the study.

    Raises
    ------
    GroundworkError
        Nothing was deleted because two clocks differ (`clocks_differ`).
    """
    refuse_wrong_clocks()
    pk = lease.job.params["study"]
    study = Study.objects.filter(pk=pk).first() if _begin(pk) else None
    if study is None:
        lease.complete(lambda: None)
        return
    # The rows of uploads say where their files are, so these go first.
    delete_files_of(study)
    delete_media_of(study)
    _delete_rows(pk, lease)
    delete_archives(study)
    lease.complete(lambda: _end(pk))


def _begin(pk: int) -> bool:
    """Close the study to its members and stop its jobs; False if it is gone or its deletion was cancelled."""
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).filter(pk=pk).first()
        if study is None or study.deleted_after is None:
            return False
        if study.deletion_began_at is None:
            if study.deleted_after > shared_now():
                return False
            study.deletion_began_at = shared_now()
            study.save(update_fields=["deletion_began_at"])
            _keep_payment_totals(study)
        Membership.objects.filter(study=study).delete()
        unfinished = Job.objects.filter(study=study).exclude(state__in=ENDED_JOBS)
        unfinished.update(state=JobState.CANCELLED, lease=None, lease_until=None, finished_at=timezone.now())
    return True


def _keep_payment_totals(study: Study) -> None:
    """Write what was paid to the log of the installation, since the ledger goes with the study."""
    if paid := totals_for_log(study):
        audit.record_for_site(actor=None, act="keep_payment_totals", study=study.slug, paid=paid)


def _delete_rows(pk: int, lease: Lease) -> None:
    """Delete the rows of a study, a thousand at a time."""
    owned = owned_models()
    for number, one in enumerate(owned):
        while keys := list(one.rows(pk).order_by("pk").values_list("pk", flat=True)[:CHUNK_SIZE]):
            lease.beat(number, len(owned), one.model._meta.label_lower)
            one.rows(pk).filter(pk__in=keys).delete()


def _end(pk: int) -> None:
    study = Study.objects.select_for_update().filter(pk=pk).first()
    if study is None:
        # Another job for the study was faster.
        return
    for one in owned_models():
        # What a job that was stopped had begun to write meanwhile.
        one.rows(pk).delete()
    slug = study.slug
    _admit_raters(study)
    study.delete()
    audit.record_for_site(actor=None, act="delete_study", study=slug)


def _admit_raters(pilot: Study) -> None:
    """Main studies stop refusing raters of a deleted pilot, since those are not recognised any more."""
    for main in pilot.main_studies.filter(refuse_pilot_raters=True):
        main.refuse_pilot_raters = False
        main.save(update_fields=["refuse_pilot_raters"])
        audit.record(study=main, actor=None, act="lose_pilot", pilot=pilot.slug)
