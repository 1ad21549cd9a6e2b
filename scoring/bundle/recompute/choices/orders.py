"""Orders of options: agreement, mean ranks, strengths of candidates, and pairs of them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ..answers import digest_answers, read_answers, select_counted_answers
from ..arrays import Array, Row
from ..bundle import Bundle
from ..drawing import CONFIDENCE, FEWEST_UNITS, Drawing, assign_item_units
from .best_worst import score_items, split_scores
from .plackett_luce import estimate_strengths
from .shares import compute_share

FINGERPRINTED = (
    *("item", "group", "system", "form", "form_version", "rater", "criterion", "value"),
    *("cannot_rate", "late", "simulated", "excluded", "exclusion_rule", "name", "candidates"),
)
MOST_IN_PAIRS = 10


@dataclass(frozen=True)
class OrderAnswers:
    """Counted orders, with the candidates that their options show; an empty value is a "can't rate"."""

    options: Mapping[str, tuple[str, ...]]
    answers: pd.DataFrame
    identified: bool
    of_ends: frozenset[str]

    def by_question(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """Yield each question that has answers."""
        for name in self.options:
            rows = self.answers[self.answers["name"] == name]
            if (rows["value"] != "").any():
                yield name, rows

    @property
    def cannot_rate(self) -> dict[str, int]:
        """Number of answers without a value."""
        return {name: int((rows["value"] == "").sum()) for name, rows in self.by_question()}

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the answers and their candidates, in any order."""
        return digest_answers(self.answers, FINGERPRINTED, dict(self.options))


def read_orders(bundle: Bundle) -> pd.DataFrame:
    """Read the answers that are orders; "can't rate" is NaN."""
    places = {
        (scale["form"], scale["criterion"]) for scale in bundle.facts["scales"] if scale["yields"] == "order"
    }
    return read_answers(bundle, places)


def select_counted_orders(
    bundle: Bundle, frame: pd.DataFrame, *, pooled: bool
) -> tuple[OrderAnswers | None, Row]:
    """Select the orders that count; None if there is none."""
    counted, data = select_counted_answers(bundle, frame, pooled=pooled)
    if counted is None:
        return None, data
    options = read_options(bundle, counted)
    items = bundle.items.set_index("item").to_dict("index")
    identified = bool(bundle.facts["identified"])
    of_ends = select_best_worst(bundle, counted)
    texts = {name: read_texts(bundle, counted, name) if name in of_ends else {} for name in options}
    candidates = [
        json.dumps(
            [
                items[item].get(f"meta.{one}") or items[item].get(texts[name].get(one, "")) or one
                for one in options[name]
            ],
            ensure_ascii=False,
        )
        for item, name in zip(counted["item"], counted["name"], strict=True)
    ]
    return OrderAnswers(options, counted.assign(candidates=candidates), identified, of_ends), data


def select_best_worst(bundle: Bundle, counted: pd.DataFrame) -> frozenset[str]:
    """Select the questions that ask for a best and a worst option only, in all versions."""
    named = counted[["form", "criterion", "name"]].drop_duplicates().itertuples(index=False)
    kinds: dict[tuple[str, str], set[str]] = {}
    for scale in bundle.facts["scales"]:
        kinds.setdefault((scale["form"], scale["criterion"]), set()).add(scale["kind"])
    return frozenset(name for form, key, name in named if kinds[form, key] == {"best_worst"})


def read_texts(bundle: Bundle, counted: pd.DataFrame, name: str) -> dict[str, str]:
    """Read which text of an item each option of a question shows."""
    rows = counted.loc[counted["name"] == name, ["form", "criterion"]].drop_duplicates()
    keys = set(rows.itertuples(index=False, name=None))
    return {
        block["value"]: block["field"]
        for form in bundle.forms
        for block in form["shown"]
        if (form["form"], block.get("of")) in keys and "value" in block
    }


