"""A correlation of a metric with ratings, or of two metrics: its value, interval, p, and how it was made."""

import math
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from scoring.stats.base.cautions import zero_width_part
from scoring.stats.base.result import DEFINITIONS_VERSION, Interval, Sample, finite_or_none

CONSTANT_SCORES = "constant_scores"
CONSTANT_MEANS = "constant_means"
NO_GROUPS = "no_groups"
NO_SYSTEMS = "no_systems"
NO_DEFINED_GROUP = "no_defined_group"
TOO_FEW_SYSTEMS = "too_few_systems"
TOO_MANY_ITEMS = "too_many_items"
UNKNOWN_COVERAGE = "unknown_coverage"
NOT_ASKED = "not_asked"

# What an interval and its p hold for, beyond the data at hand.
NEW_ITEMS = "new items"
NEW_GROUPS = "new groups"
THESE_SYSTEMS = "these systems"
NEW_SYSTEMS = "new systems"

Row = TypeVar("Row", bound=Mapping[str, Any])


@dataclass(frozen=True)
class MetaFigure:
    """One figure of a meta-evaluation."""

    criterion: str  # Rated criterion; empty where two metrics are correlated
    # metric, metric2: The second is set for a correlation of two metrics or a difference
    metric: str
    metric2: str
    level: str  # `item`, `group` or `system`
    coefficient: str  # `pearson`, `spearman` or `kendall`
    variant: str  # Rest of the name
    estimate: float  # Signed; NaN exactly when `reason` is set
    interval: Interval  # Its limits, or the reason why there are none
    confidence: float  # Nominal coverage of the interval
    p: float  # Two-sided p of no correlation, of the same inference as the interval; NaN where undefined
    n_items: int  # Items that have both values
    # n_groups, n_systems: 0 where the level has none
    n_groups: int
    n_systems: int
    n_dropped: int  # Items without both values, or groups or systems without a correlation or a mean
    sample: Sample | None = None  # Items, raters and ratings of the criterion, where known
    reason: str = ""  # Why there is no estimate
    how: str = ""  # Settings for the signature
    # What the interval and the p hold for: `new items`, `new groups`, or `these systems` with new items
    holds_for: str = ""
    # new_systems, new_systems_p: Interval and p for new systems; None at other levels
    new_systems: Interval | None = None
    new_systems_p: float = math.nan

    def __post_init__(self) -> None:
        """Refuse a figure that is neither a number nor a reason, or both."""
        if math.isnan(self.estimate) != bool(self.reason):
            raise ValueError(f"{self.metric} and {self.criterion}: an estimate or a reason, not both")

    @property
    def low(self) -> float:
        """Lower limit of the interval; NaN without one."""
        return self.interval.low

    @property
    def high(self) -> float:
        """Upper limit of the interval; NaN without one."""
        return self.interval.high

    @property
    def reported_p(self) -> float:
        """The p for readers: none over items that belong to groups, which are not independent pairs."""
        return math.nan if self.level == "item" and self.n_groups else self.p

    @property
    def interval_method(self) -> str:
        """Code of the interval's method; `none:<reason>` without one."""
        return f"none:{self.interval.reason}" if self.interval.reason else self.interval.method

    @property
    def new_systems_method(self) -> str:
        """Code of the method of the interval for new systems; `none:<reason>` without one."""
        if self.new_systems is None:
            return ""
        reason = self.new_systems.reason
        return f"none:{reason}" if reason else self.new_systems.method

    @property
    def signature(self) -> str:
        """One line that says how the figure was computed."""
        parts = (
            self.coefficient,
            f"level:{self.level}",
            f"variant:{self.variant}" if self.variant else "",
            f"items:{self.n_items}",
            f"groups:{self.n_groups}",
            f"systems:{self.n_systems}",
            f"dropped:{self.n_dropped}",
            f"interval:{self.interval_method}",
            self.interval.settings,
            zero_width_part(self.low, self.high),
            f"for:{self.holds_for}" if self.holds_for else "",
            f"new-systems:{self.new_systems_method}" if self.new_systems else "",
            f"confidence:{self.confidence:g}",
            self.how,
            f"definitions:{DEFINITIONS_VERSION}",
        )
        return "|".join(part for part in parts if part)

    def to_row(self) -> dict[str, str | float | int | None]:
        """The figure as a JSON object; NaN and infinities become None."""
        return {
            "criterion": self.criterion,
            "metric": self.metric,
            "metric2": self.metric2,
            "level": self.level,
            "coefficient": self.coefficient,
            "variant": self.variant,
            "estimate": finite_or_none(self.estimate),
            "low": finite_or_none(self.low),
            "high": finite_or_none(self.high),
            "confidence": self.confidence,
            "interval_method": self.interval_method,
            "p": finite_or_none(self.reported_p),
            "holds_for": self.holds_for,
            "new_systems_low": finite_or_none(self.new_systems.low) if self.new_systems else None,
            "new_systems_high": finite_or_none(self.new_systems.high) if self.new_systems else None,
            "new_systems_p": finite_or_none(self.new_systems_p),
            "new_systems_method": self.new_systems_method,
            "n_items": self.n_items,
            "n_groups": self.n_groups,
            "n_systems": self.n_systems,
            "n_dropped": self.n_dropped,
            "n_raters": None if self.sample is None else self.sample.raters,
            "n_ratings": None if self.sample is None else self.sample.ratings,
            "reason": self.reason,
            "signature": self.signature,
        }


def split_rows(rows: Iterable[Row], criteria: Container[str]) -> tuple[list[Row], list[Row]]:
    """Separate the correlations of criteria with one another from those of metrics with criteria.

    A metric may have the name of a criterion, as HAUSER's quality has. The rows of the criteria come first,
    so the second row of such a name is the metric's.

    Parameters
    ----------
    rows
        Rows of a report, those of the criteria before those of the metrics.
    criteria
        Names of the criteria.
    """
    seen: set[tuple[object, ...]] = set()
    among_criteria, of_metrics = [], []
    for row in rows:
        key = tuple(row[name] for name in ("metric", "criterion", "level", "coefficient"))
        if row["metric"] in criteria and key not in seen:
            seen.add(key)
            among_criteria.append(row)
        else:
            of_metrics.append(row)
    return among_criteria, of_metrics
