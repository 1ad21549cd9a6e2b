"""`/studies/<study>/adjudication/<case>/`: all responses to one item, and the final answer."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from annotation.domain.adjudication.differences import CaseState
from annotation.domain.base.errors import AnsweredElsewhere, GroundworkError, InvalidContent
from annotation.domain.questions.answers import Submission
from annotation.domain.questions.tuple_marking import marking_in
from annotation.models import Case, Dispute, FormVersion, MediaFile, Verdict
from annotation.permissions import Access, Act
from annotation.selectors.adjudication import case_page
from annotation.selectors.adjudication import queue as cases
from annotation.selectors.adjudication.case_table import case_rows, copied_fields
from annotation.selectors.adjudication.current_disputes import find_again
from annotation.selectors.adjudication.overlaps import overlap_table
from annotation.selectors.adjudication.second_opinions import (
    Decisions,
    compared_rows,
    decisions_for,
    is_second,
    reachable_cases,
)
from annotation.selectors.questions.rubrics import criteria_of
from annotation.selectors.rating.rating_page import Given, language_of, page_blocks, source_of
from annotation.services.adjudication.assignments import adjudicator_named
from annotation.services.adjudication.decisions import comment, write
from annotation.services.adjudication.queue import put_back, withdraw_case
from annotation.services.adjudication.second_opinions import ask_second_opinion
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, refusal_shown, study_page
from annotation.views.rating.media.addresses import with_own_addresses
from annotation.views.rating.posted_answers import given_in
from config.formats.enumeration import joined

LONGEST_NUMBER = 18
# More columns of responses are narrow.
MOST_WIDE = 3


@study_page(get=Act.CASES, post=Act.DECIDE)
def case(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show a case; submitting the page decides it, or copies a response into the final answer."""
    found = _case(access, pk)
    if request.method != "POST" or request.POST.get("copy"):
        return _page(request, access, found)
    try:
        _decide(request, access, found)
    except GroundworkError as refusal:
        return _page(request, access, found, refusal=refusal)
    sentence = (
        gettext("Second opinion on %(item)s saved.")
        if is_second(found, access.user)
        else gettext("%(item)s decided.")
    )
    messages.success(request, sentence % {"item": found.item.key})
    return redirect(_onward(access, found, cases.read_queue_view(QueryDict(request.POST.get("query", "")))))


