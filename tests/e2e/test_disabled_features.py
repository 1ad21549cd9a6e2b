"""The browser is started with nothing enabled that Playwright disables."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import Browser

from tests.support.chromium import OF_WINDOWS
from tests.support.installation import command_line, descendants

pytestmark = pytest.mark.browser


def test_our_list_of_disabled_features_holds_that_of_playwright(browser: Browser) -> None:
    """Chromium reads the last list alone."""
    assert browser.is_connected()
    lines = [command_line(pid) for pid in descendants(os.getpid())]
    [started] = [line for line in lines if "--remote-debugging-pipe" in line and "--type=" not in line]
    *before, last = (set(names.split(",")) for names in re.findall(r"--disable-features=(\S+)", started))
    assert before, "Playwright disables nothing: then tests.support.chromium need not either"
    assert [one - last for one in before] == [set()] * len(before)
    assert last >= set(OF_WINDOWS)
