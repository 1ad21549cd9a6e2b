"""What a rater sees and sends: no system, no group, nobody else's answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.api.base.enumerations import RATER_STATES, STEPS
from annotation.api.base.fields import InterfaceLanguageField
from annotation.api.base.strict import StrictSerializer
from annotation.api.pay.pay import ToldPaySerializer
from annotation.api.people.question_serializers import QuestionSerializer
from annotation.api.questions.form_serializers import FormVersionSerializer, ScalePointSerializer
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.base.numbers import plain_number
from annotation.domain.base.page_activity import MOST_COUNTED, Presence
from annotation.domain.questions.answers import REASONS

LONGEST_ANSWER = LONGEST_REMARK + 1
MOST_SECONDS = 9_999_999


@extend_schema_field(
    {
        "oneOf": [
            {"type": "number"},
            {"type": "string", "maxLength": LONGEST_ANSWER},
            {"type": "array", "items": {"type": "string", "maxLength": LONGEST_ANSWER}},
        ]
    }
)
class AnswerField(serializers.Field[Any, Any, Any, Any]):
    """A place on a scale as a number, a choice or a text, or several choices."""

    text = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=LONGEST_ANSWER)

    def to_internal_value(self, data: Any) -> str | list[str]:
        if isinstance(data, int | float) and not isinstance(data, bool) and abs(data) < 10**9:
            return str(plain_number(data))
        if isinstance(data, str):
            return str(self.text.run_validation(data))
        if isinstance(data, list) and len(data) <= 100 and all(isinstance(part, str) for part in data):
            return [str(self.text.run_validation(part)) for part in data]
        raise serializers.ValidationError("Send a number, a text, or a list of texts.")

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
    interface_language = serializers.CharField(
        allow_blank=True, help_text="Of the page that was answered; empty where it is not known."
    )


class ComparedSerializer(serializers.Serializer[Any]):
    criterion = serializers.SlugField()
    given = serializers.CharField(allow_blank=True)
    reference = serializers.CharField()
    within = serializers.BooleanField(help_text="Within the tolerance of the reference.")


class FeedbackSerializer(serializers.Serializer[Any]):
    """What a rater is shown after a calibration item."""

    compared = ComparedSerializer(many=True)
    reason = serializers.CharField(allow_blank=True)
    translations = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="Language → `reason` in it.",
    )


class TaskSerializer(serializers.Serializer[Any]):
    """One page: what to rate, by which form, and the key that its answer carries."""

    assignment = serializers.IntegerField()
    page_key = serializers.UUIDField(help_text="Send it back with the answer; sending twice stores once.")
    position = serializers.IntegerField()
    accepts_answers = serializers.BooleanField(help_text="False where the study or the attempt is over.")
    form = FormVersionSerializer()
    blocks = BlockSerializer(many=True)
    options = serializers.DictField(
        child=ScalePointSerializer(many=True),
        help_text="By criterion of kind choice, multiple or preference: what its options say for this item, "
        "in the order in which this rater is to see them. The `value` is sent back, whatever its place.",
    )
    seconds_left = serializers.IntegerField(
        allow_null=True,
        help_text="Of the page's least time; null where it has none. An answer that comes sooner is given "
        "back (409 `too_fast`).",
    )
    earlier = serializers.ListField(
        child=serializers.DictField(child=serializers.CharField()),
        help_text="What earlier annotators answered in the stage before, nameless: criterion → words.",
    )
    suggestions = serializers.DictField(
        child=serializers.CharField(),
        help_text="Criterion key → the earlier answer to begin with, to be accepted or changed.",
    )
    reasons = serializers.ListField(child=serializers.CharField(), help_text="For `cannot_rate`.")
    calibration = serializers.BooleanField(help_text="An item by which the rater qualifies.")
    feedback = FeedbackSerializer(allow_null=True, help_text="After a calibration item, where it is shown.")
    progress = ProgressSerializer(help_text="Of the task, or of the attempt to qualify.")
    held_until = serializers.DateTimeField(allow_null=True, help_text="Then the seat may go to another.")
    answer = AnswerSerializer(allow_null=True, help_text="The current answer, when going back to one.")


class PresenceSerializer(StrictSerializer):
    """What a client saw of the time its page was shown: kept as far as the server's clock bears it out."""

    active_seconds = serializers.FloatField(min_value=0, max_value=MOST_SECONDS)
    away_seconds = serializers.FloatField(min_value=0, max_value=MOST_SECONDS)
    times_away = serializers.IntegerField(min_value=0, max_value=MOST_COUNTED)
    pastes = serializers.IntegerField(min_value=0, max_value=MOST_COUNTED)

    def to_internal_value(self, data: Any) -> Presence:
        return Presence(**super().to_internal_value(data))


