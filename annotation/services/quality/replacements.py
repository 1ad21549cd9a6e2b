"""Collecting others' answers in place of excluded ones: their seats are opened, on record."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import joined, message
from annotation.domain.base.states import SeatState, StudyState
from annotation.models import Assignment, Exclusion, ExclusionLift, Rater, Seat, Study, User
from annotation.selectors.questions.counting import PROGRESS, counted
from annotation.services.base import audit
from annotation.services.seats.reservations import fill_replacement_seats, lock_seats
from annotation.services.seats.stages import filter_wanted_seats, lock_stage_items

MOST_NAMED = 50


def collect_replacement(*, exclusion: Exclusion, actor: User) -> int:
    """Open the slots that an excluded rater or response fills, so that others are given the items.

    Each answer is replaced once: it fills no slot after that, and counts beyond what its item needs
    if the exclusion is lifted when another has answered. No rater is given the same item twice.

    Parameters
    ----------
    exclusion, actor
        Of a rater or a response, with these loaded; and who asks.

    Returns
    -------
    int
        How many slots were opened.

    Raises
    ------
    NotAllowedNow
        The exclusion was lifted (`lifted_already`), nothing more is collected (`not_running`), or no slot
        is filled by what is excluded (`nothing_to_replace`).
    InvalidContent
        `item_excluded`: an excluded item is not collected anew.
    """
    rater = rater_of(exclusion)
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=exclusion.study_id)
        _refuse_unless_collected(study, exclusion)
        lock_stage_items(rater)
        filled = lock_seats(_filled(exclusion, rater)).select_related("item").order_by("pk")
        seats = filter_wanted_seats(study, list(filled))
        if not seats:
            raise NotAllowedNow(
                message(
                    "No replacement is needed: these responses were already replaced, are late, or their "
                    "items have left the stage."
                ),
                code="nothing_to_replace",
            )
        for seat in seats:
            seat.state, seat.rater, seat.until = SeatState.FREE.value, None, None
        Seat.objects.bulk_update(seats, ["state", "rater", "until"], batch_size=1000)
        audit.record(
            study=study,
            actor=actor,
            act="collect_replacement",
            rater=rater.code,
            seats=len(seats),
            items=sorted({seat.item.key for seat in seats})[:MOST_NAMED],
        )
    return len(seats)


def _refuse_unless_collected(study: Study, exclusion: Exclusion) -> None:
    if study.state not in {StudyState.OPEN, StudyState.PAUSED} or study.source:
        state = StudyState(study.state).sentence
        raise NotAllowedNow(joined([state, message("It collects no more responses.")]), code="not_running")
    if ExclusionLift.objects.filter(exclusion=exclusion).exists():
        raise NotAllowedNow(
            message("This exclusion was lifted. Its responses are included in statistics."),
            code="lifted_already",
        )


def restore_seats(*, study: Study, exclusions: QuerySet[Exclusion]) -> int:
    """Let responses whose exclusions were just lifted fill free slots; returns how many do.

    If another rater has rated or reserved the item, the response is additional to the ratings that the item
    needs. A response with another active exclusion fills no slot. The number of queries does not depend on
    the number of exclusions.

    Parameters
    ----------
    study : Study
        Of all the exclusions.
    exclusions : QuerySet of Exclusion
        Just lifted; those of items hold no seats.
    """
    raters = exclusions.filter(rater__isnull=False).values("rater")
    single = exclusions.filter(response__isnull=False).values("response__assignment")
    own = Seat.objects.filter(
        rater=OuterRef("rater"), state=SeatState.FILLED, form=OuterRef("form"), item=OuterRef("item")
    )
    answered = Assignment.objects.filter(
        Q(rater__in=raters) | Q(pk__in=single),
        ~Exists(own),
        responses__in=counted(study, replace(PROGRESS, excluded_items=True)),
    )
    return fill_replacement_seats(assignments=answered)


def rater_of(exclusion: Exclusion) -> Rater:
    """The rater of an exclusion; an excluded item has none (`item_excluded`).

    Parameters
    ----------
    exclusion : Exclusion
        Of a rater or a response, with these loaded.

    Raises
    ------
    InvalidContent
        `item_excluded`: it concerns an item.
    """
    if exclusion.rater is not None:
        return exclusion.rater
    if exclusion.response is not None:
        return exclusion.response.assignment.rater
    raise InvalidContent(
        message("Replacements are collected for raters and responses, not for excluded items."),
        code="item_excluded",
    )


def _filled(exclusion: Exclusion, rater: Rater) -> QuerySet[Seat]:
    filled = Seat.objects.filter(form__study=exclusion.study_id, rater=rater, state=SeatState.FILLED)
    if exclusion.response is None:
        return filled
    return filled.filter(assignments=exclusion.response.assignment)
