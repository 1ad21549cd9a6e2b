"""Demographic questions in the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.api.base.enumerations import DEMOGRAPHIC_KINDS
from annotation.api.base.strict import StrictSerializer
from annotation.domain.people.demographics import LONGEST_ANSWER, LONGEST_KEY, LONGEST_QUESTION, MOST_OPTIONS


class QuestionSerializer(serializers.Serializer[Any]):
    """A question about the rater."""

    key = serializers.SlugField(max_length=LONGEST_KEY)
    text = serializers.CharField(max_length=LONGEST_QUESTION)
    kind = serializers.ChoiceField(choices=DEMOGRAPHIC_KINDS)
    options = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_ANSWER),
        help_text="Options of a choice question; empty otherwise.",
    )


class QuestionEditSerializer(StrictSerializer):
    key = serializers.SlugField(max_length=LONGEST_KEY)
    text = serializers.CharField(max_length=LONGEST_QUESTION)
    kind = serializers.ChoiceField(choices=DEMOGRAPHIC_KINDS)
    options = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_ANSWER),
        required=False,
        max_length=MOST_OPTIONS,
        help_text="Options of a choice question.",
    )
