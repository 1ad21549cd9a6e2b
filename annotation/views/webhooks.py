"""`/studies/<study>/settings/webhooks/`: addresses that are told of events."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.errors import GroundworkError
from annotation.domain.written import stored_words
from annotation.models import Webhook
from annotation.permissions import Act, study_access
from annotation.selectors.webhooks import webhooks_of
from annotation.services.webhooks import add_webhook, remove_webhook
from annotation.views.studies import page

EVENTS = {
    "change_state": gettext_lazy("The study is opened, paused or closed"),
    "change_consent": gettext_lazy("There is a new consent text"),
    "change_form": gettext_lazy("A form is changed"),
    "import_items": gettext_lazy("Items are imported"),
    "import_ratings": gettext_lazy("Ratings are imported"),
    "import_scores": gettext_lazy("Scores are imported"),
    "rater_finished": gettext_lazy("A rater has finished"),
    "check_failed": gettext_lazy("An attention check is failed"),
    "withdraw": gettext_lazy("A rater withdraws"),
    "exclude_items": gettext_lazy("Items are excluded by hand"),
    "exclude_rater": gettext_lazy("A rater is excluded by hand"),
    "exclude_response": gettext_lazy("An answer is excluded by hand"),
    "lift_exclusion": gettext_lazy("An exclusion by hand is lifted"),
    "apply_rule": gettext_lazy("An exclusion rule is applied"),
    "lift_rule": gettext_lazy("An exclusion rule is lifted"),
    "report_ready": gettext_lazy("A report is ready"),
    "scores_ready": gettext_lazy("A run of scores is done"),
    "export_bundle": gettext_lazy("A bundle is ready"),
}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """The list, and adding another; its secret stands on this answer and nowhere again."""
    access = study_access(request.user, slug, Act.MANAGE)
    context: dict[str, Any] = {
        **page(access, "settings"),
        "events": list(EVENTS.items()),
        "address": "",
        "chosen": [],
    }
    status = 200
    if request.method == "POST":
        address, chosen = request.POST.get("address", ""), request.POST.getlist("event")
        try:
            context["made"] = add_webhook(
                study=access.study, actor=access.user, address=stored_words(address), events=chosen
            )
        except GroundworkError as refusal:
            context |= {"refusal": refusal.message, "address": address, "chosen": chosen}
            status = 422
    context["webhooks"] = webhooks_of(access.study)
    return render(request, "annotation/webhooks.html", context, status=status)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = study_access(request.user, slug, Act.MANAGE)
    remove_webhook(webhook=get_object_or_404(Webhook, pk=pk, study=access.study), actor=access.user)
    messages.success(request, _("The address is told no more."))
    return redirect("study-webhooks", slug=slug)
