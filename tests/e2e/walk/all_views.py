"""The pages of raters and of researchers, for the commands that look at all of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

import django
from playwright.sync_api import Page, sync_playwright

from tests.e2e.walk import researcher_studies, studies
from tests.e2e.walk.views import LANGUAGES, View, rater_views, researcher_views
from tests.support import chromium

SIDES = ("raters", "researchers")


def asked_for(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Read languages and sides from the words of a command; all where none is named."""
    sides = [side for side in SIDES if side in arguments]
    languages = [language for language in LANGUAGES if language in arguments]
    return sides or list(SIDES), languages or list(LANGUAGES)


def every_view(sides: Sequence[str], languages: list[str]) -> Iterator[tuple[View, Page]]:
    """Show each page in each window, theme and language."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        if "raters" in sides:
            with studies.served() as (_, links):
                yield from rater_views(browser, links, languages)
        if "researchers" in sides:
            with researcher_studies.served() as url:
                yield from researcher_views(browser, url, languages)
        browser.close()


def print_problems(views: Iterable[tuple[View, Page]], problems: Callable[[Page], Iterable[str]]) -> int:
    """Print what is wrong with each page; the exit status of the command, 1 if anything is."""
    seen = found = 0
    for view, page in views:
        seen += 1
        for problem in problems(page):
            found += 1
            sys.stdout.write(f"{view}: {problem}\n")
    sys.stdout.write(f"{seen} views, {found} problems\n")
    return 1 if found else 0
