"""What a study's size can show: the stated figures are those of simulated raters."""

from __future__ import annotations

import random
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotation.domain.quality.careless_responding import Limits, Page, profile
from annotation.domain.quality.chance_pass_rate import chance_level
from annotation.domain.quality.checks import Gold, Instructed, Twin
from annotation.domain.quality.detection_power import CAREFUL, assess_detection_power
from annotation.domain.quality.longest_run import longest_run
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.likert import LIKERT


def scale(points: int) -> Question:
    return Question(key="q", name="Q", kind=LIKERT, minimum=1, maximum=points)


@given(st.integers(2, 9), st.integers(1, 60), st.integers(1, 6))
def test_probabilities_are_probabilities(points, items, criteria):
    made = assess_detection_power(points, items, criteria=criteria)
    assert 1 <= made.even.expected <= made.peaked.expected + 1e-9
    assert made.peaked.expected <= items
    assert 0 < made.retained < 1
    assert (made.correlations is None) == (items < 4)
    assert made.enough_items == (items >= Limits().fewest)


@given(st.integers(2, 9))
def test_chances_are_those_of_the_checks(points):
    made = assess_detection_power(points, 20, criteria=3)
    questions = [scale(points)]
    assert made.instructed == float(chance_level(Instructed({"q": 1}), questions))
    assert made.twin == float(chance_level(Twin({"q": 1}), questions))
    bands = [chance_level(Gold({"q": ref}, {"q": 1}), questions) for ref in range(1, points + 1)]
    assert made.near == pytest.approx(float(sum(bands) / points))
    assert points**-made.instructed_needed < 0.05 <= points ** -(made.instructed_needed - 1)
    assert made.flat == pytest.approx(points**-2)
    assert assess_detection_power(points, 20, criteria=2).flat is None


def test_expected_runs_are_those_of_simulated_raters():
    rng = random.Random(1)
    made = assess_detection_power(3, 20)
    runs = [longest_run(rng.choices((1, 2, 3), (2, 1, 1), k=20)) for _ in range(4000)]
    assert statistics.fmean(runs) == pytest.approx(made.peaked.expected, abs=0.15)


@pytest.mark.parametrize("true", CAREFUL)
def test_power_and_false_flags_are_those_of_simulated_raters(true):
    made = assess_detection_power(5, 20).correlations
    assert made is not None
    rng = np.random.default_rng(2)
    x = rng.standard_normal((2000, 20))
    y = true * x + np.sqrt(1 - true**2) * rng.standard_normal((2000, 20))
    r = np.array([np.corrcoef(one, other)[0, 1] for one, other in zip(x, y, strict=True)])
    assert np.mean(r > made.significant_from) == pytest.approx(made.power[true], abs=0.04)
    assert np.mean(r < Limits().correlation) == pytest.approx(made.careful_flagged[true], abs=0.04)


@pytest.mark.parametrize("items", [10, 20, 100])
def test_the_smallest_telling_correlation_is_nearly_that_of_the_t_test(items):
    t = stats.t.ppf(0.95, items - 2)
    made = assess_detection_power(5, items).correlations
    assert made is not None
    assert made.significant_from == pytest.approx(t / np.sqrt(items - 2 + t**2), abs=0.01)


def test_random_raters_pass_the_correlation_as_often_as_stated():
    made = assess_detection_power(5, 20).correlations
    assert made is not None
    rng = random.Random(4)
    passed = 0
    for _ in range(800):
        pages = [Page({"q": rng.randint(1, 5)}, others={"q": rng.gauss(3, 1)}) for _ in range(20)]
        passed += profile(pages, [scale(5)])["correlation"].flagged is False
    assert passed / 800 == pytest.approx(made.random_passed, abs=0.05)


@pytest.mark.parametrize("points", [2, 3, 5])
def test_what_a_scale_keeps_is_the_correlation_of_a_cut_judgement(points):
    judged = np.random.default_rng(3).standard_normal(200_000)
    cut = np.searchsorted(np.quantile(judged, np.arange(1, points) / points), judged)
    assert np.corrcoef(judged, cut)[0, 1] == pytest.approx(
        assess_detection_power(points, 20).retained, abs=0.01
    )


def test_more_items_show_more():
    few, many = assess_detection_power(3, 20).correlations, assess_detection_power(3, 200).correlations
    assert few is not None
    assert many is not None
    assert all(many.power[true] > few.power[true] for true in CAREFUL)
    assert many.significant_from < few.significant_from


@pytest.mark.parametrize(("points", "items", "criteria"), [(1, 5, 1), (3, 0, 1), (3, 5, 0)])
def test_sizes_that_do_not_exist_are_refused(points, items, criteria):
    with pytest.raises(ValueError, match="at least"):
        assess_detection_power(points, items, criteria=criteria)
