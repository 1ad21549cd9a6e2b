"""Checks of the rounds of adaptive pairs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pandas as pd

from ..bundle import Bundle, read_table
from ..checking.check import ITERATED, Check
from .choosing import Choice, Limits, Pair, choose_items

NUMBERS = ("wins", "losses", "ties", "slots", "pending")


def check_pair_rounds(bundle: Bundle, check: Check) -> None:
    """Choose the pairs of each round again; rounds whose counts were erased are only counted."""
    data = bundle.folder / "data"
    rounds, counts = read_table(data / "pair_rounds.csv"), read_table(data / "pair_counts.csv")
    answered = count_answers(bundle)
    for form in map(str, rounds["form"].unique()):
        own = counts[counts["form"] == form]
        known: dict[str, Pair] = {}
        stored = read_rows(rounds[rounds["form"] == form])
        check.same(f"{form} settings of rounds", [], find_other_settings(bundle, form, stored))
        for row in stored:
            changed = read_pairs(own[own["round"] == row["round"]])
            known |= {one.item: one for one in changed}
            what = f"{form} round {row['round']}"
            if not changed:
                check.count_skipped("rounds of adaptive pairs whose counts were erased", 1)
                continue
            more = [
                one.item
                for one in changed
                if count(one) > answered.get((form, row["criterion"], one.item), 0)
            ]
            check.same(f"{what} items with more answers than ratings", [], more)
            limits = Limits(*(int(row[name]) for name in ("budget", "per_round", "per_item", "most_rounds")))
            again = choose_items(list(known.values()), limits, int(row["seed"]), int(row["round"]))
            compare_round(what, row, known, again, check)


def find_other_settings(bundle: Bundle, form: str, rounds: Sequence[dict[str, str]]) -> list[str]:
    """Name the settings that are not as `forms.json` has them; older bundles have none there."""
    found = next((one for one in bundle.forms if one["form"] == form and one.get("pairing")), None)
    if found is None:
        return []
    settings = {**found["pairing"], "per_item": found["overlap"]}
    return sorted({name for row in rounds for name, value in settings.items() if row[name] != str(value)})


def compare_round(
    what: str, row: dict[str, Any], known: dict[str, Pair], again: Choice, check: Check
) -> None:
    """Compare a stored round with the one that was chosen again."""
    check.same(f"{what} items", json.loads(row["items"]), again.items)
    slots = dict(zip(json.loads(row["items"]), json.loads(row["slots"]), strict=True))
    taken = [item for item, slot in slots.items() if slot <= known[item].slots]
    check.same(f"{what} slots that were there before", [], taken)
    check.same(f"{what} n_chosen", int(row["n_chosen"]), len(again.items))
    check.same(f"{what} stopped", row["stopped"], again.stopped)
    names = {name for one in known.values() for name in one.names}
    check.same(f"{what} all_pairs", int(row["all_pairs"]), len(names) * (len(names) - 1) // 2)
    undecided = None if row["open_pairs"] == "" else int(row["open_pairs"])
    check.same(f"{what} open_pairs", undecided, again.open_pairs)
    stored = json.loads(row["strengths"]) if row["strengths"] else {}
    found = again.strengths or {}
    check.same(f"{what} candidates with a strength", sorted(stored), sorted(found))
    for name in sorted({*stored} & {*found}):
        allowed = ITERATED * max(1.0, abs(stored[name]))
        check.near(f"{what} strength of {name}", stored[name], found[name], allowed)


def read_rows(frame: pd.DataFrame) -> list[dict[str, str]]:
    """Read the rows of a table as texts."""
    return [{str(name): str(cell) for name, cell in row.items()} for row in frame.to_dict("records")]


def read_pairs(rows: pd.DataFrame) -> list[Pair]:
    """Read the rows of one round."""
    return [
        Pair(
            row["item"],
            row["first"],
            row["second"],
            **{name: int(row[name]) for name in NUMBERS},
            closed=row["closed"] == "true",
        )
        for row in read_rows(rows)
    ]


def count(pair: Pair) -> int:
    """Count the answers that a round knew of an item."""
    return pair.wins + pair.losses + pair.ties


def count_answers(bundle: Bundle) -> dict[tuple[str, str, str], int]:
    """Count the answers by form, question and item, whether they count now or not."""
    answers = bundle.answers[bundle.answers["study"] == bundle.facts["study"]]
    numbers = answers.groupby(["form", "criterion", "item"])["rater"].nunique()
    return {key: int(n) for key, n in numbers.items()}
