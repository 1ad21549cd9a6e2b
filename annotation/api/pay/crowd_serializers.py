"""What the API takes and gives about the account, the study and the submissions on a crowd platform."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.api.base.enumerations import CROWD_DECISION_STATES, CROWD_DECISIONS, CROWD_REASONS
from annotation.api.base.strict import StrictSerializer
from annotation.domain.pay.crowd import LONGEST_REASON
from annotation.services.pay.crowd.outside_studies import MOST_PLACES
from annotation.services.pay.mturk import hits
from annotation.services.pay.prolific.draft_content import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_MINUTES,
    MOST_REWARD,
)

MOST_DECISIONS = 1000
LONGEST_TOKEN = 400


class ConnectionSerializer(serializers.Serializer[Any]):
    account = serializers.CharField(help_text="By what the account is known; the token is never given.")
    connected_at = serializers.DateTimeField()
    connected_by = serializers.StringRelatedField[Any](help_text="Null if the member was deleted.")


class PlatformTokenSerializer(StrictSerializer):
    token = serializers.CharField(
        max_length=LONGEST_TOKEN,
        write_only=True,
        help_text="For Mechanical Turk the ID of an access key and its secret, with a colon between them.",
    )


class OutsideStudySerializer(serializers.Serializer[Any]):
    number = serializers.CharField(
        allow_blank=True, help_text="ID on the platform; empty while it is not known whether it exists."
    )
    status = serializers.CharField(allow_blank=True, help_text="As the platform has it.")
    places = serializers.IntegerField()
    reward = serializers.IntegerField(help_text="In cents.")
    asked_at = serializers.DateTimeField(
        allow_null=True, help_text="When the platform was asked to create it; null if it was not."
    )
    read_at = serializers.DateTimeField(allow_null=True)


class DraftSerializer(StrictSerializer):
    invitation = serializers.IntegerField(help_text="Number of a link for Prolific.")
    title = serializers.CharField(max_length=LONGEST_TITLE)
    description = serializers.CharField(max_length=LONGEST_TEXT)
    places = serializers.IntegerField(min_value=1, max_value=MOST_PLACES)
    reward = serializers.IntegerField(min_value=1, max_value=MOST_REWARD, help_text="In cents.")
    minutes = serializers.IntegerField(min_value=1, max_value=MOST_MINUTES)
    screen_out_reward = serializers.IntegerField(
        min_value=1, max_value=MOST_REWARD, required=False, help_text="In cents, below the reward."
    )
    screen_out_places = serializers.IntegerField(min_value=1, max_value=MOST_PLACES, required=False)


class HitSerializer(StrictSerializer):
    invitation = serializers.IntegerField(help_text="Number of a link for Mechanical Turk.")
    title = serializers.CharField(max_length=hits.LONGEST_TITLE)
    description = serializers.CharField(max_length=hits.LONGEST_TEXT)
    keywords = serializers.CharField(max_length=hits.LONGEST_KEYWORDS, help_text="With commas between them.")
    places = serializers.IntegerField(min_value=1, max_value=MOST_PLACES, help_text="Assignments of the HIT.")
    reward = serializers.IntegerField(min_value=1, max_value=hits.MOST_REWARD, help_text="In cents of USD.")
    minutes = serializers.IntegerField(
        min_value=1, max_value=hits.MOST_MINUTES, help_text="From accepting to submitting."
    )
    days = serializers.IntegerField(
        min_value=1, max_value=hits.MOST_DAYS, help_text="For so long workers can accept it."
    )
    approval_days = serializers.IntegerField(
        min_value=1, max_value=hits.MOST_APPROVAL_DAYS, help_text="Then an assignment is approved by itself."
    )
    least_percent = serializers.IntegerField(
        min_value=0, max_value=100, default=0, help_text="Approved assignments of a worker, in percent."
    )
    least_approved = serializers.IntegerField(
        min_value=0, max_value=hits.MOST_APPROVED_WORK, default=0, help_text="The same, their number."
    )
    countries = serializers.ListField(
        child=serializers.RegexField(hits.COUNTRY, max_length=2),
        max_length=hits.MOST_COUNTRIES,
        default=list,
        help_text="Two-letter codes; empty for all.",
    )


class PlacesSerializer(StrictSerializer):
    places = serializers.IntegerField(min_value=1, max_value=MOST_PLACES, help_text="The new total.")


class LinkedStudySerializer(StrictSerializer):
    invitation = serializers.IntegerField(help_text="Number of a link for the platform.")
    number = serializers.CharField(max_length=64, help_text="ID on the platform.")


class SubmissionSerializer(serializers.Serializer[Any]):
    submission = serializers.CharField(source="submission.number", help_text="ID on the platform.")
    rater = serializers.CharField(
        source="submission.rater.code",
        allow_null=True,
        default=None,
        help_text="Rater code; null if no rater has the ID.",
    )
    status = serializers.CharField(
        source="submission.status",
        help_text="As the platform has it; those of Mechanical Turk in the words of Prolific.",
    )
    code = serializers.CharField(source="submission.code", allow_blank=True)
    return_requested = serializers.BooleanField(source="submission.return_requested")
    proposal = serializers.ChoiceField(
        source="proposal.decision", choices=CROWD_DECISIONS, allow_null=True, default=None
    )
    proposal_reason = serializers.ChoiceField(
        source="proposal.reason",
        choices=CROWD_REASONS,
        allow_null=True,
        default=None,
        help_text="Null if nothing can be decided now.",
    )
    decision = serializers.ChoiceField(
        source="submission.decision", choices=CROWD_DECISIONS, allow_blank=True
    )
    decision_state = serializers.ChoiceField(
        source="submission.decision_state", choices=CROWD_DECISION_STATES, allow_blank=True
    )


class OneDecisionSerializer(StrictSerializer):
    submission = serializers.CharField(max_length=64, help_text="ID on the platform.")
    decision = serializers.ChoiceField(choices=CROWD_DECISIONS)


class DecisionsSerializer(StrictSerializer):
    decisions = serializers.ListField(
        child=OneDecisionSerializer(),
        required=False,
        min_length=1,
        max_length=MOST_DECISIONS,
        help_text="What you have confirmed. Without it, submissions are read and nothing is sent.",
    )
    reason = serializers.CharField(
        required=False,
        max_length=LONGEST_REASON,
        help_text="For rejections, on Mechanical Turk only; the workers read it.",
    )


class CrowdJobSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField(help_text="Number of the job that calls the platform.")
