"""Errors are marked on a page without scripts, retained when the page is refused, and simulated."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotation.domain.adjudication.differences import Rule, Search, can_search
from annotation.domain.base.states import StudyState
from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.forms.checks import CheckForm
from annotation.models import FormVersion, Item, Rating, User
from annotation.protocols.registry import TEMPLATES
from annotation.selectors.adjudication.disagreement_search import find_in_answers
from annotation.services.rating.simulation import simulate
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state
from tests.views.questions.rating_pages import joined, save, shown

pytestmark = pytest.mark.django_db
TEXT = "The cat sat on the cat."


@pytest.fixture
def page():
    client, assignment = joined("error_spans")
    Item.objects.filter(pk=assignment.item_id).update(fields={"original": "A cat.", "rendering": TEXT})
    return client, assignment


def fields(row: int, **parts: str) -> dict[str, str]:
    return {f"answer-errors:{row}.{name}": value for name, value in parts.items()}


def marks_of(answer: Rating) -> list[dict[str, Any]]:
    assert answer.content is not None
    return list(answer.content)


def stored() -> list[dict[str, Any]]:
    return marks_of(Rating.objects.get(criterion__key="errors"))


def test_a_page_without_scripts_stores_each_row_as_an_error(page):
    client, assignment = page
    first = fields(1, words="sat on", place="", category="wording", severity="minor")
    second = fields(2, words="cat", place="2", category="meaning", severity="critical")
    empty = fields(3, words="", place="", category="", severity="")
    answer = save(client, assignment, **first, **second, **empty, **{"answer-overall": "40"})
    assert answer.status_code == 303
    assert stored() == [
        {"start": 8, "end": 14, "category": "wording", "severity": "minor", "text": "sat on"},
        {"start": 19, "end": 22, "category": "meaning", "severity": "critical", "text": "cat"},
    ]
    again = shown(client, assignment)
    assert 'value="sat on"' in again
    assert 'name="answer-errors:2.at" value="19-22"' in again


def test_no_error_is_stored_and_an_empty_answer_is_refused(page):
    client, assignment = page
    refused = save(client, assignment, **{"answer-overall": "100"})
    assert "Mark an error, or select “No error”" in refused.content.decode()
    assert not Rating.objects.exists()
    save(client, assignment, **{"answer-errors:none": "1", "answer-overall": "100"})
    assert stored() == []
    assert 'name="answer-errors:none" value="1" checked' in shown(client, assignment)


def test_what_a_refused_page_held_comes_back_in_its_rows(page):
    client, assignment = page
    row = fields(1, words="the dog", category="meaning", severity="major")
    refused = save(client, assignment, **row, **{"answer-overall": "40"}).content.decode()
    assert "“the dog” is not in the text" in refused
    assert 'value="the dog"' in refused
    assert '<option value="major" dir="auto" selected>' in refused


def test_the_page_has_the_text_to_mark_and_the_levels_of_severities(page):
    client, assignment = page
    content = shown(client, assignment)
    assert "data-marked-text" in content
    assert [f'data-severity="{level}"' in content for level in (0, 1, 2, 3)] == [True, True, True, False]


def test_simulated_raters_mark_words_of_the_text_or_nothing():
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_demo_study(template=TEMPLATES["error_spans"], slug="demo", title="Demo", owner=owner)
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    simulate(study=study, raters=3, mix={AnsweringPattern.CAREFUL: 1.0}, seed=5)
    texts = dict(Item.objects.values_list("pk", "fields"))
    answers = Rating.objects.filter(criterion__key="errors").select_related("response__assignment")
    marked = [(marks_of(one), texts[one.response.assignment.item_id]["rendering"]) for one in answers]
    assert len(marked) == 36
    assert 0 < sum(bool(marks) for marks, _ in marked) < len(marked)
    for marks, text in marked:
        assert all(text[one["start"] : one["end"]] == one["text"] != "" for one in marks)


def test_raters_with_few_marked_characters_in_common_are_in_dispute():
    def answer(*spans: tuple[int, int]) -> str:
        own = {"category": "meaning", "severity": "minor", "text": ""}
        return json.dumps([{"start": start, "end": end, **own} for start, end in spans])

    search = Search(Rule.OVERLAP, "errors", "errors", 0.5)
    assert can_search(Rule.OVERLAP, "errors")
    assert find_in_answers(search, [answer((0, 10)), answer((0, 8))], on_ratios=False) is None
    found = find_in_answers(search, [answer((0, 10)), answer((8, 18))], on_ratios=False)
    assert found == {"raters": 2, "below": 0.5, "found": 0.2}


def test_expected_errors_of_a_check_are_found_by_their_words():
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_demo_study(template=TEMPLATES["error_spans"], slug="demo", title="Demo", owner=owner)
    version = FormVersion.objects.get(form__study=study)
    typed = {
        "kind": "gold",
        "key": "cat",
        "tolerance": "2",
        "text-original": "A cat.",
        "text-rendering": TEXT,
    }

    def form(expected: str) -> CheckForm:
        found = CheckForm(study, version, {**typed, "expected-errors": expected})
        found.is_valid()
        return found

    assert form("sat on\nthe cat").settings()["reference"] == {"errors": [[8, 14], [15, 22]]}
    assert form("none").settings()["reference"] == {"errors": []}
    assert "not in the text" in str(form("a dog").errors["expected-errors"])
