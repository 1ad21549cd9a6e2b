"""Studies of twenty items, which are rated from the first to the last."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Page, Response

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import rate_by_keys
from tests.e2e.rating.stillness.layout_shifts import places

ITEMS = 20
CRITERIA = ("quality", "creativity", "informativeness")
GIVEN = [["creativity", 3], ["informativeness", 5], ["quality", 4]]
MAKE = """
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
study = create_from_template(template=TEMPLATES["hauser"], slug=f"sitting-{Study.objects.count()}",
    title="Twenty similes", owner=owner, overlap=9)
simile = "The lake was as calm as a cup in room {}."
add_items(study=study, rows=[NewItem(key=f"i{number}", fields={
    "literal": "The lake was calm.", "simile": simile.format(number), "vehicle": "a cup"})
    for number in range(20)])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + study.slug + " " + invite(study=study, actor=owner).token)
"""
LOOK = """
import json
from annotation.models import Rater, Response
rows = Response.objects.filter(assignment__rater__study__slug="{slug}")
rows = rows.order_by("assignment__position", "revision")
print("FOUND" + json.dumps([Rater.objects.filter(study__slug="{slug}", kind="person").count(),
    [[row.assignment.position, row.revision, row.cannot_rate, row.interface_language,
        sorted(row.ratings.values_list("criterion__key", "value"))] for row in rows]]))
"""


class Study(NamedTuple):
    demo: Demo
    slug: str
    link: str

    def stored(self) -> list[Any]:
        """How many raters it has, and their responses."""
        printed = self.demo.installation.run_script(LOOK.format(slug=self.slug))
        found: list[Any] = json.loads(printed.partition("FOUND")[2])
        return found


def complete(language: str) -> list[Any]:
    return [1, [[number, 1, "", language, GIVEN] for number in range(1, ITEMS + 1)]]


class PagesAhead:
    """The items whose pages a browser has: asked for by their addresses, or sent with another answer."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._fetched = set[str]()
        page.on("response", self._note)

    def _note(self, answer: Response) -> None:
        asked = urlsplit(answer.url).path if answer.request.method == "GET" else ""
        address = answer.headers.get("content-location", asked)
        if re.fullmatch(r"/rate/[^/]+/\d+/", address):
            self._fetched.add(address)

    def wait_for(self, item: int) -> None:
        for _ in range(200):
            if len(self._fetched) >= item:
                return
            self._page.wait_for_timeout(50)
        raise AssertionError(f"Item {item} was not fetched ahead.")


def rate_still(page: Page) -> None:
    """Rate and save the item by keyboard; nothing of it has moved meanwhile."""
    page.locator("html.has-script").wait_for(state="attached")
    before = places(page)
    rate_by_keys(page)
    assert places(page) == before
    page.keyboard.press("Enter")
