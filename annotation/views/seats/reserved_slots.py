"""`/studies/<study>/reserved-slots/`: releasing the rating slots that raters hold, and how long they do."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.permissions import Access, Act
from annotation.services.seats.last_items import set_last_seat_minutes
from annotation.services.seats.slot_release import release_slots
from annotation.views.base.page import redirect_back, refusal_shown, study_page

LONGEST_NUMBER = 9


@study_page(post=Act.MANAGE)
def last_items(request: HttpRequest, access: Access) -> HttpResponse:
    """Set the reservation time of the last items."""
    given = request.POST.get("minutes", "").strip()
    # What is no number in digits is refused like a number that is too small.
    minutes = int(given) if given.isascii() and given.isdigit() and len(given) < LONGEST_NUMBER else 0
    with refusal_shown(request):
        set_last_seat_minutes(study=access.study, actor=access.user, minutes=minutes if given else None)
        messages.success(request, _("Setting saved. It applies to items that raters open from now on."))
    return redirect("study-settings", slug=access.slug)


@study_page(post=Act.REVIEW)
def release(request: HttpRequest, access: Access) -> HttpResponse:
    """Release what the selected raters hold."""
    with refusal_shown(request):
        n = release_slots(study=access.study, codes=request.POST.getlist("rater"), actor=access.user)
        receipt = ngettext(
            "%(n)d rating slot released. Other raters can get the item now. An answer that still arrives is "
            "saved.",
            "%(n)d rating slots released. Other raters can get the items now. Answers that still arrive are "
            "saved.",
            n,
        )
        messages.success(request, receipt % {"n": n})
    return redirect_back(request, reverse("study-raters", args=[access.slug]))
