"""The interface of Prolific over HTTP, as its public documentation describes it (docs/prolific.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar
from urllib.parse import urlencode

from annotation.domain.base.messages import message
from annotation.domain.pay.crowd import Decision
from annotation.io.base.signed_http import Answer, NotAnswered, NotPosted, ask, unchecked
from annotation.io.pay.crowd import (
    MOST_SEARCHED,
    REFUSALS,
    Document,
    NotSent,
    OutsideStudy,
    Refused,
    Submission,
    Unknown,
)

NUMBER = re.compile(r"[A-Za-z0-9_-]{1,60}")
PER_PAGE = 100
MOST_PAGES = 500
MOST_APPROVED = 1000
LONGEST_QUOTE = 300
NO_ANSWER = "prolific_no_answer"


@dataclass(frozen=True)
class Prolific:
    """The account of a token.

    Parameters
    ----------
    token : str
        The token of the account; it never appears in a message.
    address : str
        Where the interface is, without a path.
    private_allowed : bool
        Whether the address may be in a private network and without HTTPS.
    """

    token: str = field(repr=False)
    address: str
    private_allowed: bool = False
    approved_at_once: ClassVar[int] = MOST_APPROVED

    def account(self) -> str:
        """The name or address by which the account of the token is known."""
        found = self._document("GET", "users/me/")
        known = (str(found.get(name) or "") for name in ("email", "name", "username", "id"))
        return next((one[:200] for one in known if one), "–")

    def create_study(self, fields: Document, *, check: Callable[[], None]) -> OutsideStudy:
        """Create a draft, which is not visible on Prolific until it is published there."""
        return _study(self._document("POST", "studies/", fields, check))

    def study(self, number: str) -> OutsideStudy:
        """A study of the account."""
        return _study(self._document("GET", f"studies/{_checked(number)}/"))

    def study_named(self, internal_name: str) -> OutsideStudy | None:
        """The study of the account with an internal name, if there is one; refused for a very long list."""
        for number, one in enumerate(self._rows("studies/", {})):
            if number >= MOST_SEARCHED:
                sentence = message(
                    "The account has more than %(n)d studies, too many to search. Separate this study from "
                    "Prolific, look for the draft there, then link it by its ID.",
                    n=MOST_SEARCHED,
                )
                raise Refused(sentence, code="too_many_studies")
            if one.get("internal_name") == internal_name:
                return self.study(str(one.get("id", "")))
        return None

    def change_places(self, number: str, *, before: int, after: int) -> OutsideStudy:
        """Set the total of places of a study, which Prolific lets only grow once it is published."""
        fields = {"total_available_places": max(before, after)}
        return _study(self._document("PATCH", f"studies/{_checked(number)}/", fields))

    def submissions(self, study: str) -> Iterator[Submission]:
        """The submissions of a study, each once, ordered by their start."""
        for one in self._rows("submissions/", {"study": _checked(study), "ordering": "started_at"}):
            if number := str(one.get("id") or ""):
                yield _submission(number, one)

    def bonuses_of(self, submission: str) -> list[int]:
        """The bonuses that were paid on a submission, in cents."""
        found = self._document("GET", f"submissions/{_checked(submission)}/").get("bonus_payments") or []
        if not isinstance(found, list):
            raise _unreadable()
        return [round(float(one)) for one in found]

    def decide(self, decision: Decision, submissions: Sequence[str], *, words: str) -> None:
        """Approve submissions, ask for the return of one, or complete one by a code of the team."""
        first = _checked(submissions[0])
        if decision is Decision.APPROVE:
            numbers = [_checked(one) for one in submissions]
            self._call("POST", "submissions/bulk-approve/", {"submission_ids": numbers})
        elif decision is Decision.RETURN:
            fields: Document = {"request_return_reasons": [words]}
            self._call("POST", f"submissions/{first}/request-return/", fields)
        else:
            fields = {"action": "COMPLETE", "completion_code": words}
            self._call("POST", f"submissions/{first}/transition/", fields)

    def prepare_bonuses(self, study: str, lines: Sequence[tuple[str, str]]) -> str:
        """Set up bonuses by submission and amount, which pays nothing; returns the number of the batch."""
        rows = "\n".join(f"{_checked(submission)},{amount}" for submission, amount in lines)
        fields = {"study_id": _checked(study), "csv_bonuses": rows}
        number = str(self._document("POST", "submissions/bonus-payments/", fields).get("id") or "")
        if not NUMBER.fullmatch(number):
            raise _unreadable()
        return number

    def pay_bonuses(self, batch: str, *, check: Callable[[], None]) -> None:
        """Pay a batch. Each call pays it again: nothing here ever repeats a call.

        `check` is called when Prolific is connected and before the request is sent. What it raises stops the
        request.
        """
        self._call("POST", f"bulk-bonus-payments/{_checked(batch)}/pay/", {}, check)

    def _rows(self, path: str, query: Mapping[str, str]) -> Iterator[Document]:
        """All rows of a list; a page without new rows is the end, whatever count it states."""
        seen: set[str] = set()
        for number in range(1, MOST_PAGES + 1):
            asked = urlencode({**query, "page": number, "page_size": PER_PAGE})
            found = self._document("GET", f"{path}?{asked}")
            rows = found.get("results")
            if not isinstance(rows, list):
                raise _unreadable()
            fresh = [one for one in rows if isinstance(one, dict) and str(one.get("id", "")) not in seen]
            seen.update(str(one.get("id", "")) for one in fresh)
            yield from fresh
            if not fresh or len(seen) >= _count(found, otherwise=len(seen) + len(rows) - PER_PAGE + 1):
                return

    def _document(
        self,
        method: str,
        path: str,
        fields: Document | None = None,
        check: Callable[[], None] = unchecked,
    ) -> Document:
        answer = self._call(method, path, fields, check)
        try:
            found = json.loads(answer.body)
        except ValueError as fault:
            raise _unreadable() from fault
        if not isinstance(found, dict):
            raise _unreadable()
        return found

    def _call(
        self,
        method: str,
        path: str,
        fields: Document | None = None,
        check: Callable[[], None] = unchecked,
    ) -> Answer:
        body = "" if fields is None else json.dumps(fields)
        address = f"{self.address.rstrip('/')}/api/v1/{path}"
        headers = {"Authorization": f"Token {self.token}"}
        try:
            answer = ask(method, address, body, headers, private_allowed=self.private_allowed, check=check)
        except NotAnswered as fault:
            sentence = message("Prolific did not answer. It is not known whether the request arrived.")
            raise Unknown(sentence, code=NO_ANSWER) from fault
        except NotPosted as fault:
            sentence = message("Prolific could not be reached. Nothing was sent. Try again.")
            raise NotSent(sentence, code="prolific_unreachable") from fault
        if 200 <= answer.status < 300:
            return answer
        if answer.status in REFUSALS:
            raise _refusal(answer)
        sentence = message(
            "Prolific answered with the status %(status)d. It is not known whether the request was carried "
            "out.",
            status=answer.status,
        )
        raise Unknown(sentence, code=NO_ANSWER)


def _checked(number: str) -> str:
    """A number of Prolific, which becomes a part of an address."""
    if not NUMBER.fullmatch(number):
        raise Refused(
            message("%(number)s is not an ID of Prolific.", number=repr(number[:60])), code="bad_prolific_id"
        )
    return number


def _refusal(answer: Answer) -> Refused:
    if answer.status == 401:
        sentence = message("Prolific does not accept the token. Create a new one there, and connect again.")
        return Refused(sentence, code="prolific_token")
    if answer.status == 429:
        return Refused(
            message("Prolific takes no more requests now. Wait some minutes, then try again."),
            code="prolific_busy",
        )
    text = " ".join(answer.body.decode(errors="replace").split())[:LONGEST_QUOTE]
    sentence = message(
        "Prolific refused the request (status %(status)d): %(text)s", status=answer.status, text=text or "–"
    )
    return Refused(sentence, code="prolific_refused")


def _unreadable() -> Unknown:
    return Unknown(message("Prolific gave an answer that cannot be read."), code=NO_ANSWER)


def _count(found: Document, *, otherwise: int) -> int:
    """The number of rows of a list; if it does not state it, a full page is followed by another."""
    meta = found.get("meta")
    count = meta.get("count") if isinstance(meta, dict) else None
    return count if isinstance(count, int) else otherwise


def _study(found: Document) -> OutsideStudy:
    number = str(found.get("id") or "")
    if not NUMBER.fullmatch(number):
        raise _unreadable()
    places, reward = (found.get(name) for name in ("total_available_places", "reward"))
    return OutsideStudy(
        number=number,
        status=str(found.get("status") or "")[:40],
        places=int(places) if isinstance(places, int | float) else 0,
        reward=int(reward) if isinstance(reward, int | float) else 0,
    )


def _submission(number: str, found: Document) -> Submission:
    person = found.get("participant_id") or found.get("participant") or ""
    return Submission(
        number=number[:60],
        person=str(person),
        status=str(found.get("status") or "").replace("_", " ")[:40],
        code=str(found.get("study_code") or found.get("entered_code") or "")[:60],
        return_requested=bool(found.get("return_requested")),
    )
