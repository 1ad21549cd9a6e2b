"""The options of a choice as one rater sees them for one item: their words, their order, their keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from django.db.models import QuerySet

from annotation.domain.questions.kinds.kind import OF_OPTIONS as OPTION_YIELDS
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.domain.questions.option_settings import OptionSettings, side_of
from annotation.models import Assignment, Criterion, FormVersion, Item, ScalePoint, Study

WITH_OPTIONS = keys_yielding(*OPTION_YIELDS)
OFFERING_OPTIONS = keys_yielding(*OPTION_YIELDS, Yields.ORDER)
OPTIONS, SIDE = "options", "side"
OF_OPTIONS = (OPTIONS, SIDE)
KEYS = "123456789"


def differ_between_items(criterion: Criterion) -> bool:
    """Whether the options of a question are texts of the item, so that a value says nothing beyond it."""
    own = [block for block in criterion.version.blocks if block.get("of") == criterion.key]
    return any(block.get("role") in OF_OPTIONS for block in own)


def differ_between_pages(version: FormVersion, criteria: Iterable[Criterion]) -> bool:
    """Whether the options of a form version are not the same on every page."""
    own = any(block.get("role") in OF_OPTIONS for block in version.blocks)
    return own or any(_is_shuffled(criterion) for criterion in criteria)


def has_options(study: Study) -> bool:
    """Whether a form of the study has a question with options, to choose or to put in order."""
    return _ordinary(study).filter(kind__in=OFFERING_OPTIONS).exists()


def compares_pairs(study: Study) -> bool:
    """Whether a form of the study asks which of two is preferred."""
    return _ordinary(study).filter(kind__in=keys_yielding(Yields.PREFERENCE)).exists()


def texts_in_order(study: Study) -> int:
    """How many texts of an item a question of the study puts in order; 0 if none does."""
    asked = _ordinary(study).filter(kind__in=keys_yielding(Yields.ORDER)).select_related("version")
    numbers = (
        sum(block.get("role") == SIDE and block.get("of") == one.key for block in one.version.blocks)
        for one in asked
    )
    return max(numbers, default=0)


def fields_in_order(study: Study) -> list[str]:
    """The texts of an item that a question of the study puts in order."""
    asked = _ordinary(study).filter(kind__in=keys_yielding(Yields.ORDER)).select_related("version")
    return [
        block["field"]
        for one in asked
        for block in one.version.blocks
        if block.get("role") == SIDE and block.get("of") == one.key
    ]


def shown_points(criterion: Criterion, assignment: Assignment, version: FormVersion) -> list[ScalePoint]:
    """The options of a criterion, its points prefetched, as the rater of an assignment sees them.

    Parameters
    ----------
    criterion : Criterion
        A criterion of the version.
    assignment : Assignment
        The assignment with item, rater and study.
    version : FormVersion
        The version that is shown.
    """
    points = [_worded(point, own_words(criterion, version, assignment.item)) for point in _points(criterion)]
    if not _is_shuffled(criterion):
        return points
    by_value = {point.value: point for point in points}
    order = _order(criterion, assignment, version)
    return [_keyed(by_value[value], place) for place, value in enumerate(order)]


def shown_order(criterion: Criterion, assignment: Assignment, version: FormVersion) -> list[str]:
    """Return the values in the order shown with a version; nothing where every rater sees the same order."""
    return list(_order(criterion, assignment, version)) if _is_shuffled(criterion) else []


def words_of_item(
    criterion: Criterion, criteria: Sequence[Criterion], assignment: Assignment
) -> dict[str, Any]:
    """The labels of a question's options for an item, and where the page shows its two texts.

    Parameters
    ----------
    criterion : Criterion
        One of the criteria.
    criteria : sequence of Criterion
        The criteria of the page, in their order.
    assignment : Assignment
        The assignment of the page.

    Returns
    -------
    dict
        `of_item`, and `pair`: `above` for the first of several questions that compare the same texts, over
        which the page shows them; `below` for the others; empty where a question shows its own.
    """
    version = assignment.version
    alike = [one for one in criteria if _compares_the_same(one, criterion, version)]
    first = next((one for one in alike if not one.asked_after), None)
    later = alike[alike.index(first) :] if first is not None and len(alike) > 1 else []
    pair = ("above" if criterion is first else "below") if criterion in later else ""
    return {"of_item": own_words(criterion, version, assignment.item), "pair": pair}


def _compares_the_same(one: Criterion, other: Criterion, version: FormVersion) -> bool:
    if not one.question_kind.yields is other.question_kind.yields is Yields.PREFERENCE:
        return False
    return one == other or _pair_key(one.key, version) == _pair_key(other.key, version)


def _pair_key(key: str, version: FormVersion) -> str:
    """The criterion that shows the same texts as a criterion and is the first to do so."""
    sides: dict[str, dict[str, str]] = {}
    for block in version.blocks:
        if block.get("role") == SIDE:
            sides.setdefault(block["of"], {})[block["value"]] = block["field"]
    return next((one for one, texts in sides.items() if texts == sides.get(key)), key)


def own_words(criterion: Criterion, version: FormVersion, item: Item) -> Mapping[str, str]:
    """The labels of options for this item, by value; empty if they are the same for every item."""
    blocks = [block for block in version.blocks if block.get("of") == criterion.key]
    unsure = OptionSettings.of(criterion.settings).unsure
    values = [point.value for point in _points(criterion) if point.value != unsure]
    found: dict[str, str] = {}
    for block in blocks:
        text = item.fields.get(block["field"], "")
        if block.get("role") == OPTIONS:
            found |= dict(zip(values, text.splitlines(), strict=False))
        elif block.get("role") == SIDE:
            found |= {value: text for value in values if side_of(value) == block["value"]}
    return found


def _order(criterion: Criterion, assignment: Assignment, version: FormVersion) -> tuple[str, ...]:
    """The order of values; several questions about one pair have the sides in the same order."""
    item, rater = assignment.item, assignment.rater
    compares = criterion.question_kind.yields is Yields.PREFERENCE
    key = _pair_key(criterion.key, version) if compares else criterion.key
    return criterion.question_kind.shown_order(
        [point.value for point in _points(criterion)],
        OptionSettings.of(criterion.settings),
        place=f"{item.key}/{key}",
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
    """A point with its shortcut, which follows the order on the page, not the values."""
    shown = copy(point)
    shown.keyboard = KEYS[place] if place < len(KEYS) else ""
    return shown


def _ordinary(study: Study) -> QuerySet[Criterion]:
    """The criteria by which items are rated; the questions of attention checks are left out."""
    return Criterion.objects.filter(version__form__study=study, version__form__planted=False)
