"""Versions of a form are compared only when a member asks for it."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Study, User
from annotation.services.base.jobs import claim
from annotation.services.items.rating_files import import_ratings
from annotation.services.studies.lifecycle import create_study
from scoring.models import Report
from scoring.selectors.agreement.form_versions import version_lines, version_numbers, version_rows
from scoring.services.reports.reliability import compute_report, request_report
from scoring.stats.agreement.alpha import alpha
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def ratings(versions: tuple[int, ...]) -> list[dict[str, Any]]:
    """Eight items a version and form; raters agree under version 2 and go their own ways under version 1."""
    return [
        {
            "item": f"{form}{version}{item}",
            "form": form,
            "form_version": version,
            "rater": f"R{rater}",
            "criterion": "quality",
            "value": 1 + (item + (rater * (item + 2) if version == 1 else 0)) % 5,
        }
        for form in ("similes", "stories")
        for version in (versions if form == "similes" else (1,))
        for item in range(8)
        for rater in range(3)
    ]


def study_of(owner: User, tmp_path: Path, rows: list[dict[str, Any]]) -> Study:
    study = create_study(slug="wording", title="Wording", owner=owner, consent="", instructions="")
    path = tmp_path / "ratings.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    import_ratings(study=study, path=path, scale=(1, 5))
    return study


def computed(study: Study, *, pool_versions: bool) -> Report:
    job = request_report(study=study, actor=None, replicates=50, announce=False, pool_versions=pool_versions)
    lease = claim(job_id=job.pk)
    assert lease is not None
    return compute_report(lease=lease)


def row_of(report: Report, criterion: str, figure: str) -> dict[str, Any]:
    rows = version_rows(report)
    return next(row for row in rows if (row["criterion"], row["figure"]) == (criterion, figure))


def test_a_report_takes_the_newest_version_and_compares_none_unless_asked(owner, tmp_path):
    study = study_of(owner, tmp_path, ratings((1, 2)))
    report = computed(study, pool_versions=False)
    assert (version_numbers(report), version_rows(report)) == ([], [])
    assert report.data["set_apart"]["older_versions"] == 24


def test_each_version_has_its_own_figure_next_to_that_of_all(owner, tmp_path):
    rows = ratings((1, 2))
    report = computed(study_of(owner, tmp_path, rows), pool_versions=True)
    assert version_numbers(report) == ["1", "2"]
    first, second, together = row_of(report, "similes:quality", "Krippendorff α, ordinal")["versions"]

    frame = pd.DataFrame([row for row in rows if row["form"] == "similes"])
    for part, found in ((frame[frame["form_version"] == 1], first), (frame, together)):
        (table,) = RatingsTable.from_frame(part, scales={"quality": (1, 5)}).criteria.values()
        assert found["estimate"] == pytest.approx(alpha(table, "ordinal", Resampling(1)).estimate, abs=1e-12)
    assert (second["estimate"], second["n_ratings"], together["n_ratings"]) == (1.0, 24, 48)


def test_a_form_with_one_version_is_not_compared(owner, tmp_path):
    report = computed(study_of(owner, tmp_path, ratings((1, 2))), pool_versions=True)
    assert {row["criterion"] for row in version_rows(report)} == {"similes:quality"}


def test_with_one_version_there_is_nothing_to_compare(owner, tmp_path):
    study = study_of(owner, tmp_path, ratings((1,)))
    assert version_rows(computed(study, pool_versions=True)) == []
    client = Client()
    client.force_login(owner)
    page = client.get(reverse("study-reliability", args=[study.slug]))
    assert "Compare form versions" not in page.content.decode()


def test_the_page_offers_the_comparison_and_its_files(owner, tmp_path):
    study = study_of(owner, tmp_path, ratings((1, 2)))
    report = computed(study, pool_versions=True)
    client = Client()
    client.force_login(owner)
    page = client.get(reverse("study-reliability", args=[study.slug])).content.decode()
    assert "Compare form versions" in page
    assert "Comparison of form versions" in page
    table: Any = client.get(reverse("study-report-download", args=[study.slug, report.pk, "versions.csv"]))
    lines = list(csv.DictReader(io.StringIO(b"".join(table.streaming_content).decode())))
    assert len(lines) == len(version_lines(report))
    assert {line["version"] for line in lines} == {"1", "2", "all"}
    tex = client.get(reverse("study-report-download", args=[study.slug, report.pk, "versions.tex"]))
    assert b"\\toprule" in tex.content


def test_figures_that_no_version_has_alone_are_left_out_and_means_name_no_number_of_ratings(owner, tmp_path):
    """Each version has ratings of its own number, and a row of dashes compares nothing."""
    report = computed(study_of(owner, tmp_path, ratings((1, 2))), pool_versions=True)
    for of_version in report.tables["versions"].values():
        for row in of_version:
            if row["coefficient"] == "fleiss":
                row["estimate"] = None
    names = [row["figure"] for row in version_rows(report)]
    assert "Fleiss κ" not in names
    assert "ICC2, mean of ratings" in names
    assert not [name for name in names if re.search(r"mean of \d", name)]
