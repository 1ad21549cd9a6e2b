"""How raters did on the attention checks of a study."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Avg, Count, Exists, Max, Min, OuterRef, Q, QuerySet

from annotation.domain.base.states import Purpose
from annotation.domain.quality.careless_responding import Limits
from annotation.domain.quality.chance_pass_rate import fewest_passed
from annotation.models import Assignment, Check, CheckVerdict, Exclusion, Rater, Study

PASSED, FAILED = Q(passed=True), Q(passed=False)
SHOWN = Q(opened_at__isnull=False) | Q(submitted_at__isnull=False)
RESULTS = {True: "passed", False: "failed", None: "undecided"}


@dataclass(frozen=True)
class CheckResult:
    """The results of one check.

    Parameters
    ----------
    passed, failed, undecided
        Numbers of raters. Without a result are those whose answers cannot be compared.
    chance
        The probability of passing without reading, the mean over these raters; None without raters.
    shown
        The number of raters who have seen the check, answered or not.
    first_page, last_page
        The first and the last page, from 1, on which a rater saw it.
    """

    passed: int
    failed: int
    undecided: int
    chance: float | None
    shown: int
    first_page: int
    last_page: int

    @property
    def decided(self) -> int:
        return self.passed + self.failed

    @property
    def percent(self) -> int:
        return round(100 * self.passed / self.decided) if self.decided else 0


@dataclass(frozen=True)
class StudyCheckResults:
    """The results of all checks.

    Parameters
    ----------
    passed, decided
        Numbers of answered checks.
    passed_included, decided_included
        The same without excluded raters.
    raters
        The number of raters who have been given items.
    by_check
        Each check that was shown, by primary key.
    """

    passed: int = 0
    decided: int = 0
    passed_included: int = 0
    decided_included: int = 0
    raters: int = 0
    by_check: Mapping[int, CheckResult] = field(default_factory=dict)

    @property
    def differ(self) -> bool:
        """Whether excluded raters answered checks."""
        return self.decided_included < self.decided

    @property
    def fewest_passed(self) -> int | None:
        """With how many passed checks of all that were answered a rater is not flagged; None for too few."""
        levels = [one.chance for one in self.by_check.values() if one.chance is not None]
        return fewest_passed(levels, Limits().by_chance)


def check_results(study: Study) -> StudyCheckResults:
    """The results of the checks of a study, in three queries.

    Parameters
    ----------
    study : Study
        The study of the checks; of repeated answers the first ones count.
    """
    shown = Assignment.objects.filter(SHOWN, check_planted__study=study).order_by()
    counts = shown.values_list("check_planted").annotate(
        n_passed=Count("verdict", filter=Q(verdict__passed=True)),
        n_failed=Count("verdict", filter=Q(verdict__passed=False)),
        n_undecided=Count("verdict", filter=Q(verdict__passed__isnull=True)),
        by_chance=Avg("verdict__chance"),
        shown=Count("pk"),
        first=Min("position"),
        last=Max("position"),
    )
    by_check = {check: CheckResult(*found) for check, *found in counts}
    verdicts = CheckVerdict.objects.filter(assignment__check_planted__study=study).order_by()
    included = verdicts.exclude(Exists(_exclusions().filter(rater=OuterRef("assignment__rater"))))
    items = Assignment.objects.filter(rater=OuterRef("pk"), purpose=Purpose.MAIN)
    return StudyCheckResults(
        passed=sum(one.passed for one in by_check.values()),
        decided=sum(one.decided for one in by_check.values()),
        raters=study.raters.filter(Exists(items)).count(),
        by_check=by_check,
        **included.aggregate(
            passed_included=Count("pk", filter=PASSED),
            decided_included=Count("pk", filter=Q(passed__isnull=False)),
        ),
    )


def raters_by_failed_checks(study: Study) -> QuerySet[Rater]:
    """The raters who have answered checks, those with the most failed ones first.

    Parameters
    ----------
    study : Study
        The study of the raters; each gets `n_failed`, `n_decided` and `excluded`.
    """
    verdict = "assignments__verdict"
    return (
        study.raters.filter(**{f"{verdict}__isnull": False})
        .annotate(
            n_failed=Count(verdict, filter=Q(**{f"{verdict}__passed": False})),
            n_decided=Count(verdict, filter=Q(**{f"{verdict}__passed__isnull": False})),
            excluded=Exists(_exclusions().filter(rater=OuterRef("pk"))),
        )
        .order_by("-n_failed", "code")
    )


def results_by_check(raters: Sequence[Rater], checks: Sequence[Check]) -> dict[int, list[str]]:
    """Each rater's result on each check, by primary key: `passed`, `failed`, `undecided` or `not_reached`.

    Parameters
    ----------
    raters : sequence of Rater
        The raters on one page of a list.
    checks : sequence of Check
        The checks in the order of the results.
    """
    verdicts = CheckVerdict.objects.filter(
        assignment__rater__in=raters, assignment__check_planted__in=checks
    ).values_list("assignment__rater", "assignment__check_planted", "passed")
    found = {(rater, check): RESULTS[passed] for rater, check, passed in verdicts}
    return {
        rater.pk: [found.get((rater.pk, check.pk), "not_reached") for check in checks] for rater in raters
    }


def failed_check_keys(raters: Sequence[Rater]) -> dict[int, list[str]]:
    """The keys of the checks that each rater failed, in the order of the pages, by primary key.

    Parameters
    ----------
    raters : sequence of Rater
        The raters on one page of a list.
    """
    failed = CheckVerdict.objects.filter(FAILED, assignment__rater__in=raters)
    found = defaultdict(list)
    for rater, key in failed.order_by("assignment__position").values_list(
        "assignment__rater", "assignment__check_planted__key"
    ):
        found[rater].append(key)
    return dict(found)


def _exclusions() -> QuerySet[Exclusion]:
    return Exclusion.objects.filter(rater__isnull=False, lift__isnull=True)
