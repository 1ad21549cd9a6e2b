"""Choice of one rating slot, within the limits of each form, and its assignment to the rater."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import BigIntegerField, Count, OuterRef, QuerySet, Subquery

from annotation.domain.base.states import SEQUENCE, DesignKind, Purpose
from annotation.models import Assignment, Form, FormVersion, Rater, Seat
from annotation.selectors.base.prepared_queries import Compiled, CompiledInsert
from annotation.selectors.rating.ahead import has_spare_seats
from annotation.selectors.seats.rater_forms import forms_of
from annotation.selectors.seats.stages import is_others_stage
from annotation.services.seats import reservations
from annotation.services.seats.record_suggestions import suggest
from annotation.services.seats.seat_search import choose_seat


@dataclass(frozen=True)
class Choice:
    """A locked seat that is not reserved yet, with the version that shows its item, and its place."""

    seat: Seat
    form: Form
    version_id: int
    position: int


def choose(rater: Rater, *, spare: int = 0) -> Choice | None:
    """The seat that a rater would take now; None where none is left for them.

    Parameters
    ----------
    rater : Rater
        From `locked_rater`.
    spare : int
        Only of a form with so many free seats for each rater who is present.
    """
    numbers = {(form, purpose): number for form, purpose, number in _given(rater=rater.pk)}
    rated = {form for form, purpose in numbers if purpose == Purpose.MAIN}
    for form in _forms_with_version(rater):
        if is_others_stage(rater.study, form.pk, rated):
            continue
        count = numbers.get((form.pk, Purpose.MAIN), 0)
        if form.per_rater is not None and count >= form.per_rater + rater.extra:
            continue
        if spare and not has_spare_seats(form, spare, rater):
            return None
        seat = choose_seat(rater, form, count)
        if seat is not None:
            return Choice(seat, form, form.newest_version, sum(numbers.values()) + 1)
    return None


def assign(rater: Rater, choice: Choice, shown_at: datetime | None) -> Assignment:
    """Reserve the chosen seat, and give its item to the rater.

    Parameters
    ----------
    rater, choice
        The rater, and what `choose` found in the same transaction.
    shown_at : datetime or None
        When its page is shown, where that is at once.
    """
    reservations.reserve([choice.seat], rater)
    taken = Assignment(
        rater=rater,
        item=choice.seat.item,
        form=choice.form,
        version_id=choice.version_id,
        seat=choice.seat,
        position=choice.position,
        opened_at=shown_at,
    )
    _insert_assignment(taken)
    suggest(assignment=taken)
    return taken


_insert_assignment = CompiledInsert(Assignment)
_given = Compiled(
    lambda rater: (
        Assignment.objects.filter(rater=rater, purpose__in=SEQUENCE)
        .values_list("form", "purpose")
        .annotate(Count("pk"))
        .order_by()
    ),
    rater=BigIntegerField(),
)


def _newest_first(forms: QuerySet[Form]) -> QuerySet[Form]:
    newest = (
        FormVersion.objects.filter(form=OuterRef("pk")).order_by("-number", "-correction").values("pk")[:1]
    )
    return forms.annotate(newest_version=Subquery(newest)).order_by("position", "pk")


_forms_of_study = Compiled(
    lambda study: _newest_first(Form.objects.filter(study=study)), study=BigIntegerField()
)


def _forms_with_version(rater: Rater) -> Iterable[Any]:
    """The forms a rater is given, each with the number of its newest version."""
    if rater.study.design == DesignKind.PANELS:
        return _newest_first(forms_of(rater))
    return _forms_of_study(study=rater.study_id)
