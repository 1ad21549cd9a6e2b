"""Figures of choices, preferences and marked tuples come out of a bundle; what is changed is found."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from annotation.models import Exclusion
from scoring.bundle.recompute.checking.check import Check
from scoring.bundle.recompute.command import run_checks
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.choice_study import answered_study
from tests.bundle.studies import quick, unpacked

# The database is there for the module's bundle alone.
pytestmark = pytest.mark.django_db

TABLES = {
    *("accuracy", "without_key", "win_rates", "wins_by_percent", "strengths", "first_shown", "graded_wins"),
    *("tuple_pairs", "before"),
}
CHANGED = (
    *(("accuracy", name) for name in ("right", "share", "high", "share_decided")),
    ("without_key", "n_items"),
    *(("win_rates", name) for name in ("ties", "low")),
    *(("strengths", name) for name in ("strength", "high")),
    ("wins_by_percent", "share"),
    ("first_shown", "wins"),
    *(("graded_wins", name) for name in ("much_wins", "slight_losses", "grade", "high")),
    *(("tuple_pairs", "n_ratings"), ("before", "high"), ("results", "low")),
)
REPORT = "reports/reliability.json"


@pytest.fixture(scope="module", params=["persons", "slots"])
def bundle(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Made once: every test reads it, or changes a copy."""
    with django_db_blocker.unblock(), transaction.atomic():
        study = answered_study(identified=request.param == "persons")
        pooled = request.param == "slots"
        asked = request_report(study=study, actor=None, pool_versions=pooled, announce=False)
        compute_report(lease=quick(asked))
        folder = unpacked(study, tmp_path_factory.mktemp("bundle"))
        transaction.set_rollback(True)
    return folder


# What a change does to a figure is the same with raters and with slots.
of_persons = pytest.mark.parametrize("bundle", ["persons"], indirect=True)


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bundle, tmp_path / "copy"))


def checks(folder: Path) -> dict[str, Check]:
    return {check.name: check for check in run_checks(folder)}


