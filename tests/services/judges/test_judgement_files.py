"""Judges from files and from stored metrics."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.domain.base.errors import FileRefused, InvalidContent
from annotation.models import AuditEntry, Rating, Study
from scoring.models import Judge, Judgement, MetricDirection, Score, ScoreRun
from scoring.services.judges.judge_storing import JudgeNotes, delete_judge
from scoring.services.judges.judgement_files import JudgementFile, import_judgements
from scoring.services.judges.metric_judges import judge_of_metric
from scoring.services.judges.scores_as_answers import Mapped
from tests.services.metrics.rated_study import rated_study
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db

WIDE = "item,quality,Creativity,model\nL00,4,2,x\nL01,5,,x\n"
LONG = "item,criterion,value,sample\nL00,quality,4,1\nL00,quality,5,2\nL01,creativity,1,1\n"


def imported(study: Study, tmp_path: Path, text: str, name: str = "a.csv", **asked) -> list[Judge]:
    path = tmp_path / name
    path.write_text(text)
    notes = JudgeNotes(
        asked.pop("judge", "Judge A"), **{key: asked.pop(key) for key in list(asked) if key != "mapped"}
    )
    return import_judgements(
        study=study, actor=None, path=path, name=name, asked=JudgementFile(notes, **asked)
    )


def values_in_order(judge: Judge) -> list[float]:
    rows = judge.judgements.order_by("item__position")
    return [value for value in rows.values_list("value", flat=True) if value is not None]


def answers(judge: Judge) -> list[tuple[object, ...]]:
    return list(
        judge.judgements.order_by("item__key", "criterion__position", "sample").values_list(
            "item__key", "criterion__key", "sample", "value", "reason"
        )
    )


def test_a_wide_file_has_a_column_for_each_criterion_and_empty_cells_have_a_reason(tmp_path):
    (judge,) = imported(make_cast().study, tmp_path, WIDE)
    assert answers(judge) == [
        ("L00", "quality", 1, 4, ""),
        ("L00", "creativity", 1, 2, ""),
        ("L01", "quality", 1, 5, ""),
        ("L01", "creativity", 1, None, "not_given"),
    ]
    assert AuditEntry.objects.filter(act="add_judge", detail__name="Judge A", detail__count=4).exists()


@pytest.mark.parametrize("column", ["criterion", "metric"])
def test_a_long_file_has_a_row_for_each_answer_and_may_have_samples(tmp_path, column):
    text = LONG.replace("criterion,value", f"{column},value")
    (judge,) = imported(make_cast().study, tmp_path, text)
    assert answers(judge) == [
        ("L00", "quality", 1, 4, ""),
        ("L00", "quality", 2, 5, ""),
        ("L01", "creativity", 1, 1, ""),
    ]


def test_a_file_may_name_several_judges(tmp_path):
    text = "item,judge,quality\nL00,B,4\nL00,A,2\n"
    study = make_cast().study
    assert [judge.name for judge in imported(study, tmp_path, text, judge="")] == ["B", "A"]
    with pytest.raises(FileRefused) as caught:
        imported(study, tmp_path, text, judge="C")
    assert caught.value.problems[0].code == "several_judges"


def test_rows_of_json_lines_are_read_as_those_of_a_table(tmp_path):
    rows = [{"item": "L00", "quality": 4}, {"item": "L01", "quality": 5.0}]
    (judge,) = imported(make_cast().study, tmp_path, "\n".join(map(json.dumps, rows)), "a.jsonl")
    assert [value for *_, value, _ in answers(judge)] == [4, 5]


@pytest.mark.parametrize(
    ("text", "code", "row", "column"),
    [
        ("item,quality\nL00,6\n", "not_an_answer", 2, "quality"),
        ("item,quality\nL00,3.5\n", "not_an_answer", 2, "quality"),
        ("item,quality\nL00,good\n", "not_an_answer", 2, "quality"),
        ("item,quality\nL00,4\nL99,4\n", "unknown_item", 3, "item"),
        ("item,quality\nL00,4\nL00,4\n", "doubled_judgement", 3, "quality"),
        ("item,beauty\nL00,4\n", "missing_column", 0, ""),
        ("key,quality\nL00,4\n", "missing_column", 0, "item"),
        ("item,quality,QUALITY\nL00,4,4\n", "same_criterion", 0, "QUALITY"),
        ("item,criterion,value\nL00,beauty,4\n", "unknown_criterion", 2, "criterion"),
        ("item,quality,sample\nL00,4,0\n", "bad_sample", 2, "sample"),
        ("item,quality,sample\nL00,4,1.5\n", "bad_sample", 2, "sample"),
        ("item,quality,judge\nL00,4,\n", "no_label", 2, "judge"),
        ("item,quality\n", "empty_file", 0, ""),
        ("item,quality,creativty\nL00,4,2\n", "unknown_criterion", 0, "creativty"),
    ],
)
def test_a_bad_file_names_its_row_and_column_and_stores_nothing(tmp_path, text, code, row, column):
    with pytest.raises(FileRefused) as caught:
        imported(make_cast().study, tmp_path, text)
    problem = caught.value.problems[0]
    assert (problem.code, problem.row, problem.column) == (code, row, column)
    assert not Judge.objects.exists()


@pytest.mark.parametrize(
    ("notes", "code"),
    [
        ({"judge": ""}, "no_name"),
        ({"judge": "x" * 81}, "no_name"),
        ({"judge": "Taken"}, "judge_taken"),
        ({"same_family_as": "crow"}, "unknown_system"),
        ({"description": "x" * 2001}, "too_long"),
    ],
)
def test_what_is_stated_of_a_judge_is_checked(tmp_path, notes, code):
    study = make_cast().study
    Judge.objects.create(study=study, name="Taken", way="file")
    with pytest.raises(InvalidContent) as caught:
        imported(study, tmp_path, WIDE, **notes)
    assert caught.value.code == code
    assert not Judgement.objects.exists()


def test_numbers_between_the_points_are_taken_only_where_that_is_chosen(tmp_path):
    study = make_cast().study
    (judge,) = imported(study, tmp_path, "item,quality\nL00,3.5\n", mapped=Mapped.NUMBERS)
    assert answers(judge) == [("L00", "quality", 1, 3.5, "")]
    with pytest.raises(FileRefused) as caught:
        imported(study, tmp_path, "item,quality\nL00,5.1\n", judge="B", mapped=Mapped.NUMBERS)
    assert caught.value.problems[0].code == "outside_scale"


def test_scores_on_another_scale_get_the_distribution_of_the_ratings(tmp_path):
    study = rated_study()
    keys = list(study.items.values_list("key", flat=True))
    text = "item,quality\n" + "".join(f"{key},{100 - n}\n" for n, key in enumerate(keys))
    (judge,) = imported(study, tmp_path, text, mapped=Mapped.QUANTILES)
    rated = Rating.objects.filter(criterion__key="quality", value__isnull=False)
    ratings = np.array(rated.values_list("value", flat=True), dtype=float)
    values = values_in_order(judge)
    assert values == sorted(values, reverse=True)
    assert abs(np.mean(values) - np.mean(ratings)) < 0.1
    assert judge.judgements.get(item__key=keys[0]).raw == "100"


def test_scores_get_no_distribution_before_there_are_ratings(tmp_path):
    with pytest.raises(FileRefused) as caught:
        imported(make_cast().study, tmp_path, WIDE, mapped=Mapped.QUANTILES)
    assert caught.value.problems[0].code == "no_ratings"


def of_metric(study: Study, **asked) -> Judge:
    run = ScoreRun.objects.create(study=study, name="Lengths")
    Score.objects.bulk_create(
        Score(run=run, item=item, metric="length", value=n) for n, item in enumerate(study.items.all())
    )
    notes = JudgeNotes("Length")
    return judge_of_metric(
        **{"run": run, "metric": "length", "criterion": "quality", "notes": notes, "actor": None, **asked}
    )


@pytest.mark.parametrize(("direction", "falls"), [("higher", False), ("lower", True)])
def test_a_metric_answers_in_its_declared_direction(direction, falls):
    study = rated_study()
    MetricDirection.objects.create(study=study, metric="length", direction=direction)
    judge = of_metric(study)
    values = values_in_order(judge)
    assert values == sorted(values, reverse=falls)
    assert values[0] != values[-1]
    assert (judge.way, judge.settings["run_name"]) == ("metric", "Lengths")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"metric": "width"}, "unknown_metric"),
        ({"criterion": "beauty"}, "unknown_criterion"),
        ({"mapped": Mapped.NUMBERS}, "outside_scale"),
    ],
)
def test_a_metric_that_gives_no_answers_is_refused(asked, code):
    with pytest.raises(InvalidContent) as caught:
        of_metric(rated_study(), **asked)
    assert caught.value.code == code
    assert not Judge.objects.exists()


def test_a_deleted_judge_takes_its_answers_with_it(tmp_path):
    (judge,) = imported(make_cast().study, tmp_path, WIDE)
    twin = Judge.objects.get(pk=judge.pk)
    delete_judge(judge=judge, actor=None)
    assert not Judgement.objects.exists()
    delete_judge(judge=twin, actor=None)
    assert AuditEntry.objects.get(act="delete_judge").detail["name"] == "Judge A"


def test_the_command_imports_a_file_and_names_what_it_refuses(tmp_path, capsys):
    make_cast()
    path = tmp_path / "a.csv"
    path.write_text(WIDE)
    call_command("import_judge", "lamps", str(path), "--name", "Judge A")
    assert capsys.readouterr().out == "Judge A: 4 answers imported\n"
    with pytest.raises(CommandError, match=r"\[judge_taken\]"):
        call_command("import_judge", "lamps", str(path), "--name", "Judge A")
    path.write_text("item,quality\nL00,9\n")
    with pytest.raises(CommandError, match=r"row 2, column 'quality'"):
        call_command("import_judge", "lamps", str(path), "--name", "B")
