"""Components that every page may use; their markup is in `templates/components/`.

The settings make these tags built in, so that no template has to load them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django import template
from django.core.paginator import Page
from django.forms import BoundField
from django.http import HttpRequest
from django.template import Context
from django.template.defaultfilters import floatformat as django_floatformat
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from annotation.io.base.help.contents import by_address

register = template.Library()


@dataclass(frozen=True)
class Tone:
    """How a notice looks, and how urgently a screen reader announces it."""

    classes: str
    icon: str
    role: str = "status"


HYPHEN_OF_NUMBER = re.compile(r"(?<![\w.-])-(?=\.?\d|inf)")

TONES = {
    "info": Tone("notice", "info"),
    "ok": Tone("notice", "check"),
    "warn": Tone("notice notice--warn", "warn"),
    "error": Tone("notice notice--error", "warn", role="alert"),
}


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """A small drawing next to words with the same meaning; rendered once in each process."""
    return render_to_string("components/icon.html", {"name": name})


@register.filter
def help_address(target: str) -> str:
    """Give the address of a page of the documentation, or of a heading of it.

    Parameters
    ----------
    target : str
        The address of the page below `/help/`, such as `statistics/icc`; after `#` the anchor of a heading,
        if any.
    """
    page, _, anchor = target.partition("#")
    address = reverse("help-page", args=[page]) if page else reverse("help")
    return f"{address}#{anchor}" if anchor else address


@register.inclusion_tag("annotation/base/parts/help_link.html", name="help")
def help_link(target: str) -> dict[str, str]:
    """Link to a page of the documentation, or to a heading of it, with its title for screen readers."""
    return {"address": help_address(target), "title": by_address()[target.partition("#")[0]].title}


FORMAT_NAMES = {"parquet": "Parquet", "latex": "LaTeX"}


@register.filter
def format_name(file_format: str) -> str:
    """The name of a file format as labels write it: `csv` → “CSV”, `parquet` → “Parquet”."""
    return FORMAT_NAMES.get(file_format, file_format.upper())


@register.filter
def minus(value: object) -> str:
    """A number, or text with numbers, with a minus sign (U+2212) where a number is negative."""
    return HYPHEN_OF_NUMBER.sub("−", str(value))


@register.filter(expects_localtime=True)
def moment(when: datetime | None) -> str:
    """A day and a time of the day, with its zone; empty where it is not known."""
    return date_format(when, "MOMENT_FORMAT") if when else ""


@register.filter(is_safe=True)
def floatformat(number: object, digits: int | str = -1) -> str:
    """Django's filter of the same name, with a minus sign (U+2212) on every page."""
    return minus(django_floatformat(number, digits))


@register.simple_block_tag
def data_table(
    content: SafeString,
    label: str = "",
    labelledby: str = "",
    number: int | None = None,
    classes: str = "",
    density: str = "",
) -> SafeString:
    """A table that scrolls sideways where it is too wide; the content is what is between its tags.

    It has a name for screen readers: `label`, or the id of the heading in `labelledby`, to which
    `number` is appended where headings are numbered.
    """
    if bool(label) == bool(labelledby):
        raise template.TemplateSyntaxError("data_table needs a label or a labelledby, and not both.")
    heading = labelledby if number is None else f"{labelledby}{number}"
    given = {"content": content, "label": label, "heading": heading, "classes": classes, "density": density}
    return render_to_string("components/data_table.html", given)


@register.simple_block_tag
def notice(
    content: SafeString,
    tone: str,
    icon: str = "",
    html_id: str = "",
    hidden: bool = False,
    urgent: bool = False,
) -> SafeString:
    """A message to the reader of the page: `info`, `ok`, `warn` or `error`.

    The tone decides the icon and the role. An `urgent` notice is an alert in every tone, and scripts move
    the focus to it. Scripts find a notice by its `html_id` and show it where it is `hidden`.
    """
    if tone not in TONES:
        raise template.TemplateSyntaxError(f"notice has no tone “{tone}”: it is one of {', '.join(TONES)}.")
    look = TONES[tone]
    given = {
        "content": content,
        "classes": look.classes,
        "icon": icon or look.icon,
        "role": "alert" if urgent else look.role,
        "html_id": html_id,
        "hidden": hidden,
        "urgent": urgent,
    }
    return render_to_string("components/notice.html", given)


@register.simple_block_tag
def page_title(content: SafeString, title: object, note: object = "") -> SafeString:
    """The heading of a page, a short note next to it, and the lead below it, which is the content."""
    given = {"title": title, "note": note, "lead": content if content.strip() else ""}
    return render_to_string("components/page_title.html", given)


@register.inclusion_tag("components/pager.html", takes_context=True)
def pager(
    context: Context, page: Page[Any], query: str = "", parameter: str = "page", **parameters: str | int
) -> dict[str, object]:
    """Links to the pages before and after this one, where a list has several.

    The links preserve other parameters: a `query` that is ready, parameters by name, or those of the
    address of the page. A list with a `parameter` of its own is below the heading with that id.
    """
    preserved = query or urlencode(parameters) or _other_parameters(context.get("request"), parameter)
    anchor = "" if parameter == "page" else f"#{parameter}"
    start = f"?{preserved}&{parameter}=" if preserved else f"?{parameter}="
    return {"page": page, "start": start, "anchor": anchor}


def _other_parameters(request: HttpRequest | None, parameter: str) -> str:
    if request is None:
        return ""
    others = request.GET.copy()
    others.pop(parameter, None)
    return others.urlencode()


@register.inclusion_tag("components/field.html")
def field(bound: BoundField) -> dict[str, object]:
    """A field of a form with its label, help and errors."""
    written = bound.widget_type in {"text", "textarea", "select"}
    return {"field": bound, "control": bound.as_widget(attrs={"dir": "auto"} if written else None)}
