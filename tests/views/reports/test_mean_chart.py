"""The chart of systems: means with intervals on the scale of the criterion, on the page and as a file."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import JobState
from annotation.models import Criterion, Job, Study, User
from scoring.io.charts.canvas import WIDTHS
from scoring.models import Report
from scoring.selectors.base.axes import marks
from scoring.selectors.metrics.metric_pages import mean_chart
from scoring.services.metrics.metrics import KIND
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
MEANS = {"crow": (4.5, 0.25), "heron": (2.0, 1.5), "owl": (3.0, None), "wren": (None, None)}


def stored(study: Study) -> Report:
    """A report with the means of four systems; one has a single item, one no rating."""
    means = [
        {"system": system, "criterion": criterion, "mean": mean, "half_width": half, "n": 4}
        for criterion in ("quality", "creativity")
        for system, (mean, half) in MEANS.items()
    ]
    tables = {
        "criteria": ["quality", "creativity"],
        "metrics": [],
        "systems": {"names": list(MEANS), "means": means, "differences": []},
    }
    job = Job.objects.create(study=study, kind=KIND, state=JobState.DONE)
    return Report.objects.create(
        study=study, job=job, kind=KIND, fingerprint="0", software="groundwork 0", tables=tables
    )


@pytest.fixture
def report() -> Report:
    study = make_cast().study
    Criterion.objects.filter(version__form__study=study, key="creativity").update(name="Novelty", maximum=7)
    return stored(study)


@pytest.fixture
def client(report: Report) -> Client:
    client = Client()
    client.force_login(User.objects.get(memberships__study=report.study, memberships__role="researcher"))
    return client


def chart(client: Client, report: Report, **asked: str) -> Any:
    address = reverse("study-metrics-download", args=[report.study.slug, report.pk, "intervals", "figure"])
    return client.get(address, asked)


def test_means_are_drawn_at_their_place_on_the_scale_the_highest_first(report: Report) -> None:
    drawn = mean_chart(report, "quality", (1, 5))
    assert [row["system"] for row in drawn["rows"]] == ["crow", "owl", "heron"]
    places = [[row[key] for key in ("x_low", "x", "x_high")] for row in drawn["rows"]]
    assert places == [[81.25, 87.5, 93.75], [None, 50.0, None], [0.0, 25.0, 62.5]]
    assert [row["cut"] for row in drawn["rows"]] == [False, False, True]
    assert [tick["label"] for tick in drawn["ticks"]] == ["1", "2", "3", "4", "5"]
    assert marks(0, 100) == [0, 25, 50, 75, 100]
    assert [tick["label"] for tick in mean_chart(report, "quality", None)["ticks"]] == ["2", "3", "4", "5"]


def test_the_page_draws_the_chosen_criterion_and_keeps_the_table(client: Client, report: Report) -> None:
    address = reverse("study-systems", args=[report.study.slug])
    page = client.get(address, {"criterion": "creativity"})
    assert page.context["chart"]["criterion"] == "creativity"
    assert [tick["label"] for tick in page.context["chart"]["ticks"]][-1] == "7"
    content = " ".join(page.content.decode().split())
    assert "The axis goes from 1 to 7." in content
    assert 'aria-label="4.50, 95% CI 4.25 – 4.75"' in content
    assert "± 0.25" in content
    assert client.get(address, {"criterion": "tone"}).context["chart"]["criterion"] == "quality"


@pytest.mark.parametrize(("file_format", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_the_chart_is_a_file_of_the_width_of_a_paper(
    client: Client, report: Report, file_format: str, start: bytes
) -> None:
    answer = chart(client, report, format=file_format, width="column", criterion="quality")
    assert answer.content.startswith(start)
    if file_format == "svg":
        points = re.search(r'<svg [^>]*width="([\d.]+)pt"', answer.content.decode())
        assert points
        assert float(points[1]) == pytest.approx(72 * WIDTHS["column"])


def test_the_file_has_names_a_panel_for_each_criterion_and_their_scales(
    client: Client, report: Report
) -> None:
    whole, one = (
        chart(client, report, format="svg", criterion=key).content.decode() for key in ("", "creativity")
    )
    assert "Novelty" in whole
    assert whole.count("crow") == 2 * one.count("crow") > 0
    assert ">7<" in one
    assert "95% confidence intervals" in one
    assert "wren" not in whole


@pytest.mark.parametrize("asked", [{"format": "csv"}, {"format": "svg", "criterion": "tone"}])
def test_a_chart_that_there_is_not_is_not_found(
    client: Client, report: Report, asked: dict[str, str]
) -> None:
    assert chart(client, report, **asked).status_code == 404
