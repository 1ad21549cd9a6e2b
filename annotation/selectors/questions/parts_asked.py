"""The parts of a tuple that a criterion asks for."""

from __future__ import annotations

from annotation.domain.questions.tuples import PARTS
from annotation.models import Criterion


def parts_asked(criterion: Criterion) -> list[str]:
    """The parts of the tuples that a criterion asks for: its points, or the usual ones where it has none.

    Parameters
    ----------
    criterion : Criterion
        Of kind tuples.
    """
    return [point.value for point in criterion.points.all()] or list(PARTS)
