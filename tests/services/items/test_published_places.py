"""Published marked errors go to the question that their row names, with what the rest of the row says."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.base.errors import FileRefused
from annotation.domain.questions.error_spans.marks import marks_in
from annotation.models import Criterion, Form, FormVersion, Rating, Response, ScalePoint, Study
from annotation.selectors.questions.errors.tables import error_texts_table
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.items.published_errors import import_published_errors
from tests.support.studies.choice_study import draft

pytestmark = pytest.mark.django_db
TEXT, OTHER = "A suit case.", "An odd suit."


def file(folder: Path, columns: tuple[str, ...], *rows: tuple[Any, ...]) -> Path:
    path = folder / "published.csv"
    with path.open("w", encoding="utf-8", newline="") as written:
        csv.writer(written).writerows([columns, *rows])
    return path


def spans(category: str, start: int = 2, end: int = 6) -> str:
    return json.dumps([{"start": start, "end": end, "category": category, "severity": "minor"}])


def add_question(version: FormVersion, key: str, category: str) -> None:
    known = Criterion.objects.filter(kind="errors").first()
    assert known is not None
    criterion = Criterion.objects.create(
        version=version, key=key, name=key, kind="errors", settings=known.settings, required=False, position=5
    )
    for place, value in enumerate((category, "minor", "major", "critical")):
        ScalePoint.objects.create(criterion=criterion, value=value, position=place)


def two_questions(slug: str = "choices") -> Study:
    """A draft whose form asks for errors of accuracy and of fluency, and has a scale for the whole."""
    study = draft("error_spans", slug=slug)
    Criterion.objects.filter(version__form__study=study, key="errors").update(key="accuracy", required=False)
    add_question(FormVersion.objects.get(form__study=study), "fluency", "tone")
    return study


def two_forms() -> Study:
    """A draft with a second form, whose errors are marked in another text and of another category."""
    study = draft("error_spans")
    form = Form.objects.create(study=study, key="second", title="Second", position=1)
    blocks = [{"field": "retold", "label": "Retold", "role": "figure"}]
    add_question(FormVersion.objects.create(form=form, blocks=blocks), "errors", "tone")
    return study


def table_of(study: Study) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    names, rows = error_texts_table(study)
    return tuple(names), [tuple("" if row[name] is None else row[name] for name in names) for row in rows]


def found(study: Study) -> dict[tuple[str, str, str], Any]:
    return {
        (row["form"], row["rater"], row["criterion"]): (
            marks_in(row["value"])[0]["text"] if str(row["value"]).startswith("[{") else row["value"]
        )
        for row in long_ratings(study)
    }


def problems_of(study: Study, path: Path) -> list[tuple[int, str, str]]:
    with pytest.raises(FileRefused) as refusal:
        import_published_errors(study=study, path=path)
    assert study.items.count() == Rating.objects.count() == 0
    return [(one.row, one.column, one.code) for one in refusal.value.problems]


def test_a_row_answers_the_question_that_it_names_and_a_page_of_two_questions_comes_in_again(tmp_path):
    columns = ("item", "rater", "target", "spans", "criterion", "value.overall")
    rows = (
        ("s", "P", TEXT, spans("meaning"), "accuracy", 50),
        ("s", "P", TEXT, spans("tone", 7, 11), "fluency", 50),
        ("s", "Q", TEXT, spans("tone", 7, 11), "fluency", 70),
    )
    first, again = two_questions(), two_questions("again")
    assert import_published_errors(study=first, path=file(tmp_path, columns, *rows)) == 5
    assert found(first) == {
        ("errors", "P", "accuracy"): "suit",
        ("errors", "P", "fluency"): "case",
        ("errors", "P", "overall"): 50,
        ("errors", "Q", "fluency"): "case",
        ("errors", "Q", "overall"): 70,
    }
    names, table = table_of(first)
    import_published_errors(study=again, path=file(tmp_path, names, *table))
    assert table_of(again) == (names, table)


def test_rows_of_two_forms_have_the_text_and_the_categories_of_their_form(tmp_path):
    columns = ("item", "rater", "target", "spans", "form")
    rows = (
        ("s", "P", TEXT, spans("meaning"), "errors"),
        ("s", "P", OTHER, spans("tone", 3, 6), "second"),
    )
    study = two_forms()
    assert import_published_errors(study=study, path=file(tmp_path, columns, *rows)) == 2
    assert found(study) == {("errors", "P", "errors"): "suit", ("second", "P", "errors"): "odd"}
    assert study.items.get().fields == {"rendering": TEXT, "retold": OTHER}


@pytest.mark.parametrize("column", ["form", "form_version", "form_correction", "criterion"])
def test_a_question_that_the_study_lacks_is_refused_by_row_and_column(tmp_path, column):
    path = file(
        tmp_path,
        ("item", "rater", "target", "spans", column),
        ("s", "P", TEXT, "[]", ""),
        ("s", "Q", TEXT, "[]", "7"),
    )
    assert problems_of(two_questions(), path) == [(3, column, f"unknown_{column}")]


def test_rows_of_one_page_must_agree_on_its_scales(tmp_path):
    path = file(
        tmp_path,
        ("item", "rater", "target", "spans", "criterion", "value.overall"),
        ("s", "P", TEXT, "[]", "accuracy", 50),
        ("s", "P", TEXT, "[]", "fluency", 51),
    )
    assert problems_of(two_questions(), path) == [(3, "value.overall", "contradicting_rows")]


def test_what_was_marked_and_rated_is_stored_where_the_rater_could_not_rate_the_rest(tmp_path):
    study = draft("error_spans")
    path = file(
        tmp_path,
        ("item", "rater", "target", "spans", "cannot_rate", "value.overall"),
        ("s", "P", TEXT, spans("meaning"), "true", ""),
        ("s", "Q", TEXT, "", "true", 30),
        ("s", "R", TEXT, "", "true", ""),
    )
    assert import_published_errors(study=study, path=path) == 2
    given = {key: value for key, value in found(study).items() if value is not None}
    assert given == {("errors", "P", "errors"): "suit", ("errors", "Q", "overall"): 30}
    assert Response.objects.exclude(cannot_rate="").count() == 3


def test_a_cell_that_ratings_refuse_is_named_by_the_row_of_the_file_that_was_sent(tmp_path):
    path = file(
        tmp_path,
        ("item", "rater", "target", "spans", "late", "overall"),
        ("s", "P", TEXT, "[]", "", 1),
        ("s", "Q", TEXT, "[]", "", 2),
        ("s", "R", TEXT, "[]", "perhaps", ""),
    )
    assert problems_of(draft("error_spans"), path) == [(4, "late", "not_a_flag")]


@pytest.mark.parametrize(
    ("category", "severity", "column"),
    [
        ("wording", "", "severity"),
        ("wording", "no-error", "severity"),
        ("", "minor", "category"),
        ("No-error", "minor", "category"),
    ],
)
def test_half_an_error_is_refused_and_is_not_an_answer_without_errors(tmp_path, category, severity, column):
    path = file(
        tmp_path,
        ("item", "rater", "target", "category", "severity"),
        ("s", "P", TEXT, category, severity),
    )
    assert problems_of(draft("error_spans"), path) == [(2, column, "incomplete_error")]


@pytest.mark.parametrize(
    ("fields", "expected"), [(("clip", "a", "source"), "source"), (("clip", "a", "gloss"), "gloss")]
)
def test_a_source_goes_to_the_field_source_or_another_text_never_to_a_recording_or_an_option(
    tmp_path, fields, expected
):
    study = draft("error_spans")
    version = FormVersion.objects.get(form__study=study)
    roles = {"clip": "audio", "a": "side"}
    shown = [{"field": one, "label": one, "role": roles.get(one, "text")} for one in fields]
    version.blocks = [*shown, {"field": "gloss", "label": "Gloss", "role": "text"}, version.blocks[-1]]
    version.save()
    path = file(
        tmp_path,
        ("item", "rater", "source", "target", "spans"),
        ("s", "P", "Ein Koffer.", TEXT, "[]"),
    )
    import_published_errors(study=study, path=path)
    assert study.items.get().fields == {expected: "Ein Koffer.", "rendering": TEXT}
