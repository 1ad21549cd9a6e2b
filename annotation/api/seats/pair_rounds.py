"""`pair-rounds/`: the rounds of adaptive pairs."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base.operations import listed, study_operation
from annotation.domain.seats.pairing import Stop
from annotation.models import PairRound
from annotation.permissions import Access, Act
from annotation.selectors.seats.pairing.tables import pair_rounds


class PairRoundSerializer(serializers.Serializer[PairRound]):
    form = serializers.CharField(source="pairing.form.key", help_text="Key of the form.")
    criterion = serializers.CharField(
        source="pairing.criterion", help_text="Key of the question that compares the candidates."
    )
    budget = serializers.IntegerField(source="pairing.budget", help_text="Comparisons in all.")
    per_round = serializers.IntegerField(
        source="pairing.per_round", help_text="Comparisons per round at most."
    )
    round = serializers.IntegerField(source="number", help_text="Number of the round, from 1.")
    created_at = serializers.DateTimeField()
    seed = serializers.IntegerField()
    items = serializers.ListField(
        child=serializers.CharField(),
        help_text="IDs of the items that got a rating slot, in the order chosen.",
    )
    slots = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of their slots, in the same order."
    )
    open_pairs = serializers.IntegerField(
        allow_null=True, help_text="Pairs of candidates without a known order; null if no answer decided."
    )
    all_pairs = serializers.IntegerField(help_text="Pairs of candidates.")
    strengths = serializers.DictField(
        child=serializers.FloatField(),
        help_text="Strength of each candidate in log odds; empty if no answer decided or a rater was erased.",
    )
    stopped = serializers.ChoiceField(
        choices=[stop.value for stop in Stop],
        allow_blank=True,
        help_text="Why no more pairs are added; empty while they are.",
    )


class PairRoundsView(ListAPIView[PairRound]):
    serializer_class = PairRoundSerializer

    @study_operation(Act.VIEW, "pair_rounds_list", gives=PairRoundSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The rounds of adaptive pairs, by form and number; empty if the study has none."""
        return listed(self, pair_rounds(access.study).defer("counts"))
