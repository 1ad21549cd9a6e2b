"""`pay/budget/`, `pay/lists/` and `pay/payments/`: the budget and the ledger of payments."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.enumerations import PAYMENT_KINDS, PAYMENT_STATES
from annotation.api.base.operations import listed, study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import (
    LONGEST_PAYMENT_NOTE,
    LONGEST_PAYMENT_REFERENCE,
    MOST_BUDGET,
    MOST_MONEY,
)
from annotation.domain.pay.minor_units import from_minor
from annotation.domain.pay.payment_states import PaymentKind, PaymentState
from annotation.models import Payment, PaymentList, Rater
from annotation.permissions import Access, Act
from annotation.selectors.pay.payments import list_summaries, with_state
from annotation.services.pay.budget import set_budget
from annotation.services.pay.payment_lists import FROM, approve_payments, make_payment_list, mark_list
from annotation.services.pay.single_payments import change_payment, enter_outside_payment

MARKS = [one.value for one in FROM]


class BudgetSerializer(StrictSerializer):
    budget = serializers.DecimalField(
        max_digits=14,
        decimal_places=2,
        min_value=Decimal(0),
        max_value=MOST_BUDGET,
        allow_null=True,
        help_text="In the currency of the pay; null for none.",
    )


class PaymentListSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(source="payment_list.number")
    made_at = serializers.DateTimeField(source="payment_list.made_at")
    currency = serializers.CharField()
    amount = serializers.SerializerMethodField(help_text="Sum of all payments of the list.")
    raters = serializers.IntegerField()
    approved_by = serializers.CharField(allow_blank=True)
    states = serializers.DictField(
        child=serializers.IntegerField(), help_text="Number of payments by their current state."
    )
    amounts = serializers.SerializerMethodField(help_text="Sum of the payments by their current state.")

    def get_amount(self, summary: Any) -> str:
        return str(from_minor(summary.amount, summary.currency))

    def get_amounts(self, summary: Any) -> dict[str, str]:
        return {state: str(from_minor(sum_, summary.currency)) for state, sum_ in summary.sums.items()}


class NewPaymentListSerializer(StrictSerializer):
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=PAYMENT_KINDS),
        required=False,
        min_length=1,
        max_length=len(PAYMENT_KINDS),
        help_text="What the list contains; all kinds if omitted.",
    )


class ListChangeSerializer(StrictSerializer):
    """Either `approve` with the sum, or `state` with the number of payments and their sum."""

    approve = serializers.DecimalField(
        max_digits=16, decimal_places=3, required=False, help_text="Sum of the payments that are due."
    )
    state = serializers.ChoiceField(choices=MARKS, required=False)
    payments = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="Needed with `state`: how many payments are to change. Another number is refused (409).",
    )
    total = serializers.DecimalField(
        max_digits=16, decimal_places=3, required=False, help_text="Needed with `state`: their sum."
    )
    reference = serializers.CharField(
        max_length=LONGEST_PAYMENT_REFERENCE, required=False, help_text="Needed for `sent`."
    )
    note = serializers.CharField(max_length=LONGEST_PAYMENT_NOTE, required=False, allow_blank=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("approve" in attrs) == ("state" in attrs):
            raise serializers.ValidationError({"state": ["Send either `approve` or `state`."]})
        missing = {"payments", "total"} - attrs.keys() if "state" in attrs else set()
        if missing:
            raise serializers.ValidationError({name: ["Needed with `state`."] for name in sorted(missing)})
        return attrs


class PaymentSerializer(serializers.Serializer[Any]):
    payment = serializers.UUIDField(source="key", help_text="The same for every attempt.")
    list = serializers.IntegerField(
        source="payment_list.number", allow_null=True, default=None, help_text="Null if it was made outside."
    )
    rater = serializers.CharField(source="rater.code", help_text="Rater code.")
    kind = serializers.ChoiceField(choices=PAYMENT_KINDS)
    amount = serializers.SerializerMethodField()
    currency = serializers.CharField()
    state = serializers.ChoiceField(choices=PAYMENT_STATES)
    attempt = serializers.IntegerField()
    reference = serializers.CharField(allow_blank=True)

    def get_amount(self, payment: Payment) -> str:
        return str(from_minor(payment.amount, payment.currency))


class OutsidePaymentSerializer(StrictSerializer):
    rater = serializers.CharField(max_length=64, help_text="Rater code.")
    kind = serializers.ChoiceField(choices=PAYMENT_KINDS)
    amount = serializers.DecimalField(max_digits=10, decimal_places=3, max_value=MOST_MONEY)
    reference = serializers.CharField(max_length=LONGEST_PAYMENT_REFERENCE)
    note = serializers.CharField(max_length=LONGEST_PAYMENT_NOTE, required=False, allow_blank=True)
    beyond_earned = serializers.BooleanField(
        required=False,
        default=False,
        help_text="True to enter a payment that goes beyond what was earned; refused otherwise (409).",
    )


class PaymentChangeSerializer(StrictSerializer):
    state = serializers.ChoiceField(choices=PAYMENT_STATES)
    seen = serializers.ChoiceField(
        choices=PAYMENT_STATES, help_text="State that was seen: another one is not changed (409)."
    )
    attempt = serializers.IntegerField(
        min_value=1, help_text="Attempt that was seen: another one is not changed (409)."
    )
    reference = serializers.CharField(
        max_length=LONGEST_PAYMENT_REFERENCE, required=False, allow_blank=True, help_text="Needed for `sent`."
    )
    note = serializers.CharField(max_length=LONGEST_PAYMENT_NOTE, required=False, allow_blank=True)


class BudgetView(APIView):
    @study_operation(
        Act.MANAGE, "budget_set", takes=BudgetSerializer, gives=BudgetSerializer, refuses=(409, 422)
    )
    def put(self, request: Request, access: Access) -> Response:
        """Set or remove the budget."""
        given = validated(BudgetSerializer, request)
        pay = set_budget(study=access.study, actor=access.user, budget=given["budget"])
        return Response(BudgetSerializer({"budget": pay.budget}).data)


class PaymentListsView(ListAPIView[PaymentList]):
    serializer_class = PaymentListSerializer

    @study_operation(Act.MANAGE, "payment_lists", gives=PaymentListSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The payment lists of a study, the latest first."""
        page = self.paginate_queryset(access.study.payment_lists.order_by("-number"))
        return self.get_paginated_response(self.get_serializer(list_summaries(page or []), many=True).data)

    @study_operation(
        Act.MANAGE,
        "payment_list_make",
        takes=NewPaymentListSerializer,
        gives={201: PaymentListSerializer},
        refuses=(409,),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Create a list of what raters have earned and no payment covers."""
        kinds = validated(NewPaymentListSerializer, request).get("kinds", PAYMENT_KINDS)
        made = make_payment_list(
            study=access.study, actor=access.user, kinds=[PaymentKind(one) for one in kinds]
        )
        return Response(_summary(made), status=status.HTTP_201_CREATED)


class PaymentListView(APIView):
    @study_operation(Act.MANAGE, "payment_list", gives=PaymentListSerializer)
    def get(self, request: Request, access: Access, number: int) -> Response:
        """A payment list with its sums."""
        return Response(_summary(_list(access, number)))

    @study_operation(
        Act.MANAGE,
        "payment_list_change",
        takes=ListChangeSerializer,
        gives=PaymentListSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access, number: int) -> Response:
        """Approve what is due of a list, or bring its payments to a state."""
        found, given = _list(access, number), validated(ListChangeSerializer, request)
        if "approve" in given:
            approve_payments(payment_list=found, actor=access.user, total=given["approve"])
        else:
            mark_list(
                payment_list=found,
                to=PaymentState(given["state"]),
                count=given["payments"],
                total=given["total"],
                actor=access.user,
                reference=given.get("reference", ""),
                note=given.get("note", ""),
            )
        return Response(_summary(found))


class PaymentsView(ListAPIView[Payment]):
    serializer_class = PaymentSerializer

    @study_operation(Act.MANAGE, "payments", gives=PaymentSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """All payments of a study with their current states, without platform IDs."""
        payments = Payment.objects.filter(study=access.study).select_related("rater", "payment_list")
        return listed(self, with_state(payments).order_by("pk"))

    @study_operation(
        Act.MANAGE,
        "payment_enter",
        takes=OutsidePaymentSerializer,
        gives={201: PaymentSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Enter a payment that was made outside."""
        given = validated(OutsidePaymentSerializer, request)
        people = Rater.objects.select_related("study")
        payment = enter_outside_payment(
            rater=get_object_or_404(people, study=access.study, code=given["rater"]),
            kind=PaymentKind(given["kind"]),
            amount=given["amount"],
            reference=given["reference"],
            note=given.get("note", ""),
            actor=access.user,
            beyond_earned=given["beyond_earned"],
        )
        return Response(_payment(payment), status=status.HTTP_201_CREATED)


class PaymentView(APIView):
    @study_operation(
        Act.MANAGE,
        "payment_change",
        takes=PaymentChangeSerializer,
        gives=PaymentSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access, key: Any) -> Response:
        """Bring a payment to another state; a failed one that is approved again is a new attempt."""
        given = validated(PaymentChangeSerializer, request)
        payments = Payment.objects.select_related("study")
        found = get_object_or_404(payments, study=access.study, key=key)
        change_payment(
            payment=found,
            to=PaymentState(given["state"]),
            seen=PaymentState(given["seen"]),
            attempt=given["attempt"],
            actor=access.user,
            reference=given.get("reference", ""),
            note=given.get("note", ""),
        )
        return Response(_payment(found))


def _list(access: Access, number: int) -> PaymentList:
    return get_object_or_404(PaymentList.objects.select_related("study"), study=access.study, number=number)


def _summary(payment_list: PaymentList) -> dict[str, Any]:
    return dict(PaymentListSerializer(list_summaries([payment_list])[0]).data)


def _payment(payment: Payment) -> dict[str, Any]:
    found = with_state(Payment.objects.select_related("rater", "payment_list")).get(pk=payment.pk)
    return dict(PaymentSerializer(found).data)
