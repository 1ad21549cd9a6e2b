"""Raters who have reached their limit and ask for more."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import IN_BATCHES, Purpose, RaterState, StudyState
from annotation.models import Assignment, Exclusion, Form, Rater, Seat
from annotation.selectors.seats.rater_forms import forms_of
from annotation.selectors.seats.stages import has_others_for_item, is_others_stage
from annotation.selectors.seats.unseen_seats import unseen
from annotation.services.people.consent import check_agreed
from annotation.services.seats.reservations import is_available


def may_ask_for_more(*, rater: Rater) -> bool:
    """Whether only the limit per rater stops a rater, and the study lets raters ask for more."""
    study = rater.study
    if not study.more_allowed or study.state != StudyState.OPEN:
        return False
    excluded = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    if not Rater.objects.filter(~Exists(excluded), pk=rater.pk, state=RaterState.FINISHED).exists():
        return False
    if study.design in IN_BATCHES:
        return study.batches_per_rater is not None and _unseen_in_batches(rater).exists()
    return any(form.per_rater is not None and _has_unseen(rater, form) for form in forms_of(rater))


def raise_rater_limit(*, rater: Rater) -> Rater:
    """Let a rater who has reached the cap take as much again.

    Raises
    ------
    NotAllowedNow
        The study does not let raters ask, or it is no cap that holds this one back (`no_more`); the consent
        text has changed (`consent_changed`).
    """
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        check_agreed(rater)
        if not may_ask_for_more(rater=rater):
            raise NotAllowedNow(message("There are no more items for you in this study."), code="no_more")
        in_batches = rater.study.design in IN_BATCHES
        caps = [form.per_rater or 0 for form in forms_of(rater)]
        rater.extra += 1 if in_batches else max(caps)
        rater.state, rater.finished_at = RaterState.ACTIVE, None
        rater.save(update_fields=["extra", "state", "finished_at"])
    return rater


def _unseen_in_batches(rater: Rater) -> QuerySet[Seat]:
    taken = Assignment.objects.filter(rater=rater, purpose=Purpose.MAIN, seat__batch=OuterRef("batch"))
    available = is_available(timezone.now())
    seats = Seat.objects.filter(available, form__study=rater.study, batch__isnull=False)
    return seats.filter(~Exists(taken))


def _has_unseen(rater: Rater, form: Form) -> bool:
    """Whether a form has a slot that the rater could take without the limit per rater."""
    rated = rater.assignments.filter(purpose=Purpose.MAIN).values_list("form", flat=True).distinct()
    if is_others_stage(rater.study, form.pk, set(rated)):
        return False
    seats = Seat.objects.filter(is_available(timezone.now()), form=form)
    separate_people = has_others_for_item(rater.study, form.pk)
    return unseen(rater, form, seats, separate_people=separate_people).exists()
