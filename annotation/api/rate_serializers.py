"""What a rater sees and sends: no system, no group, nobody else's answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.api.choices import RATER_STATES
from annotation.api.strict import StrictSerializer
from annotation.api.study_serializers import FormVersionSerializer
from annotation.domain.answers import LONGEST_TEXT, REASONS

LONGEST_ANSWER = LONGEST_TEXT + 1


@extend_schema_field(
    {
        "oneOf": [
            {"type": "integer"},
            {"type": "string", "maxLength": LONGEST_ANSWER},
            {"type": "array", "items": {"type": "string", "maxLength": LONGEST_ANSWER}},
        ]
    }
)
class AnswerField(serializers.Field[Any, Any, Any, Any]):
    """A scale point as a number, a choice or a text, or several choices."""

    text = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=LONGEST_ANSWER)

    def to_internal_value(self, data: Any) -> str | list[str]:
        if isinstance(data, int) and not isinstance(data, bool) and abs(data) < 10**9:
            return str(data)
        if isinstance(data, str):
            return str(self.text.run_validation(data))
        if isinstance(data, list) and len(data) <= 100 and all(isinstance(part, str) for part in data):
            return [str(self.text.run_validation(part)) for part in data]
        raise serializers.ValidationError("Send a whole number, a text, or a list of texts.")

    def to_representation(self, value: Any) -> Any:
        return value


class MarkSerializer(serializers.Serializer[Any]):
    part = serializers.CharField()
    start = serializers.IntegerField(help_text="In Unicode code points of the text.")
    end = serializers.IntegerField()


class BlockSerializer(serializers.Serializer[Any]):
    field = serializers.CharField()
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    role = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    marks = MarkSerializer(many=True, help_text="Parts to emphasise.")


class ProgressSerializer(serializers.Serializer[Any]):
    done = serializers.IntegerField()
    target = serializers.IntegerField(allow_null=True)


class AnswerSerializer(serializers.Serializer[Any]):
    """A stored answer of the rater's own."""

    assignment = serializers.IntegerField()
    form = serializers.SlugField()
    version = serializers.IntegerField()
    revision = serializers.IntegerField()
    answers = serializers.DictField(child=AnswerField())
    cannot_rate = serializers.CharField(allow_blank=True)
    remark = serializers.CharField(allow_blank=True)
    late = serializers.BooleanField()
    submitted_at = serializers.DateTimeField(allow_null=True)


class TaskSerializer(serializers.Serializer[Any]):
    """One page: what to rate, by which form, and the key that its answer carries."""

    assignment = serializers.IntegerField()
    page_key = serializers.UUIDField(help_text="Send it back with the answer; sending twice stores once.")
    position = serializers.IntegerField()
    form = FormVersionSerializer()
    blocks = BlockSerializer(many=True)
    reasons = serializers.ListField(child=serializers.CharField(), help_text="For `cannot_rate`.")
    progress = ProgressSerializer()
    held_until = serializers.DateTimeField(allow_null=True, help_text="Then the seat may go to another.")
    answer = AnswerSerializer(allow_null=True, help_text="The current answer, when going back to one.")


class SubmissionSerializer(StrictSerializer):
    page_key = serializers.UUIDField(help_text="The key of the page that is answered.")
    version = serializers.IntegerField(
        min_value=1, max_value=32_767, help_text="`form.version` of the page that is answered."
    )
    answers = serializers.DictField(
        child=AnswerField(), required=False, help_text="Criterion key → answer; numbers for Likert scales."
    )
    cannot_rate = serializers.ChoiceField(choices=[*REASONS], allow_blank=True, required=False)
    remark = serializers.CharField(allow_blank=True, required=False, max_length=LONGEST_TEXT)
    seen_revision = serializers.IntegerField(
        min_value=0,
        max_value=32_767,
        required=False,
        help_text="`answer.revision` of the page, 0 where it had none: an answer that was changed "
        "elsewhere since is then not replaced (409 `answered_elsewhere`).",
    )


class NextSubmissionSerializer(SubmissionSerializer):
    assignment = serializers.IntegerField(min_value=1, help_text="`assignment` of the page.")


class CorrectionSerializer(SubmissionSerializer):
    assignment = serializers.IntegerField(
        min_value=1, required=False, help_text="That of the address, where it is given."
    )


class ReceiptSerializer(serializers.Serializer[Any]):
    stored = serializers.BooleanField(help_text="False: this very submission was stored before.")
    answer = AnswerSerializer()
    progress = ProgressSerializer()


class EnrolmentSerializer(serializers.Serializer[Any]):
    study = serializers.SlugField()
    title = serializers.CharField()
    rater = serializers.CharField(help_text="The pseudonym.")
    state = serializers.ChoiceField(choices=RATER_STATES)
    trial = serializers.BooleanField(help_text="A member trying the task: never counted.")
    progress = ProgressSerializer()


class InvitationSerializer(serializers.Serializer[Any]):
    """What is read before agreeing."""

    study = serializers.SlugField()
    title = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    language = serializers.CharField()
    consent = serializers.CharField(allow_blank=True)
    instructions = serializers.CharField(allow_blank=True)
    agreed = serializers.BooleanField(help_text="The rater of this personal link has agreed already.")


class ConsentSerializer(StrictSerializer):
    agree = serializers.BooleanField(help_text="True: the consent text was read and agreed to.")

    def validate_agree(self, value: bool) -> bool:
        if not value:
            raise serializers.ValidationError("Without consent nothing is collected: send true to agree.")
        return value


class JoinedSerializer(EnrolmentSerializer):
    token = serializers.CharField(
        allow_null=True,
        help_text="Send it as `Authorization: Invitation <token>`; keep it: it is the only way back.",
    )
