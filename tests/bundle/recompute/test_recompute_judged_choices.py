"""Bundles whose judges answered choices and comparisons, with or without scales, compute themselves again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from annotation.models import Criterion, ScalePoint, Study
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from scoring.bundle.recompute.checking.check import Check
from scoring.bundle.recompute.command import run_checks
from scoring.models import Judge, Judgement
from scoring.services.judges.judge_report import compute_judges, request_judges
from tests.bundle.recompute.recomputing import compared, is_the_same, recompute
from tests.bundle.studies import quick, unpacked
from tests.services.judges.chosen_study import TONES, choosing, chosen_study

pytestmark = pytest.mark.django_db
REPORT = "reports/judges.json"
TABLES = (*("option_agreement", "option_test", "bias", "both_orders", "calibration", "bins", "soft_labels"),)


def add_scale(study: Study) -> None:
    """A scale that three more raters and a judge with several samples and probabilities have answered."""
    version = study.forms.get().versions.get()
    quality = Criterion.objects.create(
        version=version, key="quality", name="Quality", kind="likert", minimum=1, maximum=5, position=9
    )
    ScalePoint.objects.bulk_create(ScalePoint(criterion=quality, value=n, label=str(n)) for n in range(1, 6))
    raters = [study.raters.create(code=f"S-{n}") for n in range(3)]
    store_responses(
        loaded=[
            LoadedResponse(
                item=item, rater=rater, version=version, values={quality: 1 + (n * (place + 2)) % 5}
            )
            for n, item in enumerate(study.items.order_by("position"))
            for place, rater in enumerate(raters)
        ]
    )
    judge = Judge.objects.get(study=study, name="Judge A")
    Judgement.objects.bulk_create(
        Judgement(
            judge=judge,
            item=item,
            criterion=quality,
            sample=sample,
            value=1 + (n + sample) % 5,
            minimum=1,
            maximum=5,
            probabilities={"2": 0.25, "3": 0.5, "5": 0.25} if n % 4 == 0 else None,
        )
        for n, item in enumerate(study.items.order_by("position"))
        for sample in (1, 2)
    )


def of_tone(n: int) -> Any:
    """Probabilities, samples, one answer, or none."""
    draw = np.random.default_rng(n)
    right, other = TONES[n % 3], TONES[(n + 1) % 3]
    if n % 11 == 5:
        return None
    if n % 5 == 1:
        return [right, other, right if draw.random() < 0.5 else other]
    sure = float(draw.uniform(0.4, 0.95))
    return (right, {right: sure, other: 1 - sure})


def judged(*, grouped: bool, scale: bool) -> Study:
    study = chosen_study()
    if grouped:
        for n, item in enumerate(study.items.order_by("position")):
            study.items.filter(pk=item.pk).update(group=f"G{n // 2:02d}" if n < 30 else "")
    choosing(study, "tone", of_tone)
    longer = ["b" if n % 2 == 0 else "a" for n in range(44)]
    choosing(study, "better", lambda n: "tie" if n % 13 == 4 else longer[n], same_family_as="owl")
    choosing(study, "better", lambda n: "a" if n % 5 else "b", name="Judge B", same_family_as="crow")
    choosing(study, "tone", lambda n: "warm" if n < 30 else None, name="Judge B")
    if scale:
        add_scale(study)
    compute_judges(lease=quick(request_judges(study=study, actor=None, epsilon=0.2, replicates=80)))
    return study


@pytest.fixture(scope="module")
def bundles(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Made once: tests read them, or change a copy."""
    folder, found = tmp_path_factory.mktemp("chosen"), {}
    with django_db_blocker.unblock():
        for name, how in (("alone", (False, False)), ("grouped", (True, False)), ("scale", (False, True))):
            with transaction.atomic():
                study = judged(grouped=how[0], scale=how[1])
                found[name] = unpacked(study, folder / name, judges=True)
                transaction.set_rollback(True)
    return found


def check_of(folder: Path) -> Check:
    return next(check for check in run_checks(folder) if check.name == REPORT)


