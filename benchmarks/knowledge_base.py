"""Knowledge bases of growing size: import, opening, memory and look-ups, and pandas' boolean filters.

    python -m benchmarks.knowledge_base [--rows 10000 100000 1000000 4300000]

Tables of triples are drawn with a seed, in MAPS-KB's columns. A look-up is relevance and creativity of one
candidate together: its components in, both scores out. The baseline keeps the table as a data frame and
filters it with boolean conditions, for the pair and for the vehicle, which is what the authors' scripts do;
a few candidates of it are timed. Every measurement runs in a process of its own. Memory is what a process
that only looks things up has grown by: private, and mapped pages of the file, which all processes share.
How look-ups grow with the table is measured in one process that has all bases open and asks each a thousand
candidates in turn, so that other work on the machine slows all of them alike: the middle of their times.
Figures in brackets are by the process's own computing time, which other work on the machine leaves alone.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.csv

from benchmarks.synthetic_triples import write_triples
from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.knowledge.import_file import import_triples
from scoring.hauser.knowledge.lookup import KnowledgeBase
from scoring.hauser.metrics.creativity import creativity
from scoring.hauser.metrics.relevance import relevance

SIZES = (10_000, 100_000, 1_000_000, 4_300_000)
CANDIDATES = 50_000
FILTERED = 12
TURN = 1000
SEED = 7
MB = 1 << 20
Measured = dict[str, float]


@contextmanager
def timed(into: Measured, name: str) -> Iterator[None]:
    """Seconds by the clock, and those that this process computed."""
    clock, computing = time.perf_counter(), time.process_time()
    yield
    into[name] = time.perf_counter() - clock
    into[f"{name}_cpu"] = time.process_time() - computing


def resident() -> Measured:
    """Private and file-backed resident bytes of this process."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    return {name: int(fields[name].split()[0]) * 1024 for name in ("RssAnon", "RssFile")}


def candidates(folder: Path, number: int) -> list[Extraction]:
    """Components as they come from sentences: nine in ten pairs of the table, one in ten of no pair."""
    table = pyarrow.csv.read_csv(folder / "triples.csv").select(["new_topic", "new_vehicle"])
    draw = random.Random(SEED)
    places = [draw.randrange(table.num_rows) for _ in range(number)]
    topics = table["new_topic"].take(places).to_pylist()
    vehicles = table["new_vehicle"].take(places).to_pylist()
    return [
        Extraction(
            (Components(Part(f"The {topic}"), Part(f"a {vehicle}" if draw.random() < 0.9 else "no such")),)
        )
        for topic, vehicle in zip(topics, vehicles, strict=True)
    ]


def one_pair(topic: str, vehicle: str) -> Extraction:
    """Components of a candidate with one pair."""
    return Extraction((Components(Part(topic), Part(vehicle)),))


def measure_import(folder: Path) -> Measured:
    """Import of the table, with the space that the base takes."""
    measured: Measured = {}
    with timed(measured, "seconds"):
        import_triples(
            folder / "triples.csv", folder / "x.kb.sqlite3", folder / "x.staged.sqlite3", software="benchmark"
        )
    measured["bytes"] = (folder / "x.kb.sqlite3").stat().st_size
    return measured


def measure_look_ups(folder: Path) -> Measured:
    """Opening, growth of memory, and look-ups of both scores."""
    pairs = json.loads((folder / "candidates.json").read_text(encoding="utf-8"))
    asked = [one_pair(topic, vehicle) for topic, vehicle in pairs]
    measured: Measured = {}
    before = resident()
    with timed(measured, "ready"):
        base = KnowledgeBase(folder / "x.kb.sqlite3")
        relevance(asked[0], base)
    with timed(measured, "seconds"):
        total = 0.0
        for extraction in asked:
            total += relevance(extraction, base).value or 0
            total += creativity(extraction, base).value or 0
    after = resident()
    measured |= {name: after[name] - before[name] for name in after}
    return measured | {"candidates": len(asked), "sum": total}


def measure_filters(folder: Path) -> Measured:
    """The same scores by boolean filters over a data frame, for a few candidates."""
    frame = pd.read_csv(folder / "triples.csv")
    pairs = json.loads((folder / "candidates.json").read_text(encoding="utf-8"))[:FILTERED]
    measured: Measured = {}
    with timed(measured, "seconds"):
        total = 0.0
        for topic_text, vehicle_text in pairs:
            topic, vehicle = topic_text.removeprefix("The "), vehicle_text.removeprefix("a ")
            found = frame[(frame["new_topic"] == topic) & (frame["new_vehicle"] == vehicle)]
            total += (found["count"] * found["plausibility"]).sum()
            total -= math.log(frame[frame["new_vehicle"] == vehicle]["count"].sum() + 1)
    return measured | {"candidates": len(pairs), "sum": total} | resident()


