"""Drawings of a rater’s work: one long page hides no pace, and others are scaled to the rater."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from annotation.domain.quality.careless_responding import Profile
from annotation.selectors.quality.rater_evidence import DrawnPage, RaterEvidence
from annotation.views.quality.rater_charts import FOOT, LEFT, RIGHT, TOP, pace_chart, seconds_chart


def evidence(seconds: Sequence[float], others: Sequence[float], least: float | None = None) -> RaterEvidence:
    pages = [DrawnPage(number, one, (3.0,)) for number, one in enumerate(seconds, start=1)]
    return RaterEvidence(Profile(len(pages), ()), len(pages), pages, others, least, n_comments=0)


def test_a_page_left_open_over_lunch_is_cut_and_the_others_remain_distinguishable() -> None:
    chart = pace_chart(evidence([4.0] * 10 + [3600.0, 8.0], [10.0, 20.0, 30.0, 40.0]))
    assert chart is not None
    assert [point.cut for point in chart.points].index(True) == 10
    assert chart.top < 60
    ys = [point.y for point in chart.points]
    assert ys[10] == TOP
    assert ys[0] - ys[-1] > 3
    assert all(LEFT <= point.x <= RIGHT for point in chart.points)
    xs = [point.x for point in chart.points]
    assert xs == sorted(xs)


def test_the_band_is_the_middle_half_of_the_others() -> None:
    chart = pace_chart(evidence([10.0] * 4, [10.0, 20.0, 30.0, 40.0, 50.0]))
    assert chart is not None
    assert chart.band is not None

    def seconds(y: float) -> float:
        return chart.top * (FOOT - y) / (FOOT - TOP)

    assert seconds(chart.band.y) == pytest.approx(45, abs=0.5)
    assert seconds(chart.band.y + chart.band.height) == pytest.approx(15, abs=0.5)


def test_without_times_or_others_nothing_is_drawn_of_them() -> None:
    assert pace_chart(evidence([], [10.0] * 9)) is None
    alone = pace_chart(evidence([10.0, 12.0], [9.0]))
    assert alone is not None
    assert alone.band is None
    assert seconds_chart(evidence([10.0, 12.0], [9.0])) is None


def test_others_are_scaled_to_the_number_of_the_raters_pages() -> None:
    chart = seconds_chart(evidence([5.0] * 4, [5.0] * 200, least=9.0))
    assert chart is not None
    assert chart.bars == chart.others
    assert max(bar.height for bar in chart.bars) == FOOT - TOP
    assert chart.limit is not None
    assert LEFT < chart.limit < RIGHT
