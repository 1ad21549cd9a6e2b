"""The reliability page: an axis whose labels fit, and old reports shown as they are."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Membership
from scoring.models import Report
from scoring.selectors.base.figures import figure_groups, ticks
from scoring.stats.base.result import DEFINITIONS_VERSION
from tests.support.studies.rated_study import rated_study, report_of


def row(low: float, variant: str = "ordinal") -> dict[str, object]:
    numbers = {"estimate": 0.5, "low": low, "high": 0.9}
    names = {"criterion": "quality", "coefficient": "alpha", "variant": variant}
    return {**names, **numbers, "reason": "", "interval_method": "percentile-bootstrap:items"}


@pytest.mark.parametrize(
    ("low", "labels"),
    [
        (0.1, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (-0.2, ["−0.2", "0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (-0.35, ["−0.5", "0", "0.5", "1"]),
        (-7.0, ["−1", "−0.5", "0", "0.5", "1"]),
    ],
)
def test_the_axis_has_few_enough_labels_for_a_small_screen(low, labels):
    assert [tick["label"] for tick in ticks(Report(figures=[row(low)]))] == labels


def test_single_raters_who_are_not_on_the_chart_do_not_stretch_its_axis():
    report = Report(figures=[row(0.2), row(-0.9, variant="rater:R-007")])
    assert ticks(report)[0]["label"] == "0"


def test_an_interval_that_goes_on_below_the_axis_is_cut_at_its_beginning():
    (group,) = figure_groups(Report(figures=[row(-7.0), row(-1.0)]))
    assert [(one["x_low"], one["cut"]) for one in group["rows"]] == [(0.0, True), (0.0, False)]


@pytest.mark.django_db
def test_a_report_from_before_a_coefficient_says_so_and_is_computed_again_in_full():
    study = rated_study(with_scores=False)
    client = Client()
    client.force_login(Membership.objects.filter(study=study, role="owner").get().user)
    address = reverse("study-reliability", args=[study.slug])
    report = report_of(study)
    assert "older than some coefficients" not in client.get(address).content.decode()
    report.figures = [one for one in report.figures if one["coefficient"] != "kappa_n"]
    report.save()
    page_text = " ".join(client.get(address).content.decode().split())
    assert "older than some coefficients. Compute it again to add them: Brennan–Prediger κ." in page_text
    assert "kappa_n" in {one["coefficient"] for one in report_of(study).figures}


@pytest.mark.django_db
def test_a_report_by_an_earlier_definition_says_so_and_is_computed_again():
    """Its figures are shown under the sentences of today's definitions."""
    study = rated_study(with_scores=False)
    client = Client()
    client.force_login(Membership.objects.filter(study=study, role="owner").get().user)
    address = reverse("study-reliability", args=[study.slug])
    report = report_of(study)
    assert "earlier definition" not in client.get(address).content.decode()
    now, before = f"definitions:{DEFINITIONS_VERSION}", f"definitions:{int(DEFINITIONS_VERSION) - 1}"
    report.figures = [{**one, "signature": one["signature"].replace(now, before)} for one in report.figures]
    report.save()
    page_text = " ".join(client.get(address).content.decode().split())
    assert "were computed by an earlier definition of the statistics. Compute them again." in page_text
    assert all(now in one["signature"] for one in report_of(study).figures)


def test_a_row_shows_its_cautions_and_the_average_of_the_mean_number_of_ratings():
    signature = "icc2k|at-mean-k:3.667=0.8312|interval:F|limits:within range|caution:few_items|definitions:4"
    (group,) = figure_groups(Report(figures=[{**row(-0.2), "signature": signature}]))
    (shown,) = group["rows"]
    assert shown["cautions"] == ("edge_of_range", "few_items")
    assert shown["at_mean_k"] == (3.667, 0.8312)


@pytest.mark.django_db
def test_a_mean_of_unequal_numbers_of_ratings_is_explained_in_words():
    study = rated_study(with_scores=False)
    client = Client()
    client.force_login(Membership.objects.filter(study=study, role="owner").get().user)
    report = report_of(study)
    mean = "icc2k|at-mean-k:3.85=0.8312"
    changed = [
        {**one, "signature": f"{mean}|{one['signature']}"} if one["coefficient"] == "icc2k" else one
        for one in report.figures
    ]
    type(report).objects.filter(pk=report.pk).update(figures=changed)
    page_text = " ".join(client.get(reverse("study-reliability", args=[study.slug])).content.decode().split())
    assert "Items have different numbers of ratings." in page_text
    assert "For the arithmetic mean, 3.85 ratings, it is 0.831." in page_text
