"""What members take back while a study runs, its budget and links for many, with the keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.running.keyboard import Keys

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def deny(keys: Keys, words: str) -> None:
    expect(keys.page.locator("main")).not_to_contain_text(words)


def restore_items(keys: Keys) -> None:
    keys.open("items/")
    addresses = keys.page.locator("main a").evaluate_all("all => all.map((one) => one.href)")
    item = next(found[1] for one in addresses if (found := re.search(r"/items/([^/?#]+)/$", one)))
    for act, does in (("retire", "Retire items"), ("restore", "Restore items")):
        keys.open("settings/items/")
        keys.choose("act", act)
        keys.choose("which", "chosen")
        keys.write("Item IDs, one per line", item)
        keys.button("Show consequences")
        keys.button(does)
        keys.open(f"items/{item}/")
        keys.reads(f"Items {act}d")


def set_budget(keys: Keys) -> None:
    keys.open("pay/")
    keys.write("Currency", "EUR")
    keys.write("Pay rate", "0.20")
    keys.button("Save pay rate")
    for amount, reads in (("250", "250.00 EUR"), ("", "No budget is set.")):
        keys.unfold("Change budget …")
        keys.reach(keys.page.locator("main input[name=budget]"))
        keys.page.keyboard.press("ControlOrMeta+A")
        keys.page.keyboard.press("Delete")
        keys.page.keyboard.type(amount)
        keys.button("Save budget")
        keys.reads(reads)


def links_for_people(keys: Keys, folder: Path) -> None:
    people = folder / "people.csv"
    people.write_text("name\nAda\nGrace\n", encoding="utf-8")
    keys.open("settings/links/")
    keys.unfold("Create personal links …")
    form = keys.page.locator("#personal-links")
    chooser = form.locator("input[type=file]")
    keys.reach(chooser)
    chooser.set_input_files(people)
    keys.reach(form.get_by_role("button", name="Create personal links", exact=True))
    with keys.page.expect_navigation():
        keys.page.keyboard.press("Enter")
    keys.reads("2 personal links created.")
    keys.reach(keys.page.get_by_role("link", name="Download list", exact=True))
    with keys.page.expect_download() as found:
        keys.page.keyboard.press("Enter")
    rows = Path(found.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert [row.partition(",")[0] for row in rows] == ["name", "Ada", "Grace"]
    keys.open("settings/links/")
    for row in rows[1:]:
        keys.reads(f"personal link, {row.split(',')[1]}")


def archived_study(keys: Keys, does: str) -> Locator:
    """The button of the study in its list, which has one for each study."""
    own = keys.page.locator(f"a[href='{urlsplit(keys.study).path}']")
    return keys.page.locator("main tr").filter(has=own).get_by_role("button", name=does)


def restore_study(keys: Keys) -> None:
    keys.open("settings/")
    keys.unfold("Close study …")
    keys.button("Close study")
    keys.button("Archive study")
    keys.open("../../?show=archive&q=By+keyboard")
    keys.reach(archived_study(keys, "Restore"))
    with keys.page.expect_navigation():
        keys.page.keyboard.press("Enter")
    keys.open("../../?q=By+keyboard")
    expect(archived_study(keys, "Archive")).to_be_visible()


def cancel_deletion(keys: Keys) -> None:
    keys.open("settings/delete/")
    keys.write("Enter the title of the study to confirm", "By keyboard")
    keys.button("Delete study")
    keys.open("")
    keys.button("Cancel deletion")
    keys.open("")
    deny(keys, "This study will be deleted on")


def test_what_was_done_is_taken_back_and_many_get_links_by_keyboard(keys: Keys, tmp_path: Path) -> None:
    """Items and the study come back, a budget is set and removed, and a file makes personal links."""
    restore_items(keys)
    set_budget(keys)
    links_for_people(keys, tmp_path)
    restore_study(keys)
    cancel_deletion(keys)
