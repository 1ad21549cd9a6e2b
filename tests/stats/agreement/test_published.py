"""Figures of the published HAUSER ratings, against the reference cells."""

import json
from dataclasses import replace

import pandas as pd
import pytest

from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.reliability import reliability
from scoring.stats.agreement.variance.anova import f_interval, mean_squares
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable

pytestmark = pytest.mark.published_data

CRITERIA = {"q": "Quality", "c": "Creativity", "i": "Informativeness"}
SOURCES = (
    "Table 2 (After)",
    "derived: ICC",
    "derived: alpha",
    "derived: kappa",
    "derived: held-out per rater",
)
SIDES = {"lo": "low", "hi": "high"}


@pytest.fixture(scope="module")
def frame(published_data):
    table = pd.read_csv(published_data / "hauser" / "human_annotated.csv")
    parts = [
        pd.DataFrame(
            {
                "item": table.index,
                "rater": f"rater{rater}",
                "criterion": name,
                "value": table[f"label{rater}_{letter}"],
                "group": table["literal_sentences"],
            }
        )
        for letter, name in CRITERIA.items()
        for rater in (1, 2, 3)
    ]
    return pd.concat(parts)


@pytest.fixture(scope="module")
def figures(frame):
    """Those of the groups, and ICCs of single items: the reference limits of ICCs know of no groups.

    The reference has McGraw and Wong’s limits of ICC2 and ICC2k, which reports replace by pivots.
    """
    grouped = figures_of(frame, replicates=100)
    alone = figures_of(frame.drop(columns="group"), replicates=1)
    found = grouped | {key: figure for key, figure in alone.items() if key[1].startswith("icc")}
    for criterion, ratings in RatingsTable.from_frame(frame.drop(columns="group")).criteria.items():
        for key in ("icc2", "icc2k"):
            limits = f_interval(key, mean_squares(ratings), (0.025, 0.975))
            figure = found[criterion, key, ""]
            found[criterion, key, ""] = replace(figure, low=limits.low, high=limits.high)
    return found


def figures_of(frame, *, replicates):
    result = reliability(RatingsTable.from_frame(frame), seed=1, replicates=replicates)
    return {
        (f.criterion, f.coefficient, f.variant if f.coefficient[0] in "ah" else ""): f for f in result.figures
    }


def cells(published_data, name, sources):
    content = json.loads((published_data / "expected" / name).read_text(encoding="utf-8"))
    return [cell for cell in content["cells"] if cell["source"] in sources]


def computed(figures, cell):
    """The figure a reference cell speaks of; None for cells of other coefficients."""
    criterion, column = cell["row"], cell["col"]
    if cell["definition"] == "icc":
        key, _, side = column.partition("_")
        return getattr(figures[criterion, key.lower(), ""], SIDES.get(side, "estimate"))
    if cell["definition"].startswith("heldout"):
        coefficient = "held_out_pearson" if "Pearson" in column else "held_out_spearman"
        variant = next((word for word in column.split() if word in {"mean", "max"}), "")
        variant = variant or f"rater:{column.split()[0]}"
        return figures[criterion, coefficient, variant].estimate
    if cell["definition"] == "fleiss":
        return figures[criterion, "fleiss", ""].estimate
    if cell["definition"] == "alpha" and column in {"ordinal", "interval"}:
        return figures[criterion, "alpha", column].estimate
    return None


def test_the_reference_cells_of_hauser_come_out(published_data, figures):
    compared = 0
    for cell in cells(published_data, "hauser.json", SOURCES):
        value = computed(figures, cell)
        if value is not None:
            assert value == pytest.approx(cell["value"], abs=cell["tolerance"]), cell["id"]
            compared += 1
    assert compared >= 45


def test_the_figures_printed_in_table_2_come_out(published_data, figures):
    printed = [
        cell for cell in cells(published_data, "hauser.json", SOURCES[:1]) if cell["paper"] is not None
    ]
    assert printed
    for cell in printed:
        assert round(computed(figures, cell), cell["paper_decimals"]) == pytest.approx(cell["paper"]), cell[
            "id"
        ]


def test_the_bootstrap_of_alpha_agrees_with_forty_thousand_replicates(published_data, frame):
    table = RatingsTable.from_frame(frame.drop(columns="group"))
    for cell in cells(published_data, "bootstrap.json", ("hauser",)):
        _, level, side = cell["col"].split(" ", 2)
        if side in SIDES:
            figure = alpha(table.criteria[cell["row"]], level, Resampling(replicates=20_000, seed=3))
            assert getattr(figure, SIDES[side]) == pytest.approx(cell["value"], abs=cell["tolerance"]), cell[
                "id"
            ]
