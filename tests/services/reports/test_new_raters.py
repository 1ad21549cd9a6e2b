"""Intervals for new raters of a study: job, pages, API, and the bundle that computes them again."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse

from annotation.domain.base.errors import GroundworkError
from annotation.models import Exclusion, Study
from annotation.services.base.jobs import claim
from scoring.models import Report
from scoring.selectors.agreement.new_raters import both_intervals
from scoring.services.agreement.new_raters import compute_new_raters, request_new_raters
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import compared, recompute
from tests.bundle.studies import unpacked
from tests.services.metrics.rated_study import owner_of, rated_study

pytestmark = pytest.mark.django_db


def compute(study: Study, replicates: int = 20) -> Report:
    lease = claim(job_id=request_new_raters(study=study, actor=None, replicates=replicates).pk)
    assert lease is not None
    return compute_new_raters(lease=lease)


def reliability_of(study: Study) -> Report:
    lease = claim(job_id=request_report(study=study, actor=None, replicates=50).pk)
    assert lease is not None
    return compute_report(lease=lease)


def test_both_intervals_are_shown_side_by_side_on_the_pages_and_in_the_api():
    study = rated_study()
    client = owner_of(study)
    reliability = reliability_of(study)
    report = compute(study, replicates=50)
    row = both_intervals(report, reliability)[0]["rows"][0]
    assert row["these"]["low"] != row["new"]["low"]
    shown = f"{row['new']['low']:.2f} to {row['new']['high']:.2f}".replace("-", "−")
    for name in ("study-reliability", "study-new-raters"):
        page = client.get(reverse(name, args=[study.slug])).content.decode().replace("-", "−")
        assert " ".join(shown.split()) in " ".join(page.split()), name
        assert "95% CI, new raters" in page
    found = client.get(reverse("api_new_raters", args=[study.slug])).json()
    assert found["results"] == report.figures
    assert (found["data"]["seed"], found["data"]["replicates"]) == (report.method["seed"], 50)
    assert (
        client.get(reverse("study-report-download", args=[study.slug, report.pk, "csv"])).status_code == 200
    )


def test_intervals_of_other_ratings_are_not_shown_next_to_them():
    study = rated_study()
    client = owner_of(study)
    reliability_of(study)
    Exclusion.objects.create(study=study, item=study.items.order_by("pk")[0], reason="Typo.")
    compute(study, replicates=50)
    for name in ("study-reliability", "study-new-raters"):
        page = client.get(reverse(name, args=[study.slug])).content.decode()
        assert "The reliability report has other ratings than these results" in page, name
    reliability = reliability_of(study)
    groups = both_intervals(compute(study, replicates=50), reliability)
    assert all(row["these"] for group in groups for row in group["rows"])


def test_the_same_data_give_the_same_intervals_and_are_not_computed_twice(monkeypatch):
    study = rated_study()
    first = compute(study, replicates=20)
    assert all("|seed:" in row["signature"] for row in first.figures if row["low"] is not None)
    monkeypatch.setattr("scoring.services.agreement.new_raters.figures_for_new_raters", None)
    assert compute(study, replicates=20).figures == first.figures


def test_raters_who_are_not_identified_cannot_be_resampled():
    study = rated_study()
    Study.objects.filter(pk=study.pk).update(identified=False)
    with pytest.raises(GroundworkError) as refused:
        compute(study, replicates=20)
    assert refused.value.code == "anonymous_raters"


def test_a_bundle_computes_every_limit_again(tmp_path: Path):
    study = rated_study()
    report = compute(study, replicates=30)
    assert any(row["low"] is not None for row in report.figures)
    status, printed = recompute(unpacked(study, tmp_path))
    assert status == 0, printed
    assert compared(printed)["reports/new_raters.json"] >= 7 * len(report.figures)
    assert compared(printed)["tables/new-raters.tex"] > 0
