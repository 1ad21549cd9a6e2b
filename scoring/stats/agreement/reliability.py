"""Every reliability figure of a table of ratings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from scoring.stats.agreement.alpha import Level, alpha
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.gwet import gwet, raw_agreement
from scoring.stats.agreement.held_out import MINIMUM_SHARED, held_out_figures
from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.base.parallel import Progress, Tick, side_by_side
from scoring.stats.base.resampling import Limits, Resampling
from scoring.stats.base.result import Figure
from scoring.stats.data.table import Ratings, RatingsTable

REPLICATES = 2000
LEVELS_BY_DEFAULT: tuple[Level, ...] = ("ordinal", "interval")

Family = Callable[[Ratings, Resampling], list[Figure]]


@dataclass(frozen=True)
class ReliabilityResult:
    """The reliability figures of a table.

    Parameters
    ----------
    figures
        By criterion, in the table's order.
    fingerprint
        Of the table they were computed from.
    cannot_rate
        Answers without a value, by criterion.
    seed, replicates
        What the intervals were made with.
    """

    figures: list[Figure]
    fingerprint: str
    cannot_rate: dict[str, int]
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
    limits: Limits = "percentile",
    progress: Progress | None = None,
) -> ReliabilityResult:
    """Held-out correlations, ICC, Krippendorff's α, Fleiss' κ, AC1, AC2 and raw agreement.

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
        Of the bootstraps of α, κ, AC1, AC2 and raw agreement.
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
        figures = family(ratings, Resampling(replicates, seed, confidence, share.advance, limits))
        share.finish()
        return figures

    parts = [partial(part, ratings, family) for ratings in table.criteria.values() for family in families]
    figures = chain.from_iterable(side_by_side(parts, len(parts) * replicates, progress))
    return ReliabilityResult(
        figures=list(figures),
        fingerprint=table.fingerprint,
        cannot_rate={name: ratings.cannot_rate for name, ratings in table.criteria.items()},
        seed=seed,
        replicates=replicates,
    )


def _families(minimum_shared: int, levels: Sequence[Level]) -> list[Family]:
    return [
        lambda ratings, how: held_out_figures(ratings, how, minimum_shared),
        one_way_figures,
        two_way_figures,
        *(partial(_alpha, level=level) for level in levels),
        lambda ratings, how: [fleiss(ratings, how)],
        lambda ratings, how: [gwet(ratings, "identity", how)],
        lambda ratings, how: [gwet(ratings, "quadratic", how)],
        lambda ratings, how: [raw_agreement(ratings, 0, how)],
        lambda ratings, how: [raw_agreement(ratings, 1, how)],
    ]


def _alpha(ratings: Ratings, resampling: Resampling, level: Level) -> list[Figure]:
    return [alpha(ratings, level, resampling)]


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
