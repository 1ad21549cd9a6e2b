"""A HIT on Mechanical Turk is made of our study, once; assignments are read, decided, and more are added."""

from __future__ import annotations

import importlib.util
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.crowd import Decision, Reason
from annotation.io.base import signed_http
from annotation.io.base.signed_http import unchecked
from annotation.io.pay.mturk import MechanicalTurk
from annotation.models import AuditEntry, CrowdConnection, CrowdStudy, CrowdSubmission, Job, Rater
from annotation.selectors.pay.crowd import reviewed
from annotation.services.pay.crowd.connection import request_connection
from annotation.services.pay.crowd.submissions import decide, request_reading
from annotation.services.pay.mturk.hits import Hit, request_hit
from annotation.services.rating.erasure import erase_rater
from tests.support.outside.crowd_jobs import connect, done, find_draft, raise_places
from tests.support.outside.mturk_server import KEY, SECRET, TOKEN, MturkServer
from tests.support.people import Cast
from tests.support.studies.pay import came, worked

ADDRESS = "https://ratings.example.org/join/abc/"
PLAIN: dict[str, Any] = {
    "title": "Rate similes",
    "description": "Read and rate.",
    "keywords": "similes, reading",
    "places": 6,
    "reward": 150,
    "minutes": 60,
    "days": 7,
    "approval_days": 7,
}
WORKER, OTHER, STRANGER = "A1WORKER", "A2WORKER", "A3WORKER"


def asked(cast: Cast, address: str = ADDRESS, **fields: Any) -> Job:
    owner, hit = cast.users["owner"], Hit(**{**PLAIN, **fields})
    return request_hit(study=cast.study, invitation=cast.invitation, address=address, hit=hit, actor=owner)


def created(cast: Cast, **fields: Any) -> CrowdStudy:
    done(asked(cast, **fields))
    return CrowdStudy.objects.get(study=cast.study)


def on_mturk(cast: Cast) -> dict[str, Any]:
    return {"study": cast.study, "actor": cast.users["owner"], "platform": Platform.MTURK}


def read(cast: Cast) -> dict[str, CrowdSubmission]:
    done(request_reading(**on_mturk(cast)))
    return {one.number: one for one in CrowdSubmission.objects.all()}


def test_the_hit_shows_the_link_in_a_frame_and_has_our_name_twice(cast, server):
    row = created(cast, least_percent=95, countries=("US", "GB"))
    assert (row.number, row.status, row.places, row.reward) == ("HIT0", "Assignable", 6, 150)
    sent = server.hits["HIT0"]["sent"]
    assert f"<ExternalURL>{ADDRESS}</ExternalURL>" in sent["Question"]
    assert (sent["Reward"], sent["MaxAssignments"], sent["LifetimeInSeconds"]) == ("1.50", 6, 7 * 86_400)
    assert sent["UniqueRequestToken"] == sent["RequesterAnnotation"] == row.internal_name
    kinds = {one["QualificationTypeId"]: one["Comparator"] for one in sent["QualificationRequirements"]}
    assert kinds == {"000000000000000000L0": "GreaterThanOrEqualTo", "00000000000000000071": "In"}


@pytest.mark.parametrize("manner", ["lost", "late", "fault", "unreadable", "away", "doubled"])
def test_a_hit_is_created_once_whatever_is_answered(cast, server, manner, monkeypatch):
    if manner == "late":
        monkeypatch.setattr(signed_http, "TIMEOUT", 0.5)
    server.manners["CreateHIT"] = manner
    exists = manner in {"lost", "late", "unreadable", "doubled"}
    if manner == "doubled":
        assert created(cast).number == "HIT0"
    else:
        with pytest.raises(GroundworkError) as refused:
            created(cast)
        assert refused.value.code == "mturk_no_answer"
        server.manners.clear()
        monkeypatch.undo()
        with pytest.raises(NotAllowedNow):
            asked(cast)
        CrowdStudy.objects.update(asked_at=timezone.now() - timedelta(minutes=3))
        if exists:
            assert find_draft(**on_mturk(cast)).number == "HIT0"
        else:
            with pytest.raises(GroundworkError) as refused:
                find_draft(**on_mturk(cast))
            assert refused.value.code == "draft_not_found"
    assert server.calls.count("CreateHIT") == 1
    assert len(server.hits) == exists


