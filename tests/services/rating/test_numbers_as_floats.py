"""Numbers became floats: what a study shows of its ratings stays the same, byte for byte, there and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from annotation.io.base.writers import WRITERS, write_rows
from annotation.models import Rating, Study
from annotation.selectors.adjudication.final_answers import adjudicated_table
from annotation.selectors.questions.long_table import ratings_frame
from annotation.selectors.studies.exports import ratings_table
from scoring.selectors.data.answers import study_answers
from scoring.services.data.tables import ratings_table as table_of
from scoring.services.raters.exclusion_preview import fingerprint
from tests.support.people import PASSWORD
from tests.support.studies.adjudication_study import decide_all, look_for, make_case_study, owner_of

BEFORE = [("annotation", "0020_question_kinds")]
AFTER = [("annotation", "0021_numbers_as_floats")]

pytestmark = pytest.mark.django_db(transaction=True)


def migrate(targets: list[tuple[str, str]]) -> None:
    MigrationExecutor(connection).migrate(targets)


@pytest.fixture
def old_schema() -> Iterator[None]:
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    migrate(BEFORE)
    yield
    migrate(newest)


def type_of(table: str, column: str) -> str:
    with connection.cursor() as cursor:
        found = connection.introspection.get_table_description(cursor, table)
        told = next(one for one in found if one.name == column)
        return str(connection.introspection.get_field_type(told.type_code, told))


def files(study: Study) -> dict[str, bytes]:
    """Ratings and final answers in every format whose bytes do not hold the time of writing."""
    tables = {"ratings": ratings_table, "adjudicated": adjudicated_table}
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


@pytest.mark.usefixtures("old_schema")
def test_files_api_and_fingerprints_are_the_same_before_and_after_and_back() -> None:
    study = make_case_study()
    look_for(study, "spread", "quality", bound=2)
    decide_all(study, owner_of(study), ["I-0", "I-2"])
    assert type_of("annotation_rating", "value") == "SmallIntegerField"
    before = shown(study)
    rows = [json.loads(line) for line in before["ratings.jsonl"].splitlines()]
    assert [row["value"] for row in rows if row["criterion"] == "quality"][:3] == [1, 3, 5]
    assert b",quality,4,false," in before["ratings.csv"]
    assert b"4.0" not in before["ratings.csv"]

    migrate(AFTER)
    assert {type_of("annotation_rating", name) for name in ("value", "minimum", "maximum")} == {"FloatField"}
    assert (
        type_of("annotation_finalanswer", "value")
        == type_of("annotation_criterion", "maximum")
        == "FloatField"
    )
    assert shown(study) == before

    migrate(BEFORE)
    assert type_of("annotation_rating", "value") == "SmallIntegerField"
    assert shown(study) == before


@pytest.mark.usefixtures("old_schema")
def test_the_way_back_stops_at_a_number_that_is_not_whole() -> None:
    migrate(AFTER)
    rating = make_case_study().forms.get().versions.get().criteria.get(key="quality").ratings.earliest("pk")
    Rating.objects.filter(pk=rating.pk).update(value=4.5)
    with pytest.raises(IrreversibleError, match=rf"^Rating {rating.pk} has 4.5 as its value"):
        migrate(BEFORE)
    rating.refresh_from_db()
    assert str(rating) == "4.5"
    assert type_of("annotation_rating", "value") == "FloatField"


@pytest.mark.usefixtures("old_schema")
def test_ratings_with_fractions_reach_files_and_arrays_as_they_were_given() -> None:
    migrate(AFTER)
    study = make_case_study()
    first = Rating.objects.filter(criterion__key="quality").earliest("pk")
    Rating.objects.filter(pk=first.pk).update(value=4.5)
    assert b",quality,4.5,false," in files(study)["ratings.csv"]
    assert 4.5 in study_answers(study).answers.values["quality"]
