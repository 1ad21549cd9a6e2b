"""Reserving ahead: what a rater has in hand, and when the page after it may be reserved before the answer."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import BigIntegerField, DateTimeField, Q
from django.utils import timezone

from annotation.domain.base.states import SEQUENCE, DesignKind, Purpose, SeatState, StudyState
from annotation.domain.seats.stages import StagePeople
from annotation.models import Assignment, Form, Rater, RaterKind, Seat, Study
from annotation.selectors.base.prepared_queries import Compiled
from annotation.selectors.quality.qualification import NOT_YET_QUALIFIED
from annotation.selectors.rating.rating_page import progress
from annotation.selectors.seats.stages import feeds_from
from annotation.selectors.seats.study_features import features_of

# The page that is shown, and two after it.
MOST_RESERVED = 3

_unanswered = Compiled(
    lambda rater: (
        Assignment.objects.select_related("item", "form", "version", "seat")
        .filter(Q(purpose=Purpose.CHECK) | Q(seat__rater=rater), rater=rater, purpose__in=SEQUENCE)
        .filter(submitted_at__isnull=True)
        .order_by("position", "pk")
    ),
    rater=BigIntegerField(),
)
_present = Compiled(
    lambda study, now: (
        Seat.objects.filter(form__study=study, state=SeatState.RESERVED, until__gte=now)
        .values_list("rater")
        .distinct()
    ),
    study=BigIntegerField(),
    now=DateTimeField(),
)


def unanswered_pages(rater: Rater) -> list[Assignment]:
    """The items and checks that a rater has not answered, in order; those whose seat is lost are left out.

    Parameters
    ----------
    rater : Rater
        With the study.
    """
    pages = _unanswered(rater=rater.pk)
    for page in pages:
        page.rater = rater
    return pages


def is_in_hand(assignment: Assignment) -> bool:
    """Whether a pause lets a page be shown: an unanswered item only if it is of a batch begun, or was shown.

    Parameters
    ----------
    assignment : Assignment
        With `rater__study` loaded.
    """
    if assignment.purpose != Purpose.MAIN or assignment.submitted_at is not None:
        return True
    design = assignment.rater.study.design
    return design == DesignKind.BATCHES or assignment.opened_at is not None


def offers_ahead(rater: Rater) -> bool:
    """Whether pages of this rater may be reserved ahead at all.

    Not where the server's clock must hold from page to page, and not of a preview, whose items have no seats.

    Parameters
    ----------
    rater : Rater
        With the study.
    """
    study = rater.study
    if rater.kind != RaterKind.PERSON or study.state != StudyState.OPEN or study.least_seconds is not None:
        return False
    return not (features_of(study).qualification and rater.state in NOT_YET_QUALIFIED)


def may_go_ahead(rater: Rater, before: Sequence[Assignment]) -> bool:
    """Whether what follows unanswered pages is known before they are answered.

    Parameters
    ----------
    rater : Rater
        From `locked_rater`.
    before : sequence of Assignment
        The rater's first unanswered pages.
    """
    study = rater.study
    if not offers_ahead(rater) or rater.is_excluded or len(before) >= MOST_RESERVED:
        return False
    if any(_decides_about_next(study, page) for page in before):
        return False
    pause = study.break_after
    return pause is None or (progress(rater).done + len(before)) % pause != 0


def page_before(assignment: Assignment) -> int | None:
    """The number of the item before a page that was reserved ahead, answered or not.

    Parameters
    ----------
    assignment : Assignment
        Reserved ahead.
    """
    items = Assignment.objects.filter(rater=assignment.rater_id, purpose=Purpose.MAIN)
    before = items.filter(position__lt=assignment.position).order_by("-position")
    return before.values_list("pk", flat=True).first()


def has_spare_seats(form: Form, each: int, rater: Rater) -> bool:
    """Whether a form has so many free seats for a rater and each other rater with a reservation in its study.

    Parameters
    ----------
    form : Form
        The form, with the key of its study.
    each : int
        Number of free seats for each of them.
    rater : Rater
        The rater who asks; counts even without a reservation, as when a check is shown.
    """
    present = {pk for (pk,) in _present(study=form.study_id, now=timezone.now())} | {rater.pk}
    wanted = each * len(present)
    free = Seat.objects.filter(form=form, state=SeatState.FREE).order_by()
    return len(free.values_list("pk")[:wanted]) == wanted


def _decides_about_next(study: Study, page: Assignment) -> bool:
    """Whether the answer may bring items of another stage to the same rater."""
    if page.purpose != Purpose.MAIN:
        return False
    return any(feed.people != StagePeople.OTHERS for feed in feeds_from(study, page.form_id))
