"""Forms, their criteria and scale points in the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.api.base.enumerations import CRITERION_KINDS
from annotation.api.base.fields import PlainNumberField
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.models import Criterion, FormVersion


class ScalePointSerializer(serializers.Serializer[Any]):
    value = serializers.CharField(help_text="Stored value.")
    label = serializers.CharField(  # type: ignore[assignment]
        help_text="Label that raters see.", allow_blank=True
    )
    description = serializers.CharField(help_text="Meaning of the point (rubric).", allow_blank=True)
    keyboard = serializers.CharField(help_text="Shortcut that chooses the point.", allow_blank=True)


class TupleRulesSerializer(serializers.Serializer[TupleSettings]):
    """The tuple settings of a criterion."""

    marked = serializers.ListField(child=serializers.CharField(), help_text="Components marked in the text.")
    optional = serializers.ListField(child=serializers.CharField(), help_text="Optional components.")
    adjective_noun = serializers.ListField(child=serializers.CharField())
    nouns = serializers.ListField(child=serializers.CharField(), help_text="Suggested nouns.")
    general_nouns = serializers.ListField(
        child=serializers.CharField(), help_text="Nouns that are too general."
    )
    refuse_general = serializers.BooleanField(
        help_text="Whether nouns that are too general are not accepted."
    )
    units = serializers.CharField(
        allow_blank=True, help_text="`characters`, `words`, or as the script asks for."
    )


class CriterionSerializer(serializers.Serializer[Criterion]):
    key = serializers.SlugField()
    name = serializers.CharField()
    question = serializers.CharField(allow_blank=True)
    kind = serializers.ChoiceField(choices=CRITERION_KINDS)
    minimum = PlainNumberField(allow_null=True)
    maximum = PlainNumberField(allow_null=True)
    required = serializers.BooleanField()  # type: ignore[assignment]
    asked_after = serializers.CharField(
        allow_blank=True, help_text="Shown only if the answer to this earlier criterion is `asked_when`."
    )
    asked_when = serializers.CharField(
        allow_blank=True, help_text="An answer, or a bound for the answer to a scale: `>=4` or `<=2`."
    )
    points = ScalePointSerializer(many=True)
    tuples = serializers.SerializerMethodField(help_text="Settings of kind tuples; null for other kinds.")

    @extend_schema_field(TupleRulesSerializer(allow_null=True))
    def get_tuples(self, criterion: Criterion) -> dict[str, Any] | None:
        with_spans = criterion.question_kind.yields is Yields.SPANS
        return TupleSettings.of(criterion.settings).as_dict() if with_spans else None


class ExampleSerializer(serializers.Serializer[Any]):
    """A worked example of the instructions."""

    criterion = serializers.SlugField()
    text = serializers.CharField(help_text="`{vehicle:a bell}` marks a component.")
    answer = serializers.CharField()
    right = serializers.BooleanField(help_text="Whether the example shows a correct rating.")
    reason = serializers.CharField()


class PracticeTextSerializer(serializers.Serializer[Any]):
    """A text of the item that raters may try first."""

    field = serializers.CharField()
    text = serializers.CharField()


class FormInstructionsSerializer(serializers.Serializer[FormVersion]):
    """What raters read about a form before they start."""

    examples = ExampleSerializer(many=True)
    practice = PracticeTextSerializer(
        many=True, help_text="Practice item, whose answers are not stored; empty if there is none."
    )


class FormVersionSerializer(serializers.Serializer[FormVersion]):
    """A form as raters see it; `criteria__points` prefetched."""

    key = serializers.SlugField(source="form.key")
    title = serializers.CharField(source="form.title")
    version = serializers.IntegerField(source="number")
    correction = serializers.IntegerField(help_text="Correction of the version; 0 for the version itself.")
    question = serializers.CharField(allow_blank=True)
    cannot_rate = serializers.BooleanField(help_text="Whether raters can choose “can’t rate”.")
    criteria = CriterionSerializer(many=True)
    translations = serializers.DictField(
        help_text="Language → translated texts of the form, as in a study definition. A client that shows "
        "them says so with `interface_language`."
    )
