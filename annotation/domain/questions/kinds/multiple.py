"""Any of several options."""

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
)

SEPARATOR = "|"


class Multiple(QuestionKind):
    """Multiple choice, stored as a list in the order of the form and separated by bars in files."""

    key = "multiple"
    title = gettext_noop("multiple choice")
    described = "multiple choice"
    yields = Yields.LABELS
    missing_message = message("Choose an option, or select “Can’t rate”.")
    fewest_points = 1
    decides = True
    has_reference = True

    def read(self, question: Question, values: Sequence[str], texts: Texts) -> Answer:
        if set(values) - set(question.options):
            raise ValueError(message("Choose from the options."))
        return Answer(content=[option for option in question.options if option in values])

    def cell(self, answer: Answer) -> str:
        return SEPARATOR.join(answer.content or ())

    def of_cell(self, cell: float | str) -> Answer:
        return Answer(content=self.values(str(cell)))

    def values(self, cell: str) -> list[str]:
        return cell.split(SEPARATOR)

    def in_words(self, values: Sequence[str], labels: Mapping[str, str]) -> str:
        return option_labels(values, labels)

    def simulated(self, question: Question, person: Answering, truth: float) -> list[str]:
        return person.several(question.options, truth)

    def count_possible(self, question: Question) -> int:
        return int(2 ** len(question.options)) - 1

    def reference(self, question: Question, text: str) -> str | None:
        chosen = self.values(text)
        if set(chosen) - set(question.options):
            return None
        return SEPARATOR.join(option for option in question.options if option in chosen)

    def suggestion(self, cell: str, points: Sequence[str]) -> str:
        chosen = self.values(cell)
        if set(chosen) - set(points):
            return ""
        return SEPARATOR.join(point for point in points if point in chosen)


MULTIPLE = Multiple()
