"""`/studies/<study>/settings/notifications/`: of which events a member is notified by email."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from annotation.domain.base.states import NoticeEvent
from annotation.models import NoticeChoice
from annotation.permissions import Access, Act
from annotation.services.base.webhook_events import registered_events
from annotation.services.people.notices import choose_notices
from annotation.views.base.page import page, refusal_shown, study_page


@study_page(get=Act.VIEW, post=Act.VIEW)
def notifications(request: HttpRequest, access: Access) -> HttpResponse:
    """The events with the member’s own choice."""
    if request.method == "POST":
        with refusal_shown(request):
            chosen = choose_notices(
                study=access.study,
                user=access.user,
                events=request.POST.getlist("event"),
                language=get_language() or settings.LANGUAGE_CODE,
                site=request.build_absolute_uri("/"),
            )
            messages.success(request, _saved(len(chosen)))
        return redirect("study-notifications", slug=access.slug)
    own = NoticeChoice.objects.filter(membership__study=access.study, membership__user=access.user)
    chosen_by_event = {choice.event: choice for choice in own}
    events = registered_events()
    context = {
        **page(access, "notifications"),
        "rows": [(one.value, events[one.value].title, chosen_by_event.get(one.value)) for one in NoticeEvent],
        "sends_mail": settings.SENDS_MAIL,
        "address": access.user.email,
    }
    return render(request, "annotation/people/notifications.html", context)


def _saved(n: int) -> str:
    if not n:
        return _("Notifications saved. You get no emails about this study.")
    sentence = ngettext(
        "Notifications saved. You get emails about %(n)d kind of event.",
        "Notifications saved. You get emails about %(n)d kinds of events.",
        n,
    )
    return sentence % {"n": n}
