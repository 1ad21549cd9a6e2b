"""The first page: sign in, or my studies; and what this browser rates in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.models import Membership
from annotation.views.base.uploads import listed_uploads
from annotation.views.rating.rater_session import list_session_raters


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    context: dict[str, object] = {"memberships": [], "enrolments": list_session_raters(request)}
    if request.user.is_authenticated:
        own = Membership.objects.filter(user=request.user).select_related("study")
        context["memberships"] = own.order_by("-study__created_at")
        context["own_uploads"] = listed_uploads(request.user)
    return render(request, "home.html", context)
