"""Lists of raters have pages: with hundreds of raters no page is as long as all of them."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import RaterState
from annotation.models import Rater
from scoring.models import Report
from tests.support.people import Cast, make_cast
from tests.support.studies.reports import make_report

pytestmark = pytest.mark.django_db
CODES = [f"A-{number:03d}" for number in range(1, 102)]


@pytest.fixture
def cast() -> Cast:
    cast = make_cast()
    Rater.objects.bulk_create(Rater(study=cast.study, code=code, state=RaterState.FINISHED) for code in CODES)
    return cast


@pytest.fixture
def client(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.users["owner"])
    return client


def report_of_single_raters(cast: Cast) -> Report:
    """Each rater compared with the mean of the others on two criteria, and one statistic of all raters."""
    row = {
        "estimate": 0.5,
        "low": 0.4,
        "high": 0.6,
        "reason": "",
        "n_items": 9,
        "n_raters": 101,
        "interval_method": "percentile-bootstrap:items",
        "n_ratings": 9090,
        "signature": "alpha|items:9",
    }
    report = Report.objects.get(pk=make_report(cast.study)[0])
    of_all = {"criterion": "quality", "coefficient": "alpha", "variant": "ordinal", **row}
    report.figures = [of_all] + [
        {**row, "criterion": criterion, "coefficient": "held_out_pearson", "variant": f"rater:{code}"}
        for criterion in ("quality", "creativity")
        for code in CODES
    ]
    report.save()
    return report


def codes_on(html: str) -> list[str]:
    return re.findall(r'<th scope="row"[^>]*>\s*(?:<a [^>]*>)?([AR]-\d{3})', html)


def test_the_overview_lists_100_raters_on_a_page(cast: Cast, client: Client) -> None:
    address = reverse("study", args=[cast.slug])
    assert codes_on(client.get(address).content.decode()) == CODES[:100]
    assert codes_on(client.get(address, {"raters": 2}).content.decode())[0] == CODES[100]


def test_the_page_of_raters_lists_25_on_a_page(cast: Cast, client: Client) -> None:
    address = reverse("study-raters", args=[cast.slug])
    assert codes_on(client.get(address).content.decode()) == CODES[:25]
    assert codes_on(client.get(address, {"page": 5}).content.decode())[0] == CODES[100]


def test_single_raters_of_a_report_are_100_on_a_page_for_every_criterion(cast: Cast, client: Client) -> None:
    report = report_of_single_raters(cast)
    address = reverse("study-reliability", args=[cast.slug])
    first, second = (
        client.get(address, {"report": report.pk, "raters": page}).content.decode() for page in (1, 2)
    )
    assert codes_on(first) == CODES[:100] * 2
    assert codes_on(second) == CODES[100:] * 2
    assert f"?report={report.pk}&amp;raters=2" in first


def test_a_report_separates_thousands_and_has_no_tooltip_in_the_syntax_of_files(
    cast: Cast, client: Client
) -> None:
    report_of_single_raters(cast)
    page = client.get(reverse("study-reliability", args=[cast.slug])).content.decode()
    assert "Krippendorff" in page
    assert '<td class="n">9,090</td>' in page
    assert [one for one in re.findall(r'title="([^"]*)"', page) if "|" in one] == []
