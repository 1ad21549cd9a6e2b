"""Do the ratings of a study show that its few groups differ too much for the interval of an ICC?

    python -m benchmarks.few_groups [--studies 2000] [--share 0.4]

Complete even ratings with new items, groups and raters in each study. Groups of four have half, or nine
tenths, of the variance between items between them, and groups of 20 half of it. Studies are divided by
whether the degrees of freedom of their items' means are a smaller share of n − 1 than `--share`. Prints how
many studies are below, and how often ICC2 and ICC3 hold the truth in all studies, in those below and in the
others. A missing interval counts as one that does not hold it.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

import numpy as np

from benchmarks.simulated_studies import Population
from scoring.stats.agreement.variance.anova import f_interval, mean_squares, pivots
from scoring.stats.agreement.variance.grouped_items import item_df
from scoring.stats.agreement.variance.normal_ratings import needs_pivots
from scoring.stats.base.resampling import FloatArray
from scoring.stats.data.table import Ratings, RatingsTable

# Share of the variance between items that is between groups, and items a group
KINDS = {
    "groups of four, half": (0.5, 4),
    "groups of four, nine tenths": (0.9, 4),
    "groups of 20, half": (0.5, 20),
}
DESIGNS = ((5, 4), (6, 6), (7, 3), (10, 6), (20, 6))
ICCS = ("icc2", "icc3")
TAILS, DRAWS = (0.025, 0.975), 2_000
FEWEST_STUDIES = 50
HEAD = "| groups | groups × raters | share, median | below, % | all studies | below | not below |"


def population_of(share: float, items_a_group: int) -> Population:
    """Items whose variance, 1, has this share between groups."""
    return Population((1 - share) ** 0.5, 0.5, 0.9, group=share**0.5, items_a_group=items_a_group)


def limits(ratings: Ratings, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """Limits of ICC2 and ICC3 of complete ratings: by F, and of ICC2 of many items by pivots."""
    ms, df = mean_squares(ratings), item_df(ratings)
    by_f = {key: f_interval(key, ms, TAILS, df) for key in ICCS}
    found = {key: (one.low, one.high) for key, one in by_f.items()}
    if needs_pivots("icc2", ratings):
        item, rater, residual = pivots(ms, rng, DRAWS, df)
        low, high = np.quantile(item / (item + rater + residual), TAILS, method="lower")
        found["icc2"] = (float(low), float(high))
    return found


def outcomes(kind: str, groups: int, raters: int, studies: int) -> FloatArray:
    """For each study its share of degrees of freedom, and 1 or 0 for each ICC that held the truth or not."""
    population = population_of(*KINDS[kind])
    truth, items = population.intraclass(raters, raters), groups * population.items_a_group
    rng = np.random.default_rng([groups, raters, population.items_a_group])
    frame = population.rate(rng, items, population.draw_raters(rng, raters))
    frame = frame.assign(item=frame["item"].map("{:04d}".format), rater=frame["rater"].map("{:04d}".format))
    first = RatingsTable.from_frame(frame, scales={"quality": (1, 5)}).criteria["quality"]
    found = []
    for _ in range(studies):
        frame = population.rate(rng, items, population.draw_raters(rng, raters))
        # Ratings are ordered by item, then rater.
        values, order = (frame[name].to_numpy().reshape(items, raters) for name in ("value", "rater"))
        by_rater = np.take_along_axis(values, np.argsort(order, axis=1), axis=1)
        ratings = replace(first, value=by_rater.ravel().astype(np.float64))
        ends = limits(ratings, rng)
        held = [ends[key][0] <= truth[key] <= ends[key][1] for key in ICCS]
        found.append([item_df(ratings) / (items - 1), *held])
    return np.array(found, dtype=np.float64)


def percent(held: FloatArray) -> str:
    """Per cent of the studies for each ICC, in bold outside 93 to 97; nothing of very few studies."""
    if len(held) < FEWEST_STUDIES:
        return "–"
    means = [float(f"{100 * one:.1f}") for one in held.mean(axis=0)]
    return " / ".join(f"{one:.1f}" if 93 <= one <= 97 else f"**{one:.1f}**" for one in means)


def line(kind: str, groups: int, raters: int, found: FloatArray, least: float) -> str:
    """One line of the table."""
    below, held = found[:, 0] < least, found[:, 1:]
    cells = [kind, f"{groups} × {raters}", f"{np.median(found[:, 0]):.2f}", f"{100 * below.mean():.0f}"]
    return "| " + " | ".join([*cells, percent(held), percent(held[below]), percent(held[~below])]) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--studies", type=int, default=2_000)
    parser.add_argument("--share", type=float, default=0.4)
    asked = parser.parse_args()
    print(HEAD, "|---|---:|---:|---:|---:|---:|---:|", sep="\n", flush=True)
    for kind in KINDS:
        for groups, raters in DESIGNS:
            print(line(kind, groups, raters, outcomes(kind, groups, raters, asked.studies), asked.share))
    return 0


if __name__ == "__main__":
    sys.exit(main())
