"""`score STUDY`: a study's items scored here, or left to the workers."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.base.states import JobState
from annotation.models import Study
from annotation.services.studies.demo import SCORES
from scoring.models import Score
from scoring.services.similes.score_settings import ScoreSettings
from tests.support.studies.simile_study import make_similes

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    made = Study.objects.create(slug="buses", title="Buses")
    make_similes(made)
    return made


def score(*options: str) -> str:
    out = io.StringIO()
    call_command("score", *options, "--profile=none", stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_a_study_is_scored_and_a_second_time_there_is_nothing_to_do(study: Study, tmp_path: Path) -> None:
    out = tmp_path / "scores.csv"
    assert "10 items scored" in score("buses", f"--out={out}")
    with out.open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == Score.objects.count()
    assert ": 0 items scored" in score("buses")


def test_the_work_can_be_left_to_the_workers(study: Study) -> None:
    assert "queued" in score("buses", "--queue")
    assert study.jobs.get().state == JobState.QUEUED


def test_what_is_neither_study_nor_file_and_a_study_without_items_are_refused(db: None) -> None:
    Study.objects.create(slug="empty", title="Empty")
    for source, code in (("nowhere", "no_such_study"), ("empty", "no_items"), ("no.csv", "no_such_file")):
        with pytest.raises(CommandError, match=code) as caught:
            score(source)
        assert caught.value.returncode == 2


def test_the_demo_asks_for_settings_that_a_run_can_read() -> None:
    assert ScoreSettings.from_json(SCORES) == ScoreSettings("embedded")
