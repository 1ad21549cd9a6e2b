"""How often do the intervals for new raters hold the truth over all items and raters?

    python -m benchmarks.new_raters [--studies 2000] [--replicates 200] [--figures alpha fleiss]
    python -m benchmarks.new_raters --confirm [--studies 1000]

Each study has new items and raters: 20 items and 4 raters, 100 and 5, 200 items with 5 of 40
raters each, 100 and 10, and 50 and 6; on an even scale, on one where most ratings are 5, and with items in
groups of four, also with 6, 10, 20 and 40 groups and six raters; and few groups of items that differ more, as
benchmarks/few_groups.py has them. The truth is exact, by quadrature, but for
held-out correlations, where it is the mean over studies of 4,000 items with as many raters, the same of each
item. Keeps each cell in docs/statistics/coverage.json under `new_raters`, so that it can be stopped and
continued, and puts the tables into coverage.md next to it. With `--figures` only these coefficients are
measured again, after their intervals changed, and the cells of the others stay.

The intervals were chosen with these studies. `--confirm` draws others, of seeds from 1,000,000 on, for the
cells that are counted, and keeps them under `new_raters_confirmed`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import cache
from typing import Any

import numpy as np

from benchmarks.coverage import (
    DOCS,
    NEW,
    Coverage,
    Design,
    Held,
    compared,
    is_inside,
    name_of,
    put_into_page,
    summary,
    table,
)
from benchmarks.simulated_studies import Population
from scoring.stats.agreement.new_raters.figures import figures_for_new_raters
from scoring.stats.agreement.new_raters.held_out import HeldOut
from scoring.stats.agreement.new_raters.limits import METHOD
from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import DEFINITIONS_VERSION
from scoring.stats.data.table import RatingsTable

MARKS = ("<!-- new raters: start -->", "<!-- new raters: end -->")
MARKS_OF_GROUPS = ("<!-- new raters, groups: start -->", "<!-- new raters, groups: end -->")
MARKS_OF_UNLIKE = ("<!-- new raters, unlike groups: start -->", "<!-- new raters, unlike groups: end -->")
MARKS_OF_CAUTIONS = ("<!-- new raters, cautions: start -->", "<!-- new raters, cautions: end -->")
HALF = 0.5**0.5
POPULATIONS = {
    "even": Population(1.0, 0.5, 0.9),
    "skewed": Population(1.0, 0.5, 0.9, edges=(0.8, 1.4, 2.0, 2.8)),
    "groups of four": Population(HALF, 0.5, 0.9, group=HALF, items_a_group=4),
    "groups of four, nine tenths": Population(0.1**0.5, 0.5, 0.9, group=0.9**0.5, items_a_group=4),
    "groups of 20, half": Population(HALF, 0.5, 0.9, group=HALF, items_a_group=20),
}
USUAL, OF_GROUPS = ("even", "skewed", "groups of four"), "groups of four"
UNLIKE = ("groups of four, nine tenths", "groups of 20, half")
DESIGNS = (Design(20, 4), Design(100, 5), Design(200, 40, 5), Design(100, 10), Design(50, 6))
DESIGNS_OF_GROUPS = tuple(Design(4 * groups, 6) for groups in (6, 10, 20, 40))
# Groups and raters of groups that differ more
FEW_UNLIKE = ((5, 4), (6, 6), (7, 6), (10, 6), (20, 6))
# Figures and designs whose cells are counted separately
MEASURED = (
    "icc2",
    "icc2k",
    "icc3",
    "alpha ordinal",
    "alpha interval",
    "fleiss",
    "ac2",
    "held_out_pearson mean",
)
MEASURED_DESIGNS = DESIGNS[:3]
STUDIES_OF_TRUTH, ITEMS_OF_TRUTH = 100, 4_000
MINIMUM_SHARED = 10
STUDIES_OF_CAUTIONS = 3
FRESH_SEEDS = 1_000_000
STORED, CONFIRMED = "new_raters", "new_raters_confirmed"


def designs_of_unlike(name: str) -> tuple[Design, ...]:
    """The designs whose few groups differ more than in the other tables."""
    return tuple(Design(POPULATIONS[name].items_a_group * groups, raters) for groups, raters in FEW_UNLIKE)


DESIGNS_OF_UNLIKE = {name: designs_of_unlike(name) for name in UNLIKE}
DESIGN_OF = {
    str(design): design
    for designs in (DESIGNS, DESIGNS_OF_GROUPS, *DESIGNS_OF_UNLIKE.values())
    for design in designs
}
# Figures of the ICC are those of benchmarks/few_groups.py there.
OF_UNLIKE = ("alpha", "fleiss", "held_out_pearson", "held_out_spearman")


def truths(population: Population, design: Design) -> dict[str, float]:
    """The values over all items and raters, by figure."""
    found = population.intraclass(design.an_item or design.raters, design.raters) | population.agreement()
    if design.an_item is None:
        # One-way figures suppose other raters for each item.
        found = {key: truth for key, truth in found.items() if not key.startswith("icc1")}
    ungrouped = replace(population, item=population.between, group=0.0, items_a_group=0)
    return found | held_out_truth(ungrouped, design.raters, design.an_item)


@cache
def held_out_truth(ungrouped: Population, raters: int, an_item: int | None) -> dict[str, float]:
    """Mean held-out correlations of many raters over very many items."""
    rng = np.random.default_rng(raters)
    found: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(STUDIES_OF_TRUTH):
        effects = ungrouped.draw_raters(rng, raters)
        frame = ungrouped.rate(rng, ITEMS_OF_TRUTH, effects, an_item)
        ratings = RatingsTable.from_frame(frame).criteria["quality"]
        every_item, every_rater = (np.ones((n, 1)) for n in (ratings.n_items, len(ratings.raters)))
        means = HeldOut.of(ratings, MINIMUM_SHARED).under(every_rater).means(every_item)
        for key, values in means.items():
            found[f"{key} mean"].append(float(values[0]))
    return {key: float(np.mean(values)) for key, values in found.items()}


def study(
    population: Population, design: Design, seed: int, replicates: int, truth: Mapping[str, float], icc: bool
) -> Iterator[Held]:
    """The intervals of one study, compared with the truth; with `icc` those of the ICCs as well."""
    rng = np.random.default_rng([seed, design.items, design.raters, design.an_item or 0])
    effects = population.draw_raters(rng, design.raters)
    frame = population.rate(rng, design.items, effects, design.an_item)
    table = RatingsTable.from_frame(frame, scales={"quality": (1, 5)})
    ratings, resampling = table.criteria["quality"], Resampling(replicates, seed)
    figures = figures_for_new_raters(table, seed=seed, replicates=replicates).figures
    if icc:
        figures += [*one_way_figures(ratings, resampling), *two_way_figures(ratings, resampling)]
    for figure in figures:
        if (key := name_of(figure)) in truth:
            yield compared(figure, key, NEW, truth[key])


def cell(
    name: str, design: Design, studies: int, replicates: int, only: tuple[str, ...] = (), first: int = 0
) -> list[Coverage]:
    """Coverage of every figure, or those of some coefficients, in one design and population."""
    population = POPULATIONS[name]
    truth = truths(population, design)
    held: defaultdict[str, list[Held]] = defaultdict(list)
    for seed in range(first, first + studies):
        for one in study(population, design, seed, replicates, truth, not only or "icc2" in only):
            if is_of(one.coefficient, only):
                held[one.coefficient].append(one)
    return [summary(name, design, results, studies) for results in held.values()]


def is_of(figure: str, coefficients: tuple[str, ...]) -> bool:
    """Whether a figure is of one of the coefficients, or there is no choice of them."""
    return not coefficients or figure.split(maxsplit=1)[0] in coefficients


def counts(lines: list[Coverage]) -> str:
    """How many cells of the measured figures are inside 93 to 97 %, and how many have a caution."""
    groups = {
        "figures and designs above, first three designs": (MEASURED, MEASURED_DESIGNS),
        "6, 10, 20 and 40 groups": (MEASURED, DESIGNS_OF_GROUPS),
        "both together": (MEASURED, MEASURED_DESIGNS + DESIGNS_OF_GROUPS),
        "all figures and designs": (tuple({line.coefficient for line in lines}), DESIGNS + DESIGNS_OF_GROUPS),
    }
    text = ["| cells | number | inside | outside, caution | outside, none | caution in all |"]
    text.append("|---|---:|---:|---:|---:|---:|")
    for name, (figures, designs) in groups.items():
        shown = {str(design) for design in designs}
        chosen = [one for one in lines if one.coefficient in figures and one.design in shown]
        inside = sum(map(is_inside, chosen))
        cautioned = [one for one in chosen if one.cautioned > 0.5]
        outside = sum(not is_inside(one) for one in cautioned)
        numbers = (len(chosen), inside, outside, len(chosen) - inside - outside, len(cautioned))
        text.append(f"| {name} | " + " | ".join(map(str, numbers)) + " |")
    return "\n".join(text)


def write_tables(lines: list[Coverage]) -> None:
    """Put the tables into the page."""
    usual = [one for one in lines if one.population in USUAL]
    put_into_page(MARKS, table(lines_of(usual, DESIGNS), DESIGNS, USUAL, cautions=True))
    grouped = lines_of(usual, DESIGNS_OF_GROUPS)
    put_into_page(MARKS_OF_GROUPS, table(grouped, DESIGNS_OF_GROUPS, USUAL, cautions=True))
    put_into_page(MARKS_OF_CAUTIONS, counts(usual))
    unlike = []
    for name, designs in DESIGNS_OF_UNLIKE.items():
        of_name = [one for one in lines_of(lines, designs) if one.population == name]
        unlike.append(table(of_name, designs, (name,), cautions=True))
    put_into_page(MARKS_OF_UNLIKE, "\n\n".join(unlike))


def with_cautions_of_now(lines: list[Coverage]) -> Iterator[Coverage]:
    """The stored cells with the cautions that their intervals have now; limits and coverage stay.

    Rules by size give all studies of a cell the same cautions; cells whose studies differ keep their share.
    """
    for name, design in dict.fromkeys((line.population, line.design) for line in lines):
        only = OF_UNLIKE if name in UNLIKE else ()
        found = cell(name, DESIGN_OF[design], STUDIES_OF_CAUTIONS, 1, only)
        now = {line.coefficient: line.cautioned for line in found if line.cautioned in {0, 1}}
        for line in lines:
            if (line.population, line.design) == (name, design):
                shares = (line.cautioned, now.get(line.coefficient, line.cautioned))
                yield replace(line, cautioned=shares[1] if shares[0] in {0, 1} else shares[0])


def lines_of(lines: list[Coverage], designs: tuple[Design, ...]) -> list[Coverage]:
    return [line for line in lines if line.design in {str(design) for design in designs}]


def parts() -> list[tuple[str, Design, tuple[str, ...]]]:
    """The cells to measure, and the coefficients of each; none for all."""
    work: list[tuple[str, Design, tuple[str, ...]]]
    work = [(OF_GROUPS, design, ()) for design in DESIGNS_OF_GROUPS]
    work += [(name, design, ()) for design in DESIGNS for name in USUAL]
    work += [(name, design, OF_UNLIKE) for name in UNLIKE for design in DESIGNS_OF_UNLIKE[name]]
    return sorted(work, key=lambda one: one[1].an_item is not None)  # What takes longest comes last


def stored_lines(before: dict[str, Any], settings: dict[str, Any], only: tuple[str, ...]) -> list[Coverage]:
    """The stored cells that hold: all of the same settings, or with a choice of coefficients the others."""
    same = {key: before.get(key) for key in settings} == json.loads(json.dumps(settings))
    lines = [Coverage(**one) for one in before.get("coverage", [])]
    if same:
        return lines
    return [one for one in lines if not is_of(one.coefficient, only)] if only else []


def store(settings: dict[str, Any], lines: list[Coverage], key: str = STORED) -> None:
    stored = DOCS / "coverage.json"
    content = json.loads(stored.read_text(encoding="utf-8"))
    content[key] = {**settings, "coverage": [asdict(line) for line in lines]}
    stored.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def confirm(settings: dict[str, Any]) -> None:
    """Measure the counted cells with fresh seeds, and say which are inside 93 to 97%."""
    before = json.loads((DOCS / "coverage.json").read_text(encoding="utf-8")).get(CONFIRMED, {})
    lines = stored_lines(before, settings, ())
    work = [(OF_GROUPS, design) for design in DESIGNS_OF_GROUPS]
    work += [(name, design) for design in MEASURED_DESIGNS for name in USUAL]
    for name, design in work:
        if not any((one.population, one.design) == (name, str(design)) for one in lines):
            numbers = settings["studies"], settings["replicates"]
            found = cell(name, design, *numbers, first=settings["first_seed"])
            lines += [one for one in found if one.coefficient in MEASURED]
            store(settings, lines, CONFIRMED)
            print(f"{name}, {design}: done", file=sys.stderr, flush=True)
    print(counts(lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--studies", type=int, default=2_000)
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--figures", nargs="*", default=[], help="coefficients, say alpha fleiss")
    parser.add_argument(
        "--cautions", action="store_true", help="only renew which cells have a caution, after a rule changed"
    )
    parser.add_argument("--confirm", action="store_true", help="measure the counted cells with fresh seeds")
    asked = parser.parse_args()
    chosen = tuple(asked.figures)
    settings = {"studies": asked.studies, "replicates": asked.replicates}
    settings |= {"method": METHOD, "definitions": DEFINITIONS_VERSION}
    settings |= {"populations": {name: asdict(one) for name, one in POPULATIONS.items()}}
    if asked.confirm:
        confirm(settings | {"first_seed": FRESH_SEEDS})
        return 0
    before = json.loads((DOCS / "coverage.json").read_text(encoding="utf-8")).get(STORED, {})
    lines = stored_lines(before, settings, chosen)
    for name, design, of_cell in parts():
        only = of_cell or chosen
        there = [one for one in lines if (one.population, one.design) == (name, str(design))]
        if any(is_of(one.coefficient, only) for one in there):
            continue
        lines += cell(name, design, asked.studies, asked.replicates, only)
        store(settings, lines)
        print(f"{name}, {design}: done", file=sys.stderr, flush=True)
    if asked.cautions:
        lines = list(with_cautions_of_now(lines))
        store(settings, lines)
    write_tables(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
