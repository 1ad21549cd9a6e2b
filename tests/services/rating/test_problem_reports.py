"""What raters report about items is stored once, changes no rating, and is resolved by members."""

from __future__ import annotations

import uuid

import pytest

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_PROBLEM, MOST_PROBLEMS_PER_PAGE
from annotation.domain.base.states import StudyState
from annotation.models import Assignment, AuditEntry, ProblemReport, Response
from annotation.selectors.rating.problem_reports import open_problems, problems_table
from annotation.services.rating.enrolment import consent, trial_rater
from annotation.services.rating.erasure import erase_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.problem_reports import report_problem, resolve_problem
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3)


@pytest.fixture
def page(cast: Cast) -> Assignment:
    return next_assignment(rater=consent(invitation=cast.invitation))


def report(page: Assignment, reason: str = "upsetting", text: str = "") -> ProblemReport:
    return report_problem(assignment=page, reason=reason, text=text, report_key=uuid.uuid4())


def test_the_same_report_sent_twice_is_stored_once_and_changes_no_answer(page: Assignment) -> None:
    key = uuid.uuid4()
    stored = [
        report_problem(assignment=page, reason="other", text=" The end is cut off. ", report_key=key)
        for _ in range(2)
    ]
    assert stored[0].pk == stored[1].pk
    assert ProblemReport.objects.values_list("reason", "text").get() == ("other", "The end is cut off.")
    assert not Response.objects.exists()


@pytest.mark.parametrize(
    ("reason", "text", "code"),
    [
        ("nonsense", "", "no_reason"),
        ("", "", "no_reason"),
        ("other", "  ", "no_words"),
        ("upsetting", "x" * (LONGEST_PROBLEM + 1), "too_long"),
        ("upsetting", "a\x00b", "not_text"),
    ],
)
def test_a_report_without_a_reason_or_words_is_refused(
    page: Assignment, reason: str, text: str, code: str
) -> None:
    with pytest.raises(InvalidContent) as refused:
        report(page, reason, text)
    assert refused.value.code == code
    assert not ProblemReport.objects.exists()


def test_a_key_that_comes_with_other_words_or_for_another_item_stores_another_report(
    cast: Cast, page: Assignment
) -> None:
    key = uuid.uuid4()
    other = next_assignment(rater=consent(invitation=cast.invitation))
    for about, text in ((page, "The end."), (page, "The beginning."), (other, "The end.")):
        report_problem(assignment=about, reason="other", text=text, report_key=key)
    stored = ProblemReport.objects.order_by("pk").values_list("assignment", "text")
    assert list(stored) == [(page.pk, "The end."), (page.pk, "The beginning."), (other.pk, "The end.")]


def test_a_closed_study_takes_no_reports(cast: Cast, page: Assignment) -> None:
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    with pytest.raises(NotAllowedNow) as refused:
        report(page)
    assert refused.value.code == "study_closed"
    assert not ProblemReport.objects.exists()


def test_a_report_that_was_erased_meanwhile_is_not_resolved(cast: Cast, page: Assignment) -> None:
    problem = report(page)
    erase_rater(rater=page.rater, actor=None)
    with pytest.raises(NotAllowedNow) as refused:
        resolve_problem(problem=problem, actor=cast.users["admin"])
    assert refused.value.code == "problem_erased"


def test_ten_problems_of_an_item_are_stored_and_no_more(page: Assignment) -> None:
    for _ in range(MOST_PROBLEMS_PER_PAGE):
        report(page)
    with pytest.raises(NotAllowedNow) as refused:
        report(page)
    assert refused.value.code == "too_many_problems"
    assert ProblemReport.objects.count() == MOST_PROBLEMS_PER_PAGE


def test_a_member_who_previews_and_a_rater_who_has_withdrawn_report_nothing(
    cast: Cast, page: Assignment
) -> None:
    preview = next_assignment(rater=trial_rater(study=cast.study, user=cast.users["owner"]))
    withdraw(rater=page.rater)
    codes = []
    for one in (preview, page):
        with pytest.raises(NotAllowedNow) as refused:
            report(one)
        codes.append(refused.value.code)
    assert codes == ["preview", "rater_withdrawn"]
    assert not ProblemReport.objects.exists()


def test_unresolved_problems_are_counted_by_item_the_most_reported_first(cast: Cast) -> None:
    rater = consent(invitation=cast.invitation)
    first = next_assignment(rater=rater)
    other = next_assignment(rater=consent(invitation=cast.invitation))
    key, others_key = first.item.key, other.item.key
    assert key != others_key
    resolved = report(other)
    report(other)
    report(other)
    report(first)
    resolve_problem(problem=resolved, actor=cast.users["admin"])
    assert open_problems(cast.study).items == [{"key": others_key, "n": 2}, {"key": key, "n": 1}]
    shortened = open_problems(cast.study, most=1)
    assert (shortened.items, shortened.more) == ([{"key": others_key, "n": 2}], 1)


def test_resolving_is_recorded_once_and_exported(cast: Cast, page: Assignment) -> None:
    problem = report(page, "other", "Where is the end?")
    first = resolve_problem(problem=problem, actor=cast.users["admin"])
    again = resolve_problem(problem=problem, actor=cast.users["owner"])
    assert (again.resolved_by, again.resolved_at) == (cast.users["admin"], first.resolved_at)
    assert AuditEntry.objects.filter(act="resolve_problem").count() == 1
    columns, rows = problems_table(cast.study)
    (row,) = rows
    assert tuple(row) == columns
    assert (row["item"], row["rater"], row["reason"], row["text"]) == (
        page.item.key,
        page.rater.code,
        "other",
        "Where is the end?",
    )
    assert row["resolved_at"].endswith("Z")
