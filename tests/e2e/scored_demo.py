"""The demo's scores, which a worker computes once the server is up."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

# On a busy machine the worker that loads the models may take more than five minutes.
SCORED_SECONDS = 600


def wait_for_scores(page: Page, study: str) -> None:
    """Open the list of scored items of the study at this address as soon as there is one."""
    until = time.monotonic() + SCORED_SECONDS
    scored = page.get_by_role("link", name="Informativeness", exact=True)
    page.goto(f"{study}scores/items/")
    while scored.count() == 0 and time.monotonic() < until:
        page.wait_for_timeout(500)
        page.reload()
    expect(scored).to_be_visible()
