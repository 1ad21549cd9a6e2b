"""States and the moves between them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from annotation.domain.base.messages import message


class StudyState(StrEnum):
    DRAFT = "draft"
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"

    @property
    def words(self) -> str:
        """The name of the state, as it follows “The study is”."""
        return "a draft" if self is StudyState.DRAFT else self.value

    @property
    def sentence(self) -> str:
        """A sentence that names the state."""
        return STATE_SENTENCES[self]


STUDY_STATES: Mapping[str, str] = {
    StudyState.DRAFT: message("draft"),
    StudyState.OPEN: message("open"),
    StudyState.PAUSED: message("paused"),
    StudyState.CLOSED: message("closed"),
}
STATE_SENTENCES: Mapping[str, str] = {
    StudyState.DRAFT: message("The study is a draft."),
    StudyState.OPEN: message("The study is open."),
    StudyState.PAUSED: message("The study is paused."),
    StudyState.CLOSED: message("The study is closed."),
}

STUDY_MOVES: dict[StudyState, frozenset[StudyState]] = {
    StudyState.DRAFT: frozenset({StudyState.OPEN}),
    StudyState.OPEN: frozenset({StudyState.PAUSED, StudyState.CLOSED}),
    StudyState.PAUSED: frozenset({StudyState.OPEN, StudyState.CLOSED}),
    StudyState.CLOSED: frozenset({StudyState.OPEN}),
}


TAKING_ANSWERS = (StudyState.OPEN, StudyState.PAUSED)


class RaterState(StrEnum):
    INVITED = "invited"
    CONSENTED = "consented"
    QUALIFYING = "qualifying"
    QUALIFIED = "qualified"
    FAILED = "failed"
    ACTIVE = "active"
    FINISHED = "finished"
    WITHDRAWN = "withdrawn"


RATER_STATES: Mapping[str, str] = {
    RaterState.INVITED: message("invited"),
    RaterState.CONSENTED: message("consented"),
    RaterState.QUALIFYING: message("qualifying"),
    RaterState.QUALIFIED: message("qualified"),
    RaterState.FAILED: message("not qualified"),
    RaterState.ACTIVE: message("active"),
    RaterState.FINISHED: message("finished"),
    RaterState.WITHDRAWN: message("withdrawn"),
}


class SeatState(StrEnum):
    FREE = "free"
    RESERVED = "reserved"
    FILLED = "filled"


class Purpose(StrEnum):
    MAIN = "main"
    QUALIFICATION = "qualification"
    CHECK = "check"
    TRIAL = "trial"


# The pages of a rater's main work, numbered together.
SEQUENCE = (Purpose.MAIN, Purpose.CHECK)


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED_JOBS = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


class Role(StrEnum):
    OWNER = "owner"
    ADMIN = "admin"
    RESEARCHER = "researcher"
    ADJUDICATOR = "adjudicator"
    VIEWER = "viewer"
    RATER = "rater"


ROLES: Mapping[str, str] = {
    Role.OWNER: message("owner"),
    Role.ADMIN: message("admin"),
    Role.RESEARCHER: message("researcher"),
    Role.ADJUDICATOR: message("adjudicator"),
    Role.VIEWER: message("viewer"),
    Role.RATER: message("rater"),
}


# The roles of those who work on a study, and see what its raters wrote.
TEAM = (Role.OWNER, Role.ADMIN, Role.RESEARCHER)


def choices(states: type[StrEnum]) -> list[tuple[str, str]]:
    return [(state.value, state.value) for state in states]


def values(states: type[StrEnum]) -> list[str]:
    return [state.value for state in states]


class ProblemReason(StrEnum):
    """What a rater reports about an item; a `comment` is no problem and needs no resolution."""

    TEXT_MISSING = "text_missing"
    WRONG_MARK = "wrong_mark"
    UPSETTING = "upsetting"
    PAGE_BROKEN = "page_broken"
    OTHER = "other"
    COMMENT = "comment"


class NoticeEvent(StrEnum):
    """What a member can be notified of by email; events of webhooks with the same names."""

    TARGET_REACHED = "target_reached"
    RATER_FLAGGED = "rater_flagged"
    PROBLEM_REPORTED = "problem_reported"
    JOB_FAILED = "job_failed"


class DesignKind(StrEnum):
    POOL = "pool"
    BATCHES = "batches"
    ALL = "all"
    PANELS = "panels"


# The designs in which a rater is given several items at once.
IN_BATCHES = frozenset({DesignKind.BATCHES, DesignKind.ALL})
