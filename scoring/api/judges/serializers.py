"""What the API says of a judge, and what it takes for a new one wherever its answers come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from scoring.models import Judge
from scoring.selectors.judges.judged_values import shown_settings
from scoring.services.judges.judge_storing import LONGEST_NOTE, JudgeNotes

# A section of its own: the page of the API did not show all of 145 operations in one section.
TAGS = ["judges"]


class JudgeSerializer(serializers.Serializer[Judge]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    way = serializers.CharField(help_text="`file`, `metric`, `model` or `chat`.")
    description = serializers.CharField()
    settings = serializers.SerializerMethodField(help_text="How its answers came about.")
    same_family_as = serializers.CharField(help_text="System from the same family of models, or empty.")
    saw_items = serializers.CharField(help_text="Items that it was trained or tuned on.")
    created_at = serializers.DateTimeField()

    def get_settings(self, judge: Judge) -> dict[str, Any]:
        """How the answers came about; never where a model lies."""
        return shown_settings(judge.settings)


class NotesFields(serializers.Serializer[Any]):
    """Fields that a new judge has, wherever its answers come from."""

    description = serializers.CharField(required=False, max_length=LONGEST_NOTE, allow_blank=True)
    same_family_as = serializers.CharField(
        required=False,
        max_length=120,
        allow_blank=True,
        help_text="System of an item, or of a side of pairs, from the same model family.",
    )
    saw_items = serializers.CharField(
        required=False,
        max_length=LONGEST_NOTE,
        allow_blank=True,
        help_text="What it was trained or tuned on.",
    )


def notes_of(given: Mapping[str, Any]) -> JudgeNotes:
    """What is stated about a new judge."""
    return JudgeNotes(
        given.get("name", ""),
        given.get("description", ""),
        given.get("same_family_as", ""),
        given.get("saw_items", ""),
    )
