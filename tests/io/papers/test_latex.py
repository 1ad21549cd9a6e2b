"""LaTeX tables: the interval is named with its level, and any text is text."""

from __future__ import annotations

import pytest

from scoring.io.latex import escaped, latex_table, with_interval

COLUMNS = (("criterion", "Criterion"), ("estimate", "Estimate"), ("low", "Low"), ("high", "High"))
ROW = {"criterion": "quality", "estimate": 0.5, "low": -0.25, "high": 0.75, "confidence": 0.95}


def heading_of(rows: list[dict[str, object]]) -> str:
    return latex_table(with_interval(COLUMNS, rows), rows, "Caption").split("\\toprule\n")[1].split("\n")[0]


@pytest.mark.parametrize(
    ("confidence", "level"), [(0.95, r"95\% CI"), (0.9, r"90\% CI"), (0.999, r"99.9\% CI")]
)
def test_the_limits_have_one_heading_with_the_level_of_the_interval(confidence: float, level: str):
    heading = heading_of([{**ROW, "confidence": confidence}])
    assert heading == rf"Criterion & Estimate & \multicolumn{{2}}{{c}}{{{level}}} \\"


@pytest.mark.parametrize("rows", [[ROW, {**ROW, "confidence": 0.9}], [], [{**ROW, "low": None}]])
def test_without_one_level_the_heading_names_none(rows: list[dict[str, object]]):
    assert r"\multicolumn{2}{c}{CI}" in heading_of(rows)


def test_each_part_of_a_comparison_has_its_interval():
    columns = (("before_low", "x"), ("before_high", "x"), ("after_low", "x"), ("after_high", "x"))
    assert [heading for _, heading in with_interval(columns, [ROW])] == [
        "95% CI before",
        "",
        "95% CI after",
        "",
    ]


def test_a_row_has_a_cell_per_limit():
    table = latex_table(with_interval(COLUMNS, [ROW]), [ROW], "Caption")
    assert r"quality & 0.500 & $-$0.250 & 0.750 \\" in table


@pytest.mark.parametrize(
    ("changed", "expected"),
    [({}, False), ({"low": 0.75}, True), ({"low": 0.75 - 1e-15}, True), ({"low": None, "high": None}, False)],
)
def test_the_caption_says_that_an_interval_of_no_width_is_no_certainty(changed: dict[str, object], expected):
    rows = [ROW, {**ROW, **changed}]
    table = latex_table(with_interval(COLUMNS, rows), rows, "Caption")
    assert ("Caption Where both limits are the same, the width of 0 is no certainty." in table) is expected


def test_each_interval_of_a_comparison_is_looked_at_for_a_width():
    columns = (("before_low", "x"), ("before_high", "x"), ("after_low", "x"), ("after_high", "x"))
    wide, same = {"before_low": 0.1, "before_high": 0.9}, {"after_low": 1.0, "after_high": 1.0}
    assert "no certainty" in latex_table(columns, [{**wide, **same}], "Caption")
    assert "no certainty" not in latex_table(columns[:2], [{**wide, **same}], "Caption")


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("50% & more_", r"50\% \& more\_"),
        ("{a} #1 $2", r"\{a\} \#1 \$2"),
        ("~^\\", r"\textasciitilde{}\textasciicircum{}\textbackslash{}"),
        ("α − κ", r"$\alpha$ $-$ $\kappa$"),
    ],
)
def test_special_characters_of_names_captions_and_headings_are_escaped(text: str, latex: str):
    assert escaped(text) == latex
    table = latex_table([("name", text)], [{"name": text}], text)
    assert table.count(latex) == 3
    assert (
        latex_table([("name", text), ("high", "")], [], "").count(rf"\multicolumn{{2}}{{c}}{{{latex}}}") == 1
    )
