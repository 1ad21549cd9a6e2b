"""An answer that was taken out does not come back by being corrected."""

from __future__ import annotations

import uuid

import pytest

from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Exclusion, Rater, Response
from annotation.selectors.questions.counting import PROGRESS, counted
from annotation.selectors.questions.long_table import ratings_frame
from annotation.services.quality.exclusion_rules import apply_rule, declare_rule, lift_rule
from annotation.services.quality.exclusions import exclude_response, lift_exclusion
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from scoring.selectors.data.answers import active_exclusions, study_answers
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=1)


def answered(page: Assignment, value: int) -> Response:
    sent = Submission(page_key=uuid.uuid4(), answers={"quality": str(value), "creativity": str(value)})
    return submit(assignment=page, version=page.version, submission=sent).response


def first_page(cast: Cast) -> tuple[Rater, Assignment, Response]:
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    return rater, page, answered(page, 1)


def n_counting(cast: Cast) -> tuple[int, int, int]:
    """Answers that count for the overview, the reports and the workbench."""
    frame, found = ratings_frame(cast.study), study_answers(cast.study)
    out = active_exclusions(cast.study, found).out(found.answers)
    return (
        counted(cast.study, PROGRESS).count(),
        frame.loc[~frame["excluded"], "response"].nunique(),
        int((~out).sum()),
    )


def test_a_correction_of_an_excluded_answer_stays_out_until_it_is_let_back(cast: Cast) -> None:
    _, page, first = first_page(cast)
    exclude_response(response=first, reason="Clicked through.", actor=cast.users["admin"])
    second = answered(page, 5)
    assert second.revision == 2
    assert n_counting(cast) == (0, 0, 0)
    exclusion = Exclusion.objects.get(response=second)
    assert (exclusion.reason, exclusion.author) == ("Clicked through.", cast.users["admin"])
    lift_exclusion(exclusion=exclusion, reason="Read again.", actor=cast.users["admin"])
    assert n_counting(cast) == (1, 1, 1)


def test_a_correction_of_an_answer_that_was_let_back_counts(cast: Cast) -> None:
    _, page, first = first_page(cast)
    made = exclude_response(response=first, reason="Clicked through.", actor=cast.users["admin"])
    lift_exclusion(exclusion=made, reason="A slip.", actor=cast.users["admin"])
    answered(page, 5)
    assert n_counting(cast) == (1, 1, 1)


def test_lifting_a_rule_lets_the_corrections_of_what_it_caught_count(cast: Cast) -> None:
    _, page, first = first_page(cast)
    picked = [{"kind": "hand_picked", "responses": [first.pk]}]
    rule = declare_rule(
        study=cast.study, name="Fast", conditions=picked, reason="?", criteria=[], actor=cast.users["admin"]
    )
    apply_rule(rule=rule, items=[], raters=[], responses=[first.pk], actor=cast.users["admin"])
    answered(page, 5)
    assert n_counting(cast) == (0, 0, 0)
    assert lift_rule(rule=rule, reason="A slip.", actor=cast.users["admin"]) == 2
    assert n_counting(cast) == (1, 1, 1)
