"""Adaptive pairs get slots round by round, each once, as what is stored says."""

from __future__ import annotations

from itertools import combinations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, ItemsReserved, NoSeatLeft, NotAllowedNow
from annotation.domain.base.states import DesignKind, RaterState, SeatState, StudyState
from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.domain.seats.pairing import MOST_ROUNDS, Stop
from annotation.models import Item, PairRound, Rater, Seat, Study
from annotation.protocols.template import PairingTemplate
from annotation.selectors.seats.pairing.counts import known_counts, pair_counts
from annotation.selectors.studies.progress import totals
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.quality.exclusions import exclude_rater, lift_exclusion
from annotation.services.quality.replacements import collect_replacement
from annotation.services.rating.erasure import erase_rater
from annotation.services.rating.next_item import next_assignment, target_for
from annotation.services.rating.simulation import simulate
from annotation.services.seats.more_ratings import raise_overlap
from annotation.services.seats.pair_rounds import limits_of
from annotation.services.seats.pairing_setup import set_pairing
from annotation.services.seats.retirement import retire_items
from annotation.services.seats.slot_release import release_slots
from annotation.services.studies.added_items import give_slots
from annotation.services.studies.lifecycle import change_state
from scoring.stats.choices.adaptive_pairs import PairCount, next_round
from tests.support.studies.pairs.adaptive_study import (
    QUESTION,
    adaptive_cast,
    form_of,
    prefer,
    prefer_until_nothing_is_left,
    rounds,
    slots_by_item,
)
from tests.support.studies.staged_study import answer, rater_of

pytestmark = pytest.mark.django_db


def test_a_study_opens_with_the_pairs_that_connect_its_candidates() -> None:
    study = adaptive_cast().study
    (first,) = rounds(study)
    assert (first.number, first.stopped, len(first.items)) == (1, "", 4)
    assert slots_by_item(study) == {item: [1] for item in first.items}
    assert target_for(study=study) == 6


def test_the_answer_after_which_no_one_finds_a_slot_adds_a_round() -> None:
    study = adaptive_cast().study
    rater = rater_of(study, "A")
    pages = [next_assignment(rater=rater_of(study, f"B{n}")) for n in range(3)]
    page = next_assignment(rater=rater)
    # All four slots of the first round are reserved: the first answer asks for more.
    prefer(page)
    _, second = rounds(study)
    assert (second.number, len(second.items)) == (2, 3)
    assert sum(map(len, slots_by_item(study).values())) == 7
    for one in pages:
        prefer(one)
    assert len(rounds(study)) == 2


def test_retiring_the_items_of_the_last_open_slots_adds_a_round() -> None:
    cast = adaptive_cast()
    prefer(next_assignment(rater=rater_of(cast.study, "A")))
    left = cast.study.items.filter(seats__state=SeatState.FREE)
    retire_items(study=cast.study, items=left, reason="", actor=cast.users["owner"])
    assert len(rounds(cast.study)) == 2
    assert next_assignment(rater=rater_of(cast.study, "B")).item.retired_at is None


def test_lifting_an_exclusion_whose_answer_fills_the_last_free_slot_adds_a_round() -> None:
    cast = adaptive_cast()
    study, owner = cast.study, cast.users["owner"]
    replaced = next_assignment(rater=rater_of(study, "A"))
    prefer(replaced)
    exclusion = exclude_rater(rater=replaced.rater, reason="careless", actor=owner)
    collect_replacement(exclusion=exclusion, actor=owner)
    pages = [next_assignment(rater=rater_of(study, code)) for code in "BCDE"]
    (holder,) = [one.rater.code for one in pages if one.item == replaced.item]
    release_slots(study=study, codes=[holder], actor=owner)
    for one in pages:
        if one.rater.code != holder:
            prefer(one)
    assert len(rounds(study)) == 1
    lift_exclusion(exclusion=exclusion, reason="explained", actor=owner)
    assert len(rounds(study)) == 2


def test_who_asks_when_all_slots_are_filled_adds_a_round_and_who_asks_while_others_rate_does_not() -> None:
    study = adaptive_cast().study
    pages = [next_assignment(rater=rater_of(study, code)) for code in "ABCD"]
    late = rater_of(study, "E")
    with pytest.raises(ItemsReserved):
        next_assignment(rater=late)
    assert len(rounds(study)) == 1
    assert pages[0].seat is not None
    Seat.objects.exclude(pk=pages[0].seat.pk).delete()
    Seat.objects.update(state=SeatState.FILLED, until=None)
    assert next_assignment(rater=late).item.key in rounds(study)[1].items


def test_erasing_a_rater_empties_the_counts_from_which_single_answers_can_be_recovered() -> None:
    cast = adaptive_cast()
    rater = rater_of(cast.study, "A")
    prefer_until_nothing_is_left(rater)
    before = rounds(cast.study)
    assert len(before) > 1
    assert before[1].counts
    assert before[1].strengths
    erase_rater(rater=rater, actor=cast.users["owner"])
    after = rounds(cast.study)
    assert all((one.counts, one.strengths) == ([], {}) for one in after)
    assert [(one.items, one.slots) for one in after] == [(one.items, one.slots) for one in before]


