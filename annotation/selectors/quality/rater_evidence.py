"""The evidence about one rater: pages in order, the times of others, and failed checks as they were shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median

from django.db.models import Count, Q, QuerySet

from annotation.domain.base.states import Purpose
from annotation.domain.quality.careless_responding import Page, Profile
from annotation.models import Assignment, CheckVerdict, Rater, Response
from annotation.protocols.markup import unmark
from annotation.selectors.quality.rater_profile import profiles, seconds_of

# Of a rater with more pages, the newest are drawn. The times of others are those on the same items.
PAGES_DRAWN = 120
OTHERS_COMPARED = 5_000
CHECKS_SHOWN = 10


@dataclass(frozen=True)
class DrawnPage:
    """A page of a rater: its number from 1, the active seconds, and the values on scales."""

    number: int
    seconds: float | None
    values: tuple[float, ...]
    in_run: bool = False

    @property
    def one_value(self) -> float | None:
        """The value on every criterion; None where values differ or there is none."""
        return self.values[0] if len(set(self.values)) == 1 else None


@dataclass(frozen=True)
class FailedCheck:
    """A check that a rater failed, with the answer, and how many of the `n` raters who saw it passed."""

    page: Assignment
    answer: Response | None
    passed: int
    n: int

    @property
    def texts(self) -> list[tuple[str, str]]:
        """The texts of the page, each with its language, which is empty for the study's own."""
        check, language = self.page.check_planted, self.answer.interface_language if self.answer else ""
        translations = check.translations.get(language, {}) if check else {}
        return [
            (unmark(translations[name], name)[0], language) if translations.get(name) else (text, "")
            for name, text in self.page.item.fields.items()
        ]


@dataclass(frozen=True)
class RaterEvidence:
    """What one rater did.

    `pages` are the newest of `n_pages`, `others` the seconds of other raters on the same items, and
    `least_seconds` is the median reading time of these pages; None without a threshold.
    """

    profile: Profile
    n_pages: int
    pages: Sequence[DrawnPage]
    others: Sequence[float]
    least_seconds: float | None
    n_comments: int

    @property
    def seconds(self) -> list[float]:
        return [page.seconds for page in self.pages if page.seconds is not None]

    @property
    def values_used(self) -> int:
        """Number of different values on the pages drawn."""
        return len({value for page in self.pages for value in page.values})

    @property
    def n_uniform(self) -> int:
        """Number of pages drawn with several criteria and one value for all."""
        return sum(len(page.values) > 1 and page.one_value is not None for page in self.pages)

    @property
    def run(self) -> tuple[int, int] | None:
        """The first and last page of the longest run that is marked, if any."""
        numbers = [page.number for page in self.pages if page.in_run]
        return (numbers[0], numbers[-1]) if numbers else None


def evidence_of(rater: Rater) -> RaterEvidence:
    """Collect evidence of how one rater works, in a fixed number of queries.

    Parameters
    ----------
    rater : Rater
        The rater; of other raters only the responses to the same items are read.

    Returns
    -------
    RaterEvidence
        With at most `PAGES_DRAWN` pages.
    """
    found = profiles(rater.study, [rater])[0]
    newest = found.pages[-PAGES_DRAWN:]
    first = len(found.pages) - len(newest) + 1
    drawn = [
        DrawnPage(number, page.seconds, tuple(page.values.values()))
        for number, page in enumerate(newest, start=first)
    ]
    own = Response.objects.filter(assignment__rater=rater, assignment__purpose=Purpose.MAIN, current=True)
    return RaterEvidence(
        profile=found.profile,
        n_pages=len(found.pages),
        pages=_longest_run_marked(drawn),
        others=_seconds_of_others(rater, own),
        least_seconds=_least_seconds(newest),
        n_comments=own.exclude(remark="").count(),
    )


def failed_checks(rater: Rater) -> list[FailedCheck]:
    """The first checks that a rater failed, in order.

    Parameters
    ----------
    rater : Rater
        The rater who answered them.
    """
    pages = list(
        rater.assignments.filter(purpose=Purpose.CHECK, verdict__passed=False)
        .select_related("check_planted", "item", "verdict")
        .order_by("position")[:CHECKS_SHOWN]
    )
    answers = Response.objects.filter(assignment__in=pages, current=True)
    by_page = {one.assignment_id: one for one in answers.prefetch_related("ratings__criterion")}
    verdicts = CheckVerdict.objects.filter(
        assignment__check_planted__in={page.check_planted_id for page in pages}, passed__isnull=False
    )
    counts = verdicts.order_by().values_list("assignment__check_planted")
    seen = {
        check: (passed, n)
        for check, passed, n in counts.annotate(good=Count("pk", filter=Q(passed=True)), n=Count("pk"))
    }
    return [
        FailedCheck(page, by_page.get(page.pk), *seen.get(page.check_planted_id, (0, 0))) for page in pages
    ]


def _seconds_of_others(rater: Rater, own: QuerySet[Response]) -> list[float]:
    items = list(
        own.order_by("-assignment__position", "-pk").values_list("assignment__item", flat=True)[:PAGES_DRAWN]
    )
    others = Response.objects.filter(
        assignment__item__in=items, assignment__purpose=Purpose.MAIN, current=True, late=False
    ).exclude(assignment__rater=rater)
    found = others.order_by("pk").only("seconds", "active_seconds", "hurried_after")[:OTHERS_COMPARED]
    return [seconds for response in found if (seconds := seconds_of(response)) is not None]


def _least_seconds(pages: Sequence[Page]) -> float | None:
    floors = [page.least.floor for page in pages if page.least and page.least.floor is not None]
    return median(floors) if floors else None


def _longest_run_marked(pages: Sequence[DrawnPage]) -> list[DrawnPage]:
    """Mark the longest run: of pages with one value for several criteria, or of the same single value."""
    runs = [list(run) for key, run in groupby(pages, key=_uniform) if key is not None]
    longest = max(runs, key=len, default=[])
    marked = {page.number for page in longest} if len(longest) > 1 else set()
    return [replace(page, in_run=page.number in marked) for page in pages]


def _uniform(page: DrawnPage) -> float | bool | None:
    if page.one_value is None:
        return None
    return page.one_value if len(page.values) == 1 else True
