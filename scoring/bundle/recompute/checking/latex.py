"""Checks of LaTeX tables against the reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..arrays import Row
from .check import TOLERANCE, Check
from .metrics import split_rows

LATEX = {
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


def check_latex(folder: Path, reports: Mapping[str, Row], table: Row, check: Check) -> None:
    """Check every label and number of a LaTeX table against its report."""
    text = (folder / "tables" / table["file"]).read_text(encoding="utf-8")
    body = text.split(r"\midrule")[1].split(r"\bottomrule")[0]
    lines = [line.removesuffix(r"\\").strip() for line in body.strip().splitlines()]
    rows = select_rows(reports[table["report"]], table)
    figures = {(coefficient, variant): name for coefficient, variant, name in table["figures"]}
    check.same("rows", len(lines), len(rows))
    for line, row in zip(lines, rows, strict=False):
        cells = line.split(" & ")
        check.same(f"{line[:40]}… cells", len(cells), len(table["labels"]) + len(table["numbers"]))
        split = len(table["labels"])
        check.same(f"{line[:40]}… label", cells[:split], get_labels(row, table["labels"], figures))
        for name, cell in zip(table["numbers"], cells[split:], strict=False):
            check.near(f"{line[:40]}… {name}", parse_cell(cell), row[name], get_rounding_error(cell))


def get_labels(row: Row, labels: Sequence[str], figures: Mapping[tuple[str, str], str]) -> list[str]:
    """Return the first cells of a row; the index holds the names of figures."""
    own = {**row, **{name.removeprefix("after_"): row[name] for name in row if name.startswith("after_")}}
    if "figure" in labels:
        own["figure"] = figures[own["coefficient"], own["variant"]]
    return [escape_latex(str(own[name])) for name in labels]


def escape_latex(text: str) -> str:
    """Escape LaTeX's special characters."""
    return "".join(LATEX.get(character, character) for character in text)


def select_rows(report: Row, table: Row) -> list[Row]:
    """Select the rows of a report that are in a LaTeX table, in its order."""
    rows: list[Row] = report["results"]
    if table["rows"] == "systems":
        return list(report["tables"]["systems"]["means"])
    if table["rows"] == "pairwise":
        return [row for row in report["pairwise"] if row["grouping"] in table["only"]["grouping"]]
    if table["rows"] == "before-after":
        after = {get_headline_key(row): row for row in rows}
        return [
            {
                **{f"before_{name}": value for name, value in row.items()},
                **{f"after_{name}": value for name, value in after[get_headline_key(row)].items()},
            }
            for row in report["tables"]["before"]
            if get_headline_key(row) in after
        ]
    if "metric" in table["only"]:
        rows = split_rows(report)["metrics"]
    wanted = {name: set(values) for name, values in table["only"].items()}
    rows = [row for row in rows if all(row[name] in values for name, values in wanted.items())]
    return [row for row in rows if not str(row.get("variant", "")).startswith("rater:")]


def get_headline_key(row: Row) -> tuple[str, str, str]:
    """Return the key of a figure, whatever number of ratings its ICC averages."""
    variant = "" if row["coefficient"].startswith("icc") else row["variant"]
    return row["criterion"], row["coefficient"], variant


def parse_cell(cell: str) -> float | None:
    """Convert a cell of a LaTeX table to a number; a dash is None."""
    return None if cell == "--" else float(cell.replace("$-$", "-"))


def get_rounding_error(cell: str) -> float:
    """Return half a unit of the last printed digit."""
    digits = cell.partition(".")[2]
    return 0.5 * 10.0 ** -len(digits) * (1 + TOLERANCE) if digits else 0.0
