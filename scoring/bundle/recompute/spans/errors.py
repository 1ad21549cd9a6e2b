"""Marked errors: agreement by spans and by characters, and the scores of texts."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from ..answers import digest_answers, read_answers, select_counted_answers
from ..arrays import Array, Level, Row
from ..bundle import Bundle
from ..coefficients.alpha import compute_alpha
from ..drawing import Drawing, assign_item_units
from ..ratings import MOST_RATERS, Table, code_ratings
from .matched import SharedTuples, match_best

FINGERPRINTED = (
    *("item", "group", "form", "form_version", "rater", "criterion", "value", "cannot_rate"),
    *("excluded", "exclusion_rule", "name", "score", "length"),
)
# Start, end, category, weight.
Error = tuple[int, int, str, float]


@dataclass(frozen=True)
class ErrorAnswers:
    """Counted answers with their errors, the length of their text and their score."""

    answers: pd.DataFrame
    identified: bool

    def by_question(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """Yield each question that has answers."""
        for name, rows in self.answers.groupby("name", sort=False):
            if (rows["value"] != "").any():
                yield str(name), rows

    @property
    def cannot_rate(self) -> dict[str, int]:
        """Number of answers without a value."""
        return {name: int((rows["value"] == "").sum()) for name, rows in self.by_question()}

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the answers with their scores, in any order."""
        return digest_answers(self.answers, FINGERPRINTED)

    @cached_property
    def scores(self) -> Table:
        """Scores as ratings of criteria of their own."""
        criteria = {}
        for name, rows in self.by_question():
            rated = rows[rows["value"] != ""].assign(value=rows["score"]).sort_values(["item", "rater"])
            coded = code_ratings(f"{name}:score", rated, None, self.identified)
            criteria[coded.name] = replace(coded, continuous=True)
        return Table(criteria, {}, self.fingerprint)


def read_error_answers(bundle: Bundle) -> pd.DataFrame:
    """Read the answers that are marked errors; "can't rate" is NaN."""
    places = {
        (scale["form"], scale["criterion"]) for scale in bundle.facts["scales"] if scale["yields"] == "errors"
    }
    return read_answers(bundle, places)


def select_counted_errors(
    bundle: Bundle, frame: pd.DataFrame, *, pooled: bool
) -> tuple[ErrorAnswers | None, Row]:
    """Select the marked errors that count; None if there is no answer."""
    counted, data = select_counted_answers(bundle, frame, pooled=pooled)
    if counted is None:
        return None, data
    asked = {
        (form["form"], form["version"], form.get("correction", 0), one["key"]): (form, one)
        for form in bundle.forms
        for one in form["criteria"]
    }
    items = bundle.items.set_index("item").to_dict("index")
    errors: list[list[Error]] = []
    lengths: list[int] = []
    scores: list[float] = []
    for _, row in counted.iterrows():
        place = row["form"], row["form_version"], row["form_correction"], row["criterion"]
        form, criterion = asked[place]
        how = criterion["settings"]["errors"]
        text = items[row["item"]].get(find_marked_field(form["shown"]), "")
        marks = json.loads(row["value"] or "[]")
        found = [(m["start"], m["end"], m["category"], float(how["weights"][m["severity"]])) for m in marks]
        errors.append(found)
        lengths.append(len(text))
        scores.append(compute_score(found, text, how) if row["value"] else math.nan)
    counted = counted.assign(
        errors=pd.Series(errors, index=counted.index, dtype=object), length=lengths, score=scores
    )
    return ErrorAnswers(counted, bool(bundle.facts["identified"])), data


def find_marked_field(blocks: Sequence[Mapping[str, str]]) -> str:
    """Find the field in which errors are marked: the form's figure, or its first text."""
    figures = [block["field"] for block in blocks if block.get("role") == "figure"]
    return [*figures, *(block["field"] for block in blocks), "sentence"][0]


def compute_score(errors: Sequence[Error], text: str, how: Mapping[str, object]) -> float:
    """Compute the sum of weights per text, per 100 characters or per 100 words, up to the highest score."""
    total = float(sum(weight for *_, weight in errors))
    lengths = {"100 characters": len(text), "100 words": len(text.split())}
    per = str(how.get("score_per", "text"))
    if per in lengths:
        total *= 100.0 / max(lengths[per], 1)
    cap = how.get("score_cap")
    return total if cap is None else min(total, float(str(cap)))