def stored(folder: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    return report


def test_figures_of_answers_that_are_not_on_a_scale_all_come_out(bundle):
    found = checks(bundle)

    assert {name: check.wrong[:9] for name, check in found.items() if check.wrong} == {}
    assert {name: check.left for name, check in found.items() if check.left} == {}
    report = stored(bundle)
    assert report["tables"].keys() == TABLES
    figures = [*report["results"], *(row for table in report["tables"].values() for row in table)]
    assert found[REPORT].compared >= 7 * len(report["results"]) + 3 * len(figures)


def test_the_study_has_what_must_come_out(bundle):
    report = stored(bundle)
    rows = report["results"]

    known = {(row["coefficient"], row["variant"]) for row in rows if row["estimate"] is not None}
    assert {("alpha", "nominal"), ("alpha", "masi"), ("brennan_prediger", "q=3")} <= known
    assert {("alpha", "nominal, characters"), ("f1", "exact, pooled"), ("f1", "overlap, pooled")} <= known
    assert {row["reason"] for row in rows} >= {"", "options_differ"}
    assert {"pair:meaning", "pick:meaning", "tags", "tags:taste", "tuples:whole"} <= {
        row["criterion"] for row in rows
    }
    assert all(row["strength"] is not None for row in report["tables"]["strengths"])
    assert all(row["low"] is not None for row in rows if row["variant"] == "exact, pooled")


@of_persons
def test_a_changed_answer_is_found(copy):
    ratings = copy / "data/ratings.csv"
    text = ratings.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    place = next(
        place
        for place, line in enumerate(lines)
        if ",pair,1,R-1,better,a," in line and line.startswith("answered,I1")
    )
    lines[place] = lines[place].replace(",better,a,", ",better,b,")
    ratings.write_text("".join(lines), encoding="utf-8")

    wrong = checks(copy)[REPORT].wrong

    assert any(line.startswith("better exact  estimate") for line in wrong)
    assert any(re.match(r"better \w+ (wins|share)", line) for line in wrong)
    assert any(line.startswith("fingerprint") for line in wrong)


@of_persons
def test_a_changed_mark_is_found(copy):
    ratings = copy / "data/ratings.csv"
    text = ratings.read_text(encoding="utf-8")
    begin = text.index('""tenor"", ""start"": 4, ""end"": 8', text.index("I08"))
    changed = text[:begin] + text[begin:].replace('""end"": 8', '""end"": 9', 1)
    ratings.write_text(changed, encoding="utf-8")

    wrong = checks(copy)[REPORT].wrong

    for figure in (
        "tuples:tenor f1 overlap, pooled",
        "tuples:tenor alpha nominal, characters",
        "fingerprint",
    ):
        assert any(line.startswith(figure) for line in wrong), figure
    assert not any(line.startswith("better") for line in wrong)


def test_every_changed_figure_is_found(copy):
    report = stored(copy)
    changed = [(table, number) for table, number in CHANGED if report["tables"].get(table, "results")]
    for table, number in changed:
        rows = report["tables"].get(table, report["results"])
        next(row for row in reversed(rows) if row[number] is not None)[number] += 1e-5
    (copy / REPORT).write_text(json.dumps(report), encoding="utf-8")

    wrong = [line.partition(": stored")[0].split()[-1] for line in run_checks_report(copy)]

    assert sorted(wrong) == sorted(number for _, number in changed)


@of_persons
def test_counts_are_given_for_each_kind_of_question_and_a_changed_count_is_found(copy):
    report = stored(copy)
    of_kinds = report["data"]["by_kind"]
    assert of_kinds.keys() == {"choice", "tuples"}
    assert of_kinds["choice"]["n_ratings"] != of_kinds["tuples"]["n_ratings"]
    assert of_kinds["choice"]["n_items"] == report["data"]["n_items"]
    of_kinds["tuples"]["n_ratings"] += 1
    (copy / REPORT).write_text(json.dumps(report), encoding="utf-8")

    [wrong] = run_checks_report(copy)
    assert wrong.startswith("n_ratings")


def run_checks_report(folder: Path) -> list[str]:
    return checks(folder)[REPORT].wrong


@of_persons
def test_a_table_that_is_gone_is_found(copy):
    report = stored(copy)
    for name in TABLES:
        del report["tables"][name]
    (copy / REPORT).write_text(json.dumps(report), encoding="utf-8")

    assert len(run_checks_report(copy)) >= len(TABLES) - 1


@of_persons
def test_the_side_that_was_shown_first_is_in_the_bundle(copy):
    choices = copy / "data/choices.csv"
    choices.write_text(
        choices.read_text(encoding="utf-8").replace("b+|b|tie|a|a+", "a+|a|tie|b|b+"), encoding="utf-8"
    )

    assert any(line.startswith("better wins") for line in run_checks_report(copy))


def test_a_wording_of_options_that_exclusions_take_out_whole_hides_no_other(tmp_path):
    study = answered_study("hidden")
    newest = study.items.filter(assignments__version__number=2, assignments__form__key="pick").distinct()
    Exclusion.objects.bulk_create(
        Exclusion(study=study, item=item, rule="by_hand", reason="?", author=study.memberships.get().user)
        for item in newest
    )
    report = compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))

    before = {row["criterion"]: row["n_items"] for row in report.tables["before"]}
    earlier = study.items.exclude(pk__in=newest.values("pk")).count()
    assert before["tags"] == before["pick:meaning"] == earlier
    found = checks(unpacked(study, tmp_path))
    assert {name: check.wrong for name, check in found.items() if check.wrong} == {}


def test_an_answer_that_cannot_be_rated_is_listed_among_the_choices_without_an_option(bundle):
    with (bundle / "data/choices.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    cannot_rate = [row for row in rows if row["cannot_rate"] == "true"]
    assert cannot_rate
    assert {(row["value"], row["chosen"], row["place"]) for row in cannot_rate} == {("", "", "")}
    assert len(rows) > 2 * len(cannot_rate)
