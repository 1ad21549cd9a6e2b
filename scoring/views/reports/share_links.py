"""Share links: the page of members, and the result that a link shows without an account."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.limits import LONGEST_LINK_LABEL, LONGEST_SHARE_DAYS
from annotation.permissions import Access, Act
from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.views.base.page import shown_page, study_page
from config.client_address import network_of
from scoring.models import Report, ShareLink
from scoring.selectors.reports.share_links import active_share_link, share_links_of, shared_report
from scoring.services.reports.reliability import KIND
from scoring.services.reports.share_links import (
    count_visit,
    create_share_link,
    note_opened,
    revoke_share_link,
)
from scoring.views.base.page import page
from scoring.views.reports.reliability import report_context

LATEST = 20
USUAL_DAYS = 14
MOST_DIGITS = 9


@study_page(get=Act.MANAGE, post=Act.MANAGE)
@never_cache
def share_links(request: HttpRequest, access: Access) -> HttpResponse:
    """The links, and the form for another one; only this answer shows a new link."""
    reports = Report.objects.filter(study=access.study, kind=KIND).defer("figures", "tables")
    latest = list(reports.order_by("-pk")[:LATEST])
    context: dict[str, Any] = {"reports": latest, "usual_days": USUAL_DAYS}
    status = 200
    if request.method == "POST":
        try:
            context |= _created(request, access)
        except GroundworkError as refusal:
            context["refusal"], status = refusal.message, 422
    shown = shown_page(request, share_links_of(access.study))
    context |= {
        **page(access, "share-links"),
        "shown": shown,
        "now": timezone.now(),
        "longest_days": LONGEST_SHARE_DAYS,
        "longest_label": LONGEST_LINK_LABEL,
    }
    return render(request, "scoring/reports/share_links.html", context, status=status)


def _created(request: HttpRequest, access: Access) -> dict[str, Any]:
    link, token = create_share_link(
        study=access.study,
        report=get_object_or_404(Report, study=access.study, pk=_number(request, "report")),
        names=criterion_labels(access.study),
        label=request.POST.get("label", ""),
        days=_number(request, "days"),
        actor=access.user,
    )
    return {"made": link, "address": request.build_absolute_uri(reverse("shared-result", args=[token]))}


def _number(request: HttpRequest, name: str) -> int:
    """A number that was sent; 0, which nothing accepts, for anything else."""
    sent = request.POST.get(name, "").strip()
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) <= MOST_DIGITS else 0


@study_page(post=Act.MANAGE)
def revoke(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Revoke a link."""
    revoke_share_link(link=get_object_or_404(ShareLink, study=access.study, pk=pk), actor=access.user)
    messages.success(request, _("Share link revoked. It no longer works."))
    return redirect("study-share-links", slug=access.slug)


@require_safe
@never_cache
def shared_result(request: HttpRequest, token: str) -> HttpResponse:
    """The report of a link, for anyone who has it: nothing of single raters, and nothing to download."""
    if seconds := count_visit(network=network_of(request)):
        return _unlisted(_put_off(request, seconds))
    link = active_share_link(token)
    if link is None:
        raise Http404("This link does not exist, has expired or was revoked.")
    if request.method == "GET":
        note_opened(link=link)
    report = shared_report(link.report)
    context = {
        **report_context(request, link.study, report),
        # The study as it was named when the link was created, and nothing else of it.
        "study": SimpleNamespace(title=link.title, state="", source="", slug=""),
        "names": link.names,
        "form_titles": {},
        "public": True,
        "report": report,
        "expires_at": link.expires_at,
        "forms_with_versions": [],
        "earlier_definitions": False,
        "not_yet_known": [],
    }
    return _unlisted(render(request, "scoring/reports/shared_result.html", context))


def _put_off(request: HttpRequest, seconds: int) -> HttpResponse:
    context = {"minutes": -(-seconds // 60)}
    response = render(request, "scoring/reports/shared_result_later.html", context, status=429)
    response["Retry-After"] = str(seconds)
    return response


def _unlisted(response: HttpResponse) -> HttpResponse:
    """Neither search engines nor the pages that are opened from here learn of the link."""
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response["Referrer-Policy"] = "no-referrer"
    return response
