"""An erased rater is in no stored report, nor in one that was being computed during the erasure."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.questions.answers import Submission
from annotation.models import Rater, Study
from annotation.services.base.jobs import Lease, claim
from annotation.services.quality.exclusion_rules import declare_rule
from annotation.services.rating.enrolment import consent
from annotation.services.rating.erasure import erase_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from scoring.models import FigureSet, RaterFigure, Report
from scoring.services.base.single_raters import without_raters
from scoring.services.raters.exclusion_preview import compute_preview, request_preview
from scoring.services.raters.item_figures import compute_figures, request_figures
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.people import Cast, make_cast
from tests.support.studies.marked_study import make_marked_study

pytestmark = pytest.mark.django_db


@dataclass
class Interrupted(Lease):
    """The lease of a worker that something comes in between, at a step of its work."""

    at: str = ""
    act: Callable[[], Any] = print

    def beat(self, done: int, total: int, step: str = "") -> None:
        super().beat(done, total, step)
        if step == self.at:
            self.at = ""
            self.act()


@pytest.fixture
def cast() -> Cast:
    """Six items that three raters have rated."""
    cast = make_cast(items=6, overlap=3)
    for place in range(3):
        rater = consent(invitation=cast.invitation)
        for number in range(6):
            page = next_assignment(rater=rater)
            answers = {"quality": str(1 + (number * 2 + place) % 5), "creativity": "3"}
            submit(
                assignment=page,
                version=page.version,
                submission=Submission(page_key=uuid.uuid4(), answers=answers),
            )
    return cast


def rater_of(cast: Cast) -> Rater:
    return cast.study.raters.filter(user=None).order_by("code")[1]


def lease_of(study: Study) -> Lease:
    lease = claim(job_id=request_report(study=study, actor=None, replicates=30, announce=False).pk)
    assert lease is not None
    return lease


def interrupted(lease: Lease | None, at: str, act: Callable[[], Any]) -> Interrupted:
    assert lease is not None
    return Interrupted(lease.job, lease.token, at=at, act=act)


def written(report: Report) -> str:
    report.refresh_from_db()
    return json.dumps([report.figures, report.tables, report.data, report.method])


def coefficients(report: Report) -> set[str]:
    return {row["coefficient"] for row in report.figures}


def test_a_stored_report_keeps_what_is_about_all_raters_and_nothing_about_a_single_one(cast):
    rater, report = rater_of(cast), compute_report(lease=lease_of(cast.study))
    assert written(report).count(rater.code) > 5
    before, counts = coefficients(report), report.tables["distributions"]["quality"]["counts"]
    erase_rater(rater=rater, actor=None)
    # Not even the others: what the total has beyond them would be the erased rater's.
    assert not [other for other in cast.study.raters.all() if other.code in written(report)]
    assert coefficients(report) == before
    assert report.tables["distributions"]["quality"]["counts"] == counts


def test_the_rater_goes_from_reports_also_where_withdrawing_erases(cast):
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal="erase")
    rater, report = rater_of(cast), compute_report(lease=lease_of(cast.study))
    withdraw(rater=Rater.objects.get(pk=rater.pk))
    assert rater.code not in written(report)


def test_pairs_of_annotators_who_marked_tuples_go_too():
    study = make_marked_study()
    report = compute_report(lease=lease_of(study))
    assert "R-002" in written(report)
    erase_rater(rater=study.raters.get(code="R-002"), actor=None)
    assert "R-002" not in written(report)


def test_a_report_that_was_being_computed_is_stored_without_the_rater(cast):
    rater = rater_of(cast)
    lease = interrupted(
        lease_of(cast.study), "Computing confidence intervals", lambda: erase_rater(rater=rater, actor=None)
    )
    report = compute_report(lease=lease)
    assert lease.at == ""
    assert rater.code not in written(report)
    assert report.figures


def test_a_job_of_figures_that_was_under_way_does_not_bring_the_rater_back(cast):
    rater = rater_of(cast)
    job = request_figures(study=cast.study, actor=None)
    lease = interrupted(
        claim(job_id=job.pk), "Storing the results", lambda: erase_rater(rater=rater, actor=None)
    )
    made = compute_figures(lease=lease)
    assert lease.at == ""
    assert made.ready
    assert RaterFigure.objects.filter(made=made).count() == cast.study.raters.count() - 1
    assert not RaterFigure.objects.filter(rater=rater).exists()


def test_figures_of_raters_are_stored_only_with_the_end_of_the_job(cast):
    """A worker that is killed on the way leaves none that an erasure would have to find."""

    def die() -> None:
        raise KeyboardInterrupt

    job = request_figures(study=cast.study, actor=None)
    with pytest.raises(KeyboardInterrupt):
        compute_figures(lease=interrupted(claim(job_id=job.pk), "Storing the results", die))
    assert FigureSet.objects.exists()
    assert not RaterFigure.objects.exists()


@pytest.mark.parametrize("meanwhile", [False, True])
def test_a_preview_lists_neither_the_rater_nor_the_answers(cast, meanwhile):
    rater = rater_of(cast)
    answers = set(rater.assignments.values_list("responses", flat=True))
    rule = declare_rule(
        study=cast.study,
        name="Everything",
        conditions=[
            {"kind": "hand_picked", "raters": [rater.code]},
            {"kind": "too_fast", "seconds": 9999},
        ],
        reason="None.",
        criteria=("quality", "creativity"),
        actor=cast.users["owner"],
    )
    job = request_preview(rule=rule, actor=None)

    def erase() -> None:
        erase_rater(rater=rater, actor=None)

    lease = interrupted(
        claim(job_id=job.pk), "Computing results before and after" if meanwhile else "", erase
    )
    report = compute_preview(lease=lease)
    if not meanwhile:
        assert rater.pk in report.tables["caught"]["raters"]
        erase()
    report.refresh_from_db()
    caught = report.tables["caught"]
    assert rater.pk not in caught["raters"]
    assert not answers & set(caught["responses"])


def test_the_page_of_a_report_says_why_it_has_no_statistics_of_single_raters(cast):
    client = Client()
    client.force_login(cast.users["owner"])
    compute_report(lease=lease_of(cast.study))
    address = reverse("study-reliability", args=[cast.slug])
    assert "no longer has statistics for single raters" not in client.get(address).content.decode()
    erase_rater(rater=rater_of(cast), actor=None)
    assert "no longer has statistics for single raters" in client.get(address).content.decode()


def test_a_report_that_lost_them_is_not_taken_for_one_of_the_same_ratings(cast):
    """As where an erased rater's answers come back with an older backup."""
    rater = rater_of(cast)
    first = compute_report(lease=lease_of(cast.study))
    figures, tables = without_raters(first.figures, first.tables, {rater.code})
    Report.objects.filter(pk=first.pk).update(tables=tables, figures=figures)
    assert rater.code in written(compute_report(lease=lease_of(cast.study)))
