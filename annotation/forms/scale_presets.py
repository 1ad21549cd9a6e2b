"""Common scales for a new criterion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.questions.kinds.slider import SLIDER
from annotation.protocols.template import YES_NO, Point, keyboard_of


@dataclass(frozen=True)
class ScalePreset:
    """A kind of question with its points; `title` is its name in the menu."""

    title: str | Promise
    kind: str
    points: Sequence[Point]

    def documents(self) -> list[dict[str, Any]]:
        """Its points in the shape of the form editor."""
        has_keys = self.kind != SLIDER.key
        return [
            {
                "value": point.value,
                "label": point.label,
                "description": "",
                "keyboard": keyboard_of(point, place) if has_keys else "",
            }
            for place, point in enumerate(self.points)
        ]


def _labelled(*labels: str) -> list[Point]:
    return [Point(str(value), label) for value, label in enumerate(labels, start=1)]


PRESETS = {
    "agreement": ScalePreset(
        _("Agreement, 1–5"),
        LIKERT.key,
        _labelled("Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"),
    ),
    "quality": ScalePreset(
        _("Quality, 1–5"), LIKERT.key, _labelled("Very poor", "Poor", "Acceptable", "Good", "Very good")
    ),
    "frequency": ScalePreset(
        _("Frequency, 1–5"), LIKERT.key, _labelled("Never", "Rarely", "Sometimes", "Often", "Always")
    ),
    "seven": ScalePreset(
        _("Labelled ends, 1–7"), LIKERT.key, _labelled("Not at all", "", "", "", "", "", "Very much")
    ),
    "hundred": ScalePreset(
        _("Slider, 0–100"), SLIDER.key, [Point("0", "Not at all"), Point("100", "Completely")]
    ),
    "yes_no": ScalePreset(_("Yes/no"), CHOICE.key, YES_NO),
}
