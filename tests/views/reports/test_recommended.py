"""What to report: the design is read from the report, and a statistic has one sentence without a verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from annotation.domain.base.messages import Message
from annotation.models import Membership
from scoring.models import Report
from scoring.selectors.agreement.recommended import REASONS, USES, recommended
from scoring.selectors.base import figure_sentences
from scoring.selectors.base.figure_sentences import QUESTIONS, question_of, reading_of
from scoring.selectors.base.figures import MEANINGS
from scoring.stats.agreement.choosing import RULES
from tests.support.studies.rated_study import rated_study, report_of

DOCUMENT = Path(__file__).parents[3] / "docs/choosing-coefficients.md"
# Of what Landis and Koch, Cicchetti and others call a coefficient.
VERDICTS = re.compile(
    r"\b(poor|fair|moderate|substantial|good|excellent|acceptable|sufficient|perfect)\b", re.IGNORECASE
)


def test_every_rule_has_a_reason_and_a_row_in_the_document():
    assert {rule.name for rule in RULES} == REASONS.keys()
    table = DOCUMENT.read_text(encoding="utf-8").partition("## The rules")[2].partition("\n## ")[0]
    assert len([line for line in table.splitlines() if line.startswith("| ")]) == len(RULES) + 1


def test_the_table_by_data_agrees_with_the_rules():
    """For means, ICC1k only where it is unknown who rated what."""
    of_means = {"icc1k": "ICC1k", "icc2k": "ICC2k"}
    table = DOCUMENT.read_text(encoding="utf-8").partition("## The rules")[0]
    found = {
        name: [line for line in table.splitlines() if line.startswith("| ") and name in line]
        for name in of_means.values()
    }
    for rule in RULES:
        if rule.coefficient in of_means:
            (line,) = found[of_means[rule.coefficient]]
            assert ("not identified" in line) == (rule.raters == {"unknown"}), rule


def row(coefficient: str, variant: str = "", **changed: Any) -> dict[str, object]:
    numbers = {"estimate": 0.5, "low": 0.4, "high": 0.6, "n_items": 10, "n_raters": 3, "n_ratings": 30}
    names = {"criterion": "quality", "coefficient": coefficient, "variant": variant}
    return {
        **names,
        **numbers,
        "reason": "",
        "interval_method": "F",
        "confidence": 0.95,
        "signature": "",
        **changed,
    }


def on_scale(**changed: Any) -> list[dict[str, object]]:
    names = (("icc1k", "one-way ANOVA, k=3"), ("icc2k", "two-way ANOVA, k=3"), ("alpha", "ordinal"))
    return [row(*name, **changed) for name in (*names, ("alpha", "interval"))]


def names_of(report: Report) -> list[tuple[str, str]]:
    return [
        (choice["row"]["coefficient"], choice["reason"])
        for group in recommended(report)
        for choice in group["choices"]
    ]


@pytest.mark.parametrize(
    ("changed", "tables", "coefficient", "reason"),
    [
        ({}, {}, "icc2k", "same_raters"),
        ({"n_ratings": 25}, {}, "icc2k", "shared_items"),
        ({"n_ratings": 25}, {"components": {"quality": 2}}, "icc2k", "separate_groups"),
        ({"n_raters": None}, {}, "icc1k", "unknown_raters"),
    ],
)
def test_the_design_is_read_from_the_numbers_of_the_report(changed, tables, coefficient, reason):
    found = names_of(Report(figures=on_scale(**changed), tables=tables))
    assert found == [(coefficient, REASONS[reason]), ("alpha", REASONS["order_counts"])]


def test_items_with_one_rating_count_for_the_design():
    """Some coefficients leave them out, and see a complete table where there is none."""
    held_out = row("held_out_pearson", "mean", n_items=20, n_ratings=60)
    rows = [held_out, *on_scale(n_items=60, n_ratings=100)]
    assert names_of(Report(figures=rows, tables={}))[0] == ("icc2k", REASONS["shared_items"])


def test_a_missing_interval_has_its_reason():
    missing = {"low": None, "high": None, "interval_method": "none:too_few_groups"}
    (group,) = recommended(Report(figures=on_scale(**missing), tables={}))
    assert {choice["meaning"] for choice in group["choices"]} == {MEANINGS["too_few_groups"]}


def test_cautions_of_a_figure_are_shown_where_it_is_recommended():
    found = recommended(Report(figures=on_scale(signature="bootstrap|caution:few_groups"), tables={}))
    page = render_to_string("scoring/agreement/recommended.html", {"recommended": found, "names": {}})
    assert page.count(">few groups</small>") == len(found[0]["choices"]) == 2


def test_a_slider_has_alpha_of_distances():
    refused = row("fleiss", estimate=None, low=None, high=None, reason="continuous_scale")
    found = recommended(Report(figures=[*on_scale(), refused], tables={}))
    assert found[0]["choices"][1]["row"]["variant"] == "interval"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row("alpha", "nominal"), row("fleiss", "m=3")], ["alpha"]),
        ([row("alpha", "masi"), row("alpha", "nominal", criterion="quality:fun")], ["alpha"]),
        (
            [
                row("alpha", "nominal", estimate=None, low=None, high=None, reason="options_differ"),
                row("brennan_prediger", "q=2"),
            ],
            ["brennan_prediger"],
        ),
        ([row("f1", "overlap"), row("alpha", "nominal, characters")], []),
    ],
)
def test_options_have_one_coefficient_each_and_marked_text_none(rows, expected):
    assert [name for name, _ in names_of(Report(figures=rows, tables={}))] == expected


OTHER_RATERS = (
    "If each item had other raters, differences between items would make up 41% of the variance of "
    "the mean ratings."
)


@pytest.mark.parametrize(
    ("name", "estimate", "sentence"),
    [
        ("icc1k", 0.78, "Differences between items make up 78% of the variance of the mean ratings."),
        (
            "icc2k",
            0.41,
            OTHER_RATERS,
        ),
        ("icc1", 0.4, "Differences between items make up 40% of the variance of one rating."),
        ("icc1k", -0.2, "Ratings of one item differ at least as much as ratings of different items."),
        ("alpha", 0.46, "Two ratings of one item disagree 46% less than by chance."),
        ("alpha", -0.1, "Two ratings of one item disagree at least as much as by chance."),
    ],
)
def test_a_value_is_described_in_words(name, estimate, sentence):
    assert reading_of(row(name, estimate=estimate)) == sentence


def test_what_has_no_value_is_not_described_in_words():
    assert reading_of(row("alpha", estimate=None)) is None


def all_sentences() -> dict[str, str]:
    own = {name: value for name, value in vars(figure_sentences).items() if isinstance(value, str)}
    named: dict[str, Mapping[str, Message]] = {
        "uses": {str(use): sentence for use, sentence in USES.items()},
        "reasons": REASONS,
        "questions": QUESTIONS,
    }
    return own | {f"{name} {key}": str(one) for name, found in named.items() for key, one in found.items()}


def test_no_sentence_is_a_verdict():
    assert {name: text for name, text in all_sentences().items() if VERDICTS.search(text)} == {}


@pytest.mark.django_db
def test_the_page_says_what_to_report_and_asks_one_question_of_every_figure():
    study = rated_study(with_scores=False)
    report = report_of(study)
    client = Client()
    client.force_login(Membership.objects.filter(study=study, role="owner").get().user)
    page = " ".join(client.get(reverse("study-reliability", args=[study.slug])).content.decode().split())
    assert ">What to report</h2>" in page
    assert page.count(USES["mean"]) == page.count(USES["single"]) == len(recommended(report)) > 0
    shown = [one for one in report.figures if not one["variant"].startswith("rater:")]
    assert [one["coefficient"] for one in shown if question_of(one) is None] == []
    for question in {str(question_of(one)) for one in shown if one["estimate"] is not None}:
        assert question in page
    words = re.sub(r"<[^>]+>", " ", page.partition("<main")[2])
    assert VERDICTS.findall(words) == []
