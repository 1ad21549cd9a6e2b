"""`adjudication/<case>/`: the responses to one item, the decision and the comments."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.adjudication.queue import CaseSummarySerializer
from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.api.rating.rate_serializers import AnswerField
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.questions.answers import REASONS, Submission
from annotation.models import Case, FormVersion
from annotation.permissions import Access, Act
from annotation.selectors.adjudication import case_page
from annotation.selectors.adjudication.queue import cases_of, shows_names
from annotation.selectors.adjudication.second_opinions import decisions_for, reachable_cases
from annotation.services.adjudication.assignments import adjudicator_named
from annotation.services.adjudication.decisions import choose, comment, write
from annotation.services.adjudication.queue import LONGEST_REASON, put_back, withdraw_case
from annotation.services.adjudication.second_opinions import ask_second_opinion

MOST = 2**31 - 1
HIGHEST_KEY = 2**63 - 1


class CommentSerializer(serializers.Serializer[Any]):
    author = serializers.CharField(allow_null=True)
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class NewCommentSerializer(StrictSerializer):
    text = serializers.CharField(max_length=LONGEST_REMARK)


class QueueMoveSerializer(serializers.Serializer[Any]):
    withdrawn = serializers.BooleanField(
        help_text="True if the case was removed from the queue, false if it was returned."
    )
    reason = serializers.CharField(allow_blank=True)
    author = serializers.CharField(allow_null=True)
    moved_at = serializers.DateTimeField()


class WithdrawSerializer(StrictSerializer):
    reason = serializers.CharField(max_length=LONGEST_REASON)


class FinalAnswerSerializer(serializers.Serializer[Any]):
    criterion = serializers.CharField(source="criterion.key")
    answer = serializers.SerializerMethodField()
    chosen = serializers.BooleanField(
        help_text="True if a response was chosen, false if the answer was written."
    )

    def get_answer(self, final: Any) -> str:
        return str(final)


class VerdictSerializer(serializers.Serializer[Any]):
    revision = serializers.IntegerField()
    current = serializers.BooleanField()
    second = serializers.BooleanField(help_text="True for a second opinion, which is not the final answer.")
    version = serializers.IntegerField(source="version.number", help_text="Version of the form.")
    cannot_rate = serializers.CharField(allow_blank=True)
    note = serializers.CharField(allow_blank=True)
    author = serializers.CharField(allow_null=True)
    decided_at = serializers.DateTimeField()
    answers = FinalAnswerSerializer(many=True)


class AnnotationSerializer(serializers.Serializer[Any]):
    annotation = serializers.IntegerField(help_text="ID of this revision, for `choose` and `begun_from`.")
    letter = serializers.CharField()
    rater = serializers.CharField(allow_blank=True, help_text="Rater code; empty if rater codes are hidden.")
    version = serializers.IntegerField(help_text="Version of the form.")
    simulated = serializers.BooleanField()
    late = serializers.BooleanField()
    answers = serializers.DictField(child=serializers.CharField(), help_text="Stored answers by criterion.")
    cannot_rate = serializers.CharField(allow_blank=True)
    remark = serializers.CharField(allow_blank=True)


class SecondOpinionSerializer(serializers.Serializer[Any]):
    adjudicator = serializers.EmailField(allow_null=True, help_text="Who was asked; null for nobody.")
    given = serializers.BooleanField()


class AskSecondSerializer(StrictSerializer):
    adjudicator = serializers.EmailField(
        allow_null=True, help_text="Another member with the role `adjudicator`; null to ask nobody any more."
    )


class CaseSerializer(CaseSummarySerializer):
    fields_shown = serializers.DictField(
        source="item.fields", child=serializers.CharField(allow_blank=True), help_text="The item's texts."
    )
    annotations = AnnotationSerializer(many=True)
    verdicts = VerdictSerializer(
        many=True,
        help_text="The current decision first, second opinions last. Neither adjudicator gets the other’s "
        "before they have decided.",
    )
    second_opinion = SecondOpinionSerializer()
    comments = CommentSerializer(many=True, help_text="None before a second opinion is given by the caller.")
    moves = QueueMoveSerializer(
        many=True, help_text="Removals from the queue and returns to it, the latest first."
    )


class DecisionSerializer(StrictSerializer):
    """Either `choose`, or `version` with `answers` or `cannot_rate`."""

    page_key = serializers.UUIDField(help_text="A new UUID; a repeated submission is stored once.")
    seen_revision = serializers.IntegerField(
        min_value=0,
        max_value=MOST,
        help_text="Revision of the decision that was seen, 0 for none: a later one is not replaced "
        "(409 `decided_elsewhere`).",
    )
    note = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_REMARK)
    choose = serializers.IntegerField(
        required=False, min_value=1, max_value=HIGHEST_KEY, help_text="`annotation` that is the final answer."
    )
    version = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=32_767,
        help_text="Version of the form for the written answers.",
    )
    answers = serializers.DictField(
        child=AnswerField(), required=False, help_text="Criterion key → answer, in the format for raters."
    )
    cannot_rate = serializers.ChoiceField(choices=[*REASONS], required=False, allow_blank=True)
    begun_from = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=HIGHEST_KEY,
        help_text="`annotation` that was changed: what stays as it was counts as chosen from it.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("choose" in attrs) == ("version" in attrs):
            raise ValidationError({"choose": ["Send either `choose` or `version` with the answers."]})
        return attrs


class CaseView(APIView):
    @study_operation(Act.CASES, "case_get", gives=CaseSerializer)
    def get(self, request: Request, access: Access, pk: int) -> Response:
        """A case with its responses, decisions and comments."""
        case = _case(access, pk)
        decisions = decisions_for(case, access.user, is_adjudicator=access.own_cases_of is not None)
        comments = () if decisions.is_blind else case.comments.select_related("author")
        shown = case_page.annotations_of_case(case, named=shows_names(access.study))
        body = {
            **CaseSummarySerializer(case).data,
            "fields_shown": case.item.fields,
            "annotations": [_annotation(one) for one in shown],
            "verdicts": VerdictSerializer([*decisions.final, *decisions.second], many=True).data,
            "second_opinion": _second_opinion(case, given=decisions.opinion_given),
            "comments": CommentSerializer(comments, many=True).data,
            "moves": QueueMoveSerializer(case.moves.select_related("author").order_by("-pk"), many=True).data,
        }
        return Response(body)


class DecisionView(APIView):
    @study_operation(
        Act.DECIDE,
        "case_decide",
        takes=DecisionSerializer,
        gives={200: VerdictSerializer, 201: VerdictSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Decide a case by one of its responses or by a written answer.

        201 if it was stored, 200 if the same decision was stored before.
        """
        case = _case(access, pk)
        wanted = validated(DecisionSerializer, request)
        sent = Submission(
            page_key=wanted["page_key"],
            answers=wanted.get("answers", {}),
            cannot_rate=wanted.get("cannot_rate", ""),
            remark=wanted.get("note", ""),
            seen_revision=wanted["seen_revision"],
        )
        if "choose" in wanted:
            done = choose(case=case, annotation=wanted["choose"], sent=sent, actor=access.user)
        else:
            named = FormVersion.objects.filter(form=case.form_id, number=wanted["version"])
            version = named.order_by("-correction").first()
            if version is None:
                raise Http404("The form does not have this version.")
            done = write(
                case=case,
                version=version,
                sent=sent,
                actor=access.user,
                based_on=wanted.get("begun_from"),
            )
        verdict = case_page.verdicts_of(case).get(pk=done.verdict.pk)
        number = status.HTTP_201_CREATED if done.stored else status.HTTP_200_OK
        return Response(VerdictSerializer(verdict).data, status=number)


