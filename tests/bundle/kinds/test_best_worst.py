"""Best–worst scores in reports, on their page and as files, and bundles that compute them again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Criterion, Rater, Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.studies.demo_studies import create_demo_study
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import change_numbers, found_changed, recompute
from tests.bundle.studies import quick, unpacked

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated() -> Study:
    """The sets of the demo, chosen from by four raters who follow the number of a sentence with noise."""
    owner, _ = User.objects.get_or_create(email="someone@example.org")
    template = TEMPLATES["best_worst_novelty"]
    study = create_demo_study(template=template, slug="evenings", title="Evenings", owner=owner)
    (asked,) = Criterion.objects.filter(version__form__study=study).select_related("version")
    rng = np.random.default_rng(3)
    loaded = []
    for code in ("R-0", "R-1", "R-2", "R-3"):
        rater = Rater.objects.create(study=study, code=code, state="active")
        for item in study.items.all():
            worth = {letter: int(item.metadata[letter][1:]) / 4 + rng.gumbel() for letter in "abcd"}
            best, *between, worst = sorted(worth, key=lambda letter: worth[letter], reverse=True)
            value = f"{best}>{'='.join(sorted(between))}>{worst}"
            loaded.append(
                LoadedResponse(item=item, rater=rater, version=asked.version, values={asked: value})
            )
    store_responses(loaded=loaded)
    return study


def test_a_report_its_page_and_its_file_have_scores_with_intervals_and_split_half_reliability(rated):
    report = compute_report(lease=quick(request_report(study=rated, actor=None, announce=False)))
    rows = {row["item"]: row for row in report.tables["best_worst_scores"]}
    assert len(rows) == 12
    assert rows["E12"]["score"] > 0.3 > -0.3 > rows["E01"]["score"]
    assert all(row["n"] == 32 and row["low"] <= row["score"] <= row["high"] for row in rows.values())
    assert all(row["strength_low"] < row["strength"] < row["strength_high"] for row in rows.values())
    (halves,) = report.tables["best_worst_halves"]
    assert 0.5 < halves["spearman"] < halves["corrected"] < 1
    assert (halves["splits"], halves["n_sets"], halves["n"], halves["n_items"]) == (100, 24, 96, 12)
    assert "order_candidates" not in report.tables
    client = Client()
    client.force_login(User.objects.get(email="someone@example.org"))
    page = client.get(f"/studies/{rated.slug}/reliability/").content.decode()
    assert "Best–worst scores" in page
    assert "The square put its pigeons away." in page
    assert f"<b>{report.tables['best_worst_halves'][0]['spearman']:.2f}</b>" in page
    address = reverse("study-report-download", args=[rated.slug, report.pk, "best-worst.csv"])
    lines = b"".join(client.get(address)).decode("utf-8-sig").splitlines()
    assert lines[0].startswith("criterion,item,score,low,high,n,best,worst,interval_method")
    assert len(lines) == 13


def test_a_bundle_computes_scores_again_without_excluded_raters_and_finds_changed_numbers(
    rated, tmp_path: Path
):
    owner = User.objects.get(email="someone@example.org")
    exclude_rater(rater=rated.raters.get(code="R-3"), reason="careless", actor=owner)
    compute_report(lease=quick(request_report(study=rated, actor=None, announce=False)))
    folder = unpacked(rated, tmp_path)
    status, printed = recompute(folder)
    assert status == 0, printed
    assert "best_worst" not in printed
    changed = [change_numbers(folder, table) for table in ("best_worst_scores", "best_worst_halves")]
    assert found_changed(folder) == set.union(*changed)