def stored_again(study: Study, stored: PairRound) -> tuple[list[str], str]:
    """A round computed again from nothing but what it and those before it store."""
    pairing = stored.pairing
    limits = limits_of(pairing)
    so_far = pairing.rounds.filter(number__lte=stored.number).order_by("number")
    counts = [PairCount(*one) for one in known_counts(so_far).values()]
    again = next_round(counts, limits, seed=stored.seed, number=stored.number)
    return list(again.items), again.stopped


def test_it_ends_with_the_budget_and_every_round_can_be_computed_again() -> None:
    study = adaptive_cast(budget=20, per_round=3).study
    for code in "ABCDEFGH":
        prefer_until_nothing_is_left(rater_of(study, code))
    found = rounds(study)
    assert found[-1].stopped == Stop.BUDGET
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    assert Seat.objects.filter(form__study=study).count() == 20 == sum(len(one.items) for one in found)
    assert [stored_again(study, one) for one in found[1:]] == [(one.items, one.stopped) for one in found[1:]]
    for item, slots in slots_by_item(study).items():
        assert slots == list(range(1, len(slots) + 1)), item
    with pytest.raises(NoSeatLeft, match="no more items"):
        next_assignment(rater=rater_of(study, "Z"))


def test_it_ends_when_the_order_is_known_and_raters_are_finished() -> None:
    study = adaptive_cast(candidates=2, budget=60, per_round=1, per_item=60).study
    raters = [rater_of(study, f"R{number:02d}") for number in range(20)]
    for rater in raters:
        prefer_until_nothing_is_left(rater, spread=9.0)
    assert rounds(study)[-1].stopped == Stop.ORDER_KNOWN
    used = Seat.objects.filter(form__study=study).count()
    assert 2 < used < 20
    raters[0].refresh_from_db()
    assert raters[0].state == RaterState.FINISHED


def test_a_rater_who_has_had_every_open_pair_hears_that_more_may_follow() -> None:
    study = adaptive_cast(candidates=5, budget=90, per_item=10).study
    rater = rater_of(study, "A")
    assert 5 <= prefer_until_nothing_is_left(rater) < 10
    with pytest.raises(NoSeatLeft, match="More may follow"):
        next_assignment(rater=rater)
    rater.refresh_from_db()
    assert rater.state == RaterState.ACTIVE


def test_an_answer_that_prefers_none_and_one_without_a_judgement_count_as_such() -> None:
    study = adaptive_cast(candidates=2, budget=5, per_round=1).study
    answer(next_assignment(rater=rater_of(study, "A")), {QUESTION: "b"})
    (_, second) = rounds(study)
    assert second.counts == [["c0-c1", "c0", "c1", 0, 1, 0, 1, 0, False]]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"design": DesignKind.ALL}, "pairing_impossible"),
        ({"budget": 2}, "budget_too_small"),
        ({"lonely": True}, "pairs_not_connected"),
    ],
)
def test_a_study_whose_pairs_cannot_begin_does_not_open(change: dict[str, object], code: str) -> None:
    cast = adaptive_cast(opened=False)
    if "design" in change:
        Study.objects.filter(pk=cast.study.pk).update(design=change["design"])
    if "budget" in change:
        form_of(cast.study).pairing.__class__.objects.update(budget=change["budget"])
    if "lonely" in change:
        Item.objects.filter(study=cast.study, key__contains="c0").delete()
        Item.objects.create(
            study=cast.study, key="x", fields={"a": "1", "b": "2"}, metadata={"a": "x", "b": "y"}
        )
    with pytest.raises((NotAllowedNow, InvalidContent)) as refused:
        change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert refused.value.code == code


def test_only_a_question_that_compares_two_texts_and_sensible_numbers_are_accepted() -> None:
    cast = adaptive_cast(opened=False)
    form = form_of(cast.study)
    for wanted, field in (
        (PairingTemplate("other", 20, 3), "criterion"),
        (PairingTemplate(QUESTION, 10**9, 3), "budget"),
        (PairingTemplate(QUESTION, 20, 10**5), "per_round"),
        (PairingTemplate(QUESTION, 1_000, 4), "per_round"),
    ):
        with pytest.raises(InvalidContent) as refused:
            set_pairing(form=form, pairing=wanted, actor=cast.users["owner"])
        assert set(refused.value.fields) == {field}
    set_pairing(form=form, pairing=None, actor=cast.users["owner"])
    assert not PairRound.objects.exists()


def test_a_form_with_adaptive_pairs_takes_no_fixed_number_of_further_ratings() -> None:
    cast = adaptive_cast()
    with pytest.raises(NotAllowedNow) as refused:
        raise_overlap(form=form_of(cast.study), items=cast.study.items.all(), to=9, actor=cast.users["owner"])
    assert refused.value.code == "pairs_adaptive"


