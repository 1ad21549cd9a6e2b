"""The overview says what of a study's set-up raters would stumble over."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import StudyState
from annotation.models import Study
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db

EMPTY_CONSENT = "The consent form is empty. Describe what raters agree to."
NO_CODE = "has no completion code"


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=1, overlap=1)


def overview(cast: Cast) -> str:
    client = Client()
    client.force_login(cast.users["owner"])
    return client.get(f"/studies/{cast.slug}/").content.decode()


def test_a_complete_study_raises_no_doubt(cast):
    invite(
        study=cast.study,
        actor=cast.users["owner"],
        platform=Platform.PROLIFIC,
        completion_code="C0DE",
    )
    assert EMPTY_CONSENT not in overview(cast)
    assert NO_CODE not in overview(cast)


def test_an_empty_consent_text_is_pointed_out(cast):
    Study.objects.filter(pk=cast.study.pk).update(consent="  ")
    assert EMPTY_CONSENT in overview(cast)


def test_a_crowd_link_that_does_not_say_who_is_done_is_pointed_out(cast):
    invite(study=cast.study, actor=cast.users["owner"], platform=Platform.PROLIFIC)
    assert NO_CODE in overview(cast)


@pytest.mark.parametrize(
    ("fields", "link", "mends"),
    [
        ({"contact": ""}, "Add contact", 'name="contact"'),
        ({"consent": ""}, "Write consent form", 'name="text"'),
    ],
)
def test_a_warning_has_a_link_to_the_page_that_mends_it(cast, fields, link, mends):
    Study.objects.filter(pk=cast.study.pk).update(**fields)
    address = re.search(rf'<a href="([^"]+)">{link}</a>', overview(cast))
    assert address
    client = Client()
    client.force_login(cast.users["owner"])
    assert mends in client.get(address[1]).content.decode()


def test_a_closed_study_raises_no_doubt(cast):
    Study.objects.filter(pk=cast.study.pk).update(consent="")
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    assert EMPTY_CONSENT not in overview(cast)
