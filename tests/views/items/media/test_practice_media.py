"""The practice item shows its picture or player to raters of the study, and to no one else."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.models import FormVersion, MediaFile
from annotation.selectors.quality.study_texts import all_texts, text_groups
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state
from annotation.views.rating.media.addresses import Grant
from tests.support.media.media_study import picture_cast, recording_cast
from tests.support.people import Cast

pytestmark = pytest.mark.django_db


def practise(cast: Cast, name: str) -> None:
    version = cast.study.forms.get().versions.get()
    texts = {"file": name, "simile": "A field like a sea."}
    version.practice = [{"field": field, "text": text} for field, text in texts.items()]
    version.save()


def joined(cast: Cast) -> Client:
    client, link = Client(), reverse("join", args=[invite(study=cast.study, actor=cast.users["owner"]).token])
    key = client.get(link).context["join_key"]
    client.post(link, {"agree": "yes", "join_key": key})
    return client


def test_a_rater_sees_the_picture_of_the_practice_item_at_an_address_of_their_own(tmp_path: Path):
    cast = picture_cast(tmp_path)
    practise(cast, "p1.png")
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    rater = joined(cast)
    page = rater.get(f"/rate/{cast.slug}/practice/").content.decode()
    found = re.search(
        rf'<img[^>]*src="(/rate/{cast.slug}/media/([^/]+)/)"[^>]*alt="A field of green 1"', page
    )
    assert found is not None
    assert rater.get(found[1])["Content-Type"] == "image/png"
    grant = Grant.read(found[2])
    assert grant is not None
    another = MediaFile.objects.get(study=cast.study, name="p0.png")
    assert rater.get(f"/rate/{cast.slug}/media/{replace(grant, file=another.pk).token}/").status_code == 404
    assert Client().get(found[1]).status_code == 404


def test_the_practice_item_has_the_same_picture_in_every_language(tmp_path: Path):
    cast = picture_cast(tmp_path)
    practise(cast, "p1.png")
    translated = {
        "practice": [{"field": "file", "text": "p0.png"}, {"field": "simile", "text": "像大海的田野。"}]
    }
    FormVersion.objects.filter(form__study=cast.study).update(translations={"zh-hans": translated})
    offered = [text.place for text in all_texts(text_groups(cast.study))]
    assert [place[-1] for place in offered if "practice" in place] == ["simile"]
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    rater = joined(cast)
    rater.cookies["django_language"] = "zh-hans"
    page = rater.get(f"/rate/{cast.slug}/practice/").content.decode()
    assert "像大海的田野。" in page
    found = re.search(rf'<img[^>]*src="(/rate/{cast.slug}/media/[^/]+/)"[^>]*alt="A field of green 1"', page)
    assert found is not None
    assert rater.get(found[1]).status_code == 200


def test_a_recording_of_the_practice_item_must_be_heard_unless_it_is_skipped(tmp_path: Path):
    cast = recording_cast(tmp_path)
    practise(cast, "p0.wav")
    rater, address = joined(cast), f"/rate/{cast.slug}/practice/"
    page = rater.get(address).content.decode()
    assert 'data-recording="file"' in page
    assert 'name="heard-file"' in page
    answers = {"answer-quality": "3", "answer-creativity": "3"}
    assert rater.post(address, answers).status_code == 422
    assert rater.post(address, {**answers, "heard-file": "nonsense"}).status_code == 422
    assert rater.post(address, {**answers, "heard-file": "stated"}).status_code == 200
    assert rater.post(address, {"skip": "yes"}).status_code == 302


def test_a_study_does_not_open_without_the_file_of_its_practice_item(tmp_path: Path):
    cast = picture_cast(tmp_path)
    practise(cast, "p9.png")
    with pytest.raises(NotAllowedNow) as refused:
        change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert refused.value.code == "media_missing"
