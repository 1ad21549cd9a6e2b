"""Errors that a user can act on: what happened, where, what to do, and a stable code."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from annotation.domain.base.messages import as_stored, counted_message, from_stored, message


class GroundworkError(Exception):
    """Something was refused. `code` is stable; `message` says what happened and what to do.

    `fields` maps each named field to what is wrong with it.
    """

    code = "refused"

    def __init__(self, message: str, *, code: str = "", fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.fields = dict(fields or {})


class NotAllowedNow(GroundworkError):
    """The action is not possible in the current state of the study, rater or rating slot."""

    code = "not_allowed_now"


class UnknownJobKind(GroundworkError):
    """No application of this installation does work of this kind."""

    code = "unknown_job_kind"


class InvalidContent(GroundworkError):
    """Content that cannot be stored in any state; nothing was stored."""

    code = "invalid_content"


class InvalidAnswer(InvalidContent):
    """A missing answer or one outside its scale; `fields` maps criterion keys to sentences.

    `codes` maps some of these keys to the stable code of the problem.
    """

    code = "invalid_answer"

    def __init__(
        self, message: str, *, fields: Mapping[str, str] | None = None, codes: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message, fields=fields)
        self.codes = dict(codes or {})


class WrongPart(ValueError):
    """A component of an answer that cannot be stored; `code` is stable, the argument is a sentence."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class AnsweredElsewhere(GroundworkError):
    """The answer was changed in another tab or on another device after this page was shown."""

    code = "answered_elsewhere"


class TooFast(GroundworkError):
    """An answer came before the minimum time of its page; it can be sent again `left` seconds later.

    `reason` is the message without those seconds, for a page that counts them down itself.
    """

    code = "too_fast"

    def __init__(self, *, least: float, left: float) -> None:
        self.least = least
        self.left = max(1, math.ceil(left))
        self.reason = message(
            "Not saved yet: this text needs at least %(least)d seconds. Check your answers.",
            least=round(least),
        )
        when = "second" if self.left == 1 else "seconds"
        super().__init__(
            f"{self.reason} You can save in {self.left} {when}.", fields={"seconds_left": str(self.left)}
        )


class TooManyJoins(GroundworkError):
    """More people joined by one link lately than it may bring in that time; `seconds` until it takes more."""

    code = "too_many_joins"

    def __init__(self, message: str, *, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(message, fields={"seconds_left": str(seconds)})


class TooManyChanges(GroundworkError):
    """Something was changed too often with one link; `seconds` until it may be changed again."""

    code = "too_many_changes"

    def __init__(self, message: str, *, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(message, fields={"seconds_left": str(seconds)})


class NoSeatLeft(GroundworkError):
    """Nothing is left for this rater to rate."""

    code = "no_seat_left"
    waits_for_others = False


class ItemsReserved(NoSeatLeft):
    """The items left for this rater are reserved for other raters; some may become available."""

    waits_for_others = True


class LeaseLost(GroundworkError):
    """Another worker has taken over the job; this one must stop and write nothing."""

    code = "lease_lost"


class OutOfTime(GroundworkError):
    """A job has reached the time limit of its kind; it stops, and what it has stored remains."""

    code = "time_limit"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            message(
                "Stopped at the time limit for jobs of this kind (%(limit)s). Request less at a time, or ask "
                "the administrator to raise GROUNDWORK_JOB_TIME_FACTOR.",
                limit=_duration(seconds),
            )
        )


def _duration(seconds: float) -> str:
    if seconds >= 2 * 3600:
        return counted_message("%(n)d hour", "%(n)d hours", n=round(seconds / 3600))
    if seconds >= 2 * 60:
        return counted_message("%(n)d minute", "%(n)d minutes", n=round(seconds / 60))
    return counted_message("%(n)d second", "%(n)d seconds", n=max(1, round(seconds)))


class DiskFull(GroundworkError):
    """A disk of the installation is full; nothing was stored."""

    code = "disk_full"

    def __init__(self) -> None:
        super().__init__(
            message(
                "Nothing was saved, because the disk of this installation is full. Everything saved "
                "before is "
                "safe. Ask the administrator to free space, then try again."
            )
        )


@dataclass(frozen=True)
class FileProblem:
    """One thing wrong with a file.

    `row` is the number that a person sees in a spreadsheet or an editor, where a header is row 1;
    0 is the file itself.
    """

    file: str
    row: int
    column: str
    code: str
    message: str

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> str:
        """Where the problem is, and what it is."""
        values = {"file": self.file, "row": self.row, "column": repr(self.column), "problem": self.message}
        if self.row and self.column:
            return message("%(file)s, row %(row)d, column %(column)s: %(problem)s", **values)
        if self.row:
            return message("%(file)s, row %(row)d: %(problem)s", **values)
        if self.column:
            return message("%(file)s, column %(column)s: %(problem)s", **values)
        return message("%(file)s: %(problem)s", **values)

    def as_stored(self) -> dict[str, Any]:
        """The problem as JSON values."""
        return {**vars(self), "message": as_stored(self.message)}

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> Self:
        """The problem that `as_stored` wrote."""
        return cls(**{**stored, "message": from_stored(stored["message"])})


class FileRefused(InvalidContent):
    """A file that cannot be imported as it is; nothing of it was stored."""

    code = "file_refused"

    def __init__(self, problems: Sequence[FileProblem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems), code=self.problems[0].code)
