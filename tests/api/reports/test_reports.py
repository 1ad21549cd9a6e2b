"""`reports/`: what a report is computed with, and refusals before there is a job."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import Job
from annotation.tasks import run_job
from config.settings.places import ROOT
from tests.support.people import Cast


def asked(cast: Cast, body: dict[str, Any] | None) -> Any:
    client = Client()
    client.force_login(cast.users["owner"])
    address = f"/api/v1/studies/{cast.slug}/reports/"
    if body is None:
        return client.generic("POST", address)
    return client.post(address, body, content_type="application/json")


def test_a_report_is_computed_with_what_was_asked_for(cast):
    assert asked(cast, None).status_code == 202
    assert Job.objects.get().params == {"replicates": 2000, "seed": None, "pool_versions": False}
    Job.objects.all().delete()
    body = {"replicates": 500, "seed": 7, "pool_versions": True}
    assert asked(cast, body).status_code == 202
    assert Job.objects.get().params == body


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("replicates", -3, "greater than or equal to 1"),
        ("replicates", 0, "greater than or equal to 1"),
        ("replicates", 100_001, "less than or equal to 100000"),
        ("seed", -1, "greater than or equal to 0"),
        ("bootstrap", 5, "Unknown field; known fields: pool_versions, replicates, seed."),
    ],
)
def test_a_number_outside_its_range_is_refused_by_its_field_and_makes_no_job(cast, field, value, message):
    answer = asked(cast, {field: value})
    assert answer.status_code == 400
    assert answer.json()["code"]
    assert message in answer.json()["fields"][field]
    assert not Job.objects.exists()


def test_a_job_without_ratings_says_so_in_words_and_its_code_is_documented(cast):
    assert asked(cast, None).status_code == 202
    run_job(Job.objects.get().pk)
    client = Client()
    client.force_login(cast.users["owner"])
    failed = client.get(f"/api/v1/jobs/{Job.objects.get().pk}/").json()
    assert (failed["state"], failed["error_code"]) == ("failed", "no_ratings")
    assert failed["error"].startswith("The study has no ratings on a scale and no choices yet")
    assert "| `no_ratings` |" in (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
