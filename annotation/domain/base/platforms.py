"""Crowd platforms: what they send along when somebody comes, and where people go when they are done."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, urlsplit

from annotation.domain.base.errors import GroundworkError, InvalidContent

LONGEST_ID = 120
PRINTABLE = re.compile(r"[!-~]+")
# A place that the platform was to fill in, as in {{%PROLIFIC_PID%}}, ${workerId} or [ID].
UNFILLED = re.compile(r"[{}]|%\w+%|\[\w+\]|<\w+>")
PLACEHOLDER = re.compile(r"\{(person|task|session|code)\}")
PROLIFIC_COMPLETION = "https://app.prolific.com/submissions/complete?cc={code}"
MTURK_PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
MTURK_SUBMIT = "/mturk/externalSubmit"


class Platform(StrEnum):
    NONE = "none"
    PROLIFIC = "prolific"
    MTURK = "mturk"
    OTHER = "other"


@dataclass(frozen=True)
class Parameters:
    """Names of the address parameters that say who comes, for which task, and in which session."""

    person: str
    task: str = ""
    session: str = ""


PARAMETERS: Mapping[Platform, Parameters] = {
    Platform.PROLIFIC: Parameters("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    Platform.MTURK: Parameters("workerId", "hitId", "assignmentId"),
}


@dataclass(frozen=True)
class Entry:
    """Somebody who comes from a platform.

    `task` is the platform's name for the study and `session` that of this visit: STUDY_ID and
    SESSION_ID, or hitId and assignmentId. `submit_to` is the host that takes the finished work.
    A `preview` shows the task to somebody who has not accepted it yet.
    """

    platform: Platform
    person: str = ""
    task: str = ""
    session: str = ""
    submit_to: str = ""
    preview: bool = False


def read_entry(
    platform: Platform, given: Mapping[str, str], names: Parameters, *, submit_hosts: frozenset[str]
) -> Entry:
    """Read who comes from the parameters of the address, which the platform calls by `names`.

    `submit_hosts` are the origins to which Mechanical Turk's finished work may be sent.

    Raises
    ------
    GroundworkError
        `not_from_platform`: the person's id is missing or not valid.
    """
    if platform is Platform.MTURK and given.get(names.session, MTURK_PREVIEW) == MTURK_PREVIEW:
        return Entry(platform, preview=True)
    person, task, session = (_id(given, name) for name in (names.person, names.task, names.session))
    if not person:
        raise GroundworkError(
            f"Open this study from {WHERE[platform]}, by its button there. Whoever comes by it has an id in "
            f"the address ({names.person}), and this address has none.",
            code="not_from_platform",
        )
    submit_to = _origin(given.get("turkSubmitTo", "")) if platform is Platform.MTURK else ""
    if platform is Platform.MTURK and submit_to not in submit_hosts:
        raise GroundworkError(_unknown_host(submit_to), code="not_from_platform")
    return Entry(platform, person, task, session, submit_to)


WHERE = {
    Platform.PROLIFIC: "Prolific",
    Platform.MTURK: "Mechanical Turk",
    Platform.OTHER: "the platform you came from",
}


def completion_address(template: str, entry: Entry, code: str) -> str:
    """The address to which somebody returns; empty where the template is.

    The template may hold `{person}`, `{task}`, `{session}` and `{code}`, the platform's code for the result.
    """
    values = {"person": entry.person, "task": entry.task, "session": entry.session, "code": code}
    return PLACEHOLDER.sub(lambda found: quote(values[found[1]], safe=""), template)


def check_address(template: str) -> None:
    """Refuse a return address (`bad_return_address`) that is no web address or has an unknown placeholder."""
    if template and (urlsplit(template).scheme not in {"http", "https"} or not urlsplit(template).hostname):
        raise InvalidContent(
            f"{template!r} is no web address: it begins with https://.", code="bad_return_address"
        )
    unknown = re.search(r"\{[^{}]*\}?|\}", PLACEHOLDER.sub("", template))
    if unknown:
        raise InvalidContent(
            f"{unknown[0]!r} is filled in by nothing: a return address may hold {{person}}, {{task}}, "
            "{session} and {code}.",
            code="bad_return_address",
        )


def submit_address(entry: Entry) -> str:
    """Where a finished Mechanical Turk assignment is posted."""
    return f"{entry.submit_to}{MTURK_SUBMIT}"


def _unknown_host(submit_to: str) -> str:
    if not submit_to:
        return "The address does not say where the finished work goes (turkSubmitTo)."
    return (
        f"Finished work would go to {submit_to} (turkSubmitTo), which is not among the addresses of "
        "Mechanical Turk that this installation sends to. Tell whoever runs the study."
    )


def _id(given: Mapping[str, str], name: str) -> str:
    value = given.get(name, "").strip() if name else ""
    usable = len(value) <= LONGEST_ID and PRINTABLE.fullmatch(value) and not UNFILLED.search(value)
    return value if usable else ""


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme and parts.netloc else ""
