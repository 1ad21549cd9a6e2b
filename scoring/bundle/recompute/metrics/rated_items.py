"""Mean ratings and metric scores of the same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..arrays import Array, Row
from ..binary_sets import add_sums
from ..bundle import Bundle, parse_numbers
from ..counting import select_counted
from ..ratings import Table, make_ratings_table


@dataclass(frozen=True)
class RatedItems:
    """Mean ratings and scores of the same items."""

    items: tuple[str, ...]
    criteria: tuple[str, ...]
    metrics: tuple[str, ...]
    human: Array
    scores: Array
    group: Array | None
    system: Array | None
    systems: tuple[str, ...]
    samples: Mapping[str, Row]

    @property
    def unit(self) -> str:
        """Name of the resampling unit."""
        return "items" if self.group is None else "groups"

    @property
    def units(self) -> Array:
        """Unit of each item."""
        return np.arange(len(self.items)) if self.group is None else self.group

    @property
    def n_units(self) -> int:
        """Number of units to draw from."""
        return int(self.units.max()) + 1 if len(self.items) else 0

    def keep(self, chosen: Array) -> RatedItems:
        """Select items, and code their groups and systems again."""
        group = None if self.group is None else np.unique(self.group[chosen], return_inverse=True)[1]
        system, systems = self.system, self.systems
        if system is not None:
            left, system = np.unique(system[chosen], return_inverse=True)
            systems = tuple(systems[code] for code in left)
        items = tuple(np.array(self.items, dtype=object)[chosen])
        sides = self.human[chosen], self.scores[chosen]
        return RatedItems(items, self.criteria, self.metrics, *sides, group, system, systems, self.samples)

    def only(self, criteria: Sequence[str], metrics: Sequence[str]) -> RatedItems:
        """Select columns."""
        human = self.human[:, [self.criteria.index(name) for name in criteria]]
        scores = self.scores[:, [self.metrics.index(name) for name in metrics]]
        places = self.group, self.system, self.systems
        return RatedItems(self.items, tuple(criteria), tuple(metrics), human, scores, *places, self.samples)

    def among(self, side: str) -> RatedItems:
        """Return the criteria, or the metrics, on both sides."""
        names, values = (self.criteria, self.human) if side == "criteria" else (self.metrics, self.scores)
        places = self.group, self.system, self.systems
        return RatedItems(self.items, names, names, values, values, *places, self.samples)


def read_rated_items(bundle: Bundle, without: Sequence[str]) -> tuple[RatedItems, Table, Row]:
    """Read mean ratings with the newest scores, the ratings behind them, and the counts."""
    counting, data = select_counted(bundle, bundle.ratings, pooled=False)
    counting = add_sums(bundle, counting)
    rated = counting[counting["value"].notna()]
    human = rated.pivot_table(index="item", columns="name", values="value", aggfunc="mean", sort=False)
    groupings = rated.drop_duplicates("item").set_index("item")[["group", "system"]].reindex(human.index)
    samples = {
        str(name): {
            "n_raters": rows["rater"].nunique() if bundle.facts["identified"] else None,
            "n_ratings": len(rows),
        }
        for name, rows in rated.groupby("name", sort=False)
    }
    scores = select_newest_scores(bundle).reindex(human.index)
    codes = [pd.factorize(groupings[name]) for name in ("group", "system")]
    group, system = (
        None if (groupings[name] == "").all() else code[0]
        for name, code in zip(groupings, codes, strict=True)
    )
    items = RatedItems(
        tuple(human.index),
        tuple(human.columns),
        tuple(scores.columns),
        human.to_numpy(dtype=float),
        scores.to_numpy(dtype=float),
        group,
        system,
        tuple(codes[1][1]) if system is not None else (),
        samples,
    )
    if system is not None and without:
        items = items.keep(~np.isin(np.array(items.systems, dtype=object)[system], list(without)))
    left = counting[~counting["system"].isin(list(without))]
    return items, make_ratings_table(bundle, left), data


def select_newest_scores(bundle: Bundle) -> pd.DataFrame:
    """Select each item's score of each metric from the newest run that has one."""
    frame = bundle.scores.assign(value=parse_numbers(bundle.scores["value"]))
    newest = frame.assign(place=frame["run"].map({run: at for at, run in enumerate(bundle.facts["runs"])}))
    newest = newest.sort_values("place", kind="stable").drop_duplicates(["item", "metric"], keep="last")
    columns = {
        metric: rows.set_index("item")["value"] for metric, rows in newest.groupby("metric", sort=False)
    }
    return pd.DataFrame(columns)
