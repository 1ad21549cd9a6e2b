"""The figures of every coefficient with an interval for new raters as well."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.brennan_prediger import kappa_n
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.gwet import gwet, raw_agreement
from scoring.stats.agreement.held_out import MINIMUM_SHARED, held_out_figures
from scoring.stats.agreement.new_raters.draws import Drawn, pigeonhole_draws, unit_of_item
from scoring.stats.agreement.new_raters.held_out import HeldOut
from scoring.stats.agreement.new_raters.limits import Drawable, Replicates, Transform, limits_for_new_raters
from scoring.stats.agreement.new_raters.pairs import COEFFICIENTS, Cells, WeightedPairs
from scoring.stats.agreement.reliability import REPLICATES
from scoring.stats.base.parallel import Progress, Tick, run_parallel
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import ANONYMOUS_RATERS, Figure, Interval, Sample, estimated
from scoring.stats.data.table import Ratings, RatingsTable

SHARES = ("exact", "within_one")
HELD_OUT = ("held_out_pearson", "held_out_spearman")
Key = tuple[str, str]


@dataclass(frozen=True)
class NewRatersResult:
    """Figures of a table whose intervals hold for new items and new raters."""

    figures: list[Figure]  # By criterion, in the table's order
    fingerprint: str  # Of the ratings table
    # seed, replicates: Settings of the intervals
    seed: int
    replicates: int


def figures_for_new_raters(
    table: RatingsTable,
    *,
    seed: int,
    replicates: int = REPLICATES,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> NewRatersResult:
    """α, κ, Gwet's and Brennan and Prediger's coefficients, raw agreement and the mean held-out correlations.

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
    progress
        Called with (done, total) several times a second, from the caller's thread; what it raises is passed
        on.

    Returns
    -------
    NewRatersResult
        Estimates, variants and refusals are those of `reliability`; the intervals resample items (or groups)
        and raters independently of each other. An interval is missing for anonymous raters, for fewer than
        four raters, and for fewer than five items or groups.

    References
    ----------
    Owen (2007), The pigeonhole bootstrap.
    """

    def part(ratings: Ratings, tick: Tick) -> list[Figure]:
        return of_criterion(ratings, Resampling(replicates, seed, confidence, tick))

    parts = [partial(part, ratings) for ratings in table.criteria.values()]
    figures = chain.from_iterable(run_parallel(parts, len(parts) * replicates, progress))
    return NewRatersResult(list(figures), table.fingerprint, seed, replicates)


def of_criterion(ratings: Ratings, resampling: Resampling) -> list[Figure]:
    """The figures of one criterion.

    Parameters
    ----------
    ratings
        Its ratings.
    resampling
        Settings of the bootstrap.
    """
    found = _points(ratings, resampling)
    wanted = [key for key, figure in found.items() if not figure.reason]
    pairable = ratings.pairable()
    drawable = {key: _drawable(_counted(key, ratings, pairable)) for key in wanted}
    enough = [key for key in wanted if ratings.identified and drawable[key].refusal is None]
    replicates = _replicates(ratings, enough, resampling) if enough else {}
    return [
        figure
        if figure.reason
        else _with_interval(key, figure, drawable[key], replicates.get(key), resampling)
        for key, figure in found.items()
    ]


def _points(ratings: Ratings, resampling: Resampling) -> dict[Key, Figure]:
    """Estimates, variants and refusals as a report on reliability has them."""
    once = replace(resampling, replicates=1, tick=lambda _replicates: None)
    held_out = held_out_figures(ratings, once, each_rater=False)
    return {
        **{(one.coefficient, ""): one for one in held_out if one.variant == "mean"},
        ("alpha", "ordinal"): alpha(ratings, "ordinal", once),
        ("alpha", "interval"): alpha(ratings, "interval", once),
        ("fleiss", ""): fleiss(ratings, once),
        ("ac1", ""): gwet(ratings, "identity", once),
        ("ac2", ""): gwet(ratings, "quadratic", once),
        ("kappa_n", ""): kappa_n(ratings, once),
        ("exact", ""): raw_agreement(ratings, 0, once),
        ("within_one", ""): raw_agreement(ratings, 1, once),
    }


def _counted(key: Key, ratings: Ratings, pairable: Ratings) -> Ratings:
    """The ratings that an estimate is of: Gwet's shares count items with one rating too."""
    return ratings if key[0] in ("ac1", "ac2", *SHARES) else pairable


def _drawable(ratings: Ratings) -> Drawable:
    return Drawable(ratings.unit, int(unit_of_item(ratings).max()) + 1, len(ratings.raters))


def _replicates(ratings: Ratings, wanted: list[Key], resampling: Resampling) -> dict[Key, Replicates]:
    """Replicates of every coefficient wanted, all from the same draws of each set of ratings."""
    ratings = ratings.in_safe_unit
    pairable = ratings.pairable()
    same = pairable is ratings
    found: dict[Key, Replicates] = {}
    for which in (pairable,) if same else (pairable, ratings):
        keys = [key for key in wanted if same or _counted(key, ratings, pairable) is which]
        if keys:
            found |= _of_these(which, keys, resampling)
            # The second set of ratings takes no further share of the progress.
            resampling = replace(resampling, tick=lambda _replicates: None)
    return found


def _of_these(ratings: Ratings, keys: list[Key], resampling: Resampling) -> dict[Key, Replicates]:
    pieces: defaultdict[Key, list[tuple[FloatArray, ...]]] = defaultdict(list)
    compute = _Compute.of(ratings, keys)
    for drawn in pigeonhole_draws(ratings, resampling):
        sets = [dict(compute(one)) for one in (drawn, drawn.items_alone(), drawn.raters_alone())]
        for key in keys:
            pieces[key].append(tuple(one[key] for one in sets))
    return {key: Replicates(*map(np.concatenate, zip(*pieces[key], strict=True))) for key in keys}


@dataclass(frozen=True)
class _Compute:
    """Coefficients of one set of ratings under multiplicities of items and raters."""

    cells: Cells
    held_out: HeldOut
    keys: list[Key]

    @classmethod
    def of(cls, ratings: Ratings, keys: list[Key]) -> "_Compute":
        return cls(Cells.of(ratings), HeldOut.of(ratings, MINIMUM_SHARED), keys)

    def __call__(self, drawn: Drawn) -> Iterator[tuple[Key, FloatArray]]:
        counted = [key for key in self.keys if key in COEFFICIENTS]
        if counted:
            pairs = WeightedPairs(self.cells, drawn)
            yield from ((key, COEFFICIENTS[key](pairs)) for key in counted)
        if len(counted) < len(self.keys):
            yield from (((key, ""), values) for key, values in self.held_out.means(drawn).items())


def _with_interval(
    key: Key, figure: Figure, of: Drawable, replicates: Replicates | None, resampling: Resampling
) -> Figure:
    name = (figure.criterion, figure.coefficient, figure.variant)
    sample = Sample(figure.n_items, figure.n_raters, figure.n_ratings)
    how = f"minimum-shared:{MINIMUM_SHARED}" if key[0] in HELD_OUT else ""
    if replicates is None:
        named = figure.n_raters is not None
        interval = Interval.missing(ANONYMOUS_RATERS) if of.refusal is None or not named else of.refusal
    else:
        transform = Transform(_kind_of(key[0]))
        interval = limits_for_new_raters(figure.estimate, transform, replicates, of, resampling)
    return estimated(name, figure.estimate, interval, sample, figure.confidence, how=how)


def _kind_of(coefficient: str) -> str:
    if coefficient in HELD_OUT:
        return "correlation"
    return "share" if coefficient in SHARES else "to_one"
