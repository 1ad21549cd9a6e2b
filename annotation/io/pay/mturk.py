"""The interface of Mechanical Turk, as its public documentation describes it (docs/mturk.md).

`boto3` writes and signs the requests and reads the answers. It is an extra, and loaded in functions alone.
Every request leaves through `ask`, which checks the address, and no request is repeated.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import Any, ClassVar

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.pay.crowd import Decision
from annotation.domain.pay.mturk import ENTITY, STATUSES, WORKER
from annotation.io.base.signed_http import NotAnswered, NotPosted, ask
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

REGION = "us-east-1"
PER_PAGE = 100
MOST_PAGES = 500
LONGEST_QUOTE = 300
NO_ANSWER = "mturk_no_answer"
# The event after the library has signed a request.
BEFORE_SENDING = "before-send.mturk"
KEY_REFUSED = frozenset(
    {
        "UnrecognizedClientException",
        "InvalidSignatureException",
        "AccessDeniedException",
        "InvalidClientTokenId",
    }
)
BUSY = frozenset({"ThrottlingException", "TooManyRequestsException"})


def check_installed() -> None:
    """Refuse where the extra `mturk` is not installed.

    Raises
    ------
    NotAllowedNow
        `mturk_not_installed`.
    """
    if find_spec("boto3") is None:
        raise NotAllowedNow(
            message(
                "This installation cannot call Mechanical Turk, because the package boto3 is missing. "
                "Install the extra “mturk” for the web server and the workers."
            ),
            code="mturk_not_installed",
        )


@dataclass(frozen=True)
class Bonus:
    """A bonus that was paid."""

    worker: str
    assignment: str
    amount: str
    reason: str


class _Body:
    """The bytes of an answer, as the library reads them."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def stream(self, **_: Any) -> Iterator[bytes]:
        """The whole body in one piece."""
        yield self.content


