"""A bundle that has automatic judges computes itself again, with separate figures for judges and people."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from annotation.models import Criterion, Exclusion, Item, Study
from scoring.bundle.recompute.checking.check import Check
from scoring.bundle.recompute.command import run_checks
from scoring.models import Judge, Judgement
from scoring.services.judges.judge_report import compute_judges, request_judges
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import compared, is_the_same, recompute
from tests.bundle.studies import quick, unpacked
from tests.services.metrics.rated_study import SYSTEMS, rated_study

# The database is there for the module's bundles alone.
pytestmark = pytest.mark.django_db
REPORT = "reports/judges.json"


def judging(study: Study, name: str, value_of: Callable[[int], float | None], sample: int = 1) -> None:
    """Answers of a judge to `quality`, from the position of each item; None is an answer with a reason."""
    judge, _ = Judge.objects.get_or_create(study=study, name=name, way="file")
    criterion = Criterion.objects.get(version__form__study=study, key="quality")
    values = {item: value_of(n) for n, item in enumerate(study.items.order_by("position"))}
    Judgement.objects.bulk_create(
        Judgement(
            judge=judge,
            item=item,
            criterion=criterion,
            sample=sample,
            value=value,
            minimum=None if value is None else 1,
            maximum=None if value is None else 5,
            reason="refused" if value is None else "",
        )
        for item, value in values.items()
    )


def near_truth(n: int) -> float | None:
    return None if n == 5 else float(np.clip(3 + n % 3 / 2 + np.random.default_rng(n).normal(0, 0.4), 1, 5))


def judged_study(*, grouped: bool) -> Study:
    """Judges that are near the ratings, reverse the systems, or always say the same; unrated items."""
    study = rated_study()
    if not grouped:
        study.items.update(group="")
    Item.objects.bulk_create(
        Item(study=study, key=f"U{n:02d}", system=SYSTEMS[n % 3], position=100 + n, fields={})
        for n in range(45)
    )
    owner = study.memberships.get(role="owner").user
    Exclusion.objects.create(study=study, item=study.items.get(key="U01"), reason="broken", author=owner)
    Item.objects.filter(study=study, key="U02").update(retired_at="2026-01-01T00:00Z")
    for sample in (1, 2):
        judging(study, "Near", near_truth, sample)
    judging(study, "Reversed", lambda n: 4.5 - n % 3 + n % 2 / 2)
    judging(study, "Constant", lambda _: 3.0)
    compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    compute_judges(lease=quick(request_judges(study=study, actor=None, epsilon=0.2)))
    return study


@pytest.fixture(scope="module")
def bundles(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Made once, of items in groups and alone, and without judges: tests read them, or change a copy."""
    found = {}
    folder = tmp_path_factory.mktemp("judged")
    with django_db_blocker.unblock():
        for name, grouped in (("grouped", True), ("alone", False)):
            with transaction.atomic():
                study = judged_study(grouped=grouped)
                found[name] = unpacked(study, folder / name, judges=True)
                found[f"{name} without"] = unpacked(study, folder / f"{name} without")
                transaction.set_rollback(True)
    return found


def check_of(folder: Path, name: str = REPORT) -> Check:
    return next(check for check in run_checks(folder) if check.name == name)


def copied(bundle: Path, folder: Path) -> Path:
    return Path(shutil.copytree(bundle, folder / "copy"))


