"""The pages on which parts of a sentence are marked."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.demo import Demo

TEXT = "The city at dusk is an orchestra tuning up, all strings and brass, and the river its slow conductor."
MAKE = """
import json
from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
study = create_from_template(
    template=TEMPLATES["cmdag_refined"], slug="%s", title="Tuples", owner=owner, overlap=9
)
text, found = json.loads(%r)
add_items(study=study, rows=[NewItem(key="S", fields={"sentence": text, "earlier": found}, metadata={})])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + invite(study=study, actor=owner).token)
"""


def invited(demo: Demo, slug: str, text: str, found: str) -> str:
    """The address at which a rater joins a new study of one text, with what was found in it before."""
    made = demo.installation.run_script(MAKE % (slug, json.dumps([text, found])))
    return f"{demo.url.rstrip('/')}/join/{made.partition('FOUND')[2].strip()}/"


def begin(page: Page, link: str) -> str:
    """The address of the sentence."""
    page.goto(link)
    page.get_by_role("button", name="I agree – start").click()
    ready(page)
    return page.url


def ready(page: Page) -> None:
    expect(page).to_have_title(re.compile("^Item 1 of 1"))
    page.locator("html.has-script").wait_for(state="attached")


def stored(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(page.locator("[data-stored]").input_value())
    return found


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