@dataclass(frozen=True)
class MechanicalTurk:
    """The account of an access key.

    Parameters
    ----------
    key, secret : str
        The ID of the access key and its secret, which never appears in a message.
    address : str
        Where the interface is: of the production or of the sandbox.
    private_allowed : bool
        Whether the address may be in a private network and without HTTPS.
    """

    key: str
    secret: str = field(repr=False)
    address: str
    private_allowed: bool = False
    approved_at_once: ClassVar[int] = 1

    def account(self) -> str:
        """The access key in short; asking for the balance shows that it is accepted."""
        self._call("get_account_balance")
        return f"{self.key[:4]}…{self.key[-4:]}"

    def create_study(self, fields: Document, *, check: Callable[[], None]) -> OutsideStudy:
        """Create a HIT, which workers can accept at once."""
        with self._checked_before_sending(check):
            return _hit(self._call("create_hit", **fields))

    def study(self, number: str) -> OutsideStudy:
        """A HIT of the account."""
        return _hit(self._call("get_hit", HITId=_checked(number)))

    def study_named(self, internal_name: str) -> OutsideStudy | None:
        """The HIT that has a name of ours as its annotation, which workers do not see."""
        for number, one in enumerate(self._rows("list_hits", "HITs", "HITId")):
            if number >= MOST_SEARCHED:
                sentence = message(
                    "The account has more than %(n)d HITs, too many to search. Separate this study from "
                    "Mechanical Turk, look for the HIT there, then link it by its ID.",
                    n=MOST_SEARCHED,
                )
                raise Refused(sentence, code="too_many_studies")
            if one.get("RequesterAnnotation") == internal_name:
                return _hit({"HIT": one})
        return None

    def change_places(self, number: str, *, before: int, after: int) -> OutsideStudy:
        """Add assignments; a request that arrives twice adds them once, by its token."""
        token = hashlib.sha256(f"{number} {before} {after}".encode()).hexdigest()
        self._call(
            "create_additional_assignments_for_hit",
            HITId=_checked(number),
            NumberOfAdditionalAssignments=after - before,
            UniqueRequestToken=token,
        )
        return self.study(number)

    def submissions(self, study: str) -> Iterator[Submission]:
        """The assignments of a HIT that were submitted, each once."""
        asked = {"HITId": _checked(study), "AssignmentStatuses": list(STATUSES)}
        for one in self._rows("list_assignments_for_hit", "Assignments", "AssignmentId", **asked):
            status = str(one.get("AssignmentStatus") or "")
            yield Submission(
                number=str(one["AssignmentId"])[:64],
                person=str(one.get("WorkerId") or ""),
                status=STATUSES.get(status, status)[:40],
            )

    def decide(self, decision: Decision, submissions: Sequence[str], *, words: str) -> None:
        """Approve an assignment, which pays its reward, or reject it with a reason for the worker."""
        number = _checked(submissions[0])
        if decision is Decision.APPROVE:
            self._call("approve_assignment", AssignmentId=number)
        else:
            self._call("reject_assignment", AssignmentId=number, RequesterFeedback=words)

    def send_bonus(
        self,
        *,
        worker: str,
        assignment: str,
        amount: str,
        reason: str,
        token: str,
        check: Callable[[], None],
    ) -> None:
        """Pay a bonus in dollars; a request that arrives twice pays once, by its token, for a day.

        `check` is called when the request is signed and before it is sent. What it raises stops the request.
        A request that is sent long after its signature is refused by Mechanical Turk, so that no
        request is carried out later than some minutes after its check.
        """
        if not WORKER.fullmatch(worker):
            raise Refused(
                message("The ID of this worker cannot be one of Mechanical Turk."), code="bad_mturk_id"
            )
        with self._checked_before_sending(check):
            self._call(
                "send_bonus",
                WorkerId=worker,
                AssignmentId=_checked(assignment),
                BonusAmount=amount,
                Reason=reason,
                UniqueRequestToken=token,
            )

    def bonuses_of(self, study: str) -> list[Bonus]:
        """The bonuses that were paid on the assignments of a HIT."""
        rows = self._rows("list_bonus_payments", "BonusPayments", "", HITId=_checked(study))
        names = ("WorkerId", "AssignmentId", "BonusAmount", "Reason")
        return [Bonus(*(str(one.get(name) or "") for name in names)) for one in rows]

    def _rows(self, operation: str, name: str, key: str, **asked: Any) -> Iterator[Document]:
        """All rows of a list, each once by its key; the same page again is the end."""
        seen: set[str] = set()
        tokens: set[str] = set()
        token = ""
        for _ in range(MOST_PAGES):
            page = self._call(
                operation, MaxResults=PER_PAGE, **asked, **({"NextToken": token} if token else {})
            )
            rows = page.get(name)
            if not isinstance(rows, list):
                raise _unreadable()
            for one in rows:
                if key and (not one.get(key) or one[key] in seen):
                    continue
                seen.add(str(one.get(key)))
                yield one
            token = str(page.get("NextToken") or "")
            if not token or token in tokens or not rows:
                return
            tokens.add(token)

    @cached_property
    def _client(self) -> Any:
        import boto3  # an extra
        from botocore.config import Config

        session = boto3.session.Session(
            aws_access_key_id=self.key, aws_secret_access_key=self.secret, region_name=REGION
        )
        once = Config(retries={"total_max_attempts": 1})
        client = session.client("mturk", endpoint_url=self.address, config=once)
        client.meta.events.register(BEFORE_SENDING, self._send)
        return client

    @contextmanager
    def _checked_before_sending(self, check: Callable[[], None]) -> Iterator[None]:
        """Call `check` between the signature of each request and its sending."""

        def checked(**_: Any) -> None:
            check()

        with _readable_settings():
            events = self._client.meta.events
        events.register_first(BEFORE_SENDING, checked)
        try:
            yield
        finally:
            events.unregister(BEFORE_SENDING, checked)

    def _send(self, request: Any, **_: Any) -> Any:
        """Send the signed request of the library, and return the answer to it."""
        from botocore.awsrequest import AWSResponse

        headers = {name: _text(value) for name, value in request.headers.items()}
        body, private = _text(request.body or b""), self.private_allowed
        answer = ask(request.method, request.url, body, headers, private_allowed=private)
        if 200 <= answer.status < 300:
            _check_readable(answer.body)
        return AWSResponse(request.url, answer.status, {}, _Body(answer.body))

    def _call(self, operation: str, **asked: Any) -> Document:
        with _readable_settings():
            client = self._client
        from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

        try:
            found: Document = getattr(client, operation)(**asked)
        except NotAnswered as fault:
            sentence = message("Mechanical Turk did not answer. It is not known whether the request arrived.")
            raise Unknown(sentence, code=NO_ANSWER) from fault
        except NotPosted as fault:
            sentence = message("Mechanical Turk could not be reached. Nothing was sent. Try again.")
            raise NotSent(sentence, code="mturk_unreachable") from fault
        except ClientError as fault:
            raise _refusal(fault.response) from None
        except ParamValidationError as fault:
            raise Refused(message("This cannot be sent to Mechanical Turk."), code="mturk_refused") from fault
        except BotoCoreError as fault:
            raise _unreadable() from fault
        return found


