"""Every page of researchers and administrators that links lead to, found by following them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import APIRequestContext, Page

PASSWORD = "groundwork-demo"
PEOPLE = {"owner": "owner@example.org", "site": "site@example.org"}
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
# Pages of raters have a walk of their own; the API's pages are those of the library that makes them.
OF_OTHERS = re.compile(r"^/(rate|join|api|static|metrics|help)/")


@dataclass(frozen=True)
class ResearcherPage:
    """A page by the name of its address; the first of several that show the same of one study."""

    name: str
    study: str
    path: str

    def __str__(self) -> str:
        return f"{self.name}-{self.study}" if self.name in OF_EACH_STUDY else self.name


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
    """Sign in as a person, or as nobody where the name is empty, and follow all links from the home page."""
    if person:
        sign_in(page, url, person)
    return list(_followed(page.request, url))


def _followed(request: APIRequestContext, url: str) -> Iterator[ResearcherPage]:
    waiting, seen = ["/"], {"/"}
    shown: set[str] = set()
    while waiting:
        path = waiting.pop(0)
        which = _page_at(path)
        if which is None or str(which) in shown:
            continue
        answer = request.get(url + path)
        if not answer.ok or not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        shown.add(str(which))
        yield which
        for link in _links(answer.text(), path):
            if link not in seen and not OF_OTHERS.match(link):
                seen.add(link)
                waiting.append(link)


def _page_at(path: str) -> ResearcherPage | None:
    try:
        match = resolve(urlsplit(path).path)
    except Resolver404:
        return None
    return ResearcherPage(match.url_name or "", str(match.kwargs.get("slug", "")), path)


def _links(html: str, path: str) -> Iterator[str]:
    parser = _Links()
    parser.feed(html)
    for found in parser.found:
        address = urlsplit(urldefrag(urljoin(f"http://here{path}", found))[0])
        if address.netloc == "here":
            yield address.path + (f"?{address.query}" if address.query else "")
