"""The human evaluation sheet of a bundle: filled from the study, by a schema, without names of members."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from annotation.domain.base.sheet.questions import QUESTIONS
from annotation.models import Study
from annotation.services.studies.texts.evaluation_sheet import save_sheet
from scoring.bundle.release.publication import Publication
from tests.bundle.studies import rich_cast, unpacked, with_choice
from tests.support.people import Cast

pytestmark = pytest.mark.django_db
AUTHORS = Publication.read("CC-BY-4.0", ("Duarte, Ines",))
CONTACT, COMMITTEE = "Ines Duarte", "Committee of Ada Lovelace, owner@example.org"


@pytest.fixture
def cast() -> Cast:
    """A study with scales and a choice, and answers of its owner that name people."""
    cast = rich_cast()
    with_choice(cast.study)
    answers = {
        "1.3.2.1": {"text": CONTACT},
        "3.1.2": {"choice": "random", "text": "From 900 texts."},
        "5.1": {"text": COMMITTEE.replace("owner@example.org", cast.users["owner"].email)},
    }
    save_sheet(study=cast.study, actor=cast.users["owner"], answers=answers)
    return cast


def sheet_in(folder: Path) -> dict[str, dict[str, Any]]:
    """The questions of the sheet of a bundle, by number; those about a criterion by number and criterion."""
    found = json.loads((folder / "heds.json").read_text())
    general = {row["number"]: row for part in found["sections"] for row in part["questions"]}
    of_criteria = {
        f"{row['number']} {part['criterion']}": row for part in found["criteria"] for row in part["questions"]
    }
    return general | of_criteria


def unpacked_sheet(study: Study, path: Path, publication: Publication | None) -> dict[str, dict[str, Any]]:
    folder = unpacked(study, path, publication=publication) if publication else unpacked(study, path)
    return sheet_in(folder)


def test_the_sheet_follows_the_schema_that_it_names_and_has_every_question(
    cast: Cast, tmp_path: Path
) -> None:
    folder = unpacked(cast.study, tmp_path)
    found = json.loads((folder / "heds.json").read_text())
    schema = json.loads((folder / found["$schema"]).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(found)
    assert [key for key in sheet_in(folder) if " " not in key] == [
        number for number, one in QUESTIONS.items() if not one.is_of_criteria
    ]
    about = {one.number for one in QUESTIONS.values() if one.is_of_criteria}
    for criterion in found["criteria"]:
        assert {row["number"] for row in criterion["questions"]} == about
    found["sections"][0]["questions"][0]["source"] = "guessed"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(found)


def test_what_the_study_knows_is_answered_and_nothing_else(cast: Cast, tmp_path: Path) -> None:
    sheet = unpacked_sheet(cast.study, tmp_path, None)
    assert (sheet["3.2.1"]["source"], sheet["3.2.1"]["answer"].split(",")[0]) == ("study", "6 raters")
    assert sheet["3.1.1"]["answer"].startswith("12 items from each of 3 systems, 36 in total")
    assert sheet["4.3.4 quality"]["answer"] == "1 to 5."
    assert sheet["4.3.3 quality"]["answer"] == "5."
    assert sheet["4.3.8 clear"]["answer"] == "Classification of the text."
    assert (sheet["3.1.2"]["source"], sheet["3.1.2"]["choice"]) == ("members", "random")
    assert sheet["3.1.2"]["answer"] == "At random. From 900 texts."
    assert sheet["2.5"]["answer"] == "English."
    assert sheet["3.3.4.2"]["answer"].startswith("The texts of the item (fields: ")
    for number in ("1.1.1", "3.1.3.2", "3.2.3", "4.1.1 quality", "5.4"):
        assert sheet[number]["answer"] is None
        assert sheet[number]["source"] == "open"


def test_repeated_items_are_not_called_unrepeated(cast: Cast, tmp_path: Path) -> None:
    before = unpacked_sheet(cast.study, tmp_path / "before", None)
    cast.study.checks.create(key="again", kind="repeat", form=cast.study.forms.earliest("pk"))
    after = unpacked_sheet(cast.study, tmp_path / "after", None)
    key = "4.3.12.1 quality"
    assert before[key]["answer"] == "Not assessed: no rater rates an item twice."
    assert after[key]["answer"] == "Attention checks show raters some items of their own again."
    assert not after["4.3.12.2 quality"]["answer"]


def test_contact_details_leave_only_with_named_authors_and_other_names_never(
    cast: Cast, tmp_path: Path
) -> None:
    owner = cast.users["owner"]
    for path, publication in (("without", None), ("with", AUTHORS)):
        sheet = unpacked_sheet(cast.study, tmp_path / path, publication)
        assert sheet["1.3.2.1"]["answer"] == (CONTACT if publication else None)
        assert owner.name not in sheet["5.1"]["answer"]
        assert owner.email not in sheet["5.1"]["answer"]
    for file in (tmp_path / "without").rglob("*"):
        if file.suffix in {".json", ".md"}:
            assert CONTACT not in file.read_text(encoding="utf-8"), file


def test_what_raters_are_paid_is_in_no_sheet_of_others(cast: Cast, tmp_path: Path) -> None:
    sheet = unpacked_sheet(cast.study, tmp_path, None)
    assert sheet["3.2.2.2"]["answer"] in {None, "Not included here. Ask the managers of the study."}


def test_the_data_sheet_has_the_answers_about_the_use_of_the_data(cast: Cast, tmp_path: Path) -> None:
    save_sheet(
        study=cast.study,
        actor=cast.users["owner"],
        answers={"G.2": {"text": "Not for ranking people."}},
    )
    folder = unpacked(cast.study, tmp_path)
    assert "Not for ranking people." in (folder / "datasheet.md").read_text()
    assert "Not for ranking people." in (folder / "human_evaluation_sheet.md").read_text()
