"""What an earlier stage found is shown to the next annotators, who accept or change it; that is recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest
from django.test import Client

from annotation.domain.base.states import StudyState
from annotation.models import Rater, Response, ScalePoint, Study, User
from annotation.protocols.cmdag import CMDAG_STAGES
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.seats.suggestions import suggestions_for
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.lifecycle import change_state, create_from_template
from annotation.views.rating.rater_session import SESSION_KEY
from tests.support.studies.staged_study import answer, rater_of, staged_cast

pytestmark = pytest.mark.django_db


def found_before(study: Study, *given: Mapping[str, str]) -> list[Rater]:
    """Raters of the first stage answer its one item so."""
    raters = [rater_of(study, code) for code, _ in zip("ABCDEF", given, strict=False)]
    for rater, answers in zip(raters, given, strict=True):
        answer(next_assignment(rater=rater), answers)
    return raters


def sitting(rater: Rater) -> Client:
    client = Client()
    session = client.session
    session[SESSION_KEY] = {str(rater.study_id): rater.pk}
    session.save()
    return client


def page(rater: Rater) -> str:
    return sitting(rater).get(f"/rate/{rater.study.slug}/", follow=True).content.decode()


def send(rater: Rater, html: str, **answers: str) -> Response:
    hidden = dict(
        re.findall(r'name="(submission_key|version|assignment|seen_revision)" value="([^"]*)"', html)
    )
    posted = {**hidden, **{f"answer-{key}": value for key, value in answers.items()}}
    found = sitting(rater).post(f"/rate/{rater.study.slug}/{hidden['assignment']}/", posted)
    assert found.status_code == 303, found.content.decode()
    return Response.objects.get(assignment=hidden["assignment"], current=True)


def checked(html: str, criterion: str) -> list[str]:
    inputs = re.findall(rf'<input[^>]*name="answer-{criterion}"[^>]*>', html)
    return [value for one in inputs if " checked" in one for value in re.findall(r'value="([^"]*)"', one)]


def test_the_page_begins_with_the_most_common_earlier_answer_and_says_so() -> None:
    study = staged_cast(items=1, suggestions=True, first=3).study
    found_before(
        study,
        {"metaphor": "yes", "quality": "2"},
        {"metaphor": "yes", "quality": "4"},
        {"metaphor": "yes", "quality": "4"},
    )
    html = page(rater_of(study, "N"))
    assert checked(html, "quality") == ["4"]
    assert checked(html, "creativity") == []
    assert html.count("Suggested by an earlier rater") == 1
    assert html.count("<dt>Rater") == 3


def test_accepted_and_changed_are_recorded_and_exported() -> None:
    study = staged_cast(items=1, suggestions=True).study
    found_before(study, {"metaphor": "yes", "quality": "4"}, {"metaphor": "yes", "quality": "4"})
    keeps, changes = rater_of(study, "K"), rater_of(study, "L")
    assert send(keeps, page(keeps), quality="4", creativity="2").suggestions == {"quality": "accepted"}
    assert send(changes, page(changes), quality="1", creativity="2").suggestions == {"quality": "changed"}
    suggestions = {(row["rater"], row["criterion"]): row["suggestion"] for row in long_ratings(study)}
    assert suggestions["K", "quality"] == "accepted"
    assert suggestions["L", "quality"] == "changed"
    assert suggestions["K", "creativity"] == suggestions["A", "quality"] == ""


def test_a_correction_is_compared_with_the_same_suggestion() -> None:
    study = staged_cast(items=1, suggestions=True).study
    first, _ = found_before(study, *[{"metaphor": "yes", "quality": "4"}] * 2)
    rater = rater_of(study, "K")
    send(rater, page(rater), quality="4", creativity="2")
    answer(first.assignments.get(), {"metaphor": "yes", "quality": "1"})
    response = answer(rater.assignments.get(), {"quality": "3", "creativity": "2"})
    assert response.revision == 2
    assert response.suggestions == {"quality": "changed"}
    earlier = Response.objects.get(assignment=response.assignment, revision=1)
    assert earlier.suggestions == {"quality": "accepted"}


def test_without_suggestions_nothing_of_the_first_stage_is_seen() -> None:
    study = staged_cast(items=1).study
    found_before(study, *[{"metaphor": "yes", "quality": "4"}] * 2)
    html = page(rater_of(study, "N"))
    assert "earlier annotator" not in html
    assert checked(html, "quality") == []


def test_what_is_suggested_may_come_from_another_criterion() -> None:
    study = staged_cast(items=1, suggestions=True, matches={"creativity": "quality"}).study
    found_before(study, *[{"metaphor": "yes", "quality": "4"}] * 2)
    html = page(rater_of(study, "N"))
    assert checked(html, "creativity") == ["4"]
    assert checked(html, "quality") == []


def test_erasing_takes_the_suggestion_away_and_leaves_what_became_of_it() -> None:
    study = staged_cast(items=1, suggestions=True).study
    Study.objects.filter(pk=study.pk).update(on_withdrawal="erase")
    first, _ = found_before(study, {"metaphor": "yes", "quality": "5"}, {"metaphor": "yes"})
    rater = rater_of(study, "K")
    response = send(rater, page(rater), quality="5", creativity="2")
    withdraw(rater=Rater.objects.get(pk=first.pk))
    response.refresh_from_db()
    assert response.suggestions == {"quality": "accepted"}
    assert response.assignment.suggestions.count() == 1


def mark(part: str, text: str, start: int | None) -> dict[str, object]:
    end = None if start is None else start + len(text)
    return {"tuple": 1, "part": part, "start": start, "end": end, "text": text}


DREAM, BOWL, HOLDS = mark("tenor", "梦", 0), mark("vehicle", "碗", 2), mark("ground", "承接", None)


@pytest.mark.parametrize(
    ("marks", "became"),
    [
        ([DREAM, BOWL, HOLDS], "accepted"),
        ([BOWL, DREAM, HOLDS, mark("ground", "浅", None)], "accepted"),
        ([DREAM, mark("vehicle", "是碗", 1), HOLDS], "changed"),
        ([BOWL, HOLDS], "changed"),
        ([DREAM, BOWL, HOLDS, *({**one, "tuple": 2} for one in (BOWL, HOLDS))], "changed"),
    ],
)
def test_a_tuple_that_is_only_completed_is_accepted(marks: list[dict[str, object]], became: str) -> None:
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_from_template(template=CMDAG_STAGES, slug="staged", title="Staged", owner=owner)
    add_items(study=study, rows=[NewItem(key="1", fields={"sentence": "梦是碗。"}, metadata={})])
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    found_before(study, *[{"metaphor": "yes", "tuples": json.dumps([DREAM, BOWL])}] * 2)
    rater = rater_of(study, "K")
    response = answer(next_assignment(rater=rater), {"metaphor": "yes", "tuples": json.dumps(marks)})
    assert response.suggestions == {"metaphor": "accepted", "tuples": became}


def test_a_part_that_the_next_form_does_not_ask_for_is_not_suggested() -> None:
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_from_template(template=CMDAG_STAGES, slug="staged", title="Staged", owner=owner)
    add_items(study=study, rows=[NewItem(key="1", fields={"sentence": "梦是碗。"}, metadata={})])
    ScalePoint.objects.filter(criterion__version__form__key="refined", value="tenor").delete()
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    found_before(study, *[{"metaphor": "yes", "tuples": json.dumps([DREAM, BOWL])}] * 2)
    begun = suggestions_for(next_assignment(rater=rater_of(study, "K"))).answers["tuples"]
    assert json.loads(begun) == [BOWL]
