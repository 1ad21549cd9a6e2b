"""Scripts and style sheets of the rating page: in one file each, as long as these are up to date.

`make bundles` writes two pairs of files, with Node, and all are committed: one pair for pages that only have
common kinds of questions, one for all kinds. A changed source takes effect without Node too: pages link the
sources as soon as a bundle does not match them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from annotation.domain.questions.kinds.kind import QuestionKind
from annotation.domain.questions.kinds.registry import KINDS

register = template.Library()
SCRIPTS, STYLES = "bundles/rating.js", "bundles/rating.css"
ALL_SCRIPTS, ALL_STYLES = "bundles/rating-all.js", "bundles/rating-all.css"
BUNDLES = (SCRIPTS, STYLES, ALL_SCRIPTS, ALL_STYLES)
BEFORE_KINDS = (
    "css/tokens.css",
    "css/base.css",
    "css/layout.css",
    "css/components.css",
    "css/pages/rate.css",
    "css/pages/story.css",
    "css/marks.css",
    "css/media/rating.css",
)
ENTRY = "js/rate.js"
SCRIPT_FOLDER = "js/rating"
ALSO = ("js/menu.js",)
DIGEST = "sha256:{}"
# The first paint waits for the scripts: what they lay out or fill in would move what is painted.
SCRIPT_TAG = '<script type="module" blocking="render" src="{}"></script>'
# The script that shows one page after another reloads a page if it lacks the kinds of its questions.
ALL_KINDS_TAG = '<script type="module" blocking="render" data-all-kinds src="{}"></script>'
STYLE_TAG = '<link rel="stylesheet" href="{}">'


@register.simple_tag
def rating_styles(criteria: Sequence[Mapping[str, Any]] | None = None) -> SafeString:
    """Link the style sheets of a rating page with these criteria, or with any."""
    return _links(STYLE_TAG, STYLES if has_common_kinds(criteria) else ALL_STYLES)


@register.simple_tag
def rating_scripts(criteria: Sequence[Mapping[str, Any]] | None = None) -> SafeString:
    """Link the scripts of a rating page with these criteria, or with any."""
    if has_common_kinds(criteria):
        return _links(SCRIPT_TAG, SCRIPTS)
    return _links(ALL_KINDS_TAG, ALL_SCRIPTS)


def has_common_kinds(criteria: Sequence[Mapping[str, Any]] | None) -> bool:
    """Whether the smaller bundle has the kinds of all these criteria."""
    return criteria is not None and not any(KINDS[one["kind"]].is_large for one in criteria)


def style_sheets(bundle: str = ALL_STYLES) -> tuple[str, ...]:
    """The style sheets of a bundle in the order in which they apply."""
    return (*BEFORE_KINDS, *dict.fromkeys(kind.style for kind in _kinds(bundle) if kind.style))


def entries(bundle: str = ALL_SCRIPTS) -> tuple[str, ...]:
    """The scripts that a page links without a bundle; kinds register themselves before the page starts."""
    return (*dict.fromkeys(kind.script for kind in _kinds(bundle) if kind.script), ENTRY)


def digest_of_sources(bundle: str) -> str:
    """What a bundle made from the sources as they are bears in its first line."""
    digest = hashlib.sha256()
    for name in sources(bundle):
        digest.update(f"{name}\0".encode() + (static_folder() / name).read_bytes() + b"\0")
    return DIGEST.format(digest.hexdigest())


def sources(bundle: str) -> tuple[str, ...]:
    """The files that a bundle holds, by their names below `static/`."""
    if bundle.endswith(".css"):
        return style_sheets(bundle)
    folder = static_folder()
    linked = entries(bundle)
    modules = sorted(file.relative_to(folder).as_posix() for file in (folder / SCRIPT_FOLDER).rglob("*.js"))
    return (*linked, *ALSO, *(name for name in modules if name not in linked))


@cache
def is_up_to_date(bundle: str) -> bool:
    """Whether the bundle was made from the sources as they are."""
    file = static_folder() / bundle
    if not file.exists():
        return False
    with file.open(encoding="utf-8") as lines:
        return digest_of_sources(bundle) in lines.readline()


def static_folder() -> Path:
    """The folder of style sheets and scripts, in a checkout or in a wheel."""
    return Path(str(settings.STATICFILES_DIRS[0]))


def _kinds(bundle: str) -> list[QuestionKind]:
    return [kind for kind in KINDS.values() if bundle in (ALL_SCRIPTS, ALL_STYLES) or not kind.is_large]


def _links(tag: str, bundle: str) -> SafeString:
    if is_up_to_date(bundle):
        return format_html(tag, static(bundle))
    # Sources are linked for all kinds: a page of other questions then needs no others.
    unbundled = style_sheets() if bundle.endswith(".css") else entries()
    return format_html_join("\n", tag, ((static(name),) for name in unbundled))
