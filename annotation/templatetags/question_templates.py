"""Templates and scripts of kinds of questions, found by the key of the kind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from annotation.domain.questions.kinds.registry import KINDS

register = template.Library()
FOLDER = "annotation/questions"


@register.filter
def question_template(kind: str, name: str) -> tuple[str, ...]:
    """The template of a kind under this name, and the one that other kinds share, where it has none."""
    own = (f"{FOLDER}/{kind}/{name}.html",) if kind in KINDS else ()
    return (*own, f"{FOLDER}/{name}.html")


@register.filter
def question_script(kind: str) -> str:
    """The name under which the script of a kind registers itself; empty where it has none."""
    return PurePosixPath(KINDS[kind].script).stem if kind in KINDS else ""


@register.filter
def in_page_language(words: Mapping[str, str] | str) -> str:
    """A word in the language of the page; the only one, or the first of several, where it has none in it."""
    if not isinstance(words, Mapping):
        return ""
    return words.get(get_language() or "") or next(iter(words.values()), "")


@register.simple_tag
def question_styles() -> SafeString:
    """Link the style sheets of all kinds, for the same reason as the scripts."""
    styles = dict.fromkeys(kind.style for kind in KINDS.values() if kind.style)
    return format_html_join("", '<link rel="stylesheet" href="{}">', ((static(one),) for one in styles))


@register.simple_tag
def question_scripts() -> SafeString:
    """Link the scripts of all kinds: the next page may have other kinds and comes without a reload."""
    scripts = dict.fromkeys(kind.script for kind in KINDS.values() if kind.script)
    tag = '<script type="module" src="{}"></script>'
    return format_html_join("", tag, ((static(one),) for one in scripts))
