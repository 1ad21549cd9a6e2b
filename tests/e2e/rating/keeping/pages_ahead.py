"""A rater whose browser has fetched two pages ahead, and what is stored of them."""

from __future__ import annotations

import json

from playwright.sync_api import Page

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import begin, release_reservations

LOOK = """
import json
from annotation.models import Rater, Response
rater = Rater.objects.filter(simulated=False).exclude(consented_at=None).latest("pk")
rows = Response.objects.filter(assignment__rater=rater).order_by("pk")
print("FOUND" + json.dumps([[r.assignment.position, r.revision, r.late, r.seconds] for r in rows]))
"""


def stored(demo: Demo) -> list[tuple[int, int, bool, float]]:
    """Place, revision, whether late, and seconds of the responses in the order in which they were stored."""
    rows = json.loads(demo.installation.run_script(LOOK).partition("FOUND")[2])
    return [tuple(row) for row in rows]


def begin_with_pages_ahead(page: Page, demo: Demo) -> None:
    fetched: list[int] = []
    release_reservations(demo)
    page.on("response", lambda answer: fetched.append(answer.status) if "/ahead/" in answer.url else None)
    begin(page, demo)
    for _ in range(100):
        if len(fetched) == 2:
            break
        page.wait_for_timeout(50)
    page.wait_for_timeout(200)
    assert fetched == [200, 200]
