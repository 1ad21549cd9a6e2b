"""Bundles whose judges answered choices and comparisons, alone or beside scales, compute themselves again."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.models import Criterion, ScalePoint, Study
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from scoring.bundle.recompute.checking.check import Check
from scoring.bundle.recompute.command import run_checks
from scoring.services.judges.judge_report import compute_judges, request_judges
from tests.bundle.studies import quick, unpacked
from tests.services.judges.chosen_study import TONES, choosing, chosen_study

pytestmark = pytest.mark.django_db
REPORT = "reports/judges.json"


def checked(study: Study, folder: Path) -> dict[str, Check]:
    compute_judges(lease=quick(request_judges(study=study, actor=None, epsilon=0.2, replicates=60)))
    return {check.name: check for check in run_checks(unpacked(study, folder, judges=True))}


def test_choices_alone_are_left_to_later_and_nothing_is_wrong(tmp_path: Path):
    study = chosen_study()
    choosing(study, "tone", lambda n: TONES[n % 3])
    found = checked(study, tmp_path)
    assert {name: check.wrong for name, check in found.items() if check.wrong} == {}
    assert "option_test" in found[REPORT].left


def test_scales_beside_choices_are_recomputed(tmp_path: Path):
    study = chosen_study()
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
    choosing(study, "tone", lambda n: TONES[n % 3])
    found = checked(study, tmp_path)
    assert {name: check.wrong for name, check in found.items() if check.wrong} == {}
