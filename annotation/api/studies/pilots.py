"""`studies/<study>/main-study/` and `…/pilot/`: the main study of a pilot, and the pilot of a main study."""

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
from annotation.domain.base.limits import LONGEST_TITLE
from annotation.models import Study
from annotation.permissions import Access, Act
from annotation.services.studies.pilots.main_study import MainItems, create_main_study, set_pilot_raters


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
