"""Where tuples are marked: the page has the text to mark, what is marked already, and the study's nouns."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.models import Assignment, Item, Rating, Response, Study, User
from annotation.protocols.cmdag import CMDAG_REFINED
from annotation.protocols.template import Point
from annotation.services.adjudication.case_selection import send_items
from tests.support.studies.marked_study import SENTENCES, make_marked_study
from tests.views.questions.rating_pages import joined, save, shown

pytestmark = pytest.mark.django_db
TWO_FIELDS = TupleSettings(
    marked=("tenor", "vehicle"),
    optional=("tenor",),
    adjective_noun=("ground",),
    nouns=("节奏", '<b>"x"</b>'),
    general_nouns=("感觉",),
    refuse_general=True,
)
HOSTILE = '</script><img src=x onerror="alert(1)"> & \'"\\u2028 ${x} {{ y }}'


class Found(HTMLParser):
    """Elements with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def having(self, name: str) -> list[dict[str, str]]:
        return [attributes for _, attributes in self.elements if name in attributes]

    def texts(self) -> list[str]:
        """What is to be marked, as the browser reads it."""
        return [json.loads(one["data-marked-text"]) for one in self.having("data-marked-text")]


def with_tuples(**asked: Any) -> tuple[Client, Assignment]:
    (form,) = CMDAG_REFINED.forms
    metaphor, tuples = form.criteria
    return joined(
        replace(CMDAG_REFINED, forms=(replace(form, criteria=(metaphor, replace(tuples, **asked))),))
    )


def with_two_fields(refuse: bool) -> tuple[Client, Assignment]:
    return with_tuples(settings=replace(TWO_FIELDS, refuse_general=refuse).stored())


def test_tuples_found_before_are_offered_at_their_place_in_the_text():
    client, assignment = with_tuples()
    Item.objects.filter(pk=assignment.item_id).update(
        fields={"sentence": SENTENCES[0], "earlier": "记忆 – 漏水的屋顶 – 老旧; 没有元组。; 梦 – 碗"}
    )
    (text,) = Found(shown(client, assignment)).having("data-offered")
    found = [
        [(one["part"], one["start"], one["text"]) for one in suggestion]
        for suggestion in json.loads(text["data-offered"])
    ]
    assert found == [
        [("tenor", 0, "记忆"), ("vehicle", 3, "漏水的屋顶"), ("ground", None, "老旧")],
        [("tenor", 9, "梦"), ("vehicle", 14, "碗")],
    ]


def test_a_ground_of_two_fields_is_completed_from_the_nouns_of_the_study():
    client, page = with_two_fields(refuse=True)
    found = Found(shown(client, page))
    (noun,) = found.having("data-noun")
    assert len(found.having("data-adjective")) == 1
    assert ("datalist", {"id": noun["list"]}) in found.elements
    assert [attributes["value"] for tag, attributes in found.elements if tag == "option"] == list(
        TWO_FIELDS.nouns
    )
    (marking,) = found.having("data-marking")
    assert (marking["data-general"], marking["data-refuse"]) == ("感觉", "true")


def test_no_part_takes_a_key_that_the_page_has():
    points = (Point("tenor", "Tenor", "", "w"), Point("vehicle", "Vehicle", "", "V"))
    client, page = with_tuples(points=points)
    found = Found(shown(client, page))
    assert [one["data-key"] for one in found.having("data-key")][-2:] == ["", "v"]
    assert [one.get("aria-keyshortcuts") for one in found.having("data-mark")] == [None, "V"]


@pytest.mark.parametrize("refuse", [True, False], ids=["refused", "pointed out"])
def test_a_noun_that_says_too_little_is_refused_on_the_page_or_only_pointed_out(refuse):
    client, page = with_two_fields(refuse)
    tuples = {"answer-tuples.1.vehicle": "x", "answer-tuples.1.ground": "安静的感觉"}
    answer = save(client, page, **{"answer-metaphor": "yes", **tuples})
    if not refuse:
        assert answer.status_code == 303
        assert Rating.objects.get(criterion__key="tuples").words == "x – 安静的感觉"
        return
    assert answer.status_code == 422
    assert not Rating.objects.exists()
    page_text = html.unescape(answer.content.decode())
    assert "“感觉” in tuple 1 is too general. Name the shared property." in page_text
    assert 'value="安静的感觉"' in page_text


def test_no_text_wording_or_noun_is_markup_on_the_page():
    client, page = with_two_fields(refuse=False)
    Item.objects.filter(pk=page.item_id).update(fields={**page.item.fields, "sentence": HOSTILE})
    tuples = {"answer-tuples.1.vehicle": HOSTILE, "answer-tuples.1.ground": HOSTILE}
    assert save(client, page, **{"answer-metaphor": "yes", **tuples}).status_code == 303
    found = Found(shown(client, page))
    assert found.texts() == [HOSTILE]
    (stored,) = found.having("data-stored")
    assert {one["text"] for one in json.loads(stored["value"])} == {HOSTILE}
    assert not [tag for tag, attributes in found.elements if tag == "img" or "onerror" in attributes]


def test_the_preview_of_a_form_has_what_marks_tuples():
    study = make_marked_study()
    client = Client()
    client.force_login(User.objects.get(email="marked@example.org"))
    page = client.get(reverse("study-form", args=[study.slug, "refined"])).content.decode()
    found = Found(page)
    assert found.texts() == [SENTENCES[0]]
    assert len(found.having("data-marking")) == 1
    assert re.search(r'<script type="module" src="[^"]*js/form-preview[^"]*"', page)


def test_a_final_answer_is_marked_beginning_from_an_annotation():
    study = make_marked_study()
    Study.objects.filter(pk=study.pk).update(state=StudyState.CLOSED)
    study.refresh_from_db()
    owner = User.objects.get(email="marked@example.org")
    send_items(study=study, keys=["s1"], actor=owner)
    client = Client()
    client.force_login(owner)
    address = reverse("study-case", args=[study.slug, study.cases.get().pk])
    assert Found(client.get(address).content.decode()).texts() == [SENTENCES[0]]
    first = Response.objects.get(assignment__item__key="s1", assignment__rater__code="R-002")
    found = Found(client.get(f"{address}?from={first.pk}").content.decode())
    (stored,) = found.having("data-stored")
    assert stored["value"]
    assert json.loads(stored["value"]) == first.ratings.get(criterion__key="tuples").content
