"""How often do the intervals of differences, of preferences and of best–worst choices hold the truth?

    python -m benchmarks.comparison_coverage [--studies 300] [--replicates 200]

Differences of coefficients of 100 and more items have 1,000 studies and samples, strengths of competitors 100
studies and 500 samples, as many as a report draws at most.

Means of systems and differences of any two, with new groups of items and new raters in each study;
differences of two coefficients of the same items, for the study's own raters; strengths and shares of wins of
six competitors; strengths and scores of ten items from best–worst choices of four. Truths are exact. Keeps
each cell in docs/statistics/comparisons.json, so that it can be stopped and continued, and puts the table
into coverage.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.special import expit

from benchmarks.coverage import ASPIRED, DOCS, put_into_page
from benchmarks.simulated_studies import Population
from benchmarks.system_level import Design
from scoring.stats.agreement.comparing.differences import compare_reliability
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.choices.best_worst.clusters import Clusters
from scoring.stats.choices.best_worst.scores import score_rows
from scoring.stats.choices.bradley_terry import strength_rows
from scoring.stats.choices.preference import win_rates
from scoring.stats.choices.rankings.coded_rankings import Ranked, coded_choices
from scoring.stats.data.table import RatingsTable
from scoring.stats.metrics.comparing.systems import compare_systems, mean_ratings

STORED = DOCS / "comparisons.json"
MARKS = ("<!-- comparisons: start -->", "<!-- comparisons: end -->")
FIRST, SECOND = Population(1.0, 0.5, 0.9), Population(1.0, 0.5, 1.4)
COMPARED = {"alpha-ordinal": "alpha ordinal", "alpha-interval": "alpha interval", "fleiss": "fleiss"}
COMPETITORS = np.linspace(-1.0, 1.0, 6)
RANKED = np.linspace(-1.2, 1.2, 10)
OF_A_SET = 4
# Limits and the truth that they should hold
Held = tuple[str, float | None, float | None, float]
Study = Callable[[int, Resampling], Iterator[Held]]


def systems(scale: str, groups: int, seed: int, resampling: Resampling) -> Iterator[Held]:
    """Means of six systems, and differences of every two."""
    items, expected = Design(scale, 0.4, 0.7, 6, groups).simulate(np.random.default_rng([seed, groups]))
    truth = dict(zip(items.systems, expected[:, 1], strict=True))
    for one in mean_ratings(items):
        yield "mean of a system", one.mean - one.half_width, one.mean + one.half_width, truth[one.system]
    for two in compare_systems(items, resampling):
        yield "difference of two systems", *_limits(two.interval), truth[two.first] - truth[two.second]


def reliabilities(items: int, raters: int, seed: int, resampling: Resampling) -> Iterator[Held]:
    """Differences of coefficients between two criteria that the same raters rate on the same items."""
    rng, both, truths = np.random.default_rng([seed, items, raters]), [], []
    for population in (FIRST, SECOND):
        effects = population.draw_raters(rng, raters)
        frame = population.rate(rng, items, effects)
        table = RatingsTable.from_frame(frame, scales={"quality": (1, 5)})
        both.append(table.criteria["quality"])
        truths.append(population.agreement(effects))
    for name, key in COMPARED.items():
        found = compare_reliability(both[0], both[1], name, design="paired", resampling=resampling)
        yield f"difference of two {key}", *_limits(found.interval), truths[0][key] - truths[1][key]


def preferences(answers: int, seed: int, resampling: Resampling) -> Iterator[Held]:
    """Six competitors, each two compared on as many pairs of texts."""
    rng = np.random.default_rng([seed, answers])
    one, other = (np.repeat(side, answers) for side in np.triu_indices(len(COMPETITORS), 1))
    won = rng.random(len(one)) < expit(COMPETITORS[one] - COMPETITORS[other])
    frame = pd.DataFrame({"item": [f"P-{place}" for place in range(len(one))]})
    frame["a"], frame["b"] = one.astype(str), other.astype(str)
    frame["outcome"] = np.where(won, "a", "b")
    for row in strength_rows(frame, criterion="", resampling=resampling):
        yield "strength, Bradley–Terry", row["low"], row["high"], COMPETITORS[int(row["competitor"])]
    for row in win_rates(frame, criterion="", resampling=resampling):
        own = COMPETITORS[int(row["competitor"])]
        share = (expit(own - COMPETITORS).sum() - 0.5) / (len(COMPETITORS) - 1)
        yield "share of wins", row["low"], row["high"], share


def best_worst(sets: int, seed: int, _: Resampling) -> Iterator[Held]:
    """Ten items in random sets of four, each set answered by one rater."""
    rng, rows = np.random.default_rng([seed, sets]), []
    for number in range(sets):
        shown = rng.choice(len(RANKED), OF_A_SET, replace=False)
        best = rng.choice(shown, p=_shares(RANKED[shown]))
        rest = shown[shown != best]
        worst = rng.choice(rest, p=_shares(-RANKED[rest]))
        chosen = {best: "best", worst: "worst"}
        rows += [(f"S-{number}", "R-1", str(item), chosen.get(item, "")) for item in shown]
    frame = pd.DataFrame(rows, columns=["set", "rater", "item", "choice"])
    ranked: Ranked = coded_choices(frame, range(len(frame)))
    for row in score_rows(ranked, "", Clusters(ranked.of_set)):
        item = int(row["item"])
        yield "best–worst score", row["low"], row["high"], expected_scores()[item]
        yield "best–worst strength", row["strength_low"], row["strength_high"], RANKED[item]


@cache
def expected_scores() -> FloatArray:
    """Expected score of each item over all sets that it is in."""
    sums = np.zeros(len(RANKED))
    for shown in combinations(range(len(RANKED)), OF_A_SET):
        best = _shares(RANKED[list(shown)])
        for place, item in enumerate(shown):
            sums[item] += best[place]
            rest = [other for other in shown if other != item]
            sums[rest] -= best[place] * _shares(-RANKED[rest])
    return np.asarray(sums / (len(list(combinations(range(len(RANKED) - 1), OF_A_SET - 1)))))


def _shares(strengths: FloatArray) -> FloatArray:
    odds = np.exp(strengths)
    return np.asarray(odds / odds.sum())


def _limits(interval: object) -> tuple[float, float]:
    return interval.low, interval.high  # type: ignore[attr-defined]


CELLS: dict[str, Study] = {
    **{
        f"6 systems × {groups} groups, {scale}": partial(systems, scale, groups)
        for scale in ("skewed 1–5", "continuous")
        for groups in (6, 10, 20, 30, 96)
    },
    **{
        f"{items} items × {raters} raters": partial(reliabilities, items, raters)
        for items, raters in ((20, 4), (30, 4), (50, 5), (100, 5), (200, 5))
    },
    **{f"10 items in {sets} sets of 4": partial(best_worst, sets) for sets in (30, 60, 120)},
    **{f"6 competitors × {answers} pairs each two": partial(preferences, answers) for answers in (10, 20)},
}


# Studies and samples of designs whose limits have no caution: those of 200 samples are too narrow by half a
# point to a point of coverage.
OWN = {f"{items} items × 5 raters": (1_000, 1_000) for items in (100, 200)}
OWN |= {f"6 competitors × {answers} pairs each two": (100, 500) for answers in (10, 20)}


def cell(study: Study, studies: int, replicates: int) -> dict[str, dict[str, float]]:
    """Coverage in per cent, misses on either side, and number of intervals, by figure."""
    sides: defaultdict[str, list[int]] = defaultdict(list)
    for seed in range(studies):
        for figure, low, high, truth in study(seed, Resampling(replicates, seed)):
            if low is not None and high is not None and np.isfinite([low, high]).all():
                sides[figure].append(int(truth > high) - int(truth < low))
    return {
        figure: {
            "coverage": round(100 * float(np.mean(np.equal(found, 0))), 1),
            "too_high": round(100 * float(np.mean(np.equal(found, -1))), 1),
            "too_low": round(100 * float(np.mean(np.equal(found, 1))), 1),
            "intervals": len(found),
            "replicates": replicates,
        }
        for figure, found in sides.items()
    }


def table(cells: dict[str, dict[str, dict[str, float]]]) -> str:
    """As Markdown; what is outside 93 to 97 % is in bold."""
    text = ["| design | figure | coverage | all above the truth | all below | intervals | samples |"]
    text.append("|---|---|---:|---:|---:|---:|---:|")
    for design in filter(cells.__contains__, CELLS):
        for figure, found in cells[design].items():
            shown = f"{found['coverage']:.1f}"
            inside = 100 * ASPIRED[0] <= found["coverage"] <= 100 * ASPIRED[1]
            numbers = (shown if inside else f"**{shown}**", found["too_high"], found["too_low"])
            samples = f"{int(found['replicates']):,}"
            row = (design, figure, *map(str, numbers), f"{found['intervals']:,}", samples)
            text.append("| " + " | ".join(row) + " |")
    return "\n".join(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--replicates", type=int, default=200)
    asked = parser.parse_args()
    settings: dict[str, object] = {"studies": asked.studies, "replicates": asked.replicates}
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    settings["own"] = {design: list(own) for design, own in OWN.items()}
    cells = stored.get("cells", {}) if {**stored, **settings} == stored else {}
    for design, study in CELLS.items():
        if design not in cells:
            cells[design] = cell(study, *OWN.get(design, (asked.studies, asked.replicates)))
            content = json.dumps({**settings, "cells": cells}, indent=1, ensure_ascii=False)
            STORED.write_text(content + "\n", encoding="utf-8")
            print(f"{design}: {cells[design]}", file=sys.stderr, flush=True)
    put_into_page(MARKS, table(cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
