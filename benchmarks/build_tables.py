"""Build time of a knowledge base compared with plain tables of SQLite and DuckDB with the same sums.

    python -m benchmarks.build_tables [--rows 1000000]

A table of triples is drawn. The product imports it, with staging that survives the end of the process, its
own sums and its index. The plain ways read the same rows with Python's `csv`, bring each distinct text into
its form for look-up once, insert the rows by their names, and let the database sum them by triple, pair and
vehicle. Each runs in a process of its own; the times are the computing time of that process, which other work
leaves alone. The sums must be equal.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import importlib.util
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.knowledge_base import prepare
from scoring.hauser.knowledge.import_file import COLUMNS, COUNT, PLAUSIBILITY, import_triples, term_of
from scoring.hauser.knowledge.lookup import KnowledgeBase

WAYS = ("product", "sqlite", "duckdb")
ROWS = "CREATE TABLE given (vehicle TEXT, topic TEXT, property TEXT, n BIGINT, weighted DOUBLE)"
SUMS = """
CREATE TABLE triple AS SELECT vehicle, topic, property, sum(n) AS n, sum(weighted) AS weighted
    FROM given GROUP BY 1, 2, 3;
CREATE TABLE pair AS SELECT vehicle, topic, sum(n) AS n, sum(weighted) AS weighted, count(*) AS triples
    FROM triple GROUP BY 1, 2;
CREATE TABLE vehicle AS SELECT vehicle, sum(n) AS n FROM pair GROUP BY 1;
DROP TABLE given;
CREATE INDEX pair_key ON pair (topic, vehicle);
CREATE INDEX vehicle_key ON vehicle (vehicle)
"""
COUNTS = "SELECT (SELECT count(*) FROM triple), (SELECT count(*) FROM pair), sum(n) FROM vehicle"
Counted = tuple[int, int, int]


def cleaned(source: Path) -> Iterator[tuple[str, str, str, int, float]]:
    """The rows with their forms for look-up; each distinct text is brought into it once."""
    known: dict[tuple[str, str], str] = {}
    with source.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cells = []
            for column in ("new_vehicle", "new_topic", "property"):
                cell = (column, row[column])
                if cell not in known:
                    known[cell] = term_of(*cell)
                cells.append(known[cell])
            n = int(row[COUNT])
            yield cells[0], cells[1], cells[2], n, n * float(row[PLAUSIBILITY])


def product(folder: Path) -> Counted:
    """The import of the product."""
    import_triples(folder / "triples.csv", folder / "x.kb.sqlite3", folder / "x.staged", software="benchmark")
    with KnowledgeBase(folder / "x.kb.sqlite3") as base:
        size = base.about.size
    return size.triples, size.pairs, size.frequency


def plain_sqlite(folder: Path) -> Counted:
    """Plain tables of SQLite, in one transaction without a journal."""
    connection = sqlite3.connect(folder / "plain.sqlite3")
    connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    connection.execute(ROWS)
    connection.executemany("INSERT INTO given VALUES (?, ?, ?, ?, ?)", cleaned(folder / "triples.csv"))
    for statement in SUMS.split(";"):
        connection.execute(statement)
    connection.commit()
    triples, pairs, uses = connection.execute(COUNTS).fetchone()
    return triples, pairs, uses


def plain_duckdb(folder: Path) -> Counted:
    """Plain tables of DuckDB, whose rows come from a file of the cleaned ones."""
    duckdb: Any = importlib.import_module("duckdb")
    clean = folder / "clean.csv"
    with clean.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(cleaned(folder / "triples.csv"))
    connection = duckdb.connect(str(folder / "plain.duckdb"), config={"threads": 1})
    connection.execute(ROWS)
    connection.execute(f"COPY given FROM '{clean}' (HEADER false)")
    for statement in SUMS.split(";"):
        connection.execute(statement)
    triples, pairs, uses = connection.execute(COUNTS).fetchone()
    return triples, pairs, uses


def measured(way: str, folder: Path) -> None:
    """Print the computing time of a way, and what it counted."""
    started = time.process_time()
    counted = {"product": product, "sqlite": plain_sqlite, "duckdb": plain_duckdb}[way](folder)
    print(json.dumps([time.process_time() - started, [int(number) for number in counted]]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.way:
        measured(options.way, options.folder)
        return 0
    ways = WAYS if importlib.util.find_spec("duckdb") else WAYS[:2]
    with tempfile.TemporaryDirectory(prefix="groundwork-build-") as name:
        prepare(Path(name), options.rows)
        print(f"{options.rows:,} rows of {', '.join(COLUMNS)}")
        first, counts = 0.0, None
        for way in ways:
            command = [sys.executable, "-m", "benchmarks.build_tables", "--way", way, "--folder", name]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, counted = json.loads(done.stdout)
            first, counts = first or seconds, counts or counted
            print(f"  {way:8} {seconds:7.1f} s   {seconds / first:.2f} × the product", flush=True)
            if counted != counts:
                raise SystemExit(f"{way} counted {counted}, not {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