class CommentsView(APIView):
    @study_operation(
        Act.CASES,
        "case_comment",
        takes=NewCommentSerializer,
        gives={201: CommentSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Comment on a case; every member who sees it may."""
        case = _case(access, pk)
        given = validated(NewCommentSerializer, request)
        made = comment(case=case, text=given["text"], actor=access.user)
        return Response(CommentSerializer(made).data, status=status.HTTP_201_CREATED)


class SecondOpinionView(APIView):
    @study_operation(
        Act.DECIDE,
        "case_second_opinion",
        takes=AskSecondSerializer,
        gives=SecondOpinionSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Ask a second adjudicator to decide a case without seeing the first decision."""
        own = cases_of(access.study, access.own_cases_of).select_related("study", "second")
        given = validated(AskSecondSerializer, request)
        asked = adjudicator_named(access.study, given["adjudicator"] or "")
        case = ask_second_opinion(case=get_object_or_404(own, pk=pk), adjudicator=asked, actor=access.user)
        return Response(_second_opinion(case, given=False))


class WithdrawView(APIView):
    @study_operation(
        Act.REVIEW, "case_withdraw", takes=WithdrawSerializer, gives=CaseSummarySerializer, refuses=(409, 422)
    )
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Remove a case from the queue, with a reason."""
        case = _case(access, pk)
        given = validated(WithdrawSerializer, request)
        withdraw_case(case=case, reason=given["reason"], actor=access.user)
        return Response(CaseSummarySerializer(_case(access, pk)).data)


class PutBackView(APIView):
    @study_operation(Act.REVIEW, "case_put_back", gives=CaseSummarySerializer, refuses=(409,))
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Return a case to the queue."""
        put_back(case=_case(access, pk), actor=access.user)
        return Response(CaseSummarySerializer(_case(access, pk)).data)


def _case(access: Access, pk: int) -> Case:
    found = reachable_cases(access.study, access.own_cases_of)
    found = found.select_related("study", "item", "form", "second")
    return get_object_or_404(found.prefetch_related("disputes"), pk=pk)


def _second_opinion(case: Case, *, given: bool) -> dict[str, Any]:
    row = {"adjudicator": case.second and case.second.email, "given": given}
    return dict(SecondOpinionSerializer(row).data)


def _annotation(shown: case_page.Annotation) -> dict[str, Any]:
    response = shown.response
    return {
        "annotation": response.pk,
        "letter": shown.letter,
        "rater": shown.code,
        "version": response.version.number,
        "simulated": response.assignment.rater.simulated,
        "late": response.late,
        "answers": {rating.criterion.key: str(rating) for rating in response.ratings.all()},
        "cannot_rate": response.cannot_rate,
        "remark": response.remark,
    }
