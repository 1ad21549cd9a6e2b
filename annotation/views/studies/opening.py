"""`/studies/<study>/open/`: the checklist before a study opens, and the button that opens it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.domain.base.states import DesignKind, StudyState
from annotation.models import Invitation, Study
from annotation.permissions import Access, Act
from annotation.selectors.people.of_study import links_of_members
from annotation.selectors.studies.opening_checklist import STOPS, points_for_raters, points_for_reviewers
from annotation.services.studies.lifecycle import opening_refusal
from annotation.services.studies.opening import open_with_link, reusable_link
from annotation.views.base.page import ROWS_PER_PAGE, page, refusal_shown, study_page
from annotation.views.people.links import described_links, reach_of_links
from annotation.views.studies.settings import warn_of_panels


@study_page(get=Act.EDIT, post=Act.MANAGE)
def check_and_open(request: HttpRequest, access: Access) -> HttpResponse:
    study = access.study
    if request.method == "POST":
        with refusal_shown(request):
            open_with_link(study=study, actor=access.user)
            messages.success(request, _("Study opened."))
            warn_of_panels(request, study)
        return redirect("study-open", slug=access.slug)
    draft = study.state == StudyState.DRAFT
    for_raters = points_for_raters(study) if draft else []
    refusal = opening_refusal(study) if draft else ""
    shown = access.may_manage and study.state == StudyState.OPEN
    usable = links_of_members(study).filter(
        Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now()), revoked_at=None, paused_at=None
    )
    context = {
        **page(access, "overview"),
        "is_draft": draft,
        "for_raters": for_raters,
        "for_reviewers": points_for_reviewers(study, with_pay=access.may_manage) if draft else [],
        "stops": any(point.state == STOPS for point in for_raters) or bool(refusal),
        "refusal": refusal,
        "with_link": study.design != DesignKind.PANELS and draft and reusable_link(study) is None,
        "links": _readable(request, study, usable.filter(rater=None)) if shown else [],
        "personal_links": _readable(request, study, usable.exclude(rater=None)) if shown else [],
        **reach_of_links(request),
    }
    return render(request, "annotation/studies/opening/open.html", context)


def _readable(request: HttpRequest, study: Study, links: QuerySet[Invitation]) -> list[dict[str, Any]]:
    """The newest links, without those whose address cannot be shown."""
    return [one for one in described_links(request, study, links[:ROWS_PER_PAGE]) if one["address"]]
