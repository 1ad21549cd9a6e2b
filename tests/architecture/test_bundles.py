"""The rating page's bundles are made from the sources as they are, or not linked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation.templatetags import rating_files
from annotation.templatetags.rating_files import SCRIPTS, STYLES

BUNDLES = [SCRIPTS, STYLES]


@pytest.fixture
def static_copy(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """A copy of `static/` that a test may change."""
    folder = tmp_path / "static"
    shutil.copytree(rating_files.static_folder(), folder)
    settings.STATICFILES_DIRS = [folder]
    rating_files.is_up_to_date.cache_clear()
    yield folder
    rating_files.is_up_to_date.cache_clear()


def linked() -> str:
    return rating_files.rating_styles() + rating_files.rating_scripts()


@pytest.mark.parametrize("bundle", BUNDLES)
def test_the_bundles_of_the_repository_are_up_to_date(bundle: str):
    assert rating_files.is_up_to_date(bundle), f"static/{bundle} is out of date: run `make bundles`."


def test_a_page_links_one_script_and_one_style_sheet():
    assert (linked().count("<script"), linked().count("<link")) == (1, 1)


@pytest.mark.parametrize("change", ["css/tokens.css", "js/rating/keyboard.js", "js/rating/kinds/slider.js"])
def test_a_page_links_the_sources_when_one_differs_from_the_bundle(static_copy: Path, change: str):
    with (static_copy / change).open("a") as source:
        source.write("\n")
    bundle = STYLES if change.endswith(".css") else SCRIPTS
    assert bundle not in linked()
    for name in rating_files.style_sheets() if bundle == STYLES else rating_files.entries():
        assert f"/{name}" in linked()


def test_a_page_links_the_sources_when_a_script_was_added_or_a_bundle_is_missing(static_copy: Path):
    (static_copy / "js/rating/added.js").write_text("")
    (static_copy / STYLES).unlink()
    assert linked().count("<script") == len(rating_files.entries())
    assert linked().count("<link") == len(rating_files.style_sheets())
