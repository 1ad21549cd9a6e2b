"""Attention checks of a draft can be changed: the page shows what is stored, and stores what is sent."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.models import AuditEntry, Check, Form, Item
from annotation.selectors.quality.checks.texts import check_texts
from annotation.services.quality.check_changes import change_check
from annotation.services.quality.check_translations import translate_check
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
    assert "is not a possible value of" in page.content.decode()
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


def translated(check: Check, language: str = "ja") -> Check:
    """The check with its instruction, or its own question, in another language."""
    texts = dict.fromkeys(check_texts(check), "二を選んでください。")
    translate_check(
        check=check, actor=check.study.memberships.earliest("pk").user, language=language, texts=texts
    )
    return Check.objects.get(pk=check.pk)


def test_a_translated_instruction_goes_with_the_instruction_that_it_is_of(cast, client):
    check = translated(add(cast, client))
    assert check.translations["ja"]
    url = reverse("study-check", args=[cast.slug, "read"])
    same = {"kind": "instructed", **text_fields(cast, "Choose 2."), f"value-{criterion(cast)}": "2"}
    assert client.post(url, same).status_code == 302
    assert Check.objects.get().translations == check.translations
    other = {"kind": "instructed", **text_fields(cast, "Choose 1."), f"value-{criterion(cast)}": "1"}
    assert client.post(url, other).status_code == 302
    assert Check.objects.get().translations == {}


def test_a_gold_item_that_was_an_instruction_shows_no_instruction(cast, client):
    translated(add(cast, client))
    gold = {"kind": "gold", **text_fields(cast, "Choose 2."), f"value-{criterion(cast)}": "2"}
    assert client.post(reverse("study-check", args=[cast.slug, "read"]), gold).status_code == 302
    assert Check.objects.get().translations == {}


def test_the_translations_of_a_question_stay_while_it_asks_the_same(cast, client):
    given = {"kind": "knowledge", "question": "Which is hot?", "answers": "sun\nice"}
    check = translated(add(cast, client, **given))
    before = check.form.versions.get().translations
    assert before
    url = reverse("study-check", args=[cast.slug, "read"])
    assert client.post(url, {**given, **text_fields(cast, "Another text.")}).status_code == 302
    assert Check.objects.get().form.versions.get().translations == before
    other = {**given, "question": "Which is cold?", **text_fields(cast, "Another text.")}
    assert client.post(url, other).status_code == 302
    assert Check.objects.get().form.versions.get().translations == {}


def test_a_check_with_settings_beyond_the_fields_is_left_to_the_definition(cast, client):
    check = add(cast, client)
    Check.objects.filter(pk=check.pk).update(
        kind="gold",
        settings={"reference": {"quality": 2, "creativity": 3}, "tolerance": {"quality": 0, "creativity": 1}},
    )
    before = Check.objects.get().settings
    page = client.post(reverse("study-check", args=[cast.slug, "read"]), {"kind": "gold"}, follow=True)
    assert "has settings that this page cannot show" in page.content.decode()
    assert Check.objects.get().settings == before


def test_a_check_that_was_deleted_meanwhile_does_not_come_back(cast, client):
    check = add(cast, client)
    form, texts = check.form, dict(stored_item(check).fields)
    Check.objects.filter(pk=check.pk).delete()
    with pytest.raises(NotAllowedNow) as refused:
        change_check(
            check=check,
            actor=cast.users["owner"],
            kind=CheckKind.INSTRUCTED,
            form=form,
            settings=check.settings,
            texts=texts,
        )
    assert refused.value.code == "check_deleted"
    assert not Check.objects.exists()


def test_a_new_check_is_proposed_as_a_whole_and_appears_among_the_items(cast, client):
    url = reverse("study-checks", args=[cast.slug])
    instructed = []
    for number in (1, 2):
        form = client.get(url).context["form"]
        sent = {name: form[name].value() or "" for name in form.fields if name != "kind"}
        assert sent["key"] == f"check-{number}"
        assert client.post(url, {**sent, "kind": "instructed"}).status_code == 302
        check = Check.objects.get(key=sent["key"])
        (value,) = check.settings["told"].values()
        texts = stored_item(check).fields.values()
        # Raters read once what to choose.
        assert sum(f"“{value} (" in text for text in texts) == 1
        assert all(text.strip() for text in texts)
        instructed.append(value)
        # The number of items between checks is asked for once.
        assert ("check_every" in sent) is (number == 1)
    assert instructed == [4, 2]
    cast.study.refresh_from_db()
    assert cast.study.check_every is not None


def test_the_text_of_an_instructed_check_is_refused_for_another_kind(cast, client):
    url = reverse("study-checks", args=[cast.slug])
    form = client.get(url).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}
    refused = client.post(url, {**sent, "kind": "gold"})
    assert refused.status_code == 422
    assert set(refused.context["form"].errors) == set(text_fields(cast, ""))
