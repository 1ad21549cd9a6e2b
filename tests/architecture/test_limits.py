"""A limit is written once, so that a form, the API and a study definition cannot disagree about it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.domain.base import limits

ROOT = Path(__file__).resolve().parents[2]
LIMITS = ROOT / "annotation" / "domain" / "base" / "limits.py"
# Those that are rarely anything but a limit: 100 and 1000 mean too much else.
NUMBERS = {10_000, 20_000, 36_000, 100_000}
PATTERNS = (limits.CURRENCY, limits.LANGUAGE)
# The same numbers with another meaning: no limit of what is sent to us.
OTHER_MEANINGS = {
    ("annotation/domain/items/drawn_sets.py", 10_000): "sets that are drawn while a page waits",
    ("annotation/io/base/readers.py", 10_000): "rows of a file whose problems are listed",
    ("annotation/selectors/quality/raters_to_review.py", 10_000): "pages of raters that are examined at once",
    ("annotation/selectors/quality/rater_profile.py", 10_000): "keys that one query names",
    ("annotation/views/studies/overview.py", 20_000): "responses from which on counts are stored for a while",
    ("annotation/selectors/seats/remaining_capacity.py", 10_000): "rows from which on a count is estimated",
    ("scoring/backends/training/fitting.py", 20_000): "sentences of which a small model learns its words",
    ("scoring/bundle/recompute/drawing.py", 10_000): "units that are resampled one by one",
    ("scoring/bundle/recompute/coefficients/icc/anova.py", 20_000): "draws of a pivot",
    ("scoring/bundle/release/hub_card.py", 10_000): "the end of a size on data hubs",
    ("scoring/bundle/release/hub_card.py", 100_000): "the end of a size on data hubs",
    ("scoring/hauser/knowledge/staging.py", 100_000): "rows that are inserted together",
    ("scoring/selectors/data/answers.py", 20_000): "rows that are read together",
    ("scoring/selectors/raters/exclusion_consequence.py", 20_000): "responses that one page reads",
    ("scoring/views/reports/exports.py", 10_000): "rows that are read to count them",
    ("scoring/stats/agreement/variance/icc.py", 20_000): "draws of a pivot",
    ("scoring/stats/agreement/variance/planning.py", 100_000): "raters up to which a plan is searched",
    ("scoring/stats/base/resampling.py", 10_000): "units that are resampled one by one",
}


def written(source: str) -> Iterator[int | str]:
    """The limits that a source writes out."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Constant):
            continue
        if type(node.value) is int and node.value in NUMBERS:
            yield node.value
        elif isinstance(node.value, str):
            yield from (pattern for pattern in PATTERNS if pattern in node.value)


def sources() -> Iterator[Path]:
    for package in ("annotation", "scoring"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if path != LIMITS and "migrations" not in path.parts:
                yield path


def test_a_limit_is_written_in_one_place() -> None:
    found = {
        (str(path.relative_to(ROOT)), value)
        for path in sources()
        for value in written(path.read_text(encoding="utf-8"))
    }
    assert found == set(OTHER_MEANINGS)


@pytest.mark.parametrize(
    "source",
    [
        "forms.CharField(max_length=20_000)",
        "page_seconds > 36000",
        "seat_minutes=_whole('Minutes.', 1, 100_000, 60)",
        "re.compile(r'^[A-Z]{3}$')",
        "rf'^[A-Za-z]{{2,3}}(-[A-Za-z0-9]{{2,8}})?$'",
    ],
)
def test_a_limit_that_is_written_again_is_found(source: str) -> None:
    assert list(written(source))
