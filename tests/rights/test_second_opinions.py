"""A second adjudicator decides a case without seeing the first decision; both are stored; one is final."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import Role
from annotation.domain.questions.answers import Submission
from annotation.models import AuditEntry, ScalePoint, User, Verdict
from annotation.selectors.adjudication.final_answers import adjudicated_table
from annotation.selectors.adjudication.second_opinions import opinion_summary
from annotation.selectors.rating.annotations import annotations_of
from annotation.services.adjudication.decisions import comment, write
from annotation.services.adjudication.second_opinions import ask_second_opinion
from annotation.services.people.members import add_member, remove_member
from tests.support.people import PASSWORD
from tests.support.studies.adjudication_study import Desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(desk: Desk) -> User:
    """Another adjudicator, who has no cases."""
    user = User.objects.create_user("other@example.org", PASSWORD)
    add_member(study=desk.study, user=user, role=Role.ADJUDICATOR, actor=desk.owner)
    return user


def ask(desk: Desk, user: User | None) -> Any:
    page = f"{desk.pages}{desk.mine.pk}/second-opinion/"
    return desk.client().post(page, {"adjudicator": user.email if user else ""}, follow=True)


def decide(desk: Desk, user: User, place: int, seen: int = 0) -> Any:
    """Choose the response at a place, through the API."""
    chosen = annotations_of(desk.study, desk.mine.item, desk.mine.form_id)[place]
    body = json.dumps({**desk.choice(desk.mine), "choose": chosen.pk, "seen_revision": seen})
    return desk.client(user).post(f"{desk.api}{desk.mine.pk}/decision/", body, "application/json")


def read(desk: Desk, user: User) -> dict[str, Any]:
    return dict(desk.client(user).get(f"{desk.api}{desk.mine.pk}/").json())


def shown(desk: Desk, user: User) -> str:
    return desk.client(user).get(f"{desk.pages}{desk.mine.pk}/").content.decode()


def test_both_decisions_are_stored_and_the_first_stays_final(desk, other):
    decide(desk, desk.adjudicator, 0)
    comment(case=desk.mine, text="It is dead.", actor=desk.owner)
    assert "asked for a second opinion" in ask(desk, other).content.decode()
    assert "I-1" in desk.client(other).get(desk.pages).content.decode()
    blind = read(desk, other)
    assert (blind["verdicts"], blind["comments"]) == ([], [])
    page = shown(desk, other)
    assert "You are asked for a second opinion." in page
    assert "It is dead." not in page
    assert 'id="final"' not in page
    assert "final answer" not in page.casefold()
    assert decide(desk, other, 2).status_code == 201
    desk.mine.refresh_from_db()
    assert desk.mine.state == "decided"
    found = [(one.revision, one.current, one.second) for one in Verdict.objects.order_by("revision")]
    assert found == [(1, True, False), (2, False, True)]
    assert [row["decided_by"] for row in adjudicated_table(desk.study)[1]]
    assert {one.author for one in Verdict.objects.filter(current=True)} == {desk.adjudicator}
    for user in (desk.adjudicator, other, desk.owner):
        assert [one["second"] for one in read(desk, user)["verdicts"]] == [False, True]
        page = shown(desk, user)
        assert "The two decisions differ on:" in page or "Both decisions have the same answers." in page
        assert "The final answer is that of decision 1." in page
    acts = AuditEntry.objects.filter(study=desk.study, act__contains="second_opinion").order_by("pk")
    assert [one.act for one in acts] == ["ask_second_opinion", "give_second_opinion"]


def test_the_second_adjudicator_finds_the_case_again_and_scale_points_have_their_labels(desk, other):
    ScalePoint.objects.filter(criterion__key="quality").update(label="as good as it gets")
    ask(desk, other)
    waiting = desk.client(other).get(desk.pages).content.decode()
    assert "Second opinions to give:" in waiting
    assert "No cases yet." not in waiting
    decide(desk, other, 2)
    given = desk.client(other).get(desk.pages).content.decode()
    assert "Second opinions given:" in given
    assert "No cases yet." not in given
    decide(desk, desk.adjudicator, 0)
    table = shown(desk, other).partition('<th scope="col">Second opinion</th>')[2].partition("</table>")[0]
    assert table.count("as good as it gets") == 2


def cannot_rate(desk: Desk, user: User, reason: str) -> None:
    submission = Submission(page_key=uuid.uuid4(), cannot_rate=reason, seen_revision=0)
    write(case=desk.mine, version=desk.mine.form.versions.get(), sent=submission, actor=user)


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("lacks_context", "Both decisions have the same answers."),
        ("other", "The two decisions differ on whether the item can be rated"),
    ],
)
def test_two_decisions_that_the_item_cannot_be_rated_are_compared_too(desk, other, reason, sentence):
    ask(desk, other)
    cannot_rate(desk, desk.adjudicator, "lacks_context")
    cannot_rate(desk, other, reason)
    assert sentence in shown(desk, other)


def test_the_first_adjudicator_decides_again_and_that_is_final(desk, other):
    decide(desk, desk.adjudicator, 0)
    ask(desk, other)
    decide(desk, other, 2)
    assert decide(desk, desk.adjudicator, 1, seen=1).status_code == 201
    assert "The final answer is that of decision 3." in shown(desk, desk.owner)
    assert decide(desk, other, 1, seen=2).status_code == 201
    assert Verdict.objects.get(current=True).revision == 3
    assert "They gave the same answer on" in desk.client(desk.owner).get(desk.pages).content.decode()


def test_decisions_that_follow_the_other_one_do_not_count_as_agreement(desk, other):
    decide(desk, desk.adjudicator, 0)
    ask(desk, other)
    decide(desk, other, 2)
    independent = opinion_summary(desk.study)
    assert (independent.asked, independent.given) == (1, 1)
    assert independent.alike < independent.criteria
    decide(desk, other, 0, seen=2)
    decide(desk, desk.adjudicator, 2, seen=1)
    assert opinion_summary(desk.study) == independent


def test_a_second_opinion_that_comes_first_stays_hidden_from_the_first_adjudicator(desk, other):
    ask_second_opinion(case=desk.mine, adjudicator=other, actor=desk.owner)
    decide(desk, other, 2)
    desk.mine.refresh_from_db()
    assert desk.mine.state == "open"
    assert read(desk, desk.adjudicator)["verdicts"] == []
    assert 'id="second"' not in shown(desk, desk.adjudicator)
    assert len(read(desk, desk.owner)["verdicts"]) == 1
    decide(desk, desk.adjudicator, 2)
    assert len(read(desk, desk.adjudicator)["verdicts"]) == 2
    same = opinion_summary(desk.study)
    assert same.alike == same.criteria > 0
    assert "Both decisions have the same answers." in shown(desk, desk.adjudicator)


def refused(desk: Desk, adjudicator: User | None) -> str:
    with pytest.raises(GroundworkError) as caught:
        ask_second_opinion(case=desk.mine, adjudicator=adjudicator, actor=desk.owner)
    return caught.value.code


def test_only_another_adjudicator_is_asked_and_no_one_once_the_opinion_is_given(desk, other):
    assert refused(desk, desk.adjudicator) == "same_adjudicator"
    assert refused(desk, desk.owner) == "no_adjudicator"
    ask(desk, other)
    ask(desk, None)
    desk.mine.refresh_from_db()
    assert desk.mine.second is None
    assert desk.client(other).get(f"{desk.pages}{desk.mine.pk}/").status_code == 404
    ask(desk, other)
    decide(desk, other, 0)
    assert refused(desk, None) == "opinion_given"


def test_the_second_adjudicator_asks_no_one_and_loses_the_case_with_the_role(desk, other):
    body = json.dumps({"adjudicator": other.email})
    address = f"{desk.api}{desk.mine.pk}/second-opinion/"
    answer = desk.client().post(address, body, "application/json")
    assert answer.json() == {"adjudicator": other.email, "given": False}
    assert desk.client(other).post(address, body, "application/json").status_code == 404
    remove_member(study=desk.study, membership=desk.study.memberships.get(user=other), actor=desk.owner)
    desk.mine.refresh_from_db()
    assert desk.mine.second is None
