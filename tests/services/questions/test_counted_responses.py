"""Trials and planted items are never among the ratings; late answers are, marked, and counted separately."""

from __future__ import annotations

import uuid

import pytest

from annotation.domain.base.states import Purpose, SeatState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Rater, Response, Seat
from annotation.selectors.pay.workload_preview import disputed_items
from annotation.selectors.quality.rater_profile import pages_of
from annotation.selectors.questions.long_table import long_ratings, ratings_frame
from annotation.selectors.studies.progress import coverage, totals
from annotation.services.base.jobs import claim
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.rating.enrolment import consent, trial_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=6, overlap=3)


def rate(rater: Rater, number: int, purpose: Purpose = Purpose.MAIN) -> None:
    """Answer so many items; planted ones get their purpose, and lose their seats, when all are answered."""
    pages = []
    for place in range(number):
        page = next_assignment(rater=rater)
        answers = {"quality": str(1 + place % 5), "creativity": str(5 - place % 5)}
        submit(
            assignment=page,
            version=page.version,
            submission=Submission(page_key=uuid.uuid4(), answers=answers),
        )
        pages.append(page.pk)
    if purpose is not Purpose.MAIN:
        Seat.objects.filter(assignments__in=pages).update(state=SeatState.FREE, rater=None, until=None)
        Assignment.objects.filter(pk__in=pages).update(purpose=purpose, seat=None)


@pytest.mark.parametrize("purpose", [Purpose.CHECK, Purpose.QUALIFICATION])
def test_trials_and_planted_items_enter_no_export_no_figure_and_no_count(cast, purpose):
    rate(consent(invitation=cast.invitation), 4)
    before = (list(long_ratings(cast.study)), ratings_frame(cast.study), totals(cast.study))
    rate(trial_rater(study=cast.study, user=cast.users["owner"]), 3)
    rate(consent(invitation=cast.invitation), 3, purpose)
    after = (list(long_ratings(cast.study)), ratings_frame(cast.study), totals(cast.study))
    assert len(before[0]) == 8
    assert after[0] == before[0]
    assert after[1].equals(before[1])
    assert after[2] == before[2]


def test_late_answers_are_exported_marked_and_stay_out_of_the_figures(cast):
    for _ in range(3):
        rate(consent(invitation=cast.invitation), 6)
    late = Response.objects.filter(assignment__rater__code="R-003")
    late.update(late=True)
    assert sum(row["late"] for row in long_ratings(cast.study)) == 12
    lease = claim(job_id=request_report(study=cast.study, actor=None, replicates=100, announce=False).pk)
    assert lease is not None
    report = compute_report(lease=lease)
    assert report.data["set_apart"]["late"] == late.count()
    assert report.data["n_raters"] == 2


def test_an_excluded_rater_counts_in_no_disagreement_no_cover_and_no_mean_of_the_others():
    cast = make_cast(items=6, overlap=2)
    bot, careful = (consent(invitation=cast.invitation) for _ in range(2))
    rate(bot, 6)
    rate(careful, 6)
    others = profile_pages(cast, careful)
    assert {item.n for item in disputed_items(cast.study, "quality")} == {2}
    exclude_rater(rater=bot, reason="a bot", actor=cast.users["owner"])
    assert {item.n for item in disputed_items(cast.study, "quality")} == {1}
    assert [(cover.responses, cover.items) for cover in coverage(cast.study)[0].covers] == [(1, 6)]
    assert (len(others), profile_pages(cast, careful)) == (6, [])
    assert len(profile_pages(cast, bot)) == 6


def profile_pages(cast: Cast, rater: Rater) -> list[dict[str, float]]:
    """The means of the others that a rater is held against, where there are any."""
    pages = pages_of(cast.study, [rater], ["quality"])[rater.pk]
    return [dict(page.others) for page in pages if page.others]
