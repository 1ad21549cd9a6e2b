"""A service that pays, for tests: it counts what it paid, and answers late, twice, wrongly or not at all.

It is not idempotent: a batch that is sent twice is paid twice.
"""

from __future__ import annotations

import json
import os
import threading
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID

from annotation.domain.base.platforms import Platform
from annotation.domain.pay.payment_states import PaymentKind
from annotation.services.pay.payers import Batch, Outcome, Outcomes, OutcomeUnknown
from tests.support.ports import listening

ADDRESS = "TEST_PAYMENT_SERVICE"
TIMEOUT_SECONDS = 1.0
# In a worker that is killed in the middle of a call, the call must last until then.
PATIENCE = "TEST_PAYMENT_PATIENCE"


class PaymentService(ThreadingHTTPServer):
    """`manner` says how calls are answered; `paid` counts how often each payment was made."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.manner = "answers"
        self.forgets = False
        self.remembered: set[str] = set()
        self.refused: set[str] = set()
        self.paid: Counter[str] = Counter()
        self.known: dict[str, dict[str, dict[str, Any]]] = {}
        self.calls: list[str] = []
        self.released = threading.Event()
        self.called = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def pay(self, batch: str, payments: Collection[str]) -> None:
        """Make the payments of a batch that are not to be refused."""
        made = set(payments) - self.refused
        self.paid.update(made)
        self.known[batch] = {key: {"made": key in made, "reference": f"P-{key[:4]}"} for key in payments}


class _Handler(BaseHTTPRequestHandler):
    server: PaymentService

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        manner = self.server.manner
        self.server.calls.append("send")
        if manner == "not taken":
            self._answer({}, status=503)
            return
        self.server.pay(sent["batch"], sent["lines"])
        self.server.called.set()
        if manner == "too late":
            self.server.released.wait(30)
        if manner in {"too late", "lost"}:
            self.close_connection = True
            return
        if manner == "unreadable":
            self._write(b"<html>paid</html>", 200)
            return
        for _ in range(2 if manner == "doubled" else 1):
            self._answer(self.server.known[sent["batch"]])

    def do_GET(self) -> None:
        self.server.calls.append("read")
        batch = self.path.strip("/").partition("/")[2]
        forgotten = self.server.forgets and batch not in self.server.remembered
        self._answer({} if forgotten else self.server.known.get(batch, {}))

    def _answer(self, outcomes: dict[str, Any], status: int = 200) -> None:
        self._write(json.dumps(outcomes).encode(), status)

    def _write(self, body: bytes, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


class HttpPayer:
    """Pays everything for raters from Prolific by the service at the address in the environment."""

    platform = Platform.PROLIFIC
    kinds = tuple(PaymentKind)

    def send(self, batch: Batch) -> Outcomes:
        amounts = {str(one.payment): str(one.amount) for one in batch.lines}
        body = json.dumps({"batch": str(batch.key), "lines": amounts}).encode()
        return self._asked(urllib.request.Request(f"{os.environ[ADDRESS]}/batches/", data=body))

    def read_back(self, batch: Batch) -> Outcomes:
        return self._asked(urllib.request.Request(f"{os.environ[ADDRESS]}/batches/{batch.key}/"))

    def _asked(self, request: urllib.request.Request) -> Outcomes:
        try:
            with urllib.request.urlopen(
                request, timeout=float(os.environ.get(PATIENCE, TIMEOUT_SECONDS))
            ) as answer:
                payload = json.loads(answer.read())
        except (OSError, HTTPException, ValueError) as fault:
            raise OutcomeUnknown(str(fault)) from fault
        return {UUID(key): Outcome(one["made"], one["reference"]) for key, one in payload.items()}


@contextmanager
def payment_service() -> Iterator[PaymentService]:
    """A service that runs until the test is over, with its address in the environment."""
    server = PaymentService()
    before = os.environ.get(ADDRESS)
    os.environ[ADDRESS] = server.address
    try:
        with listening(server):
            yield server
    finally:
        server.released.set()
        os.environ.pop(ADDRESS) if before is None else os.environ.update({ADDRESS: before})
