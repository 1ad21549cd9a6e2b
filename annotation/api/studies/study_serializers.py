"""Studies and their forms as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from annotation.api.base.enumerations import ROLES, STUDY_STATES
from annotation.api.base.fields import InterfaceLanguageField, LanguageField, LongTextField
from annotation.api.base.strict import StrictSerializer
from annotation.api.people.question_serializers import QuestionEditSerializer, QuestionSerializer
from annotation.api.questions.form_serializers import FormInstructionsSerializer, FormVersionSerializer
from annotation.domain.base.limits import (
    FEWEST_PAGES_BEFORE_BREAK,
    LONGEST_ITEM_TEXT,
    LONGEST_MINIMUM_PAGE_SECONDS,
    LONGEST_TITLE,
    LONGEST_WARNING,
    MOST_MINUTES,
    MOST_PAGES_BEFORE_BREAK,
    MOST_PLANNED_RATINGS_PER_ITEM,
)
from annotation.domain.people.demographics import DemographicKind, RaterQuestion
from annotation.domain.questions.text_languages import STUDY_TEXTS
from annotation.protocols.registry import TEMPLATES


class StudySummarySerializer(serializers.Serializer[Any]):
    slug = serializers.SlugField()
    title = serializers.CharField()
    language = serializers.CharField()
    state = serializers.ChoiceField(choices=STUDY_STATES)
    role = serializers.ChoiceField(choices=ROLES, help_text="Role of the caller.")
    simulated = serializers.BooleanField(help_text="Whether the ratings are simulated.")
    archived = serializers.BooleanField(help_text="Whether the study is in the archive of the caller.")
    created_at = serializers.DateTimeField()


class StudyFormSerializer(FormVersionSerializer, FormInstructionsSerializer):
    """A form as members see it."""

    overlap = serializers.IntegerField(source="form.overlap", help_text="Ratings per item.")
    per_rater = serializers.IntegerField(source="form.per_rater", allow_null=True)


class StudySerializer(StudySummarySerializer):
    description = serializers.CharField(allow_blank=True)
    consent = serializers.CharField(allow_blank=True)
    instructions = serializers.CharField(allow_blank=True)
    source = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True, help_text="Source of an imported study, or empty."
    )
    identified = serializers.BooleanField(help_text="False if raters are anonymous slots.")
    include_late = serializers.BooleanField()
    seat_minutes = serializers.IntegerField()
    last_seat_minutes = serializers.IntegerField(
        allow_null=True, help_text="Reservation time where few rating slots are left; null for no difference."
    )
    content_warning = serializers.CharField(allow_blank=True)
    interface_language = serializers.CharField(
        allow_blank=True,
        help_text="First language of raters’ pages; empty for the language of each rater’s browser.",
    )
    break_after = serializers.IntegerField(
        allow_null=True, help_text="Number of pages after which a break is suggested."
    )
    translations = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="Texts in further languages: language → name of the text → text.",
    )
    contact = serializers.CharField(allow_blank=True, help_text="Contact for raters.")
    least_seconds = serializers.IntegerField(allow_null=True, help_text="Minimum page time in seconds.")
    exempt_characters = serializers.IntegerField(
        help_text="Pages without a longer text have no minimum page time."
    )
    consent_number = serializers.IntegerField(help_text="Current version of the consent form; 0 in a draft.")
    questions = QuestionSerializer(many=True, help_text="What raters are asked about themselves.")
    opened_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    deleted_after = serializers.DateTimeField(
        allow_null=True, help_text="When the study will be deleted; null if this was not requested."
    )
    n_items = serializers.IntegerField()
    n_raters = serializers.IntegerField()
    n_responses = serializers.IntegerField(help_text="Current responses of raters, without previews.")
    forms = StudyFormSerializer(many=True)


class StudyTextsSerializer(StrictSerializer):
    """Texts of the study in one language; omitted texts are shown in the study language."""

    title = serializers.CharField(max_length=LONGEST_TITLE, required=False, allow_blank=True)
    description = LongTextField(allow_blank=True, required=False)
    content_warning = serializers.CharField(max_length=LONGEST_WARNING, required=False, allow_blank=True)
    consent = LongTextField(allow_blank=True, required=False)
    instructions = LongTextField(allow_blank=True, required=False)


class StudyTranslationsField(serializers.DictField):
    """Language of raters’ pages → the texts in it; replaces all earlier translations."""

    def __init__(self, **given: Any) -> None:
        super().__init__(child=StudyTextsSerializer(), required=False, **given)

    def to_internal_value(self, data: Any) -> dict[str, dict[str, str]]:
        read = super().to_internal_value(data)
        return {
            language: {name: texts.get(name, "") for name in STUDY_TEXTS} for language, texts in read.items()
        }


class StudyEditSerializer(StrictSerializer):
    title = serializers.CharField(max_length=LONGEST_TITLE)
    description = LongTextField(allow_blank=True, required=False)
    consent = LongTextField(allow_blank=True, required=False)
    instructions = LongTextField(allow_blank=True, required=False)
    language = LanguageField(required=False)
    interface_language = InterfaceLanguageField(
        help_text="First language of raters’ pages; empty for the language of each rater’s browser."
    )
    break_after = serializers.IntegerField(
        min_value=FEWEST_PAGES_BEFORE_BREAK,
        max_value=MOST_PAGES_BEFORE_BREAK,
        required=False,
        allow_null=True,
    )
    translations = StudyTranslationsField()
    include_late = serializers.BooleanField(required=False)
    seat_minutes = serializers.IntegerField(min_value=1, max_value=MOST_MINUTES, required=False)
    last_seat_minutes = serializers.IntegerField(
        min_value=1, max_value=MOST_MINUTES, required=False, allow_null=True
    )
    content_warning = serializers.CharField(allow_blank=True, max_length=LONGEST_WARNING, required=False)
    least_seconds = serializers.IntegerField(
        min_value=1, max_value=LONGEST_MINIMUM_PAGE_SECONDS, required=False, allow_null=True
    )
    exempt_characters = serializers.IntegerField(min_value=0, max_value=LONGEST_ITEM_TEXT, required=False)
    questions = QuestionEditSerializer(
        many=True, required=False, help_text="All of them: what was asked before is replaced."
    )

    def validate_questions(self, value: list[dict[str, Any]]) -> list[RaterQuestion]:
        if not all({"key", "text", "kind"} <= one.keys() for one in value):
            raise serializers.ValidationError("Each question needs a key, a text and a kind.")
        return [
            RaterQuestion(
                one["key"], one["text"], DemographicKind(one["kind"]), tuple(one.get("options", ()))
            )
            for one in value
        ]


class StudyCreateSerializer(StudyEditSerializer):
    slug = serializers.SlugField(max_length=60)
    protocol = serializers.ChoiceField(
        choices=tuple(TEMPLATES),
        required=False,
        help_text="Protocol that provides the forms, and texts that are not sent.",
    )
    overlap = serializers.IntegerField(
        min_value=1,
        max_value=MOST_PLANNED_RATINGS_PER_ITEM,
        required=False,
        help_text="Ratings per item; by default the number of the protocol.",
    )
    demo_items = serializers.BooleanField(
        required=False, help_text="Add the demo items and checks of the protocol."
    )
    criteria_apart = serializers.BooleanField(
        required=False, help_text="Put each criterion of the protocol on a separate page."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("demo_items") and not attrs.get("protocol"):
            raise serializers.ValidationError(
                {"demo_items": ["Demo items belong to a protocol. Choose a protocol."]}
            )
        if attrs.get("overlap") and not attrs.get("protocol"):
            sentence = "This setting belongs to a form. Choose a protocol or set it in your own forms."
            raise serializers.ValidationError({"overlap": [sentence]})
        if attrs.get("criteria_apart") and (attrs.get("demo_items") or not attrs.get("protocol")):
            sentence = "Separate pages per criterion need a protocol and exclude its demo items."
            raise serializers.ValidationError({"criteria_apart": [sentence]})
        return attrs


class StateSerializer(StrictSerializer):
    state = serializers.ChoiceField(choices=STUDY_STATES)


class DeletionSerializer(StrictSerializer):
    title = serializers.CharField(max_length=LONGEST_TITLE, help_text="Title of the study, as confirmation.")


class DeletionDueSerializer(serializers.Serializer[Any]):
    deleted_after = serializers.DateTimeField(help_text="The deletion can be cancelled until then.")


class ConsentTextSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    text = serializers.CharField(allow_blank=True)
    translations = serializers.DictField(
        child=serializers.CharField(), help_text="Translated texts by language."
    )
    created_at = serializers.DateTimeField()
    n_raters = serializers.IntegerField(help_text="Raters whose last accepted version this is.")


class ConsentTextEditSerializer(StrictSerializer):
    text = LongTextField(help_text="Complete new text.")
    translations = serializers.DictField(
        child=LongTextField(),
        required=False,
        help_text="Language of raters’ pages → translated new text; omitted languages are removed.",
    )


@contextmanager
def new_address() -> Iterator[None]:
    """Create a study in one transaction; refused if another study has its slug."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as taken:
        raise ValidationError({"slug": ["This address is already taken. Choose another one."]}) from taken
