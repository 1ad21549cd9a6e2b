"""A backup that is made while raters save is one moment: what is restored from it fits together."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.backup.making import VERIFY, command, on_sqlite
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]

RATING = """
import threading
from pathlib import Path
from django.db import connections
from annotation.models import Response
from annotation.services.base.backup.writing import write_backup
from annotation.services.rating.enrolment import consent
from tests.concurrency.simultaneous import rate_everything
from tests.support.people import make_cast

cast = make_cast(items=30, overlap=3)
raters = [consent(invitation=cast.invitation) for _ in range(3)]
def rate(rater):
    rate_everything(rater)
    connections.close_all()
threads = [threading.Thread(target=rate, args=(rater,)) for rater in raters]
seen = []
def wait(what, done, total):
    # In the middle of the tables answers go on being saved.
    if what == "annotation.assignment":
        before = Response.objects.count()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seen.append(before)
write_backup(target=Path({target!r}), with_key=False, progress=wait)
print(seen[0], Response.objects.count())
"""


def test_what_raters_save_meanwhile_waits_for_nothing_and_is_wholly_left_out(
    migrated: Installation, tmp_path: Path
) -> None:
    archive = tmp_path / "backup.zip"
    before, after = migrated.run_script(RATING.format(target=str(archive))).split()
    assert (before, after) == ("0", "90")
    with closing(on_sqlite(tmp_path / "restored")) as restored:
        command(restored, "restore", str(archive))
        assert restored.run_script(VERIFY) == "[]\n"
        assert (
            restored.run_script("from annotation.models import Response; print(Response.objects.count())")
            == "0\n"
        )
    assert migrated.run_script(VERIFY) == "[]\n"
