"""The rounds of adaptive pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotation.domain.base.codebook import PAIR_COUNTS, PAIR_ROUNDS
from annotation.selectors.seats.pairing.tables import pair_counts_table, pair_rounds, pair_rounds_table
from scoring.bundle.contents import BundleFile, Contents, table_files


def pairs_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/pair_rounds` and `data/pair_counts`, in bundles of studies with adaptive pairs."""
    if not pair_rounds(contents.study).exists():
        return
    yield from table_files(contents, "pair_rounds", PAIR_ROUNDS, lambda: pair_rounds_table(contents.study)[1])
    yield from table_files(contents, "pair_counts", PAIR_COUNTS, lambda: pair_counts_table(contents.study)[1])
