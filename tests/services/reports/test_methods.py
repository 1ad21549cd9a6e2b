"""The methods paragraph counts as the reliability report does, and says which versions raters saw."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Criterion, Pay, Study
from scoring.models import Report
from scoring.selectors.agreement.recommended import recommended_rows
from scoring.selectors.reports.collected import count_collected
from scoring.selectors.reports.methods import methods_paragraph
from scoring.selectors.reports.study_facts import StudyFacts, facts_of
from scoring.services.reports.reliability import compute_report, request_report
from scoring.stats.agreement.coefficients import COEFFICIENTS
from tests.support.people import Cast
from tests.support.studies.adjudication_study import make_case_study
from tests.support.studies.counting_study import make_counting_cast
from tests.support.studies.disagreement_study import _lease
from tests.support.studies.rated_study import rated_study

pytestmark = pytest.mark.django_db
COUNTS = ("ratings", "responses", "items", "raters")


@pytest.fixture
def cast() -> Cast:
    return make_counting_cast()


def reported(study: Study) -> Report:
    return compute_report(
        lease=_lease(request_report(study=study, actor=None, replicates=50, announce=False).pk)
    )


def paragraph(study: Study) -> str:
    return methods_paragraph(study, facts_of(study, {}, with_pay=False))


def counts_of(data: dict[str, Any]) -> list[int]:
    return [data[f"n_{name}"] for name in COUNTS]


@pytest.mark.parametrize("late", [False, True])
def test_the_paragraph_has_the_numbers_of_the_reliability_page(cast, late):
    study = cast.study
    Study.objects.filter(pk=study.pk).update(include_late=late)
    study.refresh_from_db()
    report = reported(study)
    ratings, responses, items, raters = counts_of(report.data)
    client = Client()
    client.force_login(cast.users["owner"])
    page = client.get(reverse("study-reliability", args=[study.slug])).content.decode()
    assert f"{ratings}, from {responses} responses" in page
    paper = client.get(reverse("study-paper", args=[study.slug])).context["methods"]
    sentence = f"use {ratings} ratings in {responses} responses about {items} items from {raters} raters"
    assert sentence in paper
    (part,) = count_collected(study, list(study.forms.all())).parts
    assert part.cannot_rate == report.data["set_apart"]["cannot_rate"]
    assert count_collected(study, list(study.forms.all())).late == report.data["set_apart"]["late"]
    assert count_collected(study, list(study.forms.all())).excluded == sum(report.data["excluded"].values())


def test_each_kind_of_question_is_counted_as_on_the_reliability_page():
    study = make_case_study()
    by_kind = reported(study).data["by_kind"]
    found = {
        part.kind: [getattr(part, name) for name in COUNTS]
        for part in count_collected(study, list(study.forms.all())).parts
    }
    assert found == {kind: counts_of(data) for kind, data in by_kind.items()}
    assert set(found) == {"scale", "choice", "tuples"}


def test_the_paragraph_says_how_many_responses_saw_each_version_and_which_one_is_used(cast):
    text = paragraph(cast.study)
    assert "8 responses saw version 1, 13 responses saw version 2 and 2 responses saw version 3" in text
    assert "the statistics use version 2." in text


def test_the_paragraph_does_not_mention_a_single_version():
    assert "saw version" not in paragraph(make_case_study())


def test_the_paragraph_says_what_was_requested_of_each_item_and_what_was_reached(cast):
    """Version 2 without late and excluded responses: L00 has 3, L01 has 3, L02 has 1; L03 is excluded."""
    text = paragraph(cast.study)
    assert "we requested 3 raters per item" in text
    used = "among the responses that the statistics use"
    assert f"a median of 3 (range 1 to 3) {used}, and 1 of 3 items received fewer than requested." in text


def paid_study(*, simulated: bool) -> StudyFacts:
    study = rated_study(with_scores=False)
    study.raters.filter(code="M-1").update(simulated=simulated)
    Pay.objects.create(study=study, currency="EUR", amount=Decimal("0.1000"))
    return facts_of(study, {}, with_pay=True)


def text_of(facts: StudyFacts) -> str:
    return methods_paragraph(Study.objects.get(), replace(facts, page_seconds=12.2))


def test_pay_and_time_name_the_raters_they_are_about():
    everybody = text_of(paid_study(simulated=False))
    assert "Raters were paid EUR 0.10 per page. Raters took 12 s for the median page." in everybody


def test_simulated_raters_have_neither_pay_nor_time():
    facts = paid_study(simulated=True)
    text = text_of(facts)
    assert "Raters who are not simulated were paid EUR 0.10 per page." in text
    assert "Raters who are not simulated took 12 s for the median page." in text
    without_pay = text_of(replace(facts, simulated=facts.raters))
    assert "paid" not in without_pay
    assert "median page" not in without_pay


def test_items_that_all_received_as_many_ratings_have_no_range():
    text = paragraph(rated_study(with_scores=False))
    assert "items received 2 each" in text
    assert "range" not in text


def test_an_exclusion_rule_appears_under_its_title(cast):
    text = paragraph(cast.study)
    rule = cast.study.exclusion_rules.get()
    assert f"by the rule “{rule.name}”" in text
    assert rule.key not in text.replace(rule.name, "")
    assert "manually" in text
    assert "because their raters withdrew" in text


def test_the_reliability_of_mean_ratings_is_that_of_the_coefficient_to_report():
    study = rated_study(with_scores=False)
    report = reported(study)
    found = [row for row in recommended_rows(report, "mean") if row["estimate"] is not None]
    assert found
    text = methods_paragraph(study, facts_of(study, {"reliability": report}, with_pay=False))
    for row in found:
        title = COEFFICIENTS[row["coefficient"]].title
        assert f"{row['criterion']} {row['estimate']:.3f}" in text.partition(f"{title} (95% CI): ")[2]


@pytest.mark.parametrize(
    ("condition", "words"),
    [("4", "“4”"), (">=4", "an answer of at least 4"), ("<=2", "an answer of at most 2")],
)
def test_the_answers_after_which_a_criterion_was_asked_are_named(cast, condition: str, words: str) -> None:
    criteria = Criterion.objects.filter(version__form__study=cast.study)
    first, second, *_ = criteria.order_by("version", "position")
    criteria.filter(key=second.key).update(asked_after=first.key, asked_when=condition)
    assert f"only after {words} to “{first.name}”" in paragraph(cast.study)
