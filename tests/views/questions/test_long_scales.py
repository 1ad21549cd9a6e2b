"""A scale of more points than fit into a row is one number field; its answers are stored as before."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from annotation.models import Rating, Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.template import Point, Serving
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.rating.shortcuts import Chosen, shortcuts_of
from annotation.selectors.studies.definition import template_of
from annotation.selectors.studies.form_preview import preview_of
from annotation.services.studies.lifecycle import create_from_template
from tests.support.studies.choice_study import answer_all, joined, opened
from tests.views.questions.form_pages import client_of, fields, form_url

pytestmark = pytest.mark.django_db
NUMBER = re.compile(r'<input type="number"[^>]*>')


def study_of(values: range | list[int]) -> Study:
    """A study of two items with one scale of these points, of which the ends have labels."""
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    points = [Point(str(value)) for value in values]
    points[0], points[-1] = Point(points[0].value, "not at all"), Point(points[-1].value, "fully")
    (form, *_), template = TEMPLATES["miyazawa"].forms, TEMPLATES["miyazawa"]
    asked = replace(form.criteria[0], key="apt", name="Aptness", points=tuple(points))
    made = replace(template, forms=(replace(form, criteria=(asked,)),), serving=Serving())
    study = create_from_template(template=made, slug="apt", title="Aptness", owner=owner, overlap=1)
    for place in (0, 1):
        study.items.create(key=f"i{place}", fields={"expression": "a parcel"}, position=place)
    return study


def first_page(study: Study) -> tuple[Client, str, str]:
    client, address = joined(opened(study))
    return client, address, client.get(address).content.decode()


@pytest.mark.parametrize(
    ("values", "field"),
    [
        (range(101), {"min": "0", "max": "100", "step": "1"}),
        (range(-6, 7), {"min": "-6", "max": "6", "step": "1"}),
        (range(0, 121, 10), {"min": "0", "max": "120", "step": "10"}),
    ],
)
def test_a_long_scale_is_one_field_with_its_ends(values: range, field: dict[str, str]):
    _, _, page = first_page(study_of(values))
    (number,) = NUMBER.findall(page)
    assert 'type="radio"' not in page
    assert {name: re.search(rf' {name}="([^"]*)"', number)[1] for name in field} == field  # type: ignore[index]
    assert ('inputmode="numeric"' in number) == (values[0] >= 0)
    assert f"Aptness, a number from {field['min']} to {field['max']}" in " ".join(number.split())
    assert f"{field['max']} fully" in page


@pytest.mark.parametrize("values", [range(11), [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233]])
def test_a_short_scale_and_one_with_uneven_points_show_each_point(values: range | list[int]):
    _, _, page = first_page(study_of(values))
    assert page.count('type="radio"') == len(values)
    assert not NUMBER.findall(page)


def test_the_number_is_stored_and_shown_again():
    client, address, _ = first_page(study_of(range(101)))
    answers = iter([{"answer-apt": "101"}, {"answer-apt": "73"}, {"answer-apt": "0"}])
    statuses = answer_all(client, address, lambda *_: next(answers))
    assert statuses == [422, 303, 303]
    assert list(Rating.objects.order_by("pk").values_list("value", flat=True)) == [73, 0]
    assert 'value="73"' in NUMBER.findall(client.get(address).content.decode())[0]


def test_the_editor_folds_the_points_without_words_and_opens_them_for_what_is_wrong():
    study = study_of(range(101))
    client, url = client_of(study.memberships.get().user), form_url(study)
    page = client.get(url)
    shown = " ".join(page.content.decode().split())
    assert "<details> <summary> 99 points without words, from 1 to 99 </summary>" in shown
    assert shown.count('maxlength="60" value="1"') == 1
    refused = client.post(url, {**fields(page), "point-0-50-value": "7", "act": "save"})
    content = " ".join(refused.content.decode().split())
    assert "<details open> <summary> 99 points without words, from 1 to 99 </summary>" in content
    assert 'id="point-0-50-value-error"' in content
    assert client.post(url, {**fields(page), "act": "save"}).status_code == 302


def test_no_key_is_offered_to_choose_a_point_where_digits_are_typed():
    shown: dict[str, Any] = {}
    for values in (range(101), range(11)):
        Study.objects.all().delete()
        User.objects.all().delete()
        study = study_of(values)
        page = preview_of(study, template_of(form_versions(study=study)[0]), "")
        shown[str(len(values))] = shortcuts_of(page["criteria"])
    assert (shown["101"].last_key, shown["101"].by_digit) == ("", Chosen.NOTHING)
    assert (shown["11"].last_key, shown["11"].by_digit) == ("9", Chosen.POINT)
