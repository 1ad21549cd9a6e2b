"""An item says until when it is reserved in its last ten minutes only, in the rater's own time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import begin

pytestmark = [pytest.mark.browser, pytest.mark.processes]

HELD = timedelta(minutes=60)


def test_a_reserved_item_is_mentioned_in_its_last_ten_minutes(browser: Browser, demo: Demo) -> None:
    context = browser.new_context(timezone_id="Asia/Tokyo", locale="en-GB")
    page = context.new_page()
    page.clock.install()
    earliest = datetime.now(UTC) + HELD
    begin(page, demo)
    latest = datetime.now(UTC) + HELD
    notice = page.locator("#seat")
    page.clock.fast_forward("48:00")
    expect(notice).not_to_be_visible()
    page.clock.fast_forward("03:00")
    expect(notice).to_be_visible()
    ends = {f"{one.astimezone(ZoneInfo('Asia/Tokyo')):%H:%M}" for one in (earliest, latest)}
    shown = notice.inner_text()
    assert any(f"Reserved for you until {end}, your time." in shown for end in ends), shown
    page.clock.fast_forward("10:00")
    expect(notice).to_contain_text("The reservation has ended.")
    expect(notice).not_to_contain_text("Save your answer before then.")
    context.close()
