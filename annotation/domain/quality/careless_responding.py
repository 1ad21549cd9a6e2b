"""Indicators of careless responding: statistics that a member reviews, never a decision."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from annotation.domain.quality.chance_pass_rate import fewest_passed, passes_by_chance
from annotation.domain.quality.checks import Json
from annotation.domain.quality.longest_run import (
    expected_run,
    longest_run,
    run_probability,
    shares_of,
    shares_without_long_run,
    shortest_rare_run,
)
from annotation.domain.quality.rank_correlation import CONSTANT_ANSWERS, CONSTANT_REFERENCE, TOO_FEW, pearson
from annotation.domain.quality.reading_speed import Least
from annotation.domain.questions.kinds.kind import Question, Yields

NOT_TIMED = "not_timed"
NO_MINIMUM = "no_minimum"
TOO_FEW_CRITERIA = "too_few_criteria"
NO_OTHERS = "no_other_raters"
OTHERS_LEFT_OUT = "others_left_out"
NO_CHECKS = "no_checks"
TOO_FEW_CHECKS = "too_few_checks"
NO_THRESHOLD = "no_threshold"
NOT_COUNTED = "not_counted"
# Numbers of the rater's own have only the ends of what can be stored: every rater uses a small part of them.
NO_ENDS = "no_ends"


@dataclass(frozen=True)
class Page:
    """One answered page: the numbers by criterion, and how they were given.

    `measured` holds the numbers as statistics take them, such as logarithms, where these are not taken as
    they are. `seconds` counts active time; `others` holds the mean of the other raters of the same item by
    criterion, in the same form, this rater held out; `others_left_out` says that others have rated it, and
    that none of their ratings counts. `pasted` and `tab_away` are None where they were not counted.
    """

    values: Mapping[str, float]
    seconds: float | None = None
    least: Least | None = None
    others: Mapping[str, float] = field(default_factory=dict)
    others_left_out: bool = False
    measured: Mapping[str, float] = field(default_factory=dict)
    pasted: int | None = None
    tab_away: int | None = None


@dataclass(frozen=True)
class CheckResult:
    """The stored verdict of one check and the level at which chance passes it."""

    passed: bool | None
    chance: Fraction | float


@dataclass(frozen=True)
class Limits:
    """The limits beyond which indicators are flagged. A flag asks for a review; it excludes no rater.

    With fewer answers than `fewest` an indicator is not computed; times need fewer. `spread` is a
    standard deviation in widths of the scale, `rare` the probability of a run of one value, and
    `by_chance` that of passing so many checks at random.
    """

    fewest: int = 10
    fewest_timed: int = 5
    fewest_criteria: int = 3
    share_too_fast: float = 0.2
    share_under_minimum: float = 0.2
    share_flat: float = 0.5
    spread: float = 0.05
    correlation: float = 0.1
    rare: float = 0.001
    by_chance: float = 0.05
    pasted: int | None = None
    tab_away: int | None = None


@dataclass(frozen=True)
class Indicator:
    """One statistic of a rater. `flagged` is None where it cannot be decided; `reason` says why."""

    key: str
    value: float | None
    threshold: float | None
    flagged: bool | None
    reason: str = ""
    detail: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Profile:
    """All indicators of one rater, always the same ones in the same order."""

    n_pages: int
    indicators: tuple[Indicator, ...]

    def __getitem__(self, key: str) -> Indicator:
        return {one.key: one for one in self.indicators}[key]


def profile(
    pages: Sequence[Page],
    questions: Sequence[Question],
    checks: Sequence[CheckResult] = (),
    limits: Limits | None = None,
) -> Profile:
    """Indicators of whether a rater reads what they rate.

    They are `too_fast`, `under_minimum`, `long_string`, `flat_pages`, `spread`, `correlation`, `checks`,
    `pasted` and `tab_away`. Pages come in the order of answering, without planted ones; criteria that do
    not yield numbers are left out.

    References
    ----------
    Long string: Meade & Craig (2012). Spread within a person: Dunn, Heggestad, Shanock & Theilgard
    (2018). Response times and their floor: Huang, Curran, Keeney, Poposki & DeShon (2012).
    """
    limits = limits or Limits()
    numeric = [question for question in questions if question.kind.yields is Yields.NUMBER]
    scales = {question.key: (question.minimum or 0, question.maximum or 0) for question in numeric}
    with_ends = {
        question.key: scales[question.key]
        for question in numeric
        if question.kind.is_bounded(*scales[question.key])
    }
    return Profile(
        len(pages),
        (
            _too_fast(pages, limits),
            _under_minimum(pages, limits),
            _long_string(pages, scales, limits),
            _flat_pages(pages, scales, limits),
            _spread(pages, with_ends, limits) if with_ends or not scales else _no_spread(limits),
            _correlation(pages, scales, limits),
            _checks(checks, limits),
            _count("pasted", [page.pasted for page in pages], limits.pasted),
            _count("tab_away", [page.tab_away for page in pages], limits.tab_away),
        ),
    )


def flags(made: Profile) -> tuple[Indicator, ...]:
    """The indicators of a profile that ask for a review."""
    return tuple(one for one in made.indicators if one.flagged)


Scales = Mapping[str, tuple[float, float]]


def _too_fast(pages: Sequence[Page], limits: Limits) -> Indicator:
    return _share_below(
        "too_fast", pages, lambda least: least.floor, limits.share_too_fast, limits.fewest_timed
    )


def _under_minimum(pages: Sequence[Page], limits: Limits) -> Indicator:
    made = _share_below(
        "under_minimum", pages, lambda least: least.minimum, limits.share_under_minimum, limits.fewest_timed
    )
    if made.reason and not any(page.least and page.least.minimum is not None for page in pages):
        return Indicator("under_minimum", None, limits.share_under_minimum, None, NO_MINIMUM)
    return made


def _share_below(
    key: str,
    pages: Sequence[Page],
    bound: Callable[[Least], float | None],
    threshold: float,
    fewest: int,
) -> Indicator:
    timed: list[tuple[float, float]] = []
    for page in pages:
        least = None if page.least is None else bound(page.least)
        if page.seconds is not None and least is not None:
            timed.append((page.seconds, least))
    if len(timed) < fewest:
        return Indicator(key, None, threshold, None, TOO_FEW if timed else NOT_TIMED, {"n": len(timed)})
    below = sum(seconds < least for seconds, least in timed)
    detail: Json = {
        "n": len(timed),
        "below": below,
        "median_seconds": statistics.median(seconds for seconds, _ in timed),
        "median_least": statistics.median(least for _, least in timed),
    }
    share = below / len(timed)
    return Indicator(key, share, threshold, share > threshold, "", detail)


def _long_string(pages: Sequence[Page], scales: Scales, limits: Limits) -> Indicator:
    """The criterion whose longest run is least expected under the rater's own shares of values.

    The shares are computed without the run, or it would explain itself. Several criteria are
    several occasions, so each gets its part of the probability. A rater who gives one value only
    has no answers outside the run: the spread shows it.
    """
    sequences = {key: values for key in scales if len(values := _sequence(pages, key)) >= limits.fewest}
    if not sequences:
        return Indicator("long_string", None, None, None, TOO_FEW)
    varied = {key: values for key, values in sequences.items() if len(set(values)) > 1}
    if not varied:
        longest = max(longest_run(values) for values in sequences.values())
        return Indicator("long_string", longest, None, None, CONSTANT_ANSWERS)
    shares = {key: shares_without_long_run(values) for key, values in varied.items()}
    p = {key: run_probability(longest_run(v), len(v), shares[key]) for key, v in varied.items()}
    worst = min(p, key=p.__getitem__)
    values, rare = varied[worst], limits.rare / len(varied)
    detail: Json = {
        "criterion": worst,
        "n": len(values),
        "expected": expected_run(len(values), shares_of(values)),
        "expected_apart": expected_run(len(values), shares[worst]),
        "p": p[worst],
    }
    threshold = shortest_rare_run(len(values), shares[worst], rare)
    return Indicator("long_string", longest_run(values), threshold, p[worst] <= rare, "", detail)


def _flat_pages(pages: Sequence[Page], scales: Scales, limits: Limits) -> Indicator:
    several = [
        values
        for page in pages
        if len(values := [page.values[key] for key in scales if key in page.values]) >= limits.fewest_criteria
    ]
    if len(scales) < limits.fewest_criteria:
        return Indicator("flat_pages", None, limits.share_flat, None, TOO_FEW_CRITERIA)
    if len(several) < limits.fewest:
        return Indicator("flat_pages", None, limits.share_flat, None, TOO_FEW, {"n": len(several)})
    flat = sum(len(set(values)) == 1 for values in several)
    share = flat / len(several)
    return Indicator(
        "flat_pages",
        share,
        limits.share_flat,
        share > limits.share_flat,
        "",
        {"n": len(several), "flat": flat, "expected": _flat_by_chance(pages, scales)},
    )


def _flat_by_chance(pages: Sequence[Page], scales: Scales) -> float:
    """How often all criteria would agree if each had the rater's shares, independently of the others."""
    counts = {key: Counter(values) for key in scales if (values := _sequence(pages, key))}
    points = {value for counter in counts.values() for value in counter}
    return math.fsum(
        math.prod(counter[point] / counter.total() for counter in counts.values()) for point in points
    )


