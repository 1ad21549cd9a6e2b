"""The ratings of one item: who gave which value on each scale, and a table with a column for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean, geometric_mean, stdev
from typing import Any

from annotation.domain.base.numbers import plain_number
from annotation.domain.questions.kinds.kind import Question, QuestionKind, Yields
from annotation.models import Criterion, Response

# A scale of more points, such as a slider, shows a stroke for each value that was given.
MOST_BARS = 12
STROKE = 4
# More raters are shown as bars.
MOST_NAMED = 16
# More criteria share one column.
MOST_COLUMNS = 6
BAR = {"width": 180, "foot": 52, "height": 40}


@dataclass
class ScaleRatings:
    """The current values of one scale, late ones left out.

    A scale that is not `bounded` is drawn from the least to the greatest value given.
    `given` has the raters of each value, each with whether statistics include the value.
    """

    name: str
    possible: Sequence[str]
    kind: QuestionKind
    given: dict[float, list[tuple[str, bool]]] = field(default_factory=dict)
    bounded: bool = True

    @property
    def counted(self) -> list[float]:
        """The values that statistics include."""
        return [value for value, raters in self.given.items() for _, counts in raters if counts]

    @property
    def mean(self) -> float | None:
        return mean_of(self.kind, self.counted)

    @property
    def sd(self) -> float | None:
        """None where ratios count: a difference says little there."""
        return stdev(self.counted) if len(self.counted) > 1 and not self.kind.on_ratios else None

    @property
    def mean_difference(self) -> float | None:
        """The mean difference between two raters."""
        pairs = [abs(one - other) for one, other in combinations(self.counted, 2)]
        return fmean(pairs) if pairs else None

    @property
    def is_named(self) -> bool:
        """Whether each rater is shown on the scale."""
        n = sum(len(raters) for raters in self.given.values())
        return len(self.possible) <= MOST_BARS and n <= MOST_NAMED

    @property
    def places(self) -> list[dict[str, Any]]:
        """The points of the scale with the raters of each."""
        points = [plain_number(float(value)) for value in self.possible]
        return [{"value": point, "raters": sorted(self.given.get(point, []))} for point in points]

    @property
    def mean_at(self) -> float | None:
        """The position of the mean on the scale, in percent of its width; None off it."""
        points = [float(value) for value in self.possible]
        if self.mean is None or not points[0] <= self.mean <= points[-1]:
            return None
        below = max(place for place, point in enumerate(points) if point <= self.mean)
        width = points[below + 1] - points[below] if below + 1 < len(points) else 1
        return round(100 * (below + 0.5 + (self.mean - points[below]) / width) / len(points), 2)

    @property
    def drawing(self) -> dict[str, Any]:
        """Bars, in the units of their drawing."""
        codes = {value: [code for code, _ in raters] for value, raters in self.given.items()}
        return _bars(codes, self.possible, self.kind, bounded=self.bounded)


@dataclass(frozen=True)
class RatingColumns:
    """The criteria of a table with a column for each, and the means over the responses that count.

    `means` has the name, the mean, and whether it is a geometric one.
    """

    names: Sequence[str]
    means: Sequence[tuple[str, float | None, bool]]
    seconds: float | None


def ratings_by_scale(responses: Sequence[Response]) -> list[ScaleRatings]:
    """The current values of each scale with their raters; excluded ones are marked.

    Parameters
    ----------
    responses : sequence of Response
        As of `responses_to`.
    """
    found: dict[str, ScaleRatings] = {}
    for response in responses:
        for rating in response.ratings.all():
            one = rating.criterion
            if one.question_kind.yields is not Yields.NUMBER or rating.value is None:
                continue
            entry = found.setdefault(one.key, _scale_of(one))
            if response.current and not response.late:
                raters = entry.given.setdefault(rating.value, [])
                raters.append((response.assignment.rater.code, bool(response.counts)))  # type: ignore[attr-defined]
    return list(found.values())


def rating_columns(responses: Sequence[Response]) -> RatingColumns | None:
    """Give each response `cells`, the name and rating of each criterion; None where these are no columns.

    Parameters
    ----------
    responses : sequence of Response
        As of `responses_to`.
    """
    asked = {
        rating.criterion.key: rating.criterion
        for response in responses
        for rating in response.ratings.all()
        if rating.criterion.question_kind.yields is Yields.NUMBER
    }
    names = {key: one.name for key, one in asked.items()}
    kinds = {rating.criterion.key for response in responses for rating in response.ratings.all()}
    if not names or kinds != names.keys() or len(names) > MOST_COLUMNS:
        return None
    for response in responses:
        own = {rating.criterion.key: rating for rating in response.ratings.all()}
        response.cells = [(name, own.get(key)) for key, name in names.items()]  # type: ignore[attr-defined]
    counting = [one for one in responses if one.counts]  # type: ignore[attr-defined]
    times = [one.seconds for one in counting if one.seconds is not None]
    return RatingColumns(
        list(names.values()),
        [
            (one.name, _mean_of(counting, key, one.question_kind), one.question_kind.on_ratios)
            for key, one in asked.items()
        ],
        fmean(times) if times else None,
    )


def mean_of(kind: QuestionKind, values: Sequence[float]) -> float | None:
    """The mean of some values, the geometric one where ratios count; None without a value.

    Parameters
    ----------
    kind : QuestionKind
        Kind of question of the criterion.
    values : sequence of float
        As raters gave them.
    """
    if not values:
        return None
    return geometric_mean(values) if kind.on_ratios else fmean(values)


def _mean_of(responses: Sequence[Response], key: str, kind: QuestionKind) -> float | None:
    """The mean of one criterion over some responses; None without a value."""
    values = [
        rating.value
        for response in responses
        for rating in response.ratings.all()
        if rating.criterion.key == key and rating.value is not None
    ]
    return mean_of(kind, values)


def _scale_of(criterion: Criterion) -> ScaleRatings:
    kind = criterion.question_kind
    bounded = kind.on_ratios or kind.is_bounded(criterion.minimum, criterion.maximum)
    return ScaleRatings(criterion.name, _points(criterion), kind, bounded=bounded)


def _points(criterion: Criterion) -> Sequence[str]:
    question = Question(
        key=criterion.key,
        name=criterion.name,
        kind=criterion.question_kind,
        minimum=criterion.minimum,
        maximum=criterion.maximum,
        settings=criterion.settings,
    )
    return question.kind.possible(question)


def _bars(
    raters_of: Mapping[float, Sequence[str]], possible: Sequence[str], kind: QuestionKind, *, bounded: bool
) -> dict[str, Any]:
    """A bar for each point; on a scale of many points, a stroke where each given value is."""
    points = [plain_number(float(value)) for value in possible]
    most = max((len(codes) for codes in raters_of.values()), default=1)
    if len(points) > MOST_BARS:
        values = sorted(raters_of)
        shown = [points[0], *values, points[-1]] if bounded or not values else values
        low, high = min(shown), max(shown)
        if low == high:
            low, high = low - 1, high + 1
        room = BAR["width"] - STROKE
        start, end = kind.measured(low), kind.measured(high)
        middles = [STROKE / 2 + room * (kind.measured(value) - start) / (end - start) for value in values]
        width: float = STROKE
        ends = ((low, 0, "start"), (high, BAR["width"], "end"))
        ticks = [{"value": value, "x": x, "anchor": anchor} for value, x, anchor in ends]
    else:
        values, step = points, BAR["width"] / max(len(points), 1)
        middles = [step * (place + 0.5) for place in range(len(points))]
        width = step * 0.6
        ticks = [
            {"value": value, "x": round(middle, 1), "anchor": "middle"}
            for value, middle in zip(values, middles, strict=True)
        ]
    bars = [
        _bar(value, raters_of.get(value, []), middle=middle, width=width, most=most)
        for value, middle in zip(values, middles, strict=True)
    ]
    words = "; ".join(f"{bar['value']}: {bar['who']}" for bar in bars if bar["n"])
    return {"bars": bars, "ticks": ticks, "words": words}


def _bar(value: float, codes: Sequence[str], *, middle: float, width: float, most: int) -> dict[str, Any]:
    height = BAR["height"] * len(codes) / most
    return {
        "value": value,
        "n": len(codes),
        "who": ", ".join(codes),
        "x": round(middle - width / 2, 1),
        "width": round(width, 1),
        "y": round(BAR["foot"] - height, 1),
        "height": round(height, 1),
    }
