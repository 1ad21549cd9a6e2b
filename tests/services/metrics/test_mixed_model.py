"""The ordinal mixed model of a study: what it is fitted to, and what its page and files say."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.urls import reverse

from annotation.domain.base.errors import GroundworkError
from annotation.models import Item, Rating, Study
from annotation.services.base.jobs import claim
from annotation.services.items.corrections import correct_item
from scoring.models import Report
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.metrics.mixed_models import publishable_text, shown_model
from scoring.services.base import single_raters
from scoring.services.base.single_raters import remove_rater_statistics
from scoring.services.metrics.mixed_model import compute_mixed_model, request_mixed_model
from scoring.stats.agreement.ordinal.ordinal_model import ordinal_model
from tests.services.metrics.rated_study import owner_of, rated_study, ratings_of

pytestmark = pytest.mark.django_db


FILE = "study-mixed-model-download"


def compute(study: Study) -> Report:
    lease = claim(job_id=request_mixed_model(study=study, actor=None).pk)
    assert lease is not None
    return compute_mixed_model(lease=lease)


def model_of(report: Report, criterion: str) -> dict[str, Any]:
    return next(one for one in report.tables["models"] if one["criterion"] == criterion)


def test_the_model_of_a_criterion_is_that_of_its_ratings():
    study = rated_study()
    report = compute(study)
    expected = ordinal_model(ratings_of(study, "quality"), seed=report.method["seed"])
    found = model_of(report, "quality")
    assert [row["system"] for row in found["systems"]] == list(expected.systems)
    assert [row["adjusted"]["value"] for row in found["systems"]] == pytest.approx(
        [one.value for one in expected.adjusted.means]
    )
    assert {row["rater"]: row["ratings"] for row in found["raters"]} == {
        one.rater: one.ratings for one in expected.raters
    }
    assert found["log_likelihood"] == pytest.approx(expected.fit.log_likelihood)


@pytest.mark.parametrize("what", ["wright-map", "adjusted-means"])
def test_the_charts_of_a_criterion_are_files_for_a_paper(what):
    study = rated_study()
    report = compute(study)
    address = reverse(FILE, args=[study.slug, report.pk, what, "figure"])
    chart = owner_of(study).get(address, {"criterion": "quality", "format": "svg", "width": "column"})
    assert chart["Content-Type"] == "image/svg+xml"
    assert all(row["system"] in chart.content.decode() for row in model_of(report, "quality")["systems"])
    assert owner_of(study).get(address, {"criterion": "unknown", "format": "svg"}).status_code == 404


def test_the_severe_rater_is_named():
    shown = shown_model(compute(rated_study()), "quality")
    assert shown is not None
    assert [row["rater"] for row in shown["raters"] if row["low"] > 0] == ["M-0"]


def test_the_text_for_a_paper_counts_what_the_table_shows():
    report = compute(rated_study())
    shown = shown_model(report, "quality")
    assert shown is not None
    text = publishable_text(report, shown)
    excluding = [row for row in model_of(report, "quality")["differences"] if row["low"] * row["high"] > 0]
    assert f"fitted to {36 * 5} ratings by 5 raters" in text
    assert f"Of 3 differences between systems, {len(excluding)} exclude 0" in text
    assert "random items, groups and raters" in text


def test_the_same_ratings_are_fitted_once():
    study = rated_study()
    first, second = compute(study), compute(study)
    assert first.fingerprint == second.fingerprint
    assert first.tables == second.tables
    assert not is_stale(study, second)


def test_groups_of_one_item_are_no_factor_of_the_model():
    study = rated_study()
    for item in study.items.all():
        Item.objects.filter(pk=item.pk).update(group=item.key)
    assert {row["factor"] for row in model_of(compute(study), "quality")["variances"]} == {
        "items",
        "raters",
        "rest",
    }


def test_two_groups_are_no_factor_of_the_model():
    study = rated_study()
    for number, item in enumerate(study.items.order_by("pk")):
        Item.objects.filter(pk=item.pk).update(group=f"G{number % 2}")
    assert {row["factor"] for row in model_of(compute(study), "quality")["variances"]} == {
        "items",
        "raters",
        "rest",
    }


def test_a_corrected_system_makes_the_report_stale():
    study = rated_study()
    report = compute(study)
    assert not is_stale(study, report)
    item = study.items.order_by("pk")[0]
    correct_item(item=item, system="owl", actor=study.memberships.get(role="owner").user)
    assert is_stale(study, report)


def test_a_caution_stays_when_the_data_of_a_rater_are_erased():
    study = rated_study()
    report = compute(study)
    remove_rater_statistics(study.raters.get(code="M-1"))
    report.refresh_from_db()
    shown = shown_model(report, "quality")
    assert shown is not None
    assert shown["is_small"]
    assert "by 5 raters" in publishable_text(report, shown)


def test_a_rater_who_is_erased_while_the_job_runs_is_not_stored(monkeypatch):
    study = rated_study()
    erased = study.raters.get(code="M-2")
    monkeypatch.setattr(single_raters, "erased_raters", lambda _: {erased.code: erased.pk})
    report = compute(study)
    assert {len(model["raters"]) for model in report.tables["models"]} == {0}


def test_open_pairs_have_the_half_widths_of_their_own_intervals():
    shown = shown_model(compute(rated_study()), "quality")
    assert shown is not None
    open_pairs = [row for row in shown["differences"] if row["low"] <= 0]
    assert len(open_pairs) + len(shown["found"]) == 3
    widths = [row["high"] - row["difference"] for row in open_pairs]
    assert shown["open"] == ({"n": len(widths), "low": min(widths), "high": max(widths)} if widths else None)


def test_a_report_of_earlier_definitions_is_not_shown():
    study = rated_study()
    report = compute(study)
    Report.objects.filter(pk=report.pk).update(method={**report.method, "definitions": 1})
    page = owner_of(study).get(reverse("study-mixed-model", args=[study.slug])).content.decode()
    assert "Compute the model" in page


def test_a_system_with_the_name_of_the_criterion_is_a_system():
    study = rated_study()
    study.items.filter(system="owl").update(system="quality")
    model = model_of(compute(study), "quality")
    assert "quality" in [row["system"] for row in model["systems"]]
    page = owner_of(study).get(reverse("study-mixed-model", args=[study.slug]), {"criterion": "quality"})
    assert "All items" not in page.content.decode()


def test_items_without_systems_give_severities_and_no_differences():
    study = rated_study()
    study.items.update(system="")
    model = model_of(compute(study), "quality")
    assert model["differences"] == []
    assert [row["system"] for row in model["systems"]] == [""]


def test_only_some_items_with_a_system_are_refused():
    study = rated_study()
    Item.objects.filter(pk=study.items.order_by("pk")[0].pk).update(system="")
    with pytest.raises(GroundworkError) as caught:
        compute(study)
    assert caught.value.code == "partly_system"
    assert not Report.objects.filter(study=study, kind="mixed_model").exists()


def test_raters_who_are_not_identified_are_refused():
    study = rated_study()
    Study.objects.filter(pk=study.pk).update(identified=False)
    with pytest.raises(GroundworkError) as caught:
        compute(Study.objects.get(pk=study.pk))
    assert caught.value.code == "anonymous_raters"


def test_a_criterion_without_a_model_is_named_with_its_reason():
    study = rated_study()
    Rating.objects.filter(criterion__key="quality", response__assignment__item__study=study).update(value=3)
    report = compute(study)
    assert {one["criterion"]: one["reason"] for one in report.tables["refused"]} == {
        "quality": "constant_ratings"
    }
    page = owner_of(study).get(reverse("study-mixed-model", args=[study.slug]), {"criterion": "quality"})
    assert "ratings do not vary" in page.content.decode()


def test_severities_go_when_the_data_of_a_rater_are_erased():
    study = rated_study()
    report = compute(study)
    rater = study.raters.get(code=model_of(report, "quality")["raters"][0]["rater"])
    remove_rater_statistics(rater)
    report.refresh_from_db()
    assert {len(model["raters"]) for model in report.tables["models"]} == {0}
    assert model_of(report, "quality")["systems"]
    page = owner_of(study).get(reverse("study-mixed-model", args=[study.slug]))
    assert "Statistics by rater were removed" in page.content.decode()


def test_marks_are_hollow_where_an_interval_includes_zero_and_plain_means_are_above_adjusted_ones():
    study = rated_study()
    model = shown_model(compute(study), "quality")
    assert model
    around = [*model["differences"], *model["raters"]]
    assert {row["shape"] for row in around} == {"circle", "hollow"}
    assert all((row["shape"] == "hollow") == (row["low"] <= 0 <= row["high"]) for row in around)
    assert [tick["label"] for tick in model["severity_ticks"] if tick["zero"]] == ["0"]
    page = owner_of(study).get(reverse("study-mixed-model", args=[study.slug]), {"criterion": "quality"})
    html = page.content.decode()
    assert html.count('cy="-12"') == len(model["systems"])
    assert html.count('class="guide"') == len(around)


def test_the_page_and_the_files_have_the_figures_of_the_report():
    study = rated_study()
    report = compute(study)
    client = owner_of(study)
    page = client.get(
        reverse("study-mixed-model", args=[study.slug]), {"criterion": "quality"}
    ).content.decode()
    for row in model_of(report, "quality")["systems"]:
        assert f"{row['adjusted']['value']:.2f}" in page
    table = client.get(reverse(FILE, args=[study.slug, report.pk, "adjusted-means", "csv"]))
    rows = list(csv.DictReader(io.StringIO(b"".join(table).decode("utf-8-sig"))))
    assert {(row["criterion"], row["system"], float(row["adjusted"])) for row in rows} == {
        (model["criterion"], row["system"], row["adjusted"]["value"])
        for model in report.tables["models"]
        for row in model["systems"]
    }
    whole = client.get(reverse(FILE, args=[study.slug, report.pk, "model", "json"]))
    assert json.loads(whole.content)["models"] == report.tables["models"]
    latex = client.get(reverse(FILE, args=[study.slug, report.pk, "differences", "tex"])).content.decode()
    assert latex.count("\\\\") == 1 + sum(len(model["differences"]) for model in report.tables["models"])


def test_thresholds_of_each_rater_are_on_the_page_and_in_files_until_a_rater_is_erased():
    study = rated_study(lowest=2, highest=4)
    report = compute(study)
    own = model_of(report, "quality")["rater_thresholds"]
    assert (own["reason"], own["freedom"]) == ("", 4 * 1)
    assert 0 <= own["p"] <= 1
    address = reverse("study-mixed-model", args=[study.slug])
    page = owner_of(study).get(address, {"criterion": "quality"}).content.decode()
    assert f"Likelihood ratio {own['statistic']:.1f}" in page
    csv_file = owner_of(study).get(reverse(FILE, args=[study.slug, report.pk, "rater-thresholds", "csv"]))
    rows = list(csv.DictReader(io.StringIO(b"".join(csv_file).decode())))
    found = [float(row["threshold"]) for row in rows if row["criterion"] == "quality"]
    assert found == [one for rater in own["raters"] for one in rater["thresholds"]]
    remove_rater_statistics(study.raters.get(code="M-1"))
    report.refresh_from_db()
    assert model_of(report, "quality")["rater_thresholds"] == {**own, "raters": []}


def test_a_rater_without_one_of_the_values_leaves_the_reason_alone():
    report = compute(rated_study())
    own = model_of(report, "quality")["rater_thresholds"]
    assert own == {"reason": "unused_value", "raters": []}
