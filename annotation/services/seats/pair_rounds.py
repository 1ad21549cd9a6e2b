"""Rounds of adaptive pairs: which items get a rating slot next.

It is decided in the act of the answer before; or in the act that took the last slots without an answer, or
when a rater then asks for a page.
"""

from __future__ import annotations

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from annotation.domain.base.states import TAKING_ANSWERS, SeatState
from annotation.domain.seats.pairing import MOST_ROUNDS
from annotation.models import AdaptivePairing, Exclusion, Item, PairRound, Rater, Seat, Study
from annotation.selectors.seats.pairing.counts import (
    as_stored,
    imported_answers,
    known_counts,
    pair_counts,
    pairing_of,
)
from annotation.selectors.seats.study_features import features_of
from annotation.services.base import audit
from annotation.services.seats.reservations import free_seats
from annotation.services.seats.seat_creation import new_seat, seat_imported
from scoring.stats.choices.adaptive_pairs import (
    PairCount,
    PairingLimits,
    Round,
    candidates,
    first_round,
    next_round,
)


def start_rounds(*, study: Study) -> None:
    """Create the first round of each form with adaptive pairs that has none; called in a transaction.

    Imported answers take the first slots of their items, so they count as comparisons of the budget.

    Parameters
    ----------
    study : Study
        A study that opens, locked by the caller.
    """
    for pairing in AdaptivePairing.objects.filter(form__study=study, rounds=None).select_related("form"):
        _seat_imported(study, pairing)
        counts = pair_counts(pairing)
        chosen = first_round(counts, limits_of(pairing), seed=study.seed)
        _store(study, pairing, counts, chosen, number=1)


def lock_pairing(rater: Rater, form_id: int) -> AdaptivePairing | None:
    """Lock the adaptive pairs of a form until the caller's transaction ends.

    The order is: the row of the rater, then this one, then slots. So no two answers find at the same time
    that the other one's slot is still open, and none waits in a circle.

    Parameters
    ----------
    rater : Rater
        From `locked_rater`.
    form_id : int
        The form that is answered.

    Returns
    -------
    AdaptivePairing or None
        None where the items of the form have a fixed number of slots.
    """
    pairing = pairing_of(rater.study, form_id)
    if pairing is None:
        return None
    return AdaptivePairing.objects.select_for_update(of=("self",)).select_related("form").get(pk=pairing.pk)


def add_round_if_due(*, study: Study, pairing: AdaptivePairing) -> PairRound | None:
    """Add the next round if no slot is free any more; or store why there is none.

    Slots that have run out stay for who comes, and no round waits for them: their raters may not come back,
    and all others may have rated their items.

    Parameters
    ----------
    study : Study
        Of the form.
    pairing : AdaptivePairing
        From `lock_pairing`.

    Returns
    -------
    PairRound or None
        The new round, without items if it is the end; None while slots are left, and after the end.
    """
    if free_seats(pairing.form).exists():
        return None
    last = pairing.rounds.defer("counts").order_by("-number").first()
    if last is None or last.stopped:
        return None
    counts, number = pair_counts(pairing), last.number + 1
    chosen = next_round(counts, limits_of(pairing), seed=study.seed, number=number)
    return _store(study, pairing, counts, chosen, number=number)


def add_due_rounds(*, study: Study) -> None:
    """Add the rounds that are due since slots have gone without an answer; called in a transaction.

    The pairs of a form that another transaction has locked are left out: its answer adds the round, or the
    rater who asks next. So the caller, which may hold slots, never waits.

    Parameters
    ----------
    study : Study
        In any state; nothing is added where no answers are taken.
    """
    if study.state not in TAKING_ANSWERS:
        return
    rows = AdaptivePairing.objects.filter(form__study=study).select_related("form").order_by("pk")
    for pairing in rows.select_for_update(of=("self",), skip_locked=True):
        add_round_if_due(study=study, pairing=pairing)


