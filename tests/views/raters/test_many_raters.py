"""Lists of raters have pages: with hundreds of raters no page is as long as all of them."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import RaterState
from annotation.models import PlatformIdentity, Rater
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
    assert 'data-label="Ratings">9,090</td>' in page
    assert [one for one in re.findall(r'title="([^"]*)"', page) if "|" in one] == []


def listed(client: Client, cast: Cast, q: str) -> list[str]:
    page = client.get(reverse("study-raters", args=[cast.slug]), {"q": q, "sort": "-code"})
    return [row["rater"].code for row in page.context["rows"]]


def test_a_rater_is_found_by_a_part_of_the_code_whatever_the_page(cast: Cast, client: Client) -> None:
    assert listed(client, cast, "a-101") == ["A-101"]
    assert listed(client, cast, "A-03") == [f"A-03{digit}" for digit in range(9, -1, -1)]
    page = client.get(reverse("study-raters", args=[cast.slug]), {"q": "A-"})
    assert "q=A-&amp;page=2" in page.content.decode()
    no_match = client.get(reverse("study-raters", args=[cast.slug]), {"q": "nobody"}).content.decode()
    assert "No raters match this search." in no_match
    assert 'name="q"' in no_match


def test_a_platform_id_finds_its_rater_only_whole_and_only_for_those_who_may_see_it(
    cast: Cast, client: Client
) -> None:
    rater = Rater.objects.get(study=cast.study, code="A-077")
    person = "5f2c81e0aa"
    PlatformIdentity.objects.create(
        study=cast.study, rater=rater, invitation=cast.invitation, platform=Platform.PROLIFIC, person=person
    )
    assert listed(client, cast, person) == ["A-077"]
    assert listed(client, cast, person[:-1]) == []
    researcher = Client()
    researcher.force_login(cast.users["researcher"])
    assert listed(researcher, cast, person) == []
    assert "platform ID" not in researcher.get(reverse("study-raters", args=[cast.slug])).content.decode()


def test_a_list_on_paper_says_which_rows_are_missing(cast: Cast, client: Client) -> None:
    page = client.get(reverse("study", args=[cast.slug])).content.decode()
    n = cast.study.raters.count()
    assert f"Rows 1 to 100 of {n}. The other rows are on other pages of the site." in page
