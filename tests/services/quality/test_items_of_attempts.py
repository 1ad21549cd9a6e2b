"""A further attempt at calibration has other items as long as there are some."""

from __future__ import annotations

import pytest

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import Purpose, StudyState
from annotation.domain.quality.calibration import RuleKind
from annotation.models import Rater
from annotation.selectors.quality.calibration_tables import compare_attempts
from annotation.selectors.quality.qualification import attempt_items, attempts_without_repeats
from annotation.services.quality.qualification_progress import start_attempt
from annotation.services.quality.qualification_setup import add_calibration_item, set_qualification
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast
from tests.support.studies.qualification_study import answer, qualify

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=2, opened=False)


def shown(rater: Rater, values: tuple[int, ...]) -> list[str]:
    """The texts of the items of an attempt, each answered with one of the values."""
    return [answer(rater, value).assignment.item.fields["simile"][-2] for value in values]


def test_a_further_attempt_has_other_items_as_long_as_there_are_some_and_says_what_it_repeats(cast):
    made = qualify(cast, attempts=None, items_per_attempt=3, share=1, tolerance=0)
    assert attempts_without_repeats(made) == 1
    rater = consent(invitation=cast.invitation)
    assert shown(rater, (2, 2, 2)) == ["5", "1", "3"]
    assert attempt_items(rater, 2).repeated == 2
    start_attempt(rater=rater)
    assert shown(rater, (2, 2, 2)) == ["5", "1", "4"]
    start_attempt(rater=rater)
    assert shown(rater, (5, 1, 3)) == ["5", "1", "3"]
    found = rater.attempts.order_by("number")
    assert [(one.passed, one.detail["n"], one.detail["repeated"]) for one in found] == [
        (False, 3, 0),
        (False, 3, 2),
        (True, 3, 3),
    ]
    assert {row.calibration.item.fields["simile"][-2] for row in compare_attempts(made, [found[1]])} == set(
        "514"
    )
    assert next_assignment(rater=rater).purpose == Purpose.MAIN


def test_a_rank_correlation_must_exist_in_every_attempt(cast):
    qualify(cast, RuleKind.RANK, least=0.5, items_per_attempt=2, opened=False)
    with pytest.raises(NotAllowedNow, match="In each attempt"):
        change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    with pytest.raises(InvalidContent) as refused:
        set_qualification(
            study=cast.study, actor=cast.users["owner"], kind=RuleKind.HAND, items_per_attempt=0
        )
    assert refused.value.fields.keys() == {"items_per_attempt"}


def test_a_calibration_item_needs_no_text_that_items_may_lack(cast):
    made = qualify(cast, opened=False)
    form = cast.study.forms.get()
    version = form.versions.latest("number")
    version.blocks = [
        *version.blocks,
        {"field": "before", "label": "Before", "role": "literal", "optional": True},
    ]
    version.save()
    added = add_calibration_item(
        qualification=made,
        actor=cast.users["owner"],
        form=form,
        texts={"simile": "A lamp.", "before": " "},
        reference={"quality": 3},
    )
    assert added.item.fields == {"simile": "A lamp."}
