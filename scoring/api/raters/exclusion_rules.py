"""`exclusion-rules/`: declaring rules, previewing, applying and lifting them."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.refusal_schema import BODY, PERSON, refusals
from annotation.api.base.requests import caller
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.models import Study
from annotation.permissions import Act, study_access
from annotation.services.quality.exclusion_rules import declare_rule
from scoring.api.base.jobs import STARTED, started
from scoring.selectors.data.answers import criterion_names
from scoring.selectors.raters.rules import (
    RuleRow,
    is_fresh,
    latest_preview,
    matched_keys,
    rule_row,
    rule_rows,
)
from scoring.services.raters.exclusion_preview import request_preview
from scoring.services.raters.rule_application import apply_as_previewed, lift_again

MOST_CONDITIONS = 50


class NewRuleSerializer(StrictSerializer):
    name = serializers.CharField(max_length=120)
    reason = serializers.CharField(max_length=LONGEST_REMARK)
    conditions = serializers.ListField(
        child=serializers.DictField(child=serializers.JSONField(allow_null=True)),
        min_length=1,
        max_length=MOST_CONDITIONS,
        help_text="Each with `kind` and its settings; one that is met is enough.",
    )


class RuleSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    key = serializers.CharField(help_text="What exports call it.")
    name = serializers.CharField()
    conditions = serializers.ListField(child=serializers.DictField())
    words = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()
    before_opening = serializers.BooleanField(help_text="Declared before anything was seen.")
    created_at = serializers.DateTimeField()
    n_standing = serializers.IntegerField(help_text="Exclusions by this rule that stand.")
    applied_at = serializers.DateTimeField(allow_null=True)


class LiftSerializer(StrictSerializer):
    reason = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_REMARK)


class CaughtSerializer(serializers.Serializer[Any]):
    items = serializers.ListField(child=serializers.CharField())
    raters = serializers.ListField(child=serializers.CharField())
    responses = serializers.ListField(child=serializers.IntegerField())


class PreviewSerializer(serializers.Serializer[Any]):
    created_at = serializers.DateTimeField()
    fresh = serializers.BooleanField(help_text="It speaks of the present data: the rule can be applied.")
    software = serializers.CharField()
    method = serializers.DictField(help_text="`replicates`, `shuffles`, `seed` and the conditions.")
    gone = serializers.DictField(child=serializers.IntegerField(), help_text="What goes: items, raters …")
    caught = CaughtSerializer()
    conditions = serializers.ListField(
        child=serializers.DictField(), help_text="What each condition catches alone."
    )
    before = serializers.DictField(help_text="`counts`, `means`, `figures`, `metrics`.")
    after = serializers.DictField()
    selection = serializers.ListField(
        child=serializers.DictField(),
        help_text="By criterion α before and after, of shuffled answers, and after a random drop.",
    )


class RulesView(APIView):
    @extend_schema(
        operation_id="rules_list",
        summary="The study's exclusion rules, first declared first",
        responses={200: RuleSerializer(many=True), **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str) -> Response:
        study = study_access(caller(request), slug, Act.VIEW).study
        return Response([_rule_json(row) for row in rule_rows(study)])

    @extend_schema(
        operation_id="rules_declare",
        summary="Declare a rule; nothing is excluded by it",
        request=NewRuleSerializer,
        responses={201: RuleSerializer, **refusals(*BODY, *PERSON, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.EDIT)
        sent = NewRuleSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        criteria = list(criterion_names(access.study)[1])
        rule = declare_rule(study=access.study, criteria=criteria, actor=access.user, **sent.validated_data)
        return Response(_rule_json(_row(access.study, rule.pk)), status=status.HTTP_201_CREATED)


class RuleView(APIView):
    @extend_schema(
        operation_id="rule_get",
        summary="A rule, and how many exclusions stand by it",
        responses={200: RuleSerializer, **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        study = study_access(caller(request), slug, Act.VIEW).study
        return Response(_rule_json(_row(study, pk)))


class RulePreviewView(APIView):
    @extend_schema(
        operation_id="rule_preview_get",
        summary="What the newest preview of a rule found; 404 before the first",
        responses={200: PreviewSerializer, **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        study = study_access(caller(request), slug, Act.VIEW).study
        rule = _row(study, pk).rule
        preview = latest_preview(rule)
        if preview is None:
            raise Http404("The rule has not been previewed yet.")
        body = {
            **preview.tables,
            "created_at": preview.created_at,
            "fresh": is_fresh(rule, preview),
            "software": preview.software,
            "method": preview.method,
            "caught": matched_keys(study, preview),
        }
        return Response(PreviewSerializer(body).data)

    @extend_schema(
        operation_id="rule_preview",
        summary="Preview a rule: 202 with the job that does it",
        request=None,
        responses={**STARTED, **refusals(*PERSON)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        return started(request_preview(rule=_row(access.study, pk).rule, actor=access.user), request)


class RuleApplyView(APIView):
    @extend_schema(
        operation_id="rule_apply",
        summary="Exclude what the preview of the present data caught",
        request=None,
        responses={200: RuleSerializer, **refusals(*PERSON, 409)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        access = study_access(caller(request), slug, Act.REVIEW)
        apply_as_previewed(rule=_row(access.study, pk).rule, actor=access.user)
        return Response(_rule_json(_row(access.study, pk)))


class RuleLiftView(APIView):
    @extend_schema(
        operation_id="rule_lift",
        summary="Let everything count again that a rule excludes",
        request=LiftSerializer,
        responses={200: RuleSerializer, **refusals(*BODY, *PERSON, 409, 422)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        access = study_access(caller(request), slug, Act.REVIEW)
        sent = LiftSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        reason = sent.validated_data.get("reason", "")
        lift_again(rule=_row(access.study, pk).rule, reason=reason, actor=access.user)
        return Response(_rule_json(_row(access.study, pk)))


def _row(study: Study, pk: int) -> RuleRow:
    found = rule_row(study, pk)
    if found is None:
        raise Http404
    return found


def _rule_json(row: RuleRow) -> dict[str, Any]:
    values = {
        "id": row.rule.pk,
        "words": row.words,
        "n_standing": row.n_standing,
        "applied_at": row.applied_at,
    }
    return dict(RuleSerializer({**vars(row.rule), **values}).data)
