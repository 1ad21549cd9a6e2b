"""Criteria in the database, of whatever kind."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from annotation.domain.questions.kinds.registry import KINDS, kind_choices
from annotation.models import Criterion, FormVersion, Study

pytestmark = pytest.mark.django_db


@pytest.fixture
def version() -> FormVersion:
    study = Study.objects.create(slug="kinds", title="Kinds")
    return FormVersion.objects.create(form=study.forms.create(key="form", title="Form"))


@pytest.mark.parametrize("key", KINDS)
def test_the_database_refuses_a_scale_without_a_lower_end_of_its_own(version, key):
    with pytest.raises(IntegrityError), transaction.atomic():
        Criterion.objects.create(version=version, key="asked", kind=key, minimum=5, maximum=5)
    Criterion.objects.create(version=version, key="scale", kind=key, minimum=0, maximum=100)
    Criterion.objects.create(version=version, key="none", kind=key)


def test_a_new_kind_needs_no_migration():
    field = Criterion._meta.get_field("kind")
    assert field.deconstruct()[3]["choices"] is kind_choices
    assert list(field.flatchoices) == kind_choices()


@pytest.mark.parametrize("key", KINDS)
def test_a_criterion_knows_its_kind(version, key):
    assert Criterion.objects.create(version=version, key="asked", kind=key).question_kind is KINDS[key]
