"""Tests that share what services made find the rows that the services make, as if made for them."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from django.db.models import DateTimeField, QuerySet
from django.utils import timezone, translation
from pytest_django import Settings

from annotation.models import Study, User
from tests.support.people import Cast, made_cast
from tests.support.running.made_once import made_once

pytestmark = pytest.mark.django_db


class Maker:
    """Makes the usual study, and counts how often."""

    def __init__(self) -> None:
        self.key, self.times = uuid.uuid4(), 0

    def __call__(self) -> Cast:
        return made_once(self.key, self._make)

    def _make(self) -> Cast:
        self.times += 1
        return made_cast("lamps", 4, 3, True)


@contextlib.contextmanager
def another_test() -> Iterator[None]:
    """What is done in here is gone afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def rows() -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, without its times."""
    found = {}
    for model in apps.get_models(include_auto_created=True):
        fields = [one.attname for one in model._meta.concrete_fields if not isinstance(one, DateTimeField)]
        found[model._meta.label] = list(QuerySet(model).order_by("pk").values(*fields))
    return found


def test_the_rows_are_those_that_the_services_made() -> None:
    make = Maker()
    with another_test():
        make()
        first, made = rows(), make.times
    with another_test():
        make()
        assert rows() == first
    assert (made, make.times) == (1, 1)
    assert len([table for table in first.values() if table]) > 10


def test_what_is_returned_is_as_it_is_stored_and_as_old_as_the_test() -> None:
    make = Maker()
    with another_test():
        before = make()
        before.study.title = "Changed by a test"
    begun = timezone.now()
    with another_test():
        cast = make()
        stored = Study.objects.get()
        assert (cast.study.title, cast.study.created_at) == (stored.title, stored.created_at)
        assert cast.invitation.study is cast.study
        assert cast.study.created_at > before.study.created_at
        assert cast.study.memberships.count() == 3
        assert before.study.created_at < begun <= timezone.now()


def test_a_changed_setting_a_language_or_other_rows_have_their_own_made(settings: Settings) -> None:
    make = Maker()
    with another_test():
        make()
    with another_test(), translation.override("ja"):
        make()
    with another_test():
        User.objects.create_user("somebody@example.org")
        make()
    settings.MEDIA_ROOT = "elsewhere"
    with another_test():
        make()
    assert make.times == 3, "where files are makes no difference"
    settings.READINESS_SECONDS = 1
    with another_test():
        make()
    assert make.times == 4
