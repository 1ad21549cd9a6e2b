"""More ratings are asked for where raters disagree: seen before it is done, and bounded."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.questions.answers import Submission
from annotation.models import AuditEntry, Seat
from annotation.selectors.pay.workload_preview import disputed_items
from annotation.selectors.questions.long_table import ratings_frame
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from scoring.stats.data.table import RatingsTable
from scoring.stats.raters.disagreement import item_figures
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
VALUES = {"L00": (1, 5), "L01": (3, 3), "L02": (2, 4), "L03": (4, 5)}


@pytest.fixture
def cast() -> Cast:
    """Four items with two ratings of quality each."""
    cast = make_cast(items=4, overlap=2)
    for place in range(2):
        rater = consent(invitation=cast.invitation)
        for _ in VALUES:
            page = next_assignment(rater=rater)
            answers = {"quality": str(VALUES[page.item.key][place]), "creativity": "3"}
            submission = Submission(page_key=uuid.uuid4(), answers=answers)
            submit(assignment=page, version=page.version, submission=submission)
    return cast


def rule(cast: Cast, **fields: int) -> dict[str, str | int]:
    form = cast.study.forms.get()
    return {"criterion": "quality", "form": form.pk, "to": 4, "most": 50, **fields}


def admin(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.users["admin"])
    return client


def test_items_come_most_disputed_first(cast):
    found = disputed_items(cast.study, "quality")
    assert [(one.key, one.n, one.spread) for one in found] == [
        ("L00", 2, 4),
        ("L02", 2, 2),
        ("L03", 2, 1),
        ("L01", 2, 0),
    ]
    assert found[0].mean == 3


def test_the_interval_is_the_one_of_the_items_page(cast):
    """A width read off that page chooses the same items here."""
    table = RatingsTable.from_frame(ratings_frame(cast.study)[["item", "rater", "criterion", "value"]])
    there = item_figures(table.criteria["quality"])
    shown = dict(zip(there.items, there.high - there.low, strict=True))
    assert {one.key: one.width for one in disputed_items(cast.study, "quality")} == pytest.approx(shown)
    assert shown["L00"] == pytest.approx(2 * 2.7764 * (10.5 / 4) ** 0.5 / 2**0.5, rel=1e-4)


@pytest.mark.parametrize(
    ("fields", "keys"),
    [
        ({"spread": 2}, ["L00", "L02"]),
        ({"width": 6}, ["L00", "L02", "L03", "L01"]),
        ({"width": 7}, []),
        ({"spread": 1, "most": 2}, ["L00", "L02"]),
        ({"fewer_than": 3}, ["L00", "L02", "L03", "L01"]),
        ({}, []),
    ],
)
def test_a_rule_chooses_and_nothing_happens_by_looking(cast, fields, keys):
    before = Seat.objects.count()
    page = admin(cast).get(reverse("study-collect-more", args=[cast.slug]), rule(cast, **fields))
    assert [one.key for one in page.context["chosen"]] == keys
    assert Seat.objects.count() == before


def test_the_chosen_items_get_more_seats_and_the_log_names_them(cast):
    address = reverse("study-collect-more", args=[cast.slug])
    shown = admin(cast).get(address, rule(cast, spread=2)).context["shown"]
    page = admin(cast).post(address, {**rule(cast, spread=2), "shown": shown}, follow=True)
    assert "4 more ratings requested." in page.content.decode()
    assert Seat.objects.filter(item__key="L00").count() == 4
    assert Seat.objects.filter(item__key="L01").count() == 2
    assert AuditEntry.objects.get(act="raise_overlap").detail["items"] == ["L00", "L02"]


def test_nothing_is_asked_for_where_the_rule_chooses_other_items_than_were_shown(cast):
    address = reverse("study-collect-more", args=[cast.slug])
    shown = admin(cast).get(address, rule(cast, spread=2)).context["shown"]
    before = Seat.objects.count()
    page = admin(cast).post(address, {**rule(cast, spread=1), "shown": shown})
    assert (page.status_code, Seat.objects.count()) == (409, before)
    assert "the rule now selects other items" in page.content.decode()


def test_a_criterion_is_chosen_by_its_newest_name(cast):
    criteria = cast.study.forms.get().versions.get().criteria
    criteria.filter(key="quality").update(name="Quality of the comparison")
    page = admin(cast).get(reverse("study-collect-more", args=[cast.slug])).content.decode()
    assert '<option value="quality">\u2068Quality of the comparison\u2069</option>' in page
