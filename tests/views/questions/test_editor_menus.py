"""The form editor offers columns of the items, criteria and their answers, and usual scales."""

from __future__ import annotations

import re
from html import unescape

import pytest

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
