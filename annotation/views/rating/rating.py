"""`/rate/<study>/`: the next item and its answer, going back to one."""

from __future__ import annotations

import contextlib
import math
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page

from annotation.domain.base.errors import AnsweredElsewhere, InvalidAnswer, NoSeatLeft, NotAllowedNow, TooFast
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.base.states import Purpose, RaterState, StudyState
from annotation.domain.items.media import IMAGE, VIDEO
from annotation.domain.questions.tuple_marking import marking_in
from annotation.models import Assignment, FormVersion, QualificationAttempt, Rater, RaterKind
from annotation.selectors.people.platform_return import return_of
from annotation.selectors.quality.qualification import calibration_of
from annotation.selectors.questions.rubrics import criteria_of
from annotation.selectors.rating import rating_page
from annotation.selectors.rating.ahead import offers_ahead, page_before
from annotation.selectors.rating.check_page import assignment_blocks
from annotation.selectors.rating.own_work import is_break_due, own_work
from annotation.selectors.rating.rating_page import Given
from annotation.selectors.rating.shortcuts import shortcuts_of
from annotation.selectors.seats.suggestions import suggestions_for
from annotation.services.people.consent import is_asked_again
from annotation.services.quality.reading_time import seconds_left
from annotation.services.rating.more_items import may_ask_for_more, raise_rater_limit
from annotation.services.rating.next_item import next_assignment, open_assignment, reserve_ahead
from annotation.services.rating.submit_and_advance import SubmissionAndNext, submit_and_advance
from annotation.views.base.frame_policy import posts_to_platforms
from annotation.views.rating.media.addresses import with_addresses
from annotation.views.rating.outbox import outbox_of
from annotation.views.rating.posted_answers import given_in, held_in, number_in, submission_in
from annotation.views.rating.practice import is_practice_due
from annotation.views.rating.qualifying import redirect_to_pending_step
from annotation.views.rating.rater_pages import RaterView, personal_url
from annotation.views.rating.rater_session import end_pause, left_at
from annotation.views.rating.shown_texts import page_language, shown_study

UNANSWERED = Given()
SEEN = (IMAGE, VIDEO)
SEAT_IS_MENTIONED = 10 * 60
PAGE_PREFERRED = "return=representation"
AHEAD_PREFERRED = "ahead"
LATE_ITEM = "Late-Item"
ASKED_FIRST = {"consent_changed": "rate-consent", "questions_open": "rate-about-you"}
Refusal = InvalidAnswer | AnsweredElsewhere | TooFast


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
            if refusal.code in ASKED_FIRST:
                return redirect(ASKED_FIRST[refusal.code], slug=kwargs["slug"])
            return redirect_to_pending_step(self.rater, refusal) or _refused(request, self.rater, refusal)
        if is_practice_due(request, self.rater, assignment):
            return redirect("rate-practice", slug=kwargs["slug"])
        return redirect("rate-assignment", slug=kwargs["slug"], pk=assignment.pk)

    def post(self, request: HttpRequest, **_: Any) -> HttpResponse:
        return _answer(request, _own(self.rater, number_in(request.POST, "assignment")))


# The page has the rater's link. Its length reveals nothing: it repeats only what was sent with a token.
@method_decorator(gzip_page, name="dispatch")
class AssignmentView(RaterView):
    """One item: to be answered, or with the stored answer, which can be corrected."""

    def get(self, request: HttpRequest, pk: int, **_: Any) -> HttpResponse:
        assignment = _own(self.rater, pk)
        if is_asked_again(self.rater):
            return redirect("rate-consent", slug=self.rater.study.slug)
        if rating_page.is_read_only(assignment):
            return _page(request, assignment)
        if end_pause(request, self.rater):
            assignment = _own(self.rater, pk)
        try:
            return _page(request, open_assignment(assignment=assignment))
        except NotAllowedNow as refusal:
            return _refused(request, self.rater, refusal)

    def post(self, request: HttpRequest, pk: int, **_: Any) -> HttpResponse:
        return _answer(request, _own(self.rater, pk))


