"""A picture has its description, and a recording must be heard to the end, with scripts and without."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.scales.scale_study import begin, script_output
from tests.support.media.media_study import archive, picture, recording

pytestmark = [pytest.mark.browser, pytest.mark.processes]
ALT, TRANSCRIPT = "A field of green", "Like rain on a roof."
MAKE = """
from dataclasses import replace
from pathlib import Path
from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.items.media.local_files import import_media
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
template = TEMPLATES["image_captions"]
(form,) = template.forms
sound = {"field": "sound", "label": "Voice", "role": "audio", "mark": [], "whole": True}
form = replace(form, blocks=(*form.blocks, sound))
made = replace(template, texts=(*template.texts, "sound"), forms=(form,))
study = create_from_template(template=made, slug="media", title="Pictures", owner=owner, overlap=9)
fields = {"picture": "p.png", "caption": "The field was a sea.", "sound": "s.wav"}
add_items(study=study, rows=[NewItem(key="one", fields=fields)])
import_media(study=study, paths=[Path(%r)])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + invite(study=study, actor=owner).token)
"""
HEARD = """
from annotation.models import Response
found = Response.objects.filter(version__form__study__slug="media").order_by("pk")
print("FOUND", *[one.heard["sound"] for one in found])
"""


def choose(page: Page) -> None:
    for name in ("Fit", "Addition"):
        page.get_by_role("group", name=name).get_by_role("radio", name="4 of 5").check(force=True)


def test_a_picture_is_described_and_nothing_is_saved_before_the_recording_was_heard(
    context: BrowserContext, browser: Browser, demo: Demo, tmp_path: Path
) -> None:
    packed = tmp_path / "media.zip"
    words = f"file,alt,transcript\np.png,{ALT},\ns.wav,,{TRANSCRIPT}\n"
    packed.write_bytes(archive({"p.png": picture(), "s.wav": recording(0.3), "media.csv": words}))
    link = f"{demo.url.rstrip('/')}/join/{script_output(demo, MAKE % str(packed))}/"
    with_scripts, without = context.new_page(), browser.new_context(java_script_enabled=False).new_page()
    for page in (with_scripts, without):
        begin(page, link)
        expect(page.get_by_role("img", name=ALT)).to_be_visible()
        page.get_by_text("Picture in words").click()
        expect(page.locator(".media__words").get_by_text(ALT)).to_be_visible()
        expect(page.get_by_text(TRANSCRIPT)).to_be_visible()
        save = page.get_by_role("button", name="Save and next")
        if page is without:
            choose(page)
            save.click()
            expect(page.locator("#errors")).to_be_visible()
            page.get_by_label("I have heard or seen it to the end, or read the transcript").check()
        else:
            expect(page.get_by_role("radio", name="4 of 5").first).to_be_disabled()
            save.click()
            expect(page.locator("#unheard")).to_be_visible()
            page.get_by_role("button", name="Play").click()
            expect(page.get_by_role("radio", name="4 of 5").first).to_be_enabled()
            choose(page)
        save.click()
        expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
    assert script_output(demo, HEARD).split() == ["played", "stated"]
