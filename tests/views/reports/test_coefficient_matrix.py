"""The criteria of a report as one matrix: the figures of the report, and each reason for a gap once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Membership
from scoring.models import Report
from scoring.selectors.agreement.matrix import coefficient_matrices, has_few_groups
from scoring.selectors.base.figures import not_computable
from tests.support.studies.rated_study import rated_study, report_of

CRITERIA = ("aptness", "freshness", "clarity", "imagery", "emotion", "tone")
COLUMNS = (
    ("alpha", "ordinal"),
    ("icc2", "anova"),
    ("icc2k", "anova, k=4"),
    ("held_out_pearson", "mean"),
    ("ac2", "quadratic"),
)
FURTHER = (("alpha", "interval"), ("fleiss", ""), ("exact", ""))


def row(criterion: str, coefficient: str, variant: str, **changed: Any) -> dict[str, Any]:
    return {
        "criterion": criterion,
        "coefficient": coefficient,
        "variant": variant,
        "estimate": 0.5,
        "low": 0.4,
        "high": 0.6,
        "reason": "",
        "n_items": 96,
        "n_raters": 4,
        "n_ratings": 384,
        "interval_method": "percentile-bootstrap:groups",
        "signature": f"{coefficient}|items:96",
        **changed,
    }


MISSING: dict[str, Any] = {"estimate": None, "low": None, "high": None, "interval_method": ""}


def report(*changed: dict[str, Any]) -> Report:
    """Six criteria with eight coefficients each; `changed` rows replace theirs."""
    named = {(one["criterion"], one["coefficient"], one["variant"]): one for one in changed}
    rows = [
        named.get((criterion, *column)) or row(criterion, *column)
        for criterion in CRITERIA
        for column in (*COLUMNS, *FURTHER)
    ]
    return Report(figures=rows)


def test_six_criteria_are_six_rows_with_five_coefficients() -> None:
    (matrix,) = coefficient_matrices(report())
    assert [one["criterion"] for one in matrix["rows"]] == list(CRITERIA)
    for line in matrix["rows"]:
        assert [(cell["coefficient"], cell["variant"]) for cell in line["cells"]] == list(COLUMNS)
        assert line["size"] == (96, 4, 384)
    assert matrix["size"] == (96, 4, 384)
    assert matrix["n_further"] == len(FURTHER)
    assert matrix["notes"] == []


def test_each_reason_is_given_once_with_all_of_its_places() -> None:
    anonymous = {**MISSING, "reason": "anonymous_raters"}
    few = {"signature": "alpha|caution:few_groups"}
    (matrix,) = coefficient_matrices(
        report(
            row("clarity", "icc2", "anova", **anonymous),
            row("clarity", "icc2k", "anova, k=4", **anonymous),
            row("tone", "icc2", "anova", **anonymous),
            row("emotion", "ac2", "quadratic", low=None, high=None, interval_method="none:too_few_groups"),
            row("aptness", "alpha", "ordinal", **few),
        )
    )
    notes = {note["letter"]: (note["kind"], note["code"], list(note["places"])) for note in matrix["notes"]}
    assert notes == {
        "a": ("caution", "few_groups", ["aptness"]),
        "b": ("missing", "anonymous_raters", ["clarity", "tone"]),
        "c": ("no_interval", "too_few_groups", ["emotion"]),
    }
    letters = {line["criterion"]: [cell["notes"] for cell in line["cells"]] for line in matrix["rows"]}
    assert letters["clarity"] == [[], ["b"], ["b"], [], []]
    assert letters["emotion"] == [[], [], [], [], ["c"]]
    assert has_few_groups([matrix])


def test_a_caution_about_every_estimate_names_no_place() -> None:
    few = {"signature": "alpha|caution:few_groups"}
    columns = (*COLUMNS, *FURTHER)
    everywhere = [row(criterion, *column, **few) for criterion in CRITERIA for column in columns]
    (matrix,) = coefficient_matrices(Report(figures=everywhere))
    (note,) = matrix["notes"]
    assert note["everywhere"]
    resampled = [row(criterion, "ac2", "quadratic", **few) for criterion in CRITERIA]
    (matrix,) = coefficient_matrices(report(*resampled))
    (note,) = matrix["notes"]
    assert (note["everywhere"], [str(name) for name in note["columns"]]) == (False, ["Gwet AC2, quadratic"])
    (matrix,) = coefficient_matrices(report(resampled[0]))
    (note,) = matrix["notes"]
    assert (note["everywhere"], note["columns"], list(note["places"])) == (False, [], ["aptness"])


def test_a_coefficient_that_no_criterion_has_leaves_its_column_to_another() -> None:
    continuous = {**MISSING, "reason": "continuous_scale"}
    (matrix,) = coefficient_matrices(
        report(*(row(criterion, "alpha", "ordinal", **continuous) for criterion in CRITERIA))
    )
    first = [line["cells"][0]["variant"] for line in matrix["rows"]]
    assert first == ["interval"] * len(CRITERIA)


def test_a_cell_over_other_items_than_its_row_says_so() -> None:
    (matrix,) = coefficient_matrices(report(row("tone", "held_out_pearson", "mean", n_items=45)))
    tone = matrix["rows"][-1]
    assert [cell["other_items"] for cell in tone["cells"]] == [False, False, False, True, False]


def test_criteria_with_other_coefficients_have_a_matrix_of_their_own() -> None:
    both = report()
    both.figures += [row(one, "alpha", "nominal") for one in ("kind", "source")]
    scales, options = coefficient_matrices(both)
    assert [one["criterion"] for one in options["rows"]] == ["kind", "source"]
    assert len(options["columns"]) == 1
    assert len(scales["rows"]) == len(CRITERIA)


def test_one_criterion_needs_no_matrix() -> None:
    assert coefficient_matrices(Report(figures=[row("quality", *column) for column in COLUMNS])) == []


@given(st.lists(st.tuples(st.sampled_from(CRITERIA), st.sampled_from(COLUMNS)), unique=True))
def test_every_cell_is_the_row_of_the_report_and_every_missing_one_has_its_reason(
    missing: list[tuple[str, tuple[str, str]]],
) -> None:
    made = report(
        *(row(criterion, *column, **MISSING, reason="too_few_items") for criterion, column in missing)
    )
    by_place = {(one["criterion"], one["coefficient"], one["variant"]): one for one in made.figures}
    (matrix,) = coefficient_matrices(made)
    for line in matrix["rows"]:
        for cell in line["cells"]:
            stored = by_place[line["criterion"], cell["coefficient"], cell["variant"]]
            assert {key: cell[key] for key in stored} == stored
            assert bool(cell["notes"]) == (cell["estimate"] is None)
    shown = {note["code"] for note in matrix["notes"]}
    assert shown <= {one["reason"] for one in not_computable(made)}


def test_each_of_several_matrices_has_a_name_of_its_own_for_screen_readers() -> None:
    both = report()
    both.figures += [row(one, "alpha", "nominal") for one in ("kind", "source")]
    shown = {"by_criterion": coefficient_matrices(both), "ticks": [{"label": "−1"}], "names": {}}
    page = render_to_string("scoring/agreement/criteria/matrix.html", shown)
    labels = re.findall('aria-label="(.*?)"', page)
    assert labels[1] == "Coefficients of Kind; Source"
    assert len(set(labels)) == len(labels) == 2
    shown["by_criterion"] = coefficient_matrices(report())
    page = render_to_string("scoring/agreement/criteria/matrix.html", shown)
    assert re.findall('aria-label="(.*?)"', page) == ["Coefficients of all criteria"]


@pytest.mark.django_db
def test_the_page_has_the_matrix_first_and_every_coefficient_of_each_criterion_below() -> None:
    study = rated_study(with_scores=False)
    client = Client()
    client.force_login(Membership.objects.filter(study=study, role="owner").get().user)
    stored = report_of(study)
    page = client.get(reverse("study-reliability", args=[study.slug])).content.decode()
    assert page.index('class="matrix"') < page.index("What to report") < page.index("Missing results")
    assert page.count('<details class="of-criterion"') == 8
    for figure in stored.figures:
        if figure["estimate"] is not None and not figure["variant"].startswith("rater:"):
            assert f"{figure['estimate']:.3f}" in page.replace("−", "-")
