"""A real server takes files: nothing of a stranger’s body is stored, and its worker refuses costly ones."""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import time
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.costly_files import workbook_of_shared_strings
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]
# Django writes a file to the disk from 2.5 MB on, and no body without files may have more than 2 MB: so much
# is noticed wherever it is read.
SPOOLED_MEGABYTES = 3
SETUP = """
from annotation.models import User
from annotation.services.base.tokens import make_token
from annotation.services.studies.lifecycle import create_study
owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
create_study(slug="lamps", title="Lamps", owner=owner)
print(make_token(user=owner, name="test", scopes=["write"])[1])
"""


def form(name: str, content: bytes) -> tuple[bytes, dict[str, str]]:
    mark = uuid.uuid4().hex
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
    return body, {"Content-Type": f"multipart/form-data; boundary={mark}"}


def spooling_into(folder: Path) -> dict[str, str]:
    """Settings that make Django spool files in a folder where nothing else writes."""
    module = folder.with_name("spooling.py")
    module.write_text(
        f"from config.settings.embedded import *\nFILE_UPLOAD_TEMP_DIR = {str(folder)!r}\n", encoding="utf-8"
    )
    return {"DJANGO_SETTINGS_MODULE": module.stem, "PYTHONPATH": str(module.parent)}


def ask(url: str, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # answered before it was all sent
            connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize("megabytes", [SPOOLED_MEGABYTES, pytest.param(20, marks=pytest.mark.slow)])
def test_a_strangers_file_leaves_no_trace_and_a_costly_one_is_refused_by_the_worker(
    migrated: Installation, tmp_path: Path, megabytes: int
) -> None:
    spool = tmp_path / "spool"
    spool.mkdir()
    token = migrated.run_script(SETUP).split()[-1]
    settings = {**migrated.settings, **spooling_into(spool), "GROUNDWORK_UPLOAD_SECONDS": "1"}
    with dataclasses.replace(migrated, settings=settings).serve("--bind", "127.0.0.1:0") as server:
        signed_in = {"Authorization": f"Token {token}"}
        way = "/api/v1/studies/lamps/items/"
        body, headers = form("a.csv", b"item,simile\ni1,like rain\n")
        assert (
            settled(server.url, ask(server.url, "POST", way, body, **headers, **signed_in), signed_in) == 201
        )
        before = spool.stat().st_mtime_ns
        body, headers = form("a.csv", b"a" * (megabytes << 20))
        cookie = {"Cookie": f"csrftoken={'a' * 32}", "X-CSRFToken": "a" * 32}
        statuses = {
            path: ask(server.url, "POST", path, body, **headers, **cookie)[0]
            for path in ("/account/login/", "/join/nowhere/", "/studies/lamps/settings/import/", "/no/where/")
        }
        assert set(statuses.values()) <= {302, 404, 413}, statuses
        statuses = {
            path: ask(server.url, "POST", path, body, **headers)[0]
            for path in ("/api/v1/auth/token/", "/api/v1/join/nowhere/", "/api/v1/studies/lamps/items/")
        }
        assert set(statuses.values()) <= {401, 404, 413}, statuses
        # No file was written there, not even for a moment: that would have changed the folder.
        assert spool.stat().st_mtime_ns == before
        ask(server.url, "POST", way, body, **headers, **signed_in)
        assert spool.stat().st_mtime_ns > before, "a file of a member is spooled here"

        body, headers = form("b.xlsx", workbook_of_shared_strings(1_500_000))
        status = settled(server.url, ask(server.url, "POST", way, body, **headers, **signed_in), signed_in)
        assert status == "file_too_costly"
        uploads = migrated.var / "media" / "uploads"
        assert list(uploads.iterdir()) == []


def settled(url: str, answer: tuple[int, bytes], signed_in: dict[str, str]) -> int | str:
    """201 for a stored file, the code of a refused one; on a busy machine the answer is asked for."""
    status, body = answer
    while status == 202 or (status == 200 and json.loads(body)["state"] in {"queued", "running"}):
        time.sleep(0.2)
        status, body = ask(url, "GET", urlsplit(json.loads(body)["url"]).path, **signed_in)
    return 201 if status == 200 else status if status < 400 else json.loads(body)["code"]
