"""Before a changed wording is saved, the page shows how it affects the statistics."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import FormVersion
from annotation.selectors.questions.counting import Counting, counted
from annotation.selectors.questions.wording_change import wording_change
from annotation.services.studies.form_editing import preview_change
from tests.support.people import Cast, make_cast
from tests.support.studies.counting_study import make_counting_cast, respond_to
from tests.views.questions.form_pages import client_of, fields, form_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_counting_cast()


def sent(client: Any, url: str) -> dict[str, Any]:
    return fields(client.get(url)) | {"title": "Similes, reworded", "act": "save"}


def test_the_effects_are_shown_before_anything_is_saved(cast):
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    page = client.post(url, sent(client, url))
    shown = page.content.decode()
    assert page.status_code == 200
    assert FormVersion.objects.count() == 3
    for words in (
        "Save as version 4?",
        "Raters see version 4 from their next item.",
        "8 responses keep version 1.",
        "13 responses keep version 2.",
        "2 responses keep version 3.",
        "Statistics now use 7 responses to version 2.",
    ):
        assert words in shown
    assert 'name="act" value="save-version"' in shown
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
    change = wording_change(form, {"likert"})
    assert change is not None
    before = counted(study, Counting.in_statistics(study)).count()
    assert dict(change.leaving) == {2: before} == {2: 7}
    client, url = client_of(cast.users["owner"]), form_url(study)
    client.post(url, {**sent(client, url), "act": "save-version"})
    assert counted(study, Counting.in_statistics(study)).count() == before
    respond_to(study, "R-N", "L00", FormVersion.objects.get(form=form, number=4))
    assert counted(study, Counting.in_statistics(study)).count() == 1


def test_statistics_of_a_kind_that_is_not_asked_any_more_lose_nothing(cast):
    change = wording_change(cast.study.forms.get(), {"text"})
    assert change is not None
    assert change.leaving == ()


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
