"""`exclusion-rules/`: declaring rules, previewing, applying and lifting them."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.models import Study
from annotation.permissions import Access, Act
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
from scoring.services.raters.rule_application import apply_as_previewed, lift_and_request_figures

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
    @study_operation(Act.VIEW, "rules_list", gives=RuleSerializer(many=True))
    def get(self, request: Request, access: Access) -> Response:
        """The study's exclusion rules, first declared first."""
        return Response([_rule_json(row) for row in rule_rows(access.study)])

    @study_operation(
        Act.RULES, "rules_declare", takes=NewRuleSerializer, gives={201: RuleSerializer}, refuses=(422,)
    )
    def post(self, request: Request, access: Access) -> Response:
        """Declare a rule; nothing is excluded by it."""
        given = validated(NewRuleSerializer, request)
        scales = criterion_names(access.study)[1]
        on_ratios = [name for name, scale in scales.items() if scale.logarithmic]
        rule = declare_rule(
            study=access.study, criteria=list(scales), on_ratios=on_ratios, actor=access.user, **given
        )
        return Response(_rule_json(_row(access.study, rule.pk)), status=status.HTTP_201_CREATED)


class RuleView(APIView):
    @study_operation(Act.VIEW, "rule_get", gives=RuleSerializer)
    def get(self, request: Request, access: Access, pk: int) -> Response:
        """A rule, and how many exclusions by it are active."""
        return Response(_rule_json(_row(access.study, pk)))


class RulePreviewView(APIView):
    @study_operation(Act.VIEW, "rule_preview_get", gives=PreviewSerializer)
    def get(self, request: Request, access: Access, pk: int) -> Response:
        """What the newest preview of a rule found; 404 before the first."""
        rule = _row(access.study, pk).rule
        preview = latest_preview(rule)
        if preview is None:
            raise Http404("The rule has not been previewed yet.")
        body = {
            **preview.tables,
            "created_at": preview.created_at,
            "fresh": is_fresh(rule, preview),
            "software": preview.software,
            "method": preview.method,
            "caught": matched_keys(access.study, preview),
        }
        return Response(PreviewSerializer(body).data)

    @study_operation(Act.VIEW, "rule_preview", gives=STARTED)
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Preview a rule: 202 with the job that does it."""
        return started(request_preview(rule=_row(access.study, pk).rule, actor=access.user), request)


class RuleApplyView(APIView):
    @study_operation(Act.RULES, "rule_apply", gives=RuleSerializer, refuses=(409,))
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Exclude what the preview of the present data caught."""
        apply_as_previewed(rule=_row(access.study, pk).rule, actor=access.user)
        return Response(_rule_json(_row(access.study, pk)))


class RuleLiftView(APIView):
    @study_operation(Act.RULES, "rule_lift", takes=LiftSerializer, gives=RuleSerializer, refuses=(409, 422))
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Let everything count again that a rule excludes."""
        reason = validated(LiftSerializer, request).get("reason", "")
        lift_and_request_figures(rule=_row(access.study, pk).rule, reason=reason, actor=access.user)
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
        "n_standing": row.n_active,
        "applied_at": row.applied_at,
    }
    return dict(RuleSerializer({**vars(row.rule), **values}).data)