def _spread(pages: Sequence[Page], scales: Scales, limits: Limits) -> Indicator:
    """Standard deviation over the items in widths of the scale, averaged over criteria."""
    spreads: dict[str, float] = {}
    for key, (low, high) in scales.items():
        values = _sequence(pages, key)
        if len(values) >= limits.fewest and high > low:
            spreads[key] = statistics.pstdev(values) / (high - low)
    if not spreads:
        return Indicator("spread", None, limits.spread, None, TOO_FEW)
    mean = statistics.fmean(spreads.values())
    return Indicator("spread", mean, limits.spread, mean < limits.spread, "", {"criteria": spreads})


def _no_spread(limits: Limits) -> Indicator:
    return Indicator("spread", None, limits.spread, None, NO_ENDS)


def _correlation(pages: Sequence[Page], scales: Scales, limits: Limits) -> Indicator:
    """Pearson with the mean of the others, this rater held out, averaged over criteria."""
    estimates: dict[str, float] = {}
    reasons: set[str] = set()
    sizes: list[int] = []
    for key in scales:
        pairs = [
            (page.measured.get(key, page.values[key]), page.others[key])
            for page in pages
            if key in page.values and key in page.others
        ]
        sizes.append(len(pairs))
        if len(pairs) < limits.fewest:
            left_out = any(page.others_left_out for page in pages if key in page.values)
            reasons.add(TOO_FEW if pairs else OTHERS_LEFT_OUT if left_out else NO_OTHERS)
            continue
        estimate, reason = pearson([own for own, _ in pairs], [other for _, other in pairs])
        if reason:
            reasons.add(reason)
        else:
            estimates[key] = estimate
    if not estimates:
        order = (CONSTANT_ANSWERS, CONSTANT_REFERENCE, TOO_FEW, OTHERS_LEFT_OUT, NO_OTHERS)
        reason = next((reason for reason in order if reason in reasons), TOO_FEW)
        return Indicator("correlation", None, limits.correlation, None, reason)
    mean = statistics.fmean(estimates.values())
    detail: Json = {"n": max(sizes), "criteria": estimates}
    return Indicator("correlation", mean, limits.correlation, mean < limits.correlation, "", detail)


