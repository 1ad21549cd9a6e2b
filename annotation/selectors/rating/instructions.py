"""What the instructions say of each criterion: its rubric, and worked examples with good and bad ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.domain.questions.background_text import Block, blocks
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.text_languages import OF_EXAMPLE, Text, form_texts, text_in
from annotation.models import Criterion, FormVersion, Rater, ScalePoint
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.questions.text_languages import criterion_language, translate_criteria

# Longer answers do not fit into the box of a scale point.
LONGEST_BOXED = 3


@dataclass(frozen=True)
class Example:
    """A worked example: the text in blocks, the rating, and the reason, each with its language.

    `boxed` tells whether the rating is short enough to be set like a point of the scale.
    """

    text: tuple[Block, ...]
    text_lang: str
    answer: Text
    label: Text
    reason: Text
    boxed: bool


@dataclass(frozen=True)
class CriterionInstructions:
    """One criterion of a form, as the instructions show it; `anchor` is unique on the page.

    Raters read the values of its points where they are numbers, `is_numbered`.
    """

    anchor: str
    name: str
    question: str
    points: Sequence[ScalePoint]
    lang: str
    good: Sequence[Example]
    bad: Sequence[Example]
    is_numbered: bool


def instructions_for(rater: Rater, language: str = "") -> list[CriterionInstructions]:
    """The criteria that a rater is asked and that have a rubric or examples, in the order of the pages.

    Their texts are in `language`, that of the page, or else in that of the study.
    """
    return [
        found
        for version in form_versions(study=rater.study)
        if rater.panel_id in {None, version.form_id}
        for criterion in version.criteria.all()
        for found in [_instructions(version, criterion, rater.study.language, language)]
        if found.points or found.good or found.bad
    ]


def _instructions(
    version: FormVersion, criterion: Criterion, own: str, language: str
) -> CriterionInstructions:
    own_labels = {point.value: point.label for point in criterion.points.all()}
    translate_criteria([criterion], version.translations, language)
    shown = {point.value: point.label for point in criterion.points.all()}
    texts = form_texts(version.translations.get(language, {}))

    def text(own_text: str, translated: str) -> Text:
        return text_in(own_text, translated, own_language=own, language=language)

    def example(number: int, one: Mapping[str, Any]) -> Example:
        parts = {name: text(one[name], texts.get(("examples", str(number), name), "")) for name in OF_EXAMPLE}
        label, translated = own_labels.get(one["answer"], ""), shown.get(one["answer"], "")
        return _example(parts, text(label, translated if translated != label else ""))

    about = [
        (one["right"], example(number, one))
        for number, one in enumerate(version.examples, start=1)
        if one["criterion"] == criterion.key
    ]
    return CriterionInstructions(
        anchor=f"{version.form.key}-{criterion.key}",
        name=criterion.name,
        question=criterion.question,
        points=_rubric(criterion),
        lang=criterion_language(version, criterion.key, own=own, language=language),
        good=[one for right, one in about if right],
        bad=[one for right, one in about if not right],
        is_numbered=criterion.question_kind.yields is Yields.NUMBER,
    )


def _rubric(criterion: Criterion) -> list[ScalePoint]:
    """All points with words, where one of them at least is described."""
    points = list(criterion.points.all())
    described = any(point.description for point in points)
    return [point for point in points if described and (point.label or point.description)]


def _example(parts: Mapping[str, Text], label: Text) -> Example:
    return Example(
        text=blocks(parts["text"]),
        text_lang=parts["text"].lang,
        answer=parts["answer"],
        label=label,
        reason=parts["reason"],
        boxed=len(parts["answer"]) <= LONGEST_BOXED,
    )
