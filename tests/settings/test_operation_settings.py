"""Wrong settings of operations stop the start with a sentence; faults are reported only where asked for."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from typing import TYPE_CHECKING, cast

import pytest

from config.operations.error_reporting import scrubbed, start
from config.operations.json_log import JsonFormatter, impersonal
from config.operations.log_context import about_job, about_request, about_study, request_id
from config.settings.env import SettingError

if TYPE_CHECKING:
    from sentry_sdk.types import Event

SECRET = "s3cret-T0ken_of-a-rater-0123456789"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GROUNDWORK_METRICS_TOKEN", "short"),
        ("GROUNDWORK_LOG_FORMAT", "xml"),
        ("GROUNDWORK_WORKER_SILENT_SECONDS", "20"),
        ("GROUNDWORK_DISK_FLOOR_MB", "much"),
        ("SENTRY_DSN", "nonsense"),
        ("GROUNDWORK_JUDGE_KEY", "sk-first\nsk-second"),
        ("GROUNDWORK_HUB_TOKEN", "hf first"),
    ],
)
def test_a_wrong_setting_is_named(name, value, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "import config.settings.base"],
        env={**os.environ, "GROUNDWORK_VAR": str(tmp_path), name: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert f"SettingError: {name} is " in done.stderr
    assert "first" not in done.stderr


def test_without_an_address_nothing_is_loaded_or_reported():
    start("", environment="tests")
    assert "sentry_sdk" not in sys.modules


def test_without_the_package_the_sentence_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(SettingError, match="extra `sentry`"):
        start("https://key@example.org/1", environment="tests")


def test_a_report_keeps_the_fault_and_loses_the_person():
    event = {
        "exception": {
            "values": [
                {
                    "type": "ValueError",
                    "value": f"of anna@example.org at /join/{SECRET}/",
                    "stacktrace": {
                        "frames": [{"function": "save", "abs_path": "/home/anna/x.py", "vars": {"a": "b"}}]
                    },
                }
            ]
        },
        "logentry": {
            "message": "Refused %s",
            "params": ["words of anna"],
            "formatted": "Refused words of anna",
        },
        "request": {"data": "words of anna", "cookies": {"sessionid": SECRET}},
        "user": {"id": "7", "ip_address": "10.1.2.3"},
        "breadcrumbs": {"values": [{"message": "anna"}]},
        "server_name": "annas-laptop",
    }
    with about_request("asked-0001"), about_job(4, 9):
        sent = scrubbed(cast("Event", event), {})
    assert sent["tags"] == {"request_id": "asked-0001", "job_id": "4", "study_id": "9"}
    text = json.dumps(sent)
    assert "ValueError" in text
    assert "save" in text
    assert "Refused %s" in text
    assert "anna" not in text
    assert SECRET not in text


@pytest.mark.parametrize("given", ["", "short", "a b c d e f", "x" * 65, "anna@example.org", "ab\ncdefgh"])
def test_an_id_that_is_none_is_replaced(given):
    assert request_id(given) != given
    assert request_id("3f2b9c1e-0001") == "3f2b9c1e-0001"


def test_a_line_names_request_study_and_job_and_no_person():
    record = logging.LogRecord(
        "x",
        logging.INFO,
        __file__,
        1,
        "Mail to %s from %s, /join/%s/",
        ("anna@example.org", "10.1.2.3", SECRET),
        None,
    )
    with about_request("asked-0001"):
        about_study(9)
        line = json.loads(JsonFormatter().format(record))
    assert (line["request_id"], line["study_id"]) == ("asked-0001", 9)
    assert line["message"] == "Mail to … from …, /join/…/"


@pytest.mark.parametrize(
    "address",
    ["203.0.113.9", "2001:db8::7:1", "::1", "::ffff:203.0.113.9", "fe80:0:0:0:1:2:3:4", "2001:DB8::"],
)
def test_a_network_address_in_a_message_is_hidden(address: str) -> None:
    for message in (f"No answer from {address}.", f"[{address}]:443 refused", f"{address}: gone", address):
        assert address not in impersonal(message)


@pytest.mark.parametrize(
    "message", ["ended at 12:30:05", "views.py:12: error", "3:1", "a::b::c", "ratio 16:9", "std::vector"]
)
def test_times_and_positions_in_a_message_stay(message: str) -> None:
    assert impersonal(message) == message
