"""The figures of every coefficient with an interval for new raters as well."""

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.brennan_prediger import kappa_n
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.gwet import Weights, agreement_weights, gwet, raw_agreement
from scoring.stats.agreement.held_out import MINIMUM_SHARED, held_out_figures
from scoring.stats.agreement.new_raters.cells import Cells, ItemPairs
from scoring.stats.agreement.new_raters.draws import (
    pigeonhole_draws,
    unit_of_item,
    without_each_block,
    without_each_rater,
)
from scoring.stats.agreement.new_raters.held_out import HeldOut, Others
from scoring.stats.agreement.new_raters.limits import (
    Drawable,
    Limited,
    Replicates,
    Transform,
    limits_for_new_raters,
)
from scoring.stats.agreement.new_raters.pairs import COEFFICIENTS, WeightedPairs
from scoring.stats.agreement.reliability import REPLICATES
from scoring.stats.base.cautions import FEW_RATERS_BELOW
from scoring.stats.base.parallel import Progress, Tick, run_parallel
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import ANONYMOUS_RATERS, Figure, Interval, Sample, estimated
from scoring.stats.data.table import Ratings, RatingsTable

SHARES = ("exact", "within_one")
# Their expected agreement depends (almost) only on the scale: differences in severity are disagreement.
BEYOND_FIXED_CHANCE = ("ac1", "ac2", "kappa_n")
# Their disagreement includes (almost exactly) the variance of the raters' severity.
OF_SQUARED_SEVERITY = ("ac2", "kappa_n", "within_one")
HELD_OUT = ("held_out_pearson", "held_out_spearman")
# With fewer groups or raters, intervals have a caution, by measured coverage. Those of α and κ of five
# groups and of held-out correlations of four raters are wider than necessary, the others too narrow.
FEWEST_GROUPS, FEWEST_GROUPS_OF_HELD_OUT = 6, 20
FEWEST_OF_HELD_OUT = 5
FEWEST_OF_SQUARED_SEVERITY = 11
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
    counted = {key: _counted(key, ratings, pairable) for key in wanted}
    drawable = {key: _drawable(of) for key, of in counted.items()}
    enough = [key for key in wanted if ratings.identified and drawable[key].refusal is None]
    replicates = _replicates(ratings, enough, resampling) if enough else {}
    return [
        figure
        if figure.reason
        else _with_interval(
            _limited(key[0], figure, counted[key]), figure, drawable[key], replicates.get(key), resampling
        )
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
    return Drawable(ratings.unit, _n_units(ratings), len(ratings.raters))


def _n_units(ratings: Ratings) -> int:
    return int(unit_of_item(ratings).max()) + 1


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
    every_item, every_rater = (np.ones((n, 1)) for n in (ratings.n_items, len(ratings.raters)))
    as_they_are = compute.under(every_rater)
    for drawn in pigeonhole_draws(ratings, resampling):
        of_raters = compute.under(drawn.raters)
        sets = [
            of_raters.replicates(drawn.items),
            as_they_are.replicates(drawn.items),
            of_raters.replicates(every_item),
        ]
        for key in keys:
            pieces[key].append(tuple(one[key] for one in sets))
    without_units = [as_they_are.replicates(items) for items in without_each_block(ratings, resampling)]
    without_raters = [compute.under(raters).replicates(every_item) for raters in without_each_rater(ratings)]

    def replicates(key: Key) -> Replicates:
        both, units, raters = (np.concatenate(of) for of in zip(*pieces[key], strict=True))
        left_out = (np.concatenate([one[key] for one in of]) for of in (without_units, without_raters))
        return Replicates(both, units, raters, *left_out)

    return {key: replicates(key) for key in keys}


@dataclass(frozen=True)
class _Compute:
    """Coefficients of one set of ratings under multiplicities of items and raters."""

    cells: Cells | None
    held_out: HeldOut | None
    keys: list[Key]

    @classmethod
    def of(cls, ratings: Ratings, keys: list[Key]) -> "_Compute":
        counted = any(key in COEFFICIENTS for key in keys)
        held_out = any(key[0] in HELD_OUT for key in keys)
        return cls(
            Cells.of(ratings) if counted else None,
            HeldOut.of(ratings, MINIMUM_SHARED) if held_out else None,
            keys,
        )

    def under(self, raters: FloatArray) -> "_UnderRaters":
        """What does not depend on how often the items are drawn."""
        return _UnderRaters(
            ItemPairs.of(self.cells, raters) if self.cells else None,
            self.held_out.under(raters) if self.held_out else None,
            self.keys,
        )


@dataclass(frozen=True)
class _UnderRaters:
    """The ratings under multiplicities of raters."""

    of_items: ItemPairs | None
    others: Others | None
    keys: list[Key]

    def replicates(self, items: FloatArray) -> dict[Key, FloatArray]:
        """Each coefficient under multiplicities of items, shape (replicates,)."""
        found: dict[Key, FloatArray] = {}
        if self.of_items:
            pairs = WeightedPairs(self.of_items, items)
            found |= {key: COEFFICIENTS[key](pairs) for key in self.keys if key in COEFFICIENTS}
        if self.others:
            found |= {(key, ""): values for key, values in self.others.means(items).items()}
        return found


def _with_interval(
    of: Limited, figure: Figure, drawable: Drawable, replicates: Replicates | None, resampling: Resampling
) -> Figure:
    name = (figure.criterion, figure.coefficient, figure.variant)
    sample = Sample(figure.n_items, figure.n_raters, figure.n_ratings)
    how = f"minimum-shared:{MINIMUM_SHARED}" if figure.coefficient in HELD_OUT else ""
    if replicates is None:
        named = figure.n_raters is not None
        refusal = drawable.refusal
        interval = Interval.missing(ANONYMOUS_RATERS) if refusal is None or not named else refusal
    else:
        interval = limits_for_new_raters(of, replicates, drawable, resampling)
    return estimated(name, figure.estimate, interval, sample, figure.confidence, how=how)


def _limited(coefficient: str, figure: Figure, ratings: Ratings) -> Limited:
    """The scale and range of a coefficient's limits, and the numbers below which they have a caution."""
    limited = Limited(figure.estimate, _scale(coefficient, ratings), _least(coefficient, ratings))
    if coefficient in HELD_OUT:
        return replace(limited, fewest_groups=FEWEST_GROUPS_OF_HELD_OUT, fewest_raters=FEWEST_OF_HELD_OUT)
    if coefficient not in (*BEYOND_FIXED_CHANCE, *SHARES):
        return replace(limited, fewest_groups=FEWEST_GROUPS)
    fewest = FEWEST_OF_SQUARED_SEVERITY if coefficient in OF_SQUARED_SEVERITY else FEW_RATERS_BELOW
    return replace(limited, fewest_raters=fewest)


def _scale(coefficient: str, ratings: Ratings) -> Transform:
    """The scale on which a coefficient's limits are."""
    if coefficient in HELD_OUT:
        return Transform("correlation")
    if coefficient in OF_SQUARED_SEVERITY:
        return Transform("disagreement")
    if coefficient in {"exact", "ac1"}:
        return Transform("share" if coefficient == "exact" else "to_one")
    items_a_group = ratings.n_items / _n_units(ratings)
    return Transform("intraclass", float(ratings.sizes.mean()), math.sqrt(items_a_group))


def _least(coefficient: str, ratings: Ratings) -> float:
    """The lower end of the range of a coefficient.

    α and κ: total disagreement within the items, none of it between them, is −1/(m − 1) for m ratings an
    item. The others: no agreement, and the greatest chance agreement that there is, of equal shares.
    """
    if coefficient in HELD_OUT:
        return -1.0
    if coefficient in SHARES:
        return 0.0
    if coefficient not in BEYOND_FIXED_CHANCE:
        return -1 / (float(ratings.sizes.min()) - 1)
    weighting: Weights = "identity" if coefficient == "ac1" else "quadratic"
    chance = float(agreement_weights(weighting, ratings.categories).mean())
    return -chance / (1 - chance) if chance < 1 else -math.inf