def share_errors(ones: Sequence[Error], others: Sequence[Error], matching: str) -> Array:
    """Count what two raters' errors have in common, the sizes of each, items, and errors of both."""
    exact, weighted = matching.startswith("exact"), matching.endswith("weighted")

    def size(one: Error) -> float:
        return (one[3] if weighted else 1.0) * (1 if exact else one[1] - one[0])

    def gain(one: Error, other: Error) -> float:
        weight = min(one[3], other[3]) if weighted else 1.0
        if exact:
            return weight * (one[:3] == other[:3])
        return weight * max(0, min(one[1], other[1]) - max(one[0], other[0]))

    hits = match_best([[gain(one, other) for other in others] for one in ones])
    sizes = [sum(map(size, side)) for side in (ones, others)]
    return np.array([hits, *sizes, 1, len(ones) + len(others)], dtype=float)


def compare_errors(name: str, rows: pd.DataFrame, identified: bool, matching: str) -> SharedTuples:
    """Compare the errors of every two raters of an item; slots share one column."""
    seen: dict[str, dict[str, list[Error]]] = {}
    for item, rater, errors in zip(rows["item"], rows["rater"], rows["errors"], strict=True):
        seen.setdefault(rater, {})[item] = errors
    raters = sorted(seen)
    times = Counter(item for items in seen.values() for item in items)
    items = sorted(item for item, number in times.items() if number > 1)
    pairs = list(combinations(raters, 2)) if identified and len(raters) <= MOST_RATERS else []
    column = {pair: position for position, pair in enumerate(pairs)}
    cells = np.zeros((5, len(items), max(len(pairs), 1)))
    for row, item in enumerate(items):
        for one, other in combinations([rater for rater in raters if item in seen[rater]], 2):
            found = share_errors(seen[one][item], seen[other][item], matching)
            cells[:, row, column.get((one, other), 0)] += found
    shared = rows[rows["item"].isin(items)]
    numbers = {
        "n_items": len(items),
        "n_raters": shared["rater"].nunique() if identified else None,
        "n_ratings": sum(map(len, shared["errors"])),
    }
    unit, _ = assign_item_units(items, dict(zip(rows["item"], rows["group"], strict=True)))
    return SharedTuples(name, matching, pairs, unit, cells, numbers, len(raters) < 2)


def compute_character_figures(name: str, rows: pd.DataFrame, identified: bool, drawing: Drawing) -> list[Row]:
    """Compute α of whether a character is in an error, and of the weight of the heaviest error at it."""
    times = rows["item"].value_counts()
    shared = rows[(rows["item"].map(times) > 1) & (rows["length"] > 0)]
    if shared.empty:
        return []
    texts = sorted(set(shared["item"]))
    groups = dict(zip(rows["item"], rows["group"], strict=True))
    unit = dict(zip(texts, assign_item_units(texts, groups)[0], strict=True))
    columns = ["item", "rater", "value", "group"]
    characters = []
    for item, rater, errors, length in shared[["item", "rater", "errors", "length"]].itertuples(index=False):
        weights = [0.0] * length
        for start, end, _, weight in errors:
            weights[start:end] = [max(weight, before) for before in weights[start:end]]
        group = str(unit[item])
        characters += [(f"{item}\x1f{at}", rater, weight, group) for at, weight in enumerate(weights)]
    frame = pd.DataFrame(characters, columns=columns)
    numbers = {"n_items": shared["item"].nunique()}
    levels: tuple[tuple[Level, str], ...] = (
        ("nominal", "nominal, characters"),
        ("interval", "interval, characters by weight"),
    )
    found = []
    for level, variant in levels:
        value = frame["value"] if level == "interval" else (frame["value"] > 0).astype(float)
        coded = code_ratings(name, frame.assign(value=value), None, identified)
        found.append(compute_alpha(coded, drawing, level) | {"variant": variant} | numbers)
    return found


def compute_error_figures(answers: ErrorAnswers, drawing: Drawing) -> tuple[list[Row], list[Row]]:
    """Compute F1 of all pairs and α of characters, and each pair's figures."""
    rows: list[Row] = []
    pairs: list[Row] = []
    for name, all_rows in answers.by_question():
        given = all_rows[all_rows["value"] != ""]
        for matching in ("exact", "overlap", "exact, weighted", "overlap, weighted"):
            shared = compare_errors(name, given, answers.identified, matching)
            drawn = shared.drawn(drawing)
            rows += shared.overall(drawn, drawing)
            pairs += shared.of_pairs(drawn, drawing)
        rows += compute_character_figures(name, given, answers.identified, drawing)
    return rows, pairs


def list_item_scores(answers: ErrorAnswers) -> list[Row]:
    """List the mean score of each item."""
    return [
        {"criterion": name, "item": str(item), "n": len(scores), "score": float(scores.mean())}
        for name, rows in answers.by_question()
        for item, scores in rows[rows["value"] != ""].groupby("item")["score"]
    ]
