"""The item list by every column, with every filter alone and every two of them together: which take longest.

    python -m benchmarks.every_view [--items N] [--raters N] [--worst 15] [--keep]

The study and what is measured are those of `benchmarks.workbench`. Each view is asked once, those that took
longest three times more; of these the median is printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import combinations

from benchmarks import workbench  # Sets Django up.

# isort: split
from django.db import connection
from django.test import Client
from django.urls import reverse

from benchmarks.workbench_study import CRITERIA, load_or_make_study
from scoring.selectors.raters.item_figures import newest_set
from scoring.selectors.raters.item_query import columns_of

METRIC = "length"
FILTERS = {
    "search, many found": "q=lamp",
    "search, few found": "q=lamp+77",
    "search, none found": "q=moonshine",
    "of a group": "group=G00077",
    "of a system": "system=system+3",
    "included": "state=included",
    "excluded": "state=excluded",
    "opposed on any": "split=any",
    "opposed on one": "split=quality",
    "opposed by other bounds": "split=any&low=1&high=5",
    "of a divergence": f"metric={METRIC}&where=quality.divergence>1",
    "of two figures": "where=quality.sd>=0.8&where=creativity.mean<4",
    "of three divergences": f"metric={METRIC}&" + "&".join(f"where={one}.divergence>0" for one in CRITERIA),
}
SORTS = {
    "by spread": "",
    "by an sd": "sort=-quality.sd",
    "by a divergence": f"metric={METRIC}&sort=-creativity.divergence",
    "by three criteria": "sort=-quality.range,creativity.mean,-informativeness.sd",
}
EVERYTHING = (
    f"q=lamp&system=system+3&state=included&split=any&metric={METRIC}"
    "&where=quality.divergence>0&where=creativity.sd>=0.5&where=informativeness.mean<=4&where=n_cannot<3"
    "&sort=-informativeness.divergence,-quality.sd,creativity.mean,position"
)


def main() -> None:
    """Print the slowest views."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, default=100_000)
    arguments.add_argument("--raters", type=int, default=1000)
    arguments.add_argument("--worst", type=int, default=15)
    arguments.add_argument("--keep", action="store_true", help="the study of a run with --keep")
    asked = arguments.parse_args()
    with workbench.database(keep=asked.keep):
        run(asked.items, asked.raters, asked.worst)


def run(items: int, raters: int, worst: int) -> None:
    """Ask for each view."""
    study, user = load_or_make_study(items, raters)
    if newest_set(study) is None:
        workbench.figures(study, user)
    made = newest_set(study)
    if made is None:
        raise SystemExit("The figures of the items were not stored.")
    client = Client()
    client.force_login(user)
    list_address = reverse("study-disagreement", args=[study.slug])
    client.get(list_address)

    def timed(query: str) -> tuple[float, float, float]:
        return workbench.measure_times(lambda: workbench.ask(client, f"{list_address}?{query}"))

    views = dict(views_of(columns_of(made, METRIC)))
    first = {name: timed(query) for name, query in views.items()}
    workbench.say(f"{connection.vendor}: {len(views)} views; those that took longest of all:")
    for name in sorted(first, key=lambda name: -sum(first[name][1:]))[:worst]:
        workbench.report_times(name, [timed(views[name]) for _ in range(3)])


def views_of(columns: list[str]) -> Iterator[tuple[str, str]]:
    """Names and queries: each column both ways, bounds, filters, filters with sorts, every two filters."""
    for column in columns:
        for sign in ("", "-"):
            yield f"by {sign}{column}", f"metric={METRIC}&sort={sign}{column}"
            yield f"by {sign}{column}, page 1,900", f"metric={METRIC}&sort={sign}{column}&page=1900"
        if column not in {"key", "group", "system"}:
            yield f"{column} > 0", f"metric={METRIC}&where={column}>0"
    for (name, query), (order, sort) in ((one, two) for one in FILTERS.items() for two in SORTS.items()):
        yield f"{name}, {order}", f"{query}&{sort}"
        yield f"{name}, {order}, last page", f"{query}&{sort}&page=99999"
    for (name, query), (other, also) in combinations(FILTERS.items(), 2):
        yield f"{name}; {other}", f"{query}&{also}"
    yield "everything at once", EVERYTHING


if __name__ == "__main__":
    main()
