"""A rater whose browser has fetched two pages ahead, and what is stored of them."""

from __future__ import annotations

import json
import re
import time

from playwright.sync_api import Page, Route

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin, rate_by_keys, release_reservations

LATEST = 'Rater.objects.filter(simulated=False, kind="person").exclude(consented_at=None).latest("pk")'
LOOK = """
import json
from annotation.models import Rater, Response
rater = {rater}
rows = Response.objects.filter(assignment__rater=rater).order_by("pk")
print("FOUND" + json.dumps([[r.assignment.position, r.revision, r.late, r.seconds] for r in rows]))
"""


def stored(demo: Demo, code: str = "") -> list[tuple[int, int, bool, float]]:
    """Place, revision, whether late, and seconds of the responses in the order in which they were stored.

    Of the rater who joined last, or of one code.
    """
    rater = f'Rater.objects.get(study__slug="everyday-similes", code="{code}")' if code else LATEST
    rows = json.loads(demo.installation.run_script(LOOK.format(rater=rater)).partition("FOUND")[2])
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


def waiting_answers(page: Page) -> int:
    """How many answers wait on the device."""
    counts = "Object.values(localStorage).map((box) => JSON.parse(box).answers?.length ?? 0)"
    return sum(page.evaluate(counts))


class Refusing:
    """Acts as a server that cannot save: each save gets this status; everything else passes."""

    def __init__(self, page: Page, status: int, headers: dict[str, str] | None = None) -> None:
        self.status: int | None = status
        self.tried: list[float] = []
        self._headers = headers or {}
        page.route("**/rate/**", self._answer)

    def _answer(self, route: Route) -> None:
        request = route.request
        if request.method != "POST" or not re.search(r"/rate/[^/]+/\d+/$", request.url):
            return route.continue_()
        self.tried.append(time.monotonic())
        if self.status is None:
            return route.continue_()
        return route.fulfill(
            status=self.status, body="<h1>Not saved</h1>", headers=self._headers, content_type="text/html"
        )

    def recover(self) -> None:
        self.status = None


def save_item(page: Page, number: int, keys: str = "435") -> None:
    at_item(page, number)
    rate_by_keys(page, keys)
    page.keyboard.press("Enter")
