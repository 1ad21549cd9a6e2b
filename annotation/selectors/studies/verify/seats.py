"""Rating slots: as many for each item as were asked for, each of one rater with one page or answer."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet

from annotation.domain.base.states import DesignKind, Purpose, RaterState, SeatState
from annotation.models import Assignment, Exclusion, Form, Item, Response, Seat, Study
from annotation.selectors.studies.verify.breach import BY_HAND, Breach, Rule

FREE_IT = "Free it, so that another rater gets it: state 'free', rater_id and until NULL."
FILLED_BY_NOBODY = Rule(
    "seat_without_answer",
    "The slot is filled, and no answer of its rater to this item and form is in time.",
    FREE_IT,
)
FILLED_TWICE = Rule(
    "seat_filled_twice",
    "Answers of several raters, of which none was ever excluded, count as filling this slot.",
    "Give the others free slots of the item (state 'filled', rater_id; seat_id of the assignment), or set "
    "late of their responses to true.",
)
UNSEATED = Rule(
    "answer_without_seat",
    "Its answer came in time and was never excluded, and its rater fills no slot of the item.",
    "Give it a free slot of the item (state 'filled', rater_id; seat_id of the assignment), or set late of "
    "its responses to true.",
)
ELSEWHERE = Rule(
    "seat_elsewhere",
    "Its slot is of another item or form.",
    "Set its seat_id to NULL, or to a slot of its item and form.",
)
NOT_FOR_A_RATING = Rule(
    "seat_for_another_purpose",
    "It is a check, a calibration or a trial, which fill no slot, and it names one.",
    "Set its seat_id to NULL.",
)
HELD_BY_NOBODY = Rule(
    "reservation_without_page", "The slot is reserved, and its rater has no open page for it.", FREE_IT
)
HELD_FOR_NOBODY = Rule(
    "reservation_of_nobody", "The slot is reserved for a rater who was excluded or has withdrawn.", FREE_IT
)
STILL_RUNNING_OUT = Rule(
    "filled_seat_runs_out", "The slot is filled, and it says until when it is reserved.", "Set until to NULL."
)
MIXED = Rule(
    "seat_studies_mixed",
    "The item, the form, the batch and the rater of the slot are not of one study.",
    BY_HAND,
)
TOO_FEW = Rule(
    "seats_missing",
    "Of this item a form has fewer slots than it wants raters, or their numbers are not 1, 2, 3 and so on.",
    "Pause the study and open it again: missing slots are made. Number others by SQL.",
)
NO_BATCH = Rule(
    "seat_without_batch",
    "The study hands out batches, and the slot is in none: nobody is given it.",
    "Set its batch_id to that of the other slots of its item and form.",
)
TWO_BATCHES = Rule(
    "seats_in_two_batches",
    "Slots of one form about this item are in different batches.",
    "Set their batch_id to that of slot 1.",
)


def find_wrong_seats() -> Iterator[Breach]:
    """Yield slots and answers that do not belong together one to one."""
    responses = Response.objects.filter(assignment=OuterRef("pk"), late=False)
    in_time = Assignment.objects.filter(Exists(responses), purpose=Purpose.MAIN)
    answered = in_time.filter(seat=OuterRef("pk"), rater=OuterRef("rater"))
    filled = Seat.objects.filter(state=SeatState.FILLED)
    yield from FILLED_BY_NOBODY.breaches(filled.exclude(Exists(answered)))
    never_excluded = _never_excluded(in_time)
    shared = never_excluded.filter(seat__state=SeatState.FILLED).order_by().values("seat")
    shared = shared.annotate(n=Count("rater", distinct=True)).filter(n__gt=1)
    yield from FILLED_TWICE.breaches(filled.filter(pk__in=shared.values("seat")))
    own = filled.filter(form=OuterRef("form"), item=OuterRef("item"), rater=OuterRef("rater"))
    # Imported answers fill as many slots as there are; a slot that two share is named above.
    unseated = never_excluded.filter(Q(seat__isnull=False) | Q(rater__consented_at__isnull=False))
    unseated = unseated.exclude(Exists(own)).exclude(seat__in=shared.values("seat"))
    yield from UNSEATED.breaches(unseated)
    yield from STILL_RUNNING_OUT.breaches(filled.filter(until__isnull=False))


def find_misplaced_seats() -> Iterator[Breach]:
    """Yield slots whose parts, or the pages that name them, are of different items, forms or studies."""
    elsewhere = ~Q(seat__item=F("item")) | ~Q(seat__form=F("form"))
    named = Assignment.objects.filter(seat__isnull=False)
    yield from ELSEWHERE.breaches(named.filter(elsewhere))
    yield from NOT_FOR_A_RATING.breaches(named.exclude(purpose=Purpose.MAIN))
    mixed = ~Q(item__study=F("form__study"))
    mixed |= Q(batch__isnull=False) & ~Q(batch__study=F("form__study"))
    mixed |= Q(rater__isnull=False) & ~Q(rater__study=F("form__study"))
    yield from MIXED.breaches(Seat.objects.filter(mixed))


def find_wrong_reservations() -> Iterator[Breach]:
    """Yield slots that are reserved for a rater who is not at work on them."""
    reserved = Seat.objects.filter(state=SeatState.RESERVED)
    opened = Assignment.objects.filter(
        seat=OuterRef("pk"), rater=OuterRef("rater"), purpose=Purpose.MAIN, submitted_at=None
    )
    excluded = Exclusion.objects.filter(rater=OuterRef("rater"), lift__isnull=True)
    gone = Q(rater__state=RaterState.WITHDRAWN) | Exists(excluded)
    yield from HELD_FOR_NOBODY.breaches(reserved.filter(gone))
    yield from HELD_BY_NOBODY.breaches(reserved.exclude(gone).exclude(Exists(opened)))


def find_missing_seats() -> Iterator[Breach]:
    """Yield items of opened studies that have not the slots of their form, or not in its batches."""
    # Published ratings are stored as they are, without slots; of a check no form has any.
    opened = Study.objects.filter(opened_at__isnull=False, source="")
    forms = Form.objects.filter(study__in=opened, fed_by=None)
    of_first_stages = Seat.objects.filter(form__in=forms)
    pages = of_first_stages.order_by().values("form", "item")
    numbered = pages.annotate(n=Count("pk"), low=Min("slot"), high=Max("slot"))
    wrong = numbered.filter(Q(n__lt=F("form__overlap")) | ~Q(low=1) | ~Q(high=F("n")))
    items = Item.objects.filter(study__in=opened).annotate(
        have=Count("seats__form", distinct=True, filter=Q(seats__form__in=forms)),
        wanted=Count("study__forms", distinct=True, filter=Q(study__forms__in=forms)),
    )
    without = items.filter(have__lt=F("wanted")).order_by().values("pk")
    yield from TOO_FEW.breaches(Item.objects.filter(Q(pk__in=wrong.values("item")) | Q(pk__in=without)))
    batched = of_first_stages.filter(form__study__design__in=[DesignKind.BATCHES, DesignKind.ALL])
    yield from NO_BATCH.breaches(batched.filter(batch=None))
    split = (
        batched.order_by().values("form", "item").annotate(n=Count("batch", distinct=True)).filter(n__gt=1)
    )
    yield from TWO_BATCHES.breaches(Item.objects.filter(pk__in=split.values("item")))


def _never_excluded(answered: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Without those of which an exclusion was lifted, too: their slots may be other raters' since."""
    of_raters = Exclusion.objects.filter(rater=OuterRef("rater"))
    of_answers = Exclusion.objects.filter(response__assignment=OuterRef("pk"))
    return answered.exclude(Exists(of_raters)).exclude(Exists(of_answers))
