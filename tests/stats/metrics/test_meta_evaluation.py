"""The figures of a meta-evaluation: their order, intervals, reasons, and the best of them."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scoring.stats.data.directions import sign, strength
from scoring.stats.data.rated_items import MeasuredItems, MeasuredItemsError
from scoring.stats.metrics.meta_evaluation import best_metrics, evaluate_metrics
from tests.stats.measured_samples import measured, ungrouped

KEYS = {
    *("criterion", "coefficient", "variant", "estimate", "low", "high", "confidence", "interval_method"),
    *("n_items", "n_raters", "n_ratings", "reason", "signature", "holds_for"),
    *("new_systems_low", "new_systems_high", "new_systems_p", "new_systems_method"),
    *("metric", "metric2", "level", "n_groups", "n_dropped", "p", "n_systems"),
}


def evaluated(items, **options):
    return evaluate_metrics(items, **{"replicates": 60, "seed": 1, **options}).figures


def changed(items, column, values):
    """The items with other scores of one metric."""
    scores = items.scores.copy()
    scores[:, column] = values
    return replace(items, scores=scores)


def test_every_metric_meets_every_criterion_once_in_a_fixed_order():
    items = measured(1)
    figures = evaluated(items)
    places = [(one.level, one.coefficient, one.criterion, one.metric) for one in figures]
    assert len(set(places)) == len(places) == 3 * 3 * 2 * 3
    assert places[:4] == [
        ("item", "pearson", "criterion 0", "metric 0"),
        ("item", "pearson", "criterion 0", "metric 1"),
        ("item", "pearson", "criterion 0", "metric 2"),
        ("item", "pearson", "criterion 1", "metric 0"),
    ]
    assert figures == evaluated(items)


def test_a_row_has_the_keys_of_the_contract_and_is_json():
    items = changed(measured(1), 0, 1.0)
    rows = [figure.to_row() for figure in evaluated(items)]
    assert all(set(row) == KEYS for row in rows)
    assert all((row["estimate"] is None) == bool(row["reason"]) for row in rows)
    json.dumps(rows, allow_nan=False)


def test_intervals_hold_the_estimate_and_name_what_was_resampled():
    for figure in evaluated(measured(1, groups=40), levels=["item", "group"]):
        assert figure.low < figure.estimate < figure.high
        assert figure.interval_method == "percentile-bootstrap:groups"
        assert "replicates:60" in figure.signature
    (first, *_) = evaluated(ungrouped(measured(1)), levels=["item"])
    assert first.interval_method == "percentile-bootstrap:items"


def test_numbers_say_what_each_figure_rests_on():
    items = measured(3, groups=6, systems=5)
    scores = items.scores[:, 0].copy()
    scores[items.unit_codes == 2] = np.nan
    found = {
        one.level: one
        for one in evaluated(changed(items, 0, scores), coefficients=["pearson"])
        if one.metric == "metric 0"
    }
    assert {one.n_items for one in found.values()} == {25}
    assert (found["item"].n_groups, found["item"].n_dropped) == (5, 5)
    assert (found["group"].n_groups, found["group"].n_dropped) == (5, 1)
    assert (found["system"].n_systems, found["system"].n_dropped) == (5, 0)


def test_a_group_whose_scores_are_all_alike_is_no_group_of_the_figure():
    items = measured(3, groups=6)
    scores = np.where(items.unit_codes == 2, 1.0, items.scores[:, 0])
    figure = evaluated(changed(items, 0, scores), levels=["group"], coefficients=["pearson"])[0]
    assert (figure.n_groups, figure.n_dropped, figure.n_items) == (5, 1, 24)


@pytest.mark.parametrize(
    ("change", "level", "reason"),
    [
        (lambda items: changed(items, 0, 2.0), "item", "constant_scores"),
        (lambda items: changed(items, 0, np.nan), "item", "too_few_items"),
        (lambda items: changed(items, 0, items.unit_codes), "group", "no_defined_group"),
        (lambda items: changed(items, 0, items.unit_codes), "system", "constant_means"),
        (lambda items: replace(items, human=np.ones_like(items.human)), "item", "constant_ratings"),
        (lambda items: items.only(systems=["system 1"]), "system", "too_few_systems"),
        (ungrouped, "group", "no_groups"),
        (ungrouped, "system", "no_systems"),
    ],
)
def test_without_a_correlation_there_is_a_reason(change, level, reason):
    figure = evaluated(change(measured(2)), levels=[level], coefficients=["spearman"])[0]
    assert np.isnan(figure.estimate)
    assert (figure.reason, figure.interval_method) == (reason, f"none:{reason}")


def test_without_replicates_there_are_estimates_alone():
    figures = evaluated(measured(2), replicates=0)
    assert {figure.interval_method for figure in figures} == {"none:not_asked"}


def test_progress_is_reported_and_can_stop_the_work():
    reported = []
    evaluated(measured(1), levels=["group"], progress=lambda done, total: reported.append((done, total)))
    assert reported == [(1, 3), (2, 3), (3, 3)]

    def stop(_done, _total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluated(measured(1), progress=stop)


def test_the_best_metrics_follow_the_declared_directions():
    items = measured(5, metrics=1, criteria=1, groups=30)
    scores = np.column_stack([items.scores, -items.scores, items.scores])
    items = replace(items, metrics=("b", "down", "a"), scores=scores)
    figures = evaluated(items, levels=["item"], coefficients=["pearson"], replicates=0)
    (table,) = best_metrics(figures, 2)
    assert [one.metric for one in table.figures] == ["a", "b"]
    (table,) = best_metrics(figures, 1, {"down": "lower", "a": "lower", "b": "lower"})
    assert [one.metric for one in table.figures] == ["down"]


def test_an_undefined_correlation_is_never_among_the_best():
    figures = evaluated(changed(measured(5), 1, 3.0), levels=["item"], coefficients=["pearson"])
    assert {len(table.figures) for table in best_metrics(figures, 9)} == {2}


def test_a_metric_that_points_the_wrong_way_is_below_zero():
    values = np.array([0.4, -0.2])
    assert strength(values, "higher").tolist() == [0.4, -0.2]
    assert strength(values, "lower").tolist() == [-0.4, 0.2]
    assert strength(values, "unsigned").tolist() == [0.4, 0.2]
    assert [sign(-0.3, way) for way in ("higher", "lower", "unsigned")] == [1, -1, -1]


def test_items_that_share_nothing_are_refused():
    ratings, scores = (pd.DataFrame({"x": [1.0]}, index=[key]) for key in ("one", "other"))
    with pytest.raises(MeasuredItemsError) as refusal:
        MeasuredItems.from_frames(ratings, scores, ratings)
    assert refusal.value.code == "no_shared_items"


def test_kendalls_tau_of_very_many_items_has_an_estimate_without_interval():
    items = ungrouped(measured(1, groups=1001, systems=3, metrics=1, criteria=1))
    (figure,) = evaluated(items, levels=["item"], coefficients=["kendall"])
    assert np.isfinite(figure.estimate)
    assert figure.interval_method == "none:too_many_items"
