"""What a program does at a running demo: it rates an item, reads it again, and has a report computed."""

from __future__ import annotations

import json
import re
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

STUDY = "everyday-similes"
ANSWERS = {"quality": 4, "creativity": 2, "informativeness": 3}
REPORT_SECONDS = 120.0


@dataclass(frozen=True)
class Rated:
    """A rated item: who rated it, and under which number."""

    token: str
    assignment: int


def call(url: str, body: Mapping[str, Any] | None = None, *, sign: str = "") -> Any:
    """One request of the API and its answer; with a body it is a POST."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": sign} if sign else {})
    data = None if body is None else json.dumps(body).encode()
    return json.loads(_fetch(urllib.request.Request(url, data=data, headers=headers)))


def read(url: str, *, sign: str = "") -> str:
    """The text of a page or a file."""
    return _fetch(urllib.request.Request(url, headers={"Authorization": sign} if sign else {})).decode()


def _fetch(request: urllib.request.Request) -> bytes:
    # No proxy from the environment: these requests stay on this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=60) as response:
        answer: bytes = response.read()
        return answer


def rate_an_item(url: str, printed: str) -> Rated:
    """Join by the link that the start printed, and rate the first item."""
    link = re.search(r"/join/([\w-]+)/", printed)
    assert link is not None, printed
    token = call(f"{url}/api/v1/join/{link[1]}/", {"agree": True})["token"]
    place = f"{url}/api/v1/rate/{STUDY}/next/"
    page = call(place, sign=f"Invitation {token}")
    shown = {"assignment": page["assignment"], "page_key": page["page_key"]}
    shown["version"] = page["form"]["version"]
    call(place, {**shown, "answers": ANSWERS}, sign=f"Invitation {token}")
    return Rated(token, page["assignment"])


def answers_of(url: str, rated: Rated) -> dict[str, int]:
    """The answers that the installation has of a rated item."""
    page = call(f"{url}/api/v1/rate/{STUDY}/{rated.assignment}/", sign=f"Invitation {rated.token}")
    return {name: int(value) for name, value in page["answer"]["answers"].items()}


def researcher(url: str, printed: str) -> str:
    """Sign in as the researcher that the start printed."""
    access = re.search(r"researcher: +(\S+) +password: +(\S+)", printed)
    assert access is not None, printed
    return f"Token {call(f'{url}/api/v1/auth/token/', {'email': access[1], 'password': access[2]})['token']}"


def report(url: str, sign: str) -> dict[str, Any]:
    """The reliability report, once a worker has computed it."""
    job = call(f"{url}/api/v1/studies/{STUDY}/reports/", {"replicates": 50}, sign=sign)["id"]
    until = time.monotonic() + REPORT_SECONDS
    while True:
        state = call(f"{url}/api/v1/jobs/{job}/", sign=sign)
        if state["state"] == "done":
            found: dict[str, Any] = call(state["report_url"], sign=sign)
            return found
        assert state["state"] in {"queued", "running"}, state
        assert time.monotonic() < until, state
        time.sleep(0.5)
