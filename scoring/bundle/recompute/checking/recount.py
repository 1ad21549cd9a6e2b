"""Counts that `methods.md` states, from the tables of the bundle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

import pandas as pd

from ..arrays import Row
from ..bundle import Bundle, read_table, select_criteria
from ..choices.orders import read_orders
from ..choices.questions import read_choice_answers
from ..counting import select_counted
from ..spans.errors import read_error_answers
from ..spans.marks import read_tuple_answers

# How the paragraph calls the answers to each kind of question.
NOUNS = {
    "scale": "rating",
    "choice": "choice",
    "order": "order",
    "tuples": "marking",
    "errors": "error marking",
}


def read_optional(bundle: Bundle, name: str) -> pd.DataFrame:
    """Read a table of `data/`; one that the bundle lacks is empty."""
    path = bundle.folder / "data" / f"{name}.csv"
    return read_table(path) if path.is_file() else pd.DataFrame()


def has_empty_responses(bundle: Bundle) -> bool:
    """Whether a response may have no row among the ratings: if nothing on its form must be answered."""
    return any(
        not any(
            criterion["required"] and not criterion["asked_after"] and criterion["kind"] != "tuples"
            for criterion in form["criteria"]
        )
        for form in bundle.forms
    )


def count_collected(bundle: Bundle) -> list[int]:
    """Count responses, items, and groups and systems as far as the paragraph names them."""
    named = {name: bundle.items[name][bundle.items[name] != ""].nunique() for name in ("group", "system")}
    groups = [named["group"]] if named["group"] else []
    systems = [named["system"]] if named["system"] > 1 else []
    return [bundle.answers["response"].nunique(), len(bundle.items), *groups, *systems]


def has_complete_groups(bundle: Bundle) -> bool:
    """Whether every group has an item of every system."""
    placed = bundle.items[(bundle.items["group"] != "") & (bundle.items["system"] != "")]
    sizes = [bundle.items[name][bundle.items[name] != ""].nunique() for name in ("group", "system")]
    return len(placed[["group", "system"]].drop_duplicates()) == sizes[0] * sizes[1]


def count_added(bundle: Bundle) -> int:
    """Count the items that were added while the study was open."""
    return int(bundle.items["item"].isin(bundle.facts["items_added_while_open"]).sum())


def count_retired(bundle: Bundle) -> int:
    """Count the items that are retired."""
    return int(bundle.items["item"].isin(bundle.facts["items_retired"]).sum())


def count_from_pilot(bundle: Bundle) -> int:
    """Count the responses that were given in the pilot."""
    rows = bundle.answers[bundle.answers["study"] != bundle.facts["study"]]
    return int(rows["response"].nunique())


def list_days(bundle: Bundle) -> list[str]:
    """List the first and the last day of the responses; one if they are the same, none if unknown."""
    moments = sorted(datetime.fromisoformat(text) for text in bundle.answers["submitted_at"].unique() if text)
    if not moments:
        return []
    days = [f"{one.day} {one:%B %Y}" for one in (moments[0], moments[-1])]
    return days[:1] if days[0] == days[1] else days


def read_answers(bundle: Bundle, kind: str) -> pd.DataFrame:
    """Read the answers to one kind of question."""
    if kind == "scale":
        return bundle.ratings
    if kind == "choice":
        return read_choice_answers(bundle)
    if kind == "order":
        return read_orders(bundle)
    if kind == "errors":
        return read_error_answers(bundle)
    return read_tuple_answers(bundle) if kind == "tuples" else read_words(bundle)


@lru_cache(maxsize=len(NOUNS))
def select_counted_answers(bundle: Bundle, kind: str) -> tuple[pd.DataFrame, Row]:
    """Select the answers to one kind of question that count; many sentences of the methods ask for them."""
    return select_counted(bundle, read_answers(bundle, kind), pooled=False)


def read_words(bundle: Bundle) -> pd.DataFrame:
    """Read the answers in words; "can't rate" is NaN."""
    places = {
        (scale["form"], scale["criterion"]) for scale in bundle.facts["scales"] if scale["yields"] == "words"
    }
    rows = select_criteria(bundle.answers, places)
    return rows.assign(value=rows["value"].astype(object).where(rows["value"] != "", math.nan))


def count_used(bundle: Bundle, kind: str) -> list[int]:
    """Count ratings, responses, items, raters, and simulated raters and "can't rate" if there are any."""
    counted, data = select_counted_answers(bundle, kind)
    simulated = counted.loc[counted["simulated"], "rater"].nunique()
    raters = [data["n_raters"]] if bundle.facts["identified"] or simulated == data["n_raters"] else []
    some = [simulated, data["n_simulated"]] if 0 < simulated < data["n_raters"] else []
    cannot = data["set_apart"]["cannot_rate"]
    return [
        *(int(data[name]) for name in ("n_ratings", "n_responses", "n_items")),
        *map(int, (*raters, *some, *([cannot] if cannot else []))),
    ]


def count_words(bundle: Bundle) -> int:
    """Count the answers in words that no exclusion or older version leaves out."""
    counted, _ = select_counted(bundle, read_words(bundle), pooled=False)
    return int(counted["value"].notna().sum())


def forms_titled(bundle: Bundle, title: str, *, current: bool = True) -> list[str]:
    """List the forms with a title: that of their newest version, or of any version."""
    newest = {one["form"]: one["title"] for one in bundle.forms}
    found = [form for form, own in newest.items() if own == title]
    return (
        found
        if current
        else list(dict.fromkeys(one["form"] for one in bundle.forms if one["title"] == title))
    )


def find_used_pools(bundle: Bundle, form: str) -> set[int]:
    """Find the pools of versions of a form that statistics use; of all that count, the newest if none do."""
    pools: set[int] = set()
    for kind in NOUNS:
        counted, _ = select_counted_answers(bundle, kind)
        rated = counted[counted["form"] == form]
        pools |= {int(one) for one in rated["pool"].unique()}
    if find_any_used(bundle):
        return pools
    counted, _ = select_counted(bundle, bundle.answers.assign(value=math.nan), pooled=False)
    return {int(one) for one in counted.loc[counted["form"] == form, "pool"].unique()}


def find_any_used(bundle: Bundle) -> bool:
    """Whether statistics use any response of the study."""
    return any(len(select_counted_answers(bundle, kind)[0]) for kind in NOUNS)


def count_versions(bundle: Bundle, form: str) -> tuple[dict[str, int], list[str]]:
    """Count the responses to each version of a form, and list the versions that statistics use."""
    rows = bundle.answers[bundle.answers["form"] == form].sort_values("place")
    saw = {str(label): int(n) for label, n in rows.groupby("version_label")["response"].nunique().items()}
    pools = find_used_pools(bundle, form)
    used = rows.loc[rows["pool"].isin(list(pools)), "version_label"]
    return saw, list(dict.fromkeys(used))


def list_scale_ends(bundle: Bundle, form: str) -> list[float]:
    """List the ends that were set of the scales of the newest version of a form that statistics use."""
    _, used = count_versions(bundle, form)
    versions = [one for one in bundle.forms if one["form"] == form]
    labels = {f"{one['version']}.{one.get('correction', 0)}".removesuffix(".0"): one for one in versions}
    asked: Mapping[str, Any] = labels[used[-1]] if used else versions[-1]
    version = form, asked["version"], asked.get("correction", 0)
    ends = {
        scale["criterion"]: (scale["minimum"], scale["maximum"])
        for scale in bundle.facts["scales"]
        if scale["yields"] == "number"
        and (scale["form"], scale["form_version"], scale.get("form_correction", 0)) == version
    }
    asked_for = [ends[criterion["key"]] for criterion in asked["criteria"] if criterion["key"] in ends]
    return [float(end) for pair in asked_for for end in pair if end is not None]


def count_reached(bundle: Bundle, form: str) -> list[float]:
    """Count the ratings requested and received: range, median and range, items short, and items."""
    wanted = read_requested(bundle, form)
    pools = find_used_pools(bundle, form)
    rows = bundle.answers[~bundle.answers["excluded"] & (bundle.answers["form"] == form)]
    rows = rows[rows["pool"].isin(list(pools)) & (bool(bundle.facts["include_late"]) | ~rows["late"])]
    got = rows.groupby("item")["response"].nunique().reindex(list(wanted), fill_value=0)
    asked = pd.Series(wanted)
    low, high = int(asked.min()), int(asked.max())
    received = [int(got.min()), int(got.max())]
    spread = [float(got.median()), *received] if received[0] < received[1] else received[:1]
    short = int((got < asked).sum())
    return [*([low, high] if low < high else [high]), *spread, *([short, len(wanted)] if short else [])]


def read_requested(bundle: Bundle, form: str) -> dict[str, int]:
    """Read the ratings requested of each item of a form; excluded items are left out."""
    exclusions, slots = read_optional(bundle, "exclusions"), read_optional(bundle, "requested")
    gone: set[str] = set()
    if len(exclusions):
        active = exclusions[(exclusions["target"] == "item") & (exclusions["lifted_at"] == "")]
        gone = set(active["item"])
    items = [item for item in bundle.items["item"] if item not in gone]
    own: dict[str, int] = {}
    if len(slots):
        rows = slots[slots["form"] == form]
        own = {item: int(n) for item, n in zip(rows["item"], rows["requested"], strict=True)}
    if not own:
        overlap = next(one["overlap"] for one in bundle.forms if one["form"] == form)
        return dict.fromkeys(items, overlap)
    return {item: own[item] for item in items if item in own}


def count_checks(bundle: Bundle) -> tuple[int, float]:
    """Count the attention checks with a result, and give the percentage passed."""
    passed = read_optional(bundle, "checks")["passed"]
    known = passed[passed != ""]
    return len(known), 100 * float((known == "true").mean())


def count_items(bundle: Bundle) -> int:
    """Count the items of the study."""
    return len(bundle.items)


def count_late(bundle: Bundle) -> int:
    """Count late responses that are not excluded and that statistics leave out."""
    rows = bundle.answers[bundle.answers["late"] & ~bundle.answers["excluded"]]
    return 0 if bundle.facts["include_late"] else int(rows["response"].nunique())


def count_excluded(bundle: Bundle) -> int:
    """Count responses with an active exclusion."""
    return int(bundle.answers.loc[bundle.answers["excluded"], "response"].nunique())


def count_excluded_raters(bundle: Bundle) -> int:
    """Count the raters who gave responses with an active exclusion."""
    return int(bundle.answers.loc[bundle.answers["excluded"], "rater"].nunique())


def count_withdrawn(bundle: Bundle) -> int:
    """Count raters who withdrew."""
    return int((read_optional(bundle, "raters")["state"] == "withdrawn").sum())
