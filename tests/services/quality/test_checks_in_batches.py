"""The checks of a batch are made together with its items: neither numbers nor times distinguish them."""

from __future__ import annotations

import pytest

from annotation.domain.base.states import Purpose, SeatState, StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.models import Assignment, Rater, Seat, Study
from annotation.services.quality.checks import create_check
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.studies.lifecycle import change_state
from tests.services.rating.ahead_sitting import first_page, next_page, save, sit
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
DESIGNS = [
    {"design": "batches", "batch_size": 5},
    {"design": "all", "check_every": 4, "check_jitter": 1},
]


def opened(design: dict[str, object]) -> Cast:
    cast = make_cast(items=10, overlap=1, opened=False)
    for kind in (CheckKind.INSTRUCTED, CheckKind.REPEAT):
        instructed = kind is CheckKind.INSTRUCTED
        create_check(
            study=cast.study,
            actor=cast.users["owner"],
            key=kind.value,
            kind=kind,
            form=cast.study.forms.get(),
            settings={"told": {"quality": 4}} if instructed else {"criteria": ["quality"], "tolerance": 1},
            texts={"simile": "Choose 4 for quality."} if instructed else None,
        )
    Study.objects.filter(pk=cast.study.pk).update(**design)
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def sequence(rater: Rater) -> list[Assignment]:
    return list(rater.assignments.order_by("position").select_related("seat"))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("design", DESIGNS, ids=["batches", "all"])
def test_a_check_is_made_with_the_items_before_and_after_it(design, seed):
    rater = consent(invitation=opened({**design, "seed": seed}).invitation)
    known: list[int] = []
    while (page := next_page(rater)) is not None:
        pages = sequence(rater)
        if len(pages) > len(known):
            # A new batch: its numbers and times follow its order, and all is reserved until the same moment.
            new = pages[len(known) :]
            assert [one.pk for one in new] == list(range(new[0].pk, new[0].pk + len(new)))
            assert [one.created_at for one in new] == sorted(one.created_at for one in new)
            assert len({one.seat.until if one.seat else one.held_until for one in new}) == 1
            assert Purpose.CHECK in {one.purpose for one in new}
        known = [one.pk for one in pages]
        save(page, [])
    answered = rater.assignments.order_by("submitted_at").values_list("position", "purpose")
    assert [position for position, _ in answered] == list(range(1, 13))
    assert [purpose for _, purpose in answered].count(Purpose.CHECK) == 2


def test_a_repeated_item_has_three_others_between():
    rater = consent(invitation=opened(DESIGNS[0]).invitation)
    keys = [key for key, _, _ in sit(rater)]
    again = next(key for key in keys if keys.count(key) == 2)
    first, second = (place for place, key in enumerate(keys) if key == again)
    assert second - first > 3


@pytest.mark.parametrize("seed", range(5))
def test_the_check_of_a_batch_that_others_took_over_comes_in_the_next_one(seed):
    cast = opened({**DESIGNS[0], "seed": seed})
    rater, other = (consent(invitation=cast.invitation) for _ in range(2))
    first_page(rater)
    first_batch = len(sequence(rater))
    Seat.objects.filter(rater=rater, state=SeatState.RESERVED).update(rater=other)
    page = next_assignment(rater=rater)
    assert (page.purpose, page.position > first_batch) == (Purpose.MAIN, True)
    places = [position for _, _, position in sit(rater)]
    assert places == sorted(places)
    checks = rater.assignments.filter(purpose=Purpose.CHECK)
    assert checks.exists()
    assert not checks.filter(submitted_at=None).exists()
