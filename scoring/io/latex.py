"""Tables for papers: LaTeX with booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scoring.stats.base.cautions import zero_width_part

# Ends the caption where an interval has no width.
ZERO_WIDTH = "Where both limits are the same, the width of 0 is no certainty."
SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "ε": r"$\varepsilon$",
    "Δ": r"$\Delta$",
    "Ξ": r"$\Xi$",
    "¤": r"\textcurrency{}",
    "§": r"\S{}",
    "−": r"$-$",
    "–": "--",
}


def latex_table(
    columns: Sequence[tuple[str, str]], rows: Iterable[Mapping[str, Any]], caption: str, decimals: int = 3
) -> str:
    """A table with booktabs rules.

    Parameters
    ----------
    columns : sequence of (str, str)
        Key of a row's cell, and the heading; an empty heading continues the one before it.
    rows : iterable of mapping
        Numbers are rounded; None is a dash.
    caption : str
        Below the table. Where both limits of an interval are the same, it says that this is no certainty.
    decimals : int
        Decimals of numbers that are not whole.
    """
    rows = list(rows)
    keys = [key for key, _ in columns]
    body = [[row.get(key) for key in keys] for row in rows]
    if any(_has_zero_width(row, keys) for row in rows):
        caption = f"{caption} {ZERO_WIDTH}"
    numeric = [
        bool(body) and all(isinstance(line[position], int | float | None) for line in body)
        for position in range(len(columns))
    ]
    alignment = "".join("r" if number else "l" for number in numeric)
    heading = " & ".join(_headings([heading for _, heading in columns])) + r" \\"
    lines = [" & ".join(_cell(value, decimals) for value in line) + r" \\" for line in body]
    return _in_table(alignment, [heading, r"\midrule", *lines], caption)


def with_interval(
    columns: Sequence[tuple[str, str]], rows: Iterable[Mapping[str, Any]]
) -> tuple[tuple[str, str], ...]:
    """The columns with the two limits of an interval under one heading, such as “95% CI”.

    Parameters
    ----------
    columns : sequence of (str, str)
        As for `latex_table`; the limits are `low` and `high`, or end with these words.
    rows : iterable of mapping
        Statistics with their `confidence`. Without a level that all intervals have, the heading is “CI”.
    """
    levels = {row["confidence"] for row in rows if row.get("low") is not None and row.get("confidence")}
    interval = f"{100 * levels.pop():g}% CI" if len(levels) == 1 else "CI"
    return tuple((key, _of_interval(key, heading, interval)) for key, heading in columns)


def _of_interval(key: str, heading: str, interval: str) -> str:
    part, _, name = key.rpartition("_")
    if name == "low":
        return f"{interval} {part}".strip().replace("_", " ")
    return {"high": "", "width": f"{heading} of {interval}"}.get(name, heading)


def _has_zero_width(row: Mapping[str, Any], keys: Sequence[str]) -> bool:
    ends = [key.removesuffix("low") for key in keys if f"_{key}".endswith("_low")]
    limits = [(row.get(f"{end}low"), row.get(f"{end}high")) for end in ends]
    return any(
        low is not None and high is not None and zero_width_part(low, high) != "" for low, high in limits
    )


def _headings(texts: Sequence[str]) -> Iterator[str]:
    position = 0
    while position < len(texts):
        end = next((at for at in range(position + 1, len(texts)) if texts[at]), len(texts))
        text, columns = escaped(texts[position]), end - position
        yield text if columns == 1 else rf"\multicolumn{{{columns}}}{{c}}{{{text}}}"
        position = end


def before_after_table(rows: Iterable[Mapping[str, Any]], caption: str, decimals: int = 3) -> str:
    """Agreement before and after a removal as two blocks of criteria, the lowest of a block in bold.

    Parameters
    ----------
    rows : iterable of mapping
        `setting`, `criterion`, `first`, and `cells`, each with `value` and `lowest`: mean and maximum of
        Pearson's, then of Spearman's correlation.
    caption, decimals
        As for `latex_table`.

    Returns
    -------
    str
        A `table` environment; needs the package booktabs.

    References
    ----------
    He et al. (2023), table 2.
    """
    lines = [
        r" & & \multicolumn{2}{c}{Pearson} & \multicolumn{2}{c}{Spearman} \\",
        r"\cmidrule(lr){3-4} \cmidrule(lr){5-6}",
        r"Setting & Metric & Mean & Max & Mean & Max \\",
    ]
    for row in rows:
        if row["first"]:
            lines.append(r"\midrule")
        setting = row["setting"].capitalize() if row["first"] else ""
        cells = [_figure(cell, decimals) for cell in row["cells"]]
        lines.append(" & ".join([setting, escaped(row["criterion"].capitalize()), *cells]) + r" \\")
    return _in_table("llrrrr", lines, caption)


def _in_table(alignment: str, lines: Iterable[str], caption: str) -> str:
    begin = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    end = [r"\bottomrule", r"\end{tabular}", rf"\caption{{{escaped(caption)}}}", r"\end{table}"]
    return "\n".join([*begin, *lines, *end]) + "\n"


def escaped(text: str) -> str:
    """Escape LaTeX's special characters in plain text."""
    return "".join(SPECIAL.get(character, character) for character in text)


def _cell(value: Any, decimals: int) -> str:
    if value is None:
        return "--"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return escaped(str(value))
    if isinstance(value, int):
        return str(value)
    return f"{value:.{decimals}f}".replace("-", "$-$")


def _figure(cell: Mapping[str, Any], decimals: int) -> str:
    if cell["value"] is None:
        return "--"
    text = f"{cell['value']:.{decimals}f}".replace("-", "$-$")
    return rf"\textbf{{{text}}}" if cell["lowest"] else text
