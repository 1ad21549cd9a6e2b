"""`report`: a study's figures on the terminal."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.base.errors import InvalidContent
from annotation.models import Job
from scoring.management.figures import value_cells
from scoring.models import Report
from scoring.selectors.choices.best_worst import best_worst_rows
from scoring.selectors.choices.orders import order_rows
from scoring.services.reports.reliability import request_report
from tests.support.studies.rated_study import rated_study

pytestmark = pytest.mark.django_db


def printed(*command: str) -> list[str]:
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue().splitlines()


def cells(lines: list[str]) -> list[list[str]]:
    return [re.split(r"  +", line) for line in lines]


def test_the_figures_end_with_how_they_were_computed():
    how = printed("report", rated_study().slug, "--bootstrap=20", "--seed=7")[-1]
    # Its items are in fewer groups than an interval needs.
    assert how.startswith("no confidence intervals")
    assert "; 20 bootstrap samples, seed 7; groundwork " in how


def test_report_and_agreement_print_the_same_table(tmp_path: Path):
    study, ratings = rated_study(), tmp_path / "ratings.csv"
    how = ("--bootstrap=20", "--seed=7")
    *of_study, _ = printed("report", study.slug, *how)
    call_command("export", study.slug, out=str(ratings))
    _, *of_file, _ = printed("agreement", str(ratings), "--scale=1-5", *how)
    assert cells(of_study) == cells(of_file)
    assert cells(of_study)[0][3:5] == ["estimate", "95% CI"]
    assert not [line for line in of_study if "none:" in line or "_replicates" in line]


def test_a_figure_without_an_interval_says_why_in_words():
    row = {"reason": "", "interval_method": "none:biased_replicates", "low": None, "high": None}
    assert value_cells(row, 0.76) == ("0.760", "no limits by resampling")
    assert value_cells({**row, "reason": "too_few_items"}, None) == ("too few items", "")


def test_a_mean_rank_and_a_strength_have_the_interval_of_their_own():
    ranks = {"mean_rank": 1.5, "rank_low": 1.2, "rank_high": 1.8, "rank_interval_method": "percentile"}
    refused = {"strength": None, "low": None, "high": None, "reason": "tied_ranks"}
    candidate = {"candidate": "owl", "n": 9, **ranks, **refused, "interval_method": "none:tied_ranks"}
    scored = {"score": 0.2, "low": None, "high": None, "interval_method": "none:too_few_items"}
    strength = {"strength": 0.4, "strength_low": 0.1, "strength_high": 0.7, "reason": ""}
    item = {"item": "T1", "n": 9, "best": 4, "worst": 2, **scored, **strength}
    report = Report(tables={"order_candidates": [candidate], "best_worst_scores": [item]})
    cells = [value_cells(row, estimate) for row, _, estimate, _ in order_rows(report)]
    assert cells == [("1.500", "1.200 to 1.800"), ("options share a rank", "")]
    cells = [value_cells(row, estimate) for row, _, estimate, _ in best_worst_rows(report)]
    assert cells == [("0.200", "too few items"), ("0.400", "0.100 to 0.700")]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--bootstrap=-3", "--bootstrap is -3. Enter a whole number from 1 to 100,000. [bad_option]"),
        ("--bootstrap=0", "--bootstrap is 0. Enter a whole number from 1 to 100,000. [bad_option]"),
        ("--bootstrap=100001", "--bootstrap is 100001. Enter a whole number from 1 to 100,000. [bad_option]"),
        ("--seed=-1", "--seed is -1. Enter a whole number from 0 to 4,294,967,295. [bad_option]"),
    ],
)
def test_a_number_outside_its_range_is_refused_before_there_is_a_job(option, message):
    slug = rated_study().slug
    with pytest.raises(CommandError) as caught:
        call_command("report", slug, option)
    assert (str(caught.value), caught.value.returncode) == (message, 2)
    assert not Job.objects.exists()


@pytest.mark.parametrize(("field", "number"), [("replicates", 0), ("replicates", -3), ("seed", -1)])
def test_a_request_with_a_number_outside_its_range_is_refused_without_a_job(field, number):
    study = rated_study()
    with pytest.raises(InvalidContent) as caught:
        request_report(study=study, actor=None, **{field: number})
    assert caught.value.code == "bad_option"
    assert set(caught.value.fields) == {field}
    assert not Job.objects.exists()
