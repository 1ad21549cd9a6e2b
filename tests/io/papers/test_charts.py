"""Charts for papers: everything can be read at the width of a column, whatever the names."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from scoring.io.charts.canvas import PAGE_HEIGHT, WIDTHS, ChartTooTall
from scoring.io.charts.forest_plots import forest_figure
from scoring.io.charts.heat_maps import heat_figure
from scoring.io.charts.text import CHINESE, JAPANESE, inches_of, paper_type, wrapped
from scoring.io.charts.wright_maps import shortened, spread, wright_figure

LONG = [
    "Fit of the components of the simile",
    "Creativity of the vehicle compared with the literal sentence",
    "Informativeness",
    "Grammatical fluency and naturalness of the whole",
    "Overall quality",
    "Emotional intensity of the comparison",
]
NAMES = {
    "one": LONG[:1],
    "three": LONG[:3],
    "six": LONG,
    "chinese": ["比喻的创新程度以及与字面义句子相比的新颖性", "信息量"],
    "japanese": ["比喩の独創性と字義通りの文に対する新しさ", "情報量"],
}
STATISTICS = [
    "Held-out Pearson, mean",
    "ICC1, mean of 5 ratings",
    "Krippendorff α, ordinal",
    "Brennan–Prediger κ, quadratic",
]
METRICS = ["BERTScore (roberta-large), recall", "ROUGE-L", "Relevance"]
LEAST_POINTS = 7


def has_fonts(names: str) -> bool:
    wanted = {"chinese": CHINESE, "japanese": JAPANESE}.get(names)
    return wanted is None or not set(wanted).isdisjoint(font_manager.get_font_names())


def model_of(systems: list[str]) -> dict[str, Any]:
    """A model whose systems, raters and thresholds are close to one another."""
    return {
        "values": [1, 2, 3, 4, 5],
        "systems": [{"system": name} for name in systems],
        "effects": {name: 0.01 * place for place, name in enumerate(systems)},
        "raters": [
            {"rater": f"R-{n:03d}", "logits": {"value": 0.02 * n, "low": -1.0, "high": 1.0}}
            for n in range(20)
        ],
        "thresholds": [-1.5, 0.1, 0.15, 2.5],
        "items": {"start": -2.0, "width": 0.25, "counts": [1, 5, 9, 20, 30, 20, 10, 5]},
    }


def drawn(kind: str, names: str, width: float) -> Figure:
    if not has_fonts(names):
        pytest.skip("this machine has no font for Chinese and Japanese")
    shown = NAMES[names]
    if kind == "forest":
        rows = [
            {"name": name, "estimate": 0.4, "low": -0.3, "high": 0.6, "confidence": 0.95}
            for name in STATISTICS
        ]
        return forest_figure([{"criterion": name, "rows": rows} for name in shown], width)
    if kind == "wright":
        return wright_figure(model_of(shown), width)
    values = [[-0.25 + 0.1 * place for place in range(len(shown))]] * len(METRICS)
    return heat_figure(METRICS, shown, values, note="scores of a trained model", width=width)


def texts_of(figure: Figure) -> list[Text]:
    found: Iterable[Text] = figure.findobj(Text)
    return [text for text in found if text.get_visible() and text.get_text().strip()]


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("kind", ["forest", "heat", "wright"])
def test_all_text_is_on_the_sheet_large_enough_and_free_of_other_text(kind, names, width):
    with paper_type(NAMES[names], "png"):
        figure = drawn(kind, names, width)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        boxes = {text: text.get_window_extent(canvas.get_renderer()) for text in texts_of(figure)}
    assert figure.get_size_inches()[0] == pytest.approx(width)
    assert figure.get_size_inches()[1] <= PAGE_HEIGHT
    for text, box in boxes.items():
        assert float(text.get_fontsize()) >= LEAST_POINTS
        inside = box.x0 > -1 and box.y0 > -1 and box.x1 < figure.bbox.x1 + 1 and box.y1 < figure.bbox.y1 + 1
        assert inside, (text.get_text(), box)
    for (one, first), (other, second) in combinations(boxes.items(), 2):
        assert not first.padded(-1).overlaps(second.padded(-1)), (one.get_text(), other.get_text())


@pytest.mark.parametrize("names", ["one", "three", "six"])
def test_each_criterion_is_named_whole(names):
    with paper_type(NAMES[names], "png"):
        for kind in ("forest", "heat"):
            words = {
                text.get_text().replace("\n", " ") for text in texts_of(drawn(kind, names, WIDTHS["column"]))
            }
            assert (kind == "forest" and names == "one") or words >= set(NAMES[names])


def test_a_forest_plot_says_which_confidence_its_lines_have():
    """A reader of a paper sees a line at each estimate, and no other word about it."""
    rows = [{"name": "α", "estimate": 0.4, "low": 0.3, "high": 0.6, "confidence": 0.95}]
    without = [{"name": "α", "estimate": 0.4, "low": None, "high": None, "confidence": 0.95}]
    with paper_type([], "png"):
        for shown, note in ((rows, True), (without, False)):
            figure = forest_figure([{"criterion": "quality", "rows": shown}], WIDTHS["column"])
            words = {text.get_text() for text in texts_of(figure)}
            assert ("Lines: 95% confidence intervals." in words) == note


def test_a_chart_taller_than_a_page_is_refused_at_that_width_only():
    rows = [{"name": name, "estimate": 0.4, "low": 0.3, "high": 0.6} for name in STATISTICS * 5]
    groups = [{"criterion": name, "rows": rows} for name in LONG]
    with paper_type([], "png"):
        with pytest.raises(ChartTooTall):
            forest_figure(groups, WIDTHS["column"])
        assert forest_figure(groups, None).get_size_inches()[1] > PAGE_HEIGHT


def test_lines_break_between_words_and_inside_them_only_where_one_is_too_long():
    with paper_type([], "svg"):
        across = inches_of("of the simile")
        assert wrapped("quality of the simile", across) == ["quality of", "the simile"]
        narrow = inches_of("incompre")
        pieces = wrapped("an incomprehensible simile", narrow)
        assert pieces[0] == "an"
        assert "".join(pieces) == "anincomprehensiblesimile"
        assert all(inches_of(piece) <= narrow for piece in pieces)
        assert wrapped("", 1) == []


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=30).map(sorted), st.floats(0.01, 0.5))
def test_names_along_an_axis_keep_their_order_and_their_distance(places: list[float], gap: float) -> None:
    found = spread(places, gap)
    assert all(after - before >= gap - 1e-9 for before, after in pairwise(found))
    assert sum(found) == pytest.approx(sum(places), abs=1e-6)
    if all(after - before >= gap for before, after in pairwise(places)):
        assert found == pytest.approx(places)
    low, high = -10.0, -10.0 + gap * len(places) + 1
    inside = spread(places, gap, low, high)
    assert low - 1e-9 <= inside[0]
    assert inside[-1] <= high + 1e-9
    assert all(after - before >= gap - 1e-9 for before, after in pairwise(inside))


@pytest.mark.parametrize("room", [0.2, 0.5, 1.0])
def test_a_long_name_is_shortened_to_the_room_of_its_column(room: float) -> None:
    with paper_type(LONG, "png"):
        found = shortened(LONG[1], room)
        assert inches_of(found) <= room
    assert found.endswith("…")
    assert LONG[1].startswith(found[:-1])
