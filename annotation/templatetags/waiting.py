"""The navigation of a study: counts of pending work, and the steps of setting up a draft."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.domain.adjudication.differences import UNDECIDED
from annotation.domain.base.states import StudyState
from annotation.permissions import Access, Act
from annotation.selectors.studies.waiting_work import WaitingWork, in_words, work_in

register = template.Library()


@register.simple_tag
def waiting_work(access: Access) -> WaitingWork:
    """The pending work in a study for a member: an adjudicator has their cases, a viewer has none."""
    if access.may_view:
        return work_in(access.study)
    cases = access.study.cases.filter(adjudicator=access.own_cases_of, state__in=UNDECIDED)
    return WaitingWork(problems=0, cases=cases.count() if access.own_cases_of else 0, trials=0)


@register.inclusion_tag("annotation/base/parts/badge.html")
def badge(work: WaitingWork, what: str) -> dict[str, object]:
    """The count of one field of `work`; nothing if it is 0."""
    n = getattr(work, what) if what else 0
    return {"n": n, "words": in_words(what, n) if n else ""}


@dataclass(frozen=True)
class Step:
    """A step: the address of its page, all addresses on which it is done, and who may do it."""

    words: Promise
    address: str
    pages: frozenset[str]
    get: Act = Act.EDIT


def _step(words: Promise, address: str, *further: str, get: Act = Act.EDIT) -> Step:
    return Step(words, address, frozenset({address, *further}), get)


ITEMS = _step(_("Items"), "study-items", "study-import", "study-import-file")
FORMS = _step(
    _("Forms"), "study-forms", "study-form", "study-form-new", "study-form-stage", "study-form-pairs"
)
CHECKS = _step(_("Attention checks"), "study-checks", "study-check")
LINKS = _step(_("Invitation links"), "study-links", get=Act.MANAGE)
STEPS = (
    _step(_("Basic settings"), "study-texts"),
    ITEMS,
    FORMS,
    _step(_("Assignment design"), "study-design"),
    CHECKS,
    LINKS,
    _step(_("Check and open"), "study-open"),
)


@register.inclusion_tag("annotation/studies/parts/setup_steps.html", takes_context=True)
def setup_steps(context: Context) -> dict[str, Any]:
    """The steps of a draft with the current one, where the page is one of them; nothing elsewhere."""
    access: Access | None = context.get("access")
    match = context["request"].resolver_match
    current = next((one for one in STEPS if match and match.url_name in one.pages), None)
    if (
        access is None
        or current is None
        or access.study.state != StudyState.DRAFT
        or not access.may(Act.EDIT)
    ):
        return {"steps": []}
    study = access.study
    done = {
        ITEMS: study.items.exists(),
        FORMS: study.forms.exists(),
        CHECKS: study.checks.exists(),
        LINKS: study.invitations.exists(),
    }
    return {
        "steps": [
            {
                "words": one.words,
                "address": reverse(one.address, args=[access.slug]),
                "is_current": one is current,
                "is_done": done.get(one, False),
            }
            for one in STEPS
            if access.may(one.get)
        ]
    }
