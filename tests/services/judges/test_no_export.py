"""What judges answered leaves in no export of a study's ratings."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.urls import reverse

from annotation.io.base.writers import write_rows
from annotation.models import Study
from annotation.selectors.studies.definition import definition_of
from scoring.models import Judgement
from scoring.selectors.reports.exports import EXPORTED, table_of
from scoring.services.reports.bundles import write_bundle
from tests.services.judges.judged_study import add_judge
from tests.services.metrics.rated_study import owner_of, rated_study

pytestmark = pytest.mark.django_db
# A value and words that nothing else in a study has.
VALUE, WORDS = "4.4321", "because-zyx-says-so"


@pytest.fixture
def study(db: None) -> Study:
    study = rated_study()
    add_judge(study, "Judge Zyx", value=float(VALUE))
    Judgement.objects.update(raw=WORDS, probabilities={WORDS: 1.0})
    return study


def leaks(content: str) -> list[str]:
    return [one for one in (VALUE, WORDS) if one in content]


@pytest.mark.parametrize("what", [what for what in EXPORTED if what != "judgements"])
def test_no_table_of_an_export_has_answers_of_judges(study, what):
    columns, rows = table_of(study, what)
    content = b"".join(write_rows(rows, columns, "csv", bom=False)).decode()
    assert content
    assert leaks(content) == []


def test_the_table_of_judgements_has_them(study):
    columns, rows = table_of(study, "judgements")
    first, *others = rows
    assert (first["item"], first["judge"], first["value"], first["raw"]) == (
        "I00",
        "Judge Zyx",
        float(VALUE),
        WORDS,
    )
    assert len(others) == 71
    assert tuple(first) == tuple(columns)


def test_no_file_of_a_bundle_has_answers_of_judges(study):
    archive = io.BytesIO()
    write_bundle(
        study=study, target=archive, formats=["jsonl"], bom=False, with_pay=True, progress=lambda *_: None
    )
    with zipfile.ZipFile(archive) as files:
        contents = {name: files.read(name).decode("utf-8", "replace") for name in files.namelist()}
    assert len(contents) > 20
    assert {name: leaks(content) for name, content in contents.items() if leaks(content)} == {}


def test_a_study_definition_has_no_judges(study):
    assert leaks(json.dumps(definition_of(study, with_pay=True), default=str)) == []
    assert "Zyx" not in json.dumps(definition_of(study, with_pay=True), default=str)


@pytest.mark.parametrize("name", ["api_scores", "api_reports", "api_items", "api_raters"])
def test_no_list_of_the_api_but_that_of_judges_has_them(study, name):
    content = owner_of(study).get(reverse(name, args=[study.slug])).content.decode()
    assert leaks(content) == []
    assert "Zyx" not in content
