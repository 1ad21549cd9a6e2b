"""Studies and their forms as JSON."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.api.choices import CRITERION_KINDS, ROLES, STUDY_STATES
from annotation.api.strict import StrictSerializer
from annotation.models import Criterion, FormVersion
from annotation.protocols.registry import TEMPLATES


class StudySummarySerializer(serializers.Serializer[Any]):
    slug = serializers.SlugField()
    title = serializers.CharField()
    language = serializers.CharField()
    state = serializers.ChoiceField(choices=STUDY_STATES)
    role = serializers.ChoiceField(choices=ROLES, help_text="The caller's own role.")
    simulated = serializers.BooleanField(help_text="Its ratings are simulated.")
    created_at = serializers.DateTimeField()


class ScalePointSerializer(serializers.Serializer[Any]):
    value = serializers.CharField(help_text="What is stored.")
    label = serializers.CharField(  # type: ignore[assignment]
        help_text="What is shown.", allow_blank=True
    )
    description = serializers.CharField(help_text="The rubric.", allow_blank=True)
    keyboard = serializers.CharField(help_text="The key that chooses it.", allow_blank=True)


class CriterionSerializer(serializers.Serializer[Criterion]):
    key = serializers.SlugField()
    name = serializers.CharField()
    question = serializers.CharField(allow_blank=True)
    kind = serializers.ChoiceField(choices=CRITERION_KINDS)
    minimum = serializers.IntegerField(allow_null=True)
    maximum = serializers.IntegerField(allow_null=True)
    required = serializers.BooleanField()  # type: ignore[assignment]
    points = ScalePointSerializer(many=True)


class FormVersionSerializer(serializers.Serializer[FormVersion]):
    """A form as raters see it; `criteria__points` prefetched."""

    key = serializers.SlugField(source="form.key")
    title = serializers.CharField(source="form.title")
    version = serializers.IntegerField(source="number")
    question = serializers.CharField(allow_blank=True)
    cannot_rate = serializers.BooleanField(help_text="Raters may say that they can't rate.")
    criteria = CriterionSerializer(many=True)


class StudyFormSerializer(FormVersionSerializer):
    """A form as members see it."""

    overlap = serializers.IntegerField(source="form.overlap", help_text="Raters an item needs.")
    per_rater = serializers.IntegerField(source="form.per_rater", allow_null=True)


class StudySerializer(StudySummarySerializer):
    description = serializers.CharField(allow_blank=True)
    consent = serializers.CharField(allow_blank=True)
    instructions = serializers.CharField(allow_blank=True)
    source = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True, help_text="What it was loaded from, or empty."
    )
    identified = serializers.BooleanField(help_text="False: raters are slots of unknown persons.")
    include_late = serializers.BooleanField()
    seat_minutes = serializers.IntegerField()
    opened_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    n_items = serializers.IntegerField()
    n_raters = serializers.IntegerField()
    n_responses = serializers.IntegerField(help_text="Current ones, of raters, trials left out.")
    forms = StudyFormSerializer(many=True)


class StudyEditSerializer(StrictSerializer):
    title = serializers.CharField(max_length=200)
    description = serializers.CharField(allow_blank=True, max_length=20_000, required=False)
    consent = serializers.CharField(allow_blank=True, max_length=20_000, required=False)
    instructions = serializers.CharField(allow_blank=True, max_length=20_000, required=False)
    language = serializers.RegexField(r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$", max_length=12, required=False)
    include_late = serializers.BooleanField(required=False)
    seat_minutes = serializers.IntegerField(min_value=1, max_value=100_000, required=False)


class StudyCreateSerializer(StudyEditSerializer):
    slug = serializers.SlugField(max_length=60)
    protocol = serializers.ChoiceField(
        choices=tuple(TEMPLATES), required=False, help_text="Gives the forms and, where left out, the texts."
    )
    overlap = serializers.IntegerField(
        min_value=1, max_value=100, required=False, help_text="Raters an item needs; with a protocol."
    )


class StateSerializer(StrictSerializer):
    state = serializers.ChoiceField(choices=STUDY_STATES)
