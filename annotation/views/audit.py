"""`/studies/<study>/audit/`: who did what when."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.permissions import Act, study_access
from annotation.views.studies import page

ENTRIES_PER_PAGE = 50


@login_required
@require_safe
def audit(request: HttpRequest, slug: str) -> HttpResponse:
    access = study_access(request.user, slug, Act.VIEW)
    entries = access.study.audit.select_related("actor")
    acts = list(access.study.audit.order_by("act").values_list("act", flat=True).distinct())
    wanted = request.GET.get("act", "")
    if wanted:
        entries = entries.filter(act=wanted)
    shown = Paginator(entries, ENTRIES_PER_PAGE).get_page(request.GET.get("page"))
    context = {**page(access, "settings"), "entries": shown, "acts": acts, "act": wanted}
    return render(request, "annotation/audit.html", context)
