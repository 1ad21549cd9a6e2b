"""A server that answers as the documentation of Prolific says, for tests; it counts what it paid.

It is not idempotent: a batch of bonuses that is paid twice is paid twice. By `manners` it answers one call
late, twice, wrongly or not at all, and carries it out all the same, or not.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.outside.unreliable_server import Answered, UnreliableHandler, UnreliableServer, running

TOKEN = "token-of-the-lab"


class ProlificServer(UnreliableServer):
    """Calls have a manner by the end of their path."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.calls: list[tuple[str, str]] = []
        self.studies: dict[str, dict[str, Any]] = {}
        self.submissions: dict[str, dict[str, Any]] = {}
        self.batches: dict[str, list[tuple[str, float]]] = {}
        self.paid: Counter[str] = Counter()
        self.asked_to_return: Counter[str] = Counter()
        self.pays_later = False
        self.pending: list[tuple[str, float]] = []

    def add_submission(self, person: str, status: str = "AWAITING REVIEW", code: str = "") -> str:
        """A submission of a person in the study; returns its number."""
        number = f"s{len(self.submissions):023d}"
        self.submissions[number] = {
            "id": number,
            "participant_id": person,
            "status": status,
            "study_code": code or None,
            "return_requested": None,
            "bonus_payments": [],
        }
        return number

    def count(self, end: str) -> int:
        """How many calls came whose path ends so."""
        return sum(path.endswith(end) for _, path in self.calls)

    def settle(self) -> None:
        """Make the bonuses that were to be paid later visible on their submissions."""
        for number, amount in self.pending:
            self.submissions[number]["bonus_payments"].append(round(amount * 100))
        self.pending = []

    def carry_out(self, method: str, path: str, query: dict[str, list[str]], sent: Any) -> tuple[int, Any]:
        parts = path.strip("/").split("/")
        if parts == ["users", "me"]:
            return 200, {"id": "u1", "email": "lab@example.org"}
        if parts[0] == "studies":
            return self._study(method, parts, sent)
        if parts[0] == "bulk-bonus-payments" and parts[2:] == ["pay"]:
            return self._pay(parts[1])
        if parts[0] == "submissions":
            return self._submission(parts, query, sent)
        return 404, {"error": "Not found."}

    def _study(self, method: str, parts: list[str], sent: Any) -> tuple[int, Any]:
        if len(parts) == 1 and method == "POST":
            number = f"study{len(self.studies)}"
            self.studies[number] = {**sent, "id": number, "status": "UNPUBLISHED"}
            return 201, self.studies[number]
        if len(parts) == 1:
            return 200, {"results": list(self.studies.values())}
        if parts[1] not in self.studies:
            return 404, {"error": "There is no such study."}
        if method == "PATCH":
            self.studies[parts[1]].update(sent)
        return 200, self.studies[parts[1]]

    def _submission(self, parts: list[str], query: dict[str, list[str]], sent: Any) -> tuple[int, Any]:
        if len(parts) == 1:
            return self._list(query)
        if parts[1] == "bulk-approve":
            for number in sent["submission_ids"]:
                self.submissions[number]["status"] = "APPROVED"
            return 200, "The request was taken."
        if parts[1] == "bonus-payments":
            return self._prepare(sent)
        found = self.submissions.get(parts[1])
        if found is None:
            return 404, {"error": "There is no such submission."}
        if parts[2:] == ["request-return"]:
            self.asked_to_return[parts[1]] += 1
            found["return_requested"] = "2026-01-15T09:30:00Z"
        elif parts[2:] == ["transition"]:
            found["status"] = "SCREENED OUT"
        return 200, found

    def _list(self, query: dict[str, list[str]]) -> tuple[int, Any]:
        page, size = int(query["page"][0]), int(query["page_size"][0])
        rows = [{k: v for k, v in one.items() if k != "bonus_payments"} for one in self.submissions.values()]
        return 200, {"results": rows[(page - 1) * size : page * size], "meta": {"count": len(rows)}}

    def _prepare(self, sent: Any) -> tuple[int, Any]:
        lines = [row.split(",") for row in sent["csv_bonuses"].split("\n")]
        unknown = [number for number, _ in lines if number not in self.submissions]
        if unknown:
            return 400, {"error": f"Not in this study: {unknown}"}
        number = f"bulk{len(self.batches)}"
        self.batches[number] = [(submission, float(amount)) for submission, amount in lines]
        return 201, {"id": number, "study": sent["study_id"]}

    def _pay(self, number: str) -> tuple[int, Any]:
        if number not in self.batches:
            return 404, {"error": "There is no such batch."}
        for submission, amount in self.batches[number]:
            self.paid[submission] += 1
            self.pending.append((submission, amount))
        if not self.pays_later:
            self.settle()
        return 202, "The batch is being processed."


class _Handler(UnreliableHandler):
    server: ProlificServer

    def take(self) -> None:
        body = self.body()
        parts = urlsplit(self.path)
        path = parts.path.removeprefix("/api/v1/")
        self.server.calls.append((self.command, path))
        if self.headers["Authorization"] != f"Token {TOKEN}":
            self.answer(401, {"error": "No valid token."})
            return
        manner = next((m for end, m in self.server.manners.items() if path.endswith(end)), "")
        sent = json.loads(body) if body else None
        self.answer_in(manner, lambda: self.server.carry_out(self.command, path, parse_qs(parts.query), sent))

    def refusal(self, manner: str) -> Answered:
        return {"fault": 500, "busy": 429, "refused": 400}[manner], {"error": "Not now."}


def prolific_server() -> AbstractContextManager[ProlificServer]:
    """A server that runs until the test is over."""
    return running(ProlificServer())
