"""Every reliability figure of a table of ratings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from scoring.stats.agreement.alpha import Level
from scoring.stats.agreement.coefficients import ALPHAS, FAMILIES, FLEISS, HELD_OUT, LEVELS_BY_DEFAULT, Family
from scoring.stats.agreement.held_out import MINIMUM_SHARED, held_out_figures
from scoring.stats.base.parallel import Progress, Tick, run_parallel
from scoring.stats.base.resampling import Limits, Resampling
from scoring.stats.base.result import Figure
from scoring.stats.data.table import Ratings, RatingsTable

REPLICATES = 2000
# BCa limits were measured for these only: with 20 and 50 items they contain the true value more often than
# percentiles in every design, and with 200 about as often. Over groups only the ordinal α was measured, and
# neither is better.
BETTER_BY_BCA = (*ALPHAS.values(), FLEISS)


@dataclass(frozen=True)
class ReliabilityResult:
    """The reliability figures of a table."""

    figures: list[Figure]  # By criterion, in the table's order
    fingerprint: str  # Of the ratings table
    cannot_rate: dict[str, int]  # Answers without a value, by criterion
    # seed, replicates: Settings of the intervals
    seed: int
    replicates: int


def reliability(
    table: RatingsTable,
    *,
    seed: int,
    replicates: int = REPLICATES,
    confidence: float = 0.95,
    minimum_shared: int = MINIMUM_SHARED,
    levels: Sequence[Level] = LEVELS_BY_DEFAULT,
    limits: Limits = "measured",
    progress: Progress | None = None,
) -> ReliabilityResult:
    """The figures of every family of coefficients that a report has.

    Parameters
    ----------
    table
        The ratings.
    seed
        Seed of the intervals; the same table and seed give the same figures.
    replicates
        Bootstrap replicates.
    confidence
        Coverage the intervals aim at.
    minimum_shared
        Raters with fewer items in common with others are listed, not averaged.
    levels
        Levels of measurement of Krippendorff's α.
    limits
        Limits of the bootstraps over value counts: α, κ, AC1, AC2 and raw agreement. `measured`: for α and
        Fleiss' κ those that were chosen by coverage for the number of items or groups, and percentiles for
        the others.
    progress
        Called with (done, total) several times a second, from the caller's thread; what it raises is
        passed on.

    Returns
    -------
    ReliabilityResult
        Every figure with an interval or a reason.
    """
    families = _families(minimum_shared, levels)

    def part(ratings: Ratings, family: Family, tick: Tick) -> list[Figure]:
        share = _Share(replicates, tick)
        chosen = "percentile" if limits == "measured" and family not in BETTER_BY_BCA else limits
        figures = family.compute(ratings, Resampling(replicates, seed, confidence, share.advance, chosen))
        share.finish()
        return figures

    parts = [partial(part, ratings, family) for ratings in table.criteria.values() for family in families]
    figures = chain.from_iterable(run_parallel(parts, len(parts) * replicates, progress))
    return ReliabilityResult(
        figures=list(figures),
        fingerprint=table.fingerprint,
        cannot_rate={name: ratings.cannot_rate for name, ratings in table.criteria.items()},
        seed=seed,
        replicates=replicates,
    )


def _families(minimum_shared: int, levels: Sequence[Level]) -> list[Family]:
    """The families of every report, with α at the requested levels."""
    held_out = replace(HELD_OUT, compute=partial(held_out_figures, minimum_shared=minimum_shared))
    alphas = {family: level in levels for level, family in ALPHAS.items()}
    chosen = [family for family in FAMILIES if alphas.get(family, family.by_default)]
    return [held_out if family is HELD_OUT else family for family in chosen]


class _Share:
    """The replicates of one family of figures; each takes its full share, however it was computed."""

    def __init__(self, replicates: int, tick: Tick) -> None:
        self._left = replicates
        self._tick = tick

    def advance(self, replicates: int) -> None:
        counted = min(replicates, self._left)
        self._left -= counted
        self._tick(counted)

    def finish(self) -> None:
        self.advance(self._left)
