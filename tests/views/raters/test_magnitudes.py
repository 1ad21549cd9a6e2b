"""Pages about raters compare magnitude estimates by their ratios."""

from __future__ import annotations

import math
from statistics import correlation
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent
from annotation.models import Study
from annotation.selectors.quality.rater_evidence import evidence_of
from annotation.selectors.quality.rater_profile import profile_of
from annotation.services.base.jobs import claim
from annotation.services.quality.exclusion_rules import declare_rule
from scoring.selectors.data.answers import study_answers
from scoring.selectors.raters.rater_list import compare_raters
from scoring.services.raters.multiverse import compute_multiverse, request_multiverse
from scoring.services.raters.rule_conditions import conditions_of
from scoring.stats.raters.exclusion import find_matches
from tests.bundle.kinds.magnitude_study import give, rated, study_with_magnitudes
from tests.support.studies.disagreement_study import previewed

pytestmark = pytest.mark.django_db


def client_of(study: Study) -> Client:
    client = Client()
    client.force_login(study.memberships.get().user)
    return client


def compared(study: Study) -> dict[str, Any]:
    return compare_raters(study, study.raters.get(code="R-0"), study.raters.get(code="R-1"))


def test_two_raters_of_magnitudes_are_compared_in_logarithms_with_a_reason_for_what_needs_points():
    study = rated("compared")
    (apt,) = compared(study)["criteria"]
    assert (apt["n"], apt["within_one"], apt["exact"]) == (12, None, None)
    assert apt["reason"] == "continuous_scale"
    assert 0.08 < apt["ratio"] < 0.12
    page = client_of(study).get(reverse("study-raters-compared", args=[study.slug]), {"a": "R-0", "b": "R-1"})
    assert "scale has no categories" in page.content.decode()


def test_numbers_without_categories_have_no_table_of_values_against_values():
    (apt,) = compared(rated("crosstab"))["criteria"]
    assert (apt["values"], apt["table"]) == ([], [])


def test_the_largest_differences_are_the_largest_ratios_with_all_their_digits():
    study = study_with_magnitudes("ratios")
    give(study, [[12.5, 1000, 7], [1, 1100, 7]])
    assert compared(study)["apart"] == [
        {"criterion": "apt", "item": "I-00", "first": 12.5, "second": 1},
        {"criterion": "apt", "item": "I-01", "first": 1000, "second": 1100},
    ]


def test_attentive_raters_of_magnitudes_are_not_flagged_and_are_correlated_in_logarithms():
    study = study_with_magnitudes("attentive")
    numbers = [[2.0**n for n in range(12)], [(n + n % 3 + 1) ** 2.0 for n in range(12)]]
    give(study, numbers)
    found = profile_of(study.raters.get(code="R-0"))
    assert (found["spread"].flagged, found["spread"].reason) == (None, "no_ends")
    assert sorted(evidence_of(study.raters.get(code="R-0")).pages[-1].values) == [2048]
    expected = correlation(*([math.log(one) for one in own] for own in numbers))
    assert found["correlation"].value == pytest.approx(expected)


OPPOSED = {"kind": "opposition", "criterion": "apt", "low": 5, "high": 500}


def test_a_rule_on_opposed_ratings_takes_its_bounds_as_magnitudes():
    study = study_with_magnitudes("opposed")
    give(study, [[4, 6, 4], [600, 600, 400]])
    answers = study_answers(study).answers
    caught = find_matches(answers, conditions_of([OPPOSED], answers.scales)).items
    assert answers.item_labels[caught].tolist() == ["I-00"]


@pytest.mark.parametrize("low", ["0", "-2"])
def test_a_rule_on_magnitudes_refuses_a_bound_that_is_not_above_zero(low):
    study = rated("refused")
    with pytest.raises(InvalidContent) as refused:
        declare_rule(
            study=study,
            name="Opposed",
            conditions=[{**OPPOSED, "low": low}],
            reason="Raters differ.",
            criteria=["apt"],
            on_ratios=["apt"],
            actor=study.memberships.get().user,
        )
    assert refused.value.code == "bound_not_above_zero"
    sent = {
        "name": "Opposed",
        "reason": "Raters differ.",
        "use-opposition": "on",
        "opposition-criterion": "apt",
        "opposition-low": low,
        "opposition-high": "500",
    }
    page = client_of(study).post(reverse("study-rules", args=[study.slug]), sent)
    assert page.status_code == 422
    assert "All ratings on apt are." in page.content.decode()


def test_the_form_of_a_rule_begins_with_magnitudes():
    study = rated("begins")
    form = client_of(study).get(reverse("study-rules", args=[study.slug])).context["form"]
    (opposed,) = [one for one in form["conditions"] if one["key"] == "opposition"]
    values = {one["field"]: one["value"] for one in opposed["settings"]}
    assert (values["opposition-low"], values["opposition-high"]) == ("0.032", "3200")


def test_means_before_and_after_a_rule_are_geometric_and_say_so():
    study = study_with_magnitudes("means")
    give(study, [[1, 4, 4], [100, 4, 4], [1, 4, 4]])
    rule = declare_rule(
        study=study,
        name="Opposed",
        conditions=[{**OPPOSED, "low": 2, "high": 50}],
        reason="Raters differ.",
        criteria=["apt"],
        on_ratios=["apt"],
        actor=study.memberships.get().user,
    )
    lease = claim(job_id=request_multiverse(study=study, actor=None).pk)
    assert lease is not None
    compute_multiverse(lease=lease)
    multiverse = client_of(study).get(reverse("study-multiverse", args=[study.slug]))
    (all_ratings,) = multiverse.context["worlds"][0]["cells"]
    assert all_ratings["mean"] == pytest.approx((100 * 4**6) ** (1 / 9))
    assert all_ratings["mean_label"] == "Geometric mean"
    previewed(rule)
    page = client_of(study).get(reverse("study-rule", args=[study.slug, rule.pk]))
    (apt,) = page.context["means"]
    assert (apt["before"]["greatest"], apt["after"]["least"]) == pytest.approx((100 ** (1 / 3), 4))
    assert "With a geometric mean, the SD is that of natural logarithms." in page.content.decode()
