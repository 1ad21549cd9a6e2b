"""A study of long stories with six criteria."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item

# Some 360 words in paragraphs, with twenty line breaks.
MAKE = """
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
sentence = "The ferry left the quay with nobody on it and every lamp alight, as if it were late for someone."
story = "\\n\\n".join(f"{number}. {sentence} {sentence}" for number in range(1, 12))
study = create_from_template(template=TEMPLATES["hanna"], slug=f"story-{Study.objects.count()}",
    title="Stories", owner=owner, overlap=9)
add_items(study=study, rows=[NewItem(key=key, fields={"prompt": "A ferry leaves.", "story": story})
    for key in ("one", "two")])
Study.objects.filter(pk=study.pk).update(least_seconds=None)
study.refresh_from_db()
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + invite(study=study, actor=owner).token)
"""


def invited(demo: Demo, least_seconds: int | None = None) -> str:
    """The address at which a rater joins a new study of this kind."""
    script = MAKE.replace("least_seconds=None", f"least_seconds={least_seconds}")
    token = demo.installation.run_script(script).partition("FOUND")[2].strip()
    return f"{demo.url.rstrip('/')}/join/{token}/"


def begin(page: Page, demo: Demo, least_seconds: int | None = None) -> None:
    page.goto(invited(demo, least_seconds))
    page.get_by_role("button", name="I agree – start").click()
    at_item(page, 1)
