"""All kinds of questions, by the key that a criterion's row stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.questions.kinds.binary import BINARY
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.kind import Answer, QuestionKind, Yields
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.questions.kinds.marking.errors import ERRORS
from annotation.domain.questions.kinds.marking.tuples import TUPLES
from annotation.domain.questions.kinds.multiple import MULTIPLE
from annotation.domain.questions.kinds.orders.best_worst import BEST_WORST
from annotation.domain.questions.kinds.orders.ranking import RANKING
from annotation.domain.questions.kinds.preference import PREFERENCE
from annotation.domain.questions.kinds.slider import SLIDER
from annotation.domain.questions.kinds.text import TEXT
from annotation.domain.questions.kinds.typed.magnitude import MAGNITUDE
from annotation.domain.questions.kinds.typed.number import NUMBER_WITH_UNIT

KINDS: Mapping[str, QuestionKind] = {
    kind.key: kind
    for kind in (
        LIKERT,
        SLIDER,
        MAGNITUDE,
        NUMBER_WITH_UNIT,
        BINARY,
        CHOICE,
        MULTIPLE,
        TEXT,
        TUPLES,
        PREFERENCE,
        RANKING,
        BEST_WORST,
        ERRORS,
    )
}
DEFAULT_KIND = LIKERT.key
# Kinds whose answers are compared by ratios.
ON_RATIOS = tuple(key for key, kind in KINDS.items() if kind.on_ratios)


def cell_of(kind: str, value: float | None, text: str, content: Sequence[Any] | None) -> float | str:
    """Return a stored answer as files, the API and fingerprints hold it.

    Parameters
    ----------
    kind : str
        Key of the kind of its question.
    value, text, content
        The columns of its row, of which exactly one says something.
    """
    return KINDS[kind].cell(Answer(value, text, content)) if value is None else value


def keys_yielding(*yields: Yields) -> tuple[str, ...]:
    """Return the keys of the kinds whose answers statistics can use in one of these ways."""
    return tuple(key for key, kind in KINDS.items() if kind.yields in yields)


def kinds_by_yield() -> list[QuestionKind]:
    """Return all kinds, ordered by the type of value that they yield."""
    order = list(Yields)
    return sorted(KINDS.values(), key=lambda kind: order.index(kind.yields))


def kind_choices() -> list[tuple[str, str]]:
    """Return what a criterion's row may store; a callable, so that a new kind needs no migration."""
    return [(key, key) for key in KINDS]
