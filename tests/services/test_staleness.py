"""A report is stale from the moment on that its data are no longer all the data."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Exclusion, ExclusionLift, Response, Study, User
from annotation.services.demo import ensure_demo
from annotation.services.jobs import claim
from scoring.models import Report
from scoring.selectors.staleness import is_stale
from scoring.services.reliability import compute_report, request_report

pytestmark = pytest.mark.django_db


@pytest.fixture
def report() -> Report:
    study = Study.objects.get(slug=ensure_demo().study_slug)
    lease = claim(job_id=request_report(study=study, actor=None, replicates=20, announce=False).pk)
    assert lease is not None
    return compute_report(lease=lease)


def test_a_new_report_is_not_stale(report):
    assert not is_stale(report.study, report)


def test_an_answer_makes_it_stale(report, client):
    answer = Response.objects.filter(assignment__rater__study=report.study).last()
    assert answer is not None
    Response.objects.filter(pk=answer.pk).update(submitted_at=timezone.now())
    assert is_stale(report.study, report)
    client.force_login(User.objects.get(email="researcher@example.org"))
    page = client.get(reverse("study-reliability", args=[report.study.slug])).content.decode()
    assert "The data have changed" in page


def test_an_exclusion_and_its_end_make_it_stale(report):
    item = report.study.items.first()
    exclusion = Exclusion.objects.create(study=report.study, item=item, rule="by_hand", reason="a try")
    assert is_stale(report.study, report)
    Report.objects.filter(pk=report.pk).update(created_at=timezone.now())
    report.refresh_from_db()
    assert not is_stale(report.study, report)
    ExclusionLift.objects.create(exclusion=exclusion, reason="a mistake")
    assert is_stale(report.study, report)
