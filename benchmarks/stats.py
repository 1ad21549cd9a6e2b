"""The reliability figures at scale, and what the usual packages take for the same, in one run.

    python -m benchmarks.stats [CASE ...]

Every measurement runs in a process of its own, on one thread unless OPENBLAS_NUM_THREADS says otherwise. Of
reports the processor time of all threads is printed too, which other work on the machine changes least.
Memory is the greatest resident size of that process above its size after the imports. The naive bootstraps
repeat `krippendorff.alpha` on resampled items; a few replicates are timed and the time of all is extrapolated
from their median, which the output says.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pandas as pd

from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.reliability import reliability
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ALPHA_REPLICATES = 1000
LEVELS = range(1, 6)
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

Measured = dict[str, float]
FloatArray = np.ndarray[Any, np.dtype[np.float64]]


def crowd(items: int, an_item: int, raters: int, criteria: int = 1) -> pd.DataFrame:
    """Ratings on 1 to 5 by a crowd: each item has `an_item` raters, each rater equally many items."""
    rng = np.random.default_rng(0)
    rounds = -(-items * an_item // raters)
    rater = rng.permuted(np.tile(np.arange(raters), (rounds, 1)), axis=1).ravel()[: items * an_item]
    item = np.repeat(np.arange(items), an_item)
    effects = rng.normal(0, 1, items)[item] + rng.normal(0, 0.5, raters)[rater]
    frames = [
        pd.DataFrame(
            {
                "item": item,
                "rater": rater,
                "value": np.clip(np.round(3 + effects + rng.normal(0, 1, len(item))), 1, 5),
                "criterion": pd.Categorical.from_codes(
                    np.full(len(item), number, dtype=np.int64),
                    pd.Index([f"criterion {name}" for name in range(criteria)]),
                ),
            }
        )
        for number in range(criteria)
    ]
    whole = pd.concat(frames, ignore_index=True)
    # Where a round of raters ends within an item, one of them may come twice.
    return whole.drop_duplicates(["item", "rater", "criterion"], ignore_index=True)


def as_matrix(frame: pd.DataFrame, raters: int) -> FloatArray:
    """Raters × items, NaN where a rater did not rate an item."""
    matrix = np.full((raters, int(frame["item"].max()) + 1), np.nan)
    matrix[frame["rater"], frame["item"]] = frame["value"]
    return matrix


def as_counts(frame: pd.DataFrame) -> FloatArray:
    """Items × values: how often each value was given."""
    return np.stack([np.bincount(frame["item"], frame["value"] == level) for level in LEVELS], axis=1)


def naive_matrix() -> Measured:
    matrix = as_matrix(crowd(100_000, 5, 1000), 1000)
    seconds = naive_replicates(
        lambda drawn: krippendorff.alpha(
            reliability_data=matrix[:, drawn], level_of_measurement="ordinal", value_domain=list(LEVELS)
        ),
        timed=3,
    )
    return {"seconds": seconds, "replicates timed": 3}


def naive_counts() -> Measured:
    counts = as_counts(crowd(100_000, 5, 1000))
    seconds = naive_replicates(
        lambda drawn: krippendorff.alpha(
            value_counts=counts[drawn], level_of_measurement="ordinal", value_domain=list(LEVELS)
        ),
        timed=20,
    )
    return {"seconds": seconds, "replicates timed": 20}


def naive_replicates(of_items: Callable[[Any], float], timed: int) -> float:
    """Seconds that all replicates would take, from the median of those timed."""
    rng = np.random.default_rng(1)
    taken = []
    for _ in range(timed):
        started = time.perf_counter()
        of_items(rng.integers(0, 100_000, 100_000))
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * ALPHA_REPLICATES


def product_alpha() -> Measured:
    (ratings,) = RatingsTable.from_frame(crowd(100_000, 5, 1000)).criteria.values()
    taken = []
    for seed in range(5):
        started = time.perf_counter()
        alpha(ratings, "ordinal", Resampling(ALPHA_REPLICATES, seed))
        taken.append(time.perf_counter() - started)
    return {"seconds": statistics.median(taken)}


def report(frame: pd.DataFrame) -> Measured:
    """Table and all figures with 2,000 replicates."""
    started, used = time.perf_counter(), time.process_time()
    table = RatingsTable.from_frame(frame)
    read = time.perf_counter() - started
    result = reliability(table, seed=1)
    seconds, processor = time.perf_counter() - started, time.process_time() - used
    return {
        "seconds": seconds,
        "processor": processor,
        "of them the table": read,
        "figures": len(result.figures),
    }


def miyazawa() -> Measured:
    path = DATA / "miyazawa" / "result.csv"
    if not path.exists():
        return {}
    given = pd.read_csv(path).rename(columns={"metric": "criterion", "vote": "value", "user_id": "rater"})
    return report(given.assign(item=given["noun"] + given["verb"]))


CASES: dict[str, tuple[str, Callable[[], Measured]]] = {
    "naive-matrix": ("α, naive loop over the matrix, 100,000 × 5 of 1,000", naive_matrix),
    "naive-counts": ("α, naive loop over value counts", naive_counts),
    "alpha": ("α, product", product_alpha),
    "criterion": (
        "one criterion, 100,000 items × 5 of 1,000 raters, everything",
        lambda: report(crowd(100_000, 5, 1000)),
    ),
    "miyazawa": ("Miyazawa & Miyao, 3 criteria, everything", miyazawa),
    "study": (
        "20,000 items × 3 raters × 5 criteria, everything",
        lambda: report(crowd(20_000, 3, 3, 5)),
    ),
    "crowd": (
        "20,000 items × 3 of 300 raters × 5 criteria, everything",
        lambda: report(crowd(20_000, 3, 300, 5)),
    ),
    "ten-million": (
        "2,000,000 items × 5 raters, everything",
        lambda: report(crowd(2_000_000, 5, 5)),
    ),
    "ten-million-crowd": (
        "2,000,000 items × 5 of 1,000 raters, everything",
        lambda: report(crowd(2_000_000, 5, 1000)),
    ),
}


def measure(case: str) -> Measured:
    """Run one case in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.stats", "--child", case]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, env={**ONE_THREAD, **os.environ})
    return dict(json.loads(run.stdout))


def child(case: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = CASES[case][1]()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps(found and {**found, "MiB": used / 1024}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", nargs="*", help=f"of {', '.join(CASES)}; default: all")
    parser.add_argument("--child", choices=CASES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return 0
    if unknown := set(options.cases) - set(CASES):
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    results: dict[str, Measured] = {}
    for case in options.cases or CASES:
        found = results[case] = measure(case)
        print(f"{CASES[case][0]:<64}{described(found)}", flush=True)
    for name, title in (("naive-matrix", "matrix"), ("naive-counts", "value counts")):
        if name in results and "alpha" in results:
            ratio = results[name]["seconds"] / results["alpha"]["seconds"]
            print(f"α with {ALPHA_REPLICATES} replicates against the {title}: {ratio:,.0f} ×")
    return 0


def described(found: Measured) -> str:
    if not found:
        return "skipped: the data set is not beside the checkout"
    rest = {name: value for name, value in found.items() if name not in {"seconds", "MiB"}}
    details = ", ".join(f"{name} {value:,.4g}" for name, value in rest.items())
    extrapolated = " extrapolated" if "replicates timed" in found else ""
    return f"{found['seconds']:10,.3f} s{extrapolated} {found['MiB']:8,.0f} MiB   {details}"


if __name__ == "__main__":
    sys.exit(main())
