"""Generalisability of a study: what it is estimated from, and what its page, files and the planner say."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.urls import reverse

from annotation.domain.base.errors import GroundworkError
from annotation.models import Criterion, Item, Rating, Study
from annotation.services.base.jobs import claim
from annotation.services.items.corrections import correct_item
from scoring.models import Report
from scoring.selectors.agreement.generalisability import (
    file_rows,
    publishable_sentence,
    sets_of,
    shown_analysis,
)
from scoring.selectors.data.staleness import is_stale
from scoring.services.agreement.generalisability import compute_generalisability, request_generalisability
from scoring.stats.agreement.generalisability.analysis import generalisability
from tests.services.metrics.rated_study import owner_of, rated_study, ratings_of

pytestmark = pytest.mark.django_db

PAGE, FILE = "study-generalisability", "study-generalisability-download"


def compute(study: Study) -> Report:
    lease = claim(job_id=request_generalisability(study=study, actor=None).pk)
    assert lease is not None
    return compute_generalisability(lease=lease)


def analysis_of(report: Report, criterion: str) -> dict[str, Any]:
    return next(one for one in report.tables["analyses"] if one["criterion"] == criterion)


def variances_of(analysis: dict[str, Any]) -> dict[str, float]:
    return {one["name"]: one["variance"] for one in analysis["components"]}


def test_the_components_of_a_criterion_are_those_of_its_ratings():
    study = rated_study()
    expected = generalisability(ratings_of(study, "quality").drop(columns="system"))
    found = analysis_of(compute(study), "quality")
    assert variances_of(found) == pytest.approx({one.name: one.variance for one in expected.components})
    assert {"group", "group:rater"} <= set(variances_of(found))
    assert found["readings"][0]["at_hand"]["absolute"]["value"] == pytest.approx(
        expected.readings[0].at_hand.absolute.value
    )


def test_criteria_on_one_scale_are_analysed_together_too():
    study = rated_study()
    keys = list(Criterion.objects.filter(version__form__study=study).values_list("key", flat=True))
    assert len(keys) > 1
    report = compute(study)
    together = sets_of(report)[-1]
    assert together["criteria"] == keys
    found = analysis_of(report, " + ".join(keys))
    assert {"criterion", "item:rater", "item:criterion", "rater:criterion"} <= set(variances_of(found))
    assert [one["criteria"] for one in found["readings"]] == ["these_criteria", "new_criteria"]


def test_criteria_on_different_scales_are_analysed_alone_only():
    study = rated_study()
    for number, criterion in enumerate(Criterion.objects.filter(version__form__study=study)):
        Criterion.objects.filter(pk=criterion.pk).update(maximum=5 + number)
    assert {len(one["criteria"]) for one in sets_of(compute(study))} == {1}


def test_the_same_ratings_are_estimated_once_and_a_corrected_group_makes_the_report_stale():
    study = rated_study()
    first, second = compute(study), compute(study)
    assert first.fingerprint == second.fingerprint
    assert first.tables == second.tables
    assert not is_stale(study, second)
    item = study.items.order_by("pk")[0]
    correct_item(item=item, group="G11", actor=study.memberships.get(role="owner").user)
    assert is_stale(study, second)


def test_groups_of_one_item_are_no_facet():
    study = rated_study()
    for item in study.items.all():
        Item.objects.filter(pk=item.pk).update(group=item.key)
    assert set(variances_of(analysis_of(compute(study), "quality"))) == {"item", "rater", "residual"}


def test_raters_who_are_not_identified_are_refused():
    study = rated_study()
    Study.objects.filter(pk=study.pk).update(identified=False)
    with pytest.raises(GroundworkError) as caught:
        compute(Study.objects.get(pk=study.pk))
    assert caught.value.code == "anonymous_raters"


def test_a_criterion_without_components_is_named_with_its_reason():
    study = rated_study()
    Rating.objects.filter(criterion__key="quality", response__assignment__item__study=study).update(value=3)
    report = compute(study)
    assert {one["criterion"]: one["reason"] for one in report.tables["refused"]} == {
        "quality": "constant_ratings"
    }
    page = owner_of(study).get(reverse(PAGE, args=[study.slug]), {"criterion": "quality"})
    assert "ratings do not vary" in page.content.decode()


def test_the_page_and_the_files_have_the_figures_of_the_report():
    study = rated_study()
    report = compute(study)
    client = owner_of(study)
    page = client.get(reverse(PAGE, args=[study.slug]), {"criterion": "quality"}).content.decode()
    found = analysis_of(report, "quality")
    for one in found["components"]:
        assert f"{one['variance']:.3f}" in page or one["at_boundary"]
    for which in ("relative", "absolute"):
        assert f"<b>{found['readings'][0]['at_hand'][which]['value']:.2f}</b>" in page
    table = client.get(reverse(FILE, args=[study.slug, report.pk, "components", "csv"]))
    rows = list(csv.DictReader(io.StringIO(b"".join(table).decode("utf-8-sig"))))
    assert {(row["criterion"], row["effect"], float(row["variance"])) for row in rows} == {
        (one["criterion"], each["name"], each["variance"])
        for one in report.tables["analyses"]
        for each in one["components"]
    }
    whole = client.get(reverse(FILE, args=[study.slug, report.pk, "report", "json"]))
    assert json.loads(whole.content)["analyses"] == report.tables["analyses"]
    latex = client.get(reverse(FILE, args=[study.slug, report.pk, "d-study", "tex"])).content.decode()
    readings = sum(len(one["readings"]) for one in report.tables["analyses"])
    assert latex.count("\\\\") == 1 + readings * 10 * 4
    assert client.get(reverse(FILE, args=[study.slug, report.pk, "unknown", "csv"])).status_code == 404
    assert client.get(reverse(PAGE, args=[study.slug]), {"criterion": "unknown"}).status_code == 404


def test_a_variance_of_0_is_shown_with_its_note():
    study = rated_study()
    report = compute(study)
    tables = report.tables
    tables["analyses"][0]["components"][1] |= {"variance": 0.0, "at_boundary": True, "low": 0.0}
    Report.objects.filter(pk=report.pk).update(tables=tables)
    page = owner_of(study).get(reverse(PAGE, args=[study.slug])).content.decode()
    assert "at the boundary" in page
    assert "This does not prove that the variance is 0" in page


def test_the_planner_shows_what_other_numbers_of_raters_would_give():
    study = rated_study()
    report = compute(study)
    shown = shown_analysis(report, sets_of(report)[0]["criterion"])
    assert shown is not None
    reading = shown["readings"][0]
    page = owner_of(study).get(reverse("study-planner", args=[study.slug])).content.decode()
    sentence = f"Φ is {reading['more']['value']:.2f} instead of {reading['fewer']['value']:.2f}"
    assert sentence in page
    assert page.count('class="ci"') == 3 * len(reading["rows"])
    assert "The D study below is out of date" not in page


def test_the_planner_says_where_its_d_study_is_out_of_date():
    study = rated_study()
    compute(study)
    owner = study.memberships.get(role="owner").user
    correct_item(item=study.items.order_by("pk")[0], group="G11", actor=owner)
    page = owner_of(study).get(reverse("study-planner", args=[study.slug])).content.decode()
    assert "The D study below is out of date" in page


def test_few_raters_are_a_caution_on_pages_and_in_the_rows_that_count_severity():
    study = rated_study()
    report = compute(study)
    assert analysis_of(report, "quality")["counts"]["rater"] == 5
    for name in (PAGE, "study-planner"):
        page = owner_of(study).get(reverse(name, args=[study.slug])).content.decode()
        assert page.count("Few raters: the 95% CIs of Φ") == 1
    at_hand = {
        (row["coefficient"], row["caution"].split()[:1] == ["few_raters"])
        for row in file_rows(report, "coefficients")
    }
    assert at_hand == {("relative", False), ("absolute", True)}
    cautioned = {
        (row["design"], row["coefficient"])
        for row in file_rows(report, "d-study")
        if "few_raters" in row["caution"]
    }
    assert cautioned == {("same", "absolute"), ("different", "relative"), ("different", "absolute")}


def test_a_d_study_says_where_item_by_rater_is_part_of_the_residual():
    study = rated_study()
    report = compute(study)
    name = sets_of(report)[-1]["criterion"]
    page = owner_of(study).get(reverse(PAGE, args=[study.slug]), {"criterion": name}).content.decode()
    assert "the whole residual counts as item × rater" not in page
    tables = report.tables
    analysis = next(one for one in tables["analyses"] if one["criterion"] == name)
    analysis["left_out"] = [{"name": "item:rater", "same_as": ["residual"]}]
    Report.objects.filter(pk=report.pk).update(tables=tables)
    page = owner_of(study).get(reverse(PAGE, args=[study.slug]), {"criterion": name}).content.decode()
    assert "the whole residual counts as item × rater" in page


def test_the_sentence_for_a_paper_counts_what_was_analysed():
    report = compute(rated_study())
    shown = shown_analysis(report, "quality")
    assert shown is not None
    text = publishable_sentence(report, shown)
    assert "180 ratings of 36 items by 5 raters" in text
    assert "item, rater, group and group × rater" in text
    assert "criteria" not in text


def test_the_sentence_for_a_paper_says_that_criteria_are_fixed():
    report = compute(rated_study())
    shown = shown_analysis(report, sets_of(report)[-1]["criterion"])
    assert shown is not None
    number = len(shown["criteria"])
    text = publishable_sentence(report, shown)
    assert f"the mean of these {number} criteria, which are taken as fixed" in text
