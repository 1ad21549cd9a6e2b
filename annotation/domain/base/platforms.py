"""Crowd platforms: the parameters with which raters arrive, and the addresses to which they return."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, urlsplit

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.messages import message

LONGEST_ID = 120
PRINTABLE = re.compile(r"[!-~]+")
# A placeholder that the platform should have filled in: {{%PROLIFIC_PID%}}, ${workerId} or [ID].
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


class Outcome(StrEnum):
    """How a rater’s participation ended; a link has a separate code for each outcome."""

    FINISHED = "finished"
    SCREENED_OUT = "screened_out"
    NO_CONSENT = "no_consent"
    FAILED_CHECKS = "failed_checks"


# First part of the names of a link’s fields: `completion_code`, `completion_url` and so on.
FIELDS: Mapping[Outcome, str] = {
    Outcome.FINISHED: "completion",
    Outcome.SCREENED_OUT: "screenout",
    Outcome.NO_CONSENT: "no_consent",
    Outcome.FAILED_CHECKS: "failed_checks",
}


OUTCOMES: Mapping[Outcome, str] = {
    Outcome.FINISHED: message("finished"),
    Outcome.SCREENED_OUT: message("screened out"),
    Outcome.NO_CONSENT: message("no consent"),
    Outcome.FAILED_CHECKS: message("failed checks"),
}


@dataclass(frozen=True)
class Parameters:
    """Names of the URL parameters with the IDs of the person, the task and the session."""

    person: str
    task: str = ""
    session: str = ""


PARAMETERS: Mapping[Platform, Parameters] = {
    Platform.PROLIFIC: Parameters("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    Platform.MTURK: Parameters("workerId", "hitId", "assignmentId"),
}


@dataclass(frozen=True)
class Entry:
    """An arrival from a platform.

    `task` is the platform's name for the study and `session` that of this visit: STUDY_ID and
    SESSION_ID, or hitId and assignmentId. `submit_to` is the host that takes the finished work.
    A `preview` shows the task before it is accepted.
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
    """Read an arrival from the URL parameters, which have the platform’s `names`.

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
            message(
                "Open this study from %(platform)s, with the button there. The address must contain your ID "
                "(%(parameter)s), but it does not.",
                platform=WHERE[platform],
                parameter=names.person,
            ),
            code="not_from_platform",
        )
    submit_to = _origin(given.get("turkSubmitTo", "")) if platform is Platform.MTURK else ""
    if platform is Platform.MTURK and submit_to not in submit_hosts:
        raise GroundworkError(_unknown_host(submit_to), code="not_from_platform")
    return Entry(platform, person, task, session, submit_to)


WHERE = {
    Platform.PROLIFIC: "Prolific",
    Platform.MTURK: "Mechanical Turk",
    Platform.OTHER: message("the platform"),
}


def completion_address(template: str, entry: Entry, code: str) -> str:
    """The address to which a rater returns; empty if the template is.

    The template may hold `{person}`, `{task}`, `{session}` and `{code}`, the platform's code for the result.
    Without a code, a template that asks for one leads nowhere.
    """
    if not code and "{code}" in template:
        return ""
    values = {"person": entry.person, "task": entry.task, "session": entry.session, "code": code}
    return PLACEHOLDER.sub(lambda found: quote(values[found[1]], safe=""), template)


def check_codes(codes: Mapping[Outcome, str]) -> None:
    """Refuse the same code for two outcomes (`duplicate_code`); missing codes are not duplicates."""
    found: dict[str, Outcome] = {}
    for outcome, code in codes.items():
        plain = _as_it_looks(code)
        if plain and plain in found:
            problem = message(
                "The codes for “%(first)s” and “%(second)s” are the same. Enter different codes.",
                first=OUTCOMES[found[plain]],
                second=OUTCOMES[outcome],
            )
            raise InvalidContent(problem, code="duplicate_code", fields={f"{FIELDS[outcome]}_code": problem})
        found[plain] = outcome


def _as_it_looks(code: str) -> str:
    """A code without differences that people do not see: case, width, invisible characters, spaces around."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", code).casefold())
    return "".join(one for one in folded if unicodedata.category(one) != "Cf").strip()


def check_addresses(templates: Mapping[Outcome, str]) -> None:
    """Refuse a return address that cannot work (`bad_return_address`); an empty one is none.

    It is a web address with a fixed host and known placeholders only, and differs between outcomes: by
    itself or by `{code}`.
    """
    found: dict[str, Outcome] = {}
    for outcome, template in templates.items():
        plain = template.strip()
        problem = _problem_of(plain)
        if not problem and plain in found:
            problem = message(
                "It is the same as for “%(outcome)s” and does not contain {code}. Enter different addresses, "
                "or add {code}.",
                outcome=OUTCOMES[found[plain]],
            )
        if problem:
            sentence = message(
                "The return address for “%(outcome)s” cannot be used. %(problem)s",
                outcome=OUTCOMES[outcome],
                problem=problem,
            )
            raise InvalidContent(
                sentence, code="bad_return_address", fields={f"{FIELDS[outcome]}_url": sentence}
            )
        if plain and "{code}" not in plain:
            found[plain] = outcome


def _problem_of(template: str) -> str:
    """The problem with one return address, and what to do; empty if there is none."""
    if not template:
        return ""
    try:
        parts = urlsplit(template)
        has_host = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        has_host = False
    if not has_host:
        return message(
            "%(address)s is not a web address. Enter an address that begins with https://.",
            address=repr(template),
        )
    if set("{}") & set(parts.netloc):
        return message(
            "The host %(host)s contains a placeholder. Enter a fixed host.", host=repr(parts.netloc)
        )
    unknown = re.search(r"\{[^{}]*\}?|\}", PLACEHOLDER.sub("", template))
    if unknown:
        return message(
            "%(placeholder)s is not a known placeholder. Use only {person}, {task}, {session} and {code}.",
            placeholder=repr(unknown[0]),
        )
    return ""


def submit_address(entry: Entry) -> str:
    """Where a finished Mechanical Turk assignment is posted."""
    return f"{entry.submit_to}{MTURK_SUBMIT}"


def _unknown_host(submit_to: str) -> str:
    if not submit_to:
        return message("The address does not say where to submit the completed task (turkSubmitTo).")
    return message(
        "The completed task cannot be submitted to %(address)s (turkSubmitTo), because it is not a known "
        "address of Mechanical Turk. Contact the research team.",
        address=submit_to,
    )


def _id(given: Mapping[str, str], name: str) -> str:
    value = given.get(name, "").strip() if name else ""
    usable = len(value) <= LONGEST_ID and PRINTABLE.fullmatch(value) and not UNFILLED.search(value)
    return value if usable else ""


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme and parts.netloc else ""
