"""A confidence interval whose limits are the same says on every page that this is no certainty."""

from __future__ import annotations

import pytest
from django.template import Context, Template

WORDS = "both limits are the same"
CELL = {"estimate": 1.0, "low": 1.0, "high": 1.0, "shade": 4}


def shown(source: str, **values: object) -> str:
    return Template(source).render(Context(values))


@pytest.mark.parametrize(
    "source",
    [
        "{% interval low high %}",
        "{% include 'scoring/choices/limits.html' %}",
        "{% include 'scoring/agreement/heat_cell.html' %}",
        "{% include 'scoring/choices/accuracy_cells.html' with row=cell %}",
    ],
)
@pytest.mark.parametrize(("low", "expected"), [(1.0, True), (0.9, False), (1 - 1e-15, True)])
def test_an_interval_of_no_width_has_the_caution_wherever_it_is_printed(source, low, expected):
    page = shown(source, low=low, high=1.0, cell={**CELL, "low": low}, share_ticks=())
    assert (WORDS in page) is expected


def test_a_range_of_values_is_no_confidence_interval():
    assert shown("{% value_range 3 3 %}") == "3.00 to 3.00"


def test_the_caution_claims_no_resamples_as_not_every_interval_is_made_of_them():
    assert "resample" not in shown("{% interval 1 1 %}")
