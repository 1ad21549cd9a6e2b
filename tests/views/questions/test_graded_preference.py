"""A pair whose raters say how much better a text is, and several questions about one pair."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from annotation.models import Rating
from annotation.protocols.preference import BLOCKS
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.template import Point, StudyTemplate
from tests.views.questions.rating_pages import joined, save, shown

pytestmark = pytest.mark.django_db
SEVERAL = ("preference", "fluency", "novelty")


@pytest.fixture
def page():
    template = TEMPLATES["preference_ties"]
    (form,) = template.forms
    (asked,) = form.criteria
    graded = replace(asked, points=(*asked.points, Point("a+"), Point("b+")))
    return joined(replace(template, forms=(replace(form, criteria=(graded,)),)))


def test_both_texts_are_shown_once_and_five_answers_from_the_first_to_the_second(page):
    client, assignment = page
    html = shown(client, assignment)
    values = re.findall(r'type="radio" name="answer-preference" value="([^"]+)"', html)
    assert values in (["a+", "a", "tie", "b", "b+"], ["b+", "b", "tie", "a", "a+"])
    assert re.findall(r'data-keyboard="(\d)"', html)[:5] == ["1", "2", "3", "4", "5"]
    texts = [assignment.item.fields[value[0]] for value in (values[0], values[-1])]
    assert [html.count(text) for text in texts] == [1, 1]
    assert html.index(texts[0]) < html.index(texts[1])
    words = re.findall(r"(First|Second) is (much|slightly) better", html)
    assert words == [("First", "much"), ("First", "slightly"), ("Second", "slightly"), ("Second", "much")]


def test_much_better_is_stored_as_it_was_chosen_and_shown_again(page):
    client, assignment = page
    assert save(client, assignment, **{"answer-preference": "b+"}).status_code == 303
    rating = Rating.objects.get()
    assert (str(rating), sorted(rating.shown)) == ("b+", ["a", "a+", "b", "b+", "tie"])
    assert re.search(r'value="b\+"[^>]*checked', shown(client, assignment))


def several() -> StudyTemplate:
    """Preference, fluency with ties, and how much more novel one is, of the same two texts."""
    template = TEMPLATES["preference"]
    (form,) = template.forms
    (asked,) = form.criteria
    tie = Point("tie", "About equal")
    fluency = replace(asked, key="fluency", name="Fluency", points=(*asked.points, tie), required=False)
    graded = (*asked.points, Point("a+"), Point("b+"))
    novelty = replace(asked, key="novelty", name="Novelty", points=graded, required=False)
    own = [{**block, "of": key} for key in SEVERAL[1:] for block in BLOCKS]
    changed = replace(form, criteria=(asked, fluency, novelty), blocks=(*BLOCKS, *own))
    return replace(template, forms=(changed,))


def values(html: str, key: str) -> list[str]:
    return re.findall(rf'type="radio" name="answer-{key}" value="([^"]+)"', html)


def test_the_texts_are_shown_once_above_the_questions_and_in_one_order_for_all_of_them():
    """On several pages, so that a chance order of each question would differ on one."""
    client, page = joined(several())
    for number in range(5):
        html = shown(client, page)
        orders = {key: [one for one in values(html, key) if one in "ab"] for key in SEVERAL}
        assert len({*map(tuple, orders.values())}) == 1
        texts = [page.item.fields[side] for side in orders["preference"]]
        assert [html.count(text) for text in texts] == [1, 1]
        assert html.index(texts[0]) < html.index(texts[1]) < html.index('data-key="preference"')
        options = re.search(r'data-key="fluency".*?</fieldset>', html, re.DOTALL)
        assert options is not None
        assert re.findall(r"First text|Second text|About equal", options[0]) == [
            "First text", "Second text", "About equal",
        ]  # fmt: skip
        answers = {"answer-preference": "a", "answer-fluency": "tie", "answer-novelty": "b+"}
        assert save(client, page, **answers).status_code == 303
        stored = Rating.objects.filter(response__assignment=page).select_related("criterion")
        first = {one.criterion.key: [side for side in one.shown if side in ("a", "b")] for one in stored}
        assert first == orders
        page = type(page).objects.get(rater=page.rater, position=number + 2)


def test_a_question_alone_with_its_texts_shows_them_as_its_answers():
    client, page = joined("preference")
    html = shown(client, page)
    assert "First text" not in html
    assert html.index('data-key="preference"') < html.index(page.item.fields["a"])
