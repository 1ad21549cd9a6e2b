"""`/rate/<study>/`: the next item and its answer, going back to one, pausing, leaving."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.domain.answers import Submission
from annotation.domain.errors import InvalidAnswer, NoSeatLeft, NotAllowedNow
from annotation.models import Assignment, FormVersion, Rater, RaterKind
from annotation.selectors import rating_page
from annotation.selectors.rating_page import Given
from annotation.services.assignment import next_assignment, open_assignment
from annotation.services.raters import withdraw
from annotation.services.responses import submit
from annotation.views.raters_session import rater_for

ANSWER = "answer-"


class SeeOther(HttpResponseRedirect):
    status_code = 303


@method_decorator(never_cache, name="dispatch")
class RateView(View):
    """The next item; an answer posted here or to the item's own address is stored alike."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        rater = rater_for(request, slug)
        try:
            assignment = open_assignment(assignment=next_assignment(rater=rater))
        except NoSeatLeft as end:
            return _finished(request, rater, end)
        except NotAllowedNow as refusal:
            return _refused(request, rater, refusal)
        return _page(request, assignment)

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        rater = rater_for(request, slug)
        return _answer(request, _own(rater, _number(request.POST, "assignment")))


@method_decorator(never_cache, name="dispatch")
class AssignmentView(View):
    """Back to one item: the stored answer is shown, and can be corrected."""

    def get(self, request: HttpRequest, slug: str, pk: int) -> HttpResponse:
        assignment = _own(rater_for(request, slug), pk)
        return _page(request, open_assignment(assignment=assignment))

    def post(self, request: HttpRequest, slug: str, pk: int) -> HttpResponse:
        return _answer(request, _own(rater_for(request, slug), pk))


@method_decorator(never_cache, name="dispatch")
class WithdrawView(View):
    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        rater = rater_for(request, slug)
        context = {"study": rater.study, "action": request.path, "back_url": _rate_url(rater)}
        return render(request, "annotation/withdraw.html", context)

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        rater = rater_for(request, slug)
        if rater.kind == RaterKind.PERSON:
            withdraw(rater=rater)
        return redirect("rate", slug=slug)


@require_safe
@never_cache
def guide(request: HttpRequest, slug: str) -> HttpResponse:
    rater = rater_for(request, slug)
    return render(request, "annotation/guide.html", {"study": rater.study, "back_url": _rate_url(rater)})


@require_safe
@never_cache
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    rater = rater_for(request, slug)
    context = {
        "study": rater.study,
        "personal_url": _personal_url(request, rater),
        "continue_url": _rate_url(rater),
        "withdraw_url": reverse("rate-withdraw", args=[slug]),
    }
    return render(request, "annotation/pause.html", context)


def _own(rater: Rater, pk: int) -> Assignment:
    assignment = rating_page.own_assignment(rater, pk)
    if assignment is None:
        raise Http404("There is no such item among yours.")
    return assignment


def _answer(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    version = FormVersion.objects.filter(
        pk=_number(request.POST, "version"), form_id=assignment.form_id
    ).first()
    if version is None:
        raise BadRequest("The page names a version that its form does not have.")
    submission = _submission(request.POST)
    try:
        submit(assignment=assignment, version=version, submission=submission)
    except InvalidAnswer as refusal:
        assignment.version = version
        return _page(request, assignment, given=_as_given(request.POST), refusal=refusal)
    except NotAllowedNow as refusal:
        return _refused(request, assignment.rater, refusal)
    return SeeOther(_rate_url(assignment.rater))


def _submission(posted: QueryDict) -> Submission:
    try:
        page_key = uuid.UUID(posted.get("submission_key", ""))
    except ValueError as problem:
        raise BadRequest("The page's submission key is missing or damaged.") from problem
    given = _as_given(posted)
    return Submission(
        page_key=page_key, answers=given.answers, cannot_rate=given.cannot_rate, remark=given.remark
    )


def _as_given(posted: QueryDict) -> Given:
    answers = {name.removeprefix(ANSWER): posted.getlist(name) for name in posted if name.startswith(ANSWER)}
    return Given(answers=answers, cannot_rate=posted.get("cannot_rate", ""), remark=posted.get("remark", ""))


def _number(posted: QueryDict, name: str) -> int:
    text = posted.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise BadRequest(f"The page does not say which {name} it is about.")
    return int(text)


def _page(
    request: HttpRequest,
    assignment: Assignment,
    *,
    given: Given | None = None,
    refusal: InvalidAnswer | None = None,
) -> HttpResponse:
    stored = rating_page.stored_answer(assignment)
    shown = given or stored or Given()
    problems = refusal.fields if refusal else {}
    context = {
        **_place(request, assignment),
        "blocks": rating_page.page_blocks(assignment.version, assignment.item),
        "criteria": rating_page.page_criteria(assignment.version, shown, problems),
        "cannot_rate": {"checked": bool(shown.cannot_rate), "remark": shown.remark},
        "submission_key": uuid.uuid4(),
        "is_revision": stored is not None,
        "errors": _sentences(refusal, problems),
    }
    return render(request, "annotation/rate.html", context, status=422 if refusal else 200)


def _place(request: HttpRequest, assignment: Assignment) -> dict[str, Any]:
    rater, slug = assignment.rater, assignment.rater.study.slug
    progress = rating_page.progress(rater, position=assignment.position)
    before = rating_page.previous_assignment(assignment)
    return {
        "study": rater.study,
        "form_title": assignment.form.title,
        "assignment": assignment.pk,
        "version": assignment.version_id,
        "position": assignment.position,
        "total": progress.total,
        "done": progress.done,
        "saved_position": progress.last_saved,
        "action": reverse("rate-assignment", args=[slug, assignment.pk]),
        "previous_url": before and reverse("rate-assignment", args=[slug, before.pk]),
        "trial": rater.kind == RaterKind.TRIAL,
        "seat_until": rating_page.seat_end(assignment),
        "guide_url": reverse("rate-guide", args=[slug]),
        "pause_url": reverse("rate-pause", args=[slug]),
    }


def _sentences(refusal: InvalidAnswer | None, problems: Mapping[str, str]) -> list[str]:
    """What concerns no single criterion is said at the top, after the refusal itself."""
    if refusal is None:
        return []
    return [refusal.message, *(problems[name] for name in ("cannot_rate", "remark") if name in problems)]


def _finished(request: HttpRequest, rater: Rater, end: NoSeatLeft) -> HttpResponse:
    context = {
        "study": rater.study,
        "sentence": end.message,
        "done": rating_page.progress(rater).done,
        "personal_url": _personal_url(request, rater),
    }
    return render(request, "annotation/finished.html", context)


def _refused(request: HttpRequest, rater: Rater, refusal: NotAllowedNow) -> HttpResponse:
    context = {"study": rater.study, "sentence": refusal.message}
    return render(request, "annotation/refused.html", context, status=409)


def _rate_url(rater: Rater) -> str:
    return reverse("rate", args=[rater.study.slug])


def _personal_url(request: HttpRequest, rater: Rater) -> str:
    invitation = getattr(rater, "invitation", None)
    if invitation is None:
        return ""
    return request.build_absolute_uri(reverse("join", args=[invitation.token]))
