"""In which windows, themes and languages the pages of the walk are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Browser, Page

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


def views(browser: Browser, links: dict[str, str], languages: list[str]) -> Iterator[tuple[View, Page]]:
    """Walk once in each language, and show every stop in each window and theme."""
    for language in languages:
        context = browser.new_context(locale=LANGUAGES[language])
        context.set_default_timeout(20_000)
        page = context.new_page()
        for stop in stops(page, links):
            for window, (width, height) in WINDOWS.items():
                page.set_viewport_size({"width": width, "height": height})
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                    yield View(stop, language, window, scheme), page
            page.set_viewport_size({"width": 1280, "height": 800})
        context.close()
