"""The command: check every file of a bundle and print what was compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from .arrays import Row
from .bundle import Bundle
from .checking.check import Check
from .checking.inversions import check_inversions
from .checking.latex import check_latex
from .checking.media import check_media
from .checking.methods import check_methods
from .checking.metrics import check_comparison, check_metrics
from .checking.new_raters import check_new_raters
from .checking.reliability import check_reliability
from .checking.sums import check_sums
from .checking.wide import check_wide
from .judges.check import check_answers, check_judges
from .pairs.check import check_pair_rounds
from .registry import COMPUTED

CHECKS = {
    "reliability": check_reliability,
    "new_raters": check_new_raters,
    "metrics": check_metrics,
    "comparison": check_comparison,
    "inversions": check_inversions,
    "judges": check_judges,
}


def run_check(name: str, compare: Callable[[Check], None]) -> Check:
    """Run a comparison; a malformed file counts as a difference."""
    check = Check(name)
    try:
        compare(check)
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as problem:
        check.wrong.append(f"it is not made as a bundle's are: {type(problem).__name__} {problem}")
    return check


def check_coefficients(bundle: Bundle, check: Check) -> None:
    """Check that the program has code for every coefficient that the bundle lists."""
    for key in sorted(bundle.coefficients.known):
        check.same(f"{key} has code in this programme", True, key in COMPUTED)


def check_report(bundle: Bundle, report: Row, check: Check) -> None:
    """Check a report; only count the numbers of an unknown kind."""
    kind = report.get("kind", "none")
    if kind in CHECKS:
        CHECKS[kind](bundle, report, check)
    else:
        check.count_skipped(f"a report of kind {kind}", [report.get("results"), report.get("tables")])


def run_checks(folder: Path) -> Iterator[Check]:
    """Yield every check of a bundle as it is done."""
    yield check_sums(folder)
    bundle = Bundle.read(folder)
    if (folder / "coefficients.json").is_file():
        yield run_check("coefficients.json", partial(check_coefficients, bundle))
    if (folder / "data" / "media.csv").is_file():
        yield run_check("data/media.csv", partial(check_media, folder))
    if (folder / "data" / "pair_rounds.csv").is_file():
        yield run_check("data/pair_rounds.csv", partial(check_pair_rounds, bundle))
    if (folder / "judges.json").is_file():
        yield run_check("judges.json", partial(check_answers, bundle))
    yield run_check("data/ratings_wide.csv", partial(check_wide, bundle))
    reports = {}
    for path in sorted((folder / "reports").glob("*.json")):
        reports[path.stem] = json.loads(path.read_text(encoding="utf-8"))
        yield run_check(f"reports/{path.name}", partial(check_report, bundle, reports[path.stem]))
    if (folder / "methods.md").is_file():
        yield run_check("methods.md", partial(check_methods, bundle, reports))
    for table in json.loads((folder / "tables" / "index.json").read_text(encoding="utf-8")):
        yield run_check(f"tables/{table['file']}", partial(check_latex, folder, reports, table))


def describe_agreement(checks: Sequence[Check], *, left: int) -> str:
    """Say that all numbers agree, and what the largest difference is that was allowed."""
    every = "Every number that was recomputed" if left else "Every number"
    furthest = max(checks, key=lambda check: check.furthest)
    if not furthest.furthest:
        return f"{every} is the same."
    return (
        f"{every} is the same within its tolerance. The largest difference is {furthest.furthest:.1e} of the"
        f" number, or of 1 where that is greater, in {furthest.name};"
        f" {furthest.allowed:.1e} is allowed there."
    )


def main(arguments: Sequence[str]) -> int:
    """Print each file, the numbers compared in it, the largest difference and what differs."""
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    if not (folder / "study.json").is_file():
        print(f"{folder} is no bundle: it has no study.json. Say which folder the archive was unpacked to.")
        return 2
    print(f"{'file':<44} {'numbers':>9} {'equal':>9} {'furthest':>10}")
    wrong = left = 0
    checks = []
    for check in run_checks(folder):
        checks.append(check)
        equal = max(0, check.compared - len(check.wrong))
        print(f"{check.name:<44} {check.compared:>9} {equal:>9} {check.furthest:>10.1e}", flush=True)
        for line in check.wrong[:20]:
            print(f"    {line}")
        if check.left:
            what = ", ".join(f"{number} of {name}" for name, number in sorted(check.left.items()))
            print(f"    not recomputed: {what}")
        wrong, left = wrong + len(check.wrong), left + sum(check.left.values())
    print(f"{wrong} numbers differ." if wrong else describe_agreement(checks, left=left))
    if left:
        print(f"{left} numbers were not recomputed.")
    return 1 if wrong else 0
