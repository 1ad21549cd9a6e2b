"""After every address was asked with every kind of secret, no log of any process holds one."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.support.installation import Installation, Server

# Secrets that were never issued: they are sent wherever a secret may occur.
UNISSUED = "s3cret-T0ken_of-nobody-0123456789abcdef"
PERSON = "pers0n-of-a-platform-5f3a"
QUERY = "&".join(
    f"{name}={value}"
    for name, value in {
        "code": UNISSUED,
        "state": UNISSUED,
        "token": UNISSUED,
        "page_key": UNISSUED,
        "PROLIFIC_PID": PERSON,
        "SESSION_ID": PERSON,
        "workerId": PERSON,
        "assignmentId": PERSON,
    }.items()
)
MAKE = """
import json
from django.contrib.sessions.backends.db import SessionStore
from annotation.services.base.tokens import make_token, sign_in_token
from annotation.services.base.webhooks import add_webhook
from annotation.services.rating.enrolment import consent
from tests.support.people import make_cast

cast = make_cast(items=2)
owner = cast.users["owner"]
rater = consent(invitation=cast.invitation)
address = "https://nobody.invalid/hooks/WEBHOOK-ADDRESS-0123456789"
webhook = add_webhook(study=cast.study, actor=owner, address=address, events=["change_state"])
session = SessionStore()
session["raters"] = {str(cast.study.pk): rater.pk}
session.create()
print("MADE" + json.dumps({
    "open link": cast.invitation.token,
    "personal link": rater.invitation.token,
    "token": make_token(user=owner, name="one", scopes=["read"])[1],
    "sign-in": sign_in_token(user=owner)[1],
    "webhook secret": webhook.secret,
    "session": session.session_key,
}))
"""
# What a worker fails at with a secret in its error.
BREAK = """
from annotation.models import Job, Study
from annotation.services.base.jobs import enqueue
study = Study.objects.get(slug="lamps")
job = enqueue(kind="webhook", study=study, params={"delivery": "/join/%s/"}, created_by=None)
print("JOB", job.pk)
"""
GONE = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("ALTER TABLE annotation_invitation RENAME TO annotation_gone")
"""


def routes(resolver: URLResolver | None = None, start: str = "/") -> Iterator[str]:
    """The paths of all addresses; tokens and keys in them are secrets, the rest is of a study."""
    for pattern in (resolver or get_resolver()).url_patterns:
        path = start + str(pattern.pattern).lstrip("^")
        if isinstance(pattern, URLPattern):
            filled = re.sub(r"<str:(token|key)>", UNISSUED, path)
            filled = re.sub(r"<slug:slug>", "lamps", filled)
            filled = re.sub(r"<int:\w+>", "1", filled)
            yield re.sub(r"<\w+:\w+>", "x", filled).replace(r"[\s\S]*/$", "x/")
        else:
            yield from routes(pattern, path)


class Caller:
    """Asks a server over one connection, with a secret in everything that a request has."""

    def __init__(self, server: Server, secrets: dict[str, str]) -> None:
        self.address, self.secrets = urlsplit(server.url), secrets
        self.answers: set[int] = set()

    def ask(
        self, method: str, path: str, *, authorization: str = "", body: str | None = None, host: str = ""
    ) -> int:
        link = f"http://{self.address.netloc}/join/{self.secrets['personal link']}/?{QUERY}"
        headers = {
            "Host": host or self.address.netloc,
            "Referer": link,
            "Cookie": f"sessionid={self.secrets['session']}; csrftoken={UNISSUED[:32]}",
            "Content-Type": "application/json" if body else "application/x-www-form-urlencoded",
        }
        if authorization:
            headers["Authorization"] = authorization
        connection = http.client.HTTPConnection(self.address.hostname or "", self.address.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
        finally:
            connection.close()
        self.answers.add(answer.status)
        return answer.status

    def raw(self, line: str) -> None:
        """What is no HTTP, which the web server itself refuses."""
        connection = http.client.HTTPConnection(self.address.hostname or "", self.address.port, timeout=60)
        connection.connect()
        connection.sock.sendall(line.encode())
        with contextlib.suppress(OSError):
            connection.sock.recv(1000)
        connection.close()


def ask_everything(caller: Caller) -> None:
    secrets = caller.secrets
    for path in routes():
        query = f"{path}?{QUERY}"
        caller.ask("GET", query)
        caller.ask("POST", query, body=json.dumps({"token": UNISSUED, "page_key": UNISSUED, "code": PERSON}))
        if path.startswith("/api/"):
            caller.ask("PUT", query, authorization=f"Token {secrets['token']}", body="{" + UNISSUED)
    for token in (secrets["open link"], secrets["personal link"], UNISSUED):
        for start in ("/join/", "/api/v1/join/", "//join//", "/account/reset/1-"):
            path = f"{start}{token}/"
            for method in ("GET", "POST"):
                caller.ask(method, path, body="{")
                caller.ask(method, f"{path}?{QUERY}", host=f"evil.example{quote(path)}")
                caller.ask(method, f"/account/login/?next={quote(path, safe='')}")
        for scheme in ("Token", "Invitation", "Bearer"):
            caller.ask("GET", "/api/v1/studies/lamps/", authorization=f"{scheme} {token}")
            caller.ask("GET", "/api/v1/rate/lamps/next/", authorization=f"{scheme} {token} {token}")
        caller.raw(f"GET /join/{token}/?{QUERY} HTTP/9.9\r\nAuthorization: Token {token}\r\n\r\n")
        caller.raw(f"/join/{token}/?{QUERY}\r\n\r\n")


@pytest.mark.processes
def test_no_log_holds_a_secret_after_every_address_was_asked_with_every_secret(migrated: Installation):
    made = migrated.run_script(MAKE)
    secrets: dict[str, str] = json.loads(made[made.index("MADE") + 4 :])
    with migrated.serve("--bind", "127.0.0.1:0") as server:
        caller = Caller(server, secrets)
        ask_everything(caller)
        migrated.run_script(BREAK % UNISSUED)
        wait_for("ValueError", migrated.var / "log" / "worker.log")
        migrated.run_script(GONE)
        for token in (secrets["personal link"], UNISSUED):
            assert caller.ask("GET", f"/join/{token}/?{QUERY}") == 500
            assert caller.ask("GET", f"/api/v1/join/{token}/?{QUERY}") == 500
        printed = server.printed
    assert {200, 400, 401, 403, 404, 405, 500} <= caller.answers
    logs = {file.name: file.read_text("utf-8") for file in (migrated.var / "log").iterdir()} | {"": printed}
    assert "Traceback" in logs["web.log"]
    assert "Traceback" in logs["worker.log"]
    assert "/join/…/" in logs["access.log"]
    every = {**secrets, "nobody's": UNISSUED, "person": PERSON, "address": "WEBHOOK-ADDRESS"}
    found = [(name, what) for what, secret in every.items() for name, log in logs.items() if secret in log]
    assert found == []
    assert open_to_others(migrated.var) == []


def wait_for(word: str, log: Path, seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while word not in log.read_text("utf-8"):
        assert time.monotonic() < until, log.read_text("utf-8")
        time.sleep(0.1)


def open_to_others(folder: Path) -> list[str]:
    """What others than its owner may open: nothing, in an installation that has worked."""
    paths = [path for path in (folder, *folder.rglob("*")) if not path.is_symlink()]
    return [str(path) for path in paths if stat.S_IMODE(path.stat().st_mode) & 0o077]
