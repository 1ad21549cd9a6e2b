"""`/rate/<study>/practice/`: the rating page with an item to try, of which nothing is stored."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation.domain.base.errors import InvalidAnswer
from annotation.domain.base.states import Purpose, RaterState
from annotation.domain.items.heard import heard_through, refuse_unheard
from annotation.domain.questions.answers import Submission, check
from annotation.domain.questions.tuple_marking import marking_in
from annotation.models import Assignment, Rater, RaterKind
from annotation.selectors.questions.rubrics import criteria_of
from annotation.selectors.rating import rating_page
from annotation.selectors.rating.practice import practice_page
from annotation.selectors.rating.rating_page import Given
from annotation.selectors.rating.shortcuts import shortcuts_of
from annotation.services.questions.criteria import question_of
from annotation.views.rating.media.addresses import with_addresses
from annotation.views.rating.posted_answers import given_in
from annotation.views.rating.rater_pages import RaterView
from annotation.views.rating.shown_texts import page_language, shown_study

PRACTISED = "practised"
NOT_YET_RATED = {RaterState.CONSENTED, RaterState.QUALIFIED}


def is_practice_due(request: HttpRequest, rater: Rater, assignment: Assignment) -> bool:
    """Whether the rater is to see the practice item before this assignment, their first."""
    begins = rater.kind == RaterKind.TRIAL or rater.state in NOT_YET_RATED
    if not begins or assignment.purpose == Purpose.QUALIFICATION:
        return False
    return rater.study.slug not in request.session.get(PRACTISED, []) and practice_page(rater) is not None


class PracticeView(RaterView):
    """The page with the item to try, and what would come of the answer."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        page = practice_page(self.rater, page_language())
        return redirect("rate", slug=slug) if page is None else self._page(request, page, Given())

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        page = practice_page(self.rater, page_language())
        if page is None or "skip" in request.POST:
            self._note(request)
            return redirect("rate", slug=slug)
        criteria = criteria_of(page.version, self.rater.study)
        given = given_in(request.POST, page.item, criteria)
        tried = Submission(uuid.uuid4(), given.answers, given.cannot_rate, given.remark)
        try:
            if not tried.cannot_rate:
                shown = page.version.blocks, page.item.fields
                refuse_unheard(*shown, heard_through(*shown, given.heard, {}))
            questions = [question_of(one) for one in criteria]
            check(questions, tried, page.item.fields, offers_cannot_rate=page.offers_cannot_rate)
        except InvalidAnswer as refusal:
            return self._page(request, page, given, refusal)
        self._note(request)
        return self._page(request, page, given, tried=True)

    def _note(self, request: HttpRequest) -> None:
        """So that the next page is the first item."""
        before = request.session.get(PRACTISED, [])
        request.session[PRACTISED] = [*dict.fromkeys([*before, self.rater.study.slug])]

    def _page(
        self,
        request: HttpRequest,
        page: Assignment,
        given: Given,
        refusal: InvalidAnswer | None = None,
        *,
        tried: bool = False,
    ) -> HttpResponse:
        criteria = rating_page.page_criteria(
            page, given, refusal.fields if refusal else {}, language=page_language()
        )
        slug = self.rater.study.slug
        blocks = rating_page.page_blocks(page.version, page.item, page_language())
        context = {
            "study": shown_study(self.rater.study),
            "blocks": with_addresses(blocks, page),
            "heard": given.heard,
            "unheard": any(one.get("whole") and one["field"] not in given.heard for one in blocks),
            "criteria": criteria,
            "marking": marking_in(criteria),
            "shortcuts": shortcuts_of(criteria),
            "written_in": self.rater.study.language,
            "offers_cannot_rate": page.offers_cannot_rate,
            "cannot_rate": given.cannot_rate,
            "refusal": refusal,
            "tried": tried,
            "action": request.path,
            "rate_url": reverse("rate", args=[slug]),
            "guide_url": reverse("rate-guide", args=[slug]),
        }
        return render(request, "annotation/rating/practice.html", context, status=422 if refusal else 200)
