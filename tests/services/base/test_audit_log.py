"""The audit log is written once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from annotation.models import AuditEntry, Study, User
from annotation.models.base.audit import WrittenOnceError
from annotation.services.base import audit
from annotation.services.studies.deletion import delete_draft
from annotation.services.studies.lifecycle import create_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42", name="Owner")


@pytest.fixture
def study(owner: User) -> Study:
    return create_study(slug="lamps", title="Lamps", owner=owner, consent="", instructions="")


def test_no_entry_is_changed_or_deleted(study: Study, owner: User) -> None:
    entry = audit.record(study=study, actor=owner, act="exclude_items", n=3)
    before = list(AuditEntry.objects.values())
    entry.detail = {"n": 0}
    attempts: list[Callable[[], object]] = [
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        study.audit.all().delete,
        partial(study.audit.filter(act="exclude_items").update, detail={}),
        partial(AuditEntry.objects.bulk_update, [entry], ["detail"]),
    ]
    for attempt in attempts:
        with pytest.raises(WrittenOnceError):
            attempt()
    assert list(AuditEntry.objects.values()) == before


def test_an_entry_outlives_the_account_of_who_did_it(study: Study) -> None:
    person = User.objects.create_user("gone@example.org", "simile-and-metaphor-42")
    entry = audit.record(study=study, actor=person, act="exclude_items", n=3)
    person.delete()
    entry.refresh_from_db()
    assert entry.actor is None


def test_the_log_of_a_draft_goes_with_it(study: Study, owner: User) -> None:
    delete_draft(study=study, actor=owner)
    assert not AuditEntry.objects.exists()