class SubmissionSerializer(StrictSerializer):
    page_key = serializers.UUIDField(help_text="The key of the page that is answered.")
    version = serializers.IntegerField(
        min_value=1, max_value=32_767, help_text="`form.version` of the page that is answered."
    )
    answers = serializers.DictField(
        child=AnswerField(),
        required=False,
        help_text="Criterion key → answer: numbers for Likert scales, tuples as JSON in a text. What an "
        "earlier answer does not lead to is not stored.",
    )
    cannot_rate = serializers.ChoiceField(choices=[*REASONS], allow_blank=True, required=False)
    remark = serializers.CharField(allow_blank=True, required=False, max_length=LONGEST_REMARK)
    seen_revision = serializers.IntegerField(
        min_value=0,
        max_value=32_767,
        required=False,
        help_text="`answer.revision` of the page, 0 where it had none: an answer that was changed "
        "elsewhere since is then not replaced (409 `answered_elsewhere`).",
    )
    presence = PresenceSerializer(required=False, help_text="Left out: nothing is known of it.")
    interface_language = InterfaceLanguageField()


class NextSubmissionSerializer(SubmissionSerializer):
    assignment = serializers.IntegerField(min_value=1, help_text="`assignment` of the page.")


class CorrectionSerializer(SubmissionSerializer):
    assignment = serializers.IntegerField(
        min_value=1, required=False, help_text="That of the address, where it is given."
    )


class ReceiptSerializer(serializers.Serializer[Any]):
    stored = serializers.BooleanField(help_text="False: this very submission was stored before.")
    answer = AnswerSerializer()
    feedback = FeedbackSerializer(allow_null=True, help_text="After a calibration item, where it is shown.")
    progress = ProgressSerializer()


class AttemptSerializer(serializers.Serializer[Any]):
    """One try at the calibration items."""

    number = serializers.IntegerField()
    finished_at = serializers.DateTimeField(allow_null=True)
    passed = serializers.BooleanField(allow_null=True, help_text="Null while it goes on or waits.")
    reason = serializers.CharField(allow_blank=True)
    figure = serializers.FloatField(allow_null=True, help_text="The share within, or the correlation.")
    threshold = serializers.FloatField(allow_null=True)
    decision = serializers.CharField(allow_blank=True, help_text="What the researcher wrote.")


class QualificationSerializer(serializers.Serializer[Any]):
    """Where a rater stands on the way to the main work."""

    step = serializers.ChoiceField(choices=STEPS)
    pages_read = serializers.IntegerField()
    attempts_left = serializers.IntegerField(allow_null=True, help_text="Null: as many as wished.")
    attempt = AttemptSerializer(allow_null=True)


class BackgroundPageSerializer(serializers.Serializer[Any]):
    """A page to be read before the calibration items."""

    number = serializers.IntegerField()
    title = serializers.CharField()
    text = serializers.CharField(help_text="Paragraphs, `## ` headings, `- ` lists, `{vehicle:a bell}`.")
    read = serializers.BooleanField()
    translations = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="Language → `title` and `text` in it.",
    )


