"""The probability that random answers pass one check or several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from annotation.domain.quality.checks import (
    Check,
    Comprehension,
    Gold,
    Instructed,
    Knowledge,
    Repeat,
    Spans,
    Twin,
    is_within,
)
from annotation.domain.questions.kinds.kind import Question, QuestionKind, Yields


def chance_level(check: Check, questions: Sequence[Question]) -> Fraction:
    """The probability that uniformly random answers pass a check, once there is a verdict.

    Random answers do not match a free text or an expected error: 0. That there is no error is one of two
    answers. A rater who gives the same value everywhere is
    not random in this sense and passes every repeat.
    """
    points = {question.key: _points(question) for question in questions}
    kinds = {question.key: question.kind for question in questions}
    match check:
        case Instructed():
            return _product(
                Fraction(1, question.kind.count_possible(question))
                for question in questions
                if question.key in check.values
            )
        case Gold():
            return _product(
                _near_by_chance(reference, check.tolerance.get(key, 0.0), points[key], kinds[key])
                for key, reference in check.reference.items()
            )
        case Repeat():
            return _product(
                _share(
                    is_within(kinds[key].deviation(now, before), check.tolerance)
                    for now in points[key]
                    for before in points[key]
                )
                for key in check.criteria
            )
        case Twin():
            return _twin(check, points)
        case Comprehension():
            return Fraction(0)
        case Knowledge():
            return Fraction(1, len(points[check.criterion]))


def passes_by_chance(passed: int, levels: Sequence[Fraction | float]) -> float:
    """The probability that random answers pass at least so many checks with these chance levels.

    Binomial where the checks have one chance level; where they differ, its generalisation to
    unequal probabilities (Poisson's binomial).
    """
    counts = [1.0]
    for level in map(float, levels):
        missed = [count * (1 - level) for count in counts] + [0.0]
        hit = [0.0] + [count * level for count in counts]
        counts = [one + other for one, other in zip(missed, hit, strict=True)]
    return min(1.0, math.fsum(counts[max(0, passed) :]))


def fewest_passed(levels: Sequence[Fraction | float], alpha: float) -> int | None:
    """Find the fewest passed checks that random answers reach with less than `alpha`; None if none do."""
    counts = range(len(levels) + 1)
    return next((count for count in counts if passes_by_chance(count, levels) < alpha), None)


def _twin(check: Twin, points: dict[str, Sequence[float]]) -> Fraction:
    """The chance of a twin check; a criterion with the lowest point for the original does not count."""
    sizes = [len(points[key]) for key in check.lowest]
    aside = _product(Fraction(1, size) for size in sizes)
    passed = _product(Fraction(1, size) + Fraction(size - 1, 2 * size) for size in sizes)
    return (passed - aside) / (1 - aside) if aside < 1 else Fraction(0)


def _near_by_chance(
    reference: float | Spans, tolerance: float, points: Sequence[float], kind: QuestionKind
) -> Fraction:
    if isinstance(reference, float | int):
        return _share(is_within(kind.deviation(point, reference), tolerance) for point in points)
    return Fraction(0) if reference else Fraction(1, 2)


def _points(question: Question) -> Sequence[float]:
    """The possible values; of options, their numbers."""
    if question.kind.yields is Yields.NUMBER:
        return [float(value) for value in question.kind.possible(question)]
    return range(max(1, len(question.options)))


def _share(within: Iterable[bool]) -> Fraction:
    verdicts = list(within)
    return Fraction(sum(verdicts), len(verdicts))


def _product(factors: Iterable[Fraction]) -> Fraction:
    return math.prod(factors, start=Fraction(1))
