"""Tuples with their places: stored as sent, exported, imported again; the options of their criterion."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.base.errors import FileRefused, InvalidAnswer, InvalidContent
from annotation.domain.base.states import StudyState
from annotation.domain.questions.answers import Submission
from annotation.io.base.writers import write_rows
from annotation.io.studies.definitions import checked_definition
from annotation.models import Assignment, Rating, Study, User
from annotation.protocols.cmdag import CMDAG_REFINED
from annotation.protocols.registry import TEMPLATES
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.selectors.questions.tuple_tables import located_rows, span_rows
from annotation.selectors.studies.definition import definition_of
from annotation.selectors.studies.exports import items_table, ratings_table
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.items.rating_files import import_items, import_ratings
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state, create_from_template

pytestmark = pytest.mark.django_db
SENTENCE = "𠮷野の笑い😀は、e\u0301clat の鈴。"
MARKS = [
    {"tuple": 1, "part": "tenor", "start": 0, "end": 5, "text": "𠮷野の笑い"},
    {"tuple": 1, "part": "vehicle", "start": 8, "end": 11, "text": "e\u0301c 鈴"},
    {"tuple": 1, "part": "vehicle", "start": 16, "end": 17, "text": "e\u0301c 鈴"},
    {"tuple": 1, "part": "ground", "start": None, "end": None, "text": "明るい音"},
    {"tuple": 1, "part": "ground", "start": None, "end": None, "text": "高い音"},
    {"tuple": 2, "part": "vehicle", "start": 5, "end": 6, "text": "笑顔"},
    {"tuple": 2, "part": "ground", "start": None, "end": None, "text": "表情"},
]


def study_with(slug: str, *, text: str = SENTENCE) -> Study:
    owner, _ = User.objects.get_or_create(email="owner@example.org")
    study = create_from_template(template=CMDAG_REFINED, slug=slug, title=slug, owner=owner)
    if text:
        add_items(study=study, rows=[NewItem(key="J1", fields={"sentence": text, "earlier": "-"})])
    return study


def answered(study: Study, marks: list[dict[str, Any]]) -> Assignment:
    """A study in which one person has answered its only item."""
    owner = User.objects.get(email="owner@example.org")
    opened = change_state(study=study, to=StudyState.OPEN, actor=owner)
    page = next_assignment(rater=consent(invitation=invite(study=opened, actor=owner)))
    answer(page, marks)
    return page


def answer(page: Assignment, marks: list[dict[str, Any]]) -> None:
    sent = {"metaphor": "yes", "tuples": json.dumps(marks)}
    submit(assignment=page, version=page.version, submission=Submission(uuid.uuid4(), sent, seen_revision=1))


def exported(study: Study, folder: Path) -> Path:
    columns, rows = ratings_table(study, all_revisions=True)
    path = folder / "ratings.csv"
    path.write_bytes(b"".join(write_rows(rows, columns, "csv")))
    return path


def test_located_tuples_go_out_and_come_in_again(tmp_path):
    study = study_with("there")
    page = answered(study, MARKS[:4])
    answer(page, MARKS)
    assert [one.content for one in Rating.objects.filter(criterion__key="tuples").order_by("pk")] == [
        MARKS[:4],
        MARKS,
    ]
    columns, rows = items_table(study)
    (tmp_path / "items.csv").write_bytes(b"".join(write_rows(rows, columns, "csv")))
    again = study_with("here", text="")
    import_items(study=again, path=tmp_path / "items.csv")
    import_ratings(study=again, path=exported(study, tmp_path))
    wanted, found = (
        [{**row, "study": ""} for row in span_rows(one, all_revisions=True)] for one in (study, again)
    )
    assert found == wanted
    assert [row["located"] for row in located_rows(again)] == ["wholly", "wholly"]
    bio = b"".join(DOCUMENTS["bio"].pieces(again)).decode()
    assert "\n5\t😀\tO\tO\tB-vehicle" in bio


def test_spans_beyond_the_text_of_an_item_are_refused_at_import(tmp_path):
    path = exported_of_answered(tmp_path)
    shorter = study_with("short", text=SENTENCE[:9])
    with pytest.raises(FileRefused, match="beyond the text of 9 characters"):
        import_ratings(study=shorter, path=path)
    without = study_with("without", text="")
    with pytest.raises(FileRefused, match="This form has no text for offsets"):
        import_ratings(study=without, path=path)
    assert not Rating.objects.filter(criterion__version__form__study__in=[shorter, without]).exists()


def exported_of_answered(folder: Path) -> Path:
    study = study_with("there")
    answered(study, MARKS)
    return exported(study, folder)


def test_a_span_beyond_the_text_is_not_stored():
    study = study_with("there")
    with pytest.raises(InvalidAnswer) as refusal:
        answered(study, [{**MARKS[0], "end": 90}, *MARKS[1:]])
    assert "beyond the text of 18 characters" in refusal.value.fields["tuples"]
    assert not Rating.objects.exists()


def test_the_options_of_a_criterion_are_carried_by_its_definition():
    owner = User.objects.create_user("owner@example.org")
    study = create_from_template(template=TEMPLATES["cmdag_refined"], slug="refined", title="R", owner=owner)
    definition = definition_of(study, with_pay=True)
    options = definition["forms"][0]["criteria"][1]["settings"]["tuples"]
    assert (options["marked"], options["optional"]) == (["tenor", "vehicle"], ["tenor"])
    assert checked_definition(definition) == definition


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [
        ({"marked": ["mood"]}, "marked", "“mood” is not a component. Choose one of: tenor, vehicle, ground."),
        (
            {"optional": ["tenor", "vehicle", "ground"]},
            "optional",
            "At least one component must not be optional",
        ),
        ({"adjective_noun": ["tenor"]}, "adjective_noun", "marked in the text"),
        ({"nouns": ["感觉"]}, "general_nouns", "is in both lists of nouns"),
        ({"units": "lines"}, "units", "Choose one of"),
    ],
)
def test_options_that_cannot_be_asked_are_refused_by_path(change, path, message):
    owner = User.objects.create_user("owner@example.org")
    study = create_from_template(template=TEMPLATES["cmdag_refined"], slug="refined", title="R", owner=owner)
    definition = definition_of(study, with_pay=True)
    definition["forms"][0]["criteria"][1]["settings"]["tuples"] |= change
    with pytest.raises(InvalidContent) as refusal:
        checked_definition(definition)
    assert message in refusal.value.fields[f"forms[0].criteria[1].settings.tuples.{path}"]


def test_only_tuples_are_marked_and_for_one_criterion_of_a_form():
    owner = User.objects.create_user("owner@example.org")
    study = create_from_template(template=TEMPLATES["cmdag_refined"], slug="refined", title="R", owner=owner)
    definition = definition_of(study, with_pay=True)
    choice, tuples = definition["forms"][0]["criteria"]
    definition["forms"][0]["criteria"].append({**tuples, "key": "more"})
    choice["settings"]["tuples"]["units"] = "words"
    with pytest.raises(InvalidContent) as refusal:
        checked_definition(definition)
    assert set(refusal.value.fields) == {
        "forms[0].criteria[0].settings.tuples",
        "forms[0].criteria[2].kind",
    }
