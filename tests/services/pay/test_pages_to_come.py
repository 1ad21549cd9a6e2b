"""What is still to be paid counts each check once per rater; the budget reckons with any number of raters."""

from __future__ import annotations

import pytest

from annotation.domain.base.states import DesignKind, RaterState, StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.models import Rater, Study
from annotation.selectors.pay.pages_to_come import PagesToCome, pages_to_come
from annotation.services.quality.checks import create_check
from annotation.services.rating.enrolment import consent
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import worked

pytestmark = pytest.mark.django_db


def with_check(*, items: int, **settings: object) -> Cast:
    """Three ratings an item, one check, no rater at work."""
    cast = make_cast(items=items, overlap=3, opened=False)
    create_check(
        study=cast.study,
        actor=cast.users["owner"],
        key="again",
        kind=CheckKind.REPEAT,
        settings={"criteria": ["quality"], "tolerance": 1},
        form=cast.study.forms.get(),
    )
    Study.objects.filter(pk=cast.study.pk).update(**settings)
    return cast


def opened(cast: Cast) -> Cast:
    study = Study.objects.get(pk=cast.study.pk)
    change_state(study=study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def to_come(cast: Cast) -> PagesToCome | None:
    return pages_to_come(Study.objects.get(pk=cast.study.pk))


def test_three_raters_meet_the_only_check_three_times_before_and_after_opening():
    cast = with_check(items=12, check_every=3)
    assert to_come(cast) == PagesToCome(expected=36 + 3, most=36 + 12)
    assert to_come(opened(cast)) == PagesToCome(expected=36 + 3, most=36 + 12)


def test_more_raters_than_planned_meet_more_checks():
    cast = opened(with_check(items=12, check_every=3))
    for _ in range(6):
        consent(invitation=cast.invitation)
    assert to_come(cast) == PagesToCome(expected=36 + 6, most=36 + 12)


def test_checks_to_come_shrink_with_the_slots_that_are_open():
    cast = opened(with_check(items=12, check_every=3))
    rater = worked(cast, *[30] * 2)
    assert to_come(cast) == PagesToCome(expected=34 + 3, most=34 + 11)
    Rater.objects.filter(pk=rater.pk).update(state=RaterState.FINISHED)
    change_state(study=Study.objects.get(), to=StudyState.CLOSED, actor=cast.users["owner"])
    assert to_come(cast) == PagesToCome(0, 0)


def test_every_open_batch_has_one_check():
    """13 items in batches of at most six are three batches, each for three raters."""
    cast = with_check(items=13, design=DesignKind.BATCHES.value, batch_size=6)
    assert to_come(cast) == PagesToCome(expected=39 + 9, most=39 + 9)
    assert to_come(opened(cast)) == PagesToCome(expected=39 + 9, most=39 + 9)


def test_nothing_is_expected_of_a_design_that_is_not_possible():
    cast = with_check(items=4, design=DesignKind.BATCHES.value, batch_size=None)
    assert to_come(cast) is None
