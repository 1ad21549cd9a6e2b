"""Data that raters see and send, without systems, groups or answers of other raters."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.api.base.enumerations import RATER_STATES, STEPS
from annotation.api.base.fields import InterfaceLanguageField
from annotation.api.base.strict import StrictSerializer
from annotation.api.pay.pay import ShownPaySerializer
from annotation.api.people.question_serializers import QuestionSerializer
from annotation.api.questions.form_serializers import FormVersionSerializer, ScalePointSerializer
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.base.numbers import as_typed, plain_number
from annotation.domain.base.page_activity import MOST_COUNTED, Presence
from annotation.domain.items.heard import HEARD
from annotation.domain.questions.answers import REASONS
from annotation.domain.questions.wording.version_numbers import PLACES

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
    """A number on a scale, an option, a text, or several options."""

    text = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=LONGEST_ANSWER)

    def to_internal_value(self, data: Any) -> str | list[str]:
        if isinstance(data, int | float) and not isinstance(data, bool) and abs(data) < 10**9:
            return as_typed(str(plain_number(data)))
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
    """A stored answer of the rater."""

    assignment = serializers.IntegerField()
    form = serializers.SlugField()
    version = serializers.IntegerField()
    revision = serializers.IntegerField()
    answers = serializers.DictField(child=AnswerField())
    first_values = serializers.DictField(
        child=serializers.FloatField(), help_text="Criterion key → number at which its mark was first placed."
    )
    heard = serializers.DictField(
        child=serializers.CharField(), help_text="Column of a recording → how the rater came to its end."
    )
    cannot_rate = serializers.CharField(allow_blank=True)
    remark = serializers.CharField(allow_blank=True)
    late = serializers.BooleanField()
    submitted_at = serializers.DateTimeField(allow_null=True)
    interface_language = serializers.CharField(
        allow_blank=True, help_text="Language of the answered page; empty if unknown."
    )


class ComparedSerializer(serializers.Serializer[Any]):
    criterion = serializers.SlugField()
    given = serializers.CharField(allow_blank=True)
    reference = serializers.CharField()
    within = serializers.BooleanField(
        help_text="Whether the rating is within the tolerance of the reference value."
    )


class FeedbackSerializer(serializers.Serializer[Any]):
    """The feedback after a calibration item."""

    compared = ComparedSerializer(many=True)
    reason = serializers.CharField(allow_blank=True)
    translations = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="Language → `reason` in it.",
    )


class TaskSerializer(serializers.Serializer[Any]):
    """One page: the item, the form and the page key."""

    assignment = serializers.IntegerField()
    page_key = serializers.UUIDField(
        help_text="Send it back with the answer; a repeated submission is stored once."
    )
    position = serializers.IntegerField()
    accepts_answers = serializers.BooleanField(help_text="False if the study or the attempt has ended.")
    form = FormVersionSerializer()
    blocks = BlockSerializer(many=True)
    options = serializers.DictField(
        child=ScalePointSerializer(many=True),
        help_text="By criterion of kind choice, multiple or preference: the texts of its options for this "
        "item, in the order for this rater. Send back the `value`, whatever its position.",
    )
    seconds_left = serializers.IntegerField(
        allow_null=True,
        help_text="Seconds left of the minimum page time; null if there is none. An earlier answer is "
        "refused (409 `too_fast`).",
    )
    earlier = serializers.ListField(
        child=serializers.DictField(child=serializers.CharField()),
        help_text="Answers of raters in the previous stage, without names: criterion → words.",
    )
    suggestions = serializers.DictField(
        child=serializers.CharField(),
        help_text="Criterion key → the suggested answer, to be accepted or changed.",
    )
    reasons = serializers.ListField(
        child=serializers.CharField(),
        help_text="Possible values of `cannot_rate`; none where the form does not offer it.",
    )
    calibration = serializers.BooleanField(help_text="Whether this is a calibration item.")
    feedback = FeedbackSerializer(
        allow_null=True, help_text="After a calibration item, if feedback is shown."
    )
    progress = ProgressSerializer(help_text="Progress of the task or of the qualification attempt.")
    held_until = serializers.DateTimeField(allow_null=True, help_text="End of the reservation.")
    answer = AnswerSerializer(
        allow_null=True, help_text="The current answer to an item that was already answered."
    )


class PresenceSerializer(StrictSerializer):
    """Page activity reported by a client; stored if the server's clock confirms it."""

    active_seconds = serializers.FloatField(min_value=0, max_value=MOST_SECONDS)
    away_seconds = serializers.FloatField(min_value=0, max_value=MOST_SECONDS)
    times_away = serializers.IntegerField(min_value=0, max_value=MOST_COUNTED)
    pastes = serializers.IntegerField(min_value=0, max_value=MOST_COUNTED)

    def to_internal_value(self, data: Any) -> Presence:
        return Presence(**super().to_internal_value(data))


class FirstValueField(serializers.FloatField):
    """A number at which a mark was first placed, as a text such as a page sends."""

    def to_internal_value(self, data: Any) -> str:  # type: ignore[override]
        return str(plain_number(super().to_internal_value(data)))


