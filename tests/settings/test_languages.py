"""An interface language is offered where its catalogue is on disk, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from config.settings.languages import offered
from tests.support.catalogues import write_catalogue


def test_without_catalogues_the_interface_is_english_alone(tmp_path):
    assert offered(tmp_path / "none") == [("en", "English")]
    (tmp_path / "ja" / "LC_MESSAGES").mkdir(parents=True)
    (tmp_path / "ja" / "LC_MESSAGES" / "django.po").write_text("")
    assert offered(tmp_path) == [("en", "English")]


def test_a_compiled_catalogue_offers_its_language_under_its_own_name(tmp_path):
    for locale in ("zh_Hans", "ja", "en"):
        write_catalogue(tmp_path, locale, {"Guide": locale})
    assert offered(tmp_path) == [("en", "English"), ("ja", "日本語"), ("zh-hans", "简体中文")]


@pytest.mark.parametrize("name", ["zh-hans", "ZH_hans", "JA"])
def test_a_folder_that_gettext_would_not_find_offers_nothing(tmp_path, name):
    write_catalogue(tmp_path, name, {})
    assert offered(tmp_path) == [("en", "English")]


def test_the_settings_offer_what_has_a_catalogue():
    (folder,) = settings.LOCALE_PATHS
    assert offered(Path(folder)) == settings.LANGUAGES
    assert Path(folder).parts[-2:] == ("config", "locale")
