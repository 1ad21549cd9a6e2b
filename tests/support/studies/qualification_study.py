"""A study whose raters qualify by four items, on which quality is 5, 1, 3 and 4."""

from __future__ import annotations

import uuid
from typing import Any

from annotation.domain.base.states import StudyState
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.questions.answers import Submission
from annotation.models import Qualification, QualificationAttempt, Rater, Response
from annotation.services.quality.qualification_setup import (
    add_calibration_item,
    set_qualification,
    write_page,
)
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast

REFERENCES = (5, 1, 3, 4)


def qualify(
    cast: Cast, kind: RuleKind = RuleKind.NEAR, *, pages: int = 0, opened: bool = True, **rule: Any
) -> Qualification:
    """Within 1 of the reference on three of the four items, unless the rule says otherwise."""
    owner = cast.users["owner"]
    if kind is RuleKind.NEAR:
        rule = {"tolerance": 1, "share": 0.75, **rule}
    made = set_qualification(study=cast.study, actor=owner, kind=kind, **rule)
    for number in range(1, pages + 1):
        write_page(qualification=made, actor=owner, title=f"Page {number}", text="A {vehicle:moon}.")
    for value in REFERENCES:
        add_calibration_item(
            qualification=made,
            actor=owner,
            form=cast.study.forms.get(),
            texts={"simile": f"The lamp was a {value}."},
            reference={"quality": value},
            reason=f"It is a {value}.",
        )
    if opened:
        cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=owner)
    return made


def answer(rater: Rater, quality: int) -> Response:
    page = open_assignment(assignment=next_assignment(rater=rater))
    submission = Submission(page_key=uuid.uuid4(), answers={"quality": str(quality), "creativity": "3"})
    return submit(assignment=page, version=page.version, submission=submission).response


def attempt(rater: Rater, values: tuple[int, ...] = REFERENCES) -> QualificationAttempt:
    """Answer the calibration items and read the rater again; the attempt."""
    for value in values:
        answer(rater, value)
    rater.refresh_from_db()
    return rater.attempts.latest("number")