class SubmissionSerializer(StrictSerializer):
    page_key = serializers.UUIDField(help_text="Key of the answered page.")
    version = serializers.IntegerField(
        min_value=1, max_value=32_767, help_text="`form.version` of the page that is answered."
    )
    correction = serializers.IntegerField(
        min_value=0,
        max_value=PLACES - 1,
        required=False,
        allow_null=True,
        default=None,
        help_text="`form.correction` of that page; without it, that of the page as it was shown.",
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
    first_values = serializers.DictField(
        child=FirstValueField(),
        required=False,
        help_text="Criterion key → number at which the mark of a slider was first placed; omit it if unknown."
        " A number that the slider does not have is not stored.",
    )
    heard = serializers.DictField(
        child=serializers.ChoiceField(choices=[*HEARD]),
        required=False,
        help_text="Column of a recording → `played` if every second was played, `stated` if the rater says "
        "so, `read` if they read the transcript instead.",
    )
    presence = PresenceSerializer(required=False, help_text="Page activity; omit it if unknown.")
    interface_language = InterfaceLanguageField()


class NextSubmissionSerializer(SubmissionSerializer):
    assignment = serializers.IntegerField(min_value=1, help_text="`assignment` of the page.")


class CorrectionSerializer(SubmissionSerializer):
    assignment = serializers.IntegerField(
        min_value=1, required=False, help_text="Must equal the assignment in the URL, if given."
    )


class ReceiptSerializer(serializers.Serializer[Any]):
    stored = serializers.BooleanField(help_text="False if the same submission was stored before.")
    answer = AnswerSerializer()
    feedback = FeedbackSerializer(
        allow_null=True, help_text="After a calibration item, if feedback is shown."
    )
    progress = ProgressSerializer()


class AttemptSerializer(serializers.Serializer[Any]):
    """One attempt at the calibration items."""

    number = serializers.IntegerField()
    finished_at = serializers.DateTimeField(allow_null=True)
    passed = serializers.BooleanField(
        allow_null=True, help_text="Null while the attempt is in progress or waiting for approval."
    )
    reason = serializers.CharField(allow_blank=True)
    figure = serializers.FloatField(
        allow_null=True, help_text="Proportion within the tolerance, or correlation."
    )
    threshold = serializers.FloatField(allow_null=True)
    decision = serializers.CharField(allow_blank=True, help_text="Reason of the researcher.")


class QualificationSerializer(serializers.Serializer[Any]):
    """Progress of a rater towards the main work."""

    step = serializers.ChoiceField(choices=STEPS)
    pages_read = serializers.IntegerField()
    attempts_left = serializers.IntegerField(allow_null=True, help_text="Null for no limit.")
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
        min_value=1, max_value=32_767, help_text="Number of the page that was read; earlier pages first."
    )


class NoteSerializer(serializers.Serializer[Any]):
    """A calibration item with the rater's answers and the notes on it."""

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
    rater = serializers.CharField(help_text="Rater code.")
    state = serializers.ChoiceField(choices=RATER_STATES)
    trial = serializers.BooleanField(help_text="Preview by a study member; never counted.")
    progress = ProgressSerializer()
    qualification = QualificationSerializer(
        allow_null=True, help_text="Null if the study has no qualification."
    )


class InvitationSerializer(serializers.Serializer[Any]):
    """The texts that raters read before they consent."""

    study = serializers.SlugField()
    title = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    language = serializers.CharField()
    content_warning = serializers.CharField(allow_blank=True, help_text="Show it before anything else.")
    contact = serializers.CharField(allow_blank=True, help_text="Contact for raters.")
    contact_translations = serializers.DictField(
        child=serializers.CharField(), help_text="Language → translated contact."
    )
    consent = serializers.CharField(allow_blank=True)
    consent_number = serializers.IntegerField(help_text="Version of the consent form.")
    translations = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="Language → the texts of the study in it, by name.",
    )
    least_seconds = serializers.IntegerField(allow_null=True, help_text="Minimum page time in seconds.")
    exempt_characters = serializers.IntegerField(
        help_text="Pages without a longer text have no minimum page time."
    )
    instructions = serializers.CharField(allow_blank=True)
    agreed = serializers.BooleanField(help_text="Whether the rater of this personal link has already agreed.")
    pay = ShownPaySerializer(allow_null=True, help_text="Null if the study shows no pay.")


class ConsentSerializer(StrictSerializer):
    agree = serializers.BooleanField(help_text="True if the rater has read and accepted the consent form.")
    consent_number = serializers.IntegerField(
        min_value=1,
        max_value=32_767,
        required=False,
        help_text="Version that was read; by default the current one.",
    )
    interface_language = InterfaceLanguageField()

    def validate_agree(self, value: bool) -> bool:
        if not value:
            raise serializers.ValidationError("Consent is required. Send true to agree.")
        return value


class RaterConsentSerializer(serializers.Serializer[Any]):
    """The current consent form, and whether it must be accepted to continue."""

    consent = serializers.CharField(allow_blank=True)
    consent_number = serializers.IntegerField()
    agreed_number = serializers.IntegerField(help_text="Version of the consent form that was accepted last.")
    asked_again = serializers.BooleanField()
    translations = serializers.DictField(
        child=serializers.CharField(), help_text="Language → translated consent form."
    )


class AgainSerializer(ConsentSerializer):
    consent_number = serializers.IntegerField(
        min_value=1, max_value=32_767, help_text="Version that was read."
    )


class AboutYouSerializer(serializers.Serializer[Any]):
    """The open demographic questions; empty once they are answered."""

    questions = QuestionSerializer(many=True)


class AboutYouAnswersSerializer(StrictSerializer):
    answers = serializers.DictField(
        child=serializers.CharField(allow_null=True, allow_blank=True, max_length=LONGEST_REMARK),
        help_text="Question key → answer, or null for “prefer not to say”; every question needs one.",
    )


class JoinedSerializer(EnrolmentSerializer):
    token = serializers.CharField(
        allow_null=True,
        help_text="Send it as `Authorization: Invitation <token>`. Without it the rater cannot continue.",
    )