def test_a_worker_that_dies_in_the_call_never_creates_a_second_hit(cast, server):
    job, row = asked(cast), CrowdStudy.objects.get()
    CrowdStudy.objects.update(asked_at=timezone.now())
    MechanicalTurk(key=KEY, secret=SECRET, address=server.address, private_allowed=True).create_study(
        row.content, check=unchecked
    )
    with pytest.raises(GroundworkError) as refused:
        done(job)
    assert refused.value.code == "mturk_no_answer"
    assert list(server.hits) == ["HIT0"]


def test_assignments_are_added_once_and_not_beyond_the_cheaper_fee(cast, server):
    created(cast)
    assert raise_places(**on_mturk(cast), places=9).places == 9
    with pytest.raises(InvalidContent) as refused:
        raise_places(**on_mturk(cast), places=10)
    assert refused.value.code == "bad_places"
    assert server.hits["HIT0"]["MaxAssignments"] == 9


def test_assignments_are_matched_and_decided_by_a_member(cast, server: MturkServer):
    created(cast)
    finished = worked(cast, 30, 30, 30, 30, rater=came(cast, WORKER, Platform.MTURK))
    Rater.objects.filter(pk=finished.pk).update(state="finished")
    worked(cast, 30, rater=came(cast, OTHER, Platform.MTURK))
    numbers = {person: server.add_assignment(person) for person in (WORKER, OTHER, STRANGER)}
    rows = read(cast)
    shown = reviewed(list(rows.values()), platform=Platform.MTURK, can_screen_out=False)
    proposals = {one.submission.number: one.proposal for one in shown if one.proposal}
    assert {
        person: (p.decision, p.reason) for person, p in ((w, proposals[n]) for w, n in numbers.items())
    } == {
        WORKER: (Decision.APPROVE, Reason.FINISHED_WITHOUT_CODES),
        OTHER: (None, Reason.NOT_FINISHED),
        STRANGER: (None, Reason.UNMATCHED),
    }
    assert server.calls.count("ApproveAssignment") == server.calls.count("RejectAssignment") == 0
    chosen = {rows[numbers[WORKER]].pk: Decision.APPROVE, rows[numbers[OTHER]].pk: Decision.REJECT}
    with pytest.raises(InvalidContent) as refused:
        decide(**on_mturk(cast), decisions=chosen)
    assert refused.value.code == "no_reason"
    done(decide(**on_mturk(cast), decisions=chosen, reason="Only one item was rated."))
    states = {one.rater_id and one.status: one.decision_state for one in CrowdSubmission.objects.all()}
    assert states == {"APPROVED": "done", "REJECTED": "done", None: ""}
    assert server.assignments[numbers[OTHER]]["RequesterFeedback"] == "Only one item was rated."
    acts = AuditEntry.objects.filter(act="decide_assignments").values_list("detail__decision", flat=True)
    assert set(acts) == {"approve", "reject"}


@pytest.mark.parametrize("manner", ["lost", "fault"])
def test_a_rejection_is_sent_once_and_is_settled_by_what_the_list_shows(cast, server, manner):
    created(cast)
    number = server.add_assignment(STRANGER)
    chosen = {read(cast)[number].pk: Decision.REJECT}
    server.manners["RejectAssignment"] = manner
    done(decide(**on_mturk(cast), decisions=chosen, reason="Nothing was rated."))
    read(cast)
    assert server.calls.count("RejectAssignment") == 1
    assert CrowdSubmission.objects.get().decision_state == ("done" if manner == "lost" else "in_doubt")


def test_a_decision_that_the_platform_does_not_have_is_refused(cast, server):
    created(cast)
    number = server.add_assignment(STRANGER)
    with pytest.raises(InvalidContent) as refused:
        decide(**on_mturk(cast), decisions={read(cast)[number].pk: Decision.RETURN})
    assert refused.value.code == "not_offered"


def test_assignments_go_with_the_rater_and_do_not_come_back(cast, server):
    created(cast)
    rater = came(cast, WORKER, Platform.MTURK)
    server.add_assignment(WORKER)
    assert len(read(cast)) == 1
    erase_rater(rater=rater, actor=cast.users["owner"])
    assert not read(cast)


