"""The page of an item says what happened to it, newest first, and who did it."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.states import Role
from annotation.models import Item, Membership, Response
from annotation.selectors.items.selection import select_items
from annotation.services.items.corrections import correct_item
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.quality.exclusions import exclude_items
from annotation.services.seats.item_changes import ItemAct, change_items
from tests.services.questions.rewording import rate, reword
from tests.support.people import Cast, make_cast
from tests.views.questions.form_pages import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=3)


def history(cast: Cast, key: str = "L00") -> list[Any]:
    page = client_of(cast.users["researcher"]).get(reverse("study-item", args=[cast.slug, key]))
    return list(page.context["history"])


def shown(cast: Cast, who: str = "researcher") -> str:
    return client_of(cast.users[who]).get(reverse("study-item", args=[cast.slug, "L00"])).content.decode()


def test_it_lists_the_adding_what_members_did_and_what_raters_saved_to_which_version(cast):
    owner = cast.users["owner"]
    first = cast.study.forms.get().versions.get()
    rate(cast.study, "R-11", ["L00"], first)
    newer = reword(cast.study, owner, "How apt?", correction=False)
    rate(cast.study, "R-12", ["L00"], newer)
    Response.objects.update(submitted_at=timezone.now())
    correct_item(item=Item.objects.get(study=cast.study, key="L00"), actor=owner, system="gpt-z")
    exclude_items(study=cast.study, keys=["L00", "L01"], reason="Typo.", actor=owner)
    items = select_items(cast.study, every=False, group="", keys=["L00"])
    change_items(study=cast.study, act=ItemAct.RETIRE, items=items, actor=owner, reason="Twice in the list.")
    events = history(cast)
    acts = ["retire_items", "exclude_items", "correct_item"]
    assert [one.entry.act for one in events if one.what == "act"] == acts
    assert [one.what for one in events].count("saved") == 2
    assert [one.at for one in events] == sorted((one.at for one in events), reverse=True)
    page = shown(cast)
    key = newer.form.key
    for expected in (
        f"R-11 saved, {key} 1",
        f"R-12 saved, {key} 2",
        "gpt-z",
        "Twice in the list.",
        str(owner),
    ):
        assert expected in page
    assert not [one for one in history(cast, "L02") if one.what == "act"]


def test_it_begins_with_the_time_at_which_the_item_was_added(cast):
    new = NewItem("N00", {"text": "Frost like a blanket."})
    add_items(study=cast.study, rows=[new], give_slots=lambda *_: None)
    assert [one.what for one in history(cast, "N00")] == ["added"]


def test_an_item_that_the_log_does_not_list_is_retired_all_the_same(cast):
    Item.objects.filter(study=cast.study, key="L00").update(retired_at="2026-01-02T03:04:05Z", added_at=None)
    assert history(cast)[-1].what == "retired"
    assert "Item retired" in shown(cast)


def test_a_viewer_does_not_read_who_did_what(cast):
    correct_item(
        item=Item.objects.get(study=cast.study, key="L00"), actor=cast.users["owner"], system="gpt-z"
    )
    Membership.objects.create(study=cast.study, user=cast.users["stranger"], role=Role.VIEWER)
    page = shown(cast, "stranger")
    assert "Metadata of an item corrected" not in page
    assert 'id="history"' not in page
