"""A server on this machine that stores objects as S3 does, each as a file of a folder."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from tests.support.ports import listening

BUCKET, ACCESS_KEY, SECRET_KEY = "studies", "a-key-for-tests", "a-secret-for-tests"
RANGE = re.compile(r"bytes=(\d+)-(\d+)")
CHUNK = re.compile(rb"([0-9a-f]+)(;[^\r\n]*)?\r\n")
PIECE = 64 * 1024


class ObjectStore(BaseHTTPRequestHandler):
    """Puts, gets, lists and deletes objects; requests without a signature of the key are refused."""

    protocol_version = "HTTP/1.1"
    root: Path
    asked: list[tuple[str, str]]
    address: str

    def do_PUT(self) -> None:
        if not self._is_signed():
            return
        path = self._path()
        path.parent.mkdir(parents=True, exist_ok=True)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        path.write_bytes(
            _unchunked(body) if "aws-chunked" in self.headers.get("Content-Encoding", "") else body
        )
        self._send(200, {"ETag": _tag(path)})

    def do_HEAD(self) -> None:
        self._get(with_body=False)

    def do_GET(self) -> None:
        asked = parse_qs(urlsplit(self.path).query)
        if "prefix" in asked:
            self._list(asked["prefix"][0])
        else:
            self._get(with_body=True)

    def do_DELETE(self) -> None:
        if self._is_signed():
            self._path().unlink(missing_ok=True)
            self._send(204, {})

    def log_message(self, *_: Any) -> None:
        """Tests need no log of requests."""

    def _is_signed(self) -> bool:
        signed = self.headers.get("Authorization", "").startswith(
            f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/"
        )
        self.asked.append((self.command, self.headers.get("Range", "")))
        if not signed:
            self._send(403, {}, b"<Error><Code>AccessDenied</Code></Error>")
        return signed

    def _path(self) -> Path:
        return self.root / unquote(urlsplit(self.path).path).lstrip("/")

    def _get(self, *, with_body: bool) -> None:
        if not self._is_signed():
            return
        path = self._path()
        if not path.is_file():
            self._send(404, {}, b"<Error><Code>NoSuchKey</Code></Error>" if with_body else b"")
            return
        size = path.stat().st_size
        part = RANGE.fullmatch(self.headers.get("Range", ""))
        first, last = (int(part[1]), min(int(part[2]), size - 1)) if part else (0, size - 1)
        self.send_response(206 if part else 200)
        self.send_header("ETag", _tag(path))
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.send_header("Content-Length", str(last - first + 1))
        if part:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.end_headers()
        if with_body:
            with path.open("rb") as file:
                file.seek(first)
                left = last - first + 1
                while left and (piece := file.read(min(PIECE, left))):
                    self.wfile.write(piece)
                    left -= len(piece)

    def _list(self, prefix: str) -> None:
        if not self._is_signed():
            return
        folder = self.root / BUCKET / prefix
        names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
        rows = "".join(f"<Contents><Key>{escape(prefix + name)}</Key></Contents>" for name in names)
        self._send(
            200, {}, f"<ListBucketResult><Prefix>{escape(prefix)}</Prefix>{rows}</ListBucketResult>".encode()
        )

    def _send(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _tag(path: Path) -> str:
    with path.open("rb") as file:
        return f'"{hashlib.file_digest(file, "md5").hexdigest()}"'


def _unchunked(body: bytes) -> bytes:
    """The content of a body in signed chunks."""
    content, place = b"", 0
    while found := CHUNK.match(body, place):
        length = int(found[1], 16)
        if not length:
            break
        content += body[found.end() : found.end() + length]
        place = found.end() + length + 2
    return content


@contextlib.contextmanager
def running(root: Path) -> Iterator[type[ObjectStore]]:
    """Store objects below `root`; gives the handler, which knows what was asked, with its `address`."""
    handler: type[ObjectStore] = type("Store", (ObjectStore,), {"root": root, "asked": []})
    with listening(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        handler.address = f"http://127.0.0.1:{server.server_address[1]}"
        yield handler
    shutil.rmtree(root, ignore_errors=True)


def settings_of(address: str) -> dict[str, str]:
    """The environment in which an installation stores its media there."""
    return {
        "GROUNDWORK_MEDIA_BUCKET": BUCKET,
        "GROUNDWORK_MEDIA_ENDPOINT": address,
        "GROUNDWORK_MEDIA_REGION": "us-east-1",
        "GROUNDWORK_MEDIA_ACCESS_KEY": ACCESS_KEY,
        "GROUNDWORK_MEDIA_SECRET_KEY": SECRET_KEY,
    }
