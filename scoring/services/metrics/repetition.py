"""Two runs of one study compared: how closely the second one repeats the results of the first."""

from __future__ import annotations

from typing import Any

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.models import Study
from annotation.selectors.questions.long_table import ratings_frame
from scoring.services.data.counting import criterion_names, select_ratings
from scoring.services.data.tables import ratings_table, scales_by_name
from scoring.stats.data.table import RatingsTable
from scoring.stats.metrics.comparing.repetition import compare_runs


def compare_studies(first: Study, second: Study) -> dict[str, Any]:
    """Compare the results of two studies that asked the same of the same items.

    Parameters
    ----------
    first : Study
        The first run.
    second : Study
        The run that repeats it; items and criteria with the same keys are the same, and an item has
        the system that it has in the first run.

    Returns
    -------
    dict
        `has_simulated` (whether simulated responses count in either), and `criteria`, one entry for each
        criterion that both have: `criterion`, `low` (the value from which CV* counts), `n_items` (items of
        the first, of the second, of both) and `results`, one for each result of `compare_runs`.

    Raises
    ------
    GroundworkError
        One of the studies has no ratings on a scale (`no_ratings`), or they have no criterion
        (`no_shared_criteria`) or no item (`no_shared_items`) in common.
    """
    runs = [_Run(study) for study in (first, second)]
    shared = [name for name in runs[0].table.criteria if name in runs[1].table.criteria]
    if not shared:
        raise GroundworkError(
            message("The two studies have no criterion on a scale with the same key."),
            code="no_shared_criteria",
        )
    if not runs[0].items & runs[1].items:
        raise GroundworkError(
            message("The two studies have no rated item with the same key."), code="no_shared_items"
        )
    return {
        "has_simulated": any(run.has_simulated for run in runs),
        "criteria": [_criterion(name, *runs) for name in shared],
    }


class _Run:
    """The ratings of a study that count."""

    def __init__(self, study: Study) -> None:
        rows, _ = select_ratings(study, ratings_frame(study), pool_versions=False)
        names = criterion_names(rows)
        self.table: RatingsTable = ratings_table(study, rows, names)
        self.scales = scales_by_name(study, rows, names)
        self.items: set[str] = set(rows["item"])
        self.has_simulated = bool(rows["simulated"].any())
        self.systems: dict[str, str] = dict(zip(rows["item"], rows["system"], strict=True))


def _criterion(name: str, first: _Run, second: _Run) -> dict[str, Any]:
    ratings = [run.table.criteria[name] for run in (first, second)]
    scales = (first.scales[name], second.scales[name])
    results = compare_runs(ratings[0], ratings[1], second.systems | first.systems, scales=scales)
    rated = [set(map(str, rating.items)) for rating in ratings]
    return {
        "criterion": name,
        "low": 0.0 if scales[0].logarithmic else scales[0].low,
        "n_items": [len(rated[0]), len(rated[1]), len(rated[0] & rated[1])],
        "results": [result.to_row() for result in results],
    }
