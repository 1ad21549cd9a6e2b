"""What people without an account see: the demo, its own result, and nothing of any other study."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Job, Rater, Response, Study
from annotation.services.base.jobs import claim
from annotation.services.studies.demo import ensure_demo, ensure_demo_results
from scoring.models import Report
from scoring.services.reports.reliability import compute_report
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
ANSWERS = {"answer-quality": "4", "answer-creativity": "2", "answer-informativeness": "3"}
STUDY_PAGE = re.compile(r'(?:href|action)="/(?:studies|rate|join)/')


@pytest.fixture
def demo() -> Study:
    return Study.objects.get(slug=ensure_demo().study_slug)


@pytest.fixture
def report(demo: Study) -> Report:
    ensure_demo_results()
    lease = claim(job_id=Job.objects.get(kind="reliability").pk)
    assert lease is not None
    return compute_report(lease=lease)


def text_of(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def test_without_a_demo_the_home_page_offers_no_page_to_try_and_no_result(client: Client):
    page = text_of(client, "/")
    assert "Human ratings of figurative language" in page
    assert 'href="/account/login/"' in page
    assert "/try/" not in page
    assert "/result/" not in page
    assert [client.get(path).status_code for path in ("/try/", "/try/1/", "/result/")] == [404, 404, 404]


def test_with_the_demo_both_are_one_press_away(client: Client, report: Report):
    page = text_of(client, "/")
    assert 'href="/try/"' in page
    assert 'href="/result/"' in page
    assert page.count('class="chart forest" role="img"') == 3


def test_the_home_page_and_the_pages_to_try_lead_to_the_help(client: Client, demo: Study):
    for path in ("/", "/try/", "/try/6/"):
        assert 'href="/help/"' in text_of(client, path), path


def test_trying_writes_nothing_and_refuses_what_a_rater_could_not_send(client: Client, demo: Study):
    before = (Rater.objects.count(), Response.objects.count())
    with CaptureQueriesContext(
        connection,
    ) as queries:
        for number in range(1, 6):
            assert 'name="answer-creativity"' in text_of(client, f"/try/{number}/")
            refused = client.post(f"/try/{number}/", {**ANSWERS, "answer-quality": "9"})
            assert refused.status_code == 422
            assert 'aria-invalid="true"' in refused.content.decode()
            sent = client.post(f"/try/{number}/", ANSWERS)
            assert (sent.status_code, sent["Location"]) == (302, f"/try/{number + 1}/")
    assert [one["sql"] for one in queries if not one["sql"].startswith("SELECT")] == []
    assert "All items tried" in text_of(client, "/try/6/")
    assert client.post("/try/6/", ANSWERS).status_code == 404
    assert client.get("/try/7/").status_code == 404
    assert (Rater.objects.count(), Response.objects.count()) == before
    assert not client.cookies.get("sessionid")


def test_the_public_result_is_that_of_the_demo_and_leads_to_no_page_of_a_study(
    client: Client, report: Report
):
    for path in ("/", "/try/", "/try/6/", "/result/"):
        assert STUDY_PAGE.search(text_of(client, path)) is None, path
    page = text_of(client, "/result/")
    assert page.count("Krippendorff α, ordinal") >= 3
    assert report.fingerprint[:12] in page
    assert "<button" not in page.partition("<main")[2]


def test_a_report_with_answers_of_people_is_not_public(client: Client, report: Report):
    Report.objects.filter(pk=report.pk).update(data={**report.data, "n_responses": 161})
    assert report.fingerprint[:12] not in text_of(client, "/result/")
    assert "forest" not in text_of(client, "/").partition("<main")[2]


def test_a_study_of_somebody_else_at_the_address_of_the_demo_is_not_public(client: Client):
    cast = make_cast()
    Study.objects.filter(pk=cast.study.pk).update(slug="everyday-similes", simulated=True)
    assert [client.get(path).status_code for path in ("/try/", "/result/")] == [404, 404]
    assert cast.study.title not in text_of(client, "/")
