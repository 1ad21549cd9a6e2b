"""`rate/<study>/`: the next page, its answer, earlier pages, and withdrawal."""

from __future__ import annotations

from typing import Any

from rest_framework import status
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import operation
from annotation.api.base.requests import validated
from annotation.api.people.authentication import InvitationAuthentication, MayRate
from annotation.api.people.token_authentication import ScopedTokenAuthentication
from annotation.api.rating.rate_pages import (
    answer_of,
    enrolment_of,
    feedback_on,
    own_assignment,
    page_of,
    progress_at,
    rater_of,
)
from annotation.api.rating.rate_serializers import (
    AnswerSerializer,
    CorrectionSerializer,
    EnrolmentSerializer,
    NextSubmissionSerializer,
    ReceiptSerializer,
    TaskSerializer,
)
from annotation.domain.base.errors import InvalidAnswer, NotAllowedNow
from annotation.domain.base.states import RaterState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, FormVersion, RaterKind
from annotation.selectors.rating.own_answers import own_answers
from annotation.selectors.rating.rating_page import is_read_only
from annotation.services.people.consent import check_agreed
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw

RECEIPT = {201: ReceiptSerializer, 200: ReceiptSerializer}


class RaterView(APIView):
    authentication_classes = [InvitationAuthentication, ScopedTokenAuthentication, SessionAuthentication]
    permission_classes = [MayRate]


class EnrolmentView(RaterView):
    @operation("rate_enrolment", gives=EnrolmentSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The rater's own state and progress."""
        return Response(EnrolmentSerializer(enrolment_of(rater_of(request, slug))).data)


class NextView(RaterView):
    @operation("rate_next", gives=TaskSerializer, refuses=(409,))
    def get(self, request: Request, slug: str) -> Response:
        """The item to rate now; 409 `no_seat_left` if there is none."""
        assignment = next_assignment(rater=rater_of(request, slug))
        return Response(TaskSerializer(page_of(_opened(assignment))).data)

    @operation("rate_answer", takes=NextSubmissionSerializer, gives=RECEIPT, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Response:
        """Submit an answer: 201 if it is stored, 200 if it was stored before."""
        rater = rater_of(request, slug)
        given = validated(NextSubmissionSerializer, request)
        pk = given.pop("assignment")
        return _submitted(own_assignment(rater, pk), given)


class AssignmentView(RaterView):
    @operation("rate_assignment", gives=TaskSerializer, refuses=(409,))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One earlier page with the current answer."""
        rater = rater_of(request, slug)
        if rater.state == RaterState.WITHDRAWN:
            raise NotAllowedNow("You have withdrawn from this study.", code="rater_withdrawn")
        check_agreed(rater)
        assignment = own_assignment(rater, pk)
        # Reading a page that takes no answer any more starts no clock.
        shown = assignment if is_read_only(assignment) else _opened(assignment)
        return Response(TaskSerializer(page_of(shown)).data)

    @operation("rate_correct", takes=CorrectionSerializer, gives=RECEIPT, refuses=(409, 422))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Submit or correct an answer: a changed answer is a new revision, and the first is retained."""
        rater = rater_of(request, slug)
        assignment = own_assignment(rater, pk)
        given = validated(CorrectionSerializer, request)
        if given.pop("assignment", pk) != pk:
            raise ValidationError({"assignment": ["The URL contains a different assignment."]})
        return _submitted(assignment, given)


class AnswersView(RaterView, ListAPIView[Assignment]):
    serializer_class = AnswerSerializer

    @operation("rate_answers", gives=AnswerSerializer(many=True), refuses=(400,))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The rater's own current answers."""
        page = self.paginate_queryset(own_answers(rater=rater_of(request, self.kwargs["slug"]))) or []
        answers = [answer_of(assignment, assignment.current[0]) for assignment in page]  # type: ignore[attr-defined]
        return self.get_paginated_response(AnswerSerializer(answers, many=True).data)


class WithdrawView(RaterView):
    @operation("rate_withdraw", gives=EnrolmentSerializer, refuses=(409,))
    def post(self, request: Request, slug: str) -> Response:
        """Withdraw from the study; reserved items are released."""
        rater = rater_of(request, slug)
        if rater.kind == RaterKind.PERSON:
            rater = withdraw(rater=rater)
        return Response(EnrolmentSerializer(enrolment_of(rater)).data)


def _opened(assignment: Assignment) -> Assignment:
    return open_assignment(assignment=own_assignment(assignment.rater, assignment.pk))


def _version(assignment: Assignment, number: int, correction: int | None) -> FormVersion | None:
    """The version that the client names; without a correction, the one shown or else the latest."""
    named = assignment.form.versions.filter(number=number).order_by("-correction")
    if correction is not None:
        return named.filter(correction=correction).first()
    shown = assignment.version
    return shown if shown.number == number else named.first()


def _submitted(assignment: Assignment, given: dict[str, Any]) -> Response:
    version = _version(assignment, given.pop("version"), given.pop("correction"))
    if version is None:
        raise InvalidAnswer(
            "Not saved: the form does not have this version.", fields={"version": "Unknown version."}
        )
    receipt = submit(assignment=assignment, version=version, submission=Submission(**given))
    body = {
        "stored": receipt.stored,
        "answer": answer_of(assignment, receipt.response),
        "feedback": feedback_on(assignment),
        "progress": progress_at(assignment),
    }
    number = status.HTTP_201_CREATED if receipt.stored else status.HTTP_200_OK
    return Response(ReceiptSerializer(body).data, status=number)
