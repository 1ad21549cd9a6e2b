"""The page of judges and its API: adding, comparing, downloading, deleting."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Job, Study
from annotation.services.base.jobs import claim
from scoring.models import Judge, Report, Score, ScoreRun
from scoring.services.judges.judge_report import REPLICATES, compute_judges
from tests.services.metrics.rated_study import owner_of, rated_study

pytestmark = pytest.mark.django_db
STATED = {"name": "Judge A", "same_family_as": "owl", "mapped": "answers"}


@pytest.fixture
def study() -> Study:
    return rated_study()


def answers_of(study: Study) -> bytes:
    rows = [f"{item.key},{1 + n % 5}" for n, item in enumerate(study.items.all())]
    return "\n".join(["item,quality", *rows]).encode()


def sent(client: Client, study: Study, content: bytes, **stated: str) -> Any:
    address = reverse("study-judge-add", args=[study.slug])
    return client.post(address, {"file": SimpleUploadedFile("a.csv", content), **STATED, **stated})


def page_of(client: Client, study: Study, **query: str) -> str:
    page = client.get(reverse("study-judges", args=[study.slug]), query)
    assert page.status_code == 200
    return page.content.decode()


def compare(study: Study) -> None:
    """With few bootstrap samples: these tests are not about the width of an interval."""
    job = Job.objects.get(kind="judges")
    assert job.params["replicates"] == REPLICATES
    job.params["replicates"] = 60
    job.save(update_fields=["params"])
    lease = claim(job_id=job.pk)
    assert lease is not None
    compute_judges(lease=lease)


def test_a_judge_is_added_from_a_file_compared_and_deleted(study, monkeypatch):
    monkeypatch.setattr("annotation.services.base.jobs.BEAT_EVERY", 0)
    client = owner_of(study)
    assert "No judges yet." in page_of(client, study)
    assert sent(client, study, answers_of(study)).status_code == 302
    page = page_of(client, study)
    assert "Compare with raters" in page
    assert f"{study.items.count()} of {study.items.count()}" in page
    client.post(reverse("study-judges", args=[study.slug]), {"epsilon": "0.15"})
    compare(study)
    assert Job.objects.get(kind="judges").step == "Quality", "its name, not its key"
    page = page_of(client, study)
    for words in (
        "Agreement with the raters",
        "ε = 0.15",
        "One value throughout",
        "Quality by system, Judge A",
    ):
        assert words in page
    assert "come from one model family" in page
    client.post(reverse("study-judge-delete", args=[study.slug, Judge.objects.get().pk]))
    assert not Judge.objects.exists()
    assert "These results are out of date." in page_of(client, study)


def test_a_share_of_all_ratings_has_an_interval_or_the_reason_why_there_is_none(study):
    client = owner_of(study)
    sent(client, study, answers_of(study))
    client.post(reverse("study-judges", args=[study.slug]), {"epsilon": "0.15"})
    compare(study)
    report = Report.objects.get(kind="judges")
    untested: dict[str, Any] = {"advantage": None, "low": None, "high": None, "reason": "too_few_raters"}
    untested |= {"all_ratings_low": 0.61, "all_ratings_high": 0.88}
    report.tables["test"] = [row | untested for row in report.tables["test"]]
    report.save()
    assert "95% CI 61 to 88%" in page_of(client, study)
    none = {"all_ratings_low": None, "all_ratings_interval_reason": "too_few_items"}
    report.tables["test"] = [row | none for row in report.tables["test"]]
    report.save()
    assert "no 95% CI: too few items" in page_of(client, study)


def test_the_form_for_a_file_names_the_keys_and_says_why_no_metric_is_offered(study):
    form = owner_of(study).get(reverse("study-judge-add", args=[study.slug])).content.decode()
    assert "Keys of the criteria: <code>quality</code>" in " ".join(form.split())
    assert "There is no metric with scores, or no criterion with a scale." in form


def test_a_refused_file_shows_its_rows_and_what_was_entered(study):
    answer = sent(owner_of(study), study, b"item,quality\nI00,9\n")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "9 is outside the scale from 1 to 5." in page
    assert 'value="Judge A"' in page
    assert not Judge.objects.exists()


def test_a_margin_outside_its_range_is_refused_on_the_page(study):
    client = owner_of(study)
    address = reverse("study-judges", args=[study.slug])
    page = client.post(address, {"epsilon": "1"}, follow=True).content.decode()
    assert "ε must be at least 0 and below 1." in page
    assert not Job.objects.filter(kind="judges").exists()


def test_a_stored_metric_becomes_a_judge(study):
    run = ScoreRun.objects.create(study=study, name="Lengths")
    Score.objects.bulk_create(
        Score(run=run, item=item, metric="length", value=n) for n, item in enumerate(study.items.all())
    )
    client = owner_of(study)
    form = client.get(reverse("study-judge-add", args=[study.slug])).content.decode()
    assert f'value="{run.pk}:length"' in form
    stated = {**STATED, "metric": f"{run.pk}:length", "criterion": "quality", "mapped": "quantiles"}
    address = reverse("study-judge-add-metric", args=[study.slug])
    assert client.post(address, stated).status_code == 302
    assert client.post(address, {**stated, "metric": "0:length"}).status_code == 422
    assert Judge.objects.get().way == "metric"


@pytest.mark.parametrize("what", ["agreement", "test", "means"])
def test_the_tables_can_be_downloaded(study, what):
    client = owner_of(study)
    sent(client, study, answers_of(study))
    client.post(reverse("study-judges", args=[study.slug]), {"epsilon": "0.1"})
    compare(study)
    report = study.reports.get(kind="judges")

    def file(file_format: str, **query: str) -> Any:
        return client.get(
            reverse("study-judges-download", args=[study.slug, report.pk, what, file_format]), query
        )

    header = b"".join(file("csv").streaming_content).decode().splitlines()[0]
    assert header.lstrip("\ufeff").startswith("criterion,judge,")
    assert "\\begin{tab" in file("tex").content.decode()
    assert json.loads(file("json").content)["criteria"] == ["quality"]
    drawn = file("figure", format="svg", width="page")
    assert drawn.status_code == (200 if what == "agreement" else 404)


def test_the_api_adds_lists_compares_and_deletes_judges(study):
    client = owner_of(study)
    base = f"/api/v1/studies/{study.slug}/judges/"
    content = SimpleUploadedFile("a.csv", answers_of(study))
    made = client.post(f"{base}imports/", {"file": content, "name": "Judge A"})
    assert made.status_code == 201, made.json()
    (number,) = made.json()["judges"]
    assert [one["name"] for one in client.get(base).json()["results"]] == ["Judge A"]
    assert client.get(f"{base}report/").status_code == 404
    asked = client.post(f"{base}report/", {"epsilon": 0.2}, content_type="application/json")
    assert asked.status_code == 202
    compare(study)
    report = client.get(f"{base}report/").json()
    assert (report["method"]["epsilon"], report["criteria"]) == (0.2, ["quality"])
    refused = client.post(f"{base}imports/", {"file": SimpleUploadedFile("b.csv", b"item,quality\nI00,9\n")})
    assert refused.status_code == 422
    assert client.delete(f"{base}{number}/").status_code == 204
