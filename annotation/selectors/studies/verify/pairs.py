"""Checks of adaptive pairs: rounds, the slots that they asked for, and the items that they compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from annotation.domain.base.states import SeatState
from annotation.models import AdaptivePairing, AuditEntry, PairRound, Seat
from annotation.selectors.seats.pairing.counts import known_counts
from annotation.selectors.studies.verify.breach import MANUALLY, Breach, Rule
from scoring.stats.choices.adaptive_pairs import PairCount

Place = tuple[str, int]

OUT_OF_ORDER = Rule(
    "pair_rounds_out_of_order",
    "Its study was opened, but its rounds are not numbered from 1 without a gap, or one follows the last.",
    MANUALLY,
)
UNEVEN = Rule(
    "pair_round_uneven",
    "The round has not one slot per item, ends without a reason or has items after the end, or its counts "
    "lack one of its items.",
    MANUALLY,
)
MISSING = Rule(
    "pair_seat_missing",
    "The round asked for a slot that does not exist, although its item was never retired.",
    "Create the slot: form_id, item_id and slot as the round names them, state 'free'.",
)
OF_NO_ROUND = Rule(
    "seat_of_no_round",
    "No round of adaptive pairs asked for the slot, and no imported answer filled it.",
    "Delete the slot if it is not filled, or restore the last backup for which `verify` finds nothing.",
)
TOO_MANY = Rule(
    "pairs_beyond_limits",
    "Its form has more slots than comparisons in all, or an item more than ratings per item.",
    "Delete slots that are not filled, those with the highest numbers first.",
)
RETIRED = Rule(
    "seat_of_retired_item",
    "Its item is retired, but the slot is not filled.",
    "Delete the slot; retire the item again if raters still get it.",
)


def find_wrong_rounds() -> Iterator[Breach]:
    """Yield rounds, forms and slots of adaptive pairs that do not fit together."""
    broken: dict[Rule, list[int]] = {
        rule: [] for rule in (OUT_OF_ORDER, UNEVEN, MISSING, TOO_MANY, OF_NO_ROUND)
    }
    opened = AdaptivePairing.objects.filter(form__study__opened_at__isnull=False)
    for pairing in opened.select_related("form").order_by("pk"):
        for rule, key in _wrong(pairing):
            broken[rule].append(key)
    models = {OUT_OF_ORDER: AdaptivePairing, TOO_MANY: AdaptivePairing, OF_NO_ROUND: Seat}
    for rule, keys in broken.items():
        yield from rule.of_keys(models.get(rule, PairRound), keys, total=len(keys))
    unfilled = Seat.objects.exclude(state=SeatState.FILLED)
    yield from RETIRED.breaches(unfilled.filter(item__retired_at__isnull=False))


def _wrong(pairing: AdaptivePairing) -> Iterator[tuple[Rule, int]]:
    rounds = list(pairing.rounds.order_by("number"))
    numbers = [one.number for one in rounds]
    if not rounds or numbers != list(range(1, len(rounds) + 1)) or any(one.stopped for one in rounds[:-1]):
        yield OUT_OF_ORDER, pairing.pk
    seats = {
        (key, slot): pk
        for pk, key, slot in Seat.objects.filter(form=pairing.form_id).values_list("pk", "item__key", "slot")
    }
    yield from ((UNEVEN, one.pk) for one in _uneven(rounds))
    yield from ((MISSING, one.pk) for one in _without_slots(pairing, rounds, seats.keys()))
    per_item = Counter(key for key, _ in seats)
    if len(seats) > pairing.budget or max(per_item.values(), default=0) > pairing.form.overlap:
        yield TOO_MANY, pairing.pk
    yield from ((OF_NO_ROUND, seats[place]) for place in sorted(_unasked(rounds, seats.keys())))


def _uneven(rounds: Sequence[PairRound]) -> Iterator[PairRound]:
    erased = any(not one.counts for one in rounds[:1])
    known = set() if erased else {row[0] for one in rounds for row in one.counts}
    for one in rounds:
        unknown = not erased and not known.issuperset(one.items)
        if len(one.items) != len(one.slots) or bool(one.items) == bool(one.stopped) or unknown:
            yield one


def _asked(one: PairRound) -> set[Place]:
    return set(zip(one.items, one.slots, strict=False))


def _without_slots(
    pairing: AdaptivePairing, rounds: Sequence[PairRound], there: Collection[Place]
) -> Iterator[PairRound]:
    """Slots of retired items are deleted, and not created again when their items are restored."""
    study = pairing.form.study_id
    retired = set(pairing.form.study.items.filter(retired_at__isnull=False).values_list("key", flat=True))
    if AuditEntry.objects.filter(study=study, act="restore_items").exists():
        return
    for one in rounds:
        if any(place not in there and place[0] not in retired for place in _asked(one)):
            yield one


def _unasked(rounds: Sequence[PairRound], there: Collection[Place]) -> set[Place]:
    """Slots of no round; not known where the first counts, which have imported answers, were erased."""
    if not rounds or not rounds[0].counts:
        return set()
    compared = known_counts(rounds)
    imported = {key: PairCount(*row).slots for key, row in known_counts(rounds[:1]).items()}
    asked = {place for one in rounds for place in _asked(one)}
    return {(key, slot) for key, slot in there if key in compared and slot > imported.get(key, 0)} - asked
