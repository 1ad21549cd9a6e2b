"""The form editor offers columns of the items, criteria and their answers, and usual scales."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from annotation.forms.scale_presets import PRESETS
from annotation.io.studies.definitions import checked_form
from annotation.models import Criterion, FormVersion
from tests.support.people import Cast, make_cast
from tests.views.questions.form_pages import client_of, fields, form_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False)


def menu(page, name: str) -> list[str]:
    """The values of a menu of the page."""
    found = re.search(rf'<select id="{name}".*?</select>', page.content.decode(), re.DOTALL)
    assert found is not None, name
    return [unescape(value) for value in re.findall(r'<option(?: dir="auto")? value="([^"]*)"', found[0])]


def posted(cast: Cast, act: str, **given: str):
    client = client_of(cast.users["owner"])
    sent = fields(client.get(form_url(cast.study)))
    return client.post(form_url(cast.study), {**sent, **given, "act": act})


def test_the_column_of_a_text_is_chosen_from_those_of_the_items(cast):
    page = posted(cast, "add-block")
    place = len(page.context["document"]["blocks"]) - 1
    assert menu(page, f"block-{place}-field") == ["", *cast.study.items.first().fields]


def test_a_text_is_added_while_names_are_empty(cast):
    client = client_of(cast.users["owner"])
    sent = fields(client.get(form_url(cast.study)))
    page = client.post(form_url(cast.study), {**sent, "title": "", "key": "", "act": "add-block"})
    before = cast.study.forms.get().versions.get().blocks
    assert len(page.context["document"]["blocks"]) == len(before) + 1
    # No browser holds a press back because another field is empty.
    assert re.search(r'<form class="editor__fields"[^>]* novalidate', page.content.decode())


def test_the_preview_is_shown_as_on_a_phone_and_as_on_a_desktop(cast):
    page = client_of(cast.users["owner"]).get(form_url(cast.study)).content.decode()
    assert re.findall(r'name="width" value="(\w+)"', page) == ["phone", "desktop"]


def test_a_column_that_no_item_has_stays_chosen(cast):
    page = posted(cast, "preview", **{"block-0-field": "gloss", "block-0-role": "text"})
    assert menu(page, "block-0-field")[-1] == "gloss"


def test_without_items_the_column_is_written(cast):
    cast.study.items.all().delete()
    page = posted(cast, "add-block")
    assert re.search(r'<input id="block-\d-field"', page.content.decode())


def test_a_condition_is_chosen_by_the_names_of_criterion_and_answer(cast):
    first = cast.study.forms.get().versions.get().criteria.first()
    page = posted(cast, "add-criterion")
    place = len(page.context["document"]["criteria"]) - 1
    answers = [f"{first.key}={point.value}" for point in first.points.all()]
    offered = menu(page, f"criterion-{place}-asked_after")
    assert offered[: len(answers) + 1] == ["", *answers]
    assert f"{first.name}: " in page.content.decode()


def test_a_chosen_condition_is_stored_as_criterion_and_answer(cast):
    first = cast.study.forms.get().versions.get().criteria.first()
    wanted = f"{first.key}={first.points.last().value}"
    page = posted(cast, "add-criterion")
    place = len(page.context["document"]["criteria"]) - 1
    sent = {**fields(page), f"criterion-{place}-name": "Why", f"criterion-{place}-asked_after": wanted}
    saved = client_of(cast.users["owner"]).post(form_url(cast.study), {**sent, "act": "save"})
    assert saved.status_code == 302, saved.context["problems"]
    stored = FormVersion.objects.latest("pk").criteria.get(name="Why")
    assert f"{stored.asked_after}={stored.asked_when}" == wanted


def test_a_criterion_is_copied_below_itself_with_a_name_in_files_of_its_own(cast):
    page = posted(cast, "copy-criterion.0")
    first, second, *_ = page.context["document"]["criteria"]
    assert (second["name"], second["key"]) == (f"Copy of {first['name']}", "")
    assert (second["points"], second["kind"]) == (first["points"], first["kind"])
    saved = client_of(cast.users["owner"]).post(form_url(cast.study), {**fields(page), "act": "save"})
    assert saved.status_code == 302
    assert Criterion.objects.filter(key=f"copy-of-{first['key']}").exists()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_usual_scale_replaces_the_points_and_can_be_stored(cast, preset):
    page = posted(cast, f"preset-{preset}.0")
    criterion = page.context["document"]["criteria"][0]
    assert criterion["kind"] == PRESETS[preset].kind
    assert [point["label"] for point in criterion["points"]] == [one.label for one in PRESETS[preset].points]
    assert page.context["problems"] == []


def test_a_scale_has_room_for_every_point_from_0_to_100():
    points = [{"value": value, "label": str(value), "keyboard": ""} for value in range(101)]
    criterion = {"key": "fit", "name": "Fit", "points": points}
    read = checked_form({"key": "f", "title": "F", "criteria": [criterion]})
    assert len(read["criteria"][0]["points"]) == 101


def test_further_criteria_start_with_the_scale_above_and_are_saved_even_if_they_were_not_added(cast):
    typed = "Novelty: How new is it?\n\n Tone \n质量：好吗？"
    page = posted(cast, "add-criterion", more_criteria=typed)
    before, *added = page.context["document"]["criteria"][-4:]
    assert [(one["name"], one["question"], one["key"]) for one in added] == [
        ("Novelty", "How new is it?", "novelty"),
        ("Tone", "", "tone"),
        ("质量", "好吗？", f"criterion-{len(page.context['document']['criteria'])}"),
    ]
    labels = [(point["value"], point["label"], "") for point in before["points"]]
    for one in added:
        points = [(point["value"], point["label"], point["description"]) for point in one["points"]]
        assert (one["kind"], points) == (before["kind"], labels)
    assert page.context["more_criteria"] == ""
    saved = client_of(cast.users["owner"]).post(
        form_url(cast.study), {**fields(page), "more_criteria": "Beauty", "act": "save"}
    )
    assert saved.headers["Location"] == reverse("study-open", args=[cast.slug])
    newest = FormVersion.objects.latest("pk")
    assert [one.name for one in newest.criteria.all()][-4:] == ["Novelty", "Tone", "质量", "Beauty"]


def test_names_typed_for_further_criteria_stay_when_another_button_is_pressed(cast):
    assert posted(cast, "preview", more_criteria="Tone").context["more_criteria"] == "Tone"


def test_a_condition_follows_the_criterion_that_gets_another_name_before_it_is_stored(cast):
    page = posted(cast, "add-criterion", more_criteria="Fit\nTone")
    tone = len(page.context["document"]["criteria"]) - 1
    sent = fields(page)
    for place in (tone - 1, tone):
        assert f'name="criterion-{place}-derived"' in page.content.decode()
        sent |= {f"criterion-{place}-derived": sent[f"criterion-{place}-key"], f"criterion-{place}-key": ""}
    sent |= {f"criterion-{tone - 1}-name": "Aptness", f"criterion-{tone}-asked_after": "fit=2"}
    renamed = client_of(cast.users["owner"]).post(form_url(cast.study), {**sent, "act": "preview"})
    last = renamed.context["document"]["criteria"][-1]
    assert (last["asked_after"], last["asked_when"]) == ("aptness", "2")
    assert renamed.context["problems"] == []


def test_a_condition_can_be_all_answers_from_or_up_to_one(cast):
    first = cast.study.forms.get().versions.get().criteria.first()
    added = posted(cast, "add-criterion", more_criteria="Why")
    place = len(added.context["document"]["criteria"]) - 1
    answer = {f"criterion-{place}-asked_after": f"{first.key}=3", f"criterion-{place}-asked_as": ">="}
    client = client_of(cast.users["owner"])
    assert client.post(form_url(cast.study), {**fields(added), **answer, "act": "save"}).status_code == 302
    stored = FormVersion.objects.latest("pk").criteria.get(name="Why")
    assert (stored.asked_after, stored.asked_when) == (first.key, ">=3")
    page = client.get(form_url(cast.study)).content.decode()
    assert f'value="{first.key}=3" selected' in page
    assert 'value="&gt;=" selected' in page
    wrong = {f"criterion-{place}-asked_after": f"{first.key}=9", f"criterion-{place}-asked_as": "<="}
    refused = client.post(form_url(cast.study), {**fields(added), **wrong, "act": "save"})
    assert (refused.status_code, list(refused.context["wrong"])) == (422, [f"criterion-{place}-asked_after"])
    assert re.search(rf'id="criterion-{place}-asked_after"[^>]* autofocus', refused.content.decode())


def test_a_usual_scale_of_as_many_points_keeps_what_they_mean(cast):
    page = posted(
        cast, "preset-quality.0", **{f"point-0-{inner}-description": f"m{inner}" for inner in range(5)}
    )
    points = page.context["document"]["criteria"][0]["points"]
    assert [point["description"] for point in points] == ["m0", "m1", "m2", "m3", "m4"]
