"""`/rate/<study>/`: the next item and its answer, going back to one."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator

from annotation.domain.answers import Submission
from annotation.domain.errors import AnsweredElsewhere, InvalidAnswer, NoSeatLeft, NotAllowedNow
from annotation.domain.states import StudyState
from annotation.models import Assignment, FormVersion, Rater, RaterKind
from annotation.selectors import rating_page
from annotation.selectors.rating_page import Given
from annotation.selectors.way_back import when_done
from annotation.services.assignment import (
    grant_more,
    may_ask_for_more,
    next_assignment,
    open_assignment,
)
from annotation.services.responses import submit
from annotation.views.framing import posts_to_platforms
from annotation.views.rater_pages import RaterView, personal_url

ANSWER = "answer-"
LONGEST_REVISION = 4


class SeeOther(HttpResponseRedirect):
    status_code = 303


@method_decorator(posts_to_platforms, name="dispatch")
class RateView(RaterView):
    """On to the next item; each item has an address of its own, so the browser's Back works."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            assignment = next_assignment(rater=self.rater)
        except NoSeatLeft as end:
            return _finished(request, self.rater, end)
        except NotAllowedNow as refusal:
            return _refused(request, self.rater, refusal)
        return redirect("rate-assignment", slug=kwargs["slug"], pk=assignment.pk)

    def post(self, request: HttpRequest, **_: Any) -> HttpResponse:
        return _answer(request, _own(self.rater, _number(request.POST, "assignment")))


class AssignmentView(RaterView):
    """One item: to be answered, or with the stored answer, which can be corrected."""

    def get(self, request: HttpRequest, pk: int, **_: Any) -> HttpResponse:
        assignment = _own(self.rater, pk)
        if _read_only(self.rater):
            return _page(request, assignment)
        return _page(request, open_assignment(assignment=assignment))

    def post(self, request: HttpRequest, pk: int, **_: Any) -> HttpResponse:
        return _answer(request, _own(self.rater, pk))


class MoreView(RaterView):
    """A rater who has reached the cap asks for more."""

    def post(self, _: HttpRequest, slug: str) -> HttpResponse:
        with contextlib.suppress(NotAllowedNow):
            grant_more(rater=self.rater)
        return redirect("rate", slug=slug)


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
    except (InvalidAnswer, AnsweredElsewhere) as refusal:
        assignment.version = version
        return _page(request, assignment, given=_as_given(request.POST), refusal=refusal)
    except NotAllowedNow as refusal:
        return _refused(request, assignment.rater, refusal)
    return SeeOther(_onward(assignment.rater))


def _onward(rater: Rater) -> str:
    """The address of the next item, or of the page that says why there is none."""
    try:
        following = next_assignment(rater=rater)
    except (NoSeatLeft, NotAllowedNow):
        return reverse("rate", args=[rater.study.slug])
    return reverse("rate-assignment", args=[rater.study.slug, following.pk])


def _submission(posted: QueryDict) -> Submission:
    try:
        page_key = uuid.UUID(posted.get("submission_key", ""))
    except ValueError as problem:
        raise BadRequest("The page's submission key is missing or damaged.") from problem
    given = _as_given(posted)
    seen = posted.get("seen_revision", "")
    return Submission(
        page_key=page_key,
        answers=given.answers,
        cannot_rate=given.cannot_rate,
        remark=given.remark,
        seen_revision=int(seen) if _is_number(seen, LONGEST_REVISION) else None,
    )


def _as_given(posted: QueryDict) -> Given:
    answers = {name.removeprefix(ANSWER): posted.getlist(name) for name in posted if name.startswith(ANSWER)}
    return Given(answers=answers, cannot_rate=posted.get("cannot_rate", ""), remark=posted.get("remark", ""))


def _number(posted: QueryDict, name: str) -> int:
    text = posted.get(name, "")
    if not _is_number(text, 18):
        raise BadRequest(f"The page does not say which {name} it is about.")
    return int(text)


def _is_number(text: str, longest: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= longest


def _page(
    request: HttpRequest,
    assignment: Assignment,
    *,
    given: Given | None = None,
    refusal: InvalidAnswer | AnsweredElsewhere | None = None,
) -> HttpResponse:
    stored = rating_page.stored_answer(assignment)
    shown = given or stored or Given()
    problems = refusal.fields if refusal else {}
    criteria = rating_page.page_criteria(assignment.version, shown, problems)
    elsewhere = isinstance(refusal, AnsweredElsewhere)
    context = {
        **_place(request, assignment),
        "blocks": rating_page.page_blocks(assignment.version, assignment.item),
        "criteria": criteria,
        "last_key": rating_page.last_key(criteria),
        "cannot_rate": {"checked": bool(shown.cannot_rate), "remark": shown.remark},
        "submission_key": uuid.uuid4(),
        "seen_revision": stored.revision if stored else 0,
        "is_revision": stored is not None,
        "stored_words": rating_page.in_words(stored, criteria) if stored and elsewhere else "",
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
        "next_url": reverse("rate", args=[slug]),
        "read_only": _read_only(rater),
        "trial": rater.kind == RaterKind.TRIAL,
        "seat_until": rating_page.seat_end(assignment),
        "guide_url": reverse("rate-guide", args=[slug]),
        "pause_url": reverse("rate-pause", args=[slug]),
    }


def _read_only(rater: Rater) -> bool:
    return rater.kind != RaterKind.TRIAL and rater.study.state == StudyState.CLOSED


def _sentences(refusal: InvalidAnswer | AnsweredElsewhere | None, problems: Mapping[str, str]) -> list[str]:
    """What concerns no single criterion is said at the top, after the refusal itself."""
    if refusal is None:
        return []
    return [refusal.message, *(problems[name] for name in ("cannot_rate", "remark") if name in problems)]


def _finished(request: HttpRequest, rater: Rater, end: NoSeatLeft) -> HttpResponse:
    context = {
        "study": rater.study,
        "sentence": end.message,
        "done": rating_page.progress(rater).done,
        "personal_url": personal_url(request, rater),
        "way_back": when_done(rater),
        "more_url": reverse("rate-more", args=[rater.study.slug]) if may_ask_for_more(rater=rater) else "",
    }
    return render(request, "annotation/finished.html", context)


def _refused(request: HttpRequest, rater: Rater, refusal: NotAllowedNow) -> HttpResponse:
    context = {
        "study": rater.study,
        "sentence": refusal.message,
        "done": rating_page.progress(rater).done,
        "personal_url": personal_url(request, rater) if rater.study.state == StudyState.PAUSED else "",
    }
    return render(request, "annotation/refused.html", context, status=409)
