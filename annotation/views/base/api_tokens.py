"""`/tokens/`: the user’s API tokens, each shown once and revocable."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.limits import LONGEST_TOKEN_DAYS
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import validated_text
from annotation.models import ApiToken, User
from annotation.services.base.tokens import make_token, revoke_token

LONGEST_NAME = 120


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """The list, and the form for another token; only this answer shows a new token."""
    user: User = request.user  # type: ignore[assignment]
    context: dict[str, Any] = {"longest": LONGEST_TOKEN_DAYS, "days": settings.TOKEN_DAYS}
    status = 200
    if request.method == "POST":
        try:
            context |= _make(request, user)
        except GroundworkError as refusal:
            context["refusal"], status = refusal.message, 422
    context["tokens"] = list(user.api_tokens.all())
    return render(request, "annotation/base/api_tokens.html", context, status=status)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    user: User = request.user  # type: ignore[assignment]
    revoke_token(token=get_object_or_404(ApiToken, pk=pk, user=user))
    messages.success(request, _("Token revoked."))
    return redirect("tokens")


def _make(request: HttpRequest, user: User) -> dict[str, Any]:
    name = validated_text(request.POST.get("name", ""))
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidContent(
            message("Enter a name of 1 to %(n)d characters for the token.", n=LONGEST_NAME), code="no_name"
        )
    days = request.POST.get("days", "").strip() or str(settings.TOKEN_DAYS)
    made, key = make_token(
        user=user,
        name=name,
        scopes=[request.POST.get("scope", "")],
        # Anything but a number is refused as a lifetime that is too short.
        days=int(days) if days.isdecimal() and len(days) < 9 else 0,
    )
    return {"made": made, "key": key}
