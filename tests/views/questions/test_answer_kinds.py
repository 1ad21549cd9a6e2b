"""Choices, words and tuples on the rating page: shown as they were given, refused without a fault."""

from __future__ import annotations

import re

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from annotation.models import Assignment, Item, Rating, Study
from annotation.selectors.rating.rating_page import Given, page_criteria
from annotation.views.rating.posted_answers import given_in
from tests.support.layout import folded
from tests.views.questions.rating_pages import joined, save, shown

pytestmark = pytest.mark.django_db


def test_words_with_a_bar_and_several_choices_come_back_whole():
    client, page = joined("simile_probing_components")
    answers = {"answer-simile": "yes", "answer-topic": "bread | butter", "answer-vehicle": "salt"}
    assert save(client, page, **answers).status_code == 303
    assert ">bread | butter</textarea>" in shown(client, page)


def test_each_of_several_choices_is_shown_as_chosen():
    client, page = joined("simile_probing_categories")
    assert save(client, page, **{"answer-category": ["time", "sense"]}).status_code == 303
    assert Rating.objects.get().content == ["sense", "time"]
    assert shown(client, page).count(" checked>") == 2


def test_the_options_of_an_item_are_what_its_choices_say():
    client, page = joined("simile_probing")
    html = shown(client, page)
    assert all(f">{option}</span>" in html for option in page.item.fields["options"].splitlines())
    assert "option 0" not in html


def test_options_say_their_language_and_those_of_an_item_that_of_the_item():
    client, page = joined("simile_probing")
    Item.objects.update(metadata={"language": "de"})
    html = shown(client, page)
    languages = {text: code for code, text in re.findall(r'lang="(\w+)"\s*>([^<]+)</span>', html)}
    of_item = page.item.fields["options"].splitlines()
    assert {languages[option] for option in of_item} == {"de"}
    assert languages["Not sure"] == "en"


@pytest.mark.parametrize(
    "fields",
    [
        {"answer-tuples": "no tuples"},
        {"answer-tuples": '[{"tuple": 1}]'},
        {"answer-tuples.1.tenor": "only a tenor"},
        {"answer-tuples.1.mood": "tender"},
        {"answer-tuples.1.tenor": "a", "answer-tuples.1.vehicle": "b", "answer-tuples.1.ground": "c" * 9_990},
        {"answer-elsewhere.1.tenor": "a"},
    ],
)
def test_what_are_no_tuples_is_given_back_and_not_stored(fields):
    client, page = joined("cmdag_refined")
    refused = save(client, page, **{"answer-metaphor": "yes", **fields})
    assert refused.status_code == 422
    assert not Rating.objects.exists()
    if "answer-tuples.1.tenor" in fields:
        assert f'value="{fields["answer-tuples.1.tenor"]}"' in refused.content.decode()


def test_rows_keep_their_order_and_are_counted_again():
    client, page = joined("cmdag_refined")
    parts = ("tenor", "vehicle", "ground")
    rows = {f"answer-tuples.{row}.{part}": f"{part} {row}" for row in (12, 3) for part in parts}
    assert save(client, page, **{"answer-metaphor": "yes", **rows}).status_code == 303
    assert Rating.objects.get(criterion__key="tuples").words == (
        "tenor 3 – vehicle 3 – ground 3; tenor 12 – vehicle 12 – ground 12"
    )


def test_a_chinese_item_is_marked_as_such_and_its_gloss_and_the_consent_are_not():
    client, page = joined("cmdag_refined")
    html = shown(client, page)
    assert f'lang="zh-hans">{page.item.fields["sentence"]}' in html
    assert f'lang="en">{page.item.fields["gloss"]}' in html
    assert 'lang="zh-hans" autocomplete' in html
    assert page.rater.study.language == "en"


def other(study_slug: str = "demo") -> tuple[Client, Assignment]:
    """Another rater of the same study at their first page."""
    study = Study.objects.get(slug=study_slug)
    client, link = Client(), reverse("join", args=[study.invitations.get(rater=None).token])
    key = client.get(link).context["join_key"]
    client.post(link, {"agree": "yes", "join_key": key}, follow=True)
    return client, Assignment.objects.filter(submitted_at=None, position=1).latest("pk")


