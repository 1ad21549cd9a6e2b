"""Decisions by answers: later questions and stages, attention checks, calibration items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from annotation.domain.questions.kinds.kind import Question

# The distance of a wrong answer where distances have no meaning: beyond any tolerance.
WRONG = 1e9


class Deciding:
    """The part of a kind of question that defines what its answers decide.

    Attributes
    ----------
    decides : bool
        Whether an answer can pass an item on to a next stage, and can be chosen as a condition.
    has_reference : bool
        Whether a reference value is read without the texts of the item, so that a check can instruct raters
        to give it.
    reference_help : str
        How a reference value is written, where the question does not show it.
    """

    decides: ClassVar[bool] = False
    has_reference: ClassVar[bool] = False
    reference_help: ClassVar[str] = ""

    def possible(self, question: Question) -> Sequence[str]:
        """Return the answers that can be chosen, as cells hold them; empty where they cannot be listed."""
        return question.options

    def count_possible(self, question: Question) -> int:
        """Return how many different answers there are, for the chance of a random one; at least 1."""
        return max(1, len(self.possible(question)))

    def deciding(self, question: Question) -> Sequence[str]:
        """Return the values that can decide: the answers, or the options that an answer can put first."""
        return self.possible(question)

    def decided_by(self, cell: float | str) -> float | str:
        """Return the part of an answer that decides: all of it, or the first options, separated by bars."""
        return cell

    def cell_deciding(self, question: Question, value: str) -> str:
        """Return an answer, as cells hold it, by which a value of `deciding` decides."""
        return value

    def conditions(self, points: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
        """Return the answers that the form editor offers as conditions of later questions, with labels.

        Parameters
        ----------
        points : sequence of mapping
            Of the criterion, as the editor has them.
        """
        if not self.decides:
            return []
        return [(one["value"], f"{one['value']} {one['label']}".strip()) for one in points if one["value"]]

    def reference(self, question: Question, text: str) -> float | str | None:
        """Read the reference value of a calibration item; None where the question cannot have it."""
        return None

    def reference_in(self, question: Question, text: str, texts: Mapping[str, str]) -> float | str | None:
        """Read the reference value of a calibration item that has these texts, by field.

        Raises
        ------
        ValueError
            The sentence says why the question cannot have it, if the reason is known.
        """
        return self.reference(question, text)

    def reference_in_words(self, cell: str) -> str:
        """Return a reference that is no number, or an answer that is compared with it, for reading."""
        return cell

    def distance(self, reference: str, cell: str, settings: Mapping[str, Any]) -> float:
        """Return how far an answer lies from a reference that is no number; 0 if it is the same.

        Parameters
        ----------
        reference, cell : str
            As files hold them.
        settings : mapping
            Of the criterion.
        """
        return 0.0 if cell == reference else WRONG


def readable_reference(kind: Any, question: Question, text: str) -> str | None:
    """Return a reference that can be any answer of a rater, as cells hold it; None if it is no answer.

    Parameters
    ----------
    kind : QuestionKind
        The kind that reads the answer.
    question : Question
        The question.
    text : str
        The reference as it was entered.
    """
    try:
        answer = kind.checked(question, text)
    except ValueError:
        return None
    return None if answer is None else str(kind.cell(answer))
