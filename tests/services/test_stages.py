"""Items come to the next stage when the answers of the one before say so."""

from __future__ import annotations

import pytest

from annotation.domain.stages import StageRule
from annotation.models import Seat
from tests.staged_study import (
    SECOND,
    first_stage,
    keys,
    next_stage_seats,
    rater_of,
    staged_cast,
)

pytestmark = pytest.mark.django_db


def test_the_next_stage_has_no_seats_when_the_study_opens() -> None:
    study = staged_cast().study
    assert Seat.objects.filter(form__study=study).exclude(form__key=SECOND).count() == 4 * 2
    assert next_stage_seats(study) == {}


def test_an_item_gets_its_seats_in_the_act_of_the_answer_that_decides() -> None:
    study = staged_cast(items=3).study
    said = [
        {"L00": "yes", "L01": "yes", "L02": "no"},
        {"L00": "yes", "L01": "no", "L02": "no"},
    ]
    first_stage(rater_of(study, "A"), said[0])
    assert next_stage_seats(study) == {}
    first_stage(rater_of(study, "B"), said[1])
    assert next_stage_seats(study) == {"L00": 3}


def test_with_any_the_first_yes_lets_the_item_through() -> None:
    study = staged_cast(items=2, rule=StageRule.ANY).study
    first_stage(rater_of(study, "A"), dict.fromkeys(keys(study), "yes"))
    assert next_stage_seats(study) == {"L00": 3, "L01": 3}
