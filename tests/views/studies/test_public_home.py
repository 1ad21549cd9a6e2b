"""What people without an account see: the demo, its own result, and nothing of any other study."""

from __future__ import annotations

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Job, Rater, Response, Study
from annotation.services.base.jobs import claim
from annotation.services.studies.demo import ensure_demo, ensure_demo_results
from scoring.models import Report
from scoring.selectors.choices.choices import ACCURACY_COLUMNS, STRENGTH_COLUMNS, WIN_COLUMNS
from scoring.services.reports.reliability import compute_report
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
ANSWERS = {"answer-quality": "4", "answer-creativity": "2", "answer-informativeness": "3"}
# Pages of the site; not files, and not places on the same page.
LINK = re.compile(r'href="(/(?!static/)[^"#]*)')
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


@pytest.mark.parametrize(("language", "criterion"), [("ja", "新しさ"), ("zh-hans", "新颖度")])
def test_the_form_to_try_is_in_the_language_of_the_page_and_the_items_stay_english(
    client: Client, report: Report, language: str, criterion: str
):
    client.cookies["django_language"] = language
    for path in ("/", "/try/1/"):
        page = text_of(client, path)
        assert criterion in page, path
        assert "Literal sentence" not in page, path
        assert re.search(r'lang="en"[^>]*>\s*The harbour', page), path


def test_the_public_result_is_that_of_the_demo_and_leads_to_no_page_of_a_study(
    client: Client, report: Report
):
    for path in ("/", "/try/", "/try/6/", "/result/"):
        assert STUDY_PAGE.search(text_of(client, path)) is None, path
    page = text_of(client, "/result/")
    assert page.count("Krippendorff α, ordinal") >= 3
    assert report.fingerprint[:12] in page
    assert "<button" not in page.partition("<main")[2]


def test_a_public_result_asks_no_visitor_to_compute_it_again(client: Client, report: Report):
    """Only members can, and what an earlier definition gave is for them to replace."""
    report.figures = [
        {**one, "signature": re.sub(r"definitions:\d+", "definitions:1", one["signature"])}
        for one in report.figures
        if one["coefficient"] != "kappa_n"
    ]
    report.tables["by_rater_removed"] = True
    report.save()
    assert "again" not in text_of(client, "/result/").partition("<main")[2]


def with_every_part(report: Report) -> None:
    """Give the report something to show in each part that a report can have."""
    numbers = {"estimate": 0.5, "low": 0.4, "high": 0.6, "interval_method": "wilson", "reason": ""}
    share = {**dict.fromkeys((*ACCURACY_COLUMNS, *WIN_COLUMNS, *STRENGTH_COLUMNS), 1), **numbers}
    row = {**share, "criterion": "quality", "who": "all", "name": "", "category": "", "competitor": "a"}
    pair = {**numbers, "criterion": "quality", "variant": "exact, R1|R2", "coefficient": "f1"}
    report.tables |= {
        "before": report.figures,
        "versions": {"1": report.figures},
        "accuracy": [row],
        "win_rates": [{**row, "share": 0.5}],
        "strengths": [{**row, "strength": 0.5}],
        "tuple_pairs": [{**pair, "n_items": 1, "n_ratings": 1}],
    }
    report.save()


def test_every_link_of_a_public_page_works_without_an_account(client: Client, report: Report):
    with_every_part(report)
    shown = text_of(client, "/result/")
    for part in ("Agreement on tuples", "Bradley–Terry", "form version", "exclusions"):
        assert part in shown, part
    for path in ("/", "/try/", "/try/6/", "/result/"):
        links = set(LINK.findall(text_of(client, path)))
        assert links, path
        for link in links:
            answer = client.get(html.unescape(link), follow=True)
            assert answer.status_code == 200, (path, link)
            wants_account = [address for address, _ in answer.redirect_chain if "/login/" in address]
            assert not wants_account, (path, link)


def test_the_public_pages_read_one_whole_report_however_many_there_are(client: Client, report: Report):
    for number in range(3):
        job = Job.objects.create(
            study=report.study, kind="reliability", state="done", params={"later": number}
        )
        later = Report(study=report.study, job=job, kind=report.kind, figures=report.figures)
        later.data = {**report.data, "n_responses": report.data["n_responses"] + 1}
        later.fingerprint = "0" * 64
        later.save()
    for path in ("/", "/result/"):
        with CaptureQueriesContext(connection) as queries:
            text_of(client, path)
        whole = [one["sql"] for one in queries if '"scoring_report"."figures"' in one["sql"]]
        assert len(whole) == 1, path
        assert f'"scoring_report"."id" = {report.pk}' in whole[0]


def test_a_report_with_answers_of_people_is_not_public(client: Client, report: Report):
    Report.objects.filter(pk=report.pk).update(data={**report.data, "n_responses": 161})
    assert report.fingerprint[:12] not in text_of(client, "/result/")
    assert "forest" not in text_of(client, "/").partition("<main")[2]


def test_a_study_of_another_owner_at_the_address_of_the_demo_is_not_public(client: Client):
    cast = make_cast()
    Study.objects.filter(pk=cast.study.pk).update(slug="everyday-similes", simulated=True)
    assert [client.get(path).status_code for path in ("/try/", "/result/")] == [404, 404]
    assert cast.study.title not in text_of(client, "/")


@pytest.mark.parametrize(("address", "title"), [("/", "Groundwork"), ("/help/", "Help · Groundwork")])
def test_the_first_pages_name_the_site_once(client: Client, address: str, title: str) -> None:
    assert f"<title>{title}</title>" in client.get(address).content.decode()