class ReadSerializer(StrictSerializer):
    number = serializers.IntegerField(
        min_value=1, max_value=32_767, help_text="The page that was read; those before it first."
    )


class NoteSerializer(serializers.Serializer[Any]):
    """A calibration item as the rater answered it, and what was said about it."""

    texts = serializers.ListField(child=serializers.CharField())
    compared = ComparedSerializer(many=True)
    reason = serializers.CharField(allow_blank=True)
    note = serializers.CharField(allow_blank=True)
    translations = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="Language → `reason` and `note` in it.",
    )


class EnrolmentSerializer(serializers.Serializer[Any]):
    study = serializers.SlugField()
    title = serializers.CharField()
    rater = serializers.CharField(help_text="The pseudonym.")
    state = serializers.ChoiceField(choices=RATER_STATES)
    trial = serializers.BooleanField(help_text="A member trying the task: never counted.")
    progress = ProgressSerializer()
    qualification = QualificationSerializer(allow_null=True, help_text="Null: none is asked for.")


class InvitationSerializer(serializers.Serializer[Any]):
    """What is read before agreeing."""

    study = serializers.SlugField()
    title = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    language = serializers.CharField()
    content_warning = serializers.CharField(allow_blank=True, help_text="To be shown before all else.")
    contact = serializers.CharField(allow_blank=True, help_text="Whom raters can write to.")
    contact_translations = serializers.DictField(
        child=serializers.CharField(), help_text="Language → the contact in it."
    )
    consent = serializers.CharField(allow_blank=True)
    consent_number = serializers.IntegerField(help_text="The version of the consent text.")
    translations = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="Language → the texts of the study in it, by name.",
    )
    least_seconds = serializers.IntegerField(allow_null=True, help_text="A page takes at least so long.")
    exempt_characters = serializers.IntegerField(
        help_text="Pages none of whose texts is longer are exempt from it."
    )
    instructions = serializers.CharField(allow_blank=True)
    agreed = serializers.BooleanField(help_text="The rater of this personal link has agreed already.")
    pay = ToldPaySerializer(allow_null=True, help_text="Null: the study says nothing of pay.")


class ConsentSerializer(StrictSerializer):
    agree = serializers.BooleanField(help_text="True: the consent text was read and agreed to.")
    consent_number = serializers.IntegerField(
        min_value=1,
        max_value=32_767,
        required=False,
        help_text="The version that was read; the one in force where left out.",
    )
    interface_language = InterfaceLanguageField()

    def validate_agree(self, value: bool) -> bool:
        if not value:
            raise serializers.ValidationError("Without consent nothing is collected: send true to agree.")
        return value


class RaterConsentSerializer(serializers.Serializer[Any]):
    """The consent text in force, and whether it is to be agreed to before going on."""

    consent = serializers.CharField(allow_blank=True)
    consent_number = serializers.IntegerField()
    agreed_number = serializers.IntegerField(help_text="The version agreed to last.")
    asked_again = serializers.BooleanField()
    translations = serializers.DictField(
        child=serializers.CharField(), help_text="Language → the consent text in it."
    )


class AgainSerializer(ConsentSerializer):
    consent_number = serializers.IntegerField(
        min_value=1, max_value=32_767, help_text="The version that was read."
    )


class AboutYouSerializer(serializers.Serializer[Any]):
    """What is still asked about the rater; nothing once it was answered."""

    questions = QuestionSerializer(many=True)


class AboutYouAnswersSerializer(StrictSerializer):
    answers = serializers.DictField(
        child=serializers.CharField(allow_null=True, allow_blank=True, max_length=LONGEST_REMARK),
        help_text="Question key → answer, or null for “prefer not to say”; every question needs one.",
    )


class JoinedSerializer(EnrolmentSerializer):
    token = serializers.CharField(
        allow_null=True,
        help_text="Send it as `Authorization: Invitation <token>`; keep it: it is the only way back.",
    )
