"""Migrations of stored answers: what a study shows of them stays the same, byte for byte, there and back.

The migrations are of version 0.2 and do not change; `tests/backup/test_upgrade.py` goes forth in every run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from annotation.io.base.writers import WRITERS, write_rows
from annotation.models import Rating, Study, Verdict
from annotation.selectors.adjudication.final_answers import adjudicated_table
from annotation.selectors.questions.choice_table import choices_table
from annotation.selectors.questions.long_table import ratings_frame
from annotation.selectors.studies.exports import ratings_table
from scoring.selectors.data.answers import study_answers
from scoring.services.data.tables import ratings_table as table_of
from scoring.services.raters.exclusion_preview import fingerprint
from tests.support.people import PASSWORD
from tests.support.studies.adjudication_study import decide_all, look_for, make_case_study, owner_of

WHOLE_NUMBERS = [("annotation", "0020_question_kinds")]
ANSWERS_AS_TEXT = [("annotation", "0021_numbers_as_floats")]
BEFORE_SECOND_OPINIONS = [("annotation", "0054_pooled_pilots")]
AFTER_TEXT = {("annotation", "0022_room_for_structured_answers")}
ORDER = ["b", "a", "tie"]
# By kind, an answer that cannot be stored as before, and what the migration says of it.
STOPS = {
    "likert": ("four", r"has both a number \(\d\) and a text \('four'\)"),
    "tuples": ("moon", r"holds an answer of kind tuples .*: 'moon'"),
}

pytestmark = pytest.mark.django_db(transaction=True)


def migrate(targets: list[tuple[str, str]]) -> None:
    MigrationExecutor(connection).migrate(targets)


def migrate_to_newest() -> None:
    migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())


@pytest.fixture
def newest_schema() -> Iterator[None]:
    """What the next test finds, however this one ends."""
    yield
    migrate_to_newest()


def execute(sql: str, values: Sequence[Any] = ()) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def rows(sql: str, values: Sequence[Any] = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def every_kind() -> Study:
    """A study with answers of every kind, in one order of options shown, and with final answers."""
    study = make_case_study()
    look_for(study, "spread", "quality", bound=2)
    decide_all(study, owner_of(study), ["I-0", "I-2"])
    Rating.objects.filter(criterion__kind="preference").update(shown=ORDER)
    return study


def test_a_second_opinion_stops_the_way_back_to_where_it_would_be_a_replaced_decision(newest_schema):
    study = make_case_study()
    look_for(study, "spread", "quality", bound=2)
    decide_all(study, owner_of(study), ["I-0"])
    marked = Verdict.objects.update(current=False, second=True)
    with pytest.raises(IrreversibleError, match="is a second opinion"):
        migrate(BEFORE_SECOND_OPINIONS)
    assert Verdict.objects.filter(second=True).count() == marked
    Verdict.objects.update(second=False)
    migrate(BEFORE_SECOND_OPINIONS)


def type_of(table: str, column: str) -> str:
    with connection.cursor() as cursor:
        found = connection.introspection.get_table_description(cursor, table)
        described = next(one for one in found if one.name == column)
        return str(connection.introspection.get_field_type(described.type_code, described))


def files(study: Study) -> dict[str, bytes]:
    """Ratings and final answers in every format whose bytes do not hold the time of writing."""
    tables = {"ratings": ratings_table, "adjudicated": adjudicated_table, "choices": choices_table}
    return {
        f"{name}.{file_format}": b"".join(write_rows(rows, columns, file_format))
        for name, table in tables.items()
        for file_format in WRITERS.keys() - {"xlsx"}
        for columns, rows in [table(study)]
    }


def shown(study: Study) -> dict[str, Any]:
    """Everything that must not change: files, what the API answers, fingerprints."""
    client = Client()
    assert client.login(email=owner_of(study).email, password=PASSWORD)
    pages = ["definition/", "adjudication/", *(f"adjudication/{case.pk}/" for case in study.cases.all())]
    answers = {page: client.get(f"/api/v1/studies/{study.slug}/{page}") for page in pages}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {
        **files(study),
        "frame": table_of(study, ratings_frame(study)).fingerprint,
        "arrays": fingerprint(study_answers(study).answers),
        **{page: answer.content for page, answer in answers.items()},
    }


@pytest.mark.slow
@pytest.mark.usefixtures("newest_schema")
def test_files_api_and_fingerprints_are_the_same_after_the_way_back_and_forth() -> None:
    study = every_kind()
    before = shown(study)
    written = [json.loads(line) for line in before["ratings.jsonl"].splitlines()]
    assert [row["value"] for row in written if row["criterion"] == "quality"][:3] == [1, 3, 5]
    assert b",quality,4,false," in before["ratings.csv"]
    assert b"4.0" not in before["ratings.csv"]

    migrate(ANSWERS_AS_TEXT)
    stored = "SELECT {} FROM annotation_{} WHERE answer <> ''"
    texts = {row["value"] for row in written if isinstance(row["value"], str)}
    assert {text for (text,) in rows(stored.format("answer", "rating"))} == texts
    assert {text for (text,) in rows(stored.format("answer", "finalanswer"))} <= texts
    assert {order for (order,) in rows(stored.format("shown", "rating"))} == {"", "b|a|tie"}

    migrate(WHOLE_NUMBERS)
    assert type_of("annotation_rating", "value") == "SmallIntegerField"
    assert type_of("annotation_finalanswer", "value") == "SmallIntegerField"

    migrate_to_newest()
    assert {type_of("annotation_rating", name) for name in ("value", "minimum", "maximum")} == {"FloatField"}
    assert shown(study) == before
    assert list(Rating.objects.filter(criterion__kind="multiple").values_list("content", flat=True)[:1]) == [
        ["a", "b"]
    ]
    assert Rating.objects.filter(criterion__kind="preference", shown=ORDER).count() == 12


@pytest.mark.slow
@pytest.mark.usefixtures("newest_schema")
def test_the_way_back_stops_at_a_number_that_is_not_whole() -> None:
    rating = every_kind().forms.get().versions.get().criteria.get(key="quality").ratings.earliest("pk")
    Rating.objects.filter(pk=rating.pk).update(value=4.5)
    with pytest.raises(IrreversibleError, match=rf"^Rating {rating.pk} has 4.5 as its value"):
        migrate(WHOLE_NUMBERS)
    migrate_to_newest()
    rating.refresh_from_db()
    assert str(rating) == "4.5"


@pytest.mark.slow
@pytest.mark.usefixtures("newest_schema")
def test_the_way_forth_stops_at_an_answer_that_would_not_be_the_same_and_changes_nothing() -> None:
    every_kind()
    first = {kind: Rating.objects.filter(criterion__kind=kind).earliest("pk").pk for kind in STOPS}
    migrate(ANSWERS_AS_TEXT)
    for kind, (text, words) in STOPS.items():
        answered = "SELECT answer FROM annotation_rating WHERE id = %s", [first[kind]]
        ((before,),) = rows(*answered)
        change = "UPDATE annotation_rating SET answer = %s WHERE id = %s"
        execute(change, [text, first[kind]])
        try:
            with pytest.raises(Exception, match=words):
                migrate_to_newest()
            assert rows(*answered) == [(text,)]
            assert MigrationRecorder(connection).applied_migrations().keys() & AFTER_TEXT == set()
        finally:
            execute(change, [before, first[kind]])


def test_ratings_with_fractions_reach_files_and_arrays_as_they_were_given() -> None:
    study = make_case_study()
    first = Rating.objects.filter(criterion__key="quality").earliest("pk")
    Rating.objects.filter(pk=first.pk).update(value=4.5)
    assert b",quality,4.5,false," in files(study)["ratings.csv"]
    assert 4.5 in study_answers(study).answers.values["quality"]


@pytest.mark.parametrize(
    "columns",
    [
        {},
        {"value": 3, "minimum": 1, "maximum": 5, "answer": "yes"},
        {"answer": "yes", "content": ["yes"]},
        {"value": 3, "minimum": 1, "maximum": 5, "content": ["yes"]},
    ],
    ids=["nothing", "number and text", "text and list", "number and list"],
)
def test_the_database_refuses_an_answer_that_is_not_exactly_one_thing(columns: dict[str, Any]) -> None:
    make_case_study()
    given = Rating.objects.values("response", "criterion").earliest("pk")
    Rating.objects.all().delete()
    with pytest.raises(IntegrityError, match="rating_says_one_thing"):
        Rating.objects.create(response_id=given["response"], criterion_id=given["criterion"], **columns)
