"""The navigation of a study leads to every place that its reader may see, and says where the reader is."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Study
from annotation.views.base.navigation import GROUPS
from tests.rights.permissions import rows
from tests.rights.world import World, client_for, ours

ROLES = ("viewer", "researcher", "admin", "owner")
PAGES = [page for group in GROUPS for place in group.places for page in place.pages]


class Navigation(HTMLParser):
    """The links of a page in each `nav`, and which of them is the page itself."""

    def __init__(self) -> None:
        super().__init__()
        self.name = ""
        self.links: dict[str, set[str]] = {}
        self.current: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "nav":
            self.name = values.get("aria-label") or ""
        elif tag == "a" and self.name:
            self.links.setdefault(self.name, set()).add(values["href"] or "")
            if values.get("aria-current"):
                self.current.setdefault(self.name, []).append(values["href"] or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "nav":
            self.name = ""


def read(client: Client, path: str) -> Navigation:
    answer = client.get(path)
    assert answer.status_code == 200, path
    found = Navigation()
    found.feed(answer.content.decode())
    return found


@pytest.mark.parametrize("role", ROLES)
def test_every_link_leads_to_a_page_that_marks_that_link(world: World, role: str) -> None:
    client = client_for(world.cast, role)
    links = read(client, f"/studies/{world.cast.slug}/").links["All pages of the study"]
    for link in links:
        assert read(client, link).current["All pages of the study"] == [link]


def test_pages_that_a_role_may_not_see_are_left_out(world: World) -> None:
    start = f"/studies/{world.cast.slug}/"
    seen = {role: read(client_for(world.cast, role), start).links["All pages of the study"] for role in ROLES}
    assert seen["owner"] == seen["admin"]
    managed = (
        "pay",
        "settings/links",
        "settings/prolific",
        "settings/mturk",
        "settings/share-links",
        "settings/webhooks",
    )
    assert seen["admin"] - seen["researcher"] == {f"{start}{page}/" for page in managed}
    assert seen["researcher"] < seen["admin"]
    results = (
        "",
        "items/",
        "raters/",
        "reliability/",
        "systems/",
        "metrics/",
        "judges/",
        "scores/",
        "disagreement/",
        "exports/",
    )
    assert seen["viewer"] == {f"{start}{page}" for page in results}


def test_an_adjudicator_has_one_page(world: World) -> None:
    start = f"/studies/{world.cast.slug}/adjudication/"
    found = read(client_for(world.cast, "adjudicator"), start)
    assert found.links["All pages of the study"] == {start}


def test_published_ratings_have_no_pages_about_collecting(world: World) -> None:
    start = f"/studies/{world.cast.slug}/"
    client = client_for(world.cast, "owner")
    before = read(client, start).links["All pages of the study"]
    Study.objects.filter(slug=world.cast.slug).update(source="hauser")
    after = read(client, start).links["All pages of the study"]
    assert len(before) - len(after) == sum(page.collecting for page in PAGES) > 0
    assert {link: client.get(link).status_code for link in after} == dict.fromkeys(after, 200)
    gone = before - after
    assert {link: client.get(link).status_code for link in gone} == dict.fromkeys(gone, 404)


def test_each_page_of_a_study_is_in_one_place(world: World) -> None:
    """So a reader of a page sees in which tab it is; files, and parts of pages, have no navigation."""
    client, placed = client_for(world.cast, "owner"), {}
    for name, address in ours().items():
        if not name.startswith("study") or (name, "GET") not in rows():
            continue
        path = reverse(name, kwargs=world.arguments(name, address.arguments))
        answer = client.get(path)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            found = Navigation()
            found.feed(b"".join(answer).decode())
            placed[name] = [len(found.current.get(one, ())) for one in ("Study", "All pages of the study")]
    without = {"study-new", "study-new-definition"}
    assert {name for name, marked in placed.items() if marked != [1, 1]} == without
    assert len(placed) > 40
