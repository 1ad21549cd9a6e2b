"""The page of attention checks says how raters did on each, with and without excluded raters."""

from __future__ import annotations

import re
import uuid

import pytest
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.answers import Submission
from annotation.models import CheckVerdict, Rater, Study
from annotation.services.quality.checks import create_check
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from annotation.views.quality import checks
from tests.support.people import Cast, make_cast
from tests.views.quality.reviewing import client

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Two raters who answer two checks: the first passes one of them, the second none."""
    cast = make_cast(items=12, overlap=2, opened=False)
    for key, value in (("easy", 3), ("hard", 5)):
        create_check(
            study=cast.study,
            actor=cast.users["owner"],
            key=key,
            kind=CheckKind.INSTRUCTED,
            settings={"told": {"quality": value}},
            form=cast.study.forms.get(),
            texts={"simile": f"Choose {value} for quality."},
        )
    Study.objects.filter(pk=cast.study.pk).update(check_every=4)
    change_state(study=Study.objects.get(pk=cast.study.pk), to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def answer_everything(cast: Cast, value: int) -> Rater:
    """A rater who gives one value on every page, checks included."""
    rater = consent(invitation=cast.invitation)
    answers = {"quality": str(value), "creativity": str(value)}
    for _ in range(14):
        page = next_assignment(rater=rater)
        given = Submission(page_key=uuid.uuid4(), answers=answers)
        submit(assignment=page, version=page.version, submission=given)
    return rater


def words_of(cast: Cast) -> str:
    page = client(cast, "admin").get(reverse("study-checks", args=[cast.slug])).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split())


def test_each_check_and_each_rater_has_its_results_with_and_without_the_excluded(cast: Cast) -> None:
    answer_everything(cast, 3)
    careless = answer_everything(cast, 1)
    assert "1 of 4 answered checks passed." in words_of(cast)
    assert "Without excluded raters" not in words_of(cast)
    exclude_rater(rater=careless, reason="Failed both checks.", actor=cast.users["owner"])
    words = words_of(cast)
    assert "1 of 4 answered checks passed. Without excluded raters: 1 of 2." in words
    # After the condition: the pages, how many raters saw the check, how many passed it, and chance.
    assert re.search(r"follows the instruction: Quality 3 \d+(–\d+)? 2 of 2 1 of 2 20%", words)
    assert re.search(r"follows the instruction: Quality 5 \d+(–\d+)? 2 of 2 0 of 2 20%", words)
    results = words.partition("Results by rater")[2]
    assert f"{careless.code} excluded failed failed 2 of 2" in results
    assert "passed failed 1 of 2" in results


def test_a_rater_who_has_not_come_to_a_check_has_not_reached_it(cast: Cast) -> None:
    rater = consent(invitation=cast.invitation)
    answers = {"quality": "3", "creativity": "3"}
    while not CheckVerdict.objects.exists():
        page = next_assignment(rater=rater)
        given = Submission(page_key=uuid.uuid4(), answers=answers)
        submit(assignment=page, version=page.version, submission=given)
    words = words_of(cast)
    assert re.search(r"Results by rater .* (passed|failed) not reached|not reached (passed|failed) ", words)
    assert re.search(rf"Quality [35] {page.position} 1 of 1 ", words)


def test_the_notes_say_from_how_many_passed_checks_a_rater_is_not_flagged(cast: Cast) -> None:
    answer_everything(cast, 3)
    # Random answers pass one of two checks of 20% in 36% of cases, both in 4%.
    assert "A rater who answers all 2 checks is flagged with fewer than 2 passed" in words_of(cast)


def test_many_checks_have_no_columns_of_their_own(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MOST_COLUMNS", 1)
    rater = answer_everything(cast, 3)
    assert f"{rater.code} 1 of 2 hard" in words_of(cast)


def test_a_check_without_answers_has_no_share(cast: Cast) -> None:
    words = words_of(cast)
    assert words.count("not answered yet –") == 2
    assert "Results by rater" not in words
    assert "answered checks passed" not in words
