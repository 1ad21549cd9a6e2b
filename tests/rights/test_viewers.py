"""A viewer reads results under codes, and nothing that a person wrote about themselves or others."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.states import StudyState
from annotation.io.base.writers import CONTENT_TYPES
from annotation.models import (
    AuditEntry,
    Comment,
    DemographicAnswer,
    DemographicQuestion,
    Exclusion,
    Membership,
    PlatformIdentity,
    ProblemReport,
    Rater,
    Response,
    Study,
    User,
)
from annotation.selectors.studies.exports import FOR_VIEWERS
from scoring.models import Report
from tests.rights.permissions import rows
from tests.rights.world import World, client_for, ours

# What is planted in every place that holds personal data, and is looked for in everything a viewer reads.
PLANTED = "Zyx Quillfeather"
WRITES = re.compile(r'<form[^>]*method="post"[^>]*action="([^"]*)"')
LINKS = re.compile(r'(?:href|action)="(/(?:studies|jobs|rate)/[^"#]*)')


def plant(world: World, reader: str) -> list[str]:
    """Personal data of every kind, of everybody but the reader; the words that no viewer may read."""
    study, rater = world.cast.study, world.assignment.rater
    Rater.objects.filter(pk=rater.pk).update(user=world.cast.users["rater"])
    others = [user for who, user in world.cast.users.items() if who != reader]
    User.objects.filter(pk__in=[one.pk for one in others]).update(name=PLANTED)
    PlatformIdentity.objects.create(
        rater=rater, study=study, invitation=world.cast.invitation, platform="other", person=PLANTED
    )
    question = DemographicQuestion.objects.get(study=study)
    DemographicAnswer.objects.create(
        rater=rater, question=question, value=PLANTED, answered_at=timezone.now()
    )
    Response.objects.filter(assignment__rater__study=study).update(remark=PLANTED)
    ProblemReport.objects.filter(assignment__rater__study=study).update(text=PLANTED)
    Exclusion.objects.filter(study=study).update(reason=PLANTED)
    Comment.objects.create(case=study.cases.get(), author=world.cast.users["owner"], text=PLANTED)
    Study.objects.filter(pk=study.pk).update(contact=PLANTED)
    return [PLANTED, world.cast.invitation.token, world.share_secret, *(one.email for one in others)]


def read_by(world: World, who: str) -> Iterator[tuple[str, str]]:
    """Name and content of everything at an address with a study that this user may read."""
    client = client_for(world.cast, who)
    for (name, method), statuses in rows().items():
        arguments = ours()[name].arguments
        if method != "GET" or not {"slug", "study"} & {*arguments} or statuses[who] != 200:
            continue
        answer = client.get(reverse(name, kwargs=world.arguments(name, arguments)))
        assert answer.status_code == 200, name
        yield name, b"".join(answer).decode(errors="replace")
    answered = f"/studies/{world.cast.slug}/items/{world.assignment.item.key}/"
    yield "study-item", client.get(answered).content.decode()


def exports(world: World, client: Client) -> Iterator[tuple[str, str]]:
    slug = world.cast.slug
    for what in FOR_VIEWERS:
        for start in (
            f"/studies/{slug}/exports/{what}/?",
            f"/studies/{slug}/exports/?preview=1&what={what}&",
            f"/api/v1/studies/{slug}/exports/?what={what}&",
        ):
            for file_format in ("csv", "jsonl"):
                answer = client.get(f"{start}format={file_format}&all_revisions=1".replace("=1", "=true"))
                if answer.status_code == 200:
                    yield f"{start}{file_format}", b"".join(answer).decode()


def test_nothing_that_a_viewer_reads_holds_personal_data_comments_or_links(world: World) -> None:
    words = plant(world, "viewer")
    client = client_for(world.cast, "viewer")
    found = [*read_by(world, "viewer"), *exports(world, client)]
    leaks = [(name, word) for name, content in found for word in words if word in content]
    assert leaks == []
    assert len(found) > 40


def test_a_member_of_the_team_reads_the_comments_that_a_viewer_does_not(world: World) -> None:
    """So that the words are looked for where they would be."""
    plant(world, "researcher")
    holding = {name for name, content in read_by(world, "researcher") if PLANTED in content}
    assert {"study-item", "study-members", "study-case", "study-download", "api_study"} <= holding


@pytest.mark.parametrize("who", ["viewer", "adjudicator"])
def test_every_link_that_is_shown_leads_somewhere_and_no_form_is_refused(world: World, who: str) -> None:
    client = client_for(world.cast, who)
    pages = [content for _, content in read_by(world, who) if "<html" in content]
    writes = {action for content in pages for action in WRITES.findall(content)}
    links = {link.replace("&amp;", "&") for content in pages for link in LINKS.findall(content)} - writes
    refused = {link: status for link in links if (status := client.get(link).status_code) == 403}
    refused |= {action: 403 for action in writes if client.post(action).status_code == 403}
    assert refused == {}


@pytest.mark.parametrize(
    "what",
    [
        *("demographics", "problems", "exclusions", "checks"),
        *("adjudication_decisions", "adjudication_discussion"),
    ],
)
def test_exports_that_may_hold_personal_data_are_refused_to_viewers(world: World, what: str) -> None:
    client, slug = client_for(world.cast, "viewer"), world.cast.slug
    for address in (
        f"/studies/{slug}/exports/{what}/",
        f"/studies/{slug}/exports/?what={what}",
        f"/api/v1/studies/{slug}/exports/?what={what}",
    ):
        assert client.get(address).status_code == 403
        assert client_for(world.cast, "researcher").get(address).status_code == 200
    taken = AuditEntry.objects.filter(study=world.cast.study, act="download")
    assert not taken.filter(actor=world.cast.users["viewer"]).exists()


def test_a_viewer_writes_nothing_at_any_address_of_the_study(world: World) -> None:
    allowed = {
        (name, method): statuses["viewer"]
        for (name, method), statuses in rows().items()
        if method != "GET" and {"slug", "study"} & {*ours()[name].arguments} and statuses["viewer"] != 403
    }
    assert allowed == {}


def test_a_viewer_sees_no_draft(world: World) -> None:
    Study.objects.filter(pk=world.cast.study.pk).update(state=StudyState.DRAFT)
    client, slug = client_for(world.cast, "viewer"), world.cast.slug
    for address in (f"/studies/{slug}/", f"/studies/{slug}/items/", f"/api/v1/studies/{slug}/items/"):
        assert client.get(address).status_code == 403
    assert slug not in client.get("/").content.decode()
    assert client.get("/api/v1/studies/").json()["results"] == []


@pytest.mark.parametrize("kind", ["exclusion_preview", "multiverse", "corpus"])
def test_a_viewer_reads_no_report_of_what_is_only_tried_out(world: World, kind: str) -> None:
    Report.objects.filter(pk=world.report.pk).update(kind=kind)
    address = f"/api/v1/studies/{world.cast.slug}/reports/"
    for who, status, listed in (("viewer", 404, 0), ("researcher", 200, 1)):
        client = client_for(world.cast, who)
        assert client.get(f"{address}{world.report.pk}/").status_code == status
        kinds = [one["kind"] for one in client.get(address).json()["results"]]
        assert kinds.count(kind) == listed


def test_a_former_viewer_reads_nothing(world: World) -> None:
    Membership.objects.filter(user=world.cast.users["viewer"]).delete()
    client = client_for(world.cast, "viewer")
    for address in (f"/studies/{world.cast.slug}/", f"/api/v1/studies/{world.cast.slug}/reports/"):
        assert client.get(address).status_code == 404


def test_every_format_of_the_ratings_leaves_the_comments_out(world: World) -> None:
    plant(world, "viewer")
    client = client_for(world.cast, "viewer")
    for file_format in CONTENT_TYPES:
        answer = client.get(f"/studies/{world.cast.slug}/exports/ratings/?format={file_format}")
        assert PLANTED.encode() not in b"".join(answer)
