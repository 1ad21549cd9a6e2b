"""Counts of pending work next to the links of a study’s navigation."""

from __future__ import annotations

from django import template

from annotation.models import Study
from annotation.selectors.studies.waiting_work import WaitingWork, in_words, work_in

register = template.Library()


@register.simple_tag
def waiting_work(study: Study) -> WaitingWork:
    """The pending work in a study."""
    return work_in(study)


@register.inclusion_tag("annotation/base/parts/badge.html")
def badge(work: WaitingWork, what: str) -> dict[str, object]:
    """The count of one field of `work`; nothing if it is 0."""
    n = getattr(work, what) if what else 0
    return {"n": n, "words": in_words(what, n) if n else ""}
