"""The settings with the jobs of the tests, on a clock that a test sets while the processes run.

Every process reads from the file that `TEST_CLOCK` names by how many seconds the clock is off; as on a real
machine, `time.monotonic` goes on as before. (libfaketime cannot be used: `time.sleep` fails under it.)
"""

from __future__ import annotations

import os
import time
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone

from tests.support.trial_jobs.settings import *  # noqa: F403

_real_time, _real_now = time.time, timezone.now


def _seconds_off() -> float:
    return float(Path(os.environ["TEST_CLOCK"]).read_text(encoding="ascii"))


def _time() -> float:
    return _real_time() + _seconds_off()


def _now() -> datetime:
    return _real_now() + timedelta(seconds=_seconds_off())


time.time = _time
timezone.now = _now
