"""A page that is used with the keyboard alone and without scripts."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

STOPS = "(one) => one.tabIndex >= 0 && one.checkVisibility() && !one.matches(':disabled')"


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
