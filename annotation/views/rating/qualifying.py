"""`/rate/<study>/background/…`, `…/qualification/`: reading, feedback, what came of an attempt, the notes."""

from __future__ import annotations

import contextlib
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.questions.background_text import blocks, files_in
from annotation.models import BackgroundPage, Qualification, Rater, RaterKind
from annotation.selectors.people.platform_return import return_of
from annotation.selectors.quality.qualification import (
    QualificationStatus,
    Step,
    attempt_items,
    calibration_of,
    calibration_text,
    compare_with_reference,
    marked_answers,
    notes_for,
    qualification_for,
    qualification_status,
    sees_notes,
    shows_feedback,
)
from annotation.selectors.questions.text_languages import named_text
from annotation.selectors.rating import rating_page
from annotation.services.quality.qualification_progress import read_page, start_attempt
from annotation.views.rating.media.addresses import guide_files_for, with_addresses
from annotation.views.rating.outbox import outbox_of
from annotation.views.rating.rater_pages import RaterView, personal_url
from annotation.views.rating.shown_texts import page_language, shown_study

RESULTS = frozenset({"attempt_failed", "waiting_for_approval", "rater_failed"})


def redirect_to_pending_step(rater: Rater, refusal: NotAllowedNow) -> HttpResponse | None:
    """Redirect a rater who has to read or to wait before rating; None for other refusals."""
    if refusal.code == "background_unread":
        return redirect("rate-background", slug=rater.study.slug, number=rater.pages_read + 1)
    if refusal.code in RESULTS and qualification_for(rater) is not None:
        return redirect("rate-qualification", slug=rater.study.slug)
    return None


class BackgroundView(RaterView):
    """One background page; reading on is noted, so that leaving and coming back continues."""

    def get(self, request: HttpRequest, slug: str, number: int) -> HttpResponse:
        pages = list(BackgroundPage.objects.filter(qualification__study=self.rater.study_id))
        if not 1 <= number <= len(pages):
            raise Http404("There is no such page.")
        page = pages[number - 1]
        own, language = self.rater.study.language, page_language()
        title, text = (
            named_text(page.translations, name, getattr(page, name), own_language=own, language=language)
            for name in ("title", "text")
        )
        context = {
            "study": shown_study(self.rater.study),
            "outbox": outbox_of(self.rater),
            "title": title,
            "text": text,
            "blocks": blocks(text),
            "guide_files": guide_files_for(self.rater, files_in(text)),
            "number": number,
            "total": len(pages),
            "action": request.path,
            "previous_url": number > 1 and reverse("rate-background", args=[slug, number - 1]),
            "pause_url": reverse("rate-pause", args=[slug]),
        }
        return render(request, "annotation/rating/background.html", context)

    def post(self, _: HttpRequest, slug: str, number: int) -> HttpResponse:
        read_page(rater=self.rater, number=number)
        total = BackgroundPage.objects.filter(qualification__study=self.rater.study_id).count()
        if number < total:
            return redirect("rate-background", slug=slug, number=number + 1)
        return redirect("rate", slug=slug)


class FeedbackView(RaterView):
    """The answer to a calibration item, its reference value, and the reason for that value."""

    def get(self, request: HttpRequest, slug: str, pk: int) -> HttpResponse:
        assignment = rating_page.own_assignment(self.rater, pk)
        calibration = None if assignment is None else calibration_of(assignment)
        if assignment is None or calibration is None:
            raise Http404("There is no such item among yours.")
        if not shows_feedback(assignment, calibration):
            return redirect("rate", slug=slug)
        blocks_of_item = rating_page.page_blocks(assignment.version, assignment.item, page_language())
        over = assignment.attempt is not None and assignment.attempt.finished_at is not None
        context = {
            "study": shown_study(self.rater.study),
            "outbox": outbox_of(self.rater),
            "position": assignment.position,
            "total": rating_page.calibration_progress(assignment).total,
            "blocks": with_addresses(blocks_of_item, assignment),
            "marked_answers": marked_answers(assignment, calibration),
            "written_in": rating_page.language_of(assignment.item) or self.rater.study.language,
            "compared": compare_with_reference(assignment, calibration),
            "tolerance": calibration.qualification.tolerance,
            "reason": calibration_text(calibration, "reason", self.rater.study.language, page_language()),
            "next_url": reverse("rate-qualification" if over else "rate", args=[slug]),
            "over": over,
            "pause_url": reverse("rate-pause", args=[slug]),
        }
        return render(request, "annotation/rating/feedback.html", context)


class QualificationView(RaterView):
    """What came of an attempt; beginning another one."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        qualification = qualification_for(self.rater)
        now = None if qualification is None else qualification_status(self.rater, qualification)
        if qualification is None or now is None or now.attempt is None or now.step is Step.CALIBRATION:
            return redirect("rate", slug=slug)
        return render(request, "annotation/rating/qualified.html", self._context(request, qualification, now))

    def post(self, _: HttpRequest, slug: str) -> HttpResponse:
        with contextlib.suppress(NotAllowedNow):
            start_attempt(rater=self.rater)
        return redirect("rate", slug=slug)

    def _context(
        self, request: HttpRequest, qualification: Qualification, now: QualificationStatus
    ) -> dict[str, Any]:
        slug = self.rater.study.slug
        failed = now.step is Step.FAILED
        return {
            "study": shown_study(self.rater.study),
            "outbox": outbox_of(self.rater),
            "rater": self.rater,
            "qualification": qualification,
            "step": now.step.value,
            "attempt": now.attempt,
            "attempts_left": now.attempts_left,
            "next_attempt": attempt_items(self.rater, now.attempt.number + 1) if now.attempt else None,
            "personal_url": "" if failed else personal_url(request, self.rater),
            "way_back": return_of(self.rater) if failed else None,
            "has_background": qualification.pages.exists(),
            "background_url": reverse("rate-background", args=[slug, 1]),
            "notes_url": reverse("rate-notes", args=[slug]) if sees_notes(qualification, now) else "",
            "rate_url": reverse("rate", args=[slug]),
            "pause_url": reverse("rate-pause", args=[slug]),
            "code": "" if self.rater.kind == RaterKind.TRIAL else self.rater.code,
        }


class NotesView(RaterView):
    """The calibration items with reference values and notes, once released."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        qualification = get_object_or_404(Qualification, study=self.rater.study_id)
        now = qualification_status(self.rater, qualification)
        if not sees_notes(qualification, now) or now.attempt is None:
            raise Http404("The notes are not shown now.")
        context = {
            "study": shown_study(self.rater.study),
            "outbox": outbox_of(self.rater),
            "tolerance": qualification.tolerance,
            "notes": notes_for(self.rater, qualification, now.attempt, page_language()),
            "back_url": reverse("rate", args=[slug]),
        }
        return render(request, "annotation/quality/calibration_notes.html", context)
