"""An answer in the rater's own words."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.kind import (
    NOT_TEXT,
    Answer,
    Answering,
    Document,
    Problems,
    Question,
    QuestionKind,
    Texts,
    Yields,
    gettext_noop,
    single_value,
    too_long,
)

# Answers of simulated raters; neighbours are for items that are close to each other.
SIMULATED_WORDS = ("silent", "cold", "slow", "soft", "plain", "warm", "bright", "quick", "sharp", "loud")


class Text(QuestionKind):
    """Free text."""

    key = "text"
    title = gettext_noop("free text")
    described = "free text"
    yields = Yields.WORDS
    lacks = ("calibration", "conditions", "stages", "statistics")
    script = "js/rating/kinds/text.js"
    style = "css/kinds/text.css"
    missing_message = message("Write an answer, or select “Can’t rate”.")

    def read(self, question: Question, values: Sequence[str], texts: Texts) -> Answer:
        text = single_value(values)
        if "\0" in text:
            raise ValueError(NOT_TEXT)
        if len(text) > LONGEST_REMARK:
            raise ValueError(too_long(LONGEST_REMARK))
        return Answer(text=text)

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        return person.option(SIMULATED_WORDS, truth)

    def suggestion(self, cell: str, points: Sequence[str]) -> str:
        return cell

    def problems(self, criterion: Document) -> Problems:
        if criterion["points"]:
            yield "points", message("A free-text question has no points. Remove them or choose another kind.")
        yield from super().problems(criterion)


TEXT = Text()
