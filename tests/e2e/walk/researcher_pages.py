"""Every page of researchers and administrators that links lead to, found by following them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import APIRequestContext, Error, Page

PASSWORD = "groundwork-demo"
PEOPLE = {
    "owner": "owner@example.org",
    "site": "site@example.org",
    "newcomer": "newcomer@example.org",
}
ATTEMPTS = 3
DEMO, EMPTY = "everyday-similes", "walk-empty"
# What these show depends on the kind of study; of all others one is looked at.
OF_EACH_STUDY = frozenset(
    [
        "study",
        "study-item",
        "study-case",
        "study-adjudication",
        "study-reliability",
        "study-disagreement",
        "study-form",
        "study-exports",
        "study-checks",
        "study-paper",
        "study-links",
    ]
)
# What these say before there are any data is looked at too, in a study without items.
WITHOUT_DATA = frozenset(
    [
        "study-crossed",
        "study-generalisability",
        "study-new-raters",
        "study-perspectives",
        "study-classes",
        "study-repeated-run",
        "study-items",
        "study-judges",
        "study-metrics",
        "study-mixed-model",
        "study-multiverse",
        "study-pay",
        "study-planner",
        "study-raters",
        "study-review",
        "study-rules",
        "study-score-runs",
        "study-scores",
        "study-systems",
    ]
)
# Addresses that no link leads to: what is not there, what is not allowed, searches that find nothing.
UNLINKED = {
    "": {"not-found": "/no-such-page/"},
    "owner": {
        "not-allowed": "/site/system/",
        "home-archive": "/?show=archive",
        "home-nothing-found": "/?q=zzzz",
        "raters-nothing-found": f"/studies/{DEMO}/raters/?q=zzzz",
        "disagreement-nothing-found": f"/studies/{DEMO}/disagreement/?q=zzzz",
    },
}
# Pages of raters have a walk of their own; the API's pages are those of the library that makes them.
OF_OTHERS = re.compile(r"^/(rate|join|api|static|metrics|help)/")


@dataclass(frozen=True)
class ResearcherPage:
    """A page by the name of its address; the first of several that show the same of one study."""

    name: str
    study: str
    path: str

    def __str__(self) -> str:
        one_of_many = self.name in OF_EACH_STUDY or (self.study == EMPTY and self.name in WITHOUT_DATA)
        return f"{self.name}-{self.study}" if one_of_many else self.name


class _Links(HTMLParser):
    """The addresses that a page links to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs).get("href")
        if tag == "a" and found:
            self.found.append(found)


def sign_in(page: Page, url: str, person: str) -> None:
    """Sign in as one of the demo's people."""
    page.context.clear_cookies()
    page.goto(f"{url}/account/login/")
    page.locator("input[name=login]").fill(PEOPLE[person])
    page.locator("input[name=password]").fill(PASSWORD)
    with page.expect_navigation():
        page.locator("main form button[type=submit]").first.click()


def found_pages(page: Page, url: str, person: str) -> list[ResearcherPage]:
    """Sign in as a person, or not at all where the name is empty, and follow all links from the home page."""
    if person:
        sign_in(page, url, person)
    unlinked = [ResearcherPage(name, "", path) for name, path in UNLINKED.get(person, {}).items()]
    return [*_followed(page.request, url, person), *unlinked]


def _followed(request: APIRequestContext, url: str, person: str) -> Iterator[ResearcherPage]:
    waiting, seen = ["/"], {"/"}
    shown: set[str] = set()
    while waiting:
        path = waiting.pop(0)
        which = _page_at(path, person)
        if which is None or str(which) in shown:
            continue
        html = _page(request, url + path)
        if html is None:
            continue
        shown.add(str(which))
        yield which
        for link in _links(html, path):
            if link not in seen and not OF_OTHERS.match(link):
                seen.add(link)
                waiting.append(link)
        # Of pages that show the same of every study, the demo study's are looked at.
        waiting.sort(key=lambda path: DEMO not in path)


def _page(request: APIRequestContext, address: str) -> str | None:
    """The page at an address, tried again on a busy machine; nothing for a file or what is not there."""
    for _ in range(ATTEMPTS):
        try:
            answer = request.get(address)
        except Error:
            continue
        is_page = answer.ok and answer.headers.get("content-type", "").startswith("text/html")
        return answer.text() if is_page else None
    # A visit to it will be recorded as one that failed.
    return ""


def _page_at(path: str, person: str) -> ResearcherPage | None:
    try:
        match = resolve(urlsplit(path).path)
    except Resolver404:
        return None
    name = f"home-{person}" if match.url_name == "home" and person else match.url_name or ""
    return ResearcherPage(name, str(match.kwargs.get("slug", "")), path)


def _links(html: str, path: str) -> Iterator[str]:
    parser = _Links()
    parser.feed(html)
    for found in parser.found:
        address = urlsplit(urldefrag(urljoin(f"http://here{path}", found))[0])
        if address.netloc == "here":
            yield address.path + (f"?{address.query}" if address.query else "")
