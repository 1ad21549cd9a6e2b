"""Before a changed wording is saved, the page shows what it does as a correction and as a new version."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import AuditEntry, Form, FormVersion, Seat
from annotation.selectors.questions.counting import Counting, counted
from annotation.selectors.questions.wording_change import ItemsAtTheEnd, wording_change
from annotation.selectors.studies.definition import form_as_document
from annotation.services.studies.form_editing import newest_version, preview_change
from tests.support.people import Cast, make_cast
from tests.support.studies.counting_study import make_counting_cast, respond_to
from tests.views.questions.form_pages import client_of, fields, form_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_counting_cast()


def stored(form: Form) -> dict[str, Any]:
    return form_as_document(newest_version(form))


def sent(client: Any, url: str) -> dict[str, Any]:
    return fields(client.get(url)) | {"title": "Similes, reworded", "act": "save"}


def test_the_effects_are_shown_before_anything_is_saved(cast):
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    page = client.post(url, sent(client, url))
    shown = page.content.decode()
    assert page.status_code == 200
    assert FormVersion.objects.count() == 3
    for words in (
        "Correction or new version?",
        "Similes, reworded",
        "Raters see the new wording from their next item, without a notice.",
        "8 responses keep version 1.",
        "13 responses keep version 2.",
        "2 responses keep version 3.",
        "7 used in statistics now, stay in use",
        "7 used in statistics now, until version 4 has an included response",
    ):
        assert words in shown
    assert 'name="act" value="save-version"' in shown
    assert 'name="act" value="save-correction"' in shown
    assert f'href="{url}"' in shown
    assert 'name="act" value="save">' not in shown
    assert page.context["document"]["title"] == "Similes, reworded"


def test_without_scripts_the_second_button_saves_what_was_shown(cast):
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    asked = client.post(url, sent(client, url))
    answer = client.post(url, {**fields(asked), "act": "save-version"})
    assert (answer.status_code, answer.headers["Location"]) == (
        302,
        reverse("study-forms", args=[cast.slug]),
    )
    assert FormVersion.objects.latest("number").number == 4
    cast.study.forms.get(title="Similes, reworded")


def test_the_responses_named_are_those_that_leave_the_statistics(cast):
    study, form = cast.study, cast.study.forms.get()
    document = stored(form)
    change = wording_change(form, document, {**document, "title": "Reworded"})
    assert change is not None
    before = counted(study, Counting.in_statistics(study)).count()
    assert dict(change.leaving) == {"2": before} == {"2": 7}
    client, url = client_of(cast.users["owner"]), form_url(study)
    client.post(url, {**sent(client, url), "act": "save-version"})
    assert counted(study, Counting.in_statistics(study)).count() == before
    respond_to(study, "R-N", "L00", FormVersion.objects.get(form=form, number=4))
    assert counted(study, Counting.in_statistics(study)).count() == 1


def test_statistics_of_a_kind_that_is_not_asked_any_more_lose_nothing(cast):
    form = cast.study.forms.get()
    document = stored(form)
    in_words = [{**one, "kind": "text"} for one in document["criteria"]]
    change = wording_change(form, document, {**document, "criteria": in_words})
    assert change is not None
    assert change.leaving == ()
    assert not change.is_wording


def test_a_form_without_responses_or_changes_is_saved_at_once(cast):
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    unchanged = fields(client.get(url)) | {"act": "save"}
    assert client.post(url, unchanged).status_code == 302
    assert FormVersion.objects.count() == 3
    fresh = make_cast(slug="fresh")
    document: dict[str, Any] = {
        **client_of(fresh.users["owner"]).get(form_url(fresh.study)).context["document"]
    }
    assert preview_change(form=fresh.study.forms.get(), document={**document, "title": "New"}) is None


def test_saved_as_a_correction_the_version_keeps_its_number_and_its_answers(cast):
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    asked = client.post(url, sent(client, url))
    answer = client.post(url, {**fields(asked), "act": "save-correction", "reason": "A typo"})
    assert answer.status_code == 302
    newest = newest_version(cast.study.forms.get())
    assert (newest.label, newest.title) == ("3.1", "Similes, reworded")
    assert newest.pool == FormVersion.objects.get(number=3, correction=0).pool
    entry = AuditEntry.objects.get(act="change_form")
    assert (entry.detail["correction"], entry.detail["reason"]) == (1, "A typo")
    assert "3.1" in client.get(reverse("study-forms", args=[cast.slug])).content.decode()
    assert "Version 3.1 ·" in client.get(reverse("study", args=[cast.slug])).content.decode()


def test_a_change_of_the_question_itself_offers_no_correction_and_takes_none(cast):
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    changed = fields(client.get(url)) | {"act": "save"}
    del changed["criterion-0-required"]
    shown = client.post(url, changed).content.decode()
    assert "it is always a new version" in shown
    assert "save-correction" not in shown
    refused = client.post(url, {**changed, "act": "save-correction"})
    assert refused.status_code == 422
    assert "Save it as a new version" in " ".join(refused.content.decode().split())
    assert FormVersion.objects.count() == 3


def test_the_numbers_of_items_at_the_end_are_those_of_a_count_by_hand(cast):
    """Items of two ratings each: one complete, one half done, one untouched."""
    study = make_cast(slug="by-hand", items=3, overlap=2).study
    form = study.forms.get()
    version = form.versions.get()
    for code, item in (("R-1", "L00"), ("R-2", "L00"), ("R-1", "L01")):
        respond_to(study, code, item, version)
        seat = Seat.objects.filter(item__key=item, item__study=study, state="free").earliest("pk")
        Seat.objects.filter(pk=seat.pk).update(state="filled", rater=study.raters.get(code=code))
    document = stored(form)
    change = wording_change(form, document, {**document, "title": "Reworded"})
    assert change is not None
    assert change.to_come == 3
    assert change.items == ItemsAtTheEnd(items=3, pooled=3, before=1, after=1, more=3)