def values_shown(html: str, criterion: str) -> list[str]:
    return re.findall(rf'name="answer-{criterion}" value="(\w+)"', html)


def keys_shown(html: str) -> list[str]:
    return re.findall(r'data-keyboard="(\w)"', html)


def test_options_have_an_order_of_the_raters_own_and_the_stored_value_is_none_of_places():
    orders: dict[str, list[list[str]]] = {}
    first = joined("simile_probing")
    for client, page in (first, *(other() for _ in range(2))):
        study = page.rater.study
        for item in study.items.all():
            page.item = item
            one = page_criteria(page, Given())[0]["points"]
            orders.setdefault(item.key, []).append([point.value for point in one])
        html = shown(client, page)
        values = values_shown(html, "property")
        assert sorted(values) == ["0", "1", "2", "3", "unsure"]
        assert values[-1] == "unsure"
        assert keys_shown(html) == ["1", "2", "3", "4", "5"]
        page.refresh_from_db()
        chosen = values[1]
        assert save(client, page, **{"answer-property": chosen}).status_code == 303
        rating = Rating.objects.get(response__assignment=page)
        assert (rating.answer, rating.shown) == (chosen, list(values))
        words = page.item.fields["options"].splitlines()
        label = f'<span class="verbatim" dir="auto" lang="en">{words[int(chosen)]}</span>'
        assert f'value="{chosen}" data-keyboard="2" checked>{label}' in folded(shown(client, page))
    assert any(len({*map(tuple, by_rater)}) > 1 for by_rater in orders.values())


def test_the_gap_is_marked_and_read_out_as_blank():
    client, page = joined("simile_probing")
    html = shown(client, page)
    assert '<span class="vh">blank</span><span aria-hidden="true" data-gap>____</span>' in html


def test_nothing_on_the_page_tells_the_key():
    client, page = joined("simile_probing")
    Item.objects.filter(pk=page.item_id).update(metadata={"right": "the-key-itself"})
    assert "the-key-itself" not in shown(client, page)


def test_a_pair_is_shown_side_by_side_and_which_side_was_where_is_stored():
    client, page = joined("preference_ties")
    html = shown(client, page)
    sides = values_shown(html, "preference")
    assert sorted(sides) == ["a", "b", "tie"]
    assert sides[-1] == "tie"
    assert html.index(escape(page.item.fields[sides[0]])) < html.index(escape(page.item.fields[sides[1]]))
    assert save(client, page, **{"answer-preference": "tie"}).status_code == 303
    rating = Rating.objects.get()
    assert (rating.answer, rating.shown) == ("tie", list(sides))
    label = rating.criterion.points.get(value="tie").label
    assert rating.words == label != "tie"


def test_an_answer_of_several_parts_is_read_as_these_parts_by_researchers():
    client, page = joined("best_worst_novelty")
    criterion = page.version.criteria.get()
    best, worst = (f"answer-{criterion.key}:{part}" for part in ("best", "worst"))
    assert save(client, page, **{best: "b", worst: "d"}).status_code == 303
    assert str(Rating.objects.get().words) == "best: b, worst: d"


def test_a_tie_is_refused_where_the_study_allows_none():
    client, page = joined("preference")
    assert values_shown(shown(client, page), "preference") in (["a", "b"], ["b", "a"])
    assert save(client, page, **{"answer-preference": "tie"}).status_code == 422
    assert not Rating.objects.exists()


def test_several_fields_of_one_answer_arrive_as_its_parts_and_empty_ones_not_at_all():
    posted = QueryDict("answer-order:b=1&answer-order:a=2&answer-order:c=&answer-apt=3&answer-top:x=")
    given = given_in(posted, Item(), [])
    assert given.answers == {"order": ["b:1", "a:2"], "apt": ["3"], "top": []}
