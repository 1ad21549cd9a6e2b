"""Many raters at once, over HTTP, against the real server."""

from __future__ import annotations

import pytest

from benchmarks.submissions import measure
from tests.backup.making import VERIFY
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]


def test_200_submissions_of_20_raters_at_once_are_each_stored_once(migrated: Installation):
    outcome = measure(migrated, raters=20, submissions=200)
    assert outcome.acknowledged == 200
    assert outcome.stored_as_acknowledged
    assert outcome.locked == 0
    assert migrated.run_script(VERIFY) == "[]\n"
