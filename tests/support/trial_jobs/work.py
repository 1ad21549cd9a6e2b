"""What the jobs of the tests do: so many steps with a heartbeat after each, or one that never ends."""

from __future__ import annotations

import hashlib
import time

from annotation.services.base import audit
from annotation.services.base.jobs import Lease

STEP_SECONDS = 0.1
DONE = "trial_done"


def work(*, lease: Lease) -> None:
    """Work for `params["steps"]` steps; `params["stuck"]` is how the last of them never ends."""
    params = lease.job.params
    for step in range(params["steps"]):
        lease.beat(step, params["steps"], "Trying")
        time.sleep(STEP_SECONDS)
    if params.get("stuck") == "in a library":
        # One call that lets other threads work and hears no signal, as long linear algebra does.
        hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
    if params.get("stuck") == "with the interpreter":
        sum(range(10**13))
    study = lease.job.study
    assert study is not None
    lease.complete(lambda: audit.record(study=study, actor=None, act=DONE, job=lease.job.pk))
