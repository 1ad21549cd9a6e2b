"""A picture and a recording with two scales."""

from __future__ import annotations

from dataclasses import replace

from annotation.protocols.registry import TEMPLATES
from annotation.protocols.template import StudyTemplate
from tests.e2e.rating.every_kind.kind_case import KindCase


def template() -> StudyTemplate:
    captions = TEMPLATES["image_captions"]
    (form,) = captions.forms
    sound = {"field": "sound", "label": "Voice", "role": "audio", "mark": [], "whole": True}
    return replace(
        captions, texts=(*captions.texts, "sound"), forms=(replace(form, blocks=(*form.blocks, sound)),)
    )


CASE = KindCase(template, "k 4 ArrowDown 5 Enter", lambda _shown: {"fit": 4, "addition": 5})
