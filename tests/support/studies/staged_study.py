"""A small study in two stages: is it a metaphor, by two; then how good is it, by three others."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from annotation.domain.base.states import RaterState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.seats.stages import StagePeople, StageRule
from annotation.models import (
    Assignment,
    Criterion,
    Form,
    FormVersion,
    Item,
    Rater,
    Response,
    ScalePoint,
    Seat,
    StageFeed,
    Study,
)
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, add_items, make_cast

FIRST, SECOND = "preliminary", "similes"


def staged_cast(
    *,
    items: int = 4,
    rule: StageRule = StageRule.ALL,
    people: StagePeople = StagePeople.OTHERS,
    suggestions: bool = False,
    matches: Mapping[str, str] | None = None,
    first: int = 2,
    second: int = 3,
    opened: bool = True,
    slug: str = "lamps",
) -> Cast:
    """The study `lamps` with a form before it, whose answer “yes” lets an item through."""
    cast = make_cast(slug=slug, items=0, overlap=second, opened=False)
    add_items(cast.study, items)
    cast.study.forms.update(position=1)
    source = Form.objects.create(study=cast.study, key=FIRST, title="First stage", overlap=first, position=0)
    version = FormVersion.objects.create(form=source, blocks=[{"field": "simile"}])
    criterion = Criterion.objects.create(version=version, key="metaphor", name="Metaphor", kind=CHOICE.key)
    ScalePoint.objects.bulk_create(
        ScalePoint(criterion=criterion, value=value, position=place)
        for place, value in enumerate(("yes", "no"))
    )
    likert = Criterion.objects.create(
        version=version, key="quality", name="Quality", minimum=1, maximum=5, position=1, required=False
    )
    ScalePoint.objects.bulk_create(
        ScalePoint(criterion=likert, value=str(value), position=value) for value in range(1, 6)
    )
    StageFeed.objects.create(
        target=cast.study.forms.get(key=SECOND),
        source=source,
        criterion="metaphor",
        value="yes",
        rule=rule,
        people=people,
        suggestions=suggestions,
        matches=dict(matches or {}),
    )
    if opened:
        cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def rater_of(study: Study, code: str) -> Rater:
    """A rater who has agreed, of that code."""
    return Rater.objects.create(
        study=study,
        code=code,
        state=RaterState.CONSENTED,
        consented_at=study.opened_at,
        consent_number=study.consent_number,
        seed=len(code),
    )


def answer(assignment: Assignment, given: Mapping[str, str]) -> Response:
    """Send a page."""
    sent = Submission(page_key=uuid.uuid4(), answers=given)
    return submit(assignment=assignment, version=assignment.version, submission=sent).response


def first_stage(rater: Rater, answers: Mapping[str, str]) -> None:
    """Let a rater say of items by key whether they are metaphors, as long as the first stage has any."""
    for _ in range(len(answers)):
        page = next_assignment(rater=rater)
        assert page.form.key == FIRST
        answer(page, {"metaphor": answers[page.item.key]})


def next_stage_seats(study: Study) -> dict[str, int]:
    """By key of the item, how many seats the second stage has."""
    found: dict[str, int] = {}
    for key in Seat.objects.filter(form__study=study, form__key=SECOND).values_list("item__key", flat=True):
        found[key] = found.get(key, 0) + 1
    return found


def keys(study: Study) -> list[str]:
    return list(Item.objects.filter(study=study).values_list("key", flat=True))
