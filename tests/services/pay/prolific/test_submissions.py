"""Submissions are proposed by rules, decided by a member, and each decision is sent once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.platforms import Outcome, Platform
from annotation.domain.pay.crowd import OFFERS, Decision, Participation, Reason, propose
from annotation.io.base import signed_http
from annotation.io.pay.prolific import Prolific
from annotation.models import AuditEntry, CrowdStudy, CrowdSubmission, Job, Rater, Study
from annotation.selectors.pay.crowd import reviewed
from annotation.services.base.jobs import claim
from annotation.services.pay.crowd.outside_studies import unlink_study
from annotation.services.pay.crowd.submissions import decide, request_reading, run_submissions
from annotation.services.people.retention import erase_expired
from annotation.services.rating.erasure import erase_rater
from annotation.services.rating.withdrawal import withdraw
from annotation.tasks import run_job
from tests.support.outside.crowd_jobs import link_study
from tests.support.outside.prolific_server import ProlificServer
from tests.support.people import Cast
from tests.support.studies.pay import came, worked


@pytest.fixture
def people(cast: Cast, server: ProlificServer) -> dict[str, str]:
    """By what they did, the submission of each person: one finished, withdrew, stopped, or is unknown."""
    server.studies["abc"] = {"id": "abc", "status": "ACTIVE", "total_available_places": 6, "reward": 100}
    link_study(study=cast.study, invitation=cast.invitation, number="abc", actor=cast.users["owner"])
    finished = worked(cast, 30, 30, 30, 30, rater=came(cast, "finished"))
    Rater.objects.filter(pk=finished.pk).update(state="finished")
    withdraw(rater=came(cast, "withdrew"))
    worked(cast, 30, rater=came(cast, "stopped"))
    codes = {"finished": "DONE1", "withdrew": "NO1", "stopped": "NOCODE", "unknown": "DONE1"}
    return {person: server.add_submission(person, code=code) for person, code in codes.items()}


def read(cast: Cast) -> None:
    run_job(request_reading(study=cast.study, platform=Platform.PROLIFIC, actor=cast.users["owner"]).pk)


def rows(people: dict[str, str]) -> dict[str, CrowdSubmission]:
    found = {one.number: one for one in CrowdSubmission.objects.all()}
    return {person: found[number] for person, number in people.items()}


def decided(cast: Cast, people: dict[str, str], **decisions: Decision) -> Job:
    known = rows(people)
    job = decide(
        study=cast.study,
        platform=Platform.PROLIFIC,
        decisions={known[person].pk: one for person, one in decisions.items()},
        actor=cast.users["owner"],
    )
    run_job(job.pk)
    return job


def test_each_submission_is_matched_and_proposed_with_its_reason(cast, server, people):
    read(cast)
    shown = reviewed(list(rows(people).values()), platform=Platform.PROLIFIC, can_screen_out=False)
    proposals = {one.submission.number: one.proposal for one in shown if one.proposal}
    found = {person: proposals[number] for person, number in people.items()}
    assert {person: (one.decision, one.reason) for person, one in found.items()} == {
        "finished": (Decision.APPROVE, Reason.FINISHED),
        "withdrew": (Decision.RETURN, Reason.NO_CONSENT),
        "stopped": (Decision.RETURN, Reason.NOT_FINISHED),
        "unknown": (None, Reason.UNMATCHED),
    }


def test_reading_sends_nothing(cast, server, people):
    read(cast)
    assert {method for method, _ in server.calls} == {"GET"}


def test_confirmed_decisions_are_sent_and_done_when_prolific_shows_them(cast, server, people):
    read(cast)
    decided(cast, people, finished=Decision.APPROVE, withdrew=Decision.RETURN)
    found = rows(people)
    assert {p: found[p].decision_state for p in ("finished", "withdrew")} == {
        "finished": "done",
        "withdrew": "done",
    }
    assert server.submissions[people["finished"]]["status"] == "APPROVED"
    assert server.asked_to_return == {people["withdrew"]: 1}
    assert found["withdrew"].reason == "Withdrew consent."
    acts = AuditEntry.objects.filter(act="decide_submissions").order_by("pk").values_list("detail", flat=True)
    assert list(acts) == [{"decision": "approve", "n": 1}, {"decision": "return", "n": 1}]


def test_a_screen_out_needs_its_code_and_uses_it(cast, server, people):
    read(cast)
    with pytest.raises(NotAllowedNow) as refused:
        decided(cast, people, stopped=Decision.SCREEN_OUT)
    assert refused.value.code == "no_screen_out"
    CrowdStudy.objects.update(screen_out_code="PAID1")
    decided(cast, people, stopped=Decision.SCREEN_OUT)
    assert rows(people)["stopped"].status == "SCREENED OUT"


@pytest.mark.parametrize("manner", ["lost", "late", "fault", "doubled", "unreadable", "away"])
def test_a_message_to_a_person_is_sent_once_whatever_is_answered(cast, server, people, manner, monkeypatch):
    monkeypatch.setattr(signed_http, "TIMEOUT", 0.5)
    read(cast)
    server.manners["request-return/"] = manner
    decided(cast, people, stopped=Decision.RETURN)
    for _ in range(2):
        read(cast)
    assert server.count("request-return/") == 1
    done = manner not in {"fault", "away"}
    assert rows(people)["stopped"].decision_state == ("done" if done else "in_doubt")


def test_a_refused_decision_can_be_taken_again(cast, server, people):
    read(cast)
    server.manners["request-return/"] = "busy"
    decided(cast, people, stopped=Decision.RETURN)
    refused = rows(people)["stopped"]
    assert (refused.decision_state, "Wait some minutes" in refused.problem_words) == ("refused", True)
    server.manners.clear()
    decided(cast, people, stopped=Decision.RETURN)
    assert rows(people)["stopped"].decision_state == "done"


def test_a_worker_that_dies_in_the_call_leaves_the_decision_in_doubt(cast, server, people, monkeypatch):
    read(cast)

    class Killed(BaseException):
        pass

    def dies(self: Prolific, *asked: Any, **words: Any) -> None:
        raise Killed

    job = decide(
        study=cast.study,
        platform=Platform.PROLIFIC,
        decisions={rows(people)["stopped"].pk: Decision.RETURN},
        actor=cast.users["owner"],
    )
    with monkeypatch.context() as patched:
        patched.setattr(Prolific, "decide", dies)
        lease = claim(job_id=job.pk)
        assert lease is not None
        with pytest.raises(Killed):
            run_submissions(lease=lease)
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    run_job(job.pk)
    assert rows(people)["stopped"].decision_state == "in_doubt"
    assert server.count("request-return/") == 0


def test_nothing_is_decided_again_while_a_decision_is_being_sent(cast, server, people, monkeypatch):
    """The call is under way when another member decides: a second decision would be a second message."""
    read(cast)
    whole = Prolific.decide
    codes = []

    def slow(self: Prolific, *asked: Any, **words: Any) -> None:
        with pytest.raises(NotAllowedNow) as refused:
            decide(
                study=cast.study,
                platform=Platform.PROLIFIC,
                decisions={rows(people)["stopped"].pk: Decision.RETURN},
                actor=cast.users["admin"],
            )
        codes.append(refused.value.code)
        whole(self, *asked, **words)

    monkeypatch.setattr(Prolific, "decide", slow)
    decided(cast, people, stopped=Decision.RETURN)
    assert codes == ["changed_elsewhere"]
    assert rows(people)["stopped"].decision_state == "done"
    assert server.count("request-return/") == 1


def test_reading_while_another_worker_sends_leaves_the_decision_as_being_sent(
    cast, server, people, monkeypatch
):
    read(cast)
    whole = Prolific.decide
    found = []

    def slow(self: Prolific, *asked: Any, **words: Any) -> None:
        read(cast)
        found.append(rows(people)["stopped"].decision_state)
        whole(self, *asked, **words)

    monkeypatch.setattr(Prolific, "decide", slow)
    decided(cast, people, stopped=Decision.RETURN)
    assert found == ["sending"]


def test_reading_does_not_undo_what_another_worker_stores_meanwhile(cast, server, people):
    """A decision that went into doubt between reading and writing must not wait to be sent again."""
    read(cast)
    stopped = rows(people)["stopped"]

    def meanwhile(execute, sql, params, many, context):
        if sql.startswith("UPDATE") and "CASE" in sql and '"return_requested" =' in sql:
            with connection.cursor() as cursor:
                cursor.execute(
                    "UPDATE annotation_crowdsubmission"
                    " SET decision = 'return', decision_state = 'in_doubt' WHERE id = %s",
                    [stopped.pk],
                )
        return execute(sql, params, many, context)

    with connection.execute_wrapper(meanwhile):
        read(cast)
    assert rows(people)["stopped"].decision_state == "in_doubt"


def test_submissions_go_with_the_study_that_is_separated(cast, server, people):
    read(cast)
    unlink_study(study=cast.study, platform=Platform.PROLIFIC, actor=cast.users["owner"])
    assert not CrowdSubmission.objects.exists()


def test_a_study_is_not_separated_while_its_submissions_are_read(cast, server, people):
    request_reading(study=cast.study, platform=Platform.PROLIFIC, actor=cast.users["owner"])
    with pytest.raises(NotAllowedNow) as refused:
        unlink_study(study=cast.study, platform=Platform.PROLIFIC, actor=cast.users["owner"])
    assert refused.value.code == "submissions_under_way"
    assert CrowdStudy.objects.exists()


def test_what_was_decided_or_approved_meanwhile_is_refused_as_a_whole(cast, server, people):
    read(cast)
    decided(cast, people, finished=Decision.APPROVE)
    with pytest.raises(NotAllowedNow) as refused:
        decided(cast, people, finished=Decision.RETURN, stopped=Decision.RETURN)
    assert refused.value.code == "changed_elsewhere"
    assert rows(people)["stopped"].decision == ""


def test_nothing_chosen_is_refused(cast, server, people):
    with pytest.raises(InvalidContent):
        decide(study=cast.study, platform=Platform.PROLIFIC, decisions={}, actor=cast.users["owner"])


def test_submissions_go_with_the_identity_of_a_rater_and_do_not_come_back(cast, server, people):
    read(cast)
    rater = Rater.objects.get(identity__person="finished")
    erase_rater(rater=rater, actor=cast.users["owner"])
    assert not CrowdSubmission.objects.filter(number=people["finished"]).exists()
    read(cast)
    assert not CrowdSubmission.objects.filter(number=people["finished"]).exists()
    assert CrowdSubmission.objects.count() == 3
    columns = [field.name for field in CrowdSubmission._meta.get_fields()]
    assert "person" not in columns


def test_the_period_for_platform_ids_ends_for_people_who_are_no_raters_too(cast, server, people):
    read(cast)
    Study.objects.filter(pk=cast.study.pk).update(
        state="closed", closed_at=timezone.now() - timedelta(days=2), keep_ids_days=1
    )
    erase_expired(study=cast.study, now=timezone.now())
    assert not CrowdSubmission.objects.exists()


def test_all_pages_of_a_long_list_are_read_once_each(cast, server, people):
    for number in range(230):
        server.add_submission(f"more-{number}")
    read(cast)
    assert CrowdSubmission.objects.count() == 234


@pytest.mark.parametrize(
    ("outcome", "answered", "excluded", "code", "expected"),
    [
        (Outcome.FINISHED, True, False, "DONE1", (Decision.APPROVE, Reason.FINISHED)),
        (Outcome.FINISHED, True, False, "", (Decision.APPROVE, Reason.FINISHED_OTHER_CODE)),
        (Outcome.SCREENED_OUT, True, True, "OUT1", (Decision.APPROVE, Reason.EXCLUDED)),
        (Outcome.SCREENED_OUT, False, False, "OUT1", (Decision.SCREEN_OUT, Reason.SCREENED_OUT)),
        (Outcome.FAILED_CHECKS, True, False, "CHECK1", (None, Reason.FAILED_CHECKS)),
        (Outcome.NO_CONSENT, True, False, "", (Decision.RETURN, Reason.NO_CONSENT)),
        (None, True, False, "DONE1", (Decision.RETURN, Reason.NOT_FINISHED)),
    ],
)
def test_the_rules(outcome, answered, excluded, code, expected):
    known = Participation(outcome, answered, excluded, {Outcome.FINISHED: "DONE1"})
    found = propose(known, code=code, offer=OFFERS[Platform.PROLIFIC], can_screen_out=True)
    assert (found.decision, found.reason) == expected
