"""The first page: sign in, or my studies."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.models import Membership, Rater


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    context: dict[str, object] = {"memberships": [], "enrolments": []}
    if request.user.is_authenticated:
        own = Membership.objects.filter(user=request.user).select_related("study")
        context["memberships"] = own.order_by("-study__created_at")
        context["enrolments"] = Rater.objects.filter(user=request.user).select_related("study")
    return render(request, "home.html", context)
