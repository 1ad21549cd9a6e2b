"""The pages of the walk in every window, theme and language; a page that fails does not end the walk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Error, Page

from tests.e2e.walk.choice import LANGUAGES, WINDOWS, Choice, View
from tests.e2e.walk.record import Record
from tests.e2e.walk.researcher_pages import PEOPLE, ResearcherPage, found_pages, sign_in
from tests.e2e.walk.stops import stops

Look = Callable[[View, Page], Iterable[str]]


class Walk:
    """Looks at pages in each chosen form, and records what is found."""

    def __init__(self, browser: Browser, choice: Choice, look: Look, record: Record) -> None:
        self._browser, self._choice, self._look, self._record = browser, choice, look, record

    def raters(self, links: dict[str, str]) -> None:
        """Walk once in each language past every stop of raters; each stop leads to the next."""
        for language in self._choice.languages:
            with self._new_page(language) as page:
                try:
                    for stop in stops(page, links):
                        self._show(stop, language, page)
                except Error as error:
                    self._failed(View("raters", language, "desktop", "light"), error)

    def researchers(self, url: str) -> None:
        """Look at every page that links lead to: signed out, as owner of studies, as site administrator."""
        seen: set[str] = set()
        for person in ("", *PEOPLE):
            with self._new_page("en") as page:
                found = [one for one in found_pages(page, url, person) if str(one) not in seen]
            seen.update(map(str, found))
            for language in self._choice.languages:
                self._researcher(url, person, language, found)

    def _researcher(self, url: str, person: str, language: str, found: list[ResearcherPage]) -> None:
        waiting = [one for one in found if self._waiting(str(one), language)]
        if not waiting:
            return
        with self._new_page(language) as page:
            if person:
                sign_in(page, url, person)
            for one in waiting:
                try:
                    page.goto(url + one.path)
                except Error as error:
                    self._failed(self._waiting(str(one), language)[0], error)
                else:
                    self._show(str(one), language, page)

    def _waiting(self, stop: str, language: str) -> list[View]:
        return [view for view in self._choice.views(stop, language) if view not in self._record]

    def _show(self, stop: str, language: str, page: Page) -> None:
        for view in self._waiting(stop, language):
            width, height = WINDOWS[view.window]
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=view.scheme, reduced_motion="reduce")
            try:
                self._record.add(view, list(self._look(view, page)))
            except Error as error:
                self._failed(view, error)
        page.set_viewport_size({"width": 1280, "height": 800})

    def _failed(self, view: View, error: Error) -> None:
        self._record.add(view, [f"not shown: {error.message.splitlines()[0]}"], failed=True)

    @contextmanager
    def _new_page(self, language: str) -> Iterator[Page]:
        context = self._browser.new_context(locale=LANGUAGES[language])
        context.set_default_timeout(30_000)
        yield context.new_page()
        context.close()
