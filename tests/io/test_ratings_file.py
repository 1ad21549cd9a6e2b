"""Rows of a ratings file that contradict each other are refused, and nothing is stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.base.errors import FileRefused
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.questions.kinds.marking.tuples import TUPLES
from annotation.domain.questions.kinds.multiple import MULTIPLE
from annotation.domain.questions.kinds.text import TEXT
from annotation.domain.questions.tuples import PARTS, tuples_text
from annotation.io.items.ratings_file import RatingsFile, read_ratings
from annotation.models import Criterion, Form, FormVersion, Item, Response, ScalePoint, Study, User
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.items.rating_files import import_items, import_ratings
from annotation.services.rating.enrolment import trial_rater
from annotation.services.studies.lifecycle import create_study

Place = tuple[int, str, str]
TUPLE = tuples_text([{"tenor": "the sea", "vehicle": "a drum", "ground": "dull beat"}])
ROW = {"item": "a", "rater": "R1", "criterion": "quality", "value": 3}


def ratings(folder: Path, *rows: dict[str, Any], **both: Any) -> Path:
    """A file of rows that are based on `ROW`; row 1 is its first line."""
    path = folder / "ratings.jsonl"
    path.write_text("\n".join(json.dumps(ROW | both | row) for row in rows), encoding="utf-8")
    return path


def read(folder: Path, *rows: dict[str, Any], **both: Any) -> RatingsFile:
    return read_ratings(ratings(folder, *rows, **both))


def problems_of(path: Path, **options: Any) -> list[Place]:
    with pytest.raises(FileRefused) as refusal:
        read_ratings(path, **options)
    return [(problem.row, problem.column, problem.code) for problem in refusal.value.problems]


@pytest.fixture
def study(db: None) -> Study:
    owner = User.objects.create_user("someone@example.org", "simile-and-metaphor-42")
    return create_study(slug="copy", title="Copy", owner=owner)


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ([{}, {"value": 3}], (2, "rater", "doubled_rating")),
        ([{}, {"value": 4}], (2, "rater", "doubled_rating")),
        ([{"form": "One form"}, {"form": "one-form"}], (2, "rater", "doubled_rating")),
        ([{"form_version": 1}, {"form_version": 2, "criterion": "b"}], (2, "form_version", "")),
        ([{"late": True}, {"late": False, "criterion": "b"}], (2, "late", "")),
        (
            [{"interface_language": "ja"}, {"interface_language": "en", "criterion": "b"}],
            (2, "interface_language", ""),
        ),
        ([{"text_language": "ja"}, {"criterion": "b"}], (2, "text_language", "")),
        ([{"remark": "x"}, {"criterion": "b"}], (2, "remark", "")),
        ([{"seconds": 2}, {"seconds": 2.5, "criterion": "b"}], (2, "seconds", "")),
        ([{"submitted_at": "2026-01-01"}, {"criterion": "b"}], (2, "submitted_at", "")),
        ([{"cannot_rate": True}, {"criterion": "b"}], (2, "reason", "")),
        ([{"excluded": True}, {"criterion": "b"}], (2, "exclusion_rule", "")),
        ([{"current": True}, {"current": False, "criterion": "b"}], (2, "current", "")),
        ([{"simulated": True}, {"simulated": False, "item": "b"}], (2, "simulated", "")),
        ([{"group": "g"}, {"group": "h", "rater": "R2"}], (2, "group", "")),
        ([{"system": "s"}, {"rater": "R2"}], (2, "system", "")),
        ([{"current": True}, {"current": True, "revision": 2}], (2, "current", "two_current_rows")),
        ([{"current": True, "revision": 2}, {"current": True}], (2, "current", "two_current_rows")),
        ([{"current": True}, {"current": False, "revision": 2}], (1, "current", "current_not_highest")),
        ([{"current": False}, {"current": False, "revision": 2}], (2, "current", "current_not_highest")),
        ([{"rater": "R1"}, {"slot": "1"}], (2, "slot", "rater_and_slot")),
    ],
)
def test_rows_that_contradict_each_other_are_refused_by_the_later_one(tmp_path, rows, place):
    row, column, code = place
    both = {} if column != "slot" else {"rater": None}
    assert problems_of(ratings(tmp_path, *rows, **both)) == [(row, column, code or "contradicting_rows")]


@pytest.mark.parametrize(
    "rows",
    [
        [{}, {"value": 4}],
        [{"late": True}, {"late": False, "criterion": "b"}],
        [{"group": "g"}, {"group": "h", "rater": "R2"}],
        [{"current": True}, {"current": True, "revision": 2}],
    ],
)
def test_the_other_row_is_named_too(tmp_path, rows):
    filler = [{"item": f"filler {number}"} for number in range(5)]
    with pytest.raises(FileRefused) as refusal:
        read(tmp_path, *filler, rows[0], *[{**one, "rater": "R9"} for one in filler], rows[1])
    [problem] = refusal.value.problems
    assert problem.row == 12
    assert "row 6" in problem.message


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ({"reason": "other"}, ("reason", "contradicting_cells")),
        ({"exclusion_rule": "by_hand"}, ("exclusion_rule", "contradicting_cells")),
        ({"criterion": "", "cannot_rate": True}, ("criterion", "empty_cell")),
        ({"item": "  "}, ("item", "empty_cell")),
        ({"item": "a\nb"}, ("item", "control_character")),
        ({"value": "1_0"}, ("value", "not_a_number")),
        ({"value": True}, ("value", "not_whole")),
        ({"value": 40_000}, ("value", "outside_scale")),
        ({"revision": 0}, ("revision", "outside_scale")),
        ({"late": "maybe"}, ("late", "not_a_flag")),
        ({"seconds": "soon"}, ("seconds", "not_a_number")),
        ({"submitted_at": "yesterday"}, ("submitted_at", "not_a_time")),
        ({"submitted_at": "0001-01-01T00:00:00+14:00"}, ("submitted_at", "not_a_time")),
        ({"rater": "R" * 65}, ("rater", "too_long")),
        ({"form": "比喩"}, ("form", "bad_form_key")),
        ({"interface_language": "日本語"}, ("interface_language", "bad_language")),
        ({"text_language": "日本語"}, ("text_language", "bad_language")),
    ],
)
def test_a_cell_that_says_nothing_that_can_be_stored_is_refused(tmp_path, row, place):
    assert problems_of(ratings(tmp_path, row)) == [(1, *place)]


def test_a_table_with_both_columns_is_refused_as_a_whole(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,rater,slot,criterion,value\na,R1,1,quality,3\n", encoding="utf-8")
    assert problems_of(path) == [(0, "slot", "rater_and_slot")]
    path.write_text("item,criterion,value\na,quality,3\n", encoding="utf-8")
    assert problems_of(path) == [(0, "rater", "missing_column")]


def test_where_no_row_says_what_is_current_the_highest_revisions_are(tmp_path):
    file = read(tmp_path, {"revision": 2, "value": 4}, {"revision": 1}, {"item": "b"}, {"revision": 3})
    assert [row.current for row in file.rows] == [False, False, True, True]


def test_ratings_with_cannot_rate_are_taken_and_counted_as_ratings(tmp_path):
    rows = read(tmp_path, {}, {"criterion": "b", "value": None}, cannot_rate=True).rows
    assert [(row.value, row.reason) for row in rows] == [(3, "lacks_context"), (None, "lacks_context")]


@pytest.mark.parametrize(
    ("kind", "options", "value", "stored"),
    [
        (CHOICE, ("yes", "no"), "yes", "yes"),
        (CHOICE, ("1", "2"), 2, "2"),
        (CHOICE, ("yes", "no"), "maybe", None),
        (CHOICE, ("True", "False"), True, None),
        (TEXT, (), False, None),
        (MULTIPLE, ("True", "b"), True, None),
        (MULTIPLE, ("a", "b", "c"), "c|a", "a|c"),
        (MULTIPLE, ("a", "b"), "a|d", None),
        (TEXT, (), "like rain", "like rain"),
        (TEXT, (), "x" * 10_001, None),
        (TUPLES, (), "x", None),
        (TUPLES, PARTS, TUPLE, TUPLE),
        (TUPLES, (*PARTS, "event"), TUPLE, None),
        (LIKERT, (), 5, 5),
        (LIKERT, (), 6, None),
    ],
)
def test_values_keep_to_the_kind_of_a_criterion_that_exists(tmp_path, kind, options, value, stored):
    question = Question("quality", "Quality", kind, 1, 5, options=options)
    path, questions = ratings(tmp_path, {"value": value}), {("ratings", 1, "quality"): question}
    if stored is None:
        [(row, column, code)] = problems_of(path, questions=questions)
        assert (row, column) == (1, "value")
        assert code in {"not_an_answer", "outside_scale"}
    else:
        assert read_ratings(path, questions=questions).rows[0].value == stored


def test_a_rating_without_a_form_belongs_to_the_only_form_that_asks_its_criterion(tmp_path):
    question = Question("quality", "Quality", LIKERT, 1, 5)
    one = {("similes", 1, "quality"): question}
    path = ratings(tmp_path, {}, {"criterion": "beauty"})
    assert [row.form for row in read_ratings(path, questions=one).rows] == ["similes", "ratings"]
    outside = ratings(tmp_path, {"value": 7})
    assert problems_of(outside, questions=one) == [(1, "value", "outside_scale")]
    two = one | {("stories", 1, "quality"): question}
    assert [row.form for row in read_ratings(ratings(tmp_path, {}), questions=two).rows] == ["ratings"]


def test_the_language_of_a_page_is_taken_where_the_file_says_it(study, tmp_path):
    import_ratings(study=study, path=ratings(tmp_path, {"interface_language": "ja"}, {"rater": "R2"}))
    found = Response.objects.order_by("assignment__rater__code")
    assert [one.interface_language for one in found] == ["ja", ""]


def test_the_language_of_the_texts_is_exported_as_it_was_imported(study, tmp_path):
    rows = [
        {"interface_language": "ja", "text_language": "zh-hans"},
        {"rater": "R2", "text_language": "ja"},
        {"rater": "R3", "interface_language": "ja"},
        {"rater": "R4", "text_language": ""},
    ]
    import_ratings(study=study, path=ratings(tmp_path, *rows))
    shown = {row["rater"]: row["text_language"] for row in long_ratings(study)}
    # Without the cell, criteria that have no translation were shown in the study’s own language.
    assert shown == {"R1": "zh-hans", "R2": "ja", "R3": study.language, "R4": ""}


def test_nothing_is_stored_of_a_file_that_contradicts_itself(study, tmp_path):
    with pytest.raises(FileRefused):
        import_ratings(study=study, path=ratings(tmp_path, {"item": "b"}, {}, {"value": 4}))
    assert not study.items.exists()
    assert not study.raters.exists()
    assert not study.forms.exists()


def test_a_file_that_contradicts_the_studys_items_is_refused(study, tmp_path):
    Item.objects.create(study=study, key="a", group="g", fields={"simile": "like rain"})
    with pytest.raises(FileRefused) as refusal:
        import_ratings(study=study, path=ratings(tmp_path, {"item": "b"}, {"group": "h"}))
    [problem] = refusal.value.problems
    assert (problem.row, problem.column, problem.code) == (2, "group", "item_differs")
    assert not study.raters.exists()
    import_ratings(study=study, path=ratings(tmp_path, {}))
    assert study.items.get().group == "g"


def test_a_code_that_a_trial_holds_is_refused(study, tmp_path):
    trial = trial_rater(study=study, user=User.objects.get())
    with pytest.raises(FileRefused) as refusal:
        import_ratings(study=study, path=ratings(tmp_path, {"rater": trial.code}))
    assert refusal.value.code == "code_taken"


@pytest.mark.parametrize("code", ["T-1", "T-990", "T-7-trial"])
def test_no_file_takes_the_code_of_a_trial_that_may_come(study, tmp_path, code):
    with pytest.raises(FileRefused) as refusal:
        import_ratings(study=study, path=ratings(tmp_path, {}, {"rater": code, "item": "b"}))
    [problem] = refusal.value.problems
    assert (problem.row, problem.column, problem.code) == (2, "rater", "code_taken")
    assert not study.raters.exists()


@pytest.mark.parametrize("code", ["T-", "T-A", "XT-1", "t-1"])
def test_codes_that_only_look_like_those_of_trials_are_taken(study, tmp_path, code):
    import_ratings(study=study, path=ratings(tmp_path, {"rater": code}))
    assert study.raters.get().code == code


def test_choices_and_texts_are_stored_as_answers(study, tmp_path):
    version = FormVersion.objects.create(form=Form.objects.create(study=study, key="ratings", title="R"))
    criterion = Criterion.objects.create(version=version, key="figure", kind=CHOICE.key)
    ScalePoint.objects.create(criterion=criterion, value="simile")
    import_ratings(study=study, path=ratings(tmp_path, {"criterion": "figure", "value": "simile"}))
    [rating] = Response.objects.get().ratings.all()
    assert (rating.criterion, rating.value, rating.answer) == (criterion, None, "simile")


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        (["a,x", "b,y", "a,z"], (4, "item", "doubled_item")),
        (["a,x", " ,y"], (3, "item", "empty_cell")),
        (["a,x", "b,"], (3, "", "no_text")),
        ([f"{'a' * 121},x"], (2, "item", "too_long")),
        (["old,x"], (2, "item", "doubled_item")),
    ],
)
def test_items_that_cannot_be_taken_are_named_by_row(study, tmp_path, lines, place):
    Item.objects.create(study=study, key="old", fields={"simile": "like rain"})
    path = tmp_path / "items.csv"
    path.write_text("\n".join(["item,simile", *lines]), encoding="utf-8")
    with pytest.raises(FileRefused) as refusal:
        import_items(study=study, path=path)
    [problem] = refusal.value.problems
    assert (problem.row, problem.column, problem.code) == place
    assert study.items.count() == 1


def test_an_object_without_a_key_is_an_item_without_a_key(study, tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text('{"item": "a", "simile": "x"}\n{"simile": "y"}\n', encoding="utf-8")
    with pytest.raises(FileRefused) as refusal:
        import_items(study=study, path=path)
    assert [(one.row, one.column) for one in refusal.value.problems] == [(2, "item")]
