"""The pages of raters and of researchers, for the commands that look at all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import django
from playwright.sync_api import sync_playwright

from tests.e2e.walk import researcher_studies, studies
from tests.e2e.walk.choice import Choice, choice_of
from tests.e2e.walk.record import Record
from tests.e2e.walk.views import Look, Walk
from tests.support import chromium


def walk(arguments: Sequence[str], *, name: str, description: str, look: Look) -> int:
    """Look at each chosen page in each window, theme and language; 1 where something is wrong."""
    choice = choice_of(arguments, description)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    record = Record(name, resume=choice.resume)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        walking = Walk(browser, choice, look, record)
        if "raters" in choice.sides:
            with studies.served() as (_, links):
                walking.raters(links)
        if "researchers" in choice.sides:
            with _address(choice) as url:
                walking.researchers(url)
        browser.close()
    return record.summary()


@contextmanager
def _address(choice: Choice) -> Iterator[str]:
    if choice.at:
        yield choice.at
    else:
        with researcher_studies.served() as url:
            yield url
