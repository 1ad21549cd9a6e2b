"""Words and sentences in the language of the page; the settings make these tags built in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from django import template
from django.conf import settings
from django.template import Context, RequestContext
from django.template.defaultfilters import urlize
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from annotation.domain.base.messages import Message
from annotation.domain.base.states import RATER_STATES, ROLES, STUDY_STATES
from annotation.domain.pay.wages import money
from annotation.domain.people.rater_messages import DELIVERY_STATES, MESSAGE_KINDS, UNREACHABLE, DeliveryState
from annotation.io.questions.safe_markdown import render_markdown
from annotation.models import RaterMessage, Study
from annotation.selectors.questions.text_languages import own_name
from config.formats.enumeration import between_clauses, between_names, between_parts

register = template.Library()
Sentence = TypeVar("Sentence")
MINUTE = 60
LONG = 120
# A full-width mark with what follows up to the next word: tags, and the line breaks of a template.
AFTER_SENTENCE = re.compile(r"(?<=[。！？：，、；])(?:\s*\n\s*|</?\w[^>]*>)+")
LINE_BREAK = re.compile(r"\s*\n\s*(?![^<]*>)")

register.filter(money)
register.filter(own_name)
register.filter("markdown", render_markdown)


@register.filter
def listed(parts: Iterable[object]) -> SafeString:
    """Short names in a row: “a, b”, and “a、b” in Chinese and Japanese; each keeps its own text direction."""
    return format_html_join(between_names(), "<bdi>{}</bdi>", ((part,) for part in parts))


@register.simple_tag
def list_comma() -> str:
    """What is between two names in a row where a template writes them one by one."""
    return between_names()


@register.simple_tag
def semicolon() -> str:
    """What is between two parts that have commas themselves."""
    return between_clauses()


@register.simple_tag
def comma() -> str:
    """What is between two parts of a sentence: a comma and a space, or a full-width comma alone."""
    return between_parts()


@register.filter
def language_names(codes: Iterable[str]) -> SafeString:
    """The names of languages in a row, each in its own language and in the faces of its script."""
    return format_html_join(between_names(), "{}", ((own_name(code),) for code in codes))


@register.filter
def lead_in(label: str) -> str:
    """A label before its description, with the full stop of its script."""
    is_wide = unicodedata.east_asian_width(label[-1]) in "WF"
    return f"{label}。" if is_wide else f"{label}. "


@register.filter
def contact_line(study: Study) -> SafeString:
    """The contact for raters, with links, marked with its language."""
    lang = getattr(study.contact, "lang", study.language)
    return format_html('<span lang="{}" dir="auto">{}</span>', lang, urlize(study.contact))


@register.filter
def about(seconds: float) -> str:
    """An expected time in a sentence."""
    if seconds < LONG:
        return ngettext("%(n)d second", "%(n)d seconds", round(seconds)) % {"n": round(seconds)}
    return minutes(seconds / MINUTE)


@register.filter
def minutes(number: float) -> str:
    """A number of minutes in a sentence."""
    return ngettext("%(n)d minute", "%(n)d minutes", round(number)) % {"n": round(number)}


@register.filter
def translated(sentence: Sentence) -> Sentence | str:
    """A sentence of a rule or a service in the language of the page; anything else as it is."""
    if not isinstance(sentence, Message):
        return sentence
    values = {name: translated(value) for name, value in sentence.values.items()}
    if sentence.plural:
        return ngettext(sentence.singular, sentence.plural, int(str(values["n"]))) % values
    words = gettext(sentence.singular)
    return words % values if values else words


def named(words: Mapping[str, object], code: str) -> str:
    """The words for a code in the language of the page; a code without words is unchanged.

    Parameters
    ----------
    words : mapping of str to object
        Messages, or texts that are translated when they are shown.
    code : str
        Key of the words.
    """
    return str(translated(words.get(code, code)))


@register.filter
def study_state(state: str) -> str:
    """The name of a state of a study, as in “draft”."""
    return named(STUDY_STATES, state)


@register.filter
def rater_state(state: str) -> str:
    """The name of a state of a rater, as in “active”."""
    return named(RATER_STATES, state)


@register.filter
def role_name(role: str) -> str:
    """The name of a role in a study, as in “owner”."""
    return named(ROLES, role)


@register.simple_block_tag
def sentences(content: SafeString) -> SafeString:
    """Sentences that follow each other: in Chinese and Japanese without the space of a template's line break.

    A full-width mark already includes that space. Text on one line of the template is not changed.
    """
    return SafeString(AFTER_SENTENCE.sub(lambda found: LINE_BREAK.sub("", found[0]), content))


@register.simple_block_tag(takes_context=True)
def rater_menu(
    context: RequestContext, content: SafeString, address: str = "", *, linked: bool = True
) -> SafeString:
    """The menu in the head of raters' pages: the links between its tags, language, theme and text size.

    Choosing comes back to `address` or this page. `linked` is false where the page has the script already.
    """
    request = context["request"]
    menu = {
        "links": content,
        "offered": len(settings.LANGUAGES),
        "current": get_language(),
        "theme": context.get("theme"),
        "text_size": context.get("text_size"),
        "address": address or request.get_full_path(),
        "csrf_token": context.get("csrf_token", ""),
        "linked": linked,
    }
    return render_to_string("components/rater_menu.html", menu)


@register.filter
def message_kind(kind: str) -> str:
    """The name of what a message is for, as in “Reminder”."""
    return named(MESSAGE_KINDS, kind)


@register.filter
def delivery_state(state: str) -> str:
    """What became of a message for a rater, as in “sent”."""
    return named(DELIVERY_STATES, state)


@register.filter
def delivery_reason(code: str) -> str:
    """Why nothing was sent, in words; a code of the mail server is unchanged."""
    return named(UNREACHABLE, code)


@register.filter
def message_subject(message: RaterMessage) -> str:
    """The subject of a message in the first of its languages."""
    return next((words["subject"] for words in message.texts.values()), "")


@register.filter
def message_counts(message: Any) -> list[tuple[str, int]]:
    """The number of raters by what became of the message; states without raters are left out."""
    counts = [(state.value, getattr(message, f"n_{state.value}")) for state in DeliveryState]
    return [(state, n) for state, n in counts if n]


@register.inclusion_tag("annotation/questions/media/file.html", takes_context=True)
def guide_file(context: Context, name: str) -> dict[str, Any]:
    """A media file in a text of the guide, by its name; the page has its address in `guide_files`."""
    files: dict[str, Any] = context.get("guide_files") or {}
    block = files.get(name, {"file": name, "media": None})
    return {"block": block, "file": block["media"], "study": context.get("study")}
