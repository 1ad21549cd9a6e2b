"""`/site/log/`: what site administrators did."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode

from annotation.models import User
from annotation.selectors.base.audit_log import site_entries
from annotation.templatetags.audit_words import acts_named
from annotation.views.base.page import shown_page, site_page

ENTRIES_PER_PAGE = 50


@site_page("GET")
def site_log(request: HttpRequest, administrator: User) -> HttpResponse:
    q = request.GET.get("q", "").strip().replace("\x00", "")
    shown = shown_page(request, site_entries(q, acts_named(q)), size=ENTRIES_PER_PAGE)
    context = {"tab": "log", "entries": shown, "q": q, "query": urlencode({"q": q}) if q else ""}
    return render(request, "annotation/base/site_log.html", context)
