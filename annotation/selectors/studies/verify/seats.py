"""Checks of rating slots: the required number per item, each with one rater and one page or response."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet

from annotation.domain.base.states import DesignKind, Purpose, RaterState, SeatState
from annotation.models import Assignment, Exclusion, Form, Item, Response, Seat, Study
from annotation.selectors.studies.verify.breach import MANUALLY, Breach, Rule

FREE_IT = "Free the slot for another rater: set state to 'free', and rater_id and until to NULL."
FILLED_WITHOUT_RESPONSE = Rule(
    "seat_without_answer",
    "The slot is filled, but its rater has no response in time for this item and form.",
    FREE_IT,
)
FILLED_TWICE = Rule(
    "seat_filled_twice",
    "Responses of several raters, none of them ever excluded, fill this slot.",
    "Assign free slots of the item to the others (state 'filled', rater_id; seat_id of the assignment), or "
    "set late of their responses to true.",
)
UNSEATED = Rule(
    "answer_without_seat",
    "Its response was in time and never excluded, but its rater fills no slot of the item.",
    "Assign a free slot of the item to it (state 'filled', rater_id; seat_id of the assignment), or set late "
    "of its responses to true.",
)
ELSEWHERE = Rule(
    "seat_elsewhere",
    "Its slot belongs to another item or form.",
    "Set seat_id to NULL, or to a slot of its item and form.",
)
NOT_FOR_A_RATING = Rule(
    "seat_for_another_purpose",
    "It has a slot, although it is a check, a calibration item or a preview.",
    "Set seat_id to NULL.",
)
RESERVED_WITHOUT_PAGE = Rule(
    "reservation_without_page", "The slot is reserved, but its rater has no open page for it.", FREE_IT
)
RESERVED_FOR_FORMER_RATER = Rule(
    "reservation_of_nobody", "The slot is reserved for a rater who was excluded or has withdrawn.", FREE_IT
)
STILL_RUNNING_OUT = Rule(
    "filled_seat_runs_out", "The slot is filled, but still has an end of reservation.", "Set until to NULL."
)
MIXED = Rule(
    "seat_studies_mixed",
    "The item, form, batch and rater of the slot belong to different studies.",
    MANUALLY,
)
TOO_FEW = Rule(
    "seats_missing",
    "A form has fewer slots for this item than ratings per item, or their numbers have a gap.",
    "Pause and reopen the study to create missing slots. Renumber others with SQL.",
)
NO_BATCH = Rule(
    "seat_without_batch",
    "The study uses batches, but the slot is in none, so no rater gets it.",
    "Set batch_id to that of the other slots of its item and form.",
)
TWO_BATCHES = Rule(
    "seats_in_two_batches",
    "Slots of one form for this item are in different batches.",
    "Set batch_id of all to that of slot 1.",
)


def find_wrong_seats() -> Iterator[Breach]:
    """Yield slots and responses that do not match one to one."""
    responses = Response.objects.filter(assignment=OuterRef("pk"), late=False)
    in_time = Assignment.objects.filter(Exists(responses), purpose=Purpose.MAIN)
    answered = in_time.filter(seat=OuterRef("pk"), rater=OuterRef("rater"))
    filled = Seat.objects.filter(state=SeatState.FILLED)
    yield from FILLED_WITHOUT_RESPONSE.breaches(filled.exclude(Exists(answered)))
    never_excluded = _never_excluded(in_time)
    shared = never_excluded.filter(seat__state=SeatState.FILLED).order_by().values("seat")
    shared = shared.annotate(n=Count("rater", distinct=True)).filter(n__gt=1)
    yield from FILLED_TWICE.breaches(filled.filter(pk__in=shared.values("seat")))
    own = filled.filter(form=OuterRef("form"), item=OuterRef("item"), rater=OuterRef("rater"))
    # Imported responses fill the available slots; a shared slot is reported above.
    unseated = never_excluded.filter(Q(seat__isnull=False) | Q(rater__consented_at__isnull=False))
    unseated = unseated.exclude(Exists(own)).exclude(seat__in=shared.values("seat"))
    yield from UNSEATED.breaches(unseated)
    yield from STILL_RUNNING_OUT.breaches(filled.filter(until__isnull=False))


def find_misplaced_seats() -> Iterator[Breach]:
    """Yield slots whose parts or pages belong to different items, forms or studies."""
    elsewhere = ~Q(seat__item=F("item")) | ~Q(seat__form=F("form"))
    named = Assignment.objects.filter(seat__isnull=False)
    yield from ELSEWHERE.breaches(named.filter(elsewhere))
    yield from NOT_FOR_A_RATING.breaches(named.exclude(purpose=Purpose.MAIN))
    mixed = ~Q(item__study=F("form__study"))
    mixed |= Q(batch__isnull=False) & ~Q(batch__study=F("form__study"))
    mixed |= Q(rater__isnull=False) & ~Q(rater__study=F("form__study"))
    yield from MIXED.breaches(Seat.objects.filter(mixed))


def find_wrong_reservations() -> Iterator[Breach]:
    """Yield slots reserved for a rater who has no open page for them."""
    reserved = Seat.objects.filter(state=SeatState.RESERVED)
    opened = Assignment.objects.filter(
        seat=OuterRef("pk"), rater=OuterRef("rater"), purpose=Purpose.MAIN, submitted_at=None
    )
    excluded = Exclusion.objects.filter(rater=OuterRef("rater"), lift__isnull=True)
    gone = Q(rater__state=RaterState.WITHDRAWN) | Exists(excluded)
    yield from RESERVED_FOR_FORMER_RATER.breaches(reserved.filter(gone))
    yield from RESERVED_WITHOUT_PAGE.breaches(reserved.exclude(gone).exclude(Exists(opened)))


def find_missing_seats() -> Iterator[Breach]:
    """Yield items of opened studies without the slots of their form, or with slots in wrong batches."""
    # Published ratings and checks have no slots.
    opened = Study.objects.filter(opened_at__isnull=False, source="")
    forms = Form.objects.filter(study__in=opened, fed_by=None, pairing=None)
    of_first_stages = Seat.objects.filter(form__in=forms)
    pages = of_first_stages.order_by().values("form", "item")
    numbered = pages.annotate(n=Count("pk"), low=Min("slot"), high=Max("slot"))
    asked = Item.objects.filter(study__in=opened, retired_at=None)
    wrong = numbered.filter(Q(n__lt=F("form__overlap")) | ~Q(low=1) | ~Q(high=F("n")))
    items = asked.annotate(
        have=Count("seats__form", distinct=True, filter=Q(seats__form__in=forms)),
        wanted=Count("study__forms", distinct=True, filter=Q(study__forms__in=forms)),
    )
    without = items.filter(have__lt=F("wanted")).order_by().values("pk")
    yield from TOO_FEW.breaches(asked.filter(Q(pk__in=wrong.values("item")) | Q(pk__in=without)))
    batched = of_first_stages.filter(form__study__design__in=[DesignKind.BATCHES, DesignKind.ALL])
    yield from NO_BATCH.breaches(batched.filter(batch=None))
    split = (
        batched.order_by().values("form", "item").annotate(n=Count("batch", distinct=True)).filter(n__gt=1)
    )
    yield from TWO_BATCHES.breaches(Item.objects.filter(pk__in=split.values("item")))


def _never_excluded(answered: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Assignments that were never excluded; slots of lifted exclusions may belong to other raters."""
    of_raters = Exclusion.objects.filter(rater=OuterRef("rater"))
    of_answers = Exclusion.objects.filter(response__assignment=OuterRef("pk"))
    return answered.exclude(Exists(of_raters)).exclude(Exists(of_answers))
