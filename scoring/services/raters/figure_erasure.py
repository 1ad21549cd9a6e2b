"""Erasing the figures of one rater."""

from __future__ import annotations

from annotation.models import Rater
from scoring.models import RaterFigure
from scoring.services.base.single_raters import remove_rater_statistics


def erase_figures(rater: Rater) -> None:
    """Erase the figures of a rater; called in the transaction of the erasure.

    Parameters
    ----------
    rater : Rater
        Rater whose answers are erased afterwards; the study is locked.
    """
    RaterFigure.objects.filter(rater=rater).delete()
    remove_rater_statistics(rater)
