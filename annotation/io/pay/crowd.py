"""The common interface of crowd platforms: requests, answers and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from annotation.domain.base.errors import GroundworkError
from annotation.domain.pay.crowd import Decision

Document = Mapping[str, Any]

# Statuses of a request that was understood and not carried out. With others, it may have been carried out.
REFUSALS = frozenset({400, 401, 403, 404, 405, 422, 429})
# The number of studies of an account among which one is searched.
MOST_SEARCHED = 3000


class NotSent(GroundworkError):
    """No server could be reached, so that nothing was sent."""


class Refused(GroundworkError):
    """The platform refused a request: nothing was done."""


class Unknown(GroundworkError):
    """No answer came, so it is not known whether a request was carried out."""


@dataclass(frozen=True)
class Submission:
    """A submission in the list of a study."""

    number: str
    person: str
    status: str
    code: str = ""
    return_requested: bool = False


@dataclass(frozen=True)
class OutsideStudy:
    """A study on the platform; `reward` is in cents."""

    number: str
    status: str
    places: int
    reward: int


class CrowdClient(Protocol):
    """The account of a token. Each method makes one call, or reads a list; none repeats a call that writes.

    They raise `NotSent`, `Refused` or `Unknown`.
    """

    def account(self) -> str:
        """The name of the account of the token."""
        ...

    def create_study(self, fields: Document, *, check: Callable[[], None]) -> OutsideStudy:
        """Create a study from the content that was prepared for this platform.

        `check` is called before the request is sent. What it raises stops the request.
        """
        ...

    def study(self, number: str) -> OutsideStudy:
        """A study of the account."""
        ...

    def study_named(self, internal_name: str) -> OutsideStudy | None:
        """The study of the account with an internal name of ours, if there is one."""
        ...

    def change_places(self, number: str, *, before: int, after: int) -> OutsideStudy:
        """Raise the places of a study from one total to another; a repeated request changes nothing more."""
        ...

    def submissions(self, study: str) -> Iterator[Submission]:
        """The submissions of a study, each once."""
        ...

    def decide(self, decision: Decision, submissions: Sequence[str], *, words: str) -> None:
        """Carry out a decision about submissions; `words` are the reason for the person, or a code."""
        ...

    @property
    def approved_at_once(self) -> int:
        """How many submissions one call can approve; every other decision is about one."""
        ...