@pytest.mark.parametrize("name", ["alone", "grouped", "scale"])
def test_an_unchanged_bundle_recomputes_every_table(bundles, name):
    found = {check.name: check for check in run_checks(bundles[name])}
    assert {name: check.wrong for name, check in found.items() if check.wrong} == {}
    assert set(found[REPORT].left) <= {"judges", "not_compared"}
    assert found[REPORT].compared > 600


def test_the_program_does_it_alone(bundles):
    status, printed = recompute(bundles["scale"])
    assert status == 0, printed
    assert is_the_same(printed, "Every number(?: that was recomputed)?"), printed
    assert compared(printed)[REPORT] > 600


def test_the_bundles_have_what_is_to_be_computed(bundles):
    tables = {name: json.loads((folder / REPORT).read_text())["tables"] for name, folder in bundles.items()}
    alone = tables["alone"]
    assert all(alone[name] for name in TABLES)
    assert {row["coefficient"] for row in alone["option_agreement"]} == {"exact", "kappa", "s"}
    assert {row["n_tested"] for row in alone["option_test"]} >= {4}
    assert any(row["own_family"] for row in alone["bias"])
    assert {row["n_pairs"] for row in alone["both_orders"]} == {8}
    assert {row["reason"] for row in alone["calibration"]} == {"", "no_probabilities"}
    assert any(row["n_groups"] for row in tables["grouped"]["option_agreement"])
    scored = {row["score"]: row for row in tables["scale"]["soft_labels"] if row["criterion"] == "quality"}
    assert scored["wasserstein"]["estimate"] is not None


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("option_agreement", "estimate"),
        ("option_agreement", "high"),
        ("option_test", "advantage"),
        ("option_test", "winning_rate"),
        ("option_test", "all_ratings_p"),
        ("option_test", "low"),
        ("bias", "difference"),
        ("bias", "judge_low"),
        ("bias", "people_high"),
        ("bias", "raters_first_share"),
        ("bias", "differs"),
        ("bias", "own_family"),
        ("both_orders", "consistent"),
        ("both_orders", "first_in_both"),
        ("both_orders", "preference_low"),
        ("calibration", "expected_calibration_error"),
        ("calibration", "overconfidence_low"),
        ("calibration", "brier"),
        ("bins", "n"),
        ("bins", "correct"),
        ("soft_labels", "estimate"),
        ("soft_labels", "high"),
        ("soft_labels", "n_floored"),
    ],
)
def test_a_changed_figure_is_found_and_named(bundles, tmp_path, table, column):
    folder = Path(shutil.copytree(bundles["alone"], tmp_path / "copy"))
    path = folder / REPORT
    report = json.loads(path.read_text())
    row = next(row for row in report["tables"][table] if row[column] is not None)
    row[column] = not row[column] if isinstance(row[column], bool) else row[column] + 1e-3
    path.write_text(json.dumps(report))
    named = f"{table} {row['criterion']} {row['judge']}"
    assert [line for line in check_of(folder).wrong if line.startswith(named) and column in line]


def test_a_changed_answer_of_a_judge_is_found(bundles, tmp_path):
    folder = Path(shutil.copytree(bundles["alone"], tmp_path / "copy"))
    path = folder / "data/judgements.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(place for place, line in enumerate(lines) if ",better,Judge B," in line and ",1,a," in line)
    lines[at] = lines[at].replace(",1,a,", ",1,b,")
    path.write_text("".join(lines), encoding="utf-8")
    wrong = check_of(folder).wrong
    assert any(line.startswith("option_agreement better Judge B exact estimate") for line in wrong), wrong
    assert not [line for line in wrong if "Judge A" in line]


@pytest.mark.parametrize("table", TABLES)
def test_a_row_that_was_removed_is_missing(bundles, tmp_path, table):
    folder = Path(shutil.copytree(bundles["alone"], tmp_path / "copy"))
    path = folder / REPORT
    report = json.loads(path.read_text())
    del report["tables"][table][0]
    path.write_text(json.dumps(report))
    assert any("rows that are missing" in line for line in check_of(folder).wrong)
