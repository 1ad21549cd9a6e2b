"""Best–worst scores of a study and mean ratings of the same items, in that study or in another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.domain.items.drawn_sets import LETTERS
from annotation.models import Study
from annotation.selectors.questions.long_table import ratings_frame
from scoring.models import Report
from scoring.services.data.counting import criterion_names, select_ratings
from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.best_worst.likert_means import correlate_with_means

REPLICATES = 2000


def compare_with_scales(report: Report, other: Study) -> list[dict[str, Any]]:
    """Correlate the best–worst scores of a report with the mean ratings on each scale of a study.

    Parameters
    ----------
    report : Report
        Reliability report with best–worst scores.
    other : Study
        With ratings on scales; it may be the study of the report. Its items are those that are compared
        in the sets if they have the same ID, or else the same text.

    Returns
    -------
    list of dict
        As `correlate_with_means` gives them, with `criterion` (of the scores) and `scale` (of the means);
        none where the study has no ratings on scales that count.
    """
    means = mean_ratings(other)
    texts = _texts_of_names(report.study)
    found = []
    scores: dict[str, dict[str, float]] = {}
    for row in report.tables.get("best_worst_scores", []):
        scores.setdefault(row["criterion"], {})[row["item"]] = row["score"]
    for criterion, of_items in scores.items():
        for scale, by_item in means.items():
            matched = {
                name: by_item[key]
                for name in of_items
                for key in [name if name in by_item else texts.get(name, name)]
                if key in by_item
            }
            resampling = Resampling(REPLICATES, report.method["seed"])
            rows = correlate_with_means(of_items, matched, resampling)
            found += [{"criterion": criterion, "scale": scale, **row} for row in rows]
    return found


def mean_ratings(study: Study) -> dict[str, dict[str, float]]:
    """The mean of the ratings that count on each scale, by item ID and by each text of one item only."""
    frame = ratings_frame(study)
    if frame.empty:
        return {}
    counted, _ = select_ratings(study, frame, pool_versions=False)
    counted = counted[counted["value"].notna()].assign(name=criterion_names)
    texts = _items_of_texts(study)
    found: dict[str, dict[str, float]] = {}
    averaged = counted.groupby(["name", "item"], sort=False)["value"].mean().reset_index()
    for name, item, mean in averaged.to_numpy().tolist():
        found.setdefault(str(name), {})[str(item)] = float(mean)
    for by_item in found.values():
        by_text = {text: by_item[item] for text, item in texts.items() if item in by_item}
        by_item.update({text: mean for text, mean in by_text.items() if text not in by_item})
    return found


def _items_of_texts(study: Study) -> dict[str, str]:
    """The item of each text that only one item has."""
    found: dict[str, str] = {}
    several: set[str] = set()
    for key, fields in study.items.values_list("key", "fields").iterator():
        for text in set(fields.values()):
            if found.setdefault(text, key) != key:
                several.add(text)
    return {text: key for text, key in found.items() if text not in several}


def _texts_of_names(study: Study) -> Mapping[str, str]:
    """The texts of the items of sets by the names that the metadata of the sets give them."""
    return {
        str(metadata[letter]): fields[letter]
        for fields, metadata in study.items.values_list("fields", "metadata").iterator()
        for letter in LETTERS
        if metadata.get(letter) and letter in fields
    }
