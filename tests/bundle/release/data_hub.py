"""A data hub on this machine that takes data sets as the public one does, from its own client."""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.ports import listening

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class Received:
    """The data sets of the hub: whether each is private, and its files."""

    token: str
    visibility: dict[str, str] = field(default_factory=dict)
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    address: str = ""


class DataHub(BaseHTTPRequestHandler):
    received: Received

    def log_message(self, *_: Any) -> None:
        """Tests need no log of requests."""

    def do_GET(self) -> None:
        """The list of the files of a data set, and what else is asked of it."""
        path = self.path.partition("?")[0].strip("/").split("/")
        name = "/".join(path[2:4])
        if name not in self.received.files:
            return self._answer(404, {"error": "Repository not found"})
        files = sorted(self.received.files[name])
        if "tree" in path:
            return self._answer(
                200, [{"type": "file", "path": one, "size": 1, "oid": "0" * 40} for one in files]
            )
        if "commits" in path:
            commits = [{"title": one, "message": one} for one in reversed(self.received.messages)]
            whose = {"id": COMMIT, "authors": [], "date": "2026-01-01T00:00:00.000Z"}
            return self._answer(200, [one | whose for one in commits])
        siblings = [{"rfilename": one} for one in files]
        private = self.received.visibility.get(name) == "private"
        return self._answer(200, {"id": name, "sha": COMMIT, "siblings": siblings, "private": private})

    def do_POST(self) -> None:
        body = self._body()
        if self.headers.get("Authorization") != f"Bearer {self.received.token}":
            return self._answer(401, {"error": "Invalid token"})
        if self.path == "/api/repos/create":
            name = f"{body['organization']}/{body['name']}"
            self.received.visibility.setdefault(name, body.get("visibility", ""))
            self.received.files.setdefault(name, {})
            return self._answer(200, {"url": f"{self.received.address}/datasets/{name}"})
        if self.path == "/api/validate-yaml":
            return self._answer(200, {"errors": [], "warnings": []})
        name = "/".join(self.path.split("/")[3:5])
        if "/preupload/" in self.path:
            regular = {"uploadMode": "regular", "shouldIgnore": False}
            return self._answer(200, {"files": [{"path": one["path"], **regular} for one in body["files"]]})
        self._commit(name, body)
        url = f"{self.received.address}/datasets/{name}/commit/{COMMIT}"
        return self._answer(200, {"success": True, "commitOid": COMMIT, "commitUrl": url})

    def _commit(self, name: str, lines: list[dict[str, Any]]) -> None:
        files = self.received.files[name]
        for line in lines:
            value = line["value"]
            if line["key"] == "header":
                self.received.messages.append(value["summary"])
            elif line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "deletedFile":
                files.pop(value["path"], None)

    def _body(self) -> Any:
        text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if "ndjson" in self.headers.get("Content-Type", ""):
            return [json.loads(line) for line in text.splitlines() if line]
        return json.loads(text)

    def _answer(self, status: int, content: Any) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextlib.contextmanager
def data_hub(token: str) -> Iterator[Received]:
    """Serve a hub that knows one token; gives what it received."""
    received = Received(token)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("OwnDataHub", (DataHub,), {"received": received}))
    received.address = f"http://127.0.0.1:{server.server_address[1]}"
    with listening(server):
        yield received
