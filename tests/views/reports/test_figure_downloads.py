"""Charts as files for a paper: one criterion, one width, and names instead of keys."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.plugin import DjangoDbBlocker

from annotation.models import Criterion, Membership, Study
from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.services.base.jobs import claim
from scoring.io.charts.canvas import MOST_DOTS, WIDTHS
from scoring.io.charts.heat_maps import heat_map
from scoring.models import Report
from scoring.selectors.base.metric_labels import metric_label
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.running.tables import rows_of_a_module
from tests.support.studies.rated_study import rated_study

pytestmark = pytest.mark.django_db
POINTS_PER_INCH = 72
PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def report_of_the_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[int]:
    with rows_of_a_module(django_db_blocker):
        study = rated_study(with_scores=False)
        Criterion.objects.filter(version__form__study=study, key="quality").update(name="Figurative density")
        lease = claim(job_id=request_report(study=study, actor=None, replicates=50, announce=False).pk)
        assert lease is not None
        yield compute_report(lease=lease).pk


@pytest.fixture
def report(report_of_the_module: int, db: None) -> Report:
    return Report.objects.get(pk=report_of_the_module)


@pytest.fixture
def study(report: Report) -> Study:
    return report.study


@pytest.fixture
def client(study: Study) -> Client:
    client = Client()
    client.force_login(Membership.objects.filter(study=study, role="researcher").get().user)
    return client


def chosen(client: Client, report: Report, what: str = "figure", **asked: str) -> Any:
    address = reverse("study-report-download", args=[report.study.slug, report.pk, what])
    return client.get(address, asked)


@pytest.mark.parametrize(("width", "inches"), WIDTHS.items())
def test_a_chart_is_as_wide_as_the_column_of_a_paper(client, report, width, inches):
    drawn = chosen(client, report, format="svg", criterion="quality", width=width).content.decode()
    points = re.search(r'<svg [^>]*width="([\d.]+)pt"', drawn)
    assert points
    assert float(points[1]) == pytest.approx(inches * POINTS_PER_INCH)


@pytest.mark.parametrize("what", ["figure", "table"])
def test_the_coefficients_to_report_are_chosen_first_and_come_alone(client, report, what):
    page = client.get(reverse("study-reliability", args=[report.study.slug])).content.decode()
    first = re.search(r'<select name="coefficients">\s*<option value="([^"]*)"', page)
    assert first
    found = chosen(client, report, what, format="svg", coefficients=first[1]).content.decode()
    assert "Fleiss" in chosen(client, report, what, format="svg").content.decode()
    assert "Krippendorff" in found
    assert "Fleiss" not in found


def test_a_chart_of_one_criterion_leaves_out_the_others_and_names_none(client, report):
    whole = chosen(client, report, format="svg").content.decode()
    one = chosen(client, report, format="svg", criterion="quality").content.decode()
    assert "Figurative density" in whole
    assert "Figurative density" not in one
    assert one.count("Krippendorff") < whole.count("Krippendorff")


@pytest.mark.parametrize(("file_format", "start"), [("png", PNG), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_the_same_chart_is_the_same_file_in_each_format(client, report, file_format, start):
    first, second = (chosen(client, report, format=file_format).content for _ in range(2))
    assert first == second
    assert first.startswith(start)


@pytest.mark.parametrize(
    "asked", [{"format": "gif"}, {"format": "svg", "width": "wide"}, {"format": "svg", "criterion": "tone"}]
)
def test_a_chart_that_there_is_not_is_not_found(client, report, asked):
    assert chosen(client, report, **asked).status_code == 404


def test_a_table_of_one_criterion_has_no_rows_without_an_estimate(client, report):
    report.figures = [
        {**one, "estimate": None} if one["coefficient"] == "alpha" else one for one in report.figures
    ]
    report.save()
    whole, one = (
        chosen(client, report, what, criterion="quality").content.decode() for what in ("tex", "table")
    )
    assert "Krippendorff" in whole
    assert "Krippendorff" not in one
    assert "toprule" in one


@pytest.mark.parametrize("name", [r"Reward ($\foo$)", "Cost $ and benefit $"])
def test_a_name_with_dollar_signs_is_no_formula(client, report, name):
    Criterion.objects.filter(version__form__study=report.study, key="quality").update(name=name)
    assert name in chosen(client, report, format="svg").content.decode()


def with_many_criteria(report: Report) -> None:
    report.figures = [
        {**one, "criterion": f"criterion-{number}"} for number in range(12) for one in report.figures
    ]
    report.save()


def test_a_chart_that_does_not_fit_on_a_page_is_refused_with_charts_that_do(client, report):
    with_many_criteria(report)
    refused = chosen(client, report, format="pdf", width="column")
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "inches tall" in page
    offered = re.findall(r'<a href="\?([^"]*)"', page.partition("<main")[2])
    assert len(offered) == 14
    for query in (offered[0], offered[-1]):
        address = reverse("study-report-download", args=[report.study.slug, report.pk, "figure"])
        given = client.get(f"{address}?{query.replace('&amp;', '&')}")
        assert given["Content-Type"] == "application/pdf", query


def test_where_the_server_has_no_font_for_a_name_it_offers_the_svg(client, report, monkeypatch):
    Criterion.objects.filter(version__form__study=report.study, key="quality").update(name="比喻质量")
    monkeypatch.setattr("scoring.io.charts.text.CHINESE", ())
    refused = chosen(client, report, format="png", width="page")
    assert refused.status_code == 422
    address = re.findall(r'<a href="([^"]*svg[^"]*)"', refused.content.decode())[0].replace("&amp;", "&")
    assert "比喻质量" in client.get(address).content.decode()


def test_a_long_chart_is_no_larger_than_a_server_can_draw():
    width, height = struct.unpack(
        ">II", heat_map(["system"] * 900, ["a"] * 3, [[0.5] * 3] * 900, "png")[16:24]
    )
    assert 0.9 * MOST_DOTS < width * height <= MOST_DOTS


def test_a_criterion_of_two_forms_is_named_with_its_form(study):
    form = study.forms.get()
    other = study.forms.create(key="second", title="Second reading", position=1)
    version = other.versions.create(number=1)
    version.criteria.create(key="quality", name="Overall", kind="likert", minimum=1, maximum=5)
    labels = criterion_labels(study)
    assert labels[f"{form.key}:quality"] == f"Figurative density ({form.title})"
    assert labels["second:quality"] == "Overall (Second reading)"


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("logic", "Logical consistency"),
        ("logic_normalised", "Logical consistency (normalised)"),
        ("my_normalised", "my_normalised"),
        ("bleu-mine", "bleu-mine"),
    ],
)
def test_a_metric_is_named_in_words_and_an_imported_one_as_it_is(key, label):
    assert metric_label(key) == label
