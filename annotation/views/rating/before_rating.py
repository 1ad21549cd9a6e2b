"""`/rate/<study>/consent/` and `…/about-you/`: what comes before the next item."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation.domain.base.errors import GroundworkError, InvalidAnswer, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.questions.answers import NOT_SAVED
from annotation.domain.questions.text_languages import text_in
from annotation.selectors.people.demographics import unanswered_questions
from annotation.services.people.consent import agree_again, is_asked_again
from annotation.services.people.demographics import answer_questions
from annotation.views.rating.outbox import outbox_of
from annotation.views.rating.rater_pages import RaterView
from annotation.views.rating.shown_texts import page_language, shown_study

ANSWER = "answer-"
DECLINED = "declined-"
DECLINED_CHOICE = " "
LONGEST_NUMBER = 5
BOTH = message("You gave an answer and selected “Prefer not to say”. Keep one of them.")


class ConsentView(RaterView):
    """The consent text has changed: it is read and agreed to again before the next item."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        if not is_asked_again(self.rater):
            return redirect("rate", slug=slug)
        context = {
            "study": shown_study(self.rater.study),
            "outbox": outbox_of(self.rater),
            "action": request.path,
            "withdraw_url": reverse("rate-withdraw", args=[slug]),
        }
        return render(request, "annotation/rating/consent_again.html", context)

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        number = posted_number(request)
        if number is None or not is_asked_again(self.rater):
            return redirect("rate", slug=slug)
        # If it is refused, the next page gives the reason, or asks again with the current text.
        with contextlib.suppress(GroundworkError):
            shown_in = request.POST.get("interface_language", "")
            agree_again(rater=self.rater, number=number, interface_language=shown_in)
        return redirect("rate", slug=slug)


class AboutYouView(RaterView):
    """The questions about the rater, once."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        asked = unanswered_questions(self.rater)
        return self._page(request, asked, None) if asked else redirect("rate", slug=slug)

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        asked = unanswered_questions(self.rater)
        if not asked:
            return redirect("rate", slug=slug)
        given = {one.key: _given(request.POST, one.key) for one in asked}
        try:
            _refuse_both(request.POST, given)
            answer_questions(rater=self.rater, answers=given)
        except InvalidAnswer as refusal:
            return self._page(request, asked, refusal)
        except NotAllowedNow:
            # Withdrawn in another tab meanwhile: the next page says so.
            return redirect("rate", slug=slug)
        return redirect("rate", slug=slug)

    def _page(self, request: HttpRequest, asked: list[Any], refusal: InvalidAnswer | None) -> HttpResponse:
        problems, language = refusal.fields if refusal else {}, page_language()
        questions = [
            {
                "asked": one,
                "text": text_in(
                    one.text,
                    one.translations.get(language, {}).get("text", ""),
                    own_language=self.rater.study.language,
                    language=language,
                ),
                "options": one.options_in(language),
                "name": ANSWER + one.key,
                "declined_name": DECLINED + one.key,
                "value": request.POST.get(ANSWER + one.key, ""),
                "declined": DECLINED + one.key in request.POST
                or request.POST.get(ANSWER + one.key) == DECLINED_CHOICE,
                "error": problems.get(one.key, ""),
            }
            for one in asked
        ]
        context = {
            "study": shown_study(self.rater.study),
            "outbox": outbox_of(self.rater),
            "action": request.path,
            "questions": questions,
            "refusal": refusal.message if refusal else "",
        }
        return render(request, "annotation/rating/about_you.html", context, status=422 if refusal else 200)


def _given(posted: QueryDict, key: str) -> str | None:
    """The answer; None where the rater prefers not to say, which for a choice is one of its points."""
    declined = DECLINED + key in posted or posted.get(ANSWER + key) == DECLINED_CHOICE
    return None if declined else posted.get(ANSWER + key, "")


def _refuse_both(posted: QueryDict, given: Mapping[str, str | None]) -> None:
    both = [key for key in given if DECLINED + key in posted and posted.get(ANSWER + key, "").strip()]
    if both:
        raise InvalidAnswer(NOT_SAVED, fields=dict.fromkeys(both, BOTH))


def posted_number(request: HttpRequest) -> int | None:
    """The version of the consent text that a page showed, where it says so."""
    text = request.POST.get("consent_number", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else None
