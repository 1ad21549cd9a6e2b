"""`rate/<study>/<item>/problems/`, `studies/<study>/problems/`: reporting and resolving problems."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import listed, operation, study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.api.rating.rate import RaterView
from annotation.api.rating.rate_pages import own_assignment, rater_of
from annotation.domain.base.limits import LONGEST_PROBLEM
from annotation.domain.base.states import ProblemReason, values
from annotation.models import ProblemReport
from annotation.permissions import Access, Act
from annotation.selectors.rating.problem_reports import problems_of_study
from annotation.services.rating.problem_reports import report_problem, resolve_problem


class ProblemRequestSerializer(StrictSerializer):
    reason = serializers.ChoiceField(choices=values(ProblemReason))
    text = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_PROBLEM,
        help_text="Required for `other` and `comment`.",
    )
    report_key = serializers.UUIDField(help_text="A new UUID; a repeated report is stored once.")


class OwnProblemSerializer(serializers.Serializer[Any]):
    reason = serializers.ChoiceField(choices=values(ProblemReason))
    text = serializers.CharField(allow_blank=True)
    reported_at = serializers.DateTimeField()


class ProblemSerializer(serializers.Serializer[ProblemReport]):
    id = serializers.IntegerField(source="pk")
    item = serializers.CharField(source="assignment.item.key")
    form = serializers.CharField(source="assignment.form.key")
    rater = serializers.CharField(source="assignment.rater.code", help_text="Rater code.")
    reason = serializers.ChoiceField(choices=values(ProblemReason))
    text = serializers.CharField(allow_blank=True)
    reported_at = serializers.DateTimeField()
    resolved_at = serializers.DateTimeField(allow_null=True)


class OwnProblemsView(RaterView):
    @operation(
        "rate_problem",
        takes=ProblemRequestSerializer,
        gives={201: OwnProblemSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Report a problem with an item; the answer stays unchanged."""
        assignment = own_assignment(rater_of(request, slug), pk)
        stored = report_problem(assignment=assignment, **validated(ProblemRequestSerializer, request))
        return Response(OwnProblemSerializer(stored).data, status=status.HTTP_201_CREATED)


class ProblemsView(ListAPIView[ProblemReport]):
    serializer_class = ProblemSerializer

    @study_operation(Act.VIEW, "problems_list", gives=ProblemSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The problems that raters reported, oldest first."""
        return listed(self, problems_of_study(access.study))


class ProblemResolutionView(APIView):
    @study_operation(Act.REVIEW, "problems_resolve", gives=ProblemSerializer)
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Mark a reported problem as resolved."""
        problem = get_object_or_404(problems_of_study(access.study), pk=pk)
        return Response(ProblemSerializer(resolve_problem(problem=problem, actor=access.user)).data)
