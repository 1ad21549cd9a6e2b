"""Whether a rater passes the calibration items: by a numeric rule or by a researcher's decision."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import joined, message
from annotation.domain.quality.checks import is_within
from annotation.domain.quality.rank_correlation import CONSTANT_ANSWERS, CONSTANT_REFERENCE, TOO_FEW, spearman

ROUNDING = 1e-9

# Values by item and criterion.
Values = Mapping[tuple[str, str], float]


@dataclass(frozen=True)
class NearReference:
    """Passed with at least this share of the values within ± tolerance of the reference."""

    tolerance: float
    share: float


@dataclass(frozen=True)
class RankedAlike:
    """Passed with at least this Spearman correlation with the reference, averaged over criteria."""

    least: float


@dataclass(frozen=True)
class ByHand:
    """Passed when a researcher has approved the trial annotation."""


Rule = NearReference | RankedAlike | ByHand


class NextStep(StrEnum):
    START = "start"
    AGAIN = "again"
    WAIT = "wait"
    SCREENED_OUT = "screened_out"


@dataclass(frozen=True)
class Qualification:
    """The rule and the number of attempts; None for no limit."""

    rule: Rule
    attempts: int | None = 1

    def __post_init__(self) -> None:
        """Refuse rules that every rater or no rater can pass."""
        problems = dict(_problems(self))
        if problems:
            raise InvalidContent(joined(problems.values()), code="invalid_qualification", fields=problems)


@dataclass(frozen=True)
class Compared:
    """One answer with its reference value, for the feedback page; `given` is None where not answered."""

    item: str
    criterion: str
    given: float | None
    reference: float
    within: bool


@dataclass(frozen=True)
class CriterionCorrelation:
    """Spearman of the answers on one criterion with the reference; NaN with its reason."""

    criterion: str
    estimate: float
    reason: str
    n: int


@dataclass(frozen=True)
class Outcome:
    """The result of an attempt, with the numbers that a sentence about it needs.

    `reason` is `enough_within`, `too_few_within`, `correlated_enough`, `correlated_too_little`,
    `waiting_for_approval`, `approved`, `not_approved`, or why there is no correlation:
    `too_few_answers`, `constant_answers`, `constant_reference`. `figure` is the share or the
    correlation (NaN where there is none), `threshold` what it must reach.
    """

    passed: bool | None
    reason: str
    figure: float
    threshold: float
    compared: tuple[Compared, ...]
    correlations: tuple[CriterionCorrelation, ...] = ()
    next_step: NextStep = NextStep.WAIT
    attempts_left: int | None = None

    @property
    def n(self) -> int:
        return len(self.compared)

    @property
    def n_within(self) -> int:
        return sum(one.within for one in self.compared)


def outcome(
    qualification: Qualification,
    given: Values,
    reference: Values,
    *,
    attempt: int = 1,
    approved: bool | None = None,
) -> Outcome:
    """Judge one attempt, numbered from 1, at the calibration items.

    A reference value without an answer counts as not within; answers without a reference are left out.
    `approved` is the researcher's decision if the rule needs one, None while there is none.
    """
    match qualification.rule:
        case NearReference() as near:
            judged = _by_share(near, given, reference)
        case RankedAlike() as alike:
            judged = _by_rank(alike, given, reference)
        case ByHand():
            judged = _by_hand(given, reference, approved)
    left = None if qualification.attempts is None else max(0, qualification.attempts - attempt)
    return replace(judged, next_step=_next_step(judged.passed, left), attempts_left=left)


def compare(given: Values, reference: Values, tolerance: float) -> tuple[Compared, ...]:
    """Each answer with its reference, in the reference's order; `tolerance` is half of the accepted band."""
    return tuple(
        Compared(
            item,
            criterion,
            given.get((item, criterion)),
            value,
            (item, criterion) in given and is_within(given[item, criterion] - value, tolerance),
        )
        for (item, criterion), value in reference.items()
    )


def correlations_of(compared: Sequence[Compared]) -> tuple[CriterionCorrelation, ...]:
    """Spearman of the answers with the reference by criterion; what was not answered is left out."""
    made = []
    for criterion in dict.fromkeys(one.criterion for one in compared):
        pairs = [
            (one.given, one.reference)
            for one in compared
            if one.criterion == criterion and one.given is not None
        ]
        estimate, reason = spearman([pair[0] for pair in pairs], [pair[1] for pair in pairs])
        made.append(CriterionCorrelation(criterion, estimate, reason, len(pairs)))
    return tuple(made)


def _by_share(rule: NearReference, given: Values, reference: Values) -> Outcome:
    compared = compare(given, reference, rule.tolerance)
    if not compared:
        return Outcome(False, TOO_FEW, math.nan, rule.share, compared)
    figure = sum(one.within for one in compared) / len(compared)
    passed = figure >= rule.share - ROUNDING
    return Outcome(passed, "enough_within" if passed else "too_few_within", figure, rule.share, compared)


def _by_rank(rule: RankedAlike, given: Values, reference: Values) -> Outcome:
    compared = compare(given, reference, 0.0)
    correlations = correlations_of(compared)
    figure, reason = _mean_correlation(correlations)
    passed = figure >= rule.least - ROUNDING
    reason = reason or ("correlated_enough" if passed else "correlated_too_little")
    return Outcome(passed, reason, figure, rule.least, compared, correlations)


def _by_hand(given: Values, reference: Values, approved: bool | None) -> Outcome:
    compared = compare(given, reference, 0.0)
    reasons = {None: "waiting_for_approval", True: "approved", False: "not_approved"}
    return Outcome(approved, reasons[approved], math.nan, math.nan, compared, correlations_of(compared))


def _mean_correlation(correlations: Sequence[CriterionCorrelation]) -> tuple[float, str]:
    """The mean over criteria whose reference differs between items.

    A rater who gives one value to everything has no correlation, and so no mean.
    """
    usable = [one for one in correlations if one.reason != CONSTANT_REFERENCE]
    if not usable:
        return math.nan, CONSTANT_REFERENCE if correlations else TOO_FEW
    for reason in (TOO_FEW, CONSTANT_ANSWERS):
        if any(one.reason == reason for one in usable):
            return math.nan, reason
    return math.fsum(one.estimate for one in usable) / len(usable), ""


def _next_step(passed: bool | None, left: int | None) -> NextStep:
    if passed is None:
        return NextStep.WAIT
    if passed:
        return NextStep.START
    return NextStep.SCREENED_OUT if left == 0 else NextStep.AGAIN


def _problems(qualification: Qualification) -> list[tuple[str, str]]:
    problems: list[tuple[str, str]] = []
    match qualification.rule:
        case NearReference(tolerance=tolerance, share=share):
            if not 0 <= tolerance < math.inf:
                problems.append(("tolerance", message("The tolerance must be at least 0.")))
            if not 0 < share <= 1:
                problems.append(("share", message("The proportion must be above 0 and at most 1.")))
        case RankedAlike(least=least):
            if not -1 < least <= 1:
                problems.append(("least", message("The correlation must be above −1 and at most 1.")))
        case ByHand():
            pass
    if qualification.attempts is not None and qualification.attempts < 1:
        problems.append(("attempts", message("Allow at least 1 attempt.")))
    return problems