def add_unattended_rounds(*, study: Study) -> bool:
    """Add the rounds that are due where every slot is filled or has run out; whether there are free slots.

    A slot that is free, or reserved by a rater at work, brings about the next round when it is filled.

    Parameters
    ----------
    study : Study
        Whose rater asks for a page and was given none.
    """
    waiting = [one for one in features_of(study).pairings if not _may_be_filled(one)]
    if waiting:
        add_due_rounds(study=study)
    return any(free_seats(one.form).exists() for one in waiting)


def lock_raters_of(exclusions: QuerySet[Exclusion], study: Study) -> None:
    """Lock the raters whose answers fill slots again, before the pairs: answers lock in that order too.

    Parameters
    ----------
    exclusions, study
        That are lifted, of a study; without adaptive pairs no rater is locked.
    """
    adaptive = AdaptivePairing.objects.filter(form__study=study).values("form__study")
    whole, single = exclusions.values("rater"), exclusions.values("response__assignment__rater")
    rows = Rater.objects.filter(Q(pk__in=whole) | Q(pk__in=single), study__in=adaptive).order_by("pk")
    list(rows.select_for_update(of=("self",), no_key=True).values_list("pk"))


def lock_pairings(study: Study) -> None:
    """Lock all adaptive pairs of a study, after the row of a rater and before any slot.

    Parameters
    ----------
    study : Study
        Whose rounds must not be computed from answers that are being erased.
    """
    rows = AdaptivePairing.objects.filter(form__study=study).order_by("pk")
    list(rows.select_for_update(of=("self",)).values_list("pk"))


def _may_be_filled(pairing: AdaptivePairing) -> bool:
    """Whether a slot is free, or reserved and has not run out."""
    reserved = Q(state=SeatState.RESERVED, until__gte=timezone.now())
    return Seat.objects.filter(Q(state=SeatState.FREE) | reserved, form=pairing.form_id).exists()


def limits_of(pairing: AdaptivePairing) -> PairingLimits:
    """When the rounds end, and how long they are."""
    return PairingLimits(pairing.budget, pairing.per_round, pairing.form.overlap, MOST_ROUNDS)


def _seat_imported(study: Study, pairing: AdaptivePairing) -> None:
    answered = imported_answers(study, pairing)
    items = study.items.in_bulk(list(answered))
    Seat.objects.bulk_create(
        new_seat(study, pairing.form, items[item], slot)
        for item, n in answered.items()
        for slot in range(1, n + 1)
    )
    seat_imported(study, form=pairing.form)


def _store(
    study: Study, pairing: AdaptivePairing, counts: list[PairCount], chosen: Round, *, number: int
) -> PairRound:
    rows = Item.objects.filter(study=study, key__in=chosen.items).only("key")
    items = {item.key: item for item in rows}
    taken = Seat.objects.filter(form=pairing.form_id).order_by().values("item").annotate(most=Max("slot"))
    most = dict(taken.values_list("item", "most"))
    seats = [
        new_seat(study, pairing.form, items[key], most.get(items[key].pk, 0) + 1) for key in chosen.items
    ]
    Seat.objects.bulk_create(seats)
    n = len(candidates(counts))
    stored = PairRound.objects.create(
        pairing=pairing,
        number=number,
        seed=study.seed,
        counts=as_stored(counts, known_counts(pairing.rounds.only("counts").order_by("number"))),
        items=list(chosen.items),
        slots=[seat.slot for seat in seats],
        strengths={} if chosen.fit is None else _strengths(chosen),
        open_pairs=None if chosen.fit is None else len(chosen.fit.open_pairs),
        all_pairs=n * (n - 1) // 2,
        stopped=chosen.stopped,
    )
    if chosen.stopped:
        audit.record(
            study=study, actor=None, act="stop_pairs", form=pairing.form.key, reason=chosen.stopped, n=number
        )
    return stored


def _strengths(chosen: Round) -> dict[str, float]:
    fit = chosen.fit
    return {} if fit is None else dict(zip(fit.names, map(float, fit.strengths), strict=True))
