"""The log of requests names no person and no link."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest
from gunicorn.config import Config

from annotation.serving.access_log import FORMAT, AccessLog


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/join/s3cret-token/", "/join/…/"),
        ("/join/s3cret-token/declined/", "/join/…/declined/"),
        ("/api/v1/join/s3cret-token/", "/api/v1/join/…/"),
        ("/rate/lamps/", "/rate/lamps/"),
    ],
)
def test_a_line_has_the_path_without_the_token_and_the_persons_id(path, logged):
    config = Config()
    log = AccessLog(config)
    request = SimpleNamespace(headers=[("REFERER", "https://platform/?PROLIFIC_PID=person-one")])
    response = SimpleNamespace(status="200 OK", sent=10, headers=[])
    environ = {
        "RAW_URI": f"{path}?PROLIFIC_PID=person-one",
        "PATH_INFO": path,
        "QUERY_STRING": "PROLIFIC_PID=person-one",
        "REQUEST_METHOD": "GET",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_REFERER": "https://platform/?PROLIFIC_PID=person-one",
    }
    line = config.access_log_format % log.atoms_wrapper_class(
        log.atoms(response, request, environ, timedelta(milliseconds=5))
    )
    assert config.access_log_format == FORMAT
    assert f'"GET {logged} HTTP/1.1" 200 10' in line
    assert "person-one" not in line
    assert "s3cret" not in line
