"""In which windows, themes and languages the pages of the walk are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Browser, Page

from tests.e2e.walk.researcher_pages import PEOPLE, ResearcherPage, found_pages, sign_in
from tests.e2e.walk.stops import stops

Scheme = Literal["light", "dark"]
LANGUAGES = {"en": "en-GB", "zh": "zh-CN", "ja": "ja-JP"}
WINDOWS = {"desktop": (1280, 800), "phone": (360, 740)}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@dataclass(frozen=True)
class View:
    """A stop in one window, theme and language."""

    stop: str
    language: str
    window: str
    scheme: Scheme

    def __str__(self) -> str:
        return f"{self.stop}-{self.language}-{self.window}-{self.scheme}"


def rater_views(browser: Browser, links: dict[str, str], languages: list[str]) -> Iterator[tuple[View, Page]]:
    """Walk once in each language, and show every stop of raters in each window and theme."""
    for language in languages:
        with _new_page(browser, language) as page:
            for stop in stops(page, links):
                yield from _in_each_form(stop, language, page)


def researcher_views(browser: Browser, url: str, languages: list[str]) -> Iterator[tuple[View, Page]]:
    """Show every page that links lead to: signed out, as the owner of studies, and as site administrator."""
    seen: set[str] = set()
    for person in ("", *PEOPLE):
        with _new_page(browser, "en") as page:
            found = [one for one in found_pages(page, url, person) if str(one) not in seen]
        seen.update(map(str, found))
        for language in languages:
            with _new_page(browser, language) as page:
                yield from _shown(page, url, person, language, found)


def _shown(
    page: Page, url: str, person: str, language: str, found: list[ResearcherPage]
) -> Iterator[tuple[View, Page]]:
    if person:
        sign_in(page, url, person)
    for one in found:
        page.goto(url + one.path)
        yield from _in_each_form(str(one), language, page)


@contextmanager
def _new_page(browser: Browser, language: str) -> Iterator[Page]:
    context = browser.new_context(locale=LANGUAGES[language])
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


def _in_each_form(stop: str, language: str, page: Page) -> Iterator[tuple[View, Page]]:
    for window, (width, height) in WINDOWS.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            yield View(stop, language, window, scheme), page
    page.set_viewport_size({"width": 1280, "height": 800})
