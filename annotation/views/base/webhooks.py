"""`/studies/<study>/settings/webhooks/`: addresses that are told of events."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.text_validation import validated_text
from annotation.models import Webhook
from annotation.permissions import Act, study_access
from annotation.selectors.base.webhooks import webhooks_of
from annotation.services.base.webhook_events import registered_events
from annotation.services.base.webhooks import add_webhook, remove_webhook
from annotation.views.base.page import page


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """The list, and adding another; its secret stands on this answer and nowhere again."""
    access = study_access(request.user, slug, Act.MANAGE)
    context: dict[str, Any] = {
        **page(access, "settings"),
        "events": [(event.name, event.title) for event in registered_events().values()],
        "address": "",
        "chosen": [],
    }
    status = 200
    if request.method == "POST":
        address, chosen = request.POST.get("address", ""), request.POST.getlist("event")
        try:
            context["made"] = add_webhook(
                study=access.study, actor=access.user, address=validated_text(address), events=chosen
            )
        except GroundworkError as refusal:
            context |= {"refusal": refusal.message, "address": address, "chosen": chosen}
            status = 422
    context["webhooks"] = webhooks_of(access.study)
    return render(request, "annotation/base/webhooks.html", context, status=status)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = study_access(request.user, slug, Act.MANAGE)
    remove_webhook(webhook=get_object_or_404(Webhook, pk=pk, study=access.study), actor=access.user)
    messages.success(request, _("The address is told no more."))
    return redirect("study-webhooks", slug=slug)
