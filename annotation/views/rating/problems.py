"""`/rate/<study>/<item>/problem/`: what a rater reports about an item, and its resolution by a member."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.limits import LONGEST_PROBLEM
from annotation.domain.base.states import ProblemReason
from annotation.models import Assignment
from annotation.permissions import Access, Act
from annotation.selectors.rating.check_page import assignment_blocks
from annotation.selectors.rating.problem_reports import problems_of_page, problems_of_study
from annotation.selectors.rating.rating_page import language_of, own_assignment
from annotation.services.rating.problem_reports import report_problem, resolve_problem
from annotation.views.base.page import refusal_shown, study_page
from annotation.views.rating.media.addresses import with_addresses
from annotation.views.rating.outbox import outbox_of
from annotation.views.rating.rater_pages import RaterView
from annotation.views.rating.shown_texts import page_language, shown_study


class ProblemView(RaterView):
    """A form of its own, so that reporting needs no script and sends no rating."""

    def get(self, request: HttpRequest, pk: int, **_kwargs: str) -> HttpResponse:
        return self._page(request, self._assignment(pk))

    def post(self, request: HttpRequest, slug: str, pk: int) -> HttpResponse:
        assignment = self._assignment(pk)
        try:
            report_problem(
                assignment=assignment,
                reason=request.POST.get("reason", ""),
                text=request.POST.get("text", ""),
                report_key=_key(request),
            )
        except InvalidContent as refusal:
            return self._page(request, assignment, refusal, status=422)
        except GroundworkError as refusal:
            return self._page(request, assignment, refusal, status=409)
        if request.POST.get("reason") == ProblemReason.COMMENT:
            messages.success(request, _("Comment sent. Your rating stays as it is."))
        else:
            messages.success(request, _("Problem reported. Your rating stays as it is."))
        return redirect("rate-assignment", slug=slug, pk=pk)

    def _assignment(self, pk: int) -> Assignment:
        assignment = own_assignment(self.rater, pk)
        if assignment is None:
            raise Http404("There is no such item among yours.")
        return assignment

    def _page(
        self,
        request: HttpRequest,
        assignment: Assignment,
        refusal: GroundworkError | None = None,
        status: int = 200,
    ) -> HttpResponse:
        context = {
            "study": shown_study(self.rater.study),
            "outbox": outbox_of(self.rater),
            "action": request.get_full_path(),
            "position": assignment.position,
            "blocks": with_addresses(assignment_blocks(assignment, page_language()), assignment),
            "written_in": language_of(assignment.item) or self.rater.study.language,
            "earlier": problems_of_page(assignment),
            "back_url": reverse("rate-assignment", args=[self.rater.study.slug, assignment.pk]),
            "reasons": [one for one in ProblemReason if one is not ProblemReason.COMMENT],
            "is_comment": "comment" in request.GET or request.POST.get("reason") == ProblemReason.COMMENT,
            "reason": request.POST.get("reason", ""),
            "text": request.POST.get("text", ""),
            "report_key": _key(request),
            "refusal": refusal,
            "longest": LONGEST_PROBLEM,
        }
        return render(request, "annotation/rating/problems/report.html", context, status=status)


@study_page(post=Act.REVIEW)
def resolve(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Mark a reported problem as resolved."""
    problem = get_object_or_404(problems_of_study(access.study), pk=pk)
    with refusal_shown(request):
        resolve_problem(problem=problem, actor=access.user)
        messages.success(request, _("Problem resolved."))
    return redirect("study-item", slug=access.slug, key=problem.assignment.item.key)


def _key(request: HttpRequest) -> uuid.UUID:
    """The key of the page that was sent; a page that names none gets a new one."""
    try:
        return uuid.UUID(request.POST.get("report_key", ""))
    except ValueError:
        return uuid.uuid4()