def imported(study: Study, answers: dict[str, list[str]]) -> None:
    """Answers of raters of a file, by item."""
    form = form_of(study)
    version = form.versions.get()
    criterion = version.criteria.get(key=QUESTION)
    loaded = []
    for key, sides in answers.items():
        for number, side in enumerate(sides):
            rater, _ = Rater.objects.get_or_create(study=study, code=f"I{number}", state=RaterState.FINISHED)
            item = study.items.get(key=key)
            loaded.append(LoadedResponse(item=item, rater=rater, version=version, values={criterion: side}))
    store_responses(loaded=loaded)


def test_imported_answers_take_slots_and_count_as_comparisons_of_the_budget() -> None:
    cast = adaptive_cast(budget=9, opened=False)
    imported(cast.study, {"c0-c1": ["b", "b"], "c1-c2": ["b"], "c2-c3": ["b"]})
    study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    (first,) = rounds(study)
    assert first.items == ["c0-c3"]
    assert slots_by_item(study) == {"c0-c1": [1, 2], "c1-c2": [1], "c2-c3": [1], "c0-c3": [1]}
    assert Seat.objects.filter(state=SeatState.FILLED).count() == 4
    reached = totals(study)
    assert (reached.needed, reached.placed, reached.to_come) == (9, 4, 4)


def test_a_budget_that_imported_answers_use_up_does_not_open() -> None:
    cast = adaptive_cast(budget=4, opened=False)
    imported(cast.study, {"c0-c1": ["b", "b"], "c1-c2": ["b"], "c2-c3": ["b"]})
    with pytest.raises(NotAllowedNow, match="at least 5 comparisons: the 4 imported") as refused:
        change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert refused.value.code == "budget_too_small"


def test_progress_counts_what_the_budget_allows_until_the_pairs_have_stopped() -> None:
    study = adaptive_cast(budget=20).study
    reached = totals(study)
    assert (reached.needed, reached.placed, reached.to_come, reached.left) == (20, 0, 16, 20)
    study.items.update(retired_at=timezone.now())
    assert totals(study).to_come == 0
    study.items.update(retired_at=None)
    PairRound.objects.update(stopped=Stop.ORDER_KNOWN)
    assert totals(study).needed == 4


def test_new_items_of_an_open_study_keep_to_the_limits_and_connect_all_candidates() -> None:
    study = adaptive_cast().study

    def pair(one: str, other: str) -> NewItem:
        return NewItem(f"{one}+{other}", {"a": one, "b": other}, metadata={"a": one, "b": other})

    many = [pair("c0", f"n{number}") for number in range(57)]
    for rows, code in ((many, "too_many_pairs"), ([pair("x", "y")], "pairs_not_connected")):
        with pytest.raises(NotAllowedNow) as refused:
            add_items(study=study, rows=rows, give_slots=give_slots)
        assert refused.value.code == code
    assert add_items(study=study, rows=many[:56], give_slots=give_slots) == 56


def test_rounds_end_after_the_highest_number_of_them() -> None:
    study = adaptive_cast().study
    PairRound.objects.update(number=MOST_ROUNDS)
    prefer_until_nothing_is_left(rater_of(study, "A"))
    assert [(one.number, one.stopped) for one in rounds(study)][1:] == [(MOST_ROUNDS + 1, Stop.ROUND_LIMIT)]


def test_a_simulated_study_goes_on_to_its_end_within_the_budget() -> None:
    study = adaptive_cast(budget=14).study
    simulate(study=study, raters=6, mix={AnsweringPattern.CAREFUL: 1.0}, seed=3)
    last = rounds(study)[-1]
    assert last.stopped in {Stop.BUDGET, Stop.ORDER_KNOWN}
    assert not Seat.objects.filter(form__study=study).exclude(state=SeatState.FILLED).exists()
    assert totals(study).left == 0


def test_the_database_takes_no_round_twice_and_no_slot_twice() -> None:
    study = adaptive_cast().study
    (first,) = rounds(study)
    seat = Seat.objects.filter(form__study=study).first()
    assert seat is not None
    for row in (first, seat):
        row.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save(force_insert=True)


def test_counts_of_pairs_read_the_texts_only_where_they_name_a_candidate() -> None:
    study = adaptive_cast().study
    pairing = form_of(study).pairing
    with CaptureQueriesContext(connection) as named:
        counts = pair_counts(pairing)
    assert '"fields"' not in "".join(query["sql"] for query in named)
    assert {(one.first, one.second) for one in counts} == set(combinations(["c0", "c1", "c2", "c3"], 2))
    study.items.filter(key="c0-c1").update(metadata={"a": "c0"})
    unnamed = {one.item: (one.first, one.second) for one in pair_counts(pairing)}
    assert (unnamed["c0-c1"], unnamed["c0-c2"]) == (("c0", "text c1"), ("c0", "c2"))
