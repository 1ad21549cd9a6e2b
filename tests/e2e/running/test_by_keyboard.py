"""What members do while a study runs, with the keyboard alone and without scripts."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.studies.signing_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.processes]

# Raters from a platform, who can be paid and written to, one of them with an item on screen.
MAKE = """
from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import StudyState
from annotation.domain.rating.simulated_raters import parse_mix
from annotation.models import PlatformIdentity, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.simulation import simulate
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state
owner = User.objects.get(email="owner@example.org")
study = create_demo_study(template=TEMPLATES["hauser"], slug="by-keyboard",
    title="By keyboard", owner=owner, overlap=5)
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
simulate(study=study, raters=4, mix=parse_mix("careful=.5,line=.5"), seed=1, most=12)
study.raters.update(simulated=False)
link = invite(study=study, actor=owner, label="everybody")
next_assignment(rater=consent(invitation=link))
PlatformIdentity.objects.bulk_create(PlatformIdentity(rater=one, study=study, invitation=link,
    platform=Platform.PROLIFIC, person=f"person-{one.code}") for one in study.raters.all())
"""
STOPS = "(one) => one.tabIndex >= 0 && one.checkVisibility() && !one.matches(':disabled')"
READ_SECONDS = 60


class Keys:
    """A page that is used by Tab, the arrow keys, Space, Enter and letters, and never by a pointer."""

    def __init__(self, page: Page, study: str) -> None:
        self.page, self.study = page, study

    def open(self, path: str) -> None:
        self.page.goto(self.study + path)

    def reach(self, wanted: Locator) -> None:
        """Give it the focus, if Tab would: without scripts nothing else decides where Tab stops."""
        expect(wanted).to_have_count(1)
        assert wanted.evaluate(STOPS), wanted
        wanted.focus()
        expect(wanted).to_be_focused()

    def button(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        named = (within or self.page.locator("main")).get_by_role("button", name=name, exact=True)
        self.reach(named)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def unfold(self, words: str, within: Locator | None = None) -> None:
        self.reach((within or self.page.locator("main")).locator("summary").filter(has_text=words))
        self.page.keyboard.press("Enter")

    def tick(self, name: str) -> None:
        box = self.labelled(name)
        self.reach(box)
        self.page.keyboard.press("Space")
        expect(box).to_be_checked()

    def choose(self, name: str, value: str) -> None:
        """Go to the group of radio buttons, which is one stop, and along it by the arrow keys."""
        group = self.page.locator(f"main input[name={name}]")
        wanted = self.page.locator(f"main input[name={name}][value={value}]")
        chosen = self.page.locator(f"main input[name={name}]:checked")
        self.reach(chosen if chosen.count() else group.first)
        for _ in range(group.count()):
            if wanted.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        expect(wanted).to_be_checked()

    def write(self, label: str, words: str, within: Locator | None = None) -> None:
        self.reach(self.labelled(label, within))
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.type(words)

    def labelled(self, name: str, within: Locator | None = None) -> Locator:
        return (within or self.page.locator("main")).get_by_label(name, exact=True)

    def reads(self, words: str | re.Pattern[str]) -> None:
        expect(self.page.locator("body")).to_contain_text(words)


@pytest.fixture
def keys(browser: Browser, demo: Demo) -> Iterator[Keys]:
    demo.installation.run_script(MAKE)
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    sign_in_as(page, demo, "owner@example.org")
    yield Keys(page, f"{demo.url.rstrip('/')}/studies/by-keyboard/")
    context.close()


def correct_wording(keys: Keys) -> None:
    keys.open("settings/forms/similes/")
    keys.write("Title", "Similes and metaphors")
    keys.button("Save form")
    keys.reads("Nothing is saved yet.")
    keys.button(re.compile("Save as correction"))
    keys.reads("1.1")


def change_items(keys: Keys, folder: Path) -> None:
    file = folder / "more.csv"
    file.write_text("item,group,system,literal,simile\nNEW-1,N,human,It shone.,It shone like a lamp.\n")
    keys.open("settings/import/")
    chooser = keys.page.locator("#items-file")
    keys.reach(chooser)
    chooser.set_input_files(file)
    keys.button("Add items")
    keys.open("items/?q=NEW-1")
    added = keys.page.locator("main").get_by_text("It shone like a lamp.")
    until = time.monotonic() + READ_SECONDS
    while added.count() == 0 and time.monotonic() < until:
        keys.page.wait_for_timeout(300)
        keys.page.reload()
    expect(added).to_be_visible()
    keys.open("settings/items/")
    keys.choose("act", "ratings")
    keys.write("Ratings per item to reach", "6")
    keys.button("Show consequences")
    keys.button("Request more ratings")
    keys.open("settings/items/")
    keys.choose("act", "retire")
    keys.choose("which", "chosen")
    keys.write("Item IDs, one per line", "NEW-1")
    keys.button("Show consequences")
    keys.button("Retire items")
    keys.open("items/NEW-1/")
    keys.reads("retired")


def change_links(keys: Keys) -> None:
    keys.open("settings/links/")
    row = keys.page.locator("main tr").filter(has_text="everybody")
    keys.button("Pause", row)
    keys.reads("paused")
    keys.unfold("Change …", row)
    keys.write("Maximum number of raters", "40", row)
    keys.button("Save changes", row)
    keys.reads("/ 40")
    keys.button("Resume", row)
    keys.unfold("Create link …")
    new = keys.page.locator("#new-link")
    keys.write("Label (visible to study members only)", "second", new)
    keys.button("Create link", new)
    keys.reads("second")
    row = keys.page.locator("main tr").filter(has_text="second")
    keys.unfold("Revoke …", row)
    keys.button("Revoke link", row)
    keys.reads("revoked")


def review_raters(keys: Keys) -> None:
    keys.open("raters/R-005/")
    keys.unfold("Release reserved slots …")
    keys.button("Release reserved slots")
    keys.reads("1 rating slot released.")
    keys.open("raters/")
    keys.tick("Select R-003")
    keys.unfold("Exclude selected raters …")
    keys.write("Reason (saved with the exclusion)", "One value throughout.")
    keys.button("Exclude selected raters")
    keys.open("raters/R-003/")
    keys.reads("excluded")
    keys.open("raters/")
    keys.tick("Select R-004")
    keys.button("Keep selected raters with flags")
    keys.open("raters/review/")
    keys.reads("kept")


def write_to_raters(keys: Keys) -> None:
    keys.open("raters/")
    keys.tick("Select R-001")
    keys.button("Write message to selected raters …")
    keys.choose("kind", "thanks")
    keys.button("Use proposed text")
    keys.write("Subject", "Many thanks")
    keys.button("Preview message")
    keys.button("Send message to 1 rater")
    keys.open("messages/")
    keys.reads("Many thanks")


def pay(keys: Keys) -> None:
    keys.open("pay/")
    keys.write("Currency", "EUR")
    keys.write("Pay rate", "0.20")
    keys.button("Save pay rate")
    keys.button("Create payment list")
    asked = keys.page.get_by_label(re.compile("Enter the amount, "))
    amount = re.findall(r"amount, ([\d.]+),", keys.page.locator("main").inner_text())[0]
    keys.reach(asked)
    keys.page.keyboard.type(amount)
    keys.button("Approve payments")
    keys.write("Reference", "transfer 7", keys.page.locator("form").filter(has_text="Mark as sent"))
    keys.button("Mark as sent")
    keys.button("Confirm sent payments")
    keys.reads("confirmed")


def choose_notifications(keys: Keys) -> None:
    keys.open("settings/notifications/")
    keys.tick("Target reached: all rating slots filled")
    keys.button("Save notifications")
    expect(keys.page.locator("main input:checked")).to_have_count(1)


def end(keys: Keys) -> None:
    keys.open("settings/")
    keys.unfold("Close study …")
    keys.button("Close study")
    keys.button("Archive study")
    keys.open("settings/delete/")
    keys.write("Enter the title of the study to confirm", "By keyboard")
    keys.button("Delete study")
    keys.reads("This study will be deleted on")
    keys.button("Cancel deletion")
    expect(keys.page.locator("main")).not_to_contain_text("This study will be deleted on")


def test_a_running_study_is_changed_paid_and_ended(keys: Keys, tmp_path: Path) -> None:
    """One study from a corrected wording to its deletion: each form works, and Tab reaches each control."""
    correct_wording(keys)
    change_items(keys, tmp_path)
    change_links(keys)
    review_raters(keys)
    write_to_raters(keys)
    pay(keys)
    choose_notifications(keys)
    end(keys)