def changed(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


@pytest.mark.parametrize("name", ["grouped", "alone"])
def test_every_number_about_judges_comes_out_again_without_this_software(bundles, name):
    status, printed = recompute(bundles[name])
    assert status == 0, printed
    assert is_the_same(printed, "Every number(?: that was recomputed)?"), printed
    assert compared(printed)[REPORT] > 150
    assert compared(printed)["judges.json"] == 13


def test_the_bundles_have_what_is_to_be_computed(bundles):
    grouped, alone = (
        json.loads((bundles[name] / REPORT).read_text())["tables"] for name in ("grouped", "alone")
    )
    of_judge = {row["judge"]: row for row in alone["test"] if not row["constant"]}
    assert [row["n_tested"] for row in of_judge.values()] == [5, 5, 5]
    assert of_judge["Near"]["n_beaten"] > of_judge["Reversed"]["n_beaten"] == 0
    assert {row["reason"] for row in grouped["test"]} == {"too_few_raters"}
    combined = [row for row in alone["means"] if row["combined_estimate"] is not None]
    assert {row["judge"] for row in combined} == {"Near", "Reversed", "Constant"}
    assert {row["combined_reason"] for row in grouped["means"]} >= {"grouped_items"}
    assert {row["judge"] for row in alone["orders"]} == {"Reversed"}


def test_people_have_the_same_figures_with_and_without_judges(bundles):
    for name in ("grouped", "alone"):
        with_judges, without = bundles[name], bundles[f"{name} without"]
        assert not (without / "judges.json").exists()
        for file in ("reports/reliability.json", "data/ratings.csv", "data/ratings_wide.csv", "labels.json"):
            assert (with_judges / file).read_bytes() == (without / file).read_bytes(), file
        assert (with_judges / "methods.md").read_bytes() == (without / "methods.md").read_bytes()
    assert check_of(bundles["alone without"], "reports/reliability.json").wrong == []


def test_a_changed_answer_of_a_judge_is_found_and_named(bundles, tmp_path):
    folder = copied(bundles["alone"], tmp_path)
    answers = folder / "data/judgements.csv"
    lines = answers.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(place for place, line in enumerate(lines) if line.startswith("I04,") and ",Near," in line)
    cells = lines[at].split(",")
    cells[6] = "1.5"
    lines[at] = ",".join(cells)
    answers.write_text("".join(lines), encoding="utf-8")
    sums = folder / "SHA256SUMS"
    digest = hashlib.sha256(answers.read_bytes()).hexdigest()
    listed = [
        f"{digest}  data/judgements.csv" if line.endswith("  data/judgements.csv") else line
        for line in sums.read_text().splitlines()
    ]
    sums.write_text("\n".join(listed) + "\n")
    wrong = check_of(folder).wrong
    assert any(line.startswith("agreement quality Near estimate: stored") for line in wrong), wrong
    assert not [line for line in wrong if "Reversed" in line or "Constant" in line]
    status, printed = recompute(folder)
    assert status == 1
    assert "agreement quality Near estimate: stored" in printed


@pytest.mark.parametrize(
    ("table", "column", "named"),
    [
        ("agreement", "estimate", "agreement quality Near estimate: stored"),
        ("test", "advantage", "test quality Near False advantage: stored"),
        ("test", "winning_rate", "test quality Near False winning_rate: stored"),
        ("test", "passes", "test quality Near False passes: stored"),
        ("test", "high", "test quality Near False high: stored"),
        ("test", "all_ratings_p", "test quality Near False all_ratings_p: stored"),
        ("means", "people_estimate", "means quality Near  people_estimate: stored"),
        ("means", "judge_low", "means quality Near  judge_low: stored"),
        ("means", "combined_estimate", "means quality Near  combined_estimate: stored"),
        ("means", "worth", "means quality Near  worth: stored"),
        ("orders", "adjusted_p", "orders quality Reversed"),
        ("sizes", "most", "sizes quality most: stored"),
    ],
)
def test_a_changed_figure_is_found_and_named(bundles, tmp_path, table, column, named):
    folder = copied(bundles["alone"], tmp_path)
    path = folder / REPORT
    report = json.loads(path.read_text())
    row = next(row for row in report["tables"][table] if row.get("judge") != "")
    assert row[column] is not None
    row[column] = not row[column] if column == "passes" else row[column] + 1e-3
    path.write_text(json.dumps(report))
    assert [line for line in check_of(folder).wrong if line.startswith(named)]


def test_a_row_that_was_removed_is_missing(bundles, tmp_path):
    folder = copied(bundles["alone"], tmp_path)
    path = folder / REPORT
    report = json.loads(path.read_text())
    del report["tables"]["means"][0]
    path.write_text(json.dumps(report))
    assert any("rows that are missing" in line for line in check_of(folder).wrong)


def test_counts_of_answers_are_those_of_the_table(bundles, tmp_path):
    folder = copied(bundles["alone"], tmp_path)
    changed(folder / "judges.json", '"n_without": 2', '"n_without": 1')
    wrong = check_of(folder, "judges.json").wrong
    assert wrong == ["Near n_without: stored 1, recomputed 2"]
    changed(folder / "judges.json", '"name": "Near"', '"name": "Other"')
    assert "judges without an entry: stored [], recomputed ['Near']" in check_of(folder, "judges.json").wrong
