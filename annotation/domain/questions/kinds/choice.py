"""One of several options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.kind import (
    Answer,
    Answering,
    Question,
    QuestionKind,
    Texts,
    Yields,
    gettext_noop,
    option_labels,
    single_value,
)


class OneOfSeveral(QuestionKind):
    """Base of the kinds in which one option is chosen."""

    missing_message = message("Choose an option, or select “Can’t rate”.")
    fewest_points = 2
    decides = True
    has_reference = True

    def read(self, question: Question, values: Sequence[str], texts: Texts) -> Answer:
        value = single_value(values)
        if value not in question.options:
            raise ValueError(message("Choose one of the options."))
        return Answer(text=value)

    def in_words(self, values: Sequence[str], labels: Mapping[str, str]) -> str:
        return option_labels(values, labels)

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        return person.option(question.options, truth)

    def reference(self, question: Question, text: str) -> str | None:
        return text if text in question.options else None


class Choice(OneOfSeveral):
    """One of several options."""

    key = "choice"
    title = gettext_noop("single choice")
    described = "single choice"
    yields = Yields.LABEL


CHOICE = Choice()
