"""A question for a number on the page of a rater and in the form editor."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotation.models import Assignment, Criterion, Rating
from tests.support.people import Cast, make_cast
from tests.views.questions.form_pages import client_of, fields, form_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Both criteria are numbers: quality whole ones in years, from 0 to 120; creativity any numbers."""
    made = make_cast(items=4, overlap=2)
    unit = {"unit": {"en": "years", "ja": "歳"}}
    Criterion.objects.update(kind="number", minimum=-999_999, maximum=999_999)
    Criterion.objects.filter(key="quality").update(minimum=0, maximum=120, settings={"number": unit})
    Criterion.objects.filter(key="creativity").update(settings={"number": {"decimals": True}})
    for criterion in Criterion.objects.all():
        criterion.points.all().delete()
    return made


def page_of(client: Client, cast: Cast) -> str:
    return client.get(reverse("rate", args=[cast.slug]), follow=True).content.decode()


def field(html: str, key: str) -> str:
    (found,) = re.findall(rf'<input name="answer-{key}"[^>]*>', html)
    return str(found)


def test_the_field_of_whole_numbers_has_its_ends_and_unit_and_none_is_preset(cast):
    html = page_of(client_of(cast.users["rater"]), cast)
    whole, open_number = field(html, "quality"), field(html, "creativity")
    for part in ('type="number"', 'min="0"', 'max="120"', 'step="1"', 'inputmode="numeric"', ', years"'):
        assert part in whole
    assert 'value=""' in whole
    assert 'type="text"' in open_number
    assert "inputmode" not in open_number
    assert html.count("Enter a whole number from 0 to 120.") > 1
    assert "The unit is “<bdi>years</bdi>”." in html


def test_the_unit_is_in_the_language_of_the_page(cast):
    client = client_of(cast.users["rater"])
    with translation.override("ja"):
        client.post(reverse("set_language"), {"language": "ja"})
        assert ">歳</p>" in page_of(client, cast)


def test_an_answer_outside_the_ends_is_refused_in_a_sentence_and_others_are_stored(cast):
    client = client_of(cast.users["rater"])
    page_of(client, cast)
    assignment = Assignment.objects.get()
    sent = {
        "submission_key": str(uuid.uuid4()),
        "assignment": assignment.pk,
        "version": assignment.version_id,
    }
    url = reverse("rate-assignment", args=[cast.slug, assignment.pk])
    refused = client.post(url, {**sent, "answer-quality": "121", "answer-creativity": "-2,5"})
    assert refused.status_code == 422
    assert "Enter a whole number from 0 to 120." in refused.content.decode()
    assert not Rating.objects.exists()
    client.post(url, {**sent, "answer-quality": "7", "answer-creativity": "-2,5"})
    assert set(Rating.objects.values_list("value", flat=True)) == {7, -2.5}
    assert 'value="-2.5"' in field(client.get(url).content.decode(), "creativity")


def test_the_editor_shows_only_the_ends_that_were_set(cast):
    html = client_of(cast.users["owner"]).get(form_url(cast.study)).content.decode()
    shown = dict(re.findall(r'name="criterion-([01])-minimum"[^>]*value="([^"]*)"', html))
    assert shown == {"0": "0", "1": ""}
    assert "This kind of question cannot decide which items a next stage receives." in html
    assert 'value="years"' in html


def test_a_criterion_becomes_a_number_with_one_end_and_a_unit():
    made = make_cast(opened=False)
    client, url = client_of(made.users["owner"]), form_url(made.study)
    sent = {**fields(client.get(url)), "criterion-0-kind": "number", "act": "kind-criterion.0"}
    page = client.post(url, sent)
    own = {"criterion-0-minimum": "0", "criterion-0-maximum": "", "criterion-0-unit_en": "years"}
    preview = client.post(url, {**fields(page), **own, "act": "preview"}).content.decode()
    assert "Enter a whole number of at least 0." in preview
    wrong = client.post(url, {**fields(page), **own, "criterion-0-minimum": "0.5", "act": "save"})
    assert "Enter a whole number, or allow decimals." in wrong.content.decode()
    assert client.post(url, {**fields(page), **own, "act": "save"}).status_code == 302
    stored = made.study.forms.get().versions.latest("number").criteria.all()[0]
    assert (stored.kind, stored.minimum, stored.maximum) == ("number", 0, 999_999)
    assert stored.settings["number"] == {"unit": {"en": "years"}}
    assert stored.points.count() == 0
