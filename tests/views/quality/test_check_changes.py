"""Attention checks of a draft can be changed: the page shows what is stored, and stores what is sent."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.models import AuditEntry, Check, Form, Item
from annotation.services.studies.lifecycle import change_state, edit_study
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False)


@pytest.fixture
def client(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.users["researcher"])
    return client


def text_fields(cast: Cast, text: str) -> dict[str, str]:
    blocks = cast.study.forms.get().versions.get().blocks
    return {f"text-{block['field']}": text for block in blocks}


def criterion(cast: Cast) -> str:
    return cast.study.forms.get().versions.get().criteria.earliest("position").key


def add(cast: Cast, client: Client, **given: Any) -> Check:
    sent = {
        "key": "read",
        "kind": "instructed",
        **text_fields(cast, "Choose 2."),
        f"value-{criterion(cast)}": "2",
    }
    answer = client.post(reverse("study-checks", args=[cast.slug]), {**sent, **given})
    assert answer.status_code == 302, answer.context["refusal"] or answer.context["form"].errors
    return Check.objects.get(key="read")


def stored_item(check: Check) -> Item:
    assert check.item is not None
    return check.item


def test_the_fields_of_a_check_are_shown_and_what_is_sent_replaces_them(cast, client):
    check = add(cast, client, **text_fields(cast, "Choose {vehicle:two}."))
    url = reverse("study-check", args=[cast.slug, "read"])
    form = client.get(url).context["form"]
    shown = {
        name: form[name].value() for name in ("kind", *text_fields(cast, ""), f"value-{criterion(cast)}")
    }
    assert set(text_fields(cast, "").keys()) <= shown.keys()
    assert "Choose {vehicle:two}." in shown.values()
    assert (shown["kind"], shown[f"value-{criterion(cast)}"]) == ("instructed", 2)
    sent = {**shown, **text_fields(cast, "Choose 3."), f"value-{criterion(cast)}": "3"}
    assert client.post(url, sent).status_code == 302
    check.refresh_from_db()
    assert check.settings == {"told": {criterion(cast): 3}}
    assert set(stored_item(check).fields.values()) == {"Choose 3."}
    assert [item.key for item in Item.everything.filter(planted=True)] == ["check:read"]
    assert AuditEntry.objects.filter(act="change_check").exists()


def test_a_question_of_its_own_is_replaced_with_its_form(cast, client):
    given = {"kind": "knowledge", "question": "Which is hot?", "answers": "sun\nice\nsnow"}
    add(cast, client, **given)
    url = reverse("study-check", args=[cast.slug, "read"])
    form = client.get(url).context["form"]
    assert form["question"].value() == "Which is hot?"
    assert form["answers"].value().splitlines()[0] == "sun"
    sent = {**given, **text_fields(cast, "A text."), "question": "Which is cold?", "answers": "ice\nsun"}
    assert client.post(url, sent).status_code == 302
    planted = Form.everything.get(study=cast.study, planted=True)
    assert planted.versions.get().criteria.get().question == "Which is cold?"
    assert Check.objects.get().settings["right"] == "ice"


def test_a_refused_change_leaves_the_check_as_it_is(cast, client):
    check = add(cast, client)
    url = reverse("study-check", args=[cast.slug, "read"])
    sent = {"kind": "instructed", **text_fields(cast, "Choose 9."), f"value-{criterion(cast)}": "99"}
    page = client.post(url, sent)
    assert page.status_code == 422
    assert "cannot be chosen" in page.content.decode()
    assert Check.objects.get().settings == check.settings
    assert set(stored_item(Check.objects.get()).fields.values()) == {"Choose 2."}


def test_a_check_of_an_open_study_is_not_changed(cast, client):
    check = add(cast, client)
    edit_study(study=cast.study, actor=cast.users["owner"], check_every=2)
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    url = reverse("study-check", args=[cast.slug, "read"])
    sent = {"kind": "instructed", **text_fields(cast, "Choose 3."), f"value-{criterion(cast)}": "3"}
    assert client.post(url, sent).status_code == 422
    assert Check.objects.get().settings == check.settings


def test_a_form_that_names_no_texts_asks_for_all_that_the_items_have(cast, client):
    cast.study.forms.get().versions.update(blocks=[])
    names = list(cast.study.items.first().fields)
    page = client.get(reverse("study-checks", args=[cast.slug]))
    assert [name for name in page.context["form"].fields if name.startswith("text-")] == [
        f"text-{name}" for name in names
    ]
    check = add(cast, client, **{f"text-{name}": "Choose 2." for name in names})
    assert set(stored_item(check).fields) == set(names)
