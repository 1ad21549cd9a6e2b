"""A bundle has the texts of a study in every language in which raters may have read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.models import User
from tests.bundle.studies import unpacked
from tests.support.studies.two_languages import LANGUAGE, study_in_two_languages

pytestmark = pytest.mark.django_db


def test_the_bundle_has_every_language(tmp_path: Path) -> None:
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study, _ = study_in_two_languages(owner)
    folder = unpacked(study, tmp_path)
    (form,) = json.loads((folder / "forms.json").read_text("utf-8"))
    assert form["translations"][LANGUAGE]["criteria"][0]["name"] == "清晰度"
    facts = json.loads((folder / "study.json").read_text("utf-8"))
    assert facts["translations"][LANGUAGE]["title"] == "明喻"
    assert facts["consent_texts"][0]["translations"] == {LANGUAGE: "您同意参加。"}
