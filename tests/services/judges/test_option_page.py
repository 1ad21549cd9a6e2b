"""The page of judges of choices and pairs, its files and its API."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Study
from annotation.services.base.jobs import claim
from scoring.models import Report
from scoring.selectors.judges.families import systems_of
from scoring.selectors.judges.judge_pages import TABLES
from scoring.services.judges.judge_report import compute_judges, request_judges
from tests.services.judges.chosen_study import TONES, choosing, chosen_study
from tests.services.judges.running.tiny_models import causal_checkpoint
from tests.services.metrics.rated_study import owner_of, rated_study

pytestmark = pytest.mark.django_db
SURE = {"warm": 0.9, "cold": 0.08, "neither": 0.02}
WORDS = (
    "Agreement on choices and comparisons",
    "Could a judge replace a rater?",
    "Biases in paired comparisons",
    "the text of owl",
    "judged in both orders",
    "Judge A prefers the text that comes first.",
    "Calibration of probabilities",
    "Judge A is too sure.",
    "Distance from the distribution of the raters",
    "One distribution throughout",
    "several options per answer are not compared",
)


@pytest.fixture
def judged() -> tuple[Study, Report]:
    """A study without a scale whose judge chooses, prefers the first text, and is sure of itself."""
    study = chosen_study()
    choosing(study, "tone", lambda n: (TONES[n % 3] if n % 4 else "warm", SURE))
    choosing(study, "better", lambda _: "a", same_family_as="owl")
    choosing(study, "devices", lambda _: frozenset({"x"}))
    lease = claim(job_id=request_judges(study=study, actor=None, replicates=60).pk)
    assert lease is not None
    return study, compute_judges(lease=lease)


def test_the_page_shows_every_part_and_its_cautions(judged):
    study, _ = judged
    page = owner_of(study).get(reverse("study-judges", args=[study.slug])).content.decode()
    assert [words for words in WORDS if words not in page] == []
    assert "Agreement with the raters" not in page


def test_a_report_from_before_these_tables_is_still_shown(judged):
    study, report = judged
    own = {
        name: report.tables[name]
        for name in ("agreement", "test", "means", "orders", "sizes", "judges", "criteria")
    }
    Report.objects.filter(pk=report.pk).update(tables=own)
    client = owner_of(study)
    assert client.get(reverse("study-judges", args=[study.slug])).status_code == 200
    assert client.get(f"/api/v1/studies/{study.slug}/judges/report/").json()["criteria"] == []


def test_every_table_can_be_downloaded(judged):
    study, report = judged
    client = owner_of(study)
    for what in TABLES:
        csv = download(client, study, report, what, "csv")
        lines = b"".join(csv.streaming_content).decode().splitlines()
        assert lines[0].lstrip("\ufeff").startswith("criterion,"), what
        assert len(lines) == 1 + len(report.tables[what]), what
        assert "\\begin{tab" in download(client, study, report, what, "tex").content.decode(), what
    whole = json.loads(download(client, study, report, "agreement", "json").content)
    assert set(report.tables) <= set(whole)
    drawn = download(client, study, report, "agreement", "figure", format="svg", width="page")
    assert drawn.status_code == 200


def download(client: Client, study: Study, report: Report, what: str, file_format: str, **query: str) -> Any:
    return client.get(
        reverse("study-judges-download", args=[study.slug, report.pk, what, file_format]), query
    )


def test_the_api_has_every_table(judged):
    study, report = judged
    body = owner_of(study).get(f"/api/v1/studies/{study.slug}/judges/report/").json()
    for name in (
        "option_agreement",
        "option_test",
        "bias",
        "both_orders",
        "calibration",
        "bins",
        "soft_labels",
        "not_compared",
    ):
        assert body[name] == report.tables[name], name


def test_the_systems_of_pairs_are_offered_as_the_family_of_a_judge_and_taken_by_the_api(
    judged, settings, tmp_path
):
    study, _ = judged
    settings.JUDGE_ADDRESS = "https://models.example.org/v1"
    settings.MODEL_FOLDER = tmp_path
    causal_checkpoint(tmp_path / "judge-1")
    owner = owner_of(study)
    for name in ("study-judge-add", "study-judge-add-model", "study-judge-add-chat"):
        page = owner.get(reverse(name, args=[study.slug])).content.decode()
        page = page.replace("\u2068", "").replace("\u2069", "")
        assert [system for system in ("crow", "owl") if f">{system}</option>" not in page] == [], name
    sent = {"name": "Judge B", "checkpoint": "judge-1", "criteria": ["tone"]}
    address = reverse("api_judge_models", args=[study.slug])
    answers = [
        owner.post(address, {**sent, "same_family_as": system}, content_type="application/json").json()
        for system in ("magpie", "owl")
    ]
    assert (answers[0]["code"], answers[1]["same_family_as"]) == ("unknown_system", "owl")


def test_of_a_study_without_pairs_the_sides_of_items_are_no_systems():
    study = rated_study()
    study.items.update(metadata={"a": "a note"})
    assert systems_of(study) == ["crow", "heron", "owl"]