@contextmanager
def _readable_settings() -> Iterator[None]:
    """Refuse where the library is missing, or cannot use the settings of AWS in the environment."""
    check_installed()
    from botocore.exceptions import BotoCoreError

    try:
        yield
    except BotoCoreError as fault:
        sentence = message(
            "The AWS settings in the environment of this worker cannot be used, such as AWS_PROFILE. "
            "Nothing was sent."
        )
        raise NotSent(sentence, code="mturk_unusable") from fault


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _check_readable(body: bytes) -> None:
    try:
        found = json.loads(body or b"{}")
    except ValueError as fault:
        raise _unreadable() from fault
    if not isinstance(found, dict):
        raise _unreadable()


def _checked(number: str) -> str:
    """The ID of a HIT or an assignment."""
    if not ENTITY.fullmatch(number):
        raise Refused(
            message("%(number)s is not an ID of Mechanical Turk.", number=repr(number[:60])),
            code="bad_mturk_id",
        )
    return number


def _refusal(response: Mapping[str, Any]) -> Refused | Unknown:
    error = response.get("Error", {})
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    code, reason = str(error.get("Code") or ""), str(response.get("TurkErrorCode") or "")
    if code in KEY_REFUSED:
        sentence = message(
            "Mechanical Turk does not accept the access key. Check its rights, or enter another."
        )
        return Refused(sentence, code="mturk_token")
    if code in BUSY or status == 429:
        sentence = message("Mechanical Turk takes no more requests now. Wait some minutes, then try again.")
        return Refused(sentence, code="mturk_busy")
    if "AlreadyExists" in reason or status not in REFUSALS:
        sentence = message(
            "Mechanical Turk answered with the status %(status)d (%(reason)s). It is not known whether the "
            "request was carried out.",
            status=status,
            reason=reason or code or "–",
        )
        return Unknown(sentence, code=NO_ANSWER)
    text = " ".join(str(error.get("Message") or response.get("Message") or "").split())[:LONGEST_QUOTE]
    sentence = message(
        "Mechanical Turk refused the request (%(reason)s): %(text)s", reason=reason or code, text=text
    )
    return Refused(sentence, code="mturk_refused")


def _unreadable() -> Unknown:
    return Unknown(message("Mechanical Turk gave an answer that cannot be read."), code=NO_ANSWER)


def _hit(found: Document) -> OutsideStudy:
    hit = found.get("HIT")
    if not isinstance(hit, dict) or not ENTITY.fullmatch(str(hit.get("HITId") or "")):
        raise _unreadable()
    try:
        reward = round(float(hit.get("Reward") or 0) * 100)
    except ValueError:
        reward = 0
    return OutsideStudy(
        number=str(hit["HITId"]),
        status=str(hit.get("HITStatus") or "")[:40],
        places=int(hit.get("MaxAssignments") or 0),
        reward=reward,
    )
