"""Reports of the content security policy: both formats, small, few, and without personal data."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from django.test import Client

from annotation.views.base.site import csp_reports

SECRET = "s3cret-T0ken_of-a-rater-0123456789"
PAGE = f"https://ratings.example.org/join/{SECRET}/?PROLIFIC_PID=anna"
SCRIPT = f"https://evil.example/{SECRET}.js?key={SECRET}"
OLD = {
    "csp-report": {
        "document-uri": PAGE,
        "blocked-uri": SCRIPT,
        "effective-directive": "script-src-elem",
        "source-file": SCRIPT,
        "script-sample": SECRET,
    }
}
NEW = [
    {
        "type": "csp-violation",
        "url": PAGE,
        "user_agent": SECRET,
        "body": {"documentURL": PAGE, "blockedURL": SCRIPT, "effectiveDirective": "script-src-elem"},
    }
]


@pytest.fixture(autouse=True)
def _a_new_minute(monkeypatch):
    monkeypatch.setattr(csp_reports, "lines", csp_reports.Limit(csp_reports.MOST_OF_MINUTE))


def post(body: bytes, content_type: str = "application/csp-report") -> int:
    client = Client(enforce_csrf_checks=True)
    return client.post("/csp-report/", body, content_type=content_type).status_code


@pytest.mark.parametrize(
    ("report", "content_type"), [(OLD, "application/csp-report"), (NEW, "application/reports+json")]
)
def test_a_report_is_logged_without_query_token_and_sample(caplog, report: Any, content_type: str):
    with caplog.at_level(logging.WARNING, logger="groundwork.csp"):
        assert post(json.dumps(report).encode(), content_type) == 204
    (line,) = caplog.messages
    assert "stopped https://evil.example (script-src-elem) on join/<str:token>/" in line
    assert SECRET not in line
    assert "anna" not in line


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[" * 2000, 400),
        (b"\xff", 400),
        (b"{}", 204),
        (b'[{"type": "csp-violation", "body": 3}, 4]', 204),
        (b'{"csp-report": {"document-uri": 7, "blocked-uri": "http://[", "source-file": {}}}', 204),
        (b" " * 20_000, 413),
    ],
)
def test_what_is_no_report_is_refused_and_breaks_nothing(body: bytes, status: int):
    assert post(body) == status


def test_however_many_come_few_lines_are_written_and_none_is_forged(caplog):
    forged = {"csp-report": {"blocked-uri": "x\n2026 ERROR forged", "effective-directive": "a" * 5000}}
    with caplog.at_level(logging.WARNING, logger="groundwork.csp"):
        for _ in range(40):
            post(json.dumps(forged).encode())
        assert post(json.dumps(NEW * 20).encode()) == 204
    lines = [record.getMessage() for record in caplog.records if record.name == "groundwork.csp"]
    assert len(lines) == csp_reports.MOST_OF_MINUTE
    assert not any("\n" in line or len(line) > 400 for line in lines)


def test_browsers_get_the_address_of_reports_in_both_ways(client: Client, db):
    page = client.get("/")
    assert "report-uri /csp-report/" in page.headers["Content-Security-Policy"]
    assert "report-to csp" in page.headers["Content-Security-Policy"]
    assert page.headers["Reporting-Endpoints"] == 'csp="/csp-report/"'
