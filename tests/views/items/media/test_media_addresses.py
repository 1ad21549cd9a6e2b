"""A media file reaches the rater who has its item and the members of its study, and no one else."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.signing import Signer
from django.test import Client

from annotation.domain.base.states import RaterState, StudyState
from annotation.io.items.media.stored import storage
from annotation.models import Assignment, MediaFile, Rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.studies.lifecycle import change_state
from annotation.views.items.media import sending
from annotation.views.rating.media.addresses import Grant
from tests.support.media.media_study import picture_cast
from tests.support.people import Cast
from tests.views.items.media.rater_addresses import address, joined

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(tmp_path: Path) -> Cast:
    cast = picture_cast(tmp_path)
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def address_on(client: Client, cast: Cast, assignment: Assignment) -> str:
    page = client.get(f"/rate/{cast.slug}/{assignment.pk}/").content.decode()
    found = re.search(r'<img[^>]* src="([^"]+)" alt="A field of green \d"', page)
    assert found is not None, page
    return found[1]


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def granted(address: str) -> Grant:
    found = Grant.read(address.rstrip("/").rpartition("/")[2])
    assert found is not None
    return found


def test_the_page_shows_the_picture_with_its_words(cast):
    client, rater = joined(cast)
    assignment = next_assignment(rater=rater)
    response = client.get(address_on(client, cast, assignment))
    file = MediaFile.objects.get(study=cast.study, name=assignment.item.fields["file"])
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert body(response) == storage().open(file.stored_name).read()


def test_nothing_in_a_file_runs_and_no_shared_cache_keeps_it(cast):
    client, rater = joined(cast)
    response = client.get(address_on(client, cast, next_assignment(rater=rater)))
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert response["Cache-Control"].startswith("private, max-age=")


def test_an_address_is_worth_nothing_to_anybody_else(cast):
    client, rater = joined(cast)
    shown = address_on(client, cast, next_assignment(rater=rater))
    other, _ = joined(cast)
    member = Client()
    member.force_login(cast.users["owner"])
    for stranger in (other, member, Client()):
        assert stranger.get(shown).status_code == 404


def test_an_address_expires(cast, monkeypatch):
    client, rater = joined(cast)
    shown = address_on(client, cast, next_assignment(rater=rater))
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 12 * 3600 + 1)
    assert Grant.read(shown.rstrip("/").rpartition("/")[2]) is None


def test_an_address_that_was_changed_or_signed_for_something_else_is_refused(cast):
    client, rater = joined(cast)
    shown = address_on(client, cast, next_assignment(rater=rater))
    grant = granted(shown)
    forged = Signer(salt="another").sign_object([grant.file, grant.assignment, grant.until])
    for token in (forged, grant.token[::-1], grant.token.replace(":", ""), "x", "a:b"):
        assert client.get(f"/rate/{cast.slug}/media/{token}/").status_code == 404


def test_a_rater_gets_the_files_of_their_own_items_alone(cast):
    client, rater = joined(cast)
    assignment = next_assignment(rater=rater)
    grant = granted(address_on(client, cast, assignment))
    another = MediaFile.objects.filter(study=cast.study).exclude(pk=grant.file).get()
    assert client.get(address(cast, replace(grant, file=another.pk))).status_code == 404
    assert client.get(address(cast, replace(grant, assignment=assignment.pk + 1))).status_code == 404
    assert client.get(address(cast, grant)).status_code == 200


def test_files_of_another_study_stay_there(cast, tmp_path):
    client, rater = joined(cast)
    grant = granted(address_on(client, cast, next_assignment(rater=rater)))
    other = picture_cast(tmp_path, slug="others")
    foreign = MediaFile.objects.filter(study=other.study).first()
    assert foreign is not None
    assert client.get(address(cast, replace(grant, file=foreign.pk))).status_code == 404
    member = Client()
    member.force_login(cast.users["owner"])
    assert member.get(f"/studies/{cast.slug}/settings/media/{foreign.pk}/").status_code == 404
    assert member.get(f"/studies/others/settings/media/{foreign.pk}/").status_code == 404


def test_who_has_withdrawn_sees_no_file_any_more(cast):
    client, rater = joined(cast)
    shown = address_on(client, cast, next_assignment(rater=rater))
    Rater.objects.filter(pk=rater.pk).update(state=RaterState.WITHDRAWN)
    assert client.get(shown).status_code == 404


@pytest.mark.parametrize(
    ("asked", "status", "expected"),
    [
        ("bytes=0-3", 206, slice(0, 4)),
        ("bytes=4-", 206, slice(4, None)),
        ("bytes=-5", 206, slice(-5, None)),
        ("bytes=3-999999", 206, slice(3, None)),
        ("bytes=999999-", 416, None),
        ("bytes=5-2", 416, None),
        ("bytes=-0", 416, None),
        ("bytes=-", 416, None),
        ("bytes=0-1,4-5", 416, None),
        ("lines=1-2", 416, None),
    ],
)
def test_parts_of_a_file_are_sent_by_themselves(cast, asked, status, expected):
    client, rater = joined(cast)
    shown = address_on(client, cast, next_assignment(rater=rater))
    whole = body(client.get(shown))
    response = client.get(shown, headers={"Range": asked})
    assert response.status_code == status
    if expected is None:
        assert response["Content-Range"] == f"bytes */{len(whole)}"
    else:
        part = whole[expected]
        first = len(whole) - len(part) if expected.stop is None else expected.start
        assert body(response) == part
        assert response["Content-Range"] == f"bytes {first}-{first + len(part) - 1}/{len(whole)}"
        assert response["Content-Length"] == str(len(part))


def test_a_part_is_so_long_at_most_and_the_rest_can_be_asked_for(cast, monkeypatch):
    monkeypatch.setattr(sending, "MOST_OF_A_PART", 10)
    client, rater = joined(cast)
    shown = address_on(client, cast, next_assignment(rater=rater))
    whole = body(client.get(shown))
    response = client.get(shown, headers={"Range": "bytes=0-"})
    assert response["Content-Range"] == f"bytes 0-9/{len(whole)}"
    rest = client.get(shown, headers={"Range": "bytes=10-19"})
    assert body(response) + body(rest) == whole[:20]


def test_a_browser_that_has_the_file_loads_it_once(cast):
    client, rater = joined(cast)
    assignment = next_assignment(rater=rater)
    shown = address_on(client, cast, assignment)
    assert address_on(client, cast, assignment) == shown
    tag = client.get(shown)["ETag"]
    assert client.get(shown, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(shown, headers={"Range": "bytes=0-1", "If-Range": '"another"'}).status_code == 200


def test_members_see_the_files_and_what_is_missing(cast, tmp_path):
    member = Client()
    member.force_login(cast.users["researcher"])
    page = member.get(f"/studies/{cast.slug}/settings/media/").content.decode()
    assert "p0.png" in page
    file = cast.study.media_files.get(name="p0.png")
    assert member.get(f"/studies/{cast.slug}/settings/media/{file.pk}/").status_code == 200
    cast.study.media_files.filter(name="p1.png").delete()
    page = member.get(f"/studies/{cast.slug}/settings/media/").content.decode()
    assert "Items name files that the study does not have: p1.png." in " ".join(page.split())
