"""Which tests stay together when four processes share the suite.

The tests of a file stay together, and with them what they share. The tests in browsers run in two processes,
each with a demo of its own, and so do the others that start servers and workers: these mostly wait, and two
cores have time for all four. The tests that load torch and models run in one process, which loads them once.
The marks `xdist_group` of pytest-xdist 3.8 have no effect under pytest 9.2
(pytest-dev/pytest-xdist#1386), so their files are listed here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

BROWSERS = "browsers"
OTHER_BROWSERS = "other browsers"
IN_BROWSERS = "tests/e2e/"
IN_OTHER_BROWSERS = tuple(f"{IN_BROWSERS}rating/{folder}/" for folder in ("keeping", "marking", "scales"))
STARTERS = "servers and workers"
FAULTS = "faults"
IN_FAULTS = "tests/faults/"
MODELS = "models"
WITH_MODELS = (
    *("tests/backends/", "tests/commands/test_score", "tests/hauser/components/test_tagger_training.py"),
    *("tests/services/judges/running/test_local_runs.py", "tests/services/judges/test_option_page.py"),
    "tests/services/judges/running/test_model_judge_pages.py",
)
FIRST = {BROWSERS, OTHER_BROWSERS, STARTERS, FAULTS}
SECONDS_OF_A_TEST = 0.3
WITH_PROCESSES = (
    "tests/serving/",
    *("tests/concurrency/test_submissions.py", "tests/concurrency/test_two_stages.py"),
    *("tests/settings/test_private_folder.py", "tests/settings/test_no_secret_in_logs.py"),
    "tests/settings/test_secret_key_file.py",
    *("tests/backup/test_all_or_nothing.py", "tests/backup/test_foreign_database.py"),
    *("tests/backup/test_rehearsal.py", "tests/backup/test_upgrade.py", "tests/backup/test_while_rating.py"),
)


def give_own_ids(items: Sequence[pytest.Item]) -> None:
    """Give every test an id of its own: of several with the same id, only one would be handed out.

    schemathesis names a test after its operation, and gives all of them the id of their function.
    """
    for item in items:
        _, bracket, params = item.name.partition("[")
        if bracket and item.id.params is None:
            item._id = item.id.with_params(params.removesuffix("]"))
    shared = [nodeid for nodeid, n in Counter(item.nodeid for item in items).items() if n > 1]
    if shared:
        raise pytest.UsageError(f"Several tests have one id, so that only one would run: {', '.join(shared)}")


class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out whole files, the longest first, so that no process works alone at the end."""

    def __init__(self, config: pytest.Config, log: Producer, seconds: Mapping[str, float]) -> None:
        super().__init__(config, log)
        self._seconds = seconds

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        longest = max(
            self.workqueue, key=lambda group: length(group, len(self.workqueue[group]), self._seconds)
        )
        self.workqueue.move_to_end(longest, last=False)
        super()._assign_work_unit(node)


def length(group: str, tests: int, seconds: Mapping[str, float]) -> float:
    """How long a group will take: as long as in an earlier run, or by its number of tests."""
    if group in FIRST:
        return math.inf
    return seconds.get(group, tests * SECONDS_OF_A_TEST)


def group_of(nodeid: str) -> str:
    """What a test stays together with."""
    file = nodeid.partition("::")[0]
    if file.startswith(IN_BROWSERS):
        return OTHER_BROWSERS if file.startswith(IN_OTHER_BROWSERS) else BROWSERS
    if file.startswith(IN_FAULTS):
        return FAULTS
    if file.startswith(WITH_MODELS):
        return MODELS
    return STARTERS if file.startswith(WITH_PROCESSES) else file
