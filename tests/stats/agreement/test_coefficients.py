"""The list of coefficients: what is computed is listed, with a title and a page, and which one to report."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from scoring.selectors.base.coefficient_words import MEANS_OF, TITLES, VARIANTS
from scoring.selectors.base.figures import figure_name
from scoring.stats.agreement.choosing import (
    LEVELS,
    RATERS,
    RULES,
    USES,
    RatingDesign,
    choose_coefficient,
)
from scoring.stats.agreement.coefficients import ALPHAS, COEFFICIENTS, FAMILIES, HEADLINE, Coefficient
from scoring.stats.agreement.reliability import reliability
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable
from tests.stats.samples import likert, long_form, ratings_of

PAGES = Path(__file__).parents[3] / "docs/statistics"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| \[[^]]+\]\(([\w-]+)\.md\) \| ([^|]+) \|$", re.MULTILINE)
NEEDS = {"categories": "categories", "identified": "identified raters", "complete": "complete design"}


def needs_in_words(one: Coefficient) -> str:
    words = [word for need, word in NEEDS.items() if getattr(one.needs, need)]
    return ", ".join(words) or "–"


def test_the_documented_table_is_the_list():
    found = ROW.findall((PAGES / "README.md").read_text(encoding="utf-8"))
    assert found == [(one.key, one.title, one.page, needs_in_words(one)) for one in COEFFICIENTS.values()]


@pytest.mark.parametrize("page", sorted({one.page for one in COEFFICIENTS.values()}))
def test_every_coefficient_has_a_page(page):
    assert (PAGES / f"{page}.md").is_file()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.coefficients[0].key)
def test_a_family_computes_the_coefficients_that_it_lists_and_no_others(family):
    figures = family.compute(ratings_of(long_form(likert(1, 30, 3))), Resampling(20))
    assert {figure.coefficient for figure in figures} == {one.key for one in family.coefficients}


def test_every_figure_is_within_the_axis_of_its_coefficient():
    table = RatingsTable.from_frame(long_form(likert(1, 30, 3)))
    for figure in reliability(table, seed=1, replicates=20).figures:
        low, high = COEFFICIENTS[figure.coefficient].axis
        assert low <= figure.estimate <= high


def test_alpha_is_computed_at_the_levels_asked_for_and_no_others():
    table = RatingsTable.from_frame(long_form(likert(1, 30, 3)))
    figures = reliability(table, seed=1, replicates=20, levels=("nominal", "ratio")).figures
    assert [one.variant for one in figures if one.coefficient == "alpha"] == ["nominal", "ratio"]
    assert set(ALPHAS) == {"nominal", "ordinal", "interval", "ratio"}


def test_the_headline_is_what_is_reported_before_and_after_exclusions():
    assert {"held_out_pearson", "held_out_spearman", "icc2", "icc2k", "alpha", "fleiss", "ac2"} == HEADLINE


def test_the_titles_that_pages_translate_are_those_of_the_list():
    assert {one.key: one.title for one in COEFFICIENTS.values()} == TITLES
    assert {key for key in COEFFICIENTS if key in MEANS_OF} == {"icc1k", "icc2k", "icc3k"}
    assert set(ALPHAS) <= set(VARIANTS)


def test_names_come_from_the_list():
    assert figure_name({"coefficient": "icc2k", "variant": "anova, k=3"}) == "ICC2, mean of 3 ratings"
    assert figure_name({"coefficient": "ac1", "variant": "q=5"}) == "Gwet AC1"
    assert figure_name({"coefficient": "ac2", "variant": "quadratic, q=5"}) == "Gwet AC2, quadratic"
    assert figure_name({"coefficient": "unknown", "variant": "x"}) == "unknown, x"


@pytest.mark.parametrize(
    ("level", "raters", "use", "coefficient", "variant"),
    [
        ("nominal", "crossed", "single", "alpha", "nominal"),
        ("nominal", "unknown", "single", "alpha", "nominal"),
        ("places", "linked", "single", "brennan_prediger", ""),
        ("sets", "linked", "single", "alpha", "masi"),
        ("ordinal", "crossed", "single", "alpha", "ordinal"),
        ("ordinal", "linked", "single", "alpha", "ordinal"),
        ("ordinal", "nested", "single", "alpha", "ordinal"),
        ("ordinal", "unknown", "single", "alpha", "ordinal"),
        ("interval", "crossed", "single", "alpha", "interval"),
        ("interval", "unknown", "single", "alpha", "interval"),
        ("ordinal", "crossed", "mean", "icc2k", ""),
        ("ordinal", "linked", "mean", "icc2k", ""),
        ("ordinal", "nested", "mean", "icc2k", ""),
        ("ordinal", "unknown", "mean", "icc1k", ""),
        ("interval", "crossed", "mean", "icc2k", ""),
        ("interval", "linked", "mean", "icc2k", ""),
        ("interval", "nested", "mean", "icc2k", ""),
        ("interval", "unknown", "mean", "icc1k", ""),
    ],
)
def test_the_coefficient_follows_from_the_design_and_the_use(level, raters, use, coefficient, variant):
    rule = choose_coefficient(RatingDesign(level, raters), use)
    assert (rule.coefficient, rule.variant) == (coefficient, variant)


def test_exactly_one_rule_applies_to_every_design_and_use():
    for level, raters, use in product(LEVELS, RATERS, USES):
        design = RatingDesign(level, raters)
        assert sum(rule.applies(design, use) for rule in RULES) == 1, (level, raters, use)
