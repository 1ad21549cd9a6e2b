"""States and the moves between them."""

from __future__ import annotations

from enum import StrEnum


class StudyState(StrEnum):
    DRAFT = "draft"
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"

    @property
    def words(self) -> str:
        """What a study in this state is, after “The study is”."""
        return "a draft" if self is StudyState.DRAFT else self.value


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
    RATER = "rater"


def choices(states: type[StrEnum]) -> list[tuple[str, str]]:
    return [(state.value, state.value) for state in states]


def values(states: type[StrEnum]) -> list[str]:
    return [state.value for state in states]


class ProblemReason(StrEnum):
    """What a rater reports about an item; `comment` is no problem, and nobody has to resolve it."""

    TEXT_MISSING = "text_missing"
    WRONG_MARK = "wrong_mark"
    UPSETTING = "upsetting"
    PAGE_BROKEN = "page_broken"
    OTHER = "other"
    COMMENT = "comment"


class DesignKind(StrEnum):
    POOL = "pool"
    BATCHES = "batches"
    ALL = "all"
    PANELS = "panels"


# The designs in which a rater is given several items at once.
IN_BATCHES = frozenset({DesignKind.BATCHES, DesignKind.ALL})
