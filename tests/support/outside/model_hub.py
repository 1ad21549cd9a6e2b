"""A model hub on this machine: folders of files, served as the public one serves them."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.ports import listening

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(BaseHTTPRequestHandler):
    """Answers for `root/ORGANISATION/NAME/FILE`, every one at the same commit, which is also `main`."""

    root: Path

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def log_message(self, *_: Any) -> None:
        """Tests need no log of requests."""

    def _answer(self, *, with_body: bool) -> None:
        parts = self.path.partition("?")[0].strip("/").split("/")
        if parts[:2] == ["api", "models"]:
            body = self._listed(self.root / parts[2] / parts[3], parts[4], revision=parts[-1])
        else:
            path = self.root / parts[0] / parts[1] / parts[-1]
            body = path.read_bytes() if path.is_file() else None
        if body is None:
            self.send_response(404)
            self.send_header("X-Error-Code", "RepoNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", f'"{hashlib.sha1(body, usedforsecurity=False).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def _listed(self, folder: Path, what: str, *, revision: str) -> bytes | None:
        if not folder.is_dir() or revision not in {"main", COMMIT}:
            return None
        files = sorted(path.name for path in folder.iterdir())
        if what == "tree":
            rows = [
                {"type": "file", "path": name, "size": (folder / name).stat().st_size, "oid": "0" * 40}
                for name in files
            ]
            return json.dumps(rows).encode()
        siblings = [{"rfilename": name} for name in files]
        about = {"id": f"{folder.parent.name}/{folder.name}", "sha": COMMIT, "siblings": siblings}
        return json.dumps(about).encode()


@contextlib.contextmanager
def running(root: Path) -> Iterator[str]:
    """Serve the folders below `root`; gives the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Hub", (Hub,), {"root": root}))
    with listening(server):
        yield f"http://127.0.0.1:{server.server_address[1]}"
