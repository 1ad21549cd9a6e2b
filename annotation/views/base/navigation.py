"""The navigation of a study: groups of places, each with one page or several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.permissions import Access, Act


@dataclass(frozen=True)
class Page:
    """A page that has a link in the navigation.

    `key` is what its view calls it; pages below it use the same key. `get` is what the view asks for.
    """

    key: str
    words: str | Promise
    address: str
    get: Act = Act.VIEW
    # Ratings that were published elsewhere are not collected here.
    collecting: bool = False
    # The field of `WaitingWork` that is dealt with on this page.
    waiting: str = ""


@dataclass(frozen=True)
class Place:
    """A tab. Several pages of one tab are a second row, or a list at the side if they are many."""

    words: str | Promise
    pages: tuple[Page, ...]
    at_the_side: bool = False


@dataclass(frozen=True)
class Group:
    words: str | Promise
    places: tuple[Place, ...]


def only(page: Page) -> Place:
    """A place of one page has its name."""
    return Place(page.words, (page,))


QUALITY = Place(
    _("Quality"),
    (
        Page("checks", _("Checks"), "study-checks", Act.EDIT, collecting=True),
        Page("review", _("Review"), "study-review"),
        Page("rules", _("Exclusion rules"), "study-rules"),
    ),
)
RESULTS = Place(
    _("Results"),
    (
        Page("reliability", _("Reliability"), "study-reliability", Act.READ),
        Page("systems", _("Systems"), "study-systems", Act.READ),
        Page("metrics", _("Metrics"), "study-metrics", Act.READ),
        Page("judges", _("Judges"), "study-judges", Act.READ),
        Page("scores", _("Scores"), "study-scores", Act.READ),
        Page("planning", _("Planning"), "study-planner"),
    ),
)
EXPORT = Place(
    _("Export"),
    (
        Page("exports", _("Data"), "study-exports", Act.READ),
        Page("release", _("Release"), "study-releases"),
        Page("sheet", _("Human evaluation sheet"), "study-sheet"),
    ),
)
SETTINGS = Place(
    _("Settings"),
    (
        Page("settings", _("General"), "study-settings"),
        Page("texts", _("Basic settings"), "study-texts", Act.EDIT),
        Page("translations", _("Translations"), "study-translations", Act.EDIT, collecting=True),
        Page("forms", _("Forms"), "study-forms"),
        Page("design", _("Assignment design"), "study-design"),
        Page("links", _("Invitation links"), "study-links", Act.MANAGE, collecting=True),
        Page("prolific", "Prolific", "study-prolific", Act.MANAGE, collecting=True),
        Page("mturk", "Mechanical Turk", "study-mturk", Act.MANAGE, collecting=True),
        Page("share-links", _("Share links"), "study-share-links", Act.MANAGE),
        Page("consent", _("Consent"), "study-consent", collecting=True),
        Page("questions", _("Demographic questions"), "study-questions", Act.EDIT, collecting=True),
        Page(
            *("qualification", _("Qualification"), "study-qualification", Act.EDIT),
            collecting=True,
            waiting="trials",
        ),
        Page("personal-data", _("Personal data"), "study-personal-data", collecting=True),
        Page("members", _("Members"), "study-members"),
        Page("notifications", _("Notifications"), "study-notifications"),
        Page("webhooks", _("Webhooks"), "study-webhooks", Act.MANAGE),
        Page("definition", _("Study definition and copies"), "study-definition"),
        Page("audit", _("Audit log"), "study-audit"),
        Page("jobs", _("Jobs"), "study-jobs"),
    ),
    at_the_side=True,
)
GROUPS = (
    Group(
        _("Collect"),
        (
            only(Page("overview", _("Overview"), "study", Act.READ, waiting="problems")),
            only(Page("items", _("Items"), "study-items", Act.READ)),
            only(Page("raters", _("Raters"), "study-raters", Act.READ)),
            QUALITY,
        ),
    ),
    Group(
        _("Understand"),
        (
            RESULTS,
            only(Page("disagreement", _("Disagreement"), "study-disagreement", Act.READ)),
            only(Page("adjudication", _("Adjudication"), "study-adjudication", Act.CASES, waiting="cases")),
        ),
    ),
    Group(
        _("Finish"),
        (
            EXPORT,
            only(Page("pay", _("Pay"), "study-pay", Act.MANAGE, collecting=True)),
        ),
    ),
    Group(_("Study"), (SETTINGS,)),
)
PAGES = {page.key: page for group in GROUPS for place in group.places for page in place.pages}
# The documentation of each page: an address below `/help/`, and a heading.
HELP = {
    "overview": "running#overview",
    "items": "files",
    "raters": "running#raters",
    "checks": "running#attention-checks",
    "review": "running#review",
    "rules": "disagreement#exclusion-rules",
    "reliability": "reading-reliability",
    "systems": "statistics/systems",
    "metrics": "statistics/correlation",
    "judges": "statistics/judges",
    "scores": "scores",
    "planning": "statistics/planning",
    "disagreement": "disagreement",
    "adjudication": "adjudication",
    "exports": "exports",
    "release": "exports#releases",
    "sheet": "exports#the-human-evaluation-sheet",
    "pay": "payments",
    "settings": "settings#general",
    "texts": "settings#basic-settings",
    "translations": "languages#texts-of-a-study-in-several-languages",
    "forms": "settings#forms",
    "design": "settings#assignment-design",
    "links": "settings#invitation-links",
    "prolific": "prolific",
    "mturk": "mturk",
    "share-links": "settings#share-links",
    "consent": "settings#consent",
    "questions": "settings#demographic-questions",
    "qualification": "settings#qualification",
    "personal-data": "personal-data",
    "members": "settings#members",
    "notifications": "settings#notifications",
    "webhooks": "settings#webhooks",
    "definition": "settings#study-definition-and-copies",
    "audit": "settings#audit-log",
    "jobs": "settings#jobs",
}
# That of pages below these, which no menu names.
HELP_BELOW = {
    "groups-of-raters": "statistics/rater-groups",
    "repeated-run": "statistics/repetition",
    "estimated-classes": "statistics/estimated-classes",
    "new-raters": "statistics/new-raters",
    "generalisability": "statistics/generalisability",
    "mixed-model": "statistics/ordinal-model",
    "comparison": "statistics/comparison",
}


@dataclass(frozen=True)
class PageLink:
    words: str | Promise
    address: str
    is_current: bool
    waiting: str


@dataclass(frozen=True)
class PlaceLink:
    words: str | Promise
    pages: tuple[PageLink, ...]
    at_the_side: bool

    @property
    def address(self) -> str:
        return self.pages[0].address

    @property
    def current_page(self) -> PageLink | None:
        return next((page for page in self.pages if page.is_current), None)

    @property
    def has_several(self) -> bool:
        return len(self.pages) > 1

    @property
    def waiting(self) -> str:
        """The pending work of its pages; at most one page of a place has any."""
        return "".join(page.waiting for page in self.pages)


@dataclass(frozen=True)
class GroupLinks:
    words: str | Promise
    places: tuple[PlaceLink, ...]


@dataclass(frozen=True)
class Navigation:
    """The links of a study that the user may open, with the key of the current page."""

    groups: tuple[GroupLinks, ...]
    key: str
    below: str = ""

    @property
    def help(self) -> str:
        """The address of the documentation of the page."""
        return HELP_BELOW[self.below] if self.below else HELP[self.key]

    @property
    def place(self) -> PlaceLink | None:
        """The place of the page; None where the reader is at none of them."""
        return next((place for group in self.groups for place in group.places if place.current_page), None)


def navigation(access: Access, key: str = "", below: str = "") -> Navigation:
    """The navigation around a page of a study: pages that the reader may not see are left out.

    Parameters
    ----------
    access : Access
        The study, and who reads.
    key : str
        The `key` of the page that is shown, or of the one above it; empty where access to it is refused.
    below : str
        A key of `HELP_BELOW` for a page below that of `key`.

    Raises
    ------
    Http404
        The page is about collecting ratings, and those of the study were published elsewhere.
    """
    if access.study.source and key and PAGES[key].collecting:
        raise Http404("The ratings of this study were published elsewhere, so no ratings are collected here.")

    def links(place: Place) -> Iterator[PageLink]:
        for page in place.pages:
            if access.may(page.get) and not (page.collecting and access.study.source):
                address = reverse(page.address, args=[access.slug])
                yield PageLink(page.words, address, page.key == key, page.waiting)

    def places(group: Group) -> Iterator[PlaceLink]:
        for place in group.places:
            if pages := tuple(links(place)):
                yield PlaceLink(place.words, pages, place.at_the_side)

    shown = [(group.words, tuple(places(group))) for group in GROUPS]
    return Navigation(tuple(GroupLinks(words, found) for words, found in shown if found), key, below)
