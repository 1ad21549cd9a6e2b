"""A computed figure: its value, its interval, and how it was made."""

import math
from dataclasses import dataclass, replace
from typing import Self

from scoring.stats.base.cautions import zero_width_part

DEFINITIONS_VERSION = "10"

CONSTANT_RATINGS = "constant_ratings"
NO_ITEM_VARIANCE = "no_item_variance"
NO_OVERLAP = "no_overlap"
TOO_FEW_RATERS = "too_few_raters"
TOO_FEW_ITEMS = "too_few_items"
TOO_FEW_SETS = "too_few_sets"
TOO_FEW_GROUPS = "too_few_groups"
ANONYMOUS_RATERS = "anonymous_raters"
UNDEFINED_REPLICATES = "undefined_replicates"
BIASED_REPLICATES = "biased_replicates"
NO_LIMITS_IN_RANGE = "no_limits_in_range"
NOTHING_MARKED = "nothing_marked"
TOO_MANY_RATERS = "too_many_raters"
OPTIONS_DIFFER = "options_differ"
NOT_LOCATED = "not_located"
NEGATIVE_VALUES = "negative_values"
CONTINUOUS_SCALE = "continuous_scale"
INCOMPLETE_DESIGN = "incomplete_design"
TOO_FEW_TESTS = "too_few_tests"
OTHER_SCALE = "other_scale"


@dataclass(frozen=True)
class Interval:
    """Limits of a confidence interval, or the reason why there is none."""

    # low, high: NaN when `reason` is set
    low: float
    high: float
    method: str  # Code of the method
    reason: str = ""  # Reason code, empty when there is an interval
    settings: str = ""  # Settings of the method, as a figure's signature has them

    @classmethod
    def missing(cls, reason: str, method: str = "") -> Self:
        """An interval that could not be computed, for a reason."""
        return cls(math.nan, math.nan, method, reason)


@dataclass(frozen=True)
class Sample:
    """What a figure was computed from."""

    # items, raters, ratings: Numbers behind a figure; `raters` is None when they are anonymous
    items: int
    raters: int | None
    ratings: int


@dataclass(frozen=True)
class Figure:
    """One reliability figure."""

    criterion: str  # Rated criterion
    coefficient: str  # Key of the coefficient (`icc1`, `alpha`, ...)
    variant: str  # Rest of the name: level, path, target k, mean or max, single rater
    estimate: float  # NaN exactly when `reason` is set
    # low, high: Limits of the interval, NaN when there is none
    low: float
    high: float
    confidence: float  # Nominal coverage of the interval
    interval_method: str  # Code of the interval's method; `none:<reason>` when there is no interval
    # n_items, n_raters, n_ratings: Size of the data; `n_raters` is None when raters are anonymous
    n_items: int
    n_raters: int | None
    n_ratings: int
    reason: str = ""  # Why there is no estimate; empty when there is one
    flags: tuple[str, ...] = ()  # Warnings about the estimate, such as `boundary`
    signature: str = ""  # One line that says how the figure was computed

    def __post_init__(self) -> None:
        """Refuse a figure that is neither a number nor a reason, or both."""
        if math.isnan(self.estimate) != bool(self.reason):
            raise ValueError(f"{self.coefficient} of {self.criterion}: an estimate or a reason, not both")

    def to_row(self) -> dict[str, str | float | int | None]:
        """The figure as a JSON object with the keys of the contract; NaN and infinities become None."""
        return {
            "criterion": self.criterion,
            "coefficient": self.coefficient,
            "variant": self.variant,
            "estimate": finite_or_none(self.estimate),
            "low": finite_or_none(self.low),
            "high": finite_or_none(self.high),
            "confidence": self.confidence,
            "interval_method": self.interval_method,
            "n_items": self.n_items,
            "n_raters": self.n_raters,
            "n_ratings": self.n_ratings,
            "reason": self.reason,
            "signature": self.signature,
        }


def estimated(
    coefficient: tuple[str, str, str],
    estimate: float,
    interval: Interval,
    sample: Sample,
    confidence: float,
    *,
    flags: tuple[str, ...] = (),
    how: str = "",
) -> Figure:
    """A figure that could be computed.

    Parameters
    ----------
    coefficient
        Criterion, coefficient key and variant.
    estimate
        The coefficient.
    interval
        Its interval or the reason why there is none.
    sample
        Data behind the figure.
    confidence
        Coverage the interval aims at.
    flags
        Warnings.
    how
        Settings of the coefficient itself, for the signature.
    """
    criterion, key, variant = coefficient
    method = f"none:{interval.reason}" if interval.reason else interval.method
    figure = Figure(
        criterion=criterion,
        coefficient=key,
        variant=variant,
        estimate=float(estimate),
        low=float(interval.low),
        high=float(interval.high),
        confidence=confidence,
        interval_method=method,
        n_items=sample.items,
        n_raters=sample.raters,
        n_ratings=sample.ratings,
        flags=flags,
    )
    return replace(figure, signature=_signature(figure, how, interval.settings))


def refused(
    coefficient: tuple[str, str, str], reason: str, sample: Sample, confidence: float, how: str = ""
) -> Figure:
    """A figure that cannot be computed: NaN with the reason.

    Parameters
    ----------
    coefficient
        Criterion, coefficient key and variant.
    reason
        Reason code.
    sample
        Data that were available.
    confidence
        Coverage its interval would have aimed at.
    how
        Settings of the coefficient itself, for the signature.
    """
    criterion, key, variant = coefficient
    figure = Figure(
        criterion=criterion,
        coefficient=key,
        variant=variant,
        estimate=math.nan,
        low=math.nan,
        high=math.nan,
        confidence=confidence,
        interval_method=f"none:{reason}",
        n_items=sample.items,
        n_raters=sample.raters,
        n_ratings=sample.ratings,
        reason=reason,
    )
    return replace(figure, signature=_signature(figure, how, ""))


def _signature(figure: Figure, how: str, settings: str) -> str:
    raters = "?" if figure.n_raters is None else str(figure.n_raters)
    parts = [
        figure.coefficient,
        f"variant:{figure.variant}" if figure.variant else "",
        how,
        f"items:{figure.n_items}",
        f"raters:{raters}",
        f"ratings:{figure.n_ratings}",
        f"interval:{figure.interval_method}",
        settings,
        zero_width_part(figure.low, figure.high),
        f"confidence:{figure.confidence:g}",
        *(f"flag:{flag}" for flag in figure.flags),
        f"definitions:{DEFINITIONS_VERSION}",
    ]
    return "|".join(part for part in parts if part)


def finite_or_none(value: float) -> float | None:
    """The value for JSON: None in place of NaN and infinities."""
    return value if math.isfinite(value) else None
