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
        "{% include 'scoring/choices/preferences.html' %}",
        "{% include 'scoring/agreement/criteria/matrix_cell.html' with row=cell %}",
        "{% include 'scoring/generalisability/d_study.html' %}",
        "{% include 'annotation/studies/public/result_table.html' %}",
    ],
)
@pytest.mark.parametrize(("low", "expected"), [(1.0, True), (0.9, False), (1 - 1e-15, True)])
def test_an_interval_of_no_width_has_the_caution_wherever_it_is_printed(source, low, expected):
    cell = {**CELL, "low": low, "criterion": "quality"}
    analysis = {"readings": [{"criteria": "", "rows": [{"raters": 3, "absolute": cell}]}]}
    values = {"preferences": [{"first_shown": [cell]}], "public": True, "names": {}}
    values |= {"result": {"rows": [cell]}, "analysis": analysis, "share_ticks": ()}
    page = shown(source, low=low, high=1.0, cell=cell, **values)
    assert (WORDS in page) is expected


@pytest.mark.parametrize("part", ["relative", "absolute", "component"])
def test_each_interval_of_a_generalisability_study_has_the_caution(part):
    same, wide = {**CELL, "low": 1.0}, {**CELL, "low": 0.5}
    of = {name: same if name == part else wide for name in ("relative", "absolute", "component")}
    analysis = {"readings": [{"at_hand": of}], "components": [{**of["component"], "name": "item"}]}
    page = shown("{% include 'scoring/generalisability/results.html' %}", analysis=analysis)
    assert page.count(WORDS) == 1


def test_the_interval_for_new_systems_has_the_caution():
    for_new = {"new_systems_low": 1.0, "new_systems_high": 1.0, "new_systems_method": "t"}
    cell = {**CELL, "low": None, **for_new}
    assert WORDS in shown("{% include 'scoring/agreement/heat_cell.html' %}", cell=cell)


def test_a_range_of_values_is_no_confidence_interval():
    assert shown("{% value_range 3 3 %}") == "3.00 to 3.00"


def test_the_caution_claims_no_resamples_as_not_every_interval_is_made_of_them():
    assert "resample" not in shown("{% interval 1 1 %}")
