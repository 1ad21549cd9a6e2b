"""An adjudicator sees and decides the cases assigned to them, and no others."""

from __future__ import annotations

import json

import pytest

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.states import Role
from annotation.models import AuditEntry, Case, User, Verdict
from annotation.services.adjudication.assignments import assign_cases
from annotation.services.adjudication.case_selection import send_items
from annotation.services.people.members import add_member, remove_member
from tests.support.layout import filled_fields
from tests.support.people import PASSWORD
from tests.support.studies.adjudication_study import Desk, cases_of, make_case_study, owner_of

pytestmark = pytest.mark.django_db


def test_the_queue_and_its_numbers_are_of_the_assigned_cases_alone(desk: Desk) -> None:
    page = desk.client().get(f"{desk.pages}?state=all").content.decode()
    assert "I-1" in page
    assert "I-0" not in page
    assert "I-2" not in page
    assert "<b>1</b> of 1 case to decide" in page
    answer = desk.client().get(f"{desk.api}?state=all").json()
    assert [one["item"] for one in answer["results"]] == ["I-1"]


def test_other_cases_are_not_found_by_their_numbers(desk: Desk) -> None:
    client, pk = desk.client(), desk.others.pk
    choice, case = desk.choice(desk.others), f"{desk.api}{pk}/"
    answers = [
        client.get(f"{desk.pages}{pk}/"),
        client.post(f"{desk.pages}{pk}/", choice),
        client.post(f"{desk.pages}{pk}/comments/", {"text": "Let me in."}),
        client.get(case),
        client.post(f"{case}decision/", json.dumps(choice), "application/json"),
        client.post(f"{case}comments/", json.dumps({"text": "Let me in."}), "application/json"),
    ]
    assert {one.status_code for one in answers} == {404}
    assert not Verdict.objects.exists()


def test_an_assigned_case_is_decided_on_the_page_and_through_the_api(desk: Desk) -> None:
    page = desk.client().get(f"{desk.pages}{desk.mine.pk}/").content.decode()
    assert "I-0" not in page
    assert "I-2" not in page
    copied = desk.client().post(f"{desk.pages}{desk.mine.pk}/", {"copy": desk.choice(desk.mine)["choose"]})
    fields = filled_fields(copied.content.decode(), "decide")
    answer = desk.client().post(f"{desk.pages}{desk.mine.pk}/", fields)
    # No case of others is offered as the next one.
    assert (answer.status_code, answer.headers["Location"]) == (302, desk.pages)
    desk.mine.refresh_from_db()
    assert desk.mine.state == "decided"
    assign_cases(study=desk.study, cases=[desk.others.pk], adjudicator=desk.adjudicator, actor=desk.owner)
    decision = json.dumps(desk.choice(desk.others))
    sent = desk.client().post(f"{desk.api}{desk.others.pk}/decision/", decision, "application/json")
    assert sent.status_code == 201
    decided = AuditEntry.objects.filter(study=desk.study, act="adjudicate")
    assert {entry.actor for entry in decided} == {desk.adjudicator}


def test_an_adjudicator_assigns_withdraws_and_searches_nothing(desk: Desk) -> None:
    client = desk.client()
    for page in ("assign/", "withdraw/", "send/", "search/", "display/", f"{desk.mine.pk}/withdraw/"):
        assert client.post(f"{desk.pages}{page}", {"case": desk.others.pk}).status_code == 403
    for address in ("assignments/", "search/", f"{desk.mine.pk}/withdraw/", f"{desk.mine.pk}/put-back/"):
        assert client.post(f"{desk.api}{address}", "{}", "application/json").status_code == 403


def test_the_study_leads_an_adjudicator_to_their_cases(desk: Desk) -> None:
    answer = desk.client().get(f"/studies/{desk.study.slug}/")
    assert (answer.status_code, answer.headers["Location"]) == (302, desk.pages)
    home = desk.client().get("/").content.decode()
    assert "1 case to decide" in home
    assert "4 items" not in home
    assert "3 raters" not in home


@pytest.mark.parametrize("ending", ["removed", "other role"])
def test_who_is_no_adjudicator_any_more_has_no_cases(desk: Desk, ending: str) -> None:
    membership = desk.study.memberships.get(user=desk.adjudicator)
    if ending == "removed":
        remove_member(study=desk.study, membership=membership, actor=desk.owner)
    else:
        add_member(study=desk.study, user=desk.adjudicator, role=Role.VIEWER, actor=desk.owner)
    assert not Case.objects.filter(adjudicator__isnull=False).exists()
    assert desk.client().get(f"{desk.pages}{desk.mine.pk}/").status_code in {403, 404}


def test_cases_are_assigned_to_adjudicators_of_the_study_only(desk: Desk) -> None:
    stranger = User.objects.create_user("stranger@example.org", PASSWORD)
    for user in (stranger, desk.owner):
        with pytest.raises(InvalidContent) as caught:
            assign_cases(study=desk.study, cases=[desk.others.pk], adjudicator=user, actor=desk.owner)
        assert caught.value.code == "no_adjudicator"
    foreign = make_case_study("elsewhere")
    send_items(study=foreign, keys=["I-0"], actor=owner_of(foreign))
    theirs = cases_of(foreign)["I-0"]
    with pytest.raises(InvalidContent) as caught:
        assign_cases(
            study=desk.study, cases=[desk.mine.pk, theirs.pk], adjudicator=desk.adjudicator, actor=desk.owner
        )
    assert caught.value.code == "unknown_case"
    theirs.refresh_from_db()
    assert theirs.adjudicator is None


def test_cases_are_split_evenly_among_the_adjudicators(desk: Desk) -> None:
    second = User.objects.create_user("second@example.org", PASSWORD)
    add_member(study=desk.study, user=second, role=Role.ADJUDICATOR, actor=desk.owner)
    shared = {"split": "1", "all": "1", "query": "state=all"}
    desk.client(desk.owner).post(f"{desk.pages}assign/", shared)
    assert [desk.adjudicator.cases.count(), second.cases.count()] == [2, 1]
    assert not desk.study.cases.filter(adjudicator=None).exists()


def test_a_page_assigns_the_ticked_cases_or_all_of_the_view(desk: Desk) -> None:
    client = desk.client(desk.owner)
    to = {"adjudicator": "judge@example.org"}
    client.post(f"{desk.pages}assign/", {**to, "case": [desk.others.pk]})
    assert {one.item.key for one in desk.adjudicator.cases.all()} == {"I-0", "I-1"}
    client.post(f"{desk.pages}assign/", {**to, "all": "1", "query": "state=all"})
    assert desk.adjudicator.cases.count() == 3
    client.post(f"{desk.pages}assign/", {"adjudicator": "", "all": "1", "query": "state=all"})
    assert desk.adjudicator.cases.count() == 0
    entries = AuditEntry.objects.filter(study=desk.study, act="assign_cases").order_by("pk")
    assert [entry.detail["n"] for entry in entries] == [1, 1, 1, 3]
