"""A server that answers as the documentation of Mechanical Turk says, for tests; it counts what it paid.

It speaks the protocol of its interface: JSON, with the operation in `X-Amz-Target`. By `manners` it answers
one operation late, twice, wrongly or not at all, and carries it out all the same, or not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from tests.support.outside.unreliable_server import Answered, UnreliableHandler, UnreliableServer, running

KEY, SECRET = "AKIAOFTHELAB00001234", "secret-of-the-lab"
TOKEN = f"{KEY}:{SECRET}"
TARGET = "MTurkRequesterServiceV20170117."
PER_PAGE = 2


class Refusal(Exception):
    """A request that Mechanical Turk refuses."""


class MturkServer(UnreliableServer):
    """Calls have a manner by their operation."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.calls: list[str] = []
        self.hits: dict[str, dict[str, Any]] = {}
        self.assignments: dict[str, dict[str, Any]] = {}
        self.bonuses: list[dict[str, Any]] = []
        self.tokens: set[str] = set()
        self.paid: Counter[str] = Counter()
        self.pays_later = False
        self.pending: list[dict[str, Any]] = []

    def add_assignment(self, worker: str, status: str = "Submitted") -> str:
        """An assignment that a worker has submitted; returns its ID."""
        number = f"ASSIGNMENT{len(self.assignments):04d}"
        self.assignments[number] = {
            "AssignmentId": number,
            "WorkerId": worker,
            "HITId": "HIT0",
            "AssignmentStatus": status,
        }
        return number

    def settle(self) -> None:
        """Make bonuses that were to be paid later visible."""
        self.bonuses += self.pending
        self.pending = []

    def carry_out(self, operation: str, sent: dict[str, Any]) -> dict[str, Any]:
        return OPERATIONS[operation](self, sent)

    def once(self, sent: dict[str, Any], error: str) -> None:
        """Refuse a token that came before, as the documentation says of repeated requests."""
        token = sent.get("UniqueRequestToken")
        if token in self.tokens:
            raise Refusal(error)
        if token:
            self.tokens.add(token)

    def balance(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"AvailableBalance": "10000.00"}

    def create(self, sent: dict[str, Any]) -> dict[str, Any]:
        self.once(sent, "AWS.MechanicalTurk.HitAlreadyExists")
        number = f"HIT{len(self.hits)}"
        names = ("Title", "Reward", "MaxAssignments", "Question", "RequesterAnnotation")
        stored = {name: sent[name] for name in names}
        self.hits[number] = {**stored, "HITId": number, "HITStatus": "Assignable", "sent": sent}
        return {"HIT": self._shown(number)}

    def get(self, sent: dict[str, Any]) -> dict[str, Any]:
        return {"HIT": self._shown(sent["HITId"])}

    def list_hits(self, sent: dict[str, Any]) -> dict[str, Any]:
        return self._page(sent, "HITs", [self._shown(number) for number in self.hits])

    def extend(self, sent: dict[str, Any]) -> dict[str, Any]:
        self._shown(sent["HITId"])
        self.once(sent, "AWS.MechanicalTurk.RequestAlreadyDone")
        self.hits[sent["HITId"]]["MaxAssignments"] += sent["NumberOfAdditionalAssignments"]
        return {}

    def list_assignments(self, sent: dict[str, Any]) -> dict[str, Any]:
        wanted = sent["AssignmentStatuses"]
        rows = [one for one in self.assignments.values() if one["AssignmentStatus"] in wanted]
        return self._page(sent, "Assignments", rows)

    def approve(self, sent: dict[str, Any]) -> dict[str, Any]:
        return self._decide(sent, "Approved")

    def reject(self, sent: dict[str, Any]) -> dict[str, Any]:
        return self._decide(sent, "Rejected")

    def pay(self, sent: dict[str, Any]) -> dict[str, Any]:
        if sent["AssignmentId"] not in self.assignments:
            raise Refusal("AWS.MechanicalTurk.AssignmentDoesNotExist")
        self.once(sent, "AWS.MechanicalTurk.BonusAlreadyExists")
        self.paid[sent["WorkerId"]] += 1
        names = ("WorkerId", "AssignmentId", "BonusAmount", "Reason")
        self.pending.append({name: sent[name] for name in names})
        if not self.pays_later:
            self.settle()
        return {}

    def list_bonuses(self, sent: dict[str, Any]) -> dict[str, Any]:
        return self._page(sent, "BonusPayments", self.bonuses)

    def _decide(self, sent: dict[str, Any], status: str) -> dict[str, Any]:
        found = self.assignments.get(sent["AssignmentId"])
        if found is None or found["AssignmentStatus"] != "Submitted":
            raise Refusal("AWS.MechanicalTurk.InvalidAssignmentState")
        found.update(AssignmentStatus=status, RequesterFeedback=sent.get("RequesterFeedback", ""))
        return {}

    def _shown(self, number: str) -> dict[str, Any]:
        if number not in self.hits:
            raise Refusal("AWS.MechanicalTurk.HITDoesNotExist")
        return {name: value for name, value in self.hits[number].items() if name != "sent"}

    def _page(self, sent: dict[str, Any], name: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
        start = int(sent.get("NextToken") or 0)
        shown = rows[start : start + PER_PAGE]
        more = {"NextToken": str(start + PER_PAGE)} if start + PER_PAGE < len(rows) else {}
        return {name: shown, "NumResults": len(shown), **more}


OPERATIONS: dict[str, Callable[[MturkServer, dict[str, Any]], dict[str, Any]]] = {
    "GetAccountBalance": MturkServer.balance,
    "CreateHIT": MturkServer.create,
    "GetHIT": MturkServer.get,
    "ListHITs": MturkServer.list_hits,
    "CreateAdditionalAssignmentsForHIT": MturkServer.extend,
    "ListAssignmentsForHIT": MturkServer.list_assignments,
    "ApproveAssignment": MturkServer.approve,
    "RejectAssignment": MturkServer.reject,
    "SendBonus": MturkServer.pay,
    "ListBonusPayments": MturkServer.list_bonuses,
}


class _Handler(UnreliableHandler):
    server: MturkServer
    content_type = "application/x-amz-json-1.1"

    def take(self) -> None:
        body = self.body()
        operation = self.headers["X-Amz-Target"].removeprefix(TARGET)
        self.server.calls.append(operation)
        if f"Credential={KEY}/" not in self.headers["Authorization"]:
            self.answer(400, {"__type": "UnrecognizedClientException", "message": "No such key."})
            return

        def carry_out() -> Answered:
            try:
                return 200, self.server.carry_out(operation, json.loads(body))
            except Refusal as refusal:
                return 400, {
                    "__type": "RequestError",
                    "Message": "Refused.",
                    "TurkErrorCode": str(refusal),
                }

        self.answer_in(self.server.manners.get(operation, ""), carry_out)

    def refusal(self, manner: str) -> Answered:
        kind = {"fault": "ServiceFault", "busy": "ThrottlingException", "refused": "RequestError"}[manner]
        error = {"__type": kind, "Message": "Not now.", "TurkErrorCode": "AWS.MechanicalTurk.NotNow"}
        return 500 if manner == "fault" else 400, error


def mturk_server() -> AbstractContextManager[MturkServer]:
    """A server that runs until the test is over."""
    return running(MturkServer())
