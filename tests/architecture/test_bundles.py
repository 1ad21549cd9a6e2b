"""The rating page's bundles are made from the sources as they are, or not linked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.questions.kinds.registry import KINDS
from annotation.templatetags import rating_files
from annotation.templatetags.rating_files import ALL_SCRIPTS, ALL_STYLES, BUNDLES, SCRIPTS, STYLES


@pytest.fixture
def static_copy(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """A copy of `static/` that a test may change."""
    folder = tmp_path / "static"
    shutil.copytree(rating_files.static_folder(), folder)
    settings.STATICFILES_DIRS = [folder]
    rating_files.is_up_to_date.cache_clear()
    yield folder
    rating_files.is_up_to_date.cache_clear()


def linked(*kinds: str) -> str:
    """What a page with questions of these kinds links; one that may have any, without kinds."""
    criteria = [{"kind": kind} for kind in kinds] or None
    return rating_files.rating_styles(criteria) + rating_files.rating_scripts(criteria)


@pytest.mark.parametrize("bundle", BUNDLES)
def test_the_bundles_of_the_repository_are_up_to_date(bundle: str):
    assert rating_files.is_up_to_date(bundle), f"static/{bundle} is out of date: run `make bundles`."


@pytest.mark.parametrize("kinds", [(), *((kind,) for kind in KINDS)])
def test_a_page_links_one_script_and_one_style_sheet(kinds: tuple[str, ...]):
    assert (linked(*kinds).count("<script"), linked(*kinds).count("<link")) == (1, 1)


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.script], ids=lambda kind: kind.key)
def test_a_page_has_the_script_of_each_of_its_kinds(kind):
    scripts = next(bundle for bundle in (SCRIPTS, ALL_SCRIPTS) if f"/{bundle}" in linked(kind.key, "likert"))
    assert kind.script in rating_files.entries(scripts)


def test_only_pages_with_a_large_kind_load_it():
    large = [kind for kind in KINDS.values() if kind.is_large]
    assert large
    assert not {kind.script for kind in large} & set(rating_files.entries(SCRIPTS))
    assert not {kind.style for kind in large} & set(rating_files.style_sheets(STYLES))
    assert {ALL_SCRIPTS, ALL_STYLES} == {bundle for bundle in BUNDLES if f"/{bundle}" in linked()}


@pytest.mark.parametrize("change", ["css/tokens.css", "js/rating/keyboard.js", "js/rating/kinds/slider.js"])
def test_a_page_links_the_sources_when_one_differs_from_the_bundle(static_copy: Path, change: str):
    with (static_copy / change).open("a") as source:
        source.write("\n")
    is_style = change.endswith(".css")
    for kinds in ((), ("likert",)):
        assert not any(
            f"/{bundle}" in linked(*kinds) for bundle in BUNDLES if bundle.endswith(".css") == is_style
        )
        for name in rating_files.style_sheets() if is_style else rating_files.entries():
            assert f"/{name}" in linked(*kinds)


def test_a_page_links_the_sources_when_a_script_was_added_or_a_bundle_is_missing(static_copy: Path):
    (static_copy / "js/rating/added.js").write_text("")
    (static_copy / ALL_STYLES).unlink()
    assert linked().count("<script") == len(rating_files.entries())
    assert linked().count("<link") == len(rating_files.style_sheets())
