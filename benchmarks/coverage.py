"""How often do the 95 % intervals hold the truth? Simulated studies, with new raters in each.

    python -m benchmarks.coverage [--studies 2000] [--replicates 1000]

The truth is exact, by quadrature: of all items and raters for figures that generalise over raters, and of
all items and the study's own raters for figures whose interval resamples items only; for these both are
counted. Writes docs/statistics/coverage.json and the table in docs/statistics/coverage.md.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.simulated_studies import Population
from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.reliability import reliability
from scoring.stats.base.cautions import cautions_of
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import Figure
from scoring.stats.data.table import RatingsTable

DOCS = Path(__file__).resolve().parents[1] / "docs" / "statistics"
START, END = "<!-- table: start -->", "<!-- table: end -->"
NEW, THESE = "new raters", "these raters"
ASPIRED = (0.93, 0.97)

POPULATIONS = {"agreement": Population(1.0, 0.5, 0.9), "chance": Population(0.0, 0.0, 1.2)}


@dataclass(frozen=True)
class Design:
    """How many items and raters, and how many ratings an item; all raters where that is None."""

    items: int
    raters: int
    an_item: int | None = None

    def __str__(self) -> str:
        if self.an_item is None:
            return f"{self.items} items × {self.raters} raters"
        return f"{self.items} items × {self.an_item} of {self.raters} raters"


DESIGNS = (
    Design(20, 3),
    Design(50, 3),
    Design(200, 3),
    Design(50, 6),
    Design(200, 10),
    Design(50, 20, 3),
    Design(200, 40, 5),
)


@dataclass(frozen=True)
class Study:
    """One simulated study."""

    population: str
    design: Design
    seed: int
    replicates: int


@dataclass(frozen=True)
class Held:
    """Whether one interval held the truth: -1 where all of it is above, 1 where below, 0 where it held."""

    coefficient: str
    truth_of: str
    truth: float
    estimate: float
    missed: int
    width: float
    cautioned: bool  # Whether a caution about its coverage is shown with it


@dataclass(frozen=True)
class Coverage:
    """One line of the table."""

    population: str
    design: str
    coefficient: str
    truth_of: str
    truth: float
    median_estimate: float
    coverage: float
    too_high: float
    too_low: float
    median_width: float
    intervals: int
    studies: int
    cautioned: float = 0.0  # Share of the intervals that a caution is shown with


def run(study: Study) -> list[Held]:
    """Simulate one study and compare its intervals with the truth."""
    population, design = POPULATIONS[study.population], study.design
    rng = np.random.default_rng([study.seed, design.items, design.raters, design.an_item or 0])
    effects = population.draw_raters(rng, design.raters)
    frame = population.rate(rng, design.items, effects, design.an_item)
    table = RatingsTable.from_frame(frame, scales={"quality": (1, 5)})
    figures = reliability(table, seed=study.seed, replicates=study.replicates).figures
    bca = Resampling(study.replicates, study.seed, limits="bca")
    ratings = table.criteria["quality"]
    figures += [alpha(ratings, "ordinal", bca), alpha(ratings, "interval", bca), fleiss(ratings, bca)]
    of_all = population.intraclass(design.an_item or design.raters, design.raters) | population.agreement()
    of_these = population.agreement(effects)
    if design.an_item is None:
        of_these["held_out_pearson mean"] = population.held_out(effects)
        # One-way figures suppose other raters for each item.
        of_all = {key: truth for key, truth in of_all.items() if not key.startswith("icc1")}
    return [
        compared(figure, key, truth_of, truths[key])
        for figure in figures
        for truth_of, truths in ((NEW, of_all), (THESE, of_these))
        if (key := name_of(figure)) in truths
    ]


def name_of(figure: Figure) -> str:
    varied = figure.coefficient == "alpha" or figure.coefficient.startswith("held_out")
    return f"{figure.coefficient} {figure.variant}" if varied else figure.coefficient


def compared(figure: Figure, key: str, truth_of: str, truth: float) -> Held:
    missed = int(truth > figure.high) - int(truth < figure.low)
    shown = f"{key}, BCa" if figure.interval_method.startswith("bca") else key
    cautioned = bool(set(cautions_of(figure.signature)) - {"edge_of_range"})
    return Held(shown, truth_of, truth, figure.estimate, missed, figure.high - figure.low, cautioned)


def summaries(studies: int, replicates: int) -> Iterator[Coverage]:
    """Coverage of each coefficient in each design and population."""
    with ProcessPoolExecutor() as pool:
        for population in POPULATIONS:
            for design in DESIGNS:
                work = [Study(population, design, seed, replicates) for seed in range(studies)]
                held: defaultdict[tuple[str, str], list[Held]] = defaultdict(list)
                for found in pool.map(run, work, chunksize=20):
                    for one in found:
                        held[one.coefficient, one.truth_of].append(one)
                for results in held.values():
                    yield summary(population, design, results, studies)
                print(f"{population}, {design}: done", file=sys.stderr, flush=True)


def summary(population: str, design: Design, results: list[Held], studies: int) -> Coverage:
    intervals = [one for one in results if not math.isnan(one.width)]
    number = len(intervals)

    def share(missed: int) -> float:
        return round(sum(one.missed == missed for one in intervals) / number, 4)

    widths = [one.width for one in intervals if math.isfinite(one.width)]
    return Coverage(
        population=population,
        design=str(design),
        coefficient=results[0].coefficient,
        truth_of=results[0].truth_of,
        truth=round(float(np.mean([one.truth for one in results])), 4),
        median_estimate=round(float(np.nanmedian([one.estimate for one in results])), 4),
        coverage=share(0),
        too_high=share(-1),
        too_low=share(1),
        median_width=round(float(np.median(widths)), 4),
        intervals=number,
        studies=studies,
        cautioned=round(sum(one.cautioned for one in intervals) / number, 4),
    )


def table(
    lines: list[Coverage],
    designs: tuple[Design, ...] = DESIGNS,
    populations: Iterable[str] = tuple(POPULATIONS),
    *,
    cautions: bool = False,
) -> str:
    """Coverage by coefficient and design, as Markdown; what falls outside 93 to 97 % is in bold.

    With `cautions`, a dagger follows where more than half of the intervals have a caution.
    """
    shown_designs, order = [str(design) for design in designs], list(populations)
    cells = {(line.population, line.coefficient, line.truth_of, line.design): line for line in lines}
    rows = list(dict.fromkeys((line.population, line.coefficient, line.truth_of) for line in lines))
    rows.sort(key=lambda row: order.index(row[0]))
    text = ["| ratings | figure | truth of | " + " | ".join(shown_designs) + " |"]
    text.append("|---|---|---|" + "---:|" * len(designs))
    for row in rows:
        shown = [percent(cells.get((*row, design)), cautions=cautions) for design in shown_designs]
        text.append(f"| {row[0]} | {row[1]} | {row[2]} | " + " | ".join(shown) + " |")
    return "\n".join(text)


def percent(line: Coverage | None, *, cautions: bool = False) -> str:
    if line is None:
        return ""
    shown = f"{100 * line.coverage:.1f}"
    shown = shown if is_inside(line) else f"**{shown}**"
    return f"{shown} †" if cautions and line.cautioned > 0.5 else shown


def is_inside(line: Coverage) -> bool:
    return ASPIRED[0] <= line.coverage <= ASPIRED[1]


def write(lines: list[Coverage], studies: int, replicates: int) -> None:
    """Store the figures and put the table into the page."""
    stored = DOCS / "coverage.json"
    before = json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {}
    content = {
        **before,
        "confidence": 0.95,
        "studies": studies,
        "replicates": replicates,
        "populations": {name: asdict(population) for name, population in POPULATIONS.items()},
        "coverage": [asdict(line) for line in lines],
    }
    DOCS.mkdir(parents=True, exist_ok=True)
    stored.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    put_into_page((START, END), table(lines))


def put_into_page(marks: tuple[str, str], text: str) -> None:
    """Put a table between two marks of the page."""
    page = DOCS / "coverage.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(marks[0])
    after = rest.partition(marks[1])[2]
    page.write_text(f"{before}{marks[0]}\n\n{text}\n\n{marks[1]}{after}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--replicates", type=int, default=1000)
    options = parser.parse_args()
    lines = list(summaries(options.studies, options.replicates))
    print(table(lines))
    write(lines, options.studies, options.replicates)
    return 0


if __name__ == "__main__":
    sys.exit(main())
