"""`studies/<study>/main-study/`, `…/pilot/`, `…/pilot/pooling/`: a pilot, its main study, and both pooled."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.api.studies.definitions import DefinedSerializer
from annotation.api.studies.study_serializers import new_address
from annotation.domain.base.limits import LONGEST_REASON, LONGEST_TITLE
from annotation.models import Study
from annotation.permissions import Access, Act
from annotation.selectors.questions.pilots.pilot_answers import pooling_preview
from annotation.services.studies.pilots.main_study import MainItems, create_main_study, set_pilot_raters
from annotation.services.studies.pilots.pilot_pooling import PoolingAct, change_pooling, pilot_of


class MainStudySerializer(StrictSerializer):
    slug = serializers.SlugField(max_length=60)
    title = serializers.CharField(max_length=LONGEST_TITLE)
    items = serializers.ChoiceField(
        choices=[one.value for one in MainItems],
        required=False,
        help_text="`active` (default): without retired items; `unrated`: those of them without a response.",
    )
    refuse_pilot_raters = serializers.BooleanField(
        required=False,
        help_text="Raters of the pilot cannot join with the same platform ID or account; true by default.",
    )


class PilotRatersSerializer(StrictSerializer):
    refuse_pilot_raters = serializers.BooleanField()


class PoolingActSerializer(StrictSerializer):
    act = serializers.ChoiceField(
        choices=[one.value for one in PoolingAct],
        help_text="`pool`: statistics and exports use the responses of the pilot too; `separate`: no more.",
    )
    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="For both audit logs.")


class PoolingSerializer(serializers.Serializer[Any]):
    responses = serializers.ChoiceField(choices=["separate", "pooled"])
    pooled_at = serializers.DateTimeField(allow_null=True)
    pooled_because = serializers.CharField(allow_blank=True)
    responses_that_fit = serializers.IntegerField(
        help_text="Responses of the pilot that pooling uses, whether it is declared or not."
    )
    items_that_fit = serializers.IntegerField(help_text="Items with the same ID and texts in both studies.")
    items_absent = serializers.IntegerField(help_text="Items of the pilot that are not in this study.")
    items_that_differ = serializers.ListField(
        child=serializers.CharField(), help_text="IDs of items with other texts. Pooling is refused then."
    )
    form_versions_that_differ = serializers.ListField(
        child=serializers.CharField(), help_text="Answered form versions of the pilot, such as `similes 2`."
    )
    obstacle = serializers.ChoiceField(
        choices=["", "item", "form", "answer"],
        help_text="Why no response fits: no common item, no common form version, or no response to both.",
    )


class PilotSerializer(serializers.Serializer[Any]):
    pilot = serializers.SlugField(allow_null=True, help_text="Null for a study without a pilot.")
    title = serializers.CharField(allow_null=True)
    responses = serializers.ChoiceField(
        choices=["separate", "pooled"],
        help_text="`pooled`: statistics and exports use those of the pilot too, as members have declared.",
    )
    pooled_at = serializers.DateTimeField(allow_null=True)
    pooled_because = serializers.CharField(allow_blank=True)
    refuse_pilot_raters = serializers.BooleanField()


class MainStudyView(APIView):
    @study_operation(
        Act.EDIT,
        "main_study_create",
        takes=MainStudySerializer,
        gives={201: DefinedSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Create the main study of a pilot as a draft: with items, without links, raters and responses."""
        given = validated(MainStudySerializer, request)
        with new_address():
            made = create_main_study(
                pilot=access.study,
                slug=given["slug"],
                title=given["title"],
                owner=access.user,
                items=MainItems(given.get("items", MainItems.ACTIVE.value)),
                refuse_raters=given.get("refuse_pilot_raters", True),
                with_pay=access.may_manage,
            )
        body = DefinedSerializer({"slug": made.study.slug, "left_out": made.left_out}).data
        return Response(body, status=status.HTTP_201_CREATED)


class PilotView(APIView):
    @study_operation(Act.VIEW, "study_pilot", gives=PilotSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The pilot of a study, and whether its raters can join."""
        return Response(_pilot(access.study))

    @study_operation(
        Act.MANAGE, "study_pilot_change", takes=PilotRatersSerializer, gives=PilotSerializer, refuses=(409,)
    )
    def patch(self, request: Request, access: Access) -> Response:
        """Refuse or admit raters of the pilot; those who have joined stay."""
        given = validated(PilotRatersSerializer, request)
        study = set_pilot_raters(study=access.study, refused=given["refuse_pilot_raters"], actor=access.user)
        return Response(_pilot(study))


class PoolingView(APIView):
    @study_operation(Act.VIEW, "study_pooling", gives=PoolingSerializer, refuses=(409,))
    def get(self, request: Request, access: Access) -> Response:
        """Whether a main study is pooled with its pilot, and which responses of the pilot fit."""
        return Response(_pooling(access.study))

    @study_operation(
        Act.MANAGE,
        "study_pooling_change",
        takes=PoolingActSerializer,
        gives=PoolingSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Declare that a main study is pooled with its pilot, or withdraw that."""
        given = validated(PoolingActSerializer, request)
        study = change_pooling(
            study=access.study, act=PoolingAct(given["act"]), reason=given["reason"], actor=access.user
        )
        return Response(_pooling(study))


def _pilot(study: Study) -> dict[str, Any]:
    named = {"pilot": study.pilot and study.pilot.slug, "title": study.pilot and study.pilot.title}
    row = {
        **named,
        "responses": "separate" if study.pilot_pooled_at is None else "pooled",
        "pooled_at": study.pilot_pooled_at,
        "pooled_because": study.pilot_pooled_because,
        "refuse_pilot_raters": study.refuse_pilot_raters,
    }
    return dict(PilotSerializer(row).data)


def _pooling(study: Study) -> dict[str, Any]:
    fits = pooling_preview(study, pilot_of(study))
    row = {
        "responses": "separate" if study.pilot_pooled_at is None else "pooled",
        "pooled_at": study.pilot_pooled_at,
        "pooled_because": study.pilot_pooled_because,
        "responses_that_fit": fits.responses,
        "items_that_fit": fits.items,
        "items_absent": fits.absent,
        "items_that_differ": fits.differing,
        "form_versions_that_differ": fits.other_versions,
        "obstacle": fits.obstacle,
    }
    return dict(PoolingSerializer(row).data)
