"""The interface of the kinds of questions, and the question and answer on which a kind works."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from annotation.domain.base.messages import Message, message
from annotation.domain.questions.kinds.condition import Condition
from annotation.domain.questions.kinds.deciding import Deciding
from annotation.domain.questions.kinds.measuring import Measuring
from annotation.domain.questions.option_settings import OptionSettings, in_own_order

NO_SCALE = message("This question has no scale. Contact the research team.")
NOT_TEXT = message("The text contains a character that cannot be saved (NUL). Remove it.")

Raw = str | Sequence[str]
Texts = Mapping[str, str]
Document = Mapping[str, Any]
Problems = Iterator[tuple[str, str]]


def gettext_noop(words: str) -> str:
    """Mark words for translation; templates and views translate them when they show them."""
    return words


class Yields(StrEnum):
    """The type of value that answers yield for statistics; kinds with the same type are analysed alike."""

    NUMBER = "number"
    LABEL = "label"
    LABELS = "labels"
    PREFERENCE = "preference"
    ORDER = "order"
    WORDS = "words"
    SPANS = "spans"
    ERRORS = "errors"


# Yields whose answers are values among the options of the question.
OF_OPTIONS = (Yields.LABEL, Yields.LABELS, Yields.PREFERENCE)
# Yields whose answers are marked in a text of the item.
IN_A_TEXT = (Yields.SPANS, Yields.ERRORS)
# Yields whose answers contain the rater's own words.
IN_OWN_WORDS = (Yields.WORDS, Yields.SPANS)


@dataclass(frozen=True)
class Question:
    """The parts of a criterion that the check of an answer needs.

    `options` are the stored values, or the parts of a tuple. With `asked_after` it is asked only where
    the answer to that earlier criterion meets the condition `asked_when`. Spans lie in the item's text
    `field`.
    `settings` are those of the criterion; each kind reads its own.
    """

    key: str
    name: str
    kind: QuestionKind
    minimum: float | None = None
    maximum: float | None = None
    required: bool = True
    options: tuple[str, ...] = ()
    asked_after: str = ""
    asked_when: str = ""
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    field: str = ""

    def is_asked(self, cells: Mapping[str, float | str]) -> bool:
        """Whether the answers so far, as far as they decide, lead to this criterion."""
        if not self.asked_after:
            return True
        return self.asked_after in cells and Condition.read(self.asked_when).holds(cells[self.asked_after])


@dataclass(frozen=True)
class Answer:
    """A checked answer, as its row stores it: exactly one of a number, a text and a list.

    A whole number is an `int`. `content` is what an answer with parts consists of, as JSON holds it.
    """

    value: float | None = None
    text: str = ""
    content: Sequence[Any] | None = None


class PointLike(Protocol):
    """A point of a scale, an option or a part, as a page shows it."""

    @property
    def value(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def keyboard(self) -> str: ...


class Answering(Protocol):
    """A simulated rater who answers questions."""

    def value(self, low: int, high: int, truth: float) -> int: ...
    def option(self, options: Sequence[str], truth: float) -> str: ...
    def several(self, options: Sequence[str], truth: float) -> list[str]: ...


class QuestionKind(Deciding, Measuring, ABC):
    """One kind of question; `Deciding` and `Measuring` have further parts of it.

    Attributes
    ----------
    key : str
        What a criterion's row stores.
    title : str
        In the form editor, after “Answered by”.
    described : str
        In a paragraph on methods, after the name of the criterion.
    yields : Yields
        What statistics can make of the answers.
    missing_message : str
        Shown where a required answer is missing.
    fewest_points : int
        Fewest points that a criterion of this kind has.
    has_two_ends : bool
        Whether its points are the two ends of a line, and its middle if that has a label, without keys.
    continuous : bool
        Whether answers are numbers anywhere between two ends; that two are equal then says little.
    records_first : bool
        Whether the number at which the rater first placed the answer is stored in addition to the last one.
    orders_ends : bool
        Whether an order of its options says only which is the best and which the worst.
    lacks : tuple of str
        What answers of this kind cannot be used for, as the form editor says: at most one of `checks`,
        `calibration`, `conditions`, `stages` and `statistics` in a new kind.
    settings_schema : mapping
        JSON Schema of the settings that this kind alone has; a criterion stores them under `key`.
    script : str
        Static path of the script by which a page answers questions of this kind; empty where it needs none.
        Kinds that are answered in the same way have the same one.
    style : str
        Static path of the style sheet of such kinds; empty where those of the page are enough.
    is_large : bool
        Whether script and style are so large that only pages with such a question load them.
    fields_of_points : tuple of str
        Settings of this kind that the form editor shows next to each point.
    first_points : sequence of mapping
        The points with which the form editor starts.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    described: ClassVar[str] = ""
    yields: ClassVar[Yields]
    missing_message: ClassVar[str] = message("Choose a point, or select “Can’t rate”.")
    fewest_points: ClassVar[int] = 0
    has_two_ends: ClassVar[bool] = False
    continuous: ClassVar[bool] = False
    records_first: ClassVar[bool] = False
    orders_ends: ClassVar[bool] = False
    lacks: ClassVar[tuple[str, ...]] = ()
    settings_schema: ClassVar[Mapping[str, Any]] = {}
    script: ClassVar[str] = ""
    style: ClassVar[str] = ""
    is_large: ClassVar[bool] = False
    fields_of_points: ClassVar[tuple[str, ...]] = ()
    first_points: ClassVar[Sequence[Mapping[str, str]]] = tuple(
        {"value": str(value), "label": "", "description": "", "keyboard": str(value)} for value in range(1, 6)
    )

    def checked(self, question: Question, raw: Raw, texts: Texts | None = None) -> Answer | None:
        """Return the answer that was given, None where the question was left open.

        Parameters
        ----------
        question : Question
            What is asked.
        raw : str or sequence of str
            What was sent.
        texts : mapping of str to str or None
            The texts of the item, by field.

        Raises
        ------
        ValueError
            The sentence says why the answer is not accepted.
        """
        given = [raw] if isinstance(raw, str) else raw
        values = [value for value in given if value.strip()]
        return self.read(question, values, texts or {}) if values else None

    @abstractmethod
    def read(self, question: Question, values: Sequence[str], texts: Texts) -> Answer | None:
        """Read the values that were sent, at least one and none of them blank; `ValueError` says why not."""

    def cell(self, answer: Answer) -> float | str:
        """Return what files, the API and fingerprints hold for an answer."""
        return answer.text if answer.value is None else answer.value

    def of_cell(self, cell: float | str) -> Answer:
        """Return the answer that a file or the API holds as `cell`: the way back of `cell`."""
        return Answer(text=cell) if isinstance(cell, str) else Answer(value=cell)

    def values(self, cell: str) -> list[str]:
        """Return the values that a page sends for an answer, from its cell."""
        return [cell]

    def named(self, cell: str) -> list[str]:
        """Return the options that an answer names, those of an order best first, from its cell."""
        return self.values(cell)

    def in_words(self, values: Sequence[str], labels: Mapping[str, str]) -> str:
        """Return an answer for reading.

        Parameters
        ----------
        values : sequence of str
            From `values`.
        labels : mapping of str to str
            What the options of the question say, by value.
        """
        return ", ".join(values)

    def in_dispute(self, cells: Sequence[str], labels: Mapping[str, str]) -> list[str]:
        """Return in words on which part of their answers raters differ; empty for the whole answer."""
        return []

    def missing(self, question: Question) -> str:
        """The message for a required question without an answer."""
        return self.missing_message

    @abstractmethod
    def simulated(self, question: Question, person: Answering, truth: float) -> Raw:
        """Return what a simulated rater sends; `truth` is the item's true place from 0 to 1."""

    def simulated_in(self, question: Question, person: Answering, truth: float, texts: Texts) -> Raw:
        """Return what a simulated rater sends who reads the texts of the item, by field."""
        return self.simulated(question, person, truth)

    def as_written(self, cell: str, settings: Document) -> str:
        """Return a stored answer as a rater would type it in the fields of a page."""
        return cell

    def suggestion(self, cell: str, points: Sequence[str]) -> str:
        """Return an answer to an earlier form as a question with these points stores it.

        Empty if it has no such point.
        """
        return cell if cell in points else ""

    def problems(self, criterion: Document) -> Problems:
        """Yield field and sentence for each part of a criterion that cannot be asked."""
        points = criterion["points"]
        if len(points) < self.fewest_points:
            sentence = message(
                "A question of kind %(kind)s needs at least %(fewest)s points.",
                kind=self.key,
                fewest=self.fewest_points,
            )
            yield "points", sentence
        yield from _point_problems(points)
        yield from self.end_problems(criterion)

    def end_problems(self, criterion: Document) -> Problems:
        """Yield problems of the ends of a scale."""
        if criterion["minimum"] is not None or criterion["maximum"] is not None:
            sentence = message(
                "A question of kind %(kind)s has no ends. Remove minimum and maximum.", kind=self.key
            )
            yield "minimum", sentence

    def settings_problems(self, criterion: Document) -> Problems:
        """Yield problems of the settings that this kind alone has."""
        return iter(())

    def ends(
        self, low: float | None, high: float | None, values: Sequence[str]
    ) -> tuple[float | None, float | None]:
        """Return the ends of the scale; those that are not given follow from the values of its points."""
        return low, high

    def scale_in_words(self, low: float | None, high: float | None) -> str:
        """Return how the question is answered, for a paragraph on methods."""
        return self.described

    def set_of(self, settings: Document) -> str:
        """Return the name of the set of questions whose answers are summed; empty for none."""
        return ""

    def complete_settings(self, settings: Document) -> dict[str, Any]:
        """Return the settings of this kind under `key`, with defaults."""
        return {}

    def stored_settings(self, settings: Document) -> dict[str, Any]:
        """Return the settings of this kind under `key`, only what is set."""
        return {}

    def first_settings(self) -> dict[str, Any]:
        """Return the settings of this kind with which the form editor starts."""
        return self.complete_settings({})

    def posted_points(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> list[Mapping[str, str]]:
        """Return the points of a criterion from the fields of the form editor."""
        return list(points)

    def posted_settings(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> dict[str, Any]:
        """Return the settings of this kind from the fields of the form editor."""
        return self.complete_settings({})

    def is_shuffled(self, settings: OptionSettings) -> bool:
        """Whether raters see the options in different orders."""
        return settings.shuffled

    def shown_order(
        self,
        values: Sequence[str],
        settings: OptionSettings,
        *,
        place: str,
        seed: int,
        rater_seed: int,
    ) -> tuple[str, ...]:
        """Return the values of the options in the order in which one rater sees them.

        The order is the same for the same arguments; `place` names the item and the criterion.
        """
        return in_own_order(values, settings, place=place, seed=seed, rater_seed=rater_seed)

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        """Return the template context of this kind in addition to that of every criterion.

        Parameters
        ----------
        points : sequence of PointLike
            In the order of the form.
        settings : mapping
            Of the criterion.
        values : sequence of str
            What the page shows as answered.
        """
        return {"css": f"criterion--{self.key}"}


def single_value(values: Sequence[str]) -> str:
    """Return the one value that was sent.

    Raises
    ------
    ValueError
        There are several.
    """
    if len(values) > 1:
        raise ValueError(message("Choose one answer only."))
    return values[0]


def outside(value: object, low: object, high: object) -> Message:
    """The message that a value is not on its scale."""
    return message(
        "%(value)s is outside the scale from %(low)s to %(high)s.", value=value, low=low, high=high
    )


def too_long(most: int) -> Message:
    """The message that a text is longer than is stored."""
    return message("Use at most %(most)d characters.", most=most)


def option_labels(values: Sequence[str], labels: Mapping[str, str]) -> str:
    """Return chosen options by their labels; one without a label by its value."""
    return ", ".join(labels.get(value) or value for value in values)


def _point_problems(points: Sequence[Document]) -> Problems:
    for place, point in enumerate(points):
        before, value, key = points[:place], point["value"], point["keyboard"]
        if not value.strip() or "|" in value:
            yield f"points[{place}].value", message("Enter a value without “|”, which separates values.")
        if any(value == other["value"] for other in before):
            sentence = message("The value “%(value)s” is used twice. Change one.", value=value)
            yield f"points[{place}].value", sentence
        if key and any(key == other["keyboard"] for other in before):
            sentence = message("Another point already has the shortcut “%(key)s”. Change one.", key=key)
            yield f"points[{place}].keyboard", sentence
