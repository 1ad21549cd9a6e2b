"""Questions about the rater: set in a draft, asked once, stored separately, erased on withdrawal."""

from __future__ import annotations

import pytest

from annotation.domain.base.errors import InvalidAnswer, InvalidContent, NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.domain.people.demographics import DemographicKind, RaterQuestion
from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.models import DemographicAnswer, Rater, Study
from annotation.selectors.people.consent import raters_table
from annotation.selectors.people.demographics import demographics_table, questions_of, unanswered_questions
from annotation.selectors.questions.long_table import long_ratings, rating_columns
from annotation.services.people.demographics import answer_questions, set_questions
from annotation.services.rating.enrolment import consent, trial_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.simulation import simulate
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
AGE = RaterQuestion("age", "How old are you?", DemographicKind.NUMBER)
READS = RaterQuestion("reads", "How often do you read poems?", DemographicKind.CHOICE, ("often", "seldom"))
TONGUE = RaterQuestion("tongue", "Your first language?", DemographicKind.TEXT)
GIVEN = {"age": "34", "reads": "seldom", "tongue": None}


@pytest.fixture
def draft() -> Cast:
    return make_cast(items=3, overlap=3, opened=False)


@pytest.fixture
def cast(draft: Cast) -> Cast:
    ask(draft, AGE, READS, TONGUE)
    draft.study = change_state(study=draft.study, to=StudyState.OPEN, actor=draft.users["owner"])
    return draft


def ask(cast: Cast, *questions: RaterQuestion) -> None:
    set_questions(study=cast.study, actor=cast.users["researcher"], questions=questions)


def rater_of(cast: Cast) -> Rater:
    return consent(invitation=cast.invitation)


def test_what_was_asked_before_is_replaced(draft):
    ask(draft, AGE, READS)
    ask(draft, TONGUE, AGE)
    assert questions_of(draft.study) == [TONGUE, AGE]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        (RaterQuestion("reads", "Which?", DemographicKind.CHOICE, ("only",)), "reads"),
        (RaterQuestion("reads", "Which?", DemographicKind.CHOICE, ("same", "same")), "reads"),
        (RaterQuestion("reads", "Which?", DemographicKind.TEXT, ("a", "b")), "reads"),
        (RaterQuestion("reads", " ", DemographicKind.TEXT), "reads"),
        (RaterQuestion("two words", "Which?", DemographicKind.TEXT), "two words"),
        (RaterQuestion("age", "Again?", DemographicKind.TEXT), "age"),
    ],
)
def test_a_question_that_cannot_be_asked_is_named_and_none_is_stored(draft, question, named):
    ask(draft, TONGUE)
    with pytest.raises(InvalidContent) as refused:
        ask(draft, AGE, question)
    assert list(refused.value.fields) == [named]
    assert questions_of(draft.study) == [TONGUE]


def test_only_a_draft_changes_its_questions(cast):
    with pytest.raises(NotAllowedNow) as refused:
        ask(cast)
    assert refused.value.code == "not_a_draft"
    assert len(questions_of(cast.study)) == 3


def test_no_item_comes_before_the_questions_are_answered_and_they_come_once(cast):
    rater = rater_of(cast)
    with pytest.raises(NotAllowedNow) as asked:
        next_assignment(rater=rater)
    assert asked.value.code == "questions_open"
    assert unanswered_questions(rater) == [AGE, READS, TONGUE]
    rater = answer_questions(rater=rater, answers=GIVEN)
    assert next_assignment(rater=rater).submitted_at is None
    assert unanswered_questions(rater) == []
    answer_questions(rater=rater, answers={**GIVEN, "age": "35"})
    stored = rater.demographic_answers.values_list("question__key", "value", "declined")
    assert list(stored) == [("age", "34", False), ("reads", "seldom", False), ("tongue", "", True)]


def test_each_question_can_be_declined(cast):
    rater = answer_questions(rater=rater_of(cast), answers=dict.fromkeys(GIVEN))
    assert set(rater.demographic_answers.values_list("value", "declined")) == {("", True)}


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"age": "old"}, "age"),
        ({"age": "1e3"}, "age"),
        ({"age": ""}, "age"),
        ({"reads": "never"}, "reads"),
        ({"tongue": " "}, "tongue"),
        ({"tongue": "x" * 501}, "tongue"),
        ({"income": "9"}, "income"),
    ],
)
def test_an_answer_that_cannot_be_taken_is_named_and_none_is_stored(cast, wrong, named):
    rater = rater_of(cast)
    with pytest.raises(InvalidAnswer) as refused:
        answer_questions(rater=rater, answers={**GIVEN, **wrong})
    assert list(refused.value.fields) == [named]
    assert not DemographicAnswer.objects.exists()
    assert Rater.objects.get(pk=rater.pk).described_at is None


def test_members_on_trial_are_asked_nothing(cast):
    tester = trial_rater(study=cast.study, user=cast.users["owner"])
    assert unanswered_questions(tester) == []
    assert next_assignment(rater=tester).submitted_at is None


def test_they_have_a_file_of_their_own_and_are_in_no_other(cast):
    rater = answer_questions(rater=rater_of(cast), answers={**GIVEN, "tongue": "Tagalog"})
    columns, rows = demographics_table(cast.study)
    found = list(rows)
    assert [(row["rater"], row["question"], row["answer"]) for row in found] == [
        (rater.code, "age", "34"),
        (rater.code, "reads", "seldom"),
        (rater.code, "tongue", "Tagalog"),
    ]
    assert set(found[0]) == set(columns)
    others = [*rating_columns(cast.study), *long_ratings(cast.study), *raters_table(cast.study)[1]]
    assert "Tagalog" not in str(others)
    assert not {"age", "reads", "tongue"} & set(rating_columns(cast.study))


@pytest.mark.parametrize(("policy", "left"), [("erase", 3), ("exclude", 6), ("keep", 6)])
def test_withdrawal_erases_them_where_the_study_erases(cast, policy, left):
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal=policy)
    leaves, stays = rater_of(cast), rater_of(cast)
    for rater in (leaves, stays):
        answer_questions(rater=rater, answers=GIVEN)
    withdraw(rater=leaves)
    assert DemographicAnswer.objects.count() == left
    assert stays.demographic_answers.count() == 3


def test_who_has_not_agreed_or_has_left_answers_nothing(cast):
    rater = rater_of(cast)
    withdraw(rater=rater)
    with pytest.raises(NotAllowedNow):
        answer_questions(rater=rater, answers=GIVEN)
    Rater.objects.filter(pk=rater.pk).update(state="invited", consented_at=None)
    with pytest.raises(NotAllowedNow) as refused:
        answer_questions(rater=rater, answers=GIVEN)
    assert refused.value.code == "no_consent"


def test_a_closed_study_asks_nothing_and_stores_nothing(cast):
    rater = rater_of(cast)
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    rater = Rater.objects.select_related("study").get(pk=rater.pk)
    assert unanswered_questions(rater) == []
    with pytest.raises(NotAllowedNow) as refused:
        answer_questions(rater=rater, answers=GIVEN)
    assert refused.value.code == "study_closed"
    assert not DemographicAnswer.objects.exists()


def test_simulated_raters_decline(cast):
    people = simulate(study=cast.study, raters=1, mix={AnsweringPattern.CAREFUL: 1.0}, seed=1)
    assert people[0][0].demographic_answers.filter(declined=True).count() == 3
