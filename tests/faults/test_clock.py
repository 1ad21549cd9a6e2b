"""The clock is set forward by a day and back by hours while people rate and workers hold jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.exact import Plan
from benchmarks.faults import Force, Site, run, site
from tests.support.running import tables

# What the clock is compared with is the same on every database.
pytestmark = [pytest.mark.processes, pytest.mark.once]

HOUR, DAY = 3600, 86400
PLAN = Plan(raters=4, items=10, overlap=2, leaving=0.5, kills=0, checks=True, pause=0.8)


class Clock:
    """The file that all processes read, by how much their clock is off."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.set(0)

    def set(self, seconds: int) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds), encoding="ascii")
        new.replace(self.file)

    def parts(self, here: Site) -> dict[str, Callable[[], None]]:
        """Set forward by a day, then back by 25 hours while two workers are killed that hold jobs."""

        def forward() -> None:
            self.set(DAY)

        def back() -> None:
            self.set(-HOUR)
            for name in ("worker for reports", "worker for models"):
                here.parts[name]()

        return {"forward": forward, "back": back}


def test_a_clock_that_jumps_loses_nothing_and_no_job_waits_for_it_or_is_done_twice(tmp_path: Path) -> None:
    clock = Clock(tmp_path / "clock")
    changed = {
        "DJANGO_SETTINGS_MODULE": "tests.support.trial_jobs.jumping_clock",
        "TEST_CLOCK": str(clock.file),
    }
    tables.of_an_installation(tmp_path / "var")
    with site("sqlite", tmp_path, **changed) as here:
        assert here is not None
        jumping = replace(here, parts={**here.parts, **clock.parts(here)})
        turns = ("forward", "back", "worker")
        row = run(jumping, PLAN, 1, Force(gap=2.5, once=True, groups=20, steps=80, turns=turns))
    assert row["faults"] == []
    assert row["items_exact"] == [PLAN.items, PLAN.items]
    # A rater whose reservation ended early may have given a rating beyond those that are needed.
    assert row["answers"] >= PLAN.items * PLAN.overlap
    assert (row["lost"], row["doubled"], row["wrong_verdicts"]) == (0, 0, 0)
    assert row["jobs_once"] == [7, 7]
    assert row["verify_clean"]
    # Leases that were given when it was tomorrow are no reason to wait until then.
    assert row["seconds"] < 20 * 60
