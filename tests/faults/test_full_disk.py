"""A full disk: the error has a code, nothing is half stored, and work continues once there is free space."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.backup.making import VERIFY
from tests.support.installation import Installation
from tests.support.running import tables
from tests.support.running.small_disk import SmallDisk, small_disk

# The file of SQLite is on the small disk; what PostgreSQL says on its own is in tests/io.
pytestmark = [pytest.mark.processes, pytest.mark.once]

FLOOR = {"GROUNDWORK_DISK_FLOOR_MB": "1"}
CAST = """
from tests.support.people import make_cast
make_cast(items=3, overlap=1)
"""
PAGE = """
import json
from pathlib import Path
from django.conf import settings
from django.db import connection
from django.test import Client
from annotation.serving.startup_tasks import prepare
from benchmarks.rater_client import FormReader
from tests.support.people import make_cast
prepare(Path(settings.VAR_DIR))
cast = make_cast(items=3, overlap=1)
client = Client(SERVER_NAME="localhost")
where = f"/join/{cast.invitation.token}/"
reader = FormReader()
reader.feed(client.get(where).content.decode())
consent = next(form for form in reader.forms if "join_key" in form.values)
page = client.post(where, consent.values, follow=True)
reader = FormReader()
reader.feed(page.content.decode())
form = next(form for form in reader.forms if "submission_key" in form.values)
with connection.cursor() as cursor:
    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
print(json.dumps({
    "token": cast.invitation.token,
    "path": page.request["PATH_INFO"],
    "values": form.values | {name: options[0] for name, options in form.radios.items()},
    "cookies": {name: morsel.value for name, morsel in client.cookies.items()},
}))
"""
SAVE = """
import json
from django.test import Client
given = json.loads('''GIVEN''')
client = Client(SERVER_NAME="localhost", raise_request_exception=False)
client.cookies.load(given["cookies"])
answer = client.post(given["path"], given["values"])
print(json.dumps([answer.status_code, answer.content.decode()]))
"""
JOIN_BY_API = """
import json
from django.test import Client
given = json.loads('''GIVEN''')
client = Client(SERVER_NAME="localhost", raise_request_exception=False)
answer = client.post(f"/api/v1/join/{given['token']}/", {"agree": True}, content_type="application/json")
print(json.dumps([answer.status_code, answer.json()]))
"""
STORED = """
import json
from annotation.models import Rater, Rating, Response, Seat
filled = Seat.objects.filter(state="filled").count()
print(json.dumps([Response.objects.count(), Rating.objects.count(), filled, Rater.objects.count()]))
"""
READY = """
import json
from django.test import Client
answer = Client(SERVER_NAME="localhost").get("/health/ready")
print(json.dumps([answer.status_code, answer.json()["checks"]["disk"]]))
"""
ASK_FOR_BUNDLE = """
from annotation.models import Study
from scoring.services.reports.bundles import request_bundle
print(request_bundle(study=Study.objects.get(), actor=None).pk)
"""
DO_REPORTS = """
import json
from django.conf import settings
from pathlib import Path
from annotation.models import Job
from annotation.tasks import run_next
run_next("reports")
job = Job.objects.latest("pk")
files = sorted(path.suffix for path in (Path(settings.MEDIA_ROOT) / "bundles").glob("*"))
print(json.dumps([job.state, job.error_code, job.error, files]))
"""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "small") as mounted:
        if mounted is None:
            pytest.skip("a small disk cannot be mounted here: that needs root and tmpfs")
        yield mounted


def installed(disk: SmallDisk, database: Path) -> Installation:
    """An installation with its files on the small disk, and its SQLite file at the given path."""
    (disk.folder / "var").mkdir()
    tables.copy_to(database)
    return Installation(disk.folder / "var", {**FLOOR, "DATABASE_URL": f"sqlite:///{database}"})


def asked(installation: Installation, script: str) -> Any:
    return json.loads(installation.run_script(script))


def test_an_answer_is_refused_with_a_code_and_saved_once_when_there_is_room_again(disk: SmallDisk) -> None:
    installation = installed(disk, disk.folder / "groundwork.sqlite3")
    try:
        given = json.dumps(asked(installation, PAGE))
        save, join = (script.replace("GIVEN", given) for script in (SAVE, JOIN_BY_API))
        before = asked(installation, STORED)
        disk.fill()
        status, page = asked(installation, save)
        assert status == 507
        assert "the disk of this installation is full" in page
        assert "<code>disk_full</code>" in page
        status, refusal = asked(installation, join)
        assert (status, refusal["code"], refusal["fields"]) == (507, "disk_full", {})
        assert "disk of this installation is full" in refusal["message"]
        assert asked(installation, STORED) == before
        assert installation.run_script(VERIFY) == "[]\n"

        disk.make_room()
        assert asked(installation, save)[0] == 303
        # Sent again, as a browser does that did not see the answer.
        assert asked(installation, save)[0] == 303
        responses, ratings, filled, raters = asked(installation, STORED)
        assert (responses, filled, raters) == (1, 1, before[3])
        assert ratings > 0
        assert installation.run_script(VERIFY) == "[]\n"
    finally:
        installation.close()


def test_readiness_names_the_disk_that_is_full(disk: SmallDisk, tmp_path: Path) -> None:
    installation = installed(disk, tmp_path / "elsewhere.sqlite3")
    try:
        assert asked(installation, READY)[1]["state"] == "ok"
        disk.fill()
        status, answer = asked(installation, READY)
        assert (status, answer["state"], answer["code"]) == (503, "failed", "disk_full")
        assert answer["message"].startswith("0 MB are free on the disk with Groundwork’s files")
    finally:
        installation.close()


def test_an_export_fails_with_one_sentence_and_leaves_the_earlier_file(
    disk: SmallDisk, tmp_path: Path
) -> None:
    installation = installed(disk, tmp_path / "elsewhere.sqlite3")
    try:
        installation.run_script(CAST)
        target = disk.folder / "items.csv"
        export = ("export", "lamps", "--what", "items", "--out", str(target))
        assert installation.manage(*export).returncode == 0
        whole = target.read_bytes()
        disk.fill()
        done = installation.manage(*export)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"CommandError: {target} cannot be written: No space left on device.\n"
        assert target.read_bytes() == whole
        assert list(disk.folder.glob(".*")) == []
    finally:
        installation.close()


def test_a_bundle_that_finds_no_room_fails_with_the_code_and_is_made_when_there_is_some(
    disk: SmallDisk, tmp_path: Path
) -> None:
    installation = installed(disk, tmp_path / "elsewhere.sqlite3")
    try:
        installation.run_script(CAST)
        # A worker that was killed in the middle of one has left this.
        bundles = disk.folder / "var" / "media" / "bundles"
        bundles.mkdir(parents=True)
        (bundles / "1-99.0123456789abcdef.part").write_bytes(b"half of a bundle")
        (bundles / "2-98.0123456789abcdef.part").write_bytes(b"of another study")
        installation.run_script(ASK_FOR_BUNDLE)
        disk.fill()
        state, code, message, files = asked(installation, DO_REPORTS)
        assert (state, code, files) == ("failed", "disk_full", [".part"])
        assert message.startswith("Nothing was saved, because the disk of this installation is full.")
        disk.make_room()
        installation.run_script(ASK_FOR_BUNDLE)
        assert asked(installation, DO_REPORTS) == ["done", "", "", [".part", ".zip"]]
        assert installation.run_script(VERIFY) == "[]\n"
    finally:
        installation.close()
