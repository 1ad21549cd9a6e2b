"""`/try/`: rating pages to try without an account. Answers are checked as those of raters, and forgotten."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.views import View
from django.views.decorators.cache import never_cache

from annotation.domain.base.errors import InvalidAnswer
from annotation.domain.questions.answers import Submission, check
from annotation.protocols.translations.tables import ENGLISH
from annotation.selectors.rating.rating_page import Given
from annotation.selectors.rating.shortcuts import shortcuts_of
from annotation.selectors.studies.demo_study import public_demo
from annotation.selectors.studies.form_preview import UNANSWERED
from annotation.selectors.studies.sandbox import ITEMS, sandbox_criteria, sandbox_item, sandbox_page
from annotation.services.questions.criteria import question_of
from annotation.views.rating.posted_answers import given_in


@method_decorator(never_cache, name="dispatch")
class TryView(View):
    """One item of the demo; the number after the last one is the end."""

    def get(self, request: HttpRequest, number: int = 1) -> HttpResponse:
        _check_number(number, len(ITEMS) + 1)
        if number > len(ITEMS):
            return render(request, "annotation/studies/public/tried.html", {"total": len(ITEMS)})
        return _page(request, number, UNANSWERED)

    def post(self, request: HttpRequest, number: int = 1) -> HttpResponse:
        _check_number(number, len(ITEMS))
        item, criteria = sandbox_item(number), sandbox_criteria()
        given = given_in(request.POST, item, criteria)
        tried = Submission(uuid.uuid4(), given.answers, given.cannot_rate)
        try:
            check([question_of(one) for one in criteria], tried, item.fields)
        except InvalidAnswer as refusal:
            return _page(request, number, given, refusal)
        return redirect("try-rating-item", number=number + 1)


def _check_number(number: int, last: int) -> None:
    if not 1 <= number <= last or public_demo() is None:
        raise Http404("There is no such item to try.")


def _page(
    request: HttpRequest, number: int, given: Given, refusal: InvalidAnswer | None = None
) -> HttpResponse:
    shown = sandbox_page(number, get_language() or ENGLISH, given, refusal.fields if refusal else {})
    context = {
        **shown,
        "number": number,
        "total": len(ITEMS),
        "done": number - 1,
        "cannot_rate": given.cannot_rate,
        "refusal": refusal,
        "shortcuts": shortcuts_of(shown["criteria"]),
    }
    status = 422 if refusal else 200
    return render(request, "annotation/studies/public/try_rating.html", context, status=status)
