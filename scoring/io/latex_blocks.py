"""Agreement before and after a removal, in the form of HAUSER's table 2, in LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scoring.io.latex import escaped


def before_after_table(rows: Iterable[Mapping[str, Any]], caption: str, decimals: int = 3) -> str:
    """Two blocks of criteria under Pearson and Spearman, mean and max; the lowest of a block in bold.

    Parameters
    ----------
    rows : iterable of mapping
        `setting`, `criterion`, `first`, and `cells`, each with `value` and `lowest`.
    caption : str
        Below the table.
    decimals : int
        Decimals of the figures.

    Returns
    -------
    str
        A `table` environment; needs the package booktabs.

    References
    ----------
    He et al. (2023), table 2.
    """
    lines = [
        r"\begin{table}",
        r"\centering",
        r"\begin{tabular}{llrrrr}",
        r"\toprule",
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
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{escaped(caption)}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _figure(cell: Mapping[str, Any], decimals: int) -> str:
    if cell["value"] is None:
        return "--"
    text = f"{cell['value']:.{decimals}f}".replace("-", "$-$")
    return rf"\textbf{{{text}}}" if cell["lowest"] else text
