"""A report is stale from the moment on that its data are no longer all the data."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import pytest
from django.urls import reverse

from annotation.domain.questions.answers import Submission
from annotation.models import Exclusion, ExclusionLift, Rater, Response, Study, User, Withdrawal
from annotation.services.base.jobs import Lease, claim
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from scoring.models import Report
from scoring.selectors.data.staleness import is_stale
from scoring.services.reports.reliability import compute_report, request_report

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(demo_of_the_module: int, db: None) -> Study:
    return Study.objects.get(pk=demo_of_the_module)


@pytest.fixture
def report(study: Study) -> Report:
    return compute_report(lease=claimed(study))


def claimed(study: Study) -> Lease:
    lease = claim(job_id=request_report(study=study, actor=None, replicates=20, announce=False).pk)
    assert lease is not None
    return lease


def correct_an_answer(study: Study) -> None:
    """A rater thinks better of one answer."""
    answer = Response.objects.filter(assignment__rater__study=study, cannot_rate="", current=True).last()
    assert answer is not None
    given = {rating.criterion.key: str(6 - (rating.value or 0)) for rating in answer.ratings.all()}
    page = Submission(page_key=uuid.uuid4(), answers=given)
    submit(assignment=answer.assignment, version=answer.version, submission=page)


@dataclass
class WhileComputing(Lease):
    """A lease during whose last heartbeats an answer comes in."""

    interrupted: bool = False

    def beat(self, done: int, total: int, step: str = "") -> None:
        if step == "Computing confidence intervals" and not self.interrupted:
            self.interrupted = True
            assert self.job.study is not None
            correct_an_answer(self.job.study)
        super().beat(done, total, step)


def test_a_new_report_is_not_stale(report):
    assert not is_stale(report.study, report)


def test_an_answer_makes_it_stale(report, client):
    correct_an_answer(report.study)
    assert is_stale(report.study, report)
    client.force_login(User.objects.get(email="researcher@example.org"))
    page = client.get(reverse("study-reliability", args=[report.study.slug])).content.decode()
    assert "These results are out of date." in page


def test_an_answer_that_came_in_during_the_computation_makes_it_stale(study):
    lease = claimed(study)
    during = WhileComputing(job=lease.job, token=lease.token)
    report = compute_report(lease=during)
    assert during.interrupted
    assert is_stale(study, report)


def test_an_exclusion_and_its_end_make_it_stale(report):
    study = report.study
    item = study.items.first()
    exclusion = Exclusion.objects.create(study=study, item=item, rule="by_hand", reason="a try")
    assert is_stale(study, report)
    again = compute_report(lease=claimed(study))
    assert not is_stale(study, again)
    ExclusionLift.objects.create(exclusion=exclusion, reason="a mistake")
    assert is_stale(study, again)


@pytest.mark.parametrize("policy", list(Withdrawal))
def test_a_withdrawal_makes_it_stale(report, policy):
    Study.objects.filter(pk=report.study_id).update(on_withdrawal=policy)
    rater = Rater.objects.filter(study=report.study, assignments__responses__isnull=False).first()
    assert rater is not None
    withdraw(rater=rater)
    assert is_stale(report.study, report)
