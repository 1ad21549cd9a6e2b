"""Measurements, logs and reports of faults of real processes: right for all of them, and naming no one."""

from __future__ import annotations

import gzip
import http.server
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.support.installation import Installation, Server
from tests.support.ports import listening

pytestmark = [pytest.mark.processes]

TOKEN = "a-token-of-this-installation-0123456789-abcdef"
SECRET = "s3cret-T0ken_of-a-rater-0123456789"
PERSON = "anna.rater@example.org"
LOGS = ["access.log", "web.log", "worker-for-models.log", "worker-for-reports.log", "worker.log"]
ASKED = 12
WEB_FAULT = f"""
import json
from django.test import Client, override_settings
from django.urls import path
import sentry_sdk
def broken(request, token):
    own = "{PERSON}"
    raise RuntimeError(f"Broken at {{request.get_full_path()}} for {{own}}, token='{{token}}'")
urlpatterns = [path("join/<str:token>/", broken)]
import sys, types
module = types.ModuleType("broken_urls")
module.urlpatterns = urlpatterns
sys.modules["broken_urls"] = module
with override_settings(ROOT_URLCONF="broken_urls"):
    asked = {{"x-request-id": "web-fault-0001"}}
    client = Client(SERVER_NAME="localhost", raise_request_exception=False, headers=asked)
    client.cookies["sessionid"] = "{SECRET}"
    print(client.post("/join/{SECRET}/?who={PERSON}", {{"remark": "words of {PERSON}"}}).status_code)
sentry_sdk.flush(10)
"""
JOB_FAULT = f"""
from annotation.models import Job
from annotation.services.base.jobs import publish
job = Job.objects.create(kind="import_items", params={{"of": "{PERSON}"}})
publish(job=job)
print(job.pk)
"""


class Sink(http.server.BaseHTTPRequestHandler):
    """Takes what is sent to the service for faults."""

    received: ClassVar[list[tuple[str, str]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        Sink.received.append((self.path, body.decode()))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def sink() -> Iterator[str]:
    Sink.received.clear()
    with listening(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sink)) as server:
        yield f"http://public@127.0.0.1:{server.server_address[1]}/1"


def events() -> list[dict[str, Any]]:
    """The reports in the envelopes that came: headers, then a header and a body of each."""
    found = []
    for _, envelope in Sink.received:
        lines = [json.loads(line) for line in envelope.splitlines() if line]
        found += [
            body
            for header, body in zip(lines[1::2], lines[2::2], strict=False)
            if header.get("type") == "event"
        ]
    return found


def ask(
    server: Server, path: str, headers: dict[str, str] | None = None, data: bytes | None = None
) -> tuple[int, str, str]:
    request = urllib.request.Request(server.url + path, data=data, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode(), answer.headers["X-Request-ID"]
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode(), refused.headers["X-Request-ID"]


def value(text: str, name: str, **labels: str) -> float:
    """The value of a measurement in Prometheus' text format."""
    wanted = {f'{label}="{word}"' for label, word in labels.items()}
    for line in text.splitlines():
        found = re.fullmatch(rf"{name}(?:\{{(.*)\}})? (\S+)", line)
        if found and wanted <= set((found[1] or "").split(",")):
            return float(found[2])
    return 0.0


def logged(var: Path) -> list[dict[str, Any]]:
    """Every line that the processes wrote, each of which must be JSON; Celery prints that it stops."""
    files = sorted((var / "log").iterdir())
    assert [file.name for file in files] == LOGS
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    return [json.loads(line) for line in lines if line and not line.startswith("worker: ")]


def test_what_is_measured_logged_and_reported_is_right_and_names_no_one(migrated: Installation, sink: str):
    settings = {
        **migrated.settings,
        "GROUNDWORK_METRICS_TOKEN": TOKEN,
        "GROUNDWORK_LOG_FORMAT": "json",
        "SENTRY_DSN": sink,
        "PYTHONWARNINGS": "ignore",
    }
    installation = replace(migrated, settings=settings)
    with installation.serve("--bind", "127.0.0.1:0") as server:
        for n in range(ASKED):
            _, _, given = ask(
                server, f"/join/{SECRET}/?PROLIFIC_PID={PERSON}", {"X-Request-ID": f"asked-{n:08d}"}
            )
            assert given == f"asked-{n:08d}"
        assert ask(server, "/", {"X-Request-ID": PERSON})[2] != PERSON
        assert ask(server, "/metrics")[0] == 404
        assert ask(server, "/metrics", {"Authorization": "Bearer wrong"})[0] == 404
        measured = [ask(server, "/metrics", {"Authorization": f"Bearer {TOKEN}"})[1] for _ in range(4)]
        counted = {
            value(text, "groundwork_http_requests_total", view="join", method="GET", status="404")
            for text in measured
        }
        assert counted == {ASKED}, "each web process answers for all of them"
        timed = value(
            measured[0], "groundwork_http_request_duration_seconds_count", view="join", method="GET"
        )
        assert timed == ASKED

        report = {
            "csp-report": {"document-uri": f"http://x/join/{SECRET}/?a={PERSON}", "blocked-uri": "inline"}
        }
        assert ask(server, "/csp-report/", data=json.dumps(report).encode())[0] == 204
        job = installation.run_script(JOB_FAULT).strip()
        assert installation.run_script(WEB_FAULT).strip() == "500"
        until = time.monotonic() + 60
        while len(events()) < 2 and time.monotonic() < until:
            time.sleep(0.3)
    installation.close()

    lines = logged(migrated.var)
    joins = [line for line in lines if line.get("route") == "join/<str:token>/"]
    assert {f"asked-{n:08d}" for n in range(ASKED)} <= {line.get("request_id") for line in joins}
    assert any(line["logger"] == "gunicorn.access" and line["status"] == 404 for line in joins)
    assert any(
        line["logger"] == "groundwork.csp" and "join/<str:token>/" in line["message"] for line in lines
    )
    assert any(str(line.get("job_id")) == job and "exception" in line for line in lines)
    text = json.dumps(lines)
    assert SECRET not in text
    assert PERSON not in text
    assert "127.0.0.1" not in text

    tags = [event["tags"] for event in events()]
    assert {"job_id": job} in tags
    assert any(tag.get("request_id") == "web-fault-0001" for tag in tags)
    sent = "".join(body for _, body in Sink.received)
    assert "RuntimeError" in sent
    assert SECRET not in sent
    assert PERSON not in sent
    assert str(migrated.var) not in sent
    assert not any(part in event for event in events() for part in ("request", "user", "breadcrumbs"))
