"""A draft on Prolific is made of our study, once, and its places follow the open rating slots."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError, InvalidContent, LeaseLost, NotAllowedNow
from annotation.domain.base.platforms import Platform
from annotation.io.base import signed_http
from annotation.io.base.signed_http import unchecked
from annotation.io.pay import prolific
from annotation.io.pay.crowd import OutsideStudy
from annotation.io.pay.prolific import Prolific
from annotation.models import AuditEntry, CrowdConnection, CrowdStudy, Job, Study
from annotation.selectors.pay.crowd import places_needed
from annotation.services.base.jobs import cancel, claim
from annotation.services.base.key_rotation import reseal_secrets
from annotation.services.pay.crowd.connection import disconnect, request_connection
from annotation.services.pay.crowd.outside_studies import unlink_study
from annotation.services.pay.crowd.places import request_places
from annotation.services.pay.crowd.study_jobs import run_study_act
from annotation.services.pay.prolific.draft_content import Draft
from annotation.services.pay.prolific.drafts import request_draft
from annotation.services.people.invitations import invite
from annotation.services.studies.deletion import delete_draft
from annotation.tasks import run_job
from tests.support.outside.crowd_jobs import connect, done, find_draft, link_study, raise_places
from tests.support.outside.prolific_server import TOKEN
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import came, pay, worked

ADDRESS = "https://ratings.example.org/join/abc/"
PLAIN = {"title": "Rate similes", "description": "Read and rate.", "places": 6, "reward": 150, "minutes": 9}


def draft(cast: Cast, **fields: Any) -> CrowdStudy:
    done(asked(cast, **fields))
    return CrowdStudy.objects.get(study=cast.study)


def asked(cast: Cast, **fields: Any) -> Job:
    return request_draft(
        study=cast.study,
        invitation=cast.invitation,
        address=ADDRESS,
        draft=Draft(**{**PLAIN, **fields}),
        actor=cast.users["owner"],
    )


def look(cast: Cast) -> CrowdStudy:
    return find_draft(study=cast.study, actor=cast.users["owner"])


def two_minutes_later() -> None:
    """Prolific cannot be creating a draft any more."""
    CrowdStudy.objects.update(asked_at=timezone.now() - timedelta(minutes=3))


def test_the_draft_has_the_link_its_codes_and_the_pay_and_is_not_published(cast, server):
    row = draft(cast)
    made = server.studies[row.number]
    assert made["external_study_url"] == (
        f"{ADDRESS}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID={{{{%STUDY_ID%}}}}"
        "&SESSION_ID={{%SESSION_ID%}}"
    )
    assert (made["reward"], made["total_available_places"], made["estimated_completion_time"]) == (150, 6, 9)
    codes = {one["code"]: (one["code_type"], one["actions"][0]["action"]) for one in made["completion_codes"]}
    assert codes == {
        "DONE1": ("COMPLETED", "MANUALLY_REVIEW"),
        "CHECK1": ("FAILED_ATTENTION_CHECK", "MANUALLY_REVIEW"),
        "NO1": ("NO_CONSENT", "REQUEST_RETURN"),
        "OUT1": ("OTHER", "REQUEST_RETURN"),
    }
    assert row.status == "UNPUBLISHED"
    assert not any("transition" in path for _, path in server.calls)


def test_a_paid_screen_out_is_a_code_that_the_research_team_alone_enters(cast, server):
    row = draft(cast, screen_out_reward=20, screen_out_places=5)
    paid = server.studies[row.number]["completion_codes"][-1]
    assert (paid["code"], paid["actor"]) == (row.screen_out_code, "researcher")
    assert paid["actions"] == [
        {"action": "FIXED_SCREEN_OUT_PAYMENT", "fixed_screen_out_reward": 20, "slots": 5}
    ]


@pytest.mark.parametrize("manner", ["lost", "fault"])
def test_a_draft_whose_creation_was_not_answered_is_looked_for_and_not_made_twice(cast, server, manner):
    server.manners["studies/"] = manner
    with pytest.raises(GroundworkError):
        draft(cast)
    server.manners.clear()
    with pytest.raises(NotAllowedNow):
        draft(cast)
    two_minutes_later()
    if manner == "lost":
        assert look(cast).number == "study0"
    else:
        with pytest.raises(GroundworkError) as refused:
            look(cast)
        assert refused.value.code == "draft_not_found"
    assert len(server.studies) == (1 if manner == "lost" else 0)
    assert CrowdStudy.objects.exclude(number="").count() == len(server.studies)
    act = "find_prolific_draft" if manner == "lost" else "discard_prolific_draft"
    assert AuditEntry.objects.filter(act=act, study=cast.study).count() == 1


def test_a_draft_is_not_given_up_while_it_is_being_created(cast, server, monkeypatch):
    """A member looks for it, and separates the study, before Prolific has created it."""
    whole = Prolific.create_study
    codes = []

    def slow(self: Prolific, fields: Any, **check: Any) -> OutsideStudy:
        given = {"study": cast.study, "actor": cast.users["admin"], "platform": Platform.PROLIFIC}
        for act in (find_draft, unlink_study):
            with pytest.raises(NotAllowedNow) as refused:
                act(**given)
            codes.append(refused.value.code)
        return whole(self, fields, **check)

    monkeypatch.setattr(Prolific, "create_study", slow)
    assert draft(cast).number == "study0"
    assert codes == ["draft_under_way", "draft_under_way"]
    assert CrowdStudy.objects.get().number == "study0"


@pytest.mark.parametrize("is_known", [False, True])
def test_only_a_draft_without_a_number_is_looked_for(cast, server, is_known):
    if is_known:
        draft(cast)
        two_minutes_later()
        server.studies.clear()
    with pytest.raises(NotAllowedNow) as refused:
        look(cast)
    assert refused.value.code == "no_draft_to_find"
    assert CrowdStudy.objects.exists() == is_known


def test_a_very_long_list_of_studies_is_not_searched(cast, server, monkeypatch):
    monkeypatch.setattr(prolific, "MOST_SEARCHED", 5)
    server.manners["studies/"] = "fault"
    with pytest.raises(GroundworkError):
        draft(cast)
    server.manners.clear()
    two_minutes_later()
    server.studies.update({f"s{n}": {"id": f"s{n}"} for n in range(6)})
    with pytest.raises(GroundworkError) as refused:
        look(cast)
    assert refused.value.code == "too_many_studies"
    assert CrowdStudy.objects.exists()


def test_a_draft_with_a_study_on_prolific_can_be_deleted(cast, server):
    other = make_cast(slug="moons", opened=False)
    owner = other.users["owner"]
    connect(study=other.study, actor=owner, token=TOKEN)
    link = invite(study=other.study, actor=owner, platform=Platform.PROLIFIC, completion_code="DONE2")
    server.studies["abc"] = {"id": "abc", "status": "UNPUBLISHED", "total_available_places": 6, "reward": 100}
    link_study(study=other.study, invitation=link, number="abc", actor=owner)
    delete_draft(study=other.study, actor=owner)
    assert not Study.objects.filter(pk=other.study.pk).exists()
    assert "abc" in server.studies


def test_a_refused_draft_stores_nothing(cast, server):
    server.manners["studies/"] = "refused"
    with pytest.raises(GroundworkError) as refused:
        draft(cast)
    assert refused.value.code == "prolific_refused"
    assert not CrowdStudy.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [("title", " "), ("places", 0), ("minutes", 0), ("reward", 0), ("screen_out_reward", 150)],
)
def test_what_prolific_could_not_take_is_refused_before_it_is_asked(cast, server, field, value):
    with pytest.raises(InvalidContent) as refused:
        draft(cast, **{field: value})
    assert field in refused.value.fields
    assert not server.studies


def test_another_currency_than_prolific_pays_in_is_refused(cast, server):
    pay(cast, currency="EUR")
    with pytest.raises(NotAllowedNow) as refused:
        draft(cast)
    assert refused.value.code == "currency_not_on_prolific"


def test_places_can_only_grow(cast, server):
    row = draft(cast)
    with pytest.raises(InvalidContent):
        raise_places(study=cast.study, places=6, actor=cast.users["owner"])
    assert raise_places(study=cast.study, places=8, actor=cast.users["owner"]).places == 8
    assert server.studies[row.number]["total_available_places"] == 8


def test_places_are_the_raters_that_the_open_rating_slots_need(cast):
    """4 items need 6 ratings each, and a rater does all 4: 6 raters; after one who did 2 items still 6."""
    assert places_needed(cast.study, pages=4) == 6
    worked(cast, 30, 30, rater=came(cast, "p-1"))
    assert places_needed(cast.study, pages=4) == 6
    worked(cast, 30, 30, rater=cast.study.raters.get(identity__person="p-1"))
    assert places_needed(cast.study, pages=4) == 5
    assert places_needed(cast.study, pages=0) == 0


def test_a_study_that_is_separated_can_be_linked_again(cast, server):
    row = draft(cast)
    unlink_study(study=cast.study, platform=Platform.PROLIFIC, actor=cast.users["owner"])
    linked = link_study(
        study=cast.study, invitation=cast.invitation, number=row.number, actor=cast.users["owner"]
    )
    assert (linked.number, linked.places) == (row.number, 6)


@pytest.mark.parametrize("number", ["", "a/b", "../users/me", "x" * 61, "ü"])
def test_what_is_no_id_is_never_part_of_an_address(cast, server, number):
    calls = len(server.calls)
    with pytest.raises(InvalidContent) as refused:
        link_study(study=cast.study, invitation=cast.invitation, number=number, actor=cast.users["owner"])
    assert refused.value.code == "bad_prolific_id"
    assert len(server.calls) == calls


def test_a_token_is_tried_before_it_is_stored_and_stored_encrypted(cast, server):
    disconnect(study=cast.study, platform=Platform.PROLIFIC, actor=cast.users["owner"])
    with pytest.raises(GroundworkError) as refused:
        connect(study=cast.study, actor=cast.users["owner"], token="another-token")
    assert refused.value.code == "prolific_token"
    assert not CrowdConnection.objects.exists()
    made = connect(study=cast.study, actor=cast.users["owner"], token=TOKEN)
    assert (made.account, made.token) == ("lab@example.org", TOKEN)
    stored = CrowdConnection.objects.values_list("sealed_token", flat=True).get()
    assert TOKEN not in stored
    assert TOKEN not in str(list(AuditEntry.objects.values_list("detail", flat=True)))


def test_the_token_is_encrypted_again_when_the_secret_key_changes(cast, settings):
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-secret-key-of-this-installation-0123456789"
    counted = {one.what: one.renewed for one in reseal_secrets()}
    assert counted["platform tokens"] == 1
    settings.SECRET_KEY_FALLBACKS = []
    assert CrowdConnection.objects.get(study=cast.study).token == TOKEN


def test_an_address_in_a_private_network_is_not_called(cast, server, settings):
    settings.WEBHOOKS_PRIVATE = False
    calls = len(server.calls)
    with pytest.raises(GroundworkError) as refused:
        connect(study=cast.study, actor=cast.users["owner"], token=TOKEN)
    assert refused.value.code == "prolific_unreachable"
    assert len(server.calls) == calls


def test_a_worker_that_dies_in_the_call_never_creates_a_second_draft(cast, server):
    """The worker is gone after Prolific has created the draft: who takes over asks for nothing again."""
    job = asked(cast)
    row = CrowdStudy.objects.get()
    CrowdStudy.objects.update(asked_at=timezone.now())
    Prolific(token=TOKEN, address=server.address, private_allowed=True).create_study(
        row.content, check=unchecked
    )
    with pytest.raises(GroundworkError) as refused:
        done(job)
    assert refused.value.code == "prolific_no_answer"
    assert len(server.studies) == 1
    assert CrowdStudy.objects.get().number == ""
    two_minutes_later()
    assert look(cast).number == "study0"


def test_a_worker_that_has_lost_its_job_creates_nothing(cast, server, monkeypatch):
    job = asked(cast)
    lease = claim(job_id=job.pk)
    assert lease is not None
    cancel(job=job)
    with pytest.raises(LeaseLost):
        run_study_act(lease=lease)
    assert not server.studies
    assert CrowdStudy.objects.get().asked_at is None
    unlink_study(study=cast.study, platform=Platform.PROLIFIC, actor=cast.users["owner"])
    assert draft(cast).number == "study0"


@pytest.mark.parametrize("moment", ["call", "connection"])
def test_a_worker_that_wakes_when_its_draft_was_given_up_creates_none(cast, server, monkeypatch, moment):
    """It was suspended between the storing of the request and the request, until a member looked for it."""
    job, whole, connected = asked(cast), Prolific.create_study, signed_http._connected
    lease = claim(job_id=job.pk)
    assert lease is not None

    def give_up() -> None:
        monkeypatch.setattr(Prolific, "create_study", whole)
        monkeypatch.setattr(signed_http, "_connected", connected)
        cancel(job=job)
        two_minutes_later()
        with pytest.raises(GroundworkError, match="no such study"):
            look(cast)

    def suspended(self: Prolific, *given: Any, **check: Any) -> OutsideStudy:
        if moment == "call":
            give_up()
        else:
            monkeypatch.setattr(signed_http, "_connected", suspended_when_connected)
        return whole(self, *given, **check)

    def suspended_when_connected(*given: Any, **fields: Any) -> Any:
        opened = connected(*given, **fields)
        give_up()
        return opened

    monkeypatch.setattr(Prolific, "create_study", suspended)
    with pytest.raises(LeaseLost):
        run_study_act(lease=lease)
    assert not server.studies
    assert draft(cast).number == "study0"


def test_an_answer_that_comes_after_the_job_was_taken_over_is_stored(cast, server, monkeypatch):
    whole, job = Prolific.create_study, asked(cast)

    def slow(self: Prolific, fields: Any, **check: Any) -> OutsideStudy:
        found = whole(self, fields, **check)
        Job.objects.filter(pk=job.pk).update(lease=uuid4())
        return found

    monkeypatch.setattr(Prolific, "create_study", slow)
    run_job(job.pk)
    assert CrowdStudy.objects.get().number == "study0"


def test_a_token_that_waits_for_its_test_is_not_used(cast, server):
    owner = cast.users["owner"]
    request_connection(study=cast.study, platform=Platform.PROLIFIC, actor=owner, token="another-token")
    assert draft(cast).number == "study0"
    waiting = CrowdConnection.objects.get(is_accepted=False)
    assert "another-token" not in waiting.sealed_token
    assert "another-token" not in str(list(Job.objects.values_list("params", flat=True)))


def test_places_that_the_worker_before_has_raised_are_not_refused(cast, server):
    row = draft(cast)
    given = {"study": cast.study, "platform": Platform.PROLIFIC, "actor": cast.users["owner"]}
    job = request_places(**given, places=9)
    server.studies[row.number]["total_available_places"] = 9
    Job.objects.filter(pk=job.pk).update(attempt=1)
    done(job)
    assert CrowdStudy.objects.get().places == 9
