"""`/studies/<study>/reserved-slots/`: releasing the rating slots that raters hold."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import ngettext

from annotation.permissions import Access, Act
from annotation.services.seats.slot_release import release_slots
from annotation.views.base.page import redirect_back, refusal_shown, study_page


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
