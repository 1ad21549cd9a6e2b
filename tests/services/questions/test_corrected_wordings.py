"""A corrected wording keeps its answers together; a new version separates them; files say which is which."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from annotation.domain.base.errors import InvalidContent
from annotation.models import Assignment, Case, Response, Study, User
from annotation.selectors.adjudication.case_page import version_for
from annotation.selectors.questions.counting import Counting, counted
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.studies.definition import form_as_document
from annotation.services.items.rating_files import import_ratings
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.studies.form_editing import change_form, newest_version, preview_change
from annotation.services.studies.lifecycle import create_study
from scoring.models import Report
from scoring.selectors.agreement.form_versions import version_numbers
from scoring.selectors.data.answers import study_answers
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import quick, unpacked
from tests.services.questions.rewording import rate, reword
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
ITEMS = [f"L{n:02d}" for n in range(8)]


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("other@example.org", "simile-and-metaphor-42")


def corrected(*, correction: bool) -> Study:
    """Two raters answer eight items, the wording changes, and a third answers five of them."""
    cast = make_cast(items=8, overlap=3)
    study = cast.study
    first = study.forms.get().versions.get()
    rate(study, "R-11", ITEMS, first)
    rate(study, "R-12", ITEMS, first)
    rate(study, "R-13", ITEMS[:5], reword(study, cast.users["owner"], "How good?", correction=correction))
    return study


def reported(study: Study) -> Report:
    return compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))


def test_answers_before_and_after_a_correction_are_analysed_together():
    study = corrected(correction=True)
    report = reported(study)
    assert counted(study, Counting.in_statistics(study)).count() == 21
    assert len(study_answers(study).answers.item) == 21
    assert (report.data["n_responses"], report.data["set_apart"]["older_versions"]) == (21, 0)
    assert report.data["by_version"] == {"similes 1": 16, "similes 1.1": 5}


def test_a_report_on_pooled_wordings_compares_them_without_being_asked():
    assert version_numbers(reported(corrected(correction=True))) == ["1", "1.1"]


def test_a_new_version_is_analysed_separately():
    study = corrected(correction=False)
    report = reported(study)
    assert counted(study, Counting.in_statistics(study)).count() == 5
    assert len(study_answers(study).answers.item) == 5
    assert (report.data["n_responses"], report.data["set_apart"]["older_versions"]) == (5, 16)
    assert report.data["by_version"] == {"similes 2": 5}


@pytest.mark.parametrize("changed", ["kind", "points", "required", "order", "cannot_rate", "display logic"])
def test_what_is_more_than_wording_is_never_a_correction(changed):
    cast = make_cast()
    form = cast.study.forms.get()
    document = form_as_document(newest_version(form))
    first, second = document["criteria"]
    criteria = {
        "kind": [{**first, "kind": "choice", "minimum": None, "maximum": None}, second],
        "points": [{**first, "points": first["points"][:-1], "maximum": 4}, second],
        "required": [{**first, "required": False}, second],
        "order": [second, first],
        "display logic": [first, {**second, "asked_after": "quality", "asked_when": "5"}],
    }
    document |= {"criteria": criteria[changed]} if changed in criteria else {"cannot_rate": False}
    with pytest.raises(InvalidContent) as refusal:
        change_form(form=form, document=document, actor=cast.users["owner"], correction=True)
    assert refusal.value.code == "not_a_correction"
    assert form.versions.count() == 1


def test_labels_rubrics_titles_and_examples_can_be_corrected():
    cast = make_cast()
    form = cast.study.forms.get()
    document = form_as_document(newest_version(form))
    criterion = document["criteria"][0]
    criterion["points"][0] |= {"label": "poor", "description": "Nothing is compared."}
    criterion |= {"name": "Goodness", "question": "How well is it said?"}
    document["blocks"][0]["label"] = "The simile"
    document["title"] = "Fine similes"
    example = {"criterion": "quality", "text": "as a bell", "answer": "5", "right": True, "reason": "Clear."}
    document["examples"] = [example]
    version = change_form(form=form, document=document, actor=cast.users["owner"], correction=True)
    assert (version.label, version.title) == ("1.1", "Fine similes")
    assert form.versions.get(correction=0).title == ""


@pytest.mark.parametrize("correction", [True, False])
def test_a_correction_keeps_translations_and_a_new_version_says_how_many_it_removes(correction):
    """The meaning is the same, so a translation is as right as before."""
    cast = make_cast()
    form = cast.study.forms.get()
    document = form_as_document(newest_version(form))
    translated = {"ja": {"question": "どのくらい良いですか。"}}
    first = {**document, "translations": translated}
    change_form(form=form, document=first, actor=cast.users["owner"], correction=True)
    rate(cast.study, "R-11", ["L00"], newest_version(form))
    reworded = {**document, "question": "How good is it really?"}
    del reworded["translations"]
    foreseen = preview_change(form=form, document=reworded)
    assert foreseen is not None
    assert (foreseen.lost_translations, [one.after for one in foreseen.texts]) == (1, [reworded["question"]])
    version = change_form(form=form, document=reworded, actor=cast.users["owner"], correction=correction)
    stored = form_as_document(version)["translations"]
    assert {language: texts["question"] for language, texts in stored.items()} == (
        {"ja": translated["ja"]["question"]} if correction else {}
    )


def test_exports_say_which_wording_each_rater_saw_and_what_it_is_pooled_with():
    study = corrected(correction=True)
    rows = list(long_ratings(study))
    seen = {(row["rater"], row["form_version"], row["form_correction"]) for row in rows}
    assert seen == {("R-11", 1, 0), ("R-12", 1, 0), ("R-13", 1, 1)}
    assert {row["pooled_version"] for row in rows} == {"1"}


def test_an_exported_correction_is_imported_as_one(owner, tmp_path: Path):
    rows = [
        {name: row[name] for name in ("item", "form", "form_version", "form_correction", "rater")}
        | {"criterion": row["criterion"], "value": row["value"]}
        for row in long_ratings(corrected(correction=True))
    ]
    path = tmp_path / "ratings.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    copy = create_study(slug="copy", title="Copy", owner=owner, consent="", instructions="")
    import_ratings(study=copy, path=path, scale=(1, 5))
    labels = [version.label for version in copy.forms.get().versions.all()]
    assert labels == ["1", "1.1"]
    assert counted(copy, Counting.in_statistics(copy)).count() == 21


def test_a_bundle_with_a_correction_recomputes_and_holds_both_wordings(tmp_path: Path):
    study = corrected(correction=True)
    reported(study)
    folder = unpacked(study, tmp_path)
    status, printed = recompute(folder)
    assert status == 0, printed
    forms = json.loads((folder / "forms.json").read_text())
    wordings = [(one["version"], one["correction"], one["question"]) for one in forms]
    assert wordings == [(1, 0, "How good is it?"), (1, 1, "How good?")]


@pytest.mark.parametrize("changed", ["forms.json", "by_version", "ratings_wide.csv"])
def test_a_pool_that_was_changed_in_a_bundle_is_found(tmp_path: Path, changed):
    study = corrected(correction=True)
    reported(study)
    folder = unpacked(study, tmp_path)
    path = folder / {"by_version": "reports/reliability.json"}.get(changed, changed)
    path = folder / "data" / changed if changed.endswith("csv") else path
    text = path.read_text()
    if changed == "forms.json":
        found = json.loads(text)
        found[1]["pooled_version"] = "1.1"
        path.write_text(json.dumps(found))
    elif changed == "by_version":
        assert '"similes 1.1": 5' in text
        path.write_text(text.replace('"similes 1.1": 5', '"similes 1.1": 6'))
    else:
        lines = text.splitlines()
        path.write_text("\n".join([*lines[:-1], lines[-1].replace(",1", ",2")]))
    status, printed = recompute(folder)
    assert status == 1, printed


def test_no_answer_is_moved_to_another_wording():
    study = corrected(correction=True)
    before = dict(Response.objects.values_list("pk", "version__correction"))
    reported(study)
    assert dict(Response.objects.values_list("pk", "version__correction")) == before


def test_a_page_that_waits_and_a_case_are_shown_in_the_corrected_wording():
    cast = make_cast(items=4, overlap=2)
    page = next_assignment(rater=consent(invitation=cast.invitation))
    Assignment.objects.filter(pk=page.pk).update(opened_at=None)
    reword(cast.study, cast.users["owner"], "How good?", correction=True)
    page = Assignment.objects.select_related("rater__study", "seat", "form").get(pk=page.pk)
    assert open_assignment(assignment=page).version.label == "1.1"
    case = Case(study=cast.study, item=page.item, form=page.form)
    assert version_for(case, None).label == "1.1"
