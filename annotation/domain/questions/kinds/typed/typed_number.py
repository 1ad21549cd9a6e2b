"""Base of the kinds of questions whose answer is a number that raters type."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from annotation.domain.base.messages import Message
from annotation.domain.questions.kinds.kind import (
    Answer,
    Question,
    QuestionKind,
    Texts,
    Yields,
    single_value,
)
from annotation.domain.questions.kinds.typed.reading import NUMBER, number_of, typed_once


class TypedNumber(QuestionKind):
    """A number in a field; `bounds` are those that a menu of conditions offers, as it cannot list all."""

    yields = Yields.NUMBER
    continuous = True
    has_reference = True
    lacks = ("stages",)
    script = "js/rating/kinds/typed-number.js"
    style = "css/kinds/typed-number.css"
    first_points = ()
    bounds: ClassVar[tuple[str, ...]]

    @abstractmethod
    def problem(self, typed: str, question: Question) -> Message | str:
        """The reason why a typed text is no possible answer; empty if it is one."""

    def read(self, question: Question, values: Sequence[str], texts: Texts) -> Answer:
        typed = single_value(values).strip()
        problem = self.problem(typed, question)
        if problem:
            raise ValueError(problem)
        return Answer(value=number_of(typed))

    def values(self, cell: str) -> list[str]:
        return [typed_once(cell)]

    def in_words(self, values: Sequence[str], labels: Mapping[str, str]) -> str:
        return ", ".join(str(number_of(one)) if NUMBER.fullmatch(one) else one for one in values)

    def reference(self, question: Question, text: str) -> float | None:
        typed = typed_once(text.strip())
        return None if self.problem(typed, question) else number_of(typed)

    def conditions(self, points: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
        return [(bound, bound) for bound in self.bounds]

    def suggestion(self, cell: str, points: Sequence[str]) -> str:
        return typed_once(cell) if not points or cell in points else ""

    def posted_points(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> list[Mapping[str, str]]:
        return []
