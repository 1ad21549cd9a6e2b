"""`pay/`: pay rate, pay per hour and costs."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.fields import CurrencyField, PageSeconds
from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import MOST_MONEY
from annotation.domain.pay.wages import PayFor
from annotation.permissions import Access, Act
from annotation.selectors.pay.costs import pay_figures, pay_of
from annotation.services.pay.pay_settings import set_pay


class PaySerializer(StrictSerializer):
    currency = CurrencyField()
    paid_for = serializers.ChoiceField(choices=[one.value for one in PayFor])
    amount = serializers.DecimalField(
        max_digits=10, decimal_places=4, min_value=Decimal(0), max_value=MOST_MONEY
    )
    floor = serializers.DecimalField(
        max_digits=10,
        decimal_places=2,
        min_value=Decimal("0.01"),
        max_value=MOST_MONEY,
        allow_null=True,
        required=False,
        help_text="Minimum hourly rate.",
    )
    page_seconds = PageSeconds(
        allow_null=True, required=False, help_text="Expected time per page in seconds."
    )
    shown = serializers.BooleanField(
        required=False, help_text="Whether raters see pay and time before they start."
    )

    def validate_paid_for(self, value: str) -> PayFor:
        return PayFor(value)


@extend_schema_serializer(component_name="ToldPay")
class ShownPaySerializer(serializers.Serializer[Any]):
    """The pay that raters see before they start."""

    currency = serializers.CharField()
    paid_for = serializers.ChoiceField(choices=[one.value for one in PayFor])
    amount = serializers.DecimalField(max_digits=10, decimal_places=4)
    page_seconds = serializers.FloatField(allow_null=True)


class BonusRowSerializer(serializers.Serializer[Any]):
    rater = serializers.CharField(help_text="Rater code.")
    amount = serializers.DecimalField(max_digits=12, decimal_places=2)
    reason = serializers.CharField(help_text="`top_up`, `bonus` or `top_up+bonus`.")


class PayFiguresSerializer(serializers.Serializer[Any]):
    pay = PaySerializer(allow_null=True, help_text="Null if it is not set.")
    raters = serializers.IntegerField()
    pages = serializers.IntegerField()
    page_seconds = serializers.FloatField(
        allow_null=True, help_text="Median active time per page in seconds."
    )
    sitting_seconds = serializers.FloatField(
        allow_null=True, help_text="Median time of a finished session in seconds."
    )
    per_hour = serializers.DecimalField(
        max_digits=14,
        decimal_places=2,
        allow_null=True,
        help_text="Pay per hour of the median finished session; of finished raters if these are paid.",
    )
    per_hour_n = serializers.IntegerField(help_text="Number of finished sessions or raters in `per_hour`.")
    per_hour_reason = serializers.CharField(allow_blank=True, help_text="Reason if `per_hour` is null.")
    raters_under_floor = serializers.ListField(child=serializers.CharField())
    cost = serializers.DecimalField(max_digits=14, decimal_places=2, allow_null=True)
    expected = serializers.DecimalField(
        max_digits=14, decimal_places=2, allow_null=True, help_text="Cost when all rating slots are filled."
    )
    expected_reason = serializers.CharField(allow_blank=True, help_text="Reason if `expected` is null.")
    bonuses = BonusRowSerializer(many=True)


class PayView(APIView):
    @study_operation(Act.MANAGE, "pay_get", gives=PayFiguresSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """Pay, time and cost so far."""
        return Response(_figures(access))

    @study_operation(
        Act.MANAGE, "pay_set", takes=PaySerializer, gives=PayFiguresSerializer, refuses=(409, 422)
    )
    def put(self, request: Request, access: Access) -> Response:
        """Set the pay rate; omitted settings are emptied."""
        given = validated(PaySerializer, request)
        set_pay(study=access.study, actor=access.user, **given)
        return Response(_figures(access))


def _figures(access: Access) -> dict[str, Any]:
    pay = pay_of(access.study)
    found = pay_figures(access.study, pay)
    body = {
        **vars(found),
        "pay": pay,
        "per_hour": found.paid.per_hour if found.paid else None,
        "per_hour_n": found.paid.sittings if found.paid and found.paid.per_hour is not None else 0,
        "per_hour_reason": found.paid.reason if found.paid else "no_pay",
        "raters_under_floor": found.paid.raters_under_floor if found.paid else (),
        "expected_reason": found.reason if pay else "no_pay",
    }
    return dict(PayFiguresSerializer(body).data)
