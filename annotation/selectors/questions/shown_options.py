"""The options of a choice as one rater sees them for one item: their words, their order, their keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy

from django.db.models import QuerySet

from annotation.domain.questions.kinds.kind import OF_OPTIONS as OPTION_YIELDS
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.domain.questions.option_settings import OptionSettings
from annotation.models import Assignment, Criterion, FormVersion, Item, Rater, ScalePoint, Study

WITH_OPTIONS = keys_yielding(*OPTION_YIELDS)
OPTIONS, SIDE = "options", "side"
OF_OPTIONS = (OPTIONS, SIDE)
KEYS = "123456789"


def differ_between_pages(version: FormVersion, criteria: Iterable[Criterion]) -> bool:
    """Whether the options of a form version are not the same on every page."""
    own = any(block.get("role") in OF_OPTIONS for block in version.blocks)
    return own or any(_is_shuffled(criterion) for criterion in criteria)


def has_options(study: Study) -> bool:
    """Whether a form of the study has a question with options."""
    return _ordinary(study).filter(kind__in=WITH_OPTIONS).exists()


def compares_pairs(study: Study) -> bool:
    """Whether a form of the study asks which of two is preferred."""
    return _ordinary(study).filter(kind__in=keys_yielding(Yields.PREFERENCE)).exists()


def shown_points(criterion: Criterion, assignment: Assignment, version: FormVersion) -> list[ScalePoint]:
    """The options of a criterion, its points prefetched, as the rater of an assignment sees them.

    Parameters
    ----------
    criterion : Criterion
        Of the version.
    assignment : Assignment
        With item, rater and study.
    version : FormVersion
        That is shown.
    """
    points = [_worded(point, own_words(criterion, version, assignment.item)) for point in _points(criterion)]
    if not _is_shuffled(criterion):
        return points
    by_value = {point.value: point for point in points}
    order = _order(criterion, assignment.item, assignment.rater)
    return [_keyed(by_value[value], place) for place, value in enumerate(order)]


def shown_order(criterion: Criterion, assignment: Assignment) -> list[str]:
    """Return the values in the order shown; nothing where every rater sees the same order."""
    return list(_order(criterion, assignment.item, assignment.rater)) if _is_shuffled(criterion) else []


def own_words(criterion: Criterion, version: FormVersion, item: Item) -> Mapping[str, str]:
    """What the options say for this item, by value; nothing where they say the same for every item."""
    blocks = [block for block in version.blocks if block.get("of") == criterion.key]
    unsure = OptionSettings.of(criterion.settings).unsure
    values = [point.value for point in _points(criterion) if point.value != unsure]
    found: dict[str, str] = {}
    for block in blocks:
        text = item.fields.get(block["field"], "")
        if block.get("role") == OPTIONS:
            found |= dict(zip(values, text.splitlines(), strict=False))
        elif block.get("role") == SIDE:
            found[block["value"]] = text
    return found


def _order(criterion: Criterion, item: Item, rater: Rater) -> tuple[str, ...]:
    return criterion.question_kind.shown_order(
        [point.value for point in _points(criterion)],
        OptionSettings.of(criterion.settings),
        place=f"{item.key}/{criterion.key}",
        seed=rater.study.seed,
        rater_seed=rater.seed,
    )


def _is_shuffled(criterion: Criterion) -> bool:
    return criterion.question_kind.is_shuffled(OptionSettings.of(criterion.settings))


def _points(criterion: Criterion) -> list[ScalePoint]:
    return list(criterion.points.all())


def _worded(point: ScalePoint, words: Mapping[str, str]) -> ScalePoint:
    if point.value not in words:
        return point
    shown = copy(point)
    shown.label = words[point.value]
    return shown


def _keyed(point: ScalePoint, place: int) -> ScalePoint:
    """Keys follow the order on the page, not the values."""
    shown = copy(point)
    shown.keyboard = KEYS[place] if place < len(KEYS) else ""
    return shown


def _ordinary(study: Study) -> QuerySet[Criterion]:
    """The criteria by which items are rated; the questions of attention checks are left out."""
    return Criterion.objects.filter(version__form__study=study, version__form__planted=False)
