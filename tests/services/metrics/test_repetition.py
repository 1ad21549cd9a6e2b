"""Two runs of one study are compared by the keys of their items and criteria, on the command line too."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from statistics import fmean

import pytest
from django.core.management import CommandError, call_command

from tests.services.metrics.repeated_runs import AGAIN, FIRST, SYSTEM, run_of

pytestmark = pytest.mark.django_db


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("compare_runs", *arguments, stdout=out)
    return out.getvalue()


def test_results_are_those_of_the_items_of_each_run_and_correlations_those_of_both(tmp_path: Path):
    run_of(tmp_path, "first", FIRST)
    run_of(tmp_path, "again", AGAIN)
    body = json.loads(printed("first", "again", "--json", "-"))
    (aptness,) = body["criteria"]
    assert (body["studies"], aptness["n_items"], aptness["low"]) == (["first", "again"], [4, 4, 3], 1)
    found = {(row["result"], row["of"]): row for row in aptness["results"]}
    owl = [fmean(fmean(own) for item, own in run.items() if SYSTEM[item] == "owl") for run in (FIRST, AGAIN)]
    assert [found["cv", "owl"][key] for key in ("first", "second")] == owl
    assert found["pearson", "items"]["n"] == 3
    assert found["orders", "systems"]["estimate"] == 1
    assert found["pearson", "systems"]["reason"] == "too_few_systems"


def test_values_on_two_scales_are_not_compared_but_orders_and_correlations_are(tmp_path: Path):
    run_of(tmp_path, "first", FIRST)
    tenfold = {item: (own[0] * 10, own[1] * 10) for item, own in FIRST.items()}
    run_of(tmp_path, "again", tenfold, scale=(0, 100))
    (aptness,) = json.loads(printed("first", "again", "--json", "-"))["criteria"]
    found = {(row["result"], row["of"]): row for row in aptness["results"]}
    for key in (("cv", "owl"), ("alpha", "items")):
        assert (found[key]["estimate"], found[key]["reason"]) == (None, "other_scale")
    assert found["pearson", "items"]["estimate"] == pytest.approx(1)
    assert found["orders", "systems"]["estimate"] == 1


def test_a_table_names_the_type_of_each_result(tmp_path: Path):
    run_of(tmp_path, "first", FIRST)
    run_of(tmp_path, "again", AGAIN)
    lines = [line.split("  ") for line in printed("first", "again").splitlines()]
    types = [[cell.strip() for cell in line if cell.strip()][1] for line in lines[1:9]]
    assert types == ["I", "I", "II", "II", "II", "II", "III", "IV"]
    assert lines[-1] == ["aptness: 4 and 4 rated items, 3 in both runs"]


def test_runs_without_a_shared_criterion_or_item_are_refused(tmp_path: Path):
    run_of(tmp_path, "first", FIRST)
    run_of(tmp_path, "novelty", AGAIN, criterion="novelty")
    run_of(tmp_path, "others", {"L5": (1, 2)})
    for other, code in (("novelty", "no_shared_criteria"), ("others", "no_shared_items")):
        with pytest.raises(CommandError, match=rf"\[{code}\]"):
            printed("first", other)
