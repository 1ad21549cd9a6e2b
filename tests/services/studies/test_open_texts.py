"""Instructions of an open study change like wordings: corrections or new versions, with their answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.models import AuditEntry, FormVersion, Study
from annotation.selectors.questions.counting import Counting, counted
from annotation.selectors.questions.seen_instructions import instructions_under
from annotation.selectors.studies.definition import form_as_document
from annotation.selectors.studies.version_history import version_history
from annotation.services.studies.form_editing import change_form, newest_version
from annotation.services.studies.lifecycle import change_state
from annotation.services.studies.texts.open_texts import change_open_texts, preview_texts, texts_digest
from annotation.services.studies.version_pooling import pool_with_previous
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import quick, unpacked
from tests.services.questions.rewording import rate
from tests.support.people import Cast, make_cast
from tests.views.questions.form_pages import client_of

pytestmark = pytest.mark.django_db
ITEMS = [f"L{n:02d}" for n in range(8)]
OLD, NEW = "Rate the simile.", "Rate the simile, not the sentence."


@pytest.fixture
def cast() -> Cast:
    """Two raters have answered eight items."""
    cast = make_cast(items=8, overlap=3)
    Study.objects.filter(pk=cast.study.pk).update(
        instructions=OLD, translations={"ja": {"instructions": "直喩を評価してください。", "title": "ランプ"}}
    )
    cast.study.refresh_from_db()
    for code in ("R-11", "R-12"):
        rate(cast.study, code, ITEMS, cast.study.forms.get().versions.get())
    return cast


def change(cast: Cast, *, correction: bool | None, **texts: str) -> Study:
    return change_open_texts(
        study=cast.study, actor=cast.users["owner"], texts=texts, correction=correction, reason="Asked often"
    )


def add_answers(cast: Cast) -> None:
    rate(cast.study, "R-13", ITEMS[:5], newest_version(cast.study.forms.get()))


def test_a_title_and_a_description_are_changed_without_a_version_and_logged(cast):
    study = change(cast, correction=None, title="Lamps, again", description="What light is like")
    assert (study.title, study.description, study.instructions) == ("Lamps, again", "What light is like", OLD)
    assert FormVersion.objects.filter(form__study=study).count() == 1
    entry = AuditEntry.objects.get(act="change_texts")
    assert entry.detail["fields"] == ["title", "description"]
    assert (entry.detail["before"]["title"], entry.detail["after"]["title"]) == (
        cast.study.title,
        study.title,
    )


def test_changed_instructions_are_not_saved_before_their_meaning_is_declared(cast):
    with pytest.raises(InvalidContent) as refusal:
        change(cast, correction=None, instructions=NEW)
    assert refusal.value.code == "meaning_needed"
    assert Study.objects.get(pk=cast.study.pk).instructions == OLD
    assert FormVersion.objects.filter(form__study=cast.study).count() == 1


@pytest.mark.parametrize(
    ("correction", "label", "used"), [(True, "1.1", 21), (False, "2", 5)], ids=["correction", "new version"]
)
def test_answers_keep_the_instructions_under_which_they_were_given(cast, correction, label, used):
    change(cast, correction=correction, instructions=NEW)
    add_answers(cast)
    study = Study.objects.get(pk=cast.study.pk)
    first, second = study.forms.get().versions.order_by("number", "correction")
    assert second.label == label
    in_japanese = {"ja": "直喩を評価してください。"}
    assert instructions_under(first, study) == {"en": OLD, **in_japanese}
    assert instructions_under(second, study) == {"en": NEW, **(in_japanese if correction else {})}
    assert counted(study, Counting.in_statistics(study)).count() == used
    newest = version_history(study.forms.get())[0]
    shown = [(one["label"], one["before"], one["after"]) for one in newest.texts]
    removed = [] if correction else [("ja: Instructions", in_japanese["ja"], "")]
    assert shown == [("Instructions", OLD, NEW), *removed]
    assert newest.is_wording


def test_a_later_change_of_the_form_does_not_take_the_instructions_along(cast):
    change(cast, correction=True, instructions=NEW)
    form = cast.study.forms.get()
    document = {**form_as_document(newest_version(form)), "question": "How good?"}
    change_form(form=form, document=document, actor=cast.users["owner"], correction=True)
    change(cast, correction=True, instructions="Rate it.")
    study = Study.objects.get(pk=cast.study.pk)
    versions = form.versions.order_by("number", "correction")
    assert [instructions_under(one, study)["en"] for one in versions] == [OLD, NEW, NEW, "Rate it."]


def test_new_instructions_can_be_pooled_later(cast):
    change(cast, correction=False, instructions=NEW)
    add_answers(cast)
    newest = newest_version(cast.study.forms.get())
    pool_with_previous(version=newest, reason="It means the same.", actor=cast.users["owner"])
    assert counted(cast.study, Counting.in_statistics(cast.study)).count() == 21


def test_the_effects_are_counted_before_saving(cast):
    effects = preview_texts(study=cast.study, texts={"instructions": NEW, "title": "Other"})
    ((form, effect),) = effects.forms
    assert (form.key, effect.version, effect.correction) == (form.key, "2", "1.1")
    assert (effect.n_responses, effect.n_used) == (16, 16)
    assert [one.after for one in effects.instructions] == [NEW, ""]
    assert preview_texts(study=cast.study, texts={"title": "Other"}).forms == ()
    assert preview_texts(study=cast.study, texts={"instructions": f"{OLD}\r\n"}).forms == ()


@pytest.mark.parametrize(("correction", "titles"), [(True, {"title", "instructions"}), (False, {"title"})])
def test_a_correction_leaves_translations_and_a_new_version_removes_those_of_changed_instructions(
    cast, correction, titles
):
    study = change(cast, correction=correction, instructions=NEW)
    assert set(study.translations["ja"]) == titles


def test_given_translations_go_with_the_new_instructions(cast):
    change_open_texts(
        study=cast.study,
        actor=cast.users["owner"],
        texts={"instructions": NEW},
        translations={"ja": {"instructions": "文ではなく直喩を評価してください。"}},
        correction=True,
    )
    study = Study.objects.get(pk=cast.study.pk)
    assert study.translations["ja"] == {
        "instructions": "文ではなく直喩を評価してください。",
        "title": "ランプ",
    }


def test_nothing_is_saved_over_texts_that_another_member_changed(cast):
    seen = texts_digest(cast.study)
    change(cast, correction=None, title="First")
    with pytest.raises(NotAllowedNow) as refusal:
        change_open_texts(study=cast.study, actor=cast.users["admin"], texts={"title": "Second"}, seen=seen)
    assert refusal.value.code == "texts_changed"
    assert Study.objects.get(pk=cast.study.pk).title == "First"


def test_a_closed_study_and_bad_titles_are_refused(cast):
    with pytest.raises(InvalidContent, match="one line"):
        change(cast, correction=None, title="Two\nlines")
    change_state(study=cast.study, to=StudyState.CLOSED, actor=None)
    with pytest.raises(NotAllowedNow) as refusal:
        change(cast, correction=None, title="Other")
    assert refusal.value.code == "not_running"


def test_the_page_shows_both_texts_and_saves_what_was_chosen(cast):
    client, url = client_of(cast.users["owner"]), reverse("study-texts", args=[cast.slug])
    page = client.get(url)
    sent = {name: field.initial for name, field in page.context["form"].fields.items()}
    sent |= {"instructions-en": NEW, "seen": page.context["seen"]}
    asked = client.post(url, {**sent, "act": "save"})
    shown = " ".join(asked.content.decode().split())
    for words in ("Correction or new version?", OLD, NEW, "16 used in statistics now, stay in use"):
        assert words in shown
    assert Study.objects.get(pk=cast.study.pk).instructions == OLD
    saved = client.post(url, {**sent, "act": "save-correction", "reason": "Asked often"})
    assert saved.status_code == 302
    assert newest_version(cast.study.forms.get()).label == "1.1"
    assert AuditEntry.objects.get(act="change_texts").detail["reason"] == "Asked often"


def test_the_page_shows_what_another_member_saved_meanwhile(cast):
    client, url = client_of(cast.users["owner"]), reverse("study-texts", args=[cast.slug])
    page = client.get(url)
    sent = {name: field.initial for name, field in page.context["form"].fields.items()}
    sent |= {"title-en": "Mine", "seen": page.context["seen"], "act": "save"}
    change(cast, correction=None, title="Theirs")
    refused = client.post(url, sent)
    shown = refused.content.decode()
    assert refused.status_code == 409
    assert "Theirs" in shown
    assert client.post(url, {**sent, "seen": refused.context["seen"]}).status_code == 302
    assert Study.objects.get(pk=cast.study.pk).title == "Mine"


def test_the_api_asks_previews_and_saves(cast):
    client, url = client_of(cast.users["owner"]), reverse("api_texts", args=[cast.slug])

    def post(**body: object) -> tuple[int, dict[str, object]]:
        answer = client.post(url, body, content_type="application/json")
        return answer.status_code, answer.json()

    status, body = post(instructions=NEW)
    assert (status, body["code"]) == (422, "meaning_needed")
    status, body = post(instructions=NEW, preview=True)
    assert (status, body["instructions"]) == (200, OLD)
    assert body["effects"] == [
        {"form": "similes", "version": "2", "correction": "1.1", "responses": 16, "used": 16, "to_come": 24}
    ]
    seen = body["state"]
    status, body = post(instructions=NEW, meaning="new", title="Other", seen=seen)
    assert (status, body["instructions"], body["title"]) == (200, NEW, "Other")
    status, refused = post(title="Overwritten", seen=seen)
    assert (status, refused["code"]) == (409, "texts_changed")
    assert post(title="Seen", seen=body["state"])[0] == 200
    assert newest_version(cast.study.forms.get()).label == "2"


def test_a_bundle_has_the_instructions_of_each_version_and_recomputes(cast, tmp_path: Path):
    change(cast, correction=True, instructions=NEW)
    add_answers(cast)
    compute_report(lease=quick(request_report(study=cast.study, actor=None, announce=False)))
    folder = unpacked(Study.objects.get(pk=cast.study.pk), tmp_path)
    status, printed = recompute(folder)
    assert status == 0, printed
    forms = json.loads((folder / "forms.json").read_text())
    assert [one["instructions"]["en"] for one in forms] == [OLD, NEW]
    sheet = "".join(path.read_text() for path in folder.rglob("*.md"))
    assert f"version 1: {OLD}" in sheet
    assert f"version 1.1: {NEW}" in sheet
