"""A title is one line: it is used in headings and captions of what is handed over."""

from __future__ import annotations

import pytest

from annotation.domain.base.errors import InvalidContent
from annotation.models import Study, User
from annotation.services.studies.lifecycle import create_study, edit_study

pytestmark = pytest.mark.django_db

TWO_LINES = ["Similes\n# Another heading", "Similes\rmore", "Similes\u2028more", "Similes\x00"]


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("ana@example.org", "a long passphrase")


@pytest.mark.parametrize("title", TWO_LINES)
def test_a_study_with_two_lines_for_a_title_is_not_made(owner, title):
    with pytest.raises(InvalidContent) as refusal:
        create_study(slug="similes", title=title, owner=owner)
    assert refusal.value.code == "bad_title"
    assert not Study.objects.exists()


@pytest.mark.parametrize("title", TWO_LINES)
def test_a_draft_keeps_its_title_when_two_lines_are_given(owner, title):
    study = create_study(slug="similes", title="Similes, \u00e9tude 1", owner=owner)
    with pytest.raises(InvalidContent):
        edit_study(study=study, actor=owner, title=title)
    study.refresh_from_db()
    assert study.title == "Similes, \u00e9tude 1"
