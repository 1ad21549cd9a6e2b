"""Reports as JSON, tables for papers, and the program that recomputes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from scoring.bundle.contents import BundleFile, Contents, json_file, text_file
from scoring.models import Report
from scoring.selectors.base.figures import added_since
from scoring.selectors.base.reports import figures_json
from scoring.selectors.reports.paper_tables import PaperTable, paper_tables
from scoring.stats.agreement.coefficients import COEFFICIENTS

# Fields of a coefficient in a bundle; its requirements are in the documentation.
STORED = ("key", "title", "page", "headline", "axis", "plain")
RECOMPUTE = Path(__file__).with_name("recompute")
# Tables without a file of their own: variance components for planning follow from the figures; differences
# and pairwise accuracy have their own places in the JSON, and `judges.json` describes the judges.
NOT_EXPORTED = frozenset({"pilots", "differences", "pairwise", "judges"})


def reports_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`reports/`: the newest up-to-date report of each kind, and inversions of rankings if there are any."""
    for name, report in contents.reports.items():
        yield _report_file(contents, f"reports/{name}.json", report)
    if contents.inversions:
        rows = [dict(row) for row in contents.inversions]
        counted = {"kind": "inversions", "tables": {"inversions": rows}}
        yield json_file("reports/inversions.json", lambda: counted)


def _report_file(contents: Contents, path: str, report: Report) -> BundleFile:
    return json_file(path, lambda: report_json(contents, report))


def report_json(contents: Contents, report: Report) -> dict[str, Any]:
    """The contract's JSON, with the kind of the report and its further tables."""
    tables = {name: table for name, table in report.tables.items() if name not in NOT_EXPORTED}
    about = {"kind": report.kind, "created_at": contents.rounded(report.created_at.isoformat())}
    return {**about, **figures_json(report), "tables": tables}


def tables_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`tables/`: the same figures in LaTeX, and the figures of each table."""
    found = [
        (name, table)
        for name, report in contents.reports.items()
        for table in paper_tables(contents.study.title, report)
    ]
    for _name, table in found:
        yield _table_file(table)
    yield json_file("tables/index.json", lambda: [_index(name, table) for name, table in found])


def _table_file(table: PaperTable) -> BundleFile:
    return text_file(f"tables/{table.name}.tex", lambda: table.latex)


def _index(report: str, table: PaperTable) -> dict[str, Any]:
    return {
        "file": f"{table.name}.tex",
        "report": report,
        "rows": table.rows_of,
        "labels": list(table.labels),
        "figures": [list(figure) for figure in table.figures],
        "only": {name: list(values) for name, values in table.only.items()},
        "numbers": list(table.numbers),
    }


def coefficients_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`coefficients.json`: the coefficients that the reports may hold, without those added after them."""
    later = {key for report in contents.reports.values() for key in added_since(report)}
    listed = [one for key, one in COEFFICIENTS.items() if key not in later]
    yield json_file(
        "coefficients.json", lambda: [{name: getattr(one, name) for name in STORED} for one in listed]
    )


def program_part(_: Contents, __: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`recompute/` with its source files in order of their names, and its requirements."""
    for path in sorted(RECOMPUTE.rglob("*.py")):
        yield _source_file(path)
    yield text_file("requirements.txt", lambda: "krippendorff\nnumpy>=2.0\npandas>=2.2\nscipy>=1.13\n")


def _source_file(path: Path) -> BundleFile:
    name = path.relative_to(RECOMPUTE.parent).as_posix()
    return BundleFile(name, lambda: [path.read_bytes()])
