"""Tables for papers: LaTeX with booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
        Key of a row's cell, and the heading.
    rows : iterable of mapping
        Numbers are rounded; None is a dash.
    caption : str
        Below the table.
    decimals : int
        Decimals of numbers that are not whole.

    Returns
    -------
    str
        A `table` environment; needs the package booktabs.
    """
    body = [[row.get(key) for key, _ in columns] for row in rows]
    numeric = [
        bool(body) and all(isinstance(line[position], int | float | None) for line in body)
        for position in range(len(columns))
    ]
    alignment = "".join("r" if number else "l" for number in numeric)
    lines = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    lines.append(" & ".join(escaped(heading) for _, heading in columns) + r" \\")
    lines.append(r"\midrule")
    lines += [" & ".join(_cell(value, decimals) for value in line) + r" \\" for line in body]
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{escaped(caption)}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


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
