"""How often do the intervals for new raters hold the truth over all items and raters?

    python -m benchmarks.new_raters [--studies 300] [--replicates 200]

Items and raters are drawn anew in each study: 20 items and 4 raters, 100 and 5, 200 items with 5 of 40
raters each, and 100 and 10; on an even scale, on one where most ratings are 5, and with items in groups of
four. The truth is exact, by quadrature, but for held-out correlations, where it is the mean over studies
of 4,000 items with as many raters, the same of each item. Keeps each cell in docs/statistics/coverage.json
under `new_raters`, so that it can be stopped and continued, and puts the table into coverage.md beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace

import numpy as np

from benchmarks.coverage import (
    DOCS,
    NEW,
    Coverage,
    Design,
    Held,
    compared,
    name_of,
    put_into_page,
    summary,
    table,
)
from benchmarks.simulated_studies import Population
from scoring.stats.agreement.new_raters.draws import everything_once
from scoring.stats.agreement.new_raters.figures import figures_for_new_raters
from scoring.stats.agreement.new_raters.held_out import HeldOut
from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable

START, END = "<!-- new raters: start -->", "<!-- new raters: end -->"
HALF = 0.5**0.5
POPULATIONS = {
    "even": Population(1.0, 0.5, 0.9),
    "skewed": Population(1.0, 0.5, 0.9, edges=(0.8, 1.4, 2.0, 2.8)),
    "groups of four": Population(HALF, 0.5, 0.9, group=HALF, items_a_group=4),
}
DESIGNS = (Design(20, 4), Design(100, 5), Design(200, 40, 5), Design(100, 10))
STUDIES_OF_TRUTH, ITEMS_OF_TRUTH = 100, 4_000
MINIMUM_SHARED = 10


def truths(population: Population, design: Design) -> dict[str, float]:
    """The values over all items and raters, by figure."""
    found = population.intraclass(design.an_item or design.raters) | population.agreement()
    if design.an_item is None:
        # One-way figures suppose other raters for each item.
        found = {key: truth for key, truth in found.items() if not key.startswith("icc1")}
    return found | held_out_truth(population, design)


def held_out_truth(population: Population, design: Design) -> dict[str, float]:
    """Mean held-out correlations of many raters over very many items."""
    rng = np.random.default_rng(design.raters)
    ungrouped = replace(population, item=population.between, group=0.0, items_a_group=0)
    found: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(STUDIES_OF_TRUTH):
        effects = ungrouped.draw_raters(rng, design.raters)
        frame = ungrouped.rate(rng, ITEMS_OF_TRUTH, effects, design.an_item)
        ratings = RatingsTable.from_frame(frame).criteria["quality"]
        means = HeldOut.of(ratings, MINIMUM_SHARED).means(everything_once(ratings))
        for key, values in means.items():
            found[f"{key} mean"].append(float(values[0]))
    return {key: float(np.mean(values)) for key, values in found.items()}


def study(
    population: Population, design: Design, seed: int, replicates: int, truth: Mapping[str, float]
) -> Iterator[Held]:
    """The intervals of one study, compared with the truth."""
    rng = np.random.default_rng([seed, design.items, design.raters, design.an_item or 0])
    effects = population.draw_raters(rng, design.raters)
    frame = population.rate(rng, design.items, effects, design.an_item)
    table = RatingsTable.from_frame(frame, scales={"quality": (1, 5)})
    ratings, resampling = table.criteria["quality"], Resampling(replicates, seed)
    figures = figures_for_new_raters(table, seed=seed, replicates=replicates).figures
    for figure in (*figures, *one_way_figures(ratings, resampling), *two_way_figures(ratings, resampling)):
        if (key := name_of(figure)) in truth:
            yield compared(figure, key, NEW, truth[key])


def cell(name: str, design: Design, studies: int, replicates: int) -> list[Coverage]:
    """Coverage of every figure in one design and population."""
    population = POPULATIONS[name]
    truth = truths(population, design)
    held: defaultdict[str, list[Held]] = defaultdict(list)
    for seed in range(studies):
        for one in study(population, design, seed, replicates, truth):
            held[one.coefficient].append(one)
    return [summary(name, design, results, studies) for results in held.values()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--replicates", type=int, default=200)
    asked = parser.parse_args()
    stored = DOCS / "coverage.json"
    settings = {"studies": asked.studies, "replicates": asked.replicates}
    settings |= {"populations": {name: asdict(one) for name, one in POPULATIONS.items()}}
    before = json.loads(stored.read_text(encoding="utf-8")).get("new_raters", {})
    same = {key: before.get(key) for key in settings} == json.loads(json.dumps(settings))
    lines = [Coverage(**one) for one in before.get("coverage", [])] if same else []
    for design in DESIGNS:
        for name in POPULATIONS:
            if any((one.population, one.design) == (name, str(design)) for one in lines):
                continue
            lines += cell(name, design, asked.studies, asked.replicates)
            content = json.loads(stored.read_text(encoding="utf-8"))
            content["new_raters"] = {**settings, "coverage": [asdict(line) for line in lines]}
            stored.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
            print(f"{name}, {design}: done", file=sys.stderr, flush=True)
    text = table(lines, DESIGNS, POPULATIONS)
    put_into_page((START, END), text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