def _checks(checks: Sequence[CheckResult], limits: Limits) -> Indicator:
    """The passed checks; flagged if a rater who answers at random could plausibly pass as many."""
    levels = [check.chance for check in checks if check.passed is not None]
    passed = sum(check.passed is True for check in checks)
    if not levels:
        return Indicator("checks", None, None, None, NO_CHECKS)
    p = passes_by_chance(passed, levels)
    detail: Json = {"passed": passed, "n": len(levels), "undecided": len(checks) - len(levels), "p": p}
    fewest = fewest_passed(levels, limits.by_chance)
    if fewest is None:
        return Indicator("checks", passed / len(levels), None, None, TOO_FEW_CHECKS, detail)
    return Indicator("checks", passed / len(levels), fewest / len(levels), passed < fewest, "", detail)


def _count(key: str, counts: Sequence[int | None], threshold: int | None) -> Indicator:
    known = [count for count in counts if count is not None]
    if not known:
        return Indicator(key, None, threshold, None, NOT_COUNTED)
    count = sum(known)
    if threshold is None:
        return Indicator(key, count, None, None, NO_THRESHOLD)
    return Indicator(key, count, threshold, count > threshold)


def _sequence(pages: Sequence[Page], key: str) -> list[float]:
    return [page.values[key] for page in pages if key in page.values]
