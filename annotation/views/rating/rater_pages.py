"""Pages around rating: instructions, pausing, withdrawal; and what all pages of a rater share."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache

from annotation.domain.base.states import RaterState
from annotation.models import Qualification, Rater, RaterKind
from annotation.selectors.people.consent import agreed_text
from annotation.selectors.people.erasures import erased_by_team
from annotation.selectors.people.platform_return import return_of
from annotation.selectors.quality.qualification import qualification_status, sees_notes
from annotation.selectors.rating import rating_page
from annotation.selectors.rating.instructions import instructions_for
from annotation.selectors.rating.own_work import own_work
from annotation.services.people.invitations import replace_link
from annotation.services.rating.withdrawal import withdraw
from annotation.views.rating.media.addresses import guide_files_for
from annotation.views.rating.outbox import outbox_of, own_link, personal_path
from annotation.views.rating.rater_session import note_pause, rater_for
from annotation.views.rating.shown_texts import page_language, shown_study
from config.interface_language import begin_in


@method_decorator(never_cache, name="dispatch")
class RaterView(View):
    """A page for the rater of this browser; a rater who has withdrawn sees the withdrawal notice only."""

    rater: Rater
    takes_from_withdrawn = False

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.rater = rater_for(request, kwargs["slug"])
        begin_in(request, self.rater.study.interface_language)
        if self.rater.state == RaterState.WITHDRAWN:
            if request.method in {"GET", "HEAD"}:
                return has_withdrawn(request, self.rater)
            if not self.takes_from_withdrawn:
                return has_withdrawn(request, self.rater, status=409)
        return super().dispatch(request, *args, **kwargs)


class WithdrawView(RaterView):
    takes_from_withdrawn = True

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        if self.rater.kind == RaterKind.TRIAL:
            return redirect("study", slug=slug)
        context = {
            "study": shown_study(self.rater.study),
            "outbox": outbox_of(self.rater, held=True),
            "agreed_text": agreed_text(self.rater),
            "action": request.path,
            "back_url": _rate_url(self.rater),
        }
        return render(request, "annotation/rating/withdraw.html", context)

    def post(self, _: HttpRequest, slug: str) -> HttpResponse:
        if self.rater.kind == RaterKind.PERSON and self.rater.state != RaterState.WITHDRAWN:
            withdraw(rater=self.rater)
        return redirect("rate-withdraw", slug=slug)


class GuideView(RaterView):
    def get(self, request: HttpRequest, **_: Any) -> HttpResponse:
        study = self.rater.study
        qualification = Qualification.objects.filter(study=study).first()
        pages = qualification is not None and qualification.pages.exists()
        notes = qualification is not None and sees_notes(
            qualification, qualification_status(self.rater, qualification)
        )
        criteria = instructions_for(self.rater, page_language())
        examples = (example for one in criteria for example in (*one.good, *one.bad))
        names = dict.fromkeys(block.file for example in examples for block in example.text if block.file)
        context = {
            "study": shown_study(study),
            "outbox": outbox_of(self.rater),
            "criteria": criteria,
            "guide_files": guide_files_for(self.rater, names),
            "work": own_work(self.rater),
            "back_url": _rate_url(self.rater),
            "pause_url": ""
            if self.rater.kind == RaterKind.TRIAL
            else reverse("rate-pause", args=[study.slug]),
            "background_url": reverse("rate-background", args=[study.slug, 1]) if pages else "",
            "notes_url": reverse("rate-notes", args=[study.slug]) if notes else "",
        }
        return render(request, "annotation/rating/guide.html", context)


class PauseView(RaterView):
    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        note_pause(request, self.rater)
        context = {
            "study": shown_study(self.rater.study),
            "outbox": outbox_of(self.rater),
            "work": own_work(self.rater),
            "is_break": "break" in request.GET,
            "finished": self.rater.state == RaterState.FINISHED,
            "personal_url": personal_url(request, self.rater),
            "has_link": own_link(self.rater) is not None,
            "code": "" if self.rater.kind == RaterKind.TRIAL else self.rater.code,
            "continue_url": _rate_url(self.rater),
            "guide_url": reverse("rate-guide", args=[slug]),
            "withdraw_url": reverse("rate-withdraw", args=[slug]),
            "data_url": reverse("rate-my-data", args=[slug]),
        }
        return render(request, "annotation/rating/pause.html", context)


class LinkView(RaterView):
    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Give the rater another personal link in place of the one they have."""
        link = own_link(self.rater)
        if link is None:
            raise Http404("This rater has no personal link.")
        replace_link(invitation=link, actor=None)
        messages.success(request, _("Link replaced. The old one no longer works."))
        return redirect("rate-pause", slug=slug)


def has_withdrawn(
    request: HttpRequest, rater: Rater, *, status: int = 200, offers_data: bool = True
) -> HttpResponse:
    """The page that a rater who has withdrawn finds wherever a link leads.

    It offers their data where this browser's session is theirs.
    """
    done = rating_page.progress(rater).done
    context = {
        "study": shown_study(rater.study),
        "outbox": outbox_of(rater, over=True),
        "rater": rater,
        "done": done,
        "erased_at": erased_by_team(rater),
        "agreed_text": agreed_text(rater),
        "way_back": return_of(rater),
        "offers_data": offers_data,
    }
    return render(request, "annotation/rating/withdrawn.html", context, status=status)


def personal_url(request: HttpRequest, rater: Rater) -> str:
    """The rater's own link to come back by; empty where there is none."""
    path = personal_path(rater)
    return request.build_absolute_uri(path) if path else ""


def _rate_url(rater: Rater) -> str:
    return reverse("rate", args=[rater.study.slug])