def read_options(bundle: Bundle, counted: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    """Read the options of each question, of all versions."""
    named = counted[["form", "criterion", "name"]].drop_duplicates().itertuples(index=False)
    names = {(form, criterion): name for form, criterion, name in named}
    found: dict[str, tuple[str, ...]] = {}
    for form in bundle.forms:
        for one in form["criteria"]:
            name = names.get((form["form"], one["key"]))
            if name is not None:
                now = [point["value"] for point in one["points"]]
                found[name] = tuple(dict.fromkeys((*found.get(name, ()), *now)))
    return found


def compute_order_figures(orders: OrderAnswers, drawing: Drawing) -> list[Row]:
    """Compute the agreement on every order."""
    return [
        compute_mean(name, rows[rows["value"] != ""], key, of_item, orders.identified, drawing)
        for name, rows in orders.by_question()
        for key, of_item in OF_ITEMS.items()
    ]


def make_order_tables(orders: OrderAnswers, drawing: Drawing) -> dict[str, list[Row]]:
    """Make the tables of candidates and of pairs, or of best–worst scores; empty tables are left out."""
    tables = ("order_candidates", "order_pairs", "best_worst_scores", "best_worst_halves")
    found: dict[str, list[Row]] = {table: [] for table in tables}
    for name, rows in orders.by_question():
        given = rows[rows["value"] != ""].sort_values(["item", "rater"], kind="stable")
        placed = place_candidates(given, orders.options[name])
        if len(placed) and name in orders.of_ends:
            found["best_worst_scores"] += score_items(name, placed, identified=orders.identified)
            found["best_worst_halves"].append(split_scores(name, placed, drawing))
        elif len(placed):
            found["order_candidates"] += rate_candidates(name, placed, drawing)
            found["order_pairs"] += compare_candidates(name, placed)
    return {table: rows for table, rows in found.items() if rows}


def place_options(value: str) -> dict[str, int]:
    """Return the number of the group of tied options that each option of an order is in."""
    return {one: place for place, group in enumerate(value.split(">")) for one in group.split("=")}


def compare_orders(values: list[str]) -> list[Array]:
    """Rank the options that all orders have in common; shared ranks are their mean."""
    placed = [place_options(value) for value in values]
    common = [one for one in placed[0] if all(one in other for other in placed)]
    return [stats.rankdata([one[option] for option in common]) for one in placed]


def compute_w(ranks: list[Array]) -> float:
    """Kendall's W: variance of the rank sums over what it is if all raters share the ranks that they gave."""
    table = np.array(ranks)
    most = len(table) * float(table.var(axis=1).sum())
    return float(table.sum(axis=0).var()) / most if most > 0 else math.nan


def compute_mean_tau(ranks: list[Array]) -> float:
    """Compute the mean of τ_b over pairs of raters; raters who tie all options are left out."""
    usable = [one for one in ranks if len(set(one)) > 1]
    found = [stats.kendalltau(one, other).statistic for one, other in combinations(usable, 2)]
    return float(np.mean(found)) if found else math.nan


def compute_equal_pairs(ranks: list[Array]) -> float:
    """Share of pairs of options in the same order over pairs of raters."""
    same = [
        np.sign(one[i] - one[j]) == np.sign(other[i] - other[j])
        for one, other in combinations(ranks, 2)
        for i, j in combinations(range(len(one)), 2)
    ]
    return float(np.mean(same)) if same else math.nan


OF_ITEMS: Mapping[tuple[str, str], Callable[[list[Array]], float]] = {
    ("kendall_w", ""): compute_w,
    ("kendall_tau", "b"): compute_mean_tau,
    ("pair_order", ""): compute_equal_pairs,
}


def compute_mean(
    name: str,
    given: pd.DataFrame,
    key: tuple[str, str],
    of_item: Callable[[list[Array]], float],
    identified: bool,
    drawing: Drawing,
) -> Row:
    """Compute the mean of a figure over the items with several raters, with bootstrap limits."""
    by_item = {str(item): rows for item, rows in given.groupby("item") if len(rows) > 1}
    values = {item: of_item(compare_orders(list(rows["value"]))) for item, rows in by_item.items()}
    defined = {item: value for item, value in values.items() if math.isfinite(value)}
    used = given[given["item"].isin(defined.keys() or by_item.keys())]
    row: Row = {"criterion": name, "coefficient": key[0], "variant": key[1], "confidence": CONFIDENCE}
    row |= {"estimate": math.nan, "low": math.nan, "high": math.nan, "n_items": used["item"].nunique()}
    row |= {"n_raters": used["rater"].nunique() if identified else None, "n_ratings": len(used)}
    if not defined:
        return row
    row["estimate"] = float(np.mean(list(defined.values())))
    items = sorted(defined)
    unit, _ = assign_item_units(items, dict(zip(given["item"], given["group"], strict=True)))
    n_units = int(unit.max()) + 1
    if n_units >= FEWEST_UNITS:
        generator, shares = drawing.stream(name, *key), np.full(n_units, 1 / n_units)
        found = np.array([defined[item] for item in items])
        drawn = [
            (weights[:, unit] * found).sum(axis=1) / weights[:, unit].sum(axis=1)
            for size in drawing.chunks(n_units)
            for weights in [generator.multinomial(n_units, shares, size=size)]
        ]
        row["low"], row["high"] = drawing.limits(np.concatenate(drawn), n_units)
    return row


def place_candidates(given: pd.DataFrame, options: tuple[str, ...]) -> pd.DataFrame:
    """Add the place and the rank of each candidate; answers that name one twice are left out."""
    columns: dict[str, list[Any]] = {"places": [], "ranks": []}
    is_complete = [len(set(json.loads(one))) == len(options) for one in given["candidates"]]
    for value, names in given.loc[is_complete, ["value", "candidates"]].itertuples(index=False):
        candidate = dict(zip(options, json.loads(names), strict=True))
        places = {candidate[option]: place for option, place in place_options(value).items()}
        ranks = stats.rankdata(list(places.values()))
        columns["places"].append(places)
        columns["ranks"].append(dict(zip(places, ranks.tolist(), strict=True)))
    return given[is_complete].assign(**columns)


def number_units(placed: pd.DataFrame) -> Array:
    """Number the resampling unit of each answer, items in alphabetical order."""
    items = sorted(set(placed["item"]))
    unit, _ = assign_item_units(items, dict(zip(placed["item"], placed["group"], strict=True)))
    return np.array([unit[items.index(item)] for item in placed["item"]], dtype=int)


def rate_candidates(name: str, placed: pd.DataFrame, drawing: Drawing) -> list[Row]:
    """Compute the mean rank and the strength of each candidate."""
    unit, ranks = number_units(placed), list(placed["ranks"])
    names = sorted({one for row in placed["candidates"] for one in json.loads(row)})
    table = np.array([[row.get(one, math.nan) for one in names] for row in ranks])
    n_units = int(unit.max()) + 1
    limits = [(math.nan, math.nan)] * len(names)
    if n_units >= FEWEST_UNITS:
        generator, shares = drawing.stream(name, "mean_rank"), np.full(n_units, 1 / n_units)
        drawn = [
            average_ranks(weights[:, unit].astype(float), table)
            for size in drawing.chunks(n_units + len(names))
            for weights in [generator.multinomial(n_units, shares, size=size)]
        ]
        limits = [drawing.limits(column, n_units) for column in np.concatenate(drawn).T]
    means = np.nanmean(table, axis=0)
    strengths = estimate_strengths(name, names, list(placed["places"]), unit, drawing)
    return [
        {
            "criterion": name,
            "candidate": one,
            "n": int(np.isfinite(table[:, place]).sum()),
            "mean_rank": float(means[place]),
            "rank_low": limits[place][0],
            "rank_high": limits[place][1],
            **strengths[place],
        }
        for place, one in enumerate(names)
    ]


def average_ranks(weights: Array, table: Array) -> Array:
    """Compute weighted means of ranks, shape (replicates, candidates)."""
    known = np.isfinite(table)
    total = weights @ known
    sums = weights @ np.where(known, table, 0.0)
    return np.where(total > 0, sums / np.where(total > 0, total, 1.0), math.nan)


def compare_candidates(name: str, placed: pd.DataFrame) -> list[Row]:
    """Count how often each candidate is above each other one."""
    names = sorted({one for row in placed["places"] for one in row})
    rows: list[Row] = []
    for first, second in combinations(names, 2) if len(names) <= MOST_IN_PAIRS else ():
        both = placed[[first in row and second in row for row in placed["places"]]]
        if len(both):
            sign = np.array([np.sign(row[second] - row[first]) for row in both["places"]])
            counts = {"above": int((sign > 0).sum()), "ties": int((sign == 0).sum())}
            counts["below"] = len(sign) - sum(counts.values())
            share = compute_share((sign + 1) / 2, both)
            agreement = share_alike(sign, both["item"])
            rows.append(
                {
                    "criterion": name,
                    "first": first,
                    "second": second,
                    **counts,
                    **share,
                    "agreement": agreement,
                }
            )
    return rows


def share_alike(sign: Array, items: pd.Series[Any]) -> float:
    """Share of pairs of answers about one item that put two candidates in the same order."""
    by_item = pd.Series(sign, index=items.index).groupby(items)
    same = [one == other for _, signs in by_item for one, other in combinations(signs, 2)]
    return float(np.mean(same)) if same else math.nan
