"""How raters did on the attention checks of a study."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Avg, Count, Exists, OuterRef, Q, QuerySet

from annotation.models import CheckVerdict, Exclusion, Rater, Study

PASSED, FAILED = Q(passed=True), Q(passed=False)


@dataclass(frozen=True)
class CheckResult:
    """The results of one check.

    Parameters
    ----------
    passed, failed, undecided
        Numbers of raters. Without a result are those whose answers cannot be compared.
    chance
        The probability of passing without reading, the mean over these raters.
    """

    passed: int
    failed: int
    undecided: int
    chance: float

    @property
    def decided(self) -> int:
        return self.passed + self.failed

    @property
    def percent(self) -> int:
        return round(100 * self.passed / self.decided) if self.decided else 0


@dataclass(frozen=True)
class StudyCheckResults:
    """The results of all checks: `by_check` by primary key, and `included` without excluded raters."""

    passed: int = 0
    decided: int = 0
    passed_included: int = 0
    decided_included: int = 0
    by_check: Mapping[int, CheckResult] = field(default_factory=dict)

    @property
    def differ(self) -> bool:
        """Whether excluded raters answered checks."""
        return self.decided_included < self.decided


def check_results(study: Study) -> StudyCheckResults:
    """The results of the checks of a study, in two queries.

    Parameters
    ----------
    study : Study
        Whose checks; of repeated answers the first ones count.
    """
    verdicts = CheckVerdict.objects.filter(assignment__check_planted__study=study).order_by()
    counts = verdicts.values_list("assignment__check_planted").annotate(
        n_passed=Count("pk", filter=PASSED),
        n_failed=Count("pk", filter=FAILED),
        n_undecided=Count("pk", filter=Q(passed__isnull=True)),
        by_chance=Avg("chance"),
    )
    by_check = {check: CheckResult(*found) for check, *found in counts}
    included = verdicts.exclude(Exists(_exclusions().filter(rater=OuterRef("assignment__rater"))))
    return StudyCheckResults(
        passed=sum(one.passed for one in by_check.values()),
        decided=sum(one.decided for one in by_check.values()),
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
        Whose raters; each gets `n_failed`, `n_decided` and `excluded`.
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


def failed_check_keys(raters: Sequence[Rater]) -> dict[int, list[str]]:
    """The keys of the checks that each rater failed, in the order of the pages, by primary key.

    Parameters
    ----------
    raters : sequence of Rater
        Those of one page of a list.
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