def measure_growth(folder: Path) -> Measured:
    """Computing time of a look-up, in microseconds, by the rows of the base; the bases take turns."""
    open_bases = {place.name: KnowledgeBase(place / "x.kb.sqlite3") for place in folder.iterdir()}
    asked = {
        name: [one_pair(*pair) for pair in json.loads((folder / name / "candidates.json").read_text("utf-8"))]
        for name in open_bases
    }
    times: dict[str, list[float]] = {name: [] for name in open_bases}
    for start in range(0, CANDIDATES, TURN):
        for name, base in open_bases.items():
            before = time.process_time()
            for extraction in asked[name][start : start + TURN]:
                relevance(extraction, base)
                creativity(extraction, base)
            times[name].append((time.process_time() - before) / TURN * 1e6)
    return {name: statistics.median(of_turns) for name, of_turns in times.items()}


MEASUREMENTS: dict[str, Callable[[Path], Measured]] = {
    "import": measure_import,
    "look-ups": measure_look_ups,
    "filters": measure_filters,
}
MEASURED_TOGETHER = {"growth": measure_growth}


def measure_in_process(name: str, folder: Path) -> Measured:
    """One measurement in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.knowledge_base", "--measure", name, "--folder", str(folder)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    result: Measured = json.loads(printed)
    return result


def prepare(folder: Path, rows: int) -> None:
    """The table, and the candidates that all are asked for."""
    write_triples(folder / "triples.csv", rows)
    named = [(pair.topic, pair.vehicle) for one in candidates(folder, CANDIDATES) for pair in one.pairs]
    texts = [(topic.text if topic else "", vehicle.text) for topic, vehicle in named]
    (folder / "candidates.json").write_text(json.dumps(texts), encoding="utf-8")


def line(rows: int, measured: dict[str, Measured]) -> tuple[str, ...]:
    """One size as a row of the table."""
    imported, looked_up, filtered = (measured[name] for name in MEASUREMENTS)
    rate, slow = (one["candidates"] / one["seconds"] for one in (looked_up, filtered))
    rate_cpu, slow_cpu = (one["candidates"] / one["seconds_cpu"] for one in (looked_up, filtered))
    cells: tuple[Any, ...] = (
        f"{rows:,}",
        f"{imported['seconds']:.1f} ({imported['seconds_cpu']:.1f})",
        f"{rows / imported['seconds']:,.0f}",
        f"{imported['bytes'] / MB:.0f}",
        f"{looked_up['ready'] * 1e3:.1f}",
        f"{looked_up['RssAnon'] / MB:.1f} + {looked_up['RssFile'] / MB:.0f}",
        f"{rate:,.0f} ({rate_cpu:,.0f})",
        f"{slow:.2f} ({slow_cpu:.2f})",
        f"{rate / slow:,.0f} ({rate_cpu / slow_cpu:,.0f})",
    )
    return cells


HEADING = (
    "rows",
    "import s (CPU)",
    "rows/s",
    "file MB",
    "ready ms",
    "memory MB",
    "look-ups/s (CPU)",
    "filters/s (CPU)",
    "ratio (CPU)",
)


def check_same(measured: dict[str, Measured], folder: Path) -> None:
    """Both ways give the same scores for the candidates that both were asked for."""
    with KnowledgeBase(folder / "x.kb.sqlite3") as base:
        pairs = json.loads((folder / "candidates.json").read_text(encoding="utf-8"))
        few = [one_pair(topic, vehicle) for topic, vehicle in pairs[:FILTERED]]
        total = sum((relevance(one, base).value or 0) + (creativity(one, base).value or 0) for one in few)
    if not math.isclose(total, measured["filters"]["sum"], rel_tol=1e-9):
        raise SystemExit(f"the two ways differ: {total} and {measured['filters']['sum']}")


def show(folder: Path, sizes: Sequence[int]) -> None:
    """Measure tables of some sizes, and how look-ups grow with them."""
    print("  ".join(HEADING), flush=True)
    for rows in sizes:
        own = folder / str(rows)
        own.mkdir()
        prepare(own, rows)
        measured = {measurement: measure_in_process(measurement, own) for measurement in MEASUREMENTS}
        check_same(measured, own)
        cells = zip(line(rows, measured), HEADING, strict=True)
        print("  ".join(cell.rjust(len(title)) for cell, title in cells), flush=True)
    print("memory: private + mapped pages of the file, which all processes share")
    grown = measure_in_process("growth", folder)
    for rows in sizes:
        ratio = grown[str(rows)] / grown[str(sizes[0])]
        print(f"look-up in {rows:,} rows: {grown[str(rows)]:.1f} µs of computing, {ratio:.2f} times")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=SIZES)
    parser.add_argument("--measure", choices=list(MEASUREMENTS | MEASURED_TOGETHER), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps((MEASUREMENTS | MEASURED_TOGETHER)[options.measure](options.folder)))
        return 0
    with tempfile.TemporaryDirectory(prefix="groundwork-kb-") as name:
        show(Path(name), options.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
