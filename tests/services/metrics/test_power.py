"""A power plan: what is refused, what is stored, what its page and its files say, and what came out."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent
from annotation.models import Job, Study
from annotation.services.base.jobs import claim
from scoring.models import Report
from scoring.selectors.metrics.power_plans import outcome_of, usual_group_size
from scoring.services.metrics.mixed_model import compute_mixed_model, request_mixed_model
from scoring.services.metrics.power import compute_power, request_power
from scoring.services.metrics.power_fields import OF_QUESTION
from scoring.stats.agreement.coefficients import COEFFICIENTS
from tests.services.metrics.planned_study import SMALL, member, plan
from tests.services.metrics.rated_study import rated_study as unequal_study
from tests.support.people import make_cast
from tests.support.studies.rated_study import rated_study, report_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("question", OF_QUESTION)
def test_a_plan_from_typed_variances_has_a_row_for_each_design(question: str) -> None:
    report = plan(make_cast().study, question=question)
    assert [(row["items"], row["raters"], row["pool"]) for row in report.tables["designs"]] == [
        (10, 2, 4),
        (20, 2, 4),
    ]
    for row in report.tables["designs"]:
        assert row["low"] <= row["power"] <= row["high"]
        assert row["ratings"] == row["items"] * row["raters"] * (2 if question == "systems" else 1)
    assert (report.tables["without_effect"] is None) == (question == "coefficient")
    assert report.method["studies"] == 20
    assert outcome_of(report) is None


def test_the_same_settings_give_the_same_plan() -> None:
    study = make_cast().study
    first, second = plan(study, question="systems"), plan(study, question="systems")
    assert (first.tables, first.method) == (second.tables, second.method)
    assert plan(study, question="systems", difference="0.9").tables != first.tables


def test_groups_that_are_entered_are_simulated_and_resampled() -> None:
    study = make_cast().study
    alone, grouped = (
        plan(study, question="systems", items="20", shared="0.9", in_group=size) for size in ("0", "5")
    )
    assert [row["in_group"] for row in grouped.tables["designs"]] == [5]
    assert grouped.tables["designs"][0]["width"] > alone.tables["designs"][0]["width"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"question": "weather"}, "question"),
        ({"question": "systems", "difference": "much"}, "difference"),
        ({"question": "systems", "difference": "nan"}, "difference"),
        ({"question": "systems", "items": "10, x"}, "items"),
        ({"question": "systems", "items": "4"}, "items"),
        ({"question": "systems", "raters": "2.5"}, "raters"),
        ({"question": "systems", "items": "5,6,7,8,9", "raters": "1,2,3", "pool": "9"}, "items"),
        ({"question": "systems", "studies": "5000", "items": "2000", "pool": "1000"}, "studies"),
        ({"question": "systems", "step": "0.3"}, "step"),
        ({"question": "metrics", "correlation": "phi"}, "correlation"),
        ({"question": "coefficient", "coefficient": "beta"}, "coefficient"),
        ({"question": "systems", "criterion": "quality"}, "criterion"),
        ({"question": "systems", "difference": "0"}, "difference"),
        ({"question": "metrics", "first": ".5", "second": ".5"}, "second"),
        ({"question": "metrics", "first": "-.5"}, "first"),
        ({"question": "coefficient", "raters": "1, 3"}, "raters"),
        ({"question": "systems", "difference": 10**400}, "difference"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_and_stores_nothing(given: dict[str, Any], field: str) -> None:
    study = make_cast().study
    with pytest.raises(InvalidContent) as refused:
        request_power(study=study, given={**SMALL, **given}, actor=None)
    assert (refused.value.code, list(refused.value.fields)) == ("invalid_plan", [field])
    assert not Job.objects.filter(kind="power").exists()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"question": "systems", "difference": "3"}, "difference_off_scale"),
        ({"question": "systems", "mean": "9"}, "mean_off_scale"),
        ({"question": "systems", "raters": "5", "pool": "4"}, "pool_too_small"),
        (
            {"question": "metrics", "first": ".9", "second": ".1", "between": "-.9"},
            "impossible_correlations",
        ),
    ],
)
def test_what_cannot_be_simulated_is_refused_when_it_is_asked_for(given: dict[str, str], code: str) -> None:
    study = make_cast().study
    with pytest.raises(InvalidContent) as refused:
        request_power(study=study, given={**SMALL, **given}, actor=None)
    assert refused.value.code == code
    page = member(study).post(reverse("study-power", args=[study.slug]), {**SMALL, **given})
    assert page.status_code == 422
    assert str(refused.value.message).replace("'", "&#x27;") in page.content.decode()
    assert not Job.objects.filter(kind="power").exists()


def test_a_plan_from_the_pilot_is_compared_with_later_results_alone() -> None:
    study = unequal_study()
    report_of(study)
    lease = claim(job_id=request_mixed_model(study=study, actor=None).pk)
    assert lease is not None
    model = compute_mixed_model(lease=lease).tables["models"][0]
    report = plan(
        study, question="coefficient", criterion=model["criterion"], coefficient="alpha:ordinal", bound="-1"
    )
    answering = report.method["answering"]
    assert answering["points"] == model["values"]
    assert len(answering["systems"]) == 3
    assert [row["power"] for row in report.tables["designs"]] == [1.0, 1.0]
    assert outcome_of(report) is None
    Report.objects.filter(kind="reliability").delete()
    later = report_of(study)
    outcome = outcome_of(report)
    assert outcome is not None
    assert outcome["report"] == later
    (row,) = outcome["rows"]
    stored = next(
        one
        for one in later.figures
        if (one["criterion"], one["coefficient"], one["variant"]) == (model["criterion"], "alpha", "ordinal")
    )
    assert (row["estimate"], row["low"], row["above"]) == (stored["estimate"], stored["low"], True)
    page = member(study).get(reverse("study-power", args=[study.slug])).content.decode()
    assert "Results since this plan" in page
    assert "As in the ordinal mixed model of" in page
    assert COEFFICIENTS["alpha"].title in page


def test_the_form_proposes_the_groups_that_the_study_has() -> None:
    assert usual_group_size(unequal_study()) == 1
    study = Study.objects.get()
    study.items.update(system="")
    assert usual_group_size(study) == 3
    page = member(study).get(reverse("study-power", args=[study.slug])).content.decode()
    assert 'name="in_group" value="3"' in page
    study.items.update(group="")
    assert usual_group_size(study) == 0


def test_the_page_shows_the_plan_its_assumptions_and_the_earlier_ones() -> None:
    study = make_cast().study
    first = plan(study, question="systems", difference="1.5", studies="30")
    plan(study, question="metrics")
    client, address = member(study), reverse("study-power", args=[study.slug])
    newest = client.get(address).content.decode()
    assert "True correlations of the metrics" in newest
    earlier = client.get(address, {"plan": first.pk}).content.decode()
    assert "True difference of the mean ratings: 1.5" in earlier
    assert "30 simulated studies per design" in earlier
    assert f"?plan={first.pk}" in newest
    assert client.get(address, {"plan": first.pk + 99}).status_code == 404
    assert client.get(address, {"question": "weather"}).status_code == 404


def test_the_form_starts_the_simulation_and_a_refused_form_keeps_what_was_typed() -> None:
    study = make_cast().study
    client, address = member(study), reverse("study-power", args=[study.slug])
    assert client.post(address, {**SMALL, "question": "systems", "difference": "0.4"}).status_code == 302
    assert Job.objects.get(kind="power").params["difference"] == 0.4
    refused = client.post(address, {**SMALL, "question": "systems", "difference": "a lot"})
    page = refused.content.decode()
    assert refused.status_code == 422
    assert 'value="a lot"' in page
    assert page.count('aria-invalid="true"') == 1


def test_files_have_the_designs() -> None:
    study = make_cast().study
    report = plan(study, question="systems")
    client = member(study)
    address = reverse("study-power-download", args=[study.slug, report.pk, "csv"])
    content = b"".join(client.get(address)).decode()
    rows = list(csv.DictReader(io.StringIO(content)))
    assert [float(row["power"]) for row in rows] == [one["power"] for one in report.tables["designs"]]
    latex = client.get(reverse("study-power-download", args=[study.slug, report.pk, "tex"])).content.decode()
    assert f"seed {report.method['seed']}" in latex
    assert client.get(reverse("study-power-download", args=[study.slug, report.pk, "pdf"])).status_code == 404


def test_the_api_takes_the_same_plan_and_gives_the_newest() -> None:
    study = make_cast().study
    client, address = member(study), reverse("api_power", args=[study.slug])
    body = {"question": "systems", "items": [10, 20], "raters": [2], "pool": 4, "studies": 20}
    sent = client.post(address, body, content_type="application/json")
    assert sent.status_code == 202
    lease = claim(job_id=sent.json()["id"])
    assert lease is not None
    stored = compute_power(lease=lease)
    found = client.get(address).json()
    assert (found["designs"], found["method"]) == (stored.tables["designs"], stored.method)
    refused = client.post(address, {**body, "pool": 1}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "pool_too_small")


def test_reports_of_plans_do_not_hide_those_of_ratings() -> None:
    study = rated_study(with_scores=False)
    plan(study, question="systems")
    report = report_of(study)
    page = member(study).get(reverse("study-reliability", args=[study.slug]))
    assert page.context["report"] == report
