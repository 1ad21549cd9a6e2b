"""Base of the kinds whose answer is an order of the options of their question."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

from annotation.domain.base.messages import Message, message
from annotation.domain.base.orders import options_order
from annotation.domain.questions.kinds.condition import BETWEEN_OPTIONS
from annotation.domain.questions.kinds.deciding import readable_reference
from annotation.domain.questions.kinds.kind import (
    Answer,
    Document,
    Problems,
    Question,
    QuestionKind,
    Texts,
    Yields,
    single_value,
)
from annotation.domain.questions.option_settings import OptionSettings

BETTER, EQUAL, PART = ">", "=", ":"
RESERVED = (BETTER, EQUAL, PART)
Groups = list[list[str]]


def order_text(groups: Sequence[Sequence[str]]) -> str:
    """Return an order as files hold it: `b>a=c>d`, best first."""
    return BETTER.join(EQUAL.join(group) for group in groups)


def groups_in(cell: str) -> Groups:
    """Return the groups of tied options of an order, best first: the way back of `order_text`."""
    return [[value.strip() for value in group.split(EQUAL)] for group in cell.split(BETTER)]


def parts_in(values: Sequence[str]) -> dict[str, str]:
    """Return the values of the fields of a page by their parts: `b:1` is the part `b` with the value `1`.

    Raises
    ------
    ValueError
        A part has two values.
    """
    found: dict[str, str] = {}
    for value in values:
        part, _, given = value.partition(PART)
        if found.setdefault(part, given) != given:
            raise ValueError(message("Choose one answer only."))
    return found


def _places(cell: str) -> dict[str, int]:
    return {value: place for place, group in enumerate(groups_in(cell)) for value in group}


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Ordering(QuestionKind):
    """An order of all options, best first, in which options may be tied.

    Files and the API write `b>a=c>d`; a row stores the groups of tied options, `[["b"], ["a", "c"], ["d"]]`,
    each in the order of the form. A page posts several fields, `answer-KEY:PART`, which arrive here as
    values `PART:VALUE`. Raters see the options in different orders.

    Attributes
    ----------
    most_points : int
        Most options that a criterion of this kind has.
    """

    yields = Yields.ORDER
    decides = True
    has_reference = True
    most_points: ClassVar[int]
    first_points = tuple(
        {"value": value, "label": "", "description": "", "keyboard": ""} for value in ("a", "b", "c", "d")
    )

    @abstractmethod
    def own_settings(self, settings: Document) -> dict[str, Any]:
        """Return the settings of this kind, those that are not set with their defaults."""

    @abstractmethod
    def of_parts(self, question: Question, parts: Mapping[str, str]) -> Groups:
        """Return the order in the fields of a page; the message of a `ValueError` says why there is none."""

    @abstractmethod
    def refusal(self, question: Question, groups: Sequence[Sequence[str]]) -> Message | None:
        """The reason why an order of all options is no answer to a question; None where it is one."""

    def read(self, question: Question, values: Sequence[str], texts: Texts) -> Answer:
        if all(PART in value for value in values):
            groups = self.of_parts(question, parts_in(values))
        else:
            groups = groups_in(single_value(values))
        named = [value for group in groups for value in group]
        if sorted(named) != sorted(question.options):
            options = ", ".join(question.options)
            raise ValueError(message("Order these options, each of them once: %(options)s.", options=options))
        refusal = self.refusal(question, groups)
        if refusal is not None:
            raise ValueError(refusal)
        return Answer(content=[[one for one in question.options if one in group] for group in groups])

    def cell(self, answer: Answer) -> str:
        return order_text(answer.content or ())

    def of_cell(self, cell: float | str) -> Answer:
        return Answer(content=groups_in(str(cell)))

    def named(self, cell: str) -> list[str]:
        return [value for group in groups_in(cell) for value in group]

    def in_dispute(self, cells: Sequence[str], labels: Mapping[str, str]) -> list[str]:
        places = [_places(cell) for cell in cells]
        shared = [value for value in places[0] if all(value in one for one in places)] if places else []
        return [
            f"{labels.get(first) or first} / {labels.get(second) or second}"
            for first, second in combinations(shared, 2)
            if len({_sign(one[first] - one[second]) for one in places}) > 1
        ]

    def possible(self, question: Question) -> Sequence[str]:
        return ()

    def deciding(self, question: Question) -> Sequence[str]:
        return question.options

    def decided_by(self, cell: float | str) -> str:
        return BETWEEN_OPTIONS.join(groups_in(str(cell))[0])

    def cell_deciding(self, question: Question, value: str) -> str:
        return self.in_row(question, [value, *(one for one in question.options if one != value)])

    def conditions(self, points: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
        named = [(one["value"], one["label"] or one["value"]) for one in points if one["value"]]
        return [(value, message("%(option)s is the best", option=words)) for value, words in named]

    @abstractmethod
    def in_row(self, question: Question, options: Sequence[str]) -> str:
        """Return the answer, as cells hold it, that follows a row of all options, best first."""

    def reference(self, question: Question, text: str) -> str | None:
        return readable_reference(self, question, text)

    def distance(self, reference: str, cell: str, settings: Document) -> float:
        """The number of pairs of options that are in another order."""
        return float(len(self.in_dispute([reference, cell], {})))

    def suggestion(self, cell: str, points: Sequence[str]) -> str:
        return cell if sorted(self.named(cell)) == sorted(points) else ""

    def is_shuffled(self, settings: OptionSettings) -> bool:
        return True

    def shown_order(
        self,
        values: Sequence[str],
        settings: OptionSettings,
        *,
        place: str,
        seed: int,
        rater_seed: int,
    ) -> tuple[str, ...]:
        return options_order(values, place=place, seed=seed, rater_seed=rater_seed)

    def problems(self, criterion: Document) -> Problems:
        yield from super().problems(criterion)
        points = criterion["points"]
        if len(points) > self.most_points:
            sentence = message(
                "A question of kind %(kind)s has at most %(most)s options.",
                kind=self.key,
                most=self.most_points,
            )
            yield "points", sentence
        for place, point in enumerate(points):
            if any(sign in point["value"] for sign in RESERVED):
                sentence = message("Enter a value without “>”, “=” and “:”, which are the signs of an order.")
                yield f"points[{place}].value", sentence

    def settings_problems(self, criterion: Document) -> Problems:
        if criterion["settings"]["unsure"]:
            yield "settings.unsure", message("An option “not sure” cannot be put in order. Remove it.")

    def complete_settings(self, settings: Document) -> dict[str, Any]:
        return {self.key: self.own_settings(settings)}

    def stored_settings(self, settings: Document) -> dict[str, Any]:
        own = {name: value for name, value in self.own_settings(settings).items() if value}
        return {self.key: own} if own else {}
