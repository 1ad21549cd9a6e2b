"""The criteria of a version: read once while it is in use, each time while it may still change."""

from __future__ import annotations

import pytest

from annotation.domain.base.states import StudyState
from annotation.models import Criterion, FormVersion, Study
from annotation.selectors.questions.rubrics import criteria_of
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=1, overlap=1)


def version_of(study: Study) -> FormVersion:
    return FormVersion.objects.get(form__study=study)


def test_a_version_in_use_is_read_once(cast, django_assert_num_queries):
    version = version_of(cast.study)
    first = criteria_of(version, cast.study)
    assert [one.pk for one in first] == list(version.criteria.values_list("pk", flat=True))
    with django_assert_num_queries(0):
        again = criteria_of(version, cast.study)
        assert [list(one.points.all()) for one in again] == [list(one.points.all()) for one in first]


def test_a_draft_is_read_again(cast):
    cast.study.state = StudyState.DRAFT
    version = version_of(cast.study)
    criteria_of(version, cast.study)
    Criterion.objects.filter(version=version, key="quality").update(name="Worth")
    assert "Worth" in [criterion.name for criterion in criteria_of(version, cast.study)]


def test_a_version_of_the_same_number_in_another_database_is_another(cast):
    """What a restored backup holds under a number is not what was read before."""
    version = version_of(cast.study)
    criteria_of(version, cast.study)
    Criterion.objects.filter(version=version, key="quality").update(name="Worth")
    version.created_at = version.created_at.replace(year=2020)
    assert "Worth" in [criterion.name for criterion in criteria_of(version, cast.study)]
