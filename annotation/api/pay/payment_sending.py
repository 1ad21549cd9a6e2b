"""`pay/lists/<number>/sending/`: approved top-ups and bonuses of a list are paid on a crowd platform."""

from __future__ import annotations

from decimal import Decimal

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.enumerations import CROWD_PLATFORMS
from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.api.pay.crowd_serializers import CrowdJobSerializer
from annotation.domain.base.limits import MOST_MONEY
from annotation.domain.base.platforms import Platform
from annotation.models import PaymentList
from annotation.permissions import Access, Act
from annotation.services.pay.crowd.bonuses import request_bonuses, request_reading_back


class SendingSerializer(StrictSerializer):
    payer = serializers.ChoiceField(choices=CROWD_PLATFORMS, help_text="The platform that pays.")
    payments = serializers.IntegerField(
        min_value=1, required=False, help_text="How many approved payments you have seen."
    )
    amount = serializers.DecimalField(
        max_digits=14,
        decimal_places=2,
        min_value=Decimal(0),
        max_value=MOST_MONEY,
        required=False,
        help_text="Their sum. Without both, payments without a result are read back and nothing is paid.",
    )


class SendingView(APIView):
    @study_operation(
        Act.MANAGE,
        "payment_list_send",
        takes=SendingSerializer,
        gives={202: CrowdJobSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access, number: int) -> Response:
        """Pay the approved top-ups and bonuses that you have seen as bonuses on a platform, or read back."""
        given = validated(SendingSerializer, request)
        listed = get_object_or_404(
            PaymentList.objects.select_related("study"), study=access.study, number=number
        )
        platform, actor = Platform(given["payer"]), access.user
        if "payments" in given or "amount" in given:
            seen = (given.get("payments", 0), given.get("amount", Decimal(0)))
            job = request_bonuses(payment_list=listed, platform=platform, actor=actor, seen=seen)
        else:
            job = request_reading_back(payment_list=listed, platform=platform, actor=actor)
        return Response({"job": job.pk}, status=status.HTTP_202_ACCEPTED)
