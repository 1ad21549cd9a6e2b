"""What reviewers will miss: comments are to be read and not missing, scores are complete or not."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Job, ProblemReport, Response, Study
from scoring.models import Judge, Report, Score, ScoreRun
from scoring.selectors.base.figures import DEFINITIONS
from scoring.selectors.data.staleness import data_state
from scoring.services.reports.release_findings import Finding
from scoring.services.reports.release_state import release_state
from tests.bundle.studies import rich_cast
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


def finding(study: Study, code: str) -> Finding | None:
    found = release_state(study, with_pay=True).findings
    return next((one for one in found if one.code == code), None)


def page_of(cast: Cast, address: str) -> str:
    client = Client()
    client.force_login(cast.users["owner"])
    return client.get(address).content.decode()


def test_texts_of_raters_are_to_be_read_and_not_missing() -> None:
    cast = rich_cast()
    study = cast.study
    assert Response.objects.filter(assignment__rater__study=study).exclude(remark="").count() == 1
    remarks = finding(study, "remarks")
    assert remarks is not None
    assert (remarks.is_missing, remarks.is_note) == (False, True)
    assert remarks.why.startswith("1 text of raters is published.")
    before = len(ProblemReport.objects.all())
    page = Assignment.objects.filter(rater__study=study).earliest("pk")
    ProblemReport.objects.create(
        assignment=page, report_key=uuid.uuid4(), reason="comment", text="As Ines told me."
    )
    comments = finding(study, "comments")
    assert comments is not None
    assert comments.why.startswith(f"{before + 1} text")
    shown = page_of(cast, reverse("study-releases", args=[study.slug]))
    address = f"{reverse('study-exports', args=[study.slug])}?what=problems&preview=1"
    assert f"{address.replace('&', '&amp;')}#file" in shown
    assert "As Ines told me." in page_of(cast, address)


def test_scores_are_a_note_without_any_and_missing_where_they_lack_or_are_being_computed() -> None:
    study = make_cast().study
    none = finding(study, "scores")
    assert none is not None
    assert (none.is_missing, none.is_note) == (False, True)
    run = ScoreRun.objects.create(study=study, name="Run")
    first, *others = study.items.all()
    Score.objects.create(run=run, item=first, metric="quality", value=0.5)
    lacking = finding(study, "scores")
    assert lacking is not None
    assert lacking.is_missing
    assert lacking.why.startswith(f"{len(others)} item")
    for one in others[1:]:
        Score.objects.create(run=run, item=one, metric="quality", value=0.5)
    Score.objects.create(run=run, item=others[0], metric="quality", reason="no_simile")
    still = finding(study, "scores")
    assert still is not None
    assert still.why.startswith("1 item has no score")
    Score.objects.filter(run=run, item=others[0]).update(value=0.1, reason="")
    complete = finding(study, "scores")
    assert complete is not None
    assert not complete.is_missing
    job = Job.objects.create(study=study, kind="score", state="running")
    computing = finding(study, "scores")
    assert computing is not None
    assert (computing.is_missing, computing.page) == (True, "study-score-runs")
    Job.objects.filter(pk=job.pk).update(state="done")
    assert finding(study, "scores") == complete


def test_simulated_raters_are_the_first_thing_to_know_before_a_release() -> None:
    study = rich_cast().study
    first = release_state(study, with_pay=True).findings[0]
    assert (first.code, first.is_missing, first.is_note) == ("simulated", False, True)
    assert first.why.startswith("1 rater is simulated.")
    study.raters.update(simulated=False)
    assert finding(study, "simulated") is None


def test_judges_that_still_answer_or_are_not_compared_are_noted() -> None:
    study = make_cast().study
    assert finding(study, "judges") is None
    Judge.objects.create(study=study, name="Judge A", way="file")
    assert_note(finding(study, "judges"), "Their comparison with the raters is missing")
    job = Job.objects.create(study=study, kind="judges", state="done")
    state = data_state(study, "judges")
    method = {"definitions": DEFINITIONS["judges"]}
    Report.objects.create(study=study, job=job, kind="judges", data_state=state, method=method)
    assert finding(study, "judges") is None
    Report.objects.filter(study=study).update(method={"definitions": 1})
    assert_note(finding(study, "judges"), "Their comparison with the raters is missing")
    Report.objects.filter(study=study).update(method=method)
    Report.objects.filter(study=study).update(data_state={**state, "n_exclusions": 9})
    assert_note(finding(study, "judges"), "Their comparison with the raters is missing")
    Job.objects.create(study=study, kind="judge", state="running")
    assert_note(finding(study, "judges"), "A judge is still answering.")


def assert_note(found: Finding | None, why: str) -> None:
    """A finding that is to be read, and what it says first."""
    assert found is not None
    assert found.is_note
    assert found.why.startswith(why)
