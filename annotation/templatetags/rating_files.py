"""Scripts and style sheets of the rating page: in one file each, as long as these are up to date.

`make bundles` writes the two files, with Node, and both are committed. A changed source takes effect
without Node too: pages link the sources as soon as a bundle does not match them.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from annotation.domain.questions.kinds.registry import KINDS

register = template.Library()
SCRIPTS, STYLES = "bundles/rating.js", "bundles/rating.css"
BEFORE_KINDS = (
    "css/tokens.css",
    "css/base.css",
    "css/layout.css",
    "css/components.css",
    "css/pages/rate.css",
    "css/pages/story.css",
    "css/marks.css",
    "css/pages/marking.css",
)
ENTRY = "js/rate.js"
SCRIPT_FOLDER = "js/rating"
ALSO = ("js/menu.js",)
DIGEST = "sha256:{}"
# The first paint waits for the scripts: what they lay out or fill in would move what is painted.
SCRIPT_TAG = '<script type="module" blocking="render" src="{}"></script>'
STYLE_TAG = '<link rel="stylesheet" href="{}">'


@register.simple_tag
def rating_styles() -> SafeString:
    """Link the style sheets of the rating page and of all kinds of questions."""
    return _links(STYLE_TAG, STYLES, style_sheets())


@register.simple_tag
def rating_scripts() -> SafeString:
    """Link the scripts of all kinds too: the next item may have other kinds and comes without a reload."""
    return _links(SCRIPT_TAG, SCRIPTS, entries())


def style_sheets() -> tuple[str, ...]:
    """The style sheets in the order in which they apply."""
    return (*BEFORE_KINDS, *(kind.style for kind in KINDS.values() if kind.style))


def entries() -> tuple[str, ...]:
    """The scripts that a page links without a bundle; kinds register themselves before the page starts."""
    return (*(kind.script for kind in KINDS.values() if kind.script), ENTRY)


def digest_of_sources(bundle: str) -> str:
    """What a bundle made from the sources as they are bears in its first line."""
    digest = hashlib.sha256()
    for name in sources(bundle):
        digest.update(f"{name}\0".encode() + (static_folder() / name).read_bytes() + b"\0")
    return DIGEST.format(digest.hexdigest())


def sources(bundle: str) -> tuple[str, ...]:
    """The files that a bundle holds, by their names below `static/`."""
    if bundle == STYLES:
        return style_sheets()
    folder = static_folder()
    modules = sorted(file.relative_to(folder).as_posix() for file in (folder / SCRIPT_FOLDER).rglob("*.js"))
    return (*entries(), *ALSO, *(name for name in modules if name not in entries()))


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


def _links(tag: str, bundle: str, unbundled: tuple[str, ...]) -> SafeString:
    if is_up_to_date(bundle):
        return format_html(tag, static(bundle))
    return format_html_join("\n", tag, ((static(name),) for name in unbundled))
