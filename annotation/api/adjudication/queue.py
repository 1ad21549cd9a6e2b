"""`adjudication/`: the queue, manually sent items, and searches by rules."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.enumerations import CASE_STATES, DISPUTE_RULES
from annotation.api.base.operations import listed, study_operation
from annotation.api.base.pagination import Pages
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.adjudication.differences import SEARCHED
from annotation.models import Case
from annotation.permissions import Access, Act
from annotation.selectors.adjudication.queue import ALL, QueueView, queue
from annotation.services.adjudication.assignments import MOST_CASES, adjudicator_named, assign_cases
from annotation.services.adjudication.case_selection import (
    MOST_AT_HAND,
    read_search,
    request_search,
    send_items,
)

HIGHEST_KEY = 2**63 - 1
FILTERS = ("state", "rule", "form", "criterion")


class DisputeSerializer(serializers.Serializer[Any]):
    criterion = serializers.CharField()
    rule = serializers.ChoiceField(choices=DISPUTE_RULES)
    detail = serializers.DictField(
        child=serializers.JSONField(), help_text="Threshold of the rule and its result."
    )


class CaseSummarySerializer(serializers.Serializer[Case]):
    id = serializers.IntegerField(source="pk")
    item = serializers.CharField(source="item.key")
    form = serializers.CharField(source="form.key")
    state = serializers.ChoiceField(choices=CASE_STATES)
    disputes = DisputeSerializer(many=True, help_text="Disputed criteria and the reasons.")


class AssignSerializer(StrictSerializer):
    cases = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=HIGHEST_KEY),
        min_length=1,
        max_length=MOST_CASES,
    )
    adjudicator = serializers.EmailField(
        allow_null=True, help_text="Member with the role `adjudicator`; null to assign the cases to nobody."
    )


class AssignedSerializer(serializers.Serializer[Any]):
    changed = serializers.IntegerField(help_text="Cases whose adjudicator changed.")


class CaseFilterSerializer(StrictSerializer):
    page = serializers.IntegerField(required=False, min_value=1)
    page_size = serializers.IntegerField(required=False, min_value=1)
    state = serializers.ChoiceField(
        choices=[*CASE_STATES, ALL], required=False, help_text="By default, the cases to decide."
    )
    rule = serializers.ChoiceField(choices=DISPUTE_RULES, required=False)
    form = serializers.CharField(required=False, max_length=60)
    criterion = serializers.CharField(required=False, max_length=60, help_text="Disputed criterion.")


class CasePages(Pages):
    others = frozenset(FILTERS)


class SendSerializer(StrictSerializer):
    items = serializers.ListField(
        child=serializers.CharField(max_length=120), min_length=1, max_length=MOST_AT_HAND
    )
    form = serializers.CharField(required=False, max_length=60, help_text="By default, every form.")
    criterion = serializers.CharField(required=False, max_length=60, help_text="By default, every criterion.")


class SentSerializer(serializers.Serializer[Any]):
    new = serializers.IntegerField()
    there = serializers.IntegerField(help_text="Existing cases.")
    without = serializers.IntegerField(help_text="Items without ratings.")
    back = serializers.IntegerField(help_text="Cases that were returned to the queue.")


class SearchSerializer(StrictSerializer):
    rule = serializers.ChoiceField(choices=[rule.value for rule in SEARCHED])
    form = serializers.CharField(max_length=60)
    criterion = serializers.CharField(max_length=60)
    bound = serializers.FloatField(
        required=False,
        help_text="For `spread`: the minimum difference in points, of magnitude estimates the minimum "
        "ratio of the greatest to the least; for `overlap`: the minimum F1 of "
        "the shared characters of any two raters.",
    )
    part = serializers.CharField(
        required=False, max_length=60, help_text="Component of tuples; by default, the whole tuple."
    )


class SearchAskedSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField(help_text="ID for `jobs/<id>/`.")


class CasesView(ListAPIView[Case]):
    serializer_class = CaseSummarySerializer
    pagination_class = CasePages

    @study_operation(
        Act.CASES,
        "cases_list",
        gives=CaseSummarySerializer(many=True),
        parameters=[CaseFilterSerializer],
        refuses=(400,),
    )
    def get(self, request: Request, access: Access) -> Response:
        """The cases of the queue in their order; an adjudicator gets those assigned to them."""
        asked = CaseFilterSerializer(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        view = QueueView(**{name: asked.validated_data.get(name, "") for name in FILTERS})
        cases = (
            queue(access.study, view, access.own_cases_of)
            .select_related("item", "form")
            .prefetch_related("disputes")
        )
        return listed(self, cases)

    @study_operation(
        Act.REVIEW, "cases_send", takes=SendSerializer, gives={201: SentSerializer}, refuses=(409, 422)
    )
    def post(self, request: Request, access: Access) -> Response:
        """Send manually selected items to adjudication."""
        wanted = validated(SendSerializer, request)
        done = send_items(study=access.study, keys=wanted.pop("items"), actor=access.user, **wanted)
        return Response(SentSerializer(done).data, status=status.HTTP_201_CREATED)


class SearchView(APIView):
    @study_operation(
        Act.REVIEW,
        "disputes_search",
        takes=SearchSerializer,
        gives={202: SearchAskedSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Start a background search for the items that a rule matches: 202 with the job."""
        given = validated(SearchSerializer, request)
        search = read_search(access.study, given)
        job = request_search(study=access.study, search=search, actor=access.user)
        return Response({"job": job.pk}, status=status.HTTP_202_ACCEPTED)


class AssignmentsView(APIView):
    @study_operation(
        Act.REVIEW, "cases_assign", takes=AssignSerializer, gives=AssignedSerializer, refuses=(422,)
    )
    def post(self, request: Request, access: Access) -> Response:
        """Assign cases to an adjudicator."""
        given = validated(AssignSerializer, request)
        adjudicator = adjudicator_named(access.study, given["adjudicator"] or "")
        changed = assign_cases(
            study=access.study, cases=given["cases"], adjudicator=adjudicator, actor=access.user
        )
        return Response({"changed": changed})
