"""Crowd platforms: what they send along when somebody comes, and where people go when they are done."""

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


class Outcome(StrEnum):
    """How somebody's part in a study ended; a link has a code for each, and none stands in for another."""

    FINISHED = "finished"
    SCREENED_OUT = "screened_out"
    NO_CONSENT = "no_consent"
    FAILED_CHECKS = "failed_checks"


# What the fields of a link are called: `completion_code`, `completion_url` and so on.
FIELDS: Mapping[Outcome, str] = {
    Outcome.FINISHED: "completion",
    Outcome.SCREENED_OUT: "screenout",
    Outcome.NO_CONSENT: "no_consent",
    Outcome.FAILED_CHECKS: "failed_checks",
}


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
    """The address to which somebody returns; empty where the template is.

    The template may hold `{person}`, `{task}`, `{session}` and `{code}`, the platform's code for the result.
    Without a code, a template that asks for one leads nowhere.
    """
    if not code and "{code}" in template:
        return ""
    values = {"person": entry.person, "task": entry.task, "session": entry.session, "code": code}
    return PLACEHOLDER.sub(lambda found: quote(values[found[1]], safe=""), template)


def check_codes(codes: Mapping[Outcome, str]) -> None:
    """Refuse the same code for two outcomes (`duplicate_code`); no code at all is none twice."""
    found: dict[str, Outcome] = {}
    for outcome, code in codes.items():
        plain = _as_it_looks(code)
        if plain and plain in found:
            both = f"{_words(found[plain])} and {_words(outcome)}"
            told = f"The codes for {both} are the same. Enter different codes."
            raise InvalidContent(told, code="duplicate_code", fields={f"{FIELDS[outcome]}_code": told})
        found[plain] = outcome


def _as_it_looks(code: str) -> str:
    """A code without what nobody sees or types: case, width, invisible characters, spaces around it."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", code).casefold())
    return "".join(one for one in folded if unicodedata.category(one) != "Cf").strip()


def _words(outcome: Outcome) -> str:
    return f"“{outcome.value.replace('_', ' ')}”"


def check_addresses(templates: Mapping[Outcome, str]) -> None:
    """Refuse a return address that cannot work (`bad_return_address`); an empty one is none.

    It is a web address with a fixed host, holds known placeholders alone, and leads with another outcome
    elsewhere: by itself or by `{code}`.
    """
    found: dict[str, Outcome] = {}
    for outcome, template in templates.items():
        plain = template.strip()
        problem = _problem_of(plain)
        if not problem and plain in found:
            same = f"It is the same as for {_words(found[plain])}, and does not hold {{code}}."
            problem = f"{same} Enter different addresses, or add {{code}}."
        if problem:
            told = f"The return address for {_words(outcome)} cannot be used. {problem}"
            raise InvalidContent(told, code="bad_return_address", fields={f"{FIELDS[outcome]}_url": told})
        if plain and "{code}" not in plain:
            found[plain] = outcome


def _problem_of(template: str) -> str:
    """What is wrong with one return address, and what to do; empty where nothing is."""
    if not template:
        return ""
    try:
        parts = urlsplit(template)
        has_host = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        has_host = False
    if not has_host:
        return f"{template!r} is not a web address. Enter one that begins with https://."
    if set("{}") & set(parts.netloc):
        return f"The host {parts.netloc!r} holds a placeholder. Enter a fixed host."
    unknown = re.search(r"\{[^{}]*\}?|\}", PLACEHOLDER.sub("", template))
    if unknown:
        known = "{person}, {task}, {session} and {code}"
        return f"Nothing fills in {unknown[0]!r}. Use only the placeholders {known}."
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
