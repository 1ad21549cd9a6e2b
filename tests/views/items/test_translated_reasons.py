"""Why a job failed, and why items were refused, in the language of the reader."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import gettext, override

from annotation.domain.base.errors import InvalidContent, OutOfTime
from annotation.domain.base.messages import message
from annotation.models import Job
from annotation.services.base.jobs import claim
from annotation.services.items.item_storage import NewItem, add_items
from annotation.templatetags.rater_words import translated
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
NO_ITEM = "The study has no item “%(key)s”."


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False)


def failed(cast: Cast, sentence: str) -> Job:
    job = Job.objects.create(study=cast.study, kind="reliability", params={"n": Job.objects.count()})
    lease = claim(job_id=job.pk)
    assert lease is not None
    lease.fail(code="no_such_item", message=sentence)
    job.refresh_from_db()
    return job


def shown(cast: Cast, language: str, name: str, *arguments: object) -> str:
    client = Client(headers={"accept-language": language})
    client.force_login(cast.users["owner"])
    return client.get(reverse(name, args=arguments)).content.decode()


@pytest.mark.parametrize("language", ["ja", "zh-hans"])
def test_a_sentence_with_values_is_translated_on_each_page_that_shows_the_job(
    cast: Cast, language: str
) -> None:
    job = failed(cast, message(NO_ITEM, key="I-7"))
    with override(language):
        expected = gettext(NO_ITEM) % {"key": "I-7"}
    assert expected != job.error == "The study has no item “I-7”."
    assert expected in shown(cast, language, "study-jobs", cast.slug)
    assert expected in shown(cast, language, "job", job.pk)


def test_a_sentence_that_was_stored_before_is_still_translated(cast: Cast) -> None:
    job = failed(cast, "")
    stored = "The study has no form yet. Add a form first."
    Job.objects.filter(pk=job.pk).update(error=stored, error_sentence=None)
    with override("ja"):
        expected = gettext(stored)
    assert expected != stored
    assert expected in shown(cast, "ja", "study-jobs", cast.slug)


def test_a_time_limit_is_translated_with_its_unit() -> None:
    limit = OutOfTime(7200).message
    with override("ja"):
        assert translated(limit) != limit
        assert "hours" not in translated(limit)


def test_each_problem_of_refused_items_is_translated(cast: Cast) -> None:
    with pytest.raises(InvalidContent) as refused:
        add_items(study=cast.study, rows=[NewItem("", {}), NewItem("check:1", {})])
    assert "; 'check:1': " in refused.value.message
    with override("ja"):
        words = translated(refused.value.message)
        for problem in refused.value.fields.values():
            assert translated(problem) in words
            assert problem not in words
