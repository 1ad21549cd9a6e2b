"""`/studies/<study>/settings/webhooks/`: addresses that are notified of events."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.text_validation import validated_text
from annotation.models import Webhook
from annotation.permissions import Access, Act
from annotation.selectors.base.webhooks import webhooks_of
from annotation.services.base.webhook_events import registered_events
from annotation.services.base.webhooks import add_webhook, remove_webhook, replace_secret
from annotation.views.base.page import page, study_page

OTHER_EVENTS = gettext_lazy("Results and jobs")
EVENT_GROUPS = (
    (
        gettext_lazy("Study, forms and items"),
        (
            *("change_state", "change_consent", "request_deletion", "cancel_deletion", "change_form"),
            *("pool_versions", "separate_versions", "pool_pilot", "separate_pilot"),
            *("import_items", "import_ratings"),
        ),
    ),
    (
        gettext_lazy("Raters and responses"),
        (
            *("rater_finished", "target_reached", "rater_flagged", "problem_reported", "check_failed"),
            *("withdraw", "erase_rater"),
        ),
    ),
    (
        gettext_lazy("Exclusions"),
        ("exclude_items", "exclude_rater", "exclude_response", "lift_exclusion", "apply_rule", "lift_rule"),
    ),
)


@study_page(get=Act.MANAGE, post=Act.MANAGE)
@never_cache
def webhooks(request: HttpRequest, access: Access) -> HttpResponse:
    """The list, and the form for another webhook; only this answer shows the new secret."""
    context, status = _context(access), 200
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


@study_page(post=Act.MANAGE)
@never_cache
def new_secret(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Replace the secret; only this answer shows the new one."""
    webhook = get_object_or_404(Webhook, pk=pk, study=access.study)
    replace_secret(webhook=webhook, actor=access.user)
    context = {**_context(access), "made": webhook, "webhooks": webhooks_of(access.study)}
    return render(request, "annotation/base/webhooks.html", context)


@study_page(post=Act.MANAGE)
def remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    remove_webhook(webhook=get_object_or_404(Webhook, pk=pk, study=access.study), actor=access.user)
    messages.success(request, _("Webhook removed."))
    return redirect("study-webhooks", slug=access.slug)


def _context(access: Access) -> dict[str, Any]:
    return {
        **page(access, "webhooks"),
        "events": [(event.name, event.title) for event in registered_events().values()],
        "event_groups": _event_groups(),
        "address": "",
        "chosen": [],
    }


def _event_groups() -> list[tuple[object, list[tuple[str, object]]]]:
    """The events under headings, in the order of their registration; the last group has all others."""
    group_of = {name: head for head, names in EVENT_GROUPS for name in names}
    found: dict[object, list[tuple[str, object]]] = {head: [] for head, _names in EVENT_GROUPS}
    for event in registered_events().values():
        found.setdefault(group_of.get(event.name, OTHER_EVENTS), []).append((event.name, event.title))
    return list(found.items())
