"""What members do while a study runs, with the keyboard alone and without scripts."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.running.keyboard import Keys

pytestmark = [pytest.mark.browser, pytest.mark.processes]

READ_SECONDS = 60


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
