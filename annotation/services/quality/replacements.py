"""Collection of replacements for excluded answers: their rating slots are reopened, which is logged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
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
from annotation.services.seats.stages import filter_wanted_seats, lock_stage_items, lock_study_items

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
        `item_excluded`: an excluded item is not rated again.
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
        _open_seats(study, rater, seats, actor)
    return len(seats)


def collect_all_replacements(*, study: Study, actor: User) -> int:
    """Open the slots that all excluded raters and responses fill, as `collect_replacement` does for one.

    Parameters
    ----------
    study, actor
        The study, and who asks.

    Returns
    -------
    int
        How many slots were opened.

    Raises
    ------
    NotAllowedNow
        Nothing more is collected (`not_running`), or nothing excluded fills a slot (`nothing_to_replace`).
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        _refuse_unless_running(study)
        lock_study_items(study)
        filled = lock_seats(_filled_by_excluded(study)).select_related("item", "rater").order_by("pk")
        by_rater: dict[Rater, list[Seat]] = defaultdict(list)
        for seat in filter_wanted_seats(study, list(filled)):
            if seat.rater is not None:
                by_rater[seat.rater].append(seat)
        if not by_rater:
            raise NotAllowedNow(
                message("No replacement is needed: no excluded response fills a rating slot."),
                code="nothing_to_replace",
            )
        for rater, seats in by_rater.items():
            _open_seats(study, rater, seats, actor)
    return sum(map(len, by_rater.values()))


def count_replaceable_seats(study: Study) -> int:
    """How many slots `collect_all_replacements` would open now; 0 where nothing more is collected.

    Parameters
    ----------
    study : Study
        In any state.
    """
    if not _is_running(study):
        return 0
    return len(filter_wanted_seats(study, list(_filled_by_excluded(study).select_related("item"))))


def _open_seats(study: Study, rater: Rater, seats: Sequence[Seat], actor: User) -> None:
    """Open the slots that a rater fills, on record."""
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


def _is_running(study: Study) -> bool:
    return study.state in {StudyState.OPEN, StudyState.PAUSED} and not study.source


def _refuse_unless_running(study: Study) -> None:
    if not _is_running(study):
        state = StudyState(study.state).sentence
        raise NotAllowedNow(joined([state, message("It collects no more responses.")]), code="not_running")


def _refuse_unless_collected(study: Study, exclusion: Exclusion) -> None:
    _refuse_unless_running(study)
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


def _filled_by_excluded(study: Study) -> QuerySet[Seat]:
    """The slots of items in use that excluded raters, and excluded responses of others, fill."""
    active = Exclusion.objects.filter(study=study, lift__isnull=True)
    single = active.filter(response__isnull=False).values("response__assignment")
    return Seat.objects.filter(
        Q(rater__in=active.filter(rater__isnull=False).values("rater"))
        | Q(Exists(Assignment.objects.filter(seat=OuterRef("pk"), rater=OuterRef("rater"), pk__in=single))),
        form__study=study,
        state=SeatState.FILLED,
    ).exclude(item__in=active.filter(item__isnull=False).values("item"))
