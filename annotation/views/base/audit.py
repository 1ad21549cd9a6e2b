"""`/studies/<study>/audit/`: who did what, and when."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from annotation.permissions import Access, Act
from annotation.selectors.base.audit_log import ABOUT_PAY, audit_table, entries, read_audit_view
from annotation.services.base.audit import record_download
from annotation.views.base.downloads import file_response
from annotation.views.base.page import page, shown_page, study_page

ENTRIES_PER_PAGE = 50


@study_page(get=Act.VIEW)
def audit(request: HttpRequest, access: Access) -> HttpResponse:
    view, log = read_audit_view(request.GET), access.study.audit.all()
    actors = log.filter(actor__isnull=False).order_by("actor__email")
    with_pay = access.may_manage
    if not with_pay:
        log = log.exclude(act__in=ABOUT_PAY)
    found = entries(access.study, view, with_pay=with_pay)
    shown = shown_page(request, found, size=ENTRIES_PER_PAGE)
    context = {
        **page(access, "audit"),
        "entries": shown,
        "view": view,
        "acts": list(log.order_by("act").values_list("act", flat=True).distinct()),
        "actors": list(actors.values_list("actor__email", flat=True).distinct()),
    }
    return render(request, "annotation/base/audit.html", context)


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access, file_format: str) -> HttpResponseBase:
    """The entries of the view as a file, oldest first; the log records the download."""
    table = audit_table(access.study, read_audit_view(request.GET), with_pay=access.may_manage)
    response = file_response(table, file_format, f"{access.slug}-audit")
    if request.method == "GET":
        record_download(study=access.study, actor=access.user, what="audit", file_format=file_format)
    return response
