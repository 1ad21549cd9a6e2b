"""Every part is killed (SIGKILL) while raters save, similes are scored and data exported: nothing is lost.

The short form is for every day; the long one is that of `python -m benchmarks.faults`, with fewer runs.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks import exact
from benchmarks.exact import Plan
from benchmarks.faults import Force, run, site
from tests.support.installation import Installation
from tests.support.running import tables

pytestmark = [pytest.mark.processes]

SHORT = Plan(raters=4, items=10, overlap=2, leaving=0.5, kills=0, checks=True, pause=0.8)
# Long enough that the web server is killed in the middle.
SETS = Plan(raters=3, items=8, overlap=2, leaving=0.3, kills=1, checks=True, pause=2.0, sets=True)
LONG = Plan(raters=12, items=40, overlap=3, leaving=0.33, kills=0, checks=True, pause=1.5)


def outcomes(folder: Path, plan: Plan, force: Force, runs: int) -> None:
    """On SQLite in the first pass, on a PostgreSQL and a Redis that may be killed in the second."""
    database = "postgresql" if os.environ.get("TEST_DATABASE_URL") else "sqlite"
    if database == "sqlite":
        tables.of_an_installation(folder / "var")
    with site(database, folder) as here:
        if here is None:
            pytest.skip("PostgreSQL and Redis have to be installed: this test kills its own")
        for seed in range(runs):
            row = run(here, plan, seed, force)
            assert row["faults"] == []
            assert set(row["killed"]) == set(here.parts)
            assert (row["lost"], row["doubled"], row["wrong_verdicts"]) == (0, 0, 0)
            assert row["items_exact"] == [plan.items, plan.items]
            assert row["answers"] == plan.items * plan.overlap
            assert row["jobs_once"] == [7, 7]
            assert row["jobs_begun_again"] > 0
            assert row["verify_clean"]


def test_nothing_is_lost_or_done_twice_when_every_part_is_killed_once(tmp_path: Path) -> None:
    outcomes(tmp_path, SHORT, Force(gap=1.5, once=True, groups=20, steps=30), runs=1)


def test_sets_get_exactly_the_ratings_they_need_when_the_web_server_is_killed(
    tmp_path: Path,
) -> None:
    tables.of_an_installation(tmp_path / "var")
    installation = Installation(tmp_path / "var", {})
    with installation.serve("--bind", "127.0.0.1:0") as server:
        outcome = exact.run(installation, server, SETS, seed=0)
    assert outcome.faults == []
    assert (outcome.killed, outcome.exact, outcome.lost, outcome.doubled) == (1, SETS.items, 0, 0)


@pytest.mark.slow
def test_nothing_is_lost_or_done_twice_when_parts_are_killed_throughout(tmp_path: Path) -> None:
    outcomes(tmp_path, LONG, Force(gap=4.5), runs=3)