@method_decorator(gzip_page, name="dispatch")
class AheadView(RaterView):
    """The page after one that is not answered yet, reserved for the rater; its clock does not start."""

    def post(self, request: HttpRequest, pk: int, **_: Any) -> HttpResponse:
        assignment = _own(self.rater, pk)
        return _ahead(request, None if is_asked_again(self.rater) else reserve_ahead(assignment=assignment))


class MoreView(RaterView):
    """A rater who has reached the cap asks for more."""

    def post(self, _: HttpRequest, slug: str) -> HttpResponse:
        with contextlib.suppress(NotAllowedNow):
            raise_rater_limit(rater=self.rater)
        return redirect("rate", slug=slug)


def _own(rater: Rater, pk: int) -> Assignment:
    assignment = rating_page.own_assignment(rater, pk)
    if assignment is None:
        raise Http404("There is no such item among yours.")
    return assignment


def _answer(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    version = _version(assignment, number_in(request.POST, "version"))
    given = given_in(request.POST, assignment.item, criteria_of(version, assignment.rater.study))
    submission = submission_in(request.POST, given, left_at(request, assignment.rater))
    break_due = is_break_due(assignment)
    shown = _prefers_page(request) and not break_due
    try:
        onward = submit_and_advance(
            assignment=assignment,
            version=version,
            submission=submission,
            shown=shown,
            held=held_in(request.POST) if shown else (),
        )
    except (InvalidAnswer, AnsweredElsewhere, TooFast) as refusal:
        assignment.version = version
        return _page(request, assignment, given=given, refusal=refusal)
    except NotAllowedNow as refusal:
        return _refused(request, assignment.rater, refusal)
    response = _onward(request, assignment, onward, break_due=break_due)
    if onward.receipt.response.late and onward.receipt.response.revision == 1:
        # The page that is shown now was fetched before, or answers after this one come first.
        response[LATE_ITEM] = str(assignment.position)
    return response


def _onward(
    request: HttpRequest, assignment: Assignment, onward: SubmissionAndNext, *, break_due: bool
) -> HttpResponse:
    """Where an answer leads: its feedback, the next page, or a page for later."""
    after = _after_calibration(assignment)
    if after or onward.following is None:
        return SeeOther(after or reverse("rate", args=[assignment.rater.study.slug]))
    if break_due and onward.receipt.stored:
        return SeeOther(f"{reverse('rate-pause', args=[assignment.rater.study.slug])}?break")
    if onward.has_following and not is_asked_again(assignment.rater):
        return _ahead(request, onward.ahead)
    return _following(request, onward.following)


def _ahead(request: HttpRequest, page: Assignment | None) -> HttpResponse:
    """A page for later; without content where none can be given before the pages before it are answered."""
    if page is None:
        return HttpResponse(status=204)
    response = _page(request, page, ahead=True)
    response["Content-Location"] = reverse("rate-assignment", args=[page.rater.study.slug, page.pk])
    response["Preference-Applied"] = AHEAD_PREFERRED
    return response


def _prefers_page(request: HttpRequest) -> bool:
    return request.headers.get("Prefer") == PAGE_PREFERRED


def _following(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """The next page itself where the sender prefers it (RFC 7240); else its address."""
    address = reverse("rate-assignment", args=[assignment.rater.study.slug, assignment.pk])
    if not _prefers_page(request) or is_asked_again(assignment.rater):
        return SeeOther(address)
    response = _page(request, open_assignment(assignment=assignment))
    response["Content-Location"] = address
    response["Preference-Applied"] = PAGE_PREFERRED
    return response


def _version(assignment: Assignment, pk: int) -> FormVersion:
    """The version that the page showed: nearly always the one noted when it was opened."""
    if pk == assignment.version_id:
        return assignment.version
    version = FormVersion.objects.filter(pk=pk, form_id=assignment.form_id).first()
    if version is None:
        raise BadRequest("The page names a version that its form does not have.")
    return version


def _after_calibration(assignment: Assignment) -> str:
    """The address of the feedback, or of what came of the attempt; empty after any other answer."""
    calibration = calibration_of(assignment)
    if calibration is None:
        return ""
    slug = assignment.rater.study.slug
    if calibration.qualification.feedback:
        return reverse("rate-feedback", args=[slug, assignment.pk])
    over = QualificationAttempt.objects.filter(assignments=assignment, finished_at__isnull=False).exists()
    return reverse("rate-qualification", args=[slug]) if over else ""


def _page(
    request: HttpRequest,
    assignment: Assignment,
    *,
    given: Given | None = None,
    refusal: Refusal | None = None,
    ahead: bool = False,
) -> HttpResponse:
    stored = rating_page.stored_answer(assignment)
    calibration = calibration_of(assignment)
    before = suggestions_for(assignment)
    shown = given or stored or rating_page.begins_with(before.answers, assignment) or UNANSWERED
    problems = refusal.fields if refusal else {}
    criteria = rating_page.page_criteria(assignment, shown, problems, before.answers, page_language())
    elsewhere = isinstance(refusal, AnsweredElsewhere)
    place = _place(request, assignment, ahead=ahead)
    blocks = with_addresses(assignment_blocks(assignment, page_language()), assignment)
    marking = marking_in(criteria)
    context = {
        **place,
        "earlier": before.earlier,
        "blocks": blocks,
        "criteria": criteria,
        "marking": marking and rating_page.with_offered(marking, assignment, before.tuples),
        "side_by_side": not marking and any(block.get("role") in SEEN for block in blocks),
        "story": not marking and not place["read_only"] and _is_story(blocks, criteria),
        "source": rating_page.source_of(assignment.item),
        "unanswered_version": "" if shown is not UNANSWERED or refusal else _fixed_version(assignment),
        "written_in": rating_page.language_of(assignment.item) or assignment.rater.study.language,
        "shortcuts": shortcuts_of(criteria),
        "heard": shown.heard,
        "unheard": any(block.get("whole") and block["field"] not in shown.heard for block in blocks),
        "offers_cannot_rate": assignment.offers_cannot_rate or bool(shown.cannot_rate),
        "cannot_rate": {"checked": bool(shown.cannot_rate), "remark": shown.remark},
        "longest_remark": LONGEST_REMARK,
        "remark_refused": "remark" in problems,
        "submission_key": uuid.uuid4(),
        "seen_revision": stored.revision if stored else 0,
        "is_revision": stored is not None,
        "late_position": assignment.position if stored and stored.late else place["late_position"],
        "undoing": "undo" in request.GET,
        "first_counts": calibration is not None and calibration.qualification.feedback,
        "stored_words": rating_page.in_words(stored, criteria) if stored and elsewhere else "",
        "errors": _sentences(refusal, problems),
        "hurried": isinstance(refusal, TooFast),
    }
    return render(request, "annotation/rating/rate.html", context, status=422 if refusal else 200)


def _is_story(blocks: Sequence[Mapping[str, Any]], criteria: Sequence[Mapping[str, Any]]) -> bool:
    """Whether criteria are shown one at a time next to a long text; criteria in rows are all shown."""
    return any(block["long"] for block in blocks) and not any(one.get("in_rows") for one in criteria)


def _fixed_version(assignment: Assignment) -> str:
    """Cache key of the criteria of an unanswered page; empty if they depend on the item."""
    version = assignment.version
    if assignment.rater.study.state == StudyState.DRAFT or rating_page.criteria_differ(assignment):
        return ""
    return f"{version.pk} {version.created_at.isoformat()}"


def _place(request: HttpRequest, assignment: Assignment, *, ahead: bool) -> dict[str, Any]:
    rater, slug = assignment.rater, assignment.rater.study.slug
    left = seconds_left(assignment)
    calibration = assignment.purpose == Purpose.QUALIFICATION
    progress = (
        rating_page.calibration_progress(assignment)
        if calibration
        else rating_page.progress(rater, position=assignment.position)
    )
    before = page_before(assignment) if ahead else rating_page.previous_assignment(assignment)
    return {
        "study": shown_study(rater.study),
        "outbox": outbox_of(rater),
        "assignment": assignment.pk,
        "version": assignment.version_id,
        "position": assignment.position,
        "total": progress.total,
        "done": progress.done,
        "saved_position": progress.last_saved,
        # A page that is fetched ahead is shown after other answers.
        "late_position": progress.last_saved if progress.last_is_late and not ahead else None,
        "action": reverse("rate-assignment", args=[slug, assignment.pk]),
        "previous_url": before and reverse("rate-assignment", args=[slug, before]),
        "next_url": reverse("rate", args=[slug]),
        "finished": rater.state == RaterState.FINISHED,
        "ahead_url": _ahead_url(assignment),
        "calibration": calibration,
        "attempt_over": rating_page.is_attempt_over(assignment),
        "read_only": rating_page.is_read_only(assignment),
        "trial": rater.kind == RaterKind.TRIAL,
        **_seat(assignment),
        "seconds_left": None if left is None else math.ceil(left),
        "guide_url": reverse("rate-guide", args=[slug]),
        "pause_url": reverse("rate-pause", args=[slug]),
        "problem_url": _problem_url(assignment),
    }


def _ahead_url(assignment: Assignment) -> str:
    """Address of the next page, available before this one is answered; empty if it never is."""
    if assignment.submitted_at is not None or not offers_ahead(assignment.rater):
        return ""
    return reverse("rate-ahead", args=[assignment.rater.study.slug, assignment.pk])


def _seat(assignment: Assignment) -> dict[str, Any]:
    """How long the item is still reserved; pages mention it in the last ten minutes."""
    until = rating_page.seat_end(assignment)
    seconds = None if until is None else max(0, int((until - timezone.now()).total_seconds()))
    return {
        "seat_seconds": seconds,
        "seat_minutes": None if seconds is None else math.ceil(seconds / 60),
        "seat_is_safe": seconds is not None and seconds > SEAT_IS_MENTIONED,
    }


def _problem_url(assignment: Assignment) -> str:
    """Where a rater reports a problem with the item; a preview and a closed study take no reports."""
    study = assignment.rater.study
    if assignment.rater.kind != RaterKind.PERSON or study.state == StudyState.CLOSED:
        return ""
    return reverse("rate-problem", args=[study.slug, assignment.pk])


def _sentences(refusal: Refusal | None, problems: Mapping[str, str]) -> list[str]:
    """Messages at the top of the page: the refusal, then problems of no single criterion."""
    if refusal is None:
        return []
    reason = refusal.reason if isinstance(refusal, TooFast) else refusal.message
    return [reason, *(problems[name] for name in ("cannot_rate", "remark") if name in problems)]


def _last_url(rater: Rater) -> str:
    """The page of the answer that was saved last; empty without one."""
    answered = rater.assignments.filter(purpose=Purpose.MAIN, submitted_at__isnull=False)
    last = answered.order_by("-submitted_at", "-pk").first()
    return "" if last is None else reverse("rate-assignment", args=[rater.study.slug, last.pk])


def _finished(request: HttpRequest, rater: Rater, end: NoSeatLeft) -> HttpResponse:
    context = {
        "study": shown_study(rater.study),
        "outbox": outbox_of(rater),
        "sentence": end.message,
        "nothing_yet": end.code in {"no_form", "no_items"},
        "work": own_work(rater),
        "personal_url": personal_url(request, rater),
        "code": "" if rater.kind == RaterKind.TRIAL else rater.code,
        "last_url": _last_url(rater),
        "pause_url": reverse("rate-pause", args=[rater.study.slug]),
        "data_url": reverse("rate-my-data", args=[rater.study.slug]),
        "again_url": reverse("rate", args=[rater.study.slug]) if end.waits_for_others else "",
        "way_back": None if end.waits_for_others else return_of(rater, nothing_left=True),
        "more_url": reverse("rate-more", args=[rater.study.slug]) if may_ask_for_more(rater=rater) else "",
    }
    return render(request, "annotation/rating/finished.html", context)


def _refused(request: HttpRequest, rater: Rater, refusal: NotAllowedNow) -> HttpResponse:
    context = {
        "study": shown_study(rater.study),
        "outbox": outbox_of(rater),
        "sentence": refusal.message,
        "code": refusal.code,
        "done": rating_page.progress(rater).done,
        "personal_url": personal_url(request, rater) if rater.study.state == StudyState.PAUSED else "",
    }
    return render(request, "annotation/base/refused.html", context, status=409)
