"""More ratings per item in an open study: of all items, or of chosen ones."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import MOST_RATINGS_PER_ITEM
from annotation.domain.base.messages import message
from annotation.domain.base.states import StudyState
from annotation.models import Form, Item, Seat, Study, User
from annotation.selectors.seats.pairing.counts import pairing_of
from annotation.selectors.seats.stages import admitted, feed_into, feeds_of
from annotation.services.base import audit
from annotation.services.base.analyze_tables import analyze_tables
from annotation.services.seats.locks import lock_items
from annotation.services.seats.seat_creation import seats_up_to

MOST_NAMED = 50


def raise_overlap(
    *, form: Form, items: QuerySet[Item], to: int, actor: User | None, for_new_items: bool = False
) -> int:
    """Ask for more ratings of chosen items of an open study, up to so many each.

    Parameters
    ----------
    form, actor
        What is to be asked again, and who asks; None on the command line.
    items : QuerySet of Item
        Of the form's study; retired ones are left out, and those that the stage before does not let through.
    to : int
        Raters that each of the items is to have, at most `MOST_RATINGS_PER_ITEM`.
    for_new_items : bool
        Items that are added later need as many too. A form of a stage keeps its number.

    Returns
    -------
    int
        How many slots were added.

    Raises
    ------
    NotAllowedNow
        The study is closed (`study_closed`) or still a draft (`not_running`), or the pairs of the form are
        chosen adaptively (`pairs_adaptive`).
    InvalidContent
        `bad_overlap`: not a number of raters.
    """
    if not 1 <= to <= MOST_RATINGS_PER_ITEM:
        sentence = message("Enter 1 to %(most)s ratings per item.", most=MOST_RATINGS_PER_ITEM)
        raise InvalidContent(sentence, code="bad_overlap")
    with transaction.atomic():
        study = _locked(form)
        if pairing_of(study, form.pk) is not None:
            sentence = message("The pairs of this form are chosen adaptively, within their budget.")
            raise NotAllowedNow(sentence, code="pairs_adaptive")
        chosen = items.filter(study=study, retired_at=None)
        feed = feed_into(study, form.pk)
        if feed is not None:
            lock_items(chosen)
            chosen = chosen.filter(pk__in=admitted(study, feed, list(chosen.values_list("pk", flat=True))))
        added = seats_up_to(study, form, list(chosen), to)
        if for_new_items and not _is_of_a_stage(study, form):
            Form.objects.filter(pk=form.pk, overlap__lt=to).update(overlap=to)
        analyze_tables(len(added), Seat)
        audit.record(
            study=study,
            actor=actor,
            act="raise_overlap",
            form=form.key,
            to=to,
            seats=len(added),
            items=sorted({seat.item.key for seat in added})[:MOST_NAMED],
        )
    return len(added)


def _locked(form: Form) -> Study:
    study = Study.objects.select_for_update(no_key=True).get(pk=form.study_id)
    if study.state == StudyState.CLOSED or study.source:
        sentence = message("The study is closed. It collects no more responses.")
        raise NotAllowedNow(sentence, code="study_closed")
    if study.state == StudyState.DRAFT:
        sentence = message("The study is a draft. Set its ratings per item under “Basic settings”.")
        raise NotAllowedNow(sentence, code="not_running")
    return study


def _is_of_a_stage(study: Study, form: Form) -> bool:
    """Whether what a stage decides depends on the number of this form; it is fixed once the study is open."""
    return any(form.pk in {feed.source_id, feed.target_id} for feed in feeds_of(study))
