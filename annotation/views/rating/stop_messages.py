"""`/messages/stop/<token>/`: a rater stops messages about a study, without signing in."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.domain.base.errors import TooManyChanges
from annotation.models import Rater
from annotation.services.people.messages.stopping import rater_of_link, set_messages_stopped
from annotation.views.rating.shown_texts import shown_study
from config.interface_language import begin_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_messages(request: HttpRequest, token: str) -> HttpResponse:
    """Opening the link changes nothing, since programs that check emails open links too."""
    rater = _rater(token)
    begin_in(request, rater.study.interface_language)
    if request.method == "POST":
        try:
            set_messages_stopped(rater=rater, stopped=request.POST.get("act") != "allow")
        except TooManyChanges as refusal:
            response = _page(request, rater, status=429, later=refusal.message)
            response["Retry-After"] = str(refusal.seconds)
            return response
        return redirect("stop-messages", token=token)
    return _page(request, rater)


def _page(request: HttpRequest, rater: Rater, *, status: int = 200, later: str = "") -> HttpResponse:
    context = {"rater": rater, "study": shown_study(rater.study), "later": later}
    return render(request, "annotation/rating/around/stop_messages.html", context, status=status)


def _rater(token: str) -> Rater:
    rater = rater_of_link(token)
    if rater is None:
        raise Http404("There is no such link.")
    return rater