@pytest.mark.parametrize(
    ("field", "value"),
    [("title", " "), ("keywords", ""), ("places", 0), ("minutes", 0), ("countries", ("usa",))],
)
def test_what_could_not_be_taken_is_refused_before_it_is_asked(cast, server, field, value):
    calls = len(server.calls)
    with pytest.raises(InvalidContent) as refused:
        asked(cast, **{field: value})
    assert field in refused.value.fields
    with pytest.raises(InvalidContent) as refused:
        asked(cast, address="http://ratings.example.org/join/abc/")
    assert "invitation" in refused.value.fields
    assert len(server.calls) == calls


def test_a_key_is_tried_before_it_is_used_and_stored_encrypted(cast, server, caplog):
    owner = cast.users["owner"]
    with caplog.at_level("DEBUG"), pytest.raises(GroundworkError) as refused:
        connect(study=cast.study, actor=owner, token=f"AKIAWRONG:{SECRET}", platform=Platform.MTURK)
    assert refused.value.code == "mturk_token"
    connection = CrowdConnection.objects.get()
    assert (connection.account, connection.token) == ("AKIA…1234", TOKEN)
    stored = [
        *AuditEntry.objects.values_list("detail", flat=True),
        *Job.objects.values_list("params", flat=True),
    ]
    for text in (connection.sealed_token, str(stored), caplog.text):
        assert SECRET not in text
    with pytest.raises(InvalidContent) as refused:
        request_connection(**on_mturk(cast), token="a-token-without-a-key")
    assert refused.value.code == "bad_mturk_token"


def test_a_key_that_was_replaced_during_its_test_leaves_the_one_in_use(cast, server, monkeypatch):
    job = request_connection(**on_mturk(cast), token=TOKEN)
    ask = MechanicalTurk.account

    def replaced(client: MechanicalTurk) -> str:
        request_connection(**on_mturk(cast), token=f"AKIAOTHER00005678:{SECRET}")
        return ask(client)

    monkeypatch.setattr(MechanicalTurk, "account", replaced)
    with pytest.raises(GroundworkError) as refused:
        done(job)
    assert refused.value.code == "changed_elsewhere"
    in_use = CrowdConnection.objects.get(is_accepted=True)
    assert (in_use.account, in_use.token) == ("AKIA…1234", TOKEN)
    assert AuditEntry.objects.filter(act="connect_mturk").count() == 1


def test_an_address_in_a_private_network_is_not_called(cast, server, settings):
    settings.WEBHOOKS_PRIVATE = False
    calls = len(server.calls)
    with pytest.raises(GroundworkError) as refused:
        connect(study=cast.study, actor=cast.users["owner"], token=TOKEN, platform=Platform.MTURK)
    assert refused.value.code == "mturk_unreachable"
    assert len(server.calls) == calls


def test_without_the_extra_the_refusal_says_what_to_install(cast, server, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "annotation.io.pay.mturk.find_spec", lambda name: None if name == "boto3" else found(name)
    )
    with pytest.raises(NotAllowedNow) as refused:
        request_connection(**on_mturk(cast), token=TOKEN)
    assert refused.value.code == "mturk_not_installed"


def test_a_worker_without_the_extra_asks_for_nothing_and_leaves_nothing_in_doubt(cast, server, monkeypatch):
    job = asked(cast)
    monkeypatch.setattr("annotation.io.pay.mturk.find_spec", lambda _: None)
    with pytest.raises(GroundworkError) as refused:
        done(job)
    assert refused.value.code == "mturk_not_installed"
    assert not CrowdStudy.objects.exists()


def test_settings_of_the_worker_that_cannot_be_used_leave_nothing_in_doubt(cast, server, monkeypatch):
    monkeypatch.setenv("AWS_PROFILE", "absent")
    with pytest.raises(GroundworkError) as refused:
        done(asked(cast))
    assert refused.value.code == "mturk_unusable"
    assert server.hits == {}
    monkeypatch.delenv("AWS_PROFILE")
    done(asked(cast))
    assert len(server.hits) == 1
