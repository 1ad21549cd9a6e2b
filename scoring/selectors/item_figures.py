"""Which stored figures of a study's items are the newest, and whether they speak of all the data."""

from __future__ import annotations

from typing import Any

from annotation.models import CheckVerdict, Study
from scoring.models import FigureSet
from scoring.selectors.staleness import data_state


def newest_set(study: Study) -> FigureSet | None:
    """The newest figures that are stored whole.

    Parameters
    ----------
    study : Study
        Whose items.
    """
    return FigureSet.objects.filter(study=study, ready=True).order_by("-pk").first()


def figures_state(study: Study) -> dict[str, Any]:
    """How much there is of everything that the figures come from; it is read before the data are.

    Parameters
    ----------
    study : Study
        The study.

    Returns
    -------
    dict
        As of a report about metrics, with the items and the verdicts on attention checks.
    """
    return {
        **data_state(study, "metrics"),
        "n_items": study.items.count(),
        "n_verdicts": CheckVerdict.objects.filter(assignment__rater__study=study).count(),
    }


def out_of_date(study: Study, made: FigureSet) -> bool:
    """Whether computing again may give other figures.

    Parameters
    ----------
    study : Study
        The study.
    made : FigureSet
        What a page shows.
    """
    return bool(figures_state(study) != made.data_state)
