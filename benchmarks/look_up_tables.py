"""The index of a knowledge base compared with plain tables of SQLite, and of DuckDB if it is installed.

    python -m benchmarks.look_up_tables [--rows 1000000]

A table of triples is drawn and imported; its sums are copied into tables whose primary keys are the names
themselves. All are asked for the same pairs and vehicles in turns, by their keys for look-up, so that other
work on the machine slows all alike: the middle of the times, with the first and the third quarter. Last, what
a candidate costs as a whole, with its wordings brought into the form for look-up, which every storage needs.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.knowledge_base import TURN, measure_import, one_pair, prepare
from scoring.hauser.base.cleaning import lookup_key
from scoring.hauser.knowledge.file_format import TOPIC_BITS
from scoring.hauser.knowledge.lookup import KnowledgeBase
from scoring.hauser.metrics.creativity import creativity
from scoring.hauser.metrics.relevance import relevance

MB = 1 << 20
LookUp = Callable[[str, str], object]
TABLES = """
CREATE TABLE named_pair (topic TEXT, vehicle TEXT, frequency INTEGER, weighted REAL, triples INTEGER,
    PRIMARY KEY (topic, vehicle)) WITHOUT ROWID;
CREATE TABLE named_vehicle (text TEXT PRIMARY KEY, frequency INTEGER) WITHOUT ROWID;
"""
NAMED_PAIRS = """
INSERT INTO named_pair SELECT topic.text, vehicle.text, frequency, weighted, triples
FROM base.pair AS pair JOIN base.term AS topic ON topic.id = pair.id & ?
JOIN base.term AS vehicle ON vehicle.id = pair.id >> ? ORDER BY 1, 2
"""
NAMED_VEHICLES = "INSERT INTO named_vehicle SELECT vehicle, sum(frequency) FROM named_pair GROUP BY 1"
PAIR = "SELECT frequency, weighted, triples FROM named_pair WHERE topic = ? AND vehicle = ?"
VEHICLE = "SELECT frequency FROM named_vehicle WHERE text = ?"


def sqlite_tables(base: Path, path: Path) -> LookUp:
    """Plain tables in a file of SQLite, with names as primary keys."""
    connection = sqlite3.connect(path, uri=True)
    connection.executescript(TABLES)
    connection.execute("ATTACH ? AS base", (str(base),))
    connection.execute(NAMED_PAIRS, ((1 << TOPIC_BITS) - 1, TOPIC_BITS))
    connection.execute(NAMED_VEHICLES)
    connection.commit()
    connection.execute("PRAGMA mmap_size = 2147483648")

    def look_up(topic: str, vehicle: str) -> object:
        pair = connection.execute(PAIR, (topic, vehicle)).fetchone() or (0, 0.0, 0)
        known = connection.execute(VEHICLE, (vehicle,)).fetchone() or (0,)
        return pair[0], known[0]

    return look_up


def duckdb_tables(plain: Path, path: Path) -> LookUp:
    """The same tables in a file of DuckDB, read from those of SQLite."""
    duckdb = importlib.import_module("duckdb")
    connection = duckdb.connect(str(path))
    source = sqlite3.connect(plain)
    for name, columns in (
        ("named_pair", "topic TEXT, vehicle TEXT, frequency BIGINT, weighted DOUBLE, triples BIGINT"),
        ("named_vehicle", "text TEXT, frequency BIGINT"),
    ):
        frame = importlib.import_module("pandas").read_sql_query(f"SELECT * FROM {name}", source)  # noqa: S608
        key = "topic, vehicle" if name == "named_pair" else "text"
        connection.register("rows", frame)
        connection.execute(f"CREATE TABLE {name} ({columns}, PRIMARY KEY ({key}))")
        connection.execute(f"INSERT INTO {name} SELECT * FROM rows")  # noqa: S608
        connection.unregister("rows")

    def look_up(topic: str, vehicle: str) -> object:
        pair = connection.execute(PAIR, (topic, vehicle)).fetchone() or (0, 0.0, 0)
        known = connection.execute(VEHICLE, (vehicle,)).fetchone() or (0,)
        return pair[0], known[0]

    return look_up


def indexed(base: KnowledgeBase) -> LookUp:
    """The index of the base itself."""
    index = base._index

    def look_up(topic: str, vehicle: str) -> object:
        pair = index.pair(topic, vehicle)
        return pair[1] if pair else 0, index.vehicle(vehicle)

    return look_up


def in_turns(ways: dict[str, LookUp], asked: Sequence[tuple[str, str]]) -> dict[str, list[float]]:
    """Microseconds of computing time for a candidate, by turn."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for start in range(0, len(asked), TURN):
        answers = []
        for name, look_up in ways.items():
            before = time.process_time()
            answers.append([look_up(*pair) for pair in asked[start : start + TURN]])
            times[name].append((time.process_time() - before) / TURN * 1e6)
        if any(answer != answers[0] for answer in answers):
            raise SystemExit("The storages do not answer alike.")
    return times


def whole_candidates(base: KnowledgeBase, pairs: Sequence[tuple[str, str]]) -> float:
    """Microseconds for relevance and creativity of a candidate."""
    extractions = [one_pair(*pair) for pair in pairs]
    before = time.process_time()
    for extraction in extractions:
        relevance(extraction, base)
        creativity(extraction, base)
    return (time.process_time() - before) / len(extractions) * 1e6


def measure(folder: Path, rows: int) -> None:
    prepare(folder, rows)
    imported = measure_import(folder)
    file = folder / "x.kb.sqlite3"
    print(f"{rows:,} triples, imported in {imported['seconds']:.0f} s, {imported['bytes'] / MB:.0f} MB")
    pairs = [tuple(pair) for pair in json.loads((folder / "candidates.json").read_text(encoding="utf-8"))]
    asked = [(lookup_key(topic), lookup_key(vehicle)) for topic, vehicle in pairs]
    with KnowledgeBase(file) as base:
        ways = {"index": indexed(base)}
        began = time.perf_counter()
        ways["SQLite"] = sqlite_tables(file, folder / "plain.sqlite3")
        size = (folder / "plain.sqlite3").stat().st_size / MB
        print(f"plain tables of SQLite: {time.perf_counter() - began:.0f} s and {size:.0f} MB more")
        if importlib.util.find_spec("duckdb"):
            ways["DuckDB"] = duckdb_tables(folder / "plain.sqlite3", folder / "plain.duckdb")
        times = in_turns(ways, asked)
        middle = statistics.median(times["index"])
        for name, of_turns in times.items():
            low, half, high = statistics.quantiles(of_turns, n=4)
            print(f"{name}: {half:.2f} µs ({low:.2f} to {high:.2f}), {half / middle:.1f} times the index")
        print(f"a candidate as a whole: {whole_candidates(base, pairs):.1f} µs")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.look_up_tables", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="distinct triples")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="groundwork-tables-") as folder:
        measure(Path(folder), options.rows)


if __name__ == "__main__":
    main()