@study_page(post=Act.CASES)
def discuss(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Add a comment to a case; anybody who sees it may."""
    found = _case(access, pk)
    with refusal_shown(request):
        comment(case=found, text=request.POST.get("text", ""), actor=access.user)
        messages.success(request, gettext("Comment added."))
    view = cases.read_queue_view(QueryDict(request.POST.get("query", "")))
    return redirect(reverse("study-case", args=[access.slug, pk], query=view.parts(), fragment="discussion"))


@study_page(post=Act.REVIEW)
def withdraw(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Remove a case from the queue, with a reason."""
    found = _case(access, pk)
    view = cases.read_queue_view(QueryDict(request.POST.get("query", "")))
    try:
        withdraw_case(case=found, reason=request.POST.get("reason", ""), actor=access.user)
    except GroundworkError as refusal:
        messages.error(request, translated(refusal.message))
        return redirect(reverse("study-case", args=[access.slug, pk], query=view.parts()))
    messages.success(request, gettext("%(item)s removed from the queue.") % {"item": found.item.key})
    return redirect(_onward(access, found, view))


@study_page(post=Act.REVIEW)
def back(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Return a case to the queue."""
    found = _case(access, pk)
    put_back(case=found, actor=access.user)
    messages.success(request, gettext("Case returned to the queue."))
    view = cases.read_queue_view(QueryDict(request.POST.get("query", "")))
    return redirect(reverse("study-case", args=[access.slug, pk], query=view.parts()))


@study_page(post=Act.DECIDE)
def second(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Ask a second adjudicator or withdraw the request; adjudicators may for cases assigned to them."""
    found = get_object_or_404(cases.cases_of(access.study, access.own_cases_of), pk=pk)
    with refusal_shown(request):
        asked = adjudicator_named(access.study, request.POST.get("adjudicator", ""))
        ask_second_opinion(case=found, adjudicator=asked, actor=access.user)
        messages.success(
            request,
            gettext("%(name)s asked for a second opinion.") % {"name": asked}
            if asked
            else gettext("No one is asked for a second opinion."),
        )
    view = cases.read_queue_view(QueryDict(request.POST.get("query", "")))
    return redirect(reverse("study-case", args=[access.slug, pk], query=view.parts()))


def _case(access: Access, pk: int) -> Case:
    """A case of the study; for an adjudicator, one that is assigned to them, or whose second they are."""
    found = reachable_cases(access.study, access.own_cases_of).select_related(
        "study", "item", "form", "adjudicator", "second"
    )
    disputes = Prefetch("disputes", Dispute.objects.select_related("found_by"))
    return get_object_or_404(found.prefetch_related(disputes), pk=pk)


def _decide(request: HttpRequest, access: Access, found: Case) -> None:
    posted = request.POST
    version = _version(found, posted)
    sent = _submission(posted, given_in(posted, found.item, criteria_of(version, found.study)))
    based_on = _number(posted, "from") if posted.get("from") else None
    if posted.get("text", "").strip():
        comment(case=found, text=posted["text"], actor=access.user)
        messages.success(request, gettext("Comment added."))
    write(case=found, version=version, sent=sent, actor=access.user, based_on=based_on)


def _version(found: Case, posted: QueryDict) -> FormVersion:
    version = FormVersion.objects.filter(pk=_number(posted, "version"), form=found.form_id).first()
    if version is None:
        raise BadRequest("The form does not have this version.")
    return version


def _submission(posted: QueryDict, given: Given) -> Submission:
    try:
        page_key = uuid.UUID(posted.get("page_key", ""))
    except ValueError as problem:
        raise BadRequest("The page key is missing or invalid.") from problem
    return Submission(
        page_key=page_key,
        answers=given.answers,
        cannot_rate=given.cannot_rate,
        remark=posted.get("note", ""),
        seen_revision=_number(posted, "seen_revision"),
    )


def _number(posted: QueryDict, name: str) -> int:
    text = posted.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        raise BadRequest(f"The number “{name}” is missing or invalid.")
    return int(text)


def _onward(access: Access, found: Case, view: cases.QueueView) -> str:
    """The address of the next case of the view, else of the first; of the queue if none is left."""
    following = cases.place_in_queue(found, view, access.own_cases_of).following
    if following is None:
        following = cases.queue(found.study, view, access.own_cases_of).exclude(pk=found.pk).first()
    slug, query = found.study.slug, view.parts()
    if following is None:
        return reverse("study-adjudication", args=[slug], query=query)
    return reverse("study-case", args=[slug, following.pk], query=query)


def _page(
    request: HttpRequest, access: Access, found: Case, *, refusal: GroundworkError | None = None
) -> HttpResponse:
    sent = request.method == "POST"
    view = cases.read_queue_view(QueryDict(request.POST.get("query", "")) if sent else request.GET)
    named = cases.shows_names(access.study)
    annotations = case_page.annotations_of_case(found, named=named)
    decisions = decisions_for(found, access.user, is_adjudicator=access.own_cases_of is not None)
    own_decision = decisions.own[0] if decisions.own else None
    _, names = cases.criterion_names(access.study)
    editor = _editor(request, found, annotations, own_decision, refusal)
    context = {
        **page(access, "adjudication"),
        **editor,
        "described": [one for one in editor["criteria"] if one["described"]],
        "case": found,
        "item": found.item,
        "query": view.query(),
        "view": view,
        "place": cases.place_in_queue(found, view, access.own_cases_of),
        "disputes": cases.dispute_rows(
            found, names, find_again(found, [one.response for one in annotations])
        ),
        "found_by": list(found.disputes.all())[:1],
        "source": source_of(found.item),
        "written_in": language_of(found.item) or access.study.language,
        "annotations": annotations,
        **_side_by_side(found, annotations, editor),
        "named": named,
        **_decided(access, found, decisions, annotations),
        "own_decision": own_decision,
        "moves": list(found.moves.select_related("author").order_by("-pk")),
        "may_decide": access.may(Act.DECIDE) and found.state != CaseState.WITHDRAWN,
        "comments": () if decisions.is_blind else found.comments.select_related("author"),
    }
    return render(request, "annotation/adjudication/case.html", context, status=_status(refusal))


def _decided(
    access: Access, found: Case, decisions: Decisions, annotations: list[case_page.Annotation]
) -> dict[str, Any]:
    """The visible decisions, the second opinion compared with the final answer, and adjudicators to ask."""
    named = cases.shows_names(access.study)
    final, seconds = (
        [_shown(found, one, annotations, named=named) for one in verdicts]
        for verdicts in (decisions.final, decisions.second)
    )
    compared = compared_rows(final[0]["rows"], seconds[0]["rows"]) if final and seconds else []
    asks = access.may(Act.DECIDE) and not is_second(found, access.user)
    deciding = {found.adjudicator_id, access.user.pk}
    others = [one for one in cases.adjudicators_of(access.study) if one.pk not in deciding]
    return {
        "verdicts": final,
        "seconds": seconds,
        "second_rows": compared,
        "cannot_differs": bool(final and seconds)
        and final[0]["verdict"].cannot_rate != seconds[0]["verdict"].cannot_rate,
        "differing": joined(one.name for one in compared if one.differs),
        "current_final": decisions.final[0] if decisions.final else None,
        "opinion_given": decisions.opinion_given,
        "is_blind": decisions.is_blind,
        "gives_second": is_second(found, access.user),
        "asks_second": asks and (found.second is not None or bool(others)),
        "seconds_to_ask": others if asks else [],
    }


def _shown(
    found: Case, verdict: Verdict, annotations: list[case_page.Annotation], *, named: bool
) -> dict[str, Any]:
    return {"verdict": verdict, "rows": case_page.verdict_rows(found, verdict, annotations, named=named)}


def _side_by_side(
    found: Case, annotations: list[case_page.Annotation], editor: Mapping[str, Any]
) -> dict[str, Any]:
    """The responses, criterion by criterion, and what copies each of them."""
    rows = case_rows(editor["criteria"], annotations, {one.criterion for one in found.disputes.all()})
    return {
        "rows": [one for one in rows if not one.wide],
        "wide_rows": [(one, overlap_table(one)) for one in rows if one.wide],
        "copies": json.dumps([copied_fields(one, editor["version"]) for one in annotations]),
        "table_classes": "case-table case-table--many" if len(annotations) > MOST_WIDE else "case-table",
        "with_remarks": [one for one in annotations if one.response.remark],
        "without_answer": [one for one in annotations if one.response.cannot_rate],
    }


def _editor(
    request: HttpRequest,
    found: Case,
    annotations: list[case_page.Annotation],
    own_decision: Verdict | None,
    refusal: GroundworkError | None,
) -> dict[str, Any]:
    """The fields for a written final answer, with their values."""
    begun = _begun(request, annotations)
    version, given = _fields(request, found, own_decision, begun, refused=refusal is not None)
    problems = refusal.fields if isinstance(refusal, InvalidContent) else {}
    criteria = case_page.case_criteria(found, version, given, problems)
    blocks = with_own_addresses(page_blocks(version, found.item), lambda file: _address(found, file))
    return {
        "blocks": blocks,
        "marked_blocks": [block for block in blocks if block["text"]],
        "marking": marking_in(criteria),
        "criteria": criteria,
        "version": version,
        "given": given,
        "begun": begun,
        "based_on": begun or case_page.source_among(own_decision, annotations),
        "page_key": uuid.uuid4(),
        "refusal": refusal,
        "cannot_problem": problems.get("cannot_rate", ""),
    }


def _address(found: Case, file: MediaFile) -> str:
    return reverse("study-case-media", args=[found.study.slug, found.pk, file.pk])


def _begun(request: HttpRequest, annotations: list[case_page.Annotation]) -> case_page.Annotation | None:
    """The response that the fields start with, if one was requested that is still shown."""
    asked = request.POST.get("copy") or request.POST.get("from") or request.GET.get("from", "")
    return next((one for one in annotations if str(one.response.pk) == asked), None)


def _fields(
    request: HttpRequest,
    found: Case,
    own_decision: Verdict | None,
    begun: case_page.Annotation | None,
    *,
    refused: bool,
) -> tuple[FormVersion, Given]:
    """The version whose fields are shown, with the values that were sent, copied or decided."""
    if refused:
        version = _version(found, request.POST)
        posted = given_in(request.POST, found.item, criteria_of(version, found.study))
        return version, Given(posted.answers, posted.cannot_rate, request.POST.get("note", ""))
    note = request.POST.get("note", "")
    if begun is not None:
        response = begun.response
        given = case_page.as_form_fields(response.ratings.all(), response.cannot_rate, note)
        return response.version, given
    version = case_page.version_for(found, own_decision)
    if own_decision is None:
        return version, Given(remark=note)
    return version, case_page.as_form_fields(
        own_decision.answers.all(), own_decision.cannot_rate, note or own_decision.note
    )


def _status(refusal: GroundworkError | None) -> int:
    if refusal is None:
        return 200
    return 409 if isinstance(refusal, AnsweredElsewhere) else 422
