"""Recompute every number of this bundle's reports and LaTeX tables from its own data files.

    python recompute.py [FOLDER]

It needs pandas, numpy, scipy and krippendorff, and nothing else: not the software that collected the ratings.
Coefficients are computed from their definitions; intervals from the seeded random streams that the bundle's
README describes, so that even bootstrap limits come out as stored. It prints each file with the numbers it
compared, and how many it does not know how to compute; it ends with 1 where one differs by more than its
tolerance, with 2 where the folder is no bundle.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import krippendorff
import numpy as np
import pandas as pd
from scipy import linalg, optimize, sparse, stats
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import cg

Array = np.ndarray[Any, np.dtype[Any]]
Row = dict[str, Any]
Statistic = Callable[[Array], Array]
Level = Literal["nominal", "ordinal", "interval"]

TOLERANCE = 1e-9
# Restricted maximum likelihood ends where a step no longer pays: two ways there agree to this.
ITERATED = 1e-6
P_VALUES = {"p", "p_adjusted", "p_bootstrap", "p_permutation", "williams_p", "williams_paper_p"}
# Of a share: less is rounding, for it is 0 or at least of the order of 1 / n².
SMALLEST_VARIANCE = 1e-20
OUTCOMES = ("right", "wrong", "unsure", "cannot_rate", "tie")
# Below this the tail of a distribution is rounding alone.
TINY = 1e-30
# Means of a crossed table are stored with six decimals.
ROUNDED = 1e-6
CONFIDENCE = 0.95
ROUNDING = 1e-12
MINIMUM_SHARED = 10
# A scale of more points, or of points that are no whole numbers, is no set of categories.
MOST_CATEGORIES = 20
KENDALL_LIMIT = 3_000
REML_LIMIT = 1_500
EXACT_SPECTRUM = 100
PIVOTS = 20_000
SPLITS = 50
LEVELS_OF_ALPHA: tuple[Level, ...] = ("ordinal", "interval")
# Strengths of competitors: of how many they are fitted and resampled, in how many replicates and steps.
MOST_FITTED, MOST_COMPETITORS, MOST_FITS, MOST_STEPS = 1000, 60, 500, 2000
USUAL_PARTS = ("tenor", "vehicle", "ground", "comparator", "event")
WITH_OPTIONS = ("choice", "multiple", "preference")
# Fewer items or groups than this are not resampled where answers are sets or tuples.
FEWEST_UNITS = 5
LEVELS = ("item", "group", "system")
COEFFICIENTS = ("pearson", "spearman", "kendall")
NUMBERS = ("estimate", "low", "high", "confidence", "p", "n_items", "n_raters", "n_ratings", "n_groups")
NUMBERS_OF_COMPARISONS = (
    "r_first",
    "r_second",
    "r_between",
    "p_adjusted",
    "p_bootstrap",
    "p_permutation",
    "williams_t",
    "williams_p",
    "williams_paper_t",
    "williams_paper_p",
)
NUMBERS_OF_PAIRS = (
    "shared",
    "kappa",
    "kappa_unweighted",
    "pearson",
    "spearman",
    "exact",
    "within_one",
    "difference",
)
OF_WORDS = ("precision", "recall", "f1")
KNOWN = {
    *("held_out_pearson", "held_out_spearman", "icc1", "icc1k", "icc2", "icc2k", "icc3", "icc3k"),
    *("alpha", "fleiss", "ac1", "ac2", "exact", "within_one", "brennan_prediger"),
    *OF_WORDS,
}
# Pairs and distributions of more raters than this are not stored.
MOST_RATERS = 30
OF_SCALES = {"versions", "pairs", "components", "distributions", "crossed"}
SHARE = ("n", "share", "low", "high")
WINS = ("wins", "ties", "losses", *SHARE)
OF_CHOICES = {
    "accuracy": (
        ("criterion", "who", "name", "by", "category"),
        ("right", "wrong", "unsure", "cannot_rate", "tie", *SHARE, "share_decided"),
    ),
    "without_key": (("criterion",), ("n_items",)),
    "win_rates": (("criterion", "competitor"), WINS),
    "wins_by_percent": (("criterion", "percent"), WINS),
    "first_shown": (("criterion",), WINS),
    "strengths": (("criterion", "competitor"), ("n", "strength", "low", "high")),
}
OF_METRICS = {"criteria", "metrics", "systems", "borda", "comparisons", "rankings", "ceiling"}
HEADLINE = {"held_out_pearson", "held_out_spearman", "icc2", "icc2k", "alpha", "fleiss", "ac2"}


LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "ε": r"$\varepsilon$",
    "Δ": r"$\Delta$",
    "Ξ": r"$\Xi$",
    "¤": r"\textcurrency{}",
    "§": r"\S{}",
    "−": r"$-$",
    "–": "--",
}


# ------------------------------------------------------------------ files


def unmarked(text: str) -> str:
    """A cell without the apostrophe that keeps spreadsheets from running it as a formula."""
    return text[1:] if re.match(r"'+[=+\-@\t\r\n＝＋－＠]", text) else text


def read_table(path: Path) -> pd.DataFrame:
    """A CSV file of the bundle, every cell as text."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    for column in frame.columns:
        distinct = {text: unmarked(text) for text in frame[column].unique()}
        frame[column] = frame[column].map(distinct)
    return frame


def numbers(texts: pd.Series[Any]) -> Array:
    """Texts as numbers, exactly; an empty one is NaN."""
    distinct = {text: float(text) if text else math.nan for text in texts.unique()}
    return np.asarray(texts.map(distinct), dtype=float)


@dataclass(frozen=True)
class Bundle:
    """The files that figures come from; `answers` are the current rows, `ratings` those of them on scales."""

    folder: Path
    facts: Mapping[str, Any]
    forms: Sequence[Mapping[str, Any]]
    answers: pd.DataFrame
    ratings: pd.DataFrame
    scores: pd.DataFrame
    items: pd.DataFrame

    @classmethod
    def read(cls, folder: Path) -> Bundle:
        """Read a bundle's folder."""
        facts, forms = (
            json.loads((folder / name).read_text(encoding="utf-8")) for name in ("study.json", "forms.json")
        )
        answers = read_table(folder / "data" / "ratings.csv")
        answers["rater"] = answers["rater" if facts["identified"] else "slot"]
        answers = answers[answers["current"] == "true"].reset_index(drop=True)
        answers["form_version"] = answers["form_version"].astype(int)
        for flag in ("cannot_rate", "late", "simulated", "excluded"):
            answers[flag] = answers[flag] == "true"
        answers["response"] = answers.groupby(["item", "form", "rater"], sort=False).ngroup()
        ratings = of_criteria(answers, criteria_on_scales(facts))
        ratings = ratings.assign(value=numbers(ratings["value"]))
        tables = [read_table(folder / "data" / f"{name}.csv") for name in ("scores", "items")]
        return cls(folder, facts, forms, answers, ratings, *tables)


def of_criteria(answers: pd.DataFrame, places: Collection[tuple[str, str]]) -> pd.DataFrame:
    """The answers to some criteria, which are named by form and key."""
    asked = [place in places for place in zip(answers["form"], answers["criterion"], strict=True)]
    return answers[np.array(asked, dtype=bool)].reset_index(drop=True)


def criteria_on_scales(facts: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Form and key of the criteria whose ratings are numbers."""
    return {(one["form"], one["criterion"]) for one in facts["scales"] if one["kind"] == "likert"}


def counted(bundle: Bundle, frame: pd.DataFrame, *, pooled: bool) -> tuple[pd.DataFrame, Row]:
    """The ratings that count, and how many answers were left out for which reason."""
    excluded, rest = frame[frame["excluded"]], frame[~frame["excluded"]]
    late = rest["late"] & (not bundle.facts["include_late"])
    rest, late_rows = rest[~late], rest[late]
    older = rest["form_version"] < rest.groupby("form")["form_version"].transform("max")
    older &= not pooled
    rest, older_rows = rest[~older], rest[older]
    rules = {str(rule): part["response"].nunique() for rule, part in excluded.groupby("exclusion_rule")}
    data = {
        "excluded": rules,
        "set_apart": {
            "cannot_rate": rest.loc[rest["cannot_rate"], "response"].nunique(),
            "late": late_rows["response"].nunique(),
            "older_versions": older_rows["response"].nunique(),
        },
        "n_responses": rest["response"].nunique(),
        "n_ratings": int(rest["value"].notna().sum()),
        "n_items": rest["item"].nunique(),
        "n_raters": rest["rater"].nunique(),
        "n_simulated": rest.loc[rest["simulated"], "response"].nunique(),
        "identified": bool(bundle.facts["identified"]),
    }
    forms = rest.groupby("criterion")["form"].transform("nunique")
    name = rest["criterion"].where(forms == 1, rest["form"] + ":" + rest["criterion"])
    return rest.assign(name=name), data


def as_if_counting(bundle: Bundle, frame: pd.DataFrame, *, pooled: bool) -> pd.DataFrame:
    """The answers as if nothing were excluded, without a wording that exclusions take out whole."""
    if not pooled:
        counting = frame[~frame["excluded"] & (bool(bundle.facts["include_late"]) | ~frame["late"])]
        newest = frame["form"].map(counting.groupby("form")["form_version"].max())
        frame = frame[~(frame["form_version"] > newest)]
    return frame.assign(excluded=False)


def scales(bundle: Bundle, kept: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Least and greatest point of the scale of each criterion, over all versions of its form."""
    ends: dict[tuple[str, str], tuple[int, int]] = {}
    for one in bundle.facts["scales"]:
        if one["kind"] != "likert" or one["minimum"] is None or one["maximum"] is None:
            continue
        place, low, high = (one["form"], one["criterion"]), one["minimum"], one["maximum"]
        before = ends.get(place, (low, high))
        ends[place] = (min(low, before[0]), max(high, before[1]))
    named = kept[["name", "form", "criterion"]].drop_duplicates()
    return {name: ends[form, key] for name, form, key in named.itertuples(index=False) if (form, key) in ends}


# ------------------------------------------------------------------ random streams and intervals


@dataclass(frozen=True)
class Drawing:
    """Seed and number of replicates of a report."""

    seed: int
    replicates: int

    def stream(self, *names: str) -> np.random.Generator:
        """The stream of a name: PCG64 seeded with the seed and the CRC-32 of each name."""
        return np.random.default_rng([self.seed, *(zlib.crc32(name.encode()) for name in names)])

    def chunks(self, width: int) -> list[int]:
        """Replicates are drawn in pieces of two million cells."""
        most = max(1, 2_000_000 // max(width, 1))
        full, rest = divmod(self.replicates, most)
        return [most] * full + [rest] * (rest > 0)

    def limits(self, replicates: Array | None, unit: str, n_units: int) -> tuple[float, float]:
        """Percentile limits; none with under five groups, or over 5 % undefined replicates."""
        if replicates is None or (unit == "groups" and n_units < 5):
            return math.nan, math.nan
        defined = replicates[np.isfinite(replicates)]
        if len(replicates) - len(defined) > 0.05 * len(replicates):
            return math.nan, math.nan
        low, high = np.quantile(defined, tails())
        return float(low), float(high)

    def unit_weights(self, n_units: int, width: int, stream: str = "units") -> Iterator[Array]:
        """How often each unit comes in each replicate, one multinomial a replicate."""
        generator, shares = self.stream(stream), np.full(n_units, 1 / max(n_units, 1))
        for size in self.chunks(width):
            yield generator.multinomial(n_units, shares, size=size).astype(float)


def tails() -> tuple[float, float]:
    """Probabilities below the two limits."""
    tail = (1 - CONFIDENCE) / 2
    return tail, 1 - tail


def drawn_units(generator: np.random.Generator, frequency: Array, size: int) -> Array:
    """How often each kind of unit is drawn, shape (kinds, size).

    One multinomial where there are more than four units a kind; otherwise the units themselves are drawn,
    beyond 10,000 of them block by block of 2¹⁶.
    """
    kinds, units = len(frequency), int(frequency.sum())
    if units > 4 * kinds:
        return generator.multinomial(units, frequency / units, size=size).T.astype(float)
    if units <= 10_000:
        drawn = generator.integers(0, units, size=(size, units))
        counts = np.stack([np.bincount(row, minlength=units) for row in drawn], axis=1).astype(float)
    else:
        counts = drawn_in_blocks(generator, units, size)
    return counts if kinds == units else np.add.reduceat(counts, np.cumsum(frequency) - frequency, axis=0)


def drawn_in_blocks(generator: np.random.Generator, units: int, size: int) -> Array:
    """How many units fall into each block, then which of the block's."""
    counts = np.empty((units, size))
    starts = np.arange(0, units, 2**16)
    lengths = np.diff(starts, append=units)
    in_block = generator.multinomial(units, lengths / units, size=size)
    for block, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        for replicate, number in enumerate(in_block[:, block]):
            drawn = generator.integers(0, length, number, dtype=np.uint16)
            counts[start : start + length, replicate] = np.bincount(drawn, minlength=length)
    return counts


# ------------------------------------------------------------------ ratings of one criterion


@dataclass(frozen=True)
class Ratings:
    """The values of one criterion, ordered by item and rater."""

    name: str
    item: Array
    rater: Array
    value: Array
    items: Array
    raters: Array
    group: Array | None
    categories: Array
    identified: bool
    nominal: bool = False

    @property
    def n_items(self) -> int:
        """Items with a value."""
        return len(self.items)

    @cached_property
    def sizes(self) -> Array:
        """Ratings of each item."""
        return np.bincount(self.item, minlength=self.n_items)

    @property
    def code(self) -> Array:
        """Position of each value among the categories."""
        return np.searchsorted(self.categories, self.value)

    @property
    def unit(self) -> str:
        """What is resampled."""
        return "items" if self.group is None else "groups"

    @property
    def is_complete(self) -> bool:
        """Every rater rated every item."""
        return len(self.value) == self.n_items * len(self.raters)

    @property
    def constant(self) -> bool:
        """Every value is the same."""
        return len(np.unique(self.value)) < 2

    @property
    def has_categories(self) -> bool:
        """Options, or at most 20 points in whole numbers."""
        whole = bool((self.categories == np.round(self.categories)).all())
        return self.nominal or (whole and len(self.categories) <= MOST_CATEGORIES)

    @cached_property
    def spread_within(self) -> Array:
        """Greatest less least value of each item."""
        starts = np.cumsum(self.sizes) - self.sizes
        return np.maximum.reduceat(self.value, starts) - np.minimum.reduceat(self.value, starts)

    def pairable(self) -> Ratings:
        """The ratings of items that have at least two."""
        chosen = self.sizes[self.item] >= 2
        items, item = np.unique(self.item[chosen], return_inverse=True)
        raters, rater = np.unique(self.rater[chosen], return_inverse=True)
        group = None if self.group is None else np.unique(self.group[items], return_inverse=True)[1]
        return Ratings(
            self.name,
            item,
            rater,
            self.value[chosen],
            self.items[items],
            self.raters[raters],
            group,
            self.categories,
            self.identified,
            self.nominal,
        )

    def numbers(self) -> Row:
        """What a figure rests on."""
        return {
            "n_items": self.n_items,
            "n_raters": len(self.raters) if self.identified else None,
            "n_ratings": len(self.value),
        }


@dataclass(frozen=True)
class Table:
    """Ratings by criterion, and the fingerprint of all of them."""

    criteria: dict[str, Ratings]
    cannot_rate: dict[str, int]
    fingerprint: str


def ratings_table(bundle: Bundle, kept: pd.DataFrame) -> Table:
    """Code the ratings that count."""
    identified, ends = bool(bundle.facts["identified"]), scales(bundle, kept)
    criteria, cannot_rate = {}, {}
    for name in dict.fromkeys(kept["name"]):
        rows = kept[kept["name"] == name]
        rated = rows[rows["value"].notna()].sort_values(["item", "rater"], kind="stable")
        criteria[name] = coded(name, rated, ends.get(name), identified)
        cannot_rate[name] = len(rows) - len(rated)
    return Table(criteria, cannot_rate, fingerprint(kept, identified))


def coded(name: str, rated: pd.DataFrame, scale: tuple[int, int] | None, identified: bool) -> Ratings:
    """The ratings of one criterion as codes, in the order of their labels."""
    items, item = np.unique(rated["item"].to_numpy(dtype=object), return_inverse=True)
    raters, rater = np.unique(rated["rater"].to_numpy(dtype=object), return_inverse=True)
    order = np.lexsort((rater, item))
    value = rated["value"].to_numpy(dtype=float)
    categories = np.unique(value)
    if scale is not None and np.all(categories == np.round(categories)):
        categories = np.union1d(categories, np.arange(scale[0], scale[1] + 1, dtype=float))
    group = grouped(rated["group"].to_numpy(dtype=object), item, len(items))
    ordered = item[order], rater[order], value[order]
    return Ratings(name, *ordered, items, raters, group, categories, identified)


def grouped(labels: Array, item: Array, n_items: int) -> Array | None:
    """Group code of each item; an item without one is a group of its own."""
    if not any(labels):
        return None
    names, code = np.unique(labels, return_inverse=True)
    of_item = np.zeros(n_items, dtype=int)
    of_item[item] = code
    if names[0] == "":
        alone = np.flatnonzero(of_item == 0)
        of_item[alone] = len(names) + np.arange(len(alone))
        of_item -= 1
    return None if of_item.max() + 1 == n_items else of_item


def fingerprint(kept: pd.DataFrame, identified: bool) -> str:
    """SHA-256 over the labels of each column, their codes and the values, rows in order."""
    columns = {
        name: np.unique(kept[source].to_numpy(dtype=object), return_inverse=True)
        for name, source in (("item", "item"), ("rater", "rater"), ("criterion", "name"), ("group", "group"))
    }
    columns["system"] = (np.array([""], dtype=object), np.zeros(len(kept), dtype=int))
    order = np.lexsort([columns[name][1] for name in ("criterion", "rater", "item")])
    digest = hashlib.sha256(b"identified\n" if identified else b"slots\n")
    for name in ("item", "rater", "criterion", "group", "system"):
        labels, code = columns[name]
        for text in labels:
            encoded = str(text).encode()
            digest.update(b"%d:%b" % (len(encoded), encoded))
        digest.update(code[order].astype("<i8").tobytes())
    digest.update((kept["value"].to_numpy(dtype=float)[order] + 0.0).astype("<f8").tobytes())
    return digest.hexdigest()


def figure(ratings: Ratings, key: str, variant: str, estimate: float, limits: tuple[float, float]) -> Row:
    """A reliability figure as a row."""
    low, high = limits
    return {
        "criterion": ratings.name,
        "coefficient": key,
        "variant": variant,
        "estimate": estimate,
        "low": low,
        "high": high,
        "confidence": CONFIDENCE,
        **ratings.numbers(),
    }


def refused(ratings: Ratings, key: str, variant: str = "") -> Row:
    """A figure that cannot be computed."""
    return figure(ratings, key, variant, math.nan, (math.nan, math.nan))


# ------------------------------------------------------------------ agreement over value counts


@dataclass(frozen=True)
class Patterns:
    """The distinct ways items were rated, by number of ratings, then by the sorted values."""

    counts: Array
    frequency: Array
    by_group: sparse.csr_array | None

    @classmethod
    def of(cls, ratings: Ratings) -> Patterns:
        """The patterns of a criterion's items."""
        code, starts = ratings.code, np.cumsum(ratings.sizes) - ratings.sizes
        of_item = np.empty(ratings.n_items, dtype=int)
        counts: list[Array] = []
        found = 0
        for size in np.unique(ratings.sizes):
            items = np.flatnonzero(ratings.sizes == size)
            rows = np.sort(code[starts[items][:, None] + np.arange(size)], axis=1)
            distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
            of_item[items] = found + inverse.ravel()
            found += len(distinct)
            counts += [np.bincount(row, minlength=len(ratings.categories)) for row in distinct]
        by_group = None
        if ratings.group is not None:
            ones, shape = np.ones(ratings.n_items), (int(ratings.group.max()) + 1, found)
            by_group = sparse.coo_array((ones, (ratings.group, of_item)), shape=shape).tocsr()
        return cls(np.array(counts, dtype=float), np.bincount(of_item).astype(float), by_group)

    @property
    def n_units(self) -> int:
        """Items or groups to draw from."""
        return int(self.frequency.sum()) if self.by_group is None else int(self.by_group.shape[0])

    @property
    def sizes(self) -> Array:
        """Ratings of an item of each pattern."""
        return np.asarray(self.counts.sum(axis=1))

    def replicates(self, drawing: Drawing, stream: Sequence[str], compute: Statistic) -> Array | None:
        """The statistic in every replicate; None with a single unit."""
        if self.n_units < 2:
            return None
        generator = drawing.stream(*stream)
        width = max(*self.counts.shape, 0 if self.by_group is None else self.n_units)
        return np.concatenate([compute(self.draw(generator, size)) for size in drawing.chunks(width)])

    def draw(self, generator: np.random.Generator, size: int) -> Array:
        """How often each pattern comes in each replicate, shape (size, patterns)."""
        if self.by_group is None:
            return drawn_units(generator, self.frequency.astype(int), size).T
        groups = drawn_units(generator, np.ones(self.n_units, dtype=int), size)
        return np.asarray((self.by_group.T @ groups).T)

    def figure(
        self, ratings: Ratings, drawing: Drawing, name: tuple[str, str], stream: Sequence[str], how: Statistic
    ) -> Row:
        """Estimate and percentile limits of a statistic."""
        limits = drawing.limits(self.replicates(drawing, stream, how), ratings.unit, self.n_units)
        return figure(ratings, *name, float(how(self.frequency[None, :])[0]), limits)


def not_comparable(ratings: Ratings, pairable: Ratings) -> bool:
    """No agreement corrected for chance: one rater, under two items with two ratings, or one value."""
    return len(ratings.raters) < 2 or pairable.n_items < 2 or pairable.constant


def alpha(ratings: Ratings, drawing: Drawing, level: Level) -> Row:
    """Krippendorff's α: the package's estimate, and the coincidence matrix of every replicate."""
    pairable = ratings.pairable()
    if not_comparable(ratings, pairable):
        return refused(pairable, "alpha", level)
    patterns = Patterns.of(pairable)
    how = partial(alphas, patterns=patterns, values=pairable.categories, level=level)
    row = patterns.figure(pairable, drawing, ("alpha", level), (ratings.name, "alpha", level), how)
    shape = (pairable.n_items, len(pairable.categories))
    cells = np.bincount(pairable.item * shape[1] + pairable.code, minlength=shape[0] * shape[1])
    counts = cells.reshape(shape)
    if counts.size * shape[1] <= 1_000_000:
        row["estimate"] = krippendorff.alpha(
            value_counts=counts, value_domain=pairable.categories, level_of_measurement=level
        )
    return row


def alphas(weights: Array, patterns: Patterns, values: Array, level: str) -> Array:
    """1 − Σ o·δ² / Σ e·δ² for each row of pattern weights (Krippendorff 2011)."""
    counts, q = patterns.counts, len(values)
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(q)
    coincidences = weights @ (pairs / (patterns.sizes - 1)[:, None, None]).reshape(len(counts), -1)
    observed = coincidences.reshape(len(weights), q, q)
    marginals = observed.sum(axis=2)
    total = marginals.sum(axis=1)
    expected = marginals[:, :, None] * marginals[:, None, :] / (total - 1)[:, None, None]
    if level == "nominal":
        distance = (1 - np.eye(q))[None]
    elif level == "ordinal":
        places = np.cumsum(marginals, axis=1) - marginals / 2
        distance = (places[:, :, None] - places[:, None, :]) ** 2
    else:
        distance = ((values[:, None] - values) ** 2)[None]
    below = (expected * distance).sum(axis=(1, 2))
    undefined = ((marginals > 0).sum(axis=1) < 2) | (below <= 0)
    ratio = (observed * distance).sum(axis=(1, 2)) / np.where(undefined, 1.0, below)
    return np.where(undefined, np.nan, 1 - ratio)


def fleiss(ratings: Ratings, drawing: Drawing) -> Row:
    """Fleiss' κ; with unequal numbers of ratings each item by its own, marginals pooled."""
    pairable = ratings.pairable()
    sizes = np.unique(pairable.sizes)
    variant = ""
    if len(sizes):
        variant = (
            f"m={sizes[0]}" if len(sizes) == 1 else f"unequal m={sizes[0]}..{sizes[-1]}, pooled marginals"
        )
    if not ratings.has_categories or not_comparable(ratings, pairable):
        return refused(pairable, "fleiss", variant)
    patterns = Patterns.of(pairable)

    def kappas(weights: Array) -> Array:
        m = patterns.sizes
        observed = weights @ (((patterns.counts**2).sum(axis=1) - m) / (m * (m - 1))) / weights.sum(axis=1)
        shares = weights @ patterns.counts
        defined = (shares > 0).sum(axis=1) >= 2
        chance = ((shares / shares.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
        return np.where(defined, (observed - chance) / np.where(defined, 1 - chance, 1.0), np.nan)

    row = patterns.figure(pairable, drawing, ("fleiss", variant), (ratings.name, "fleiss"), kappas)
    return row if pairable.spread_within.any() else {**row, "estimate": 1.0}


def gwet(ratings: Ratings, drawing: Drawing, key: str) -> Row:
    """AC1, AC2 (quadratic), raw agreement (equal, or at most one apart), and Brennan and Prediger's S."""
    q = len(ratings.categories)
    distances = np.abs(ratings.categories[:, None] - ratings.categories)
    variant, agreeing = {
        "ac1": (f"q={q}", np.eye(q)),
        "ac2": (f"quadratic, q={q}", 1 - (distances / distances.max()) ** 2 if q > 1 else np.eye(q)),
        "exact": ("", (distances == 0).astype(float)),
        "within_one": ("", (distances <= 1).astype(float)),
        "brennan_prediger": (f"q={q}", np.eye(q)),
    }[key]
    uniform = key == "brennan_prediger"
    fewest = 2 if key in ("ac1", "ac2") else 1
    lacking = len(ratings.raters) < 2 or (ratings.sizes >= 2).sum() < fewest
    if lacking or not ratings.has_categories or (uniform and q == 1):
        return refused(ratings, key, variant)
    patterns = Patterns.of(ratings)
    m, paired = patterns.sizes, (patterns.sizes >= 2).astype(float)
    within = (patterns.counts * (patterns.counts @ agreeing - 1)).sum(axis=1) / np.maximum(m * (m - 1), 1)

    def agreement(weights: Array) -> Array:
        pairs = weights @ paired
        observed = np.where(pairs > 0, weights @ (within * paired) / np.where(pairs > 0, pairs, 1), np.nan)
        if key in ("exact", "within_one"):
            return observed
        if uniform:
            return np.asarray((observed - 1 / q) / (1 - 1 / q))
        shares = weights @ (patterns.counts / m[:, None]) / weights.sum(axis=1, keepdims=True)
        chance = agreeing.sum() / max(q * (q - 1), 1) * (shares * (1 - shares)).sum(axis=1)
        return np.asarray((observed - chance) / (1 - chance))

    row = patterns.figure(ratings, drawing, (key, variant), (ratings.name, key, variant), agreement)
    return row if ratings.pairable().spread_within.any() else {**row, "estimate": 1.0}


# ------------------------------------------------------------------ intraclass correlations


def spearman_brown(single: float, k: float) -> float:
    """Reliability of a mean of k from that of one."""
    rest = 1 + (k - 1) * single
    return k * single / rest if rest > 0 else -math.inf


def iccs(ratings: Ratings, keys: Sequence[str], drawing: Drawing) -> list[Row]:
    """The one-way (`icc1`, `icc1k`) or two-way forms, by the path their design allows."""
    two_way = keys[0] != "icc1"
    few = ratings.n_items < 2 or len(ratings.raters) < 2 or ratings.sizes.max() < 2 or ratings.constant
    if few or (two_way and not ratings.identified):
        return [refused(ratings, key) for key in keys]
    if two_way and not ratings.is_complete:
        return from_components(ratings, keys, drawing)
    if two_way or len(np.unique(ratings.sizes)) == 1:
        return from_mean_squares(ratings, keys, "two-way ANOVA" if two_way else "one-way ANOVA")
    return unbalanced(ratings, keys, drawing)


def icc_row(ratings: Ratings, key: str, path: str, k: float, found: tuple[float, float, float]) -> Row:
    """One intraclass correlation; infinite where the items have no variance: refused."""
    variant = f"{path}, k={k:.4g}" if key.endswith("k") else path
    if not math.isfinite(found[0]):
        return refused(ratings, key, variant)
    return figure(ratings, key, variant, found[0], found[1:])


@dataclass(frozen=True)
class Squares:
    """Mean squares of n items with k ratings each (Shrout & Fleiss 1979, table 1)."""

    n: int
    k: int
    rows: float
    columns: float
    error: float
    within: float

    @classmethod
    def of(cls, ratings: Ratings) -> Squares:
        """Of a rectangular table; what is a rounding error of zero is zero."""
        n, k = ratings.n_items, int(ratings.sizes[0])
        x = ratings.value.reshape(n, k) - ratings.value.mean()
        total = float((x**2).sum())

        def settle(square: float) -> float:
            return 0.0 if square < 1e-13 * total else square

        rows = k * float((x.mean(axis=1) ** 2).sum())
        columns = n * float((x.mean(axis=0) ** 2).sum())
        within = settle(total - rows)
        error = settle(within - columns)
        return cls(
            n,
            k,
            settle(rows) / (n - 1),
            columns / (k - 1),
            error / ((n - 1) * (k - 1)),
            within / (n * (k - 1)),
        )

    def coefficient(self, key: str) -> float:
        """Shrout & Fleiss (1979), McGraw & Wong (1996, table 4)."""
        n, k, msr, msc, mse, msw = self.n, self.k, self.rows, self.columns, self.error, self.within
        signal, noise = {
            "icc1": (msr - msw, msr + (k - 1) * msw),
            "icc1k": (msr - msw, msr),
            "icc2": (msr - mse, msr + (k - 1) * mse + k * (msc - mse) / n),
            "icc2k": (msr - mse, msr + (msc - mse) / n),
            "icc3": (msr - mse, msr + (k - 1) * mse),
            "icc3k": (msr - mse, msr),
        }[key]
        return signal / noise if noise > 1e-13 * (msr + msw) else math.nan

    def limits(self, key: str) -> tuple[float, float]:
        """F limits (Shrout & Fleiss), agreement by Satterthwaite (McGraw & Wong, table 7)."""
        single = key.removesuffix("k")
        low, high = self.agreement_limits() if single == "icc2" else self.ratio_limits(single)
        return (
            (spearman_brown(low, self.k), spearman_brown(high, self.k)) if key.endswith("k") else (low, high)
        )

    def ratio_limits(self, key: str) -> tuple[float, float]:
        """ICC1 and ICC3: a ratio of mean squares follows F."""
        n, k = self.n, self.k
        noise, df = (self.within, n * (k - 1)) if key == "icc1" else (self.error, (n - 1) * (k - 1))
        if noise == 0:
            return 1.0, 1.0
        f = self.rows / noise / np.asarray(stats.f.ppf(tails()[::-1], n - 1, df))
        return float((f[0] - 1) / (f[0] + k - 1)), float((f[1] - 1) / (f[1] + k - 1))

    def agreement_limits(self) -> tuple[float, float]:
        """ICC2."""
        n, k, icc = self.n, self.k, self.coefficient("icc2")
        if icc == 1:
            return 1.0, 1.0
        a = k * icc / (n * (1 - icc)) * self.columns
        b = (1 + k * icc * (n - 1) / (n * (1 - icc))) * self.error
        weight = a**2 / (k - 1) + b**2 / ((n - 1) * (k - 1))
        v = (a + b) ** 2 / weight if weight > 0 else (n - 1) * (k - 1)
        spread = k * self.columns + (k * n - k - n) * self.error
        below, above = stats.f.ppf(tails()[1], n - 1, v), stats.f.ppf(tails()[1], v, n - 1)
        low = n * (self.rows - below * self.error) / (below * spread + n * self.rows)
        return float(low), float(n * (above * self.rows - self.error) / (spread + n * above * self.rows))


def from_mean_squares(ratings: Ratings, keys: Sequence[str], path: str) -> list[Row]:
    """From a rectangular table."""
    ms = Squares.of(ratings)
    one_way = path.startswith("one")
    rows = []
    for key in keys:
        found = (ms.coefficient(key), math.nan, math.nan)
        if not ratings.spread_within.any():
            found = (1.0, 1.0, 1.0)
        elif ms.rows == 0 and not one_way and ms.error == 0:
            found = (math.nan, math.nan, math.nan)
        elif ms.rows > 0 and math.isfinite(found[0]):
            found = (found[0], *ms.limits(key))
        rows.append(icc_row(ratings, key, path, ms.k, found))
    return rows


def unbalanced(ratings: Ratings, keys: Sequence[str], drawing: Drawing) -> list[Row]:
    """One-way ANOVA with unequal numbers of ratings, k₀ = (N − Σm²/N)/(n − 1)."""
    patterns, path = Patterns.of(ratings), "unbalanced one-way ANOVA"
    values, m = ratings.categories - ratings.value.mean(), patterns.sizes
    sums, squares = patterns.counts @ values, patterns.counts @ values**2
    features = np.column_stack([np.ones_like(m), m, m**2, sums, squares, sums**2 / m])

    def estimates(weights: Array) -> tuple[Array, Array]:
        n, total, sizes_squared, all_sums, all_squares, between = (weights @ features).T
        with np.errstate(divide="ignore", invalid="ignore"):
            k0 = np.where(n > 1, (total - sizes_squared / total) / (n - 1), np.nan)
            within = np.where(total > n, (all_squares - between) / (total - n), np.nan)
            within = np.where(within < 1e-13 * all_squares / total, 0.0, within)
            rows = np.where(n > 1, (between - all_sums**2 / total) / (n - 1), np.nan)
            noise = rows + (k0 - 1) * within
            return np.where(noise > 0, (rows - within) / noise, np.nan), k0

    estimate, k0 = (float(part[0]) for part in estimates(patterns.frequency[None, :]))
    if not ratings.spread_within.any():
        return [icc_row(ratings, key, path, k0, (1.0, 1.0, 1.0)) for key in keys]
    replicates = patterns.replicates(drawing, (ratings.name, "icc1"), lambda weights: estimates(weights)[0])
    low, high = drawing.limits(replicates, ratings.unit, patterns.n_units)
    averaged = (spearman_brown(estimate, k0), spearman_brown(low, k0), spearman_brown(high, k0))
    if math.isnan(low):
        averaged = (averaged[0], math.nan, math.nan)
    return [
        icc_row(ratings, key, path, k0, averaged if key == "icc1k" else (estimate, low, high)) for key in keys
    ]


@dataclass(frozen=True)
class Crossed:
    """Items and raters crossed with empty cells; rows are the larger factor."""

    row: Array
    column: Array
    y: Array
    items_are_rows: bool

    @classmethod
    def of(cls, ratings: Ratings) -> Crossed:
        """The design of a criterion's ratings."""
        y = ratings.value - ratings.value.mean()
        if ratings.n_items >= len(ratings.raters):
            return cls(ratings.item, ratings.rater, y, True)
        return cls(ratings.rater, ratings.item, y, False)

    @cached_property
    def cells(self) -> sparse.csr_array:
        """1 where a row and a column meet."""
        return sparse.coo_array((np.ones(len(self.y)), (self.row, self.column))).tocsr()

    @cached_property
    def n_row(self) -> Array:
        """Ratings of each row."""
        return np.bincount(self.row).astype(float)

    @cached_property
    def n_column(self) -> Array:
        """Ratings of each column."""
        return np.bincount(self.column).astype(float)

    @cached_property
    def pieces(self) -> int:
        """Parts of the design that never meet."""
        size = len(self.n_row) + len(self.n_column)
        edges = (np.ones(len(self.y)), (self.row, len(self.n_row) + self.column))
        return int(connected_components(sparse.coo_array(edges, shape=(size, size)), directed=False)[0])

    @cached_property
    def degrees(self) -> tuple[int, int, int]:
        """Degrees of freedom of rows, columns and residual."""
        rows, columns = len(self.n_row) - self.pieces, len(self.n_column) - self.pieces
        return rows, columns, len(self.y) - rows - columns - self.pieces

    def through(self, weights: Array) -> Array:
        """Σ over rows of weight × column × column."""
        return np.asarray((self.cells.T @ sparse.diags_array(weights) @ self.cells).toarray())

    def by_row(self, values: Array) -> Array:
        """Sums of each row."""
        return np.bincount(self.row, values, len(self.n_row))

    def by_column(self, values: Array) -> Array:
        """Sums of each column."""
        return np.bincount(self.column, values, len(self.n_column))

    @cached_property
    def reduced(self) -> Array:
        """Normal equations of the columns with the rows eliminated."""
        return np.asarray(np.diag(self.n_column) - self.through(1 / self.n_row))

    @cached_property
    def squares(self) -> Array:
        """Rows adjusted for columns, columns for rows, residual."""
        within_rows = self.y - (self.by_row(self.y) / self.n_row)[self.row]
        adjusted = self.by_column(within_rows)
        if len(self.n_column) <= EXACT_SPECTRUM:
            effects = np.linalg.lstsq(self.reduced, adjusted)[0]
        else:
            limit = 10 * len(self.n_column) + 100
            effects = cg(sparse.csr_array(self.reduced), adjusted, rtol=1e-13, maxiter=limit)[0]
        columns = float(adjusted @ effects)
        residual = max(float(within_rows @ within_rows) - columns, 0.0)
        within_columns = self.y - (self.by_column(self.y) / self.n_column)[self.column]
        return np.array([max(float(within_columns @ within_columns) - residual, 0.0), columns, residual])

    def spectrum(self, rows: bool) -> tuple[Array, Array]:
        """Weights and degrees of freedom of an adjusted sum of squares; two matched terms beyond 100."""
        terms = self.degrees[0 if rows else 1]
        if not rows:
            if terms <= EXACT_SPECTRUM:
                return exact_spectrum(self.reduced, terms)
            return matched(terms, len(self.y) - len(self.n_row), float((self.reduced**2).sum()))
        scaled = self.cells @ sparse.diags_array(1 / np.sqrt(self.n_column))
        if terms <= EXACT_SPECTRUM:
            return exact_spectrum(np.diag(self.n_row) - (scaled @ scaled.T).toarray(), terms)
        shared = (scaled.T @ scaled).toarray()
        square = (
            (self.n_row**2).sum() - 2 * self.n_row @ (self.cells @ (1 / self.n_column)) + (shared**2).sum()
        )
        return matched(terms, len(self.y) - len(self.n_column), float(square))

    def henderson(self) -> Array:
        """Components that make the adjusted sums of squares equal their expectations (method III)."""
        residual = self.squares[2] / self.degrees[2]
        found = [
            (self.squares[place] - residual * df.sum()) / float(weights @ df)
            for place, (weights, df) in enumerate((self.spectrum(True), self.spectrum(False)))
        ]
        return np.array([*found, residual])

    def gao_owen(self) -> Array:
        """Components from three U-statistics (Gao & Owen 2017, section 4)."""
        n, rows, columns = len(self.y), self.n_row, self.n_column
        squares = float(self.y @ self.y)
        system = np.array(
            [
                [0.0, n - len(rows), n - len(rows)],
                [n - len(columns), 0.0, n - len(columns)],
                [n**2 - (rows**2).sum(), n**2 - (columns**2).sum(), n**2 - n],
            ]
        )
        within_rows = squares - float((self.by_row(self.y) ** 2 / rows).sum())
        within_columns = squares - float((self.by_column(self.y) ** 2 / columns).sum())
        return np.asarray(np.linalg.solve(system, [within_rows, within_columns, n * squares]))


def exact_spectrum(matrix: Array, terms: int) -> tuple[Array, Array]:
    """The greatest eigenvalues."""
    return np.linalg.eigvalsh(matrix)[len(matrix) - terms :], np.ones(terms)


def matched(terms: int, trace: float, square: float) -> tuple[Array, Array]:
    """Two terms with the same mean and spread as all eigenvalues."""
    mean = trace / terms
    spread = math.sqrt(max(square / terms - mean**2, 0.0))
    return np.array([max(mean - spread, 0.0), mean + spread]), np.array([terms / 2, terms / 2])


@dataclass(frozen=True)
class Likelihood:
    """Restricted log likelihood of variances of rows, columns and residual, with its slopes."""

    value: float
    gradient: Array
    information: Array

    @classmethod
    def at(cls, design: Crossed, variances: Array) -> Likelihood | None:
        """None where the covariance is not positive definite."""
        rows, columns, residual = (float(one) for one in variances)
        per_row = residual + rows * design.n_row
        if residual <= 0 or np.any(per_row <= 0):
            return None
        shared = (np.diag(design.n_column) - rows * design.through(1 / per_row)) / residual
        middle = np.eye(len(shared)) + columns * shared
        try:
            factor = linalg.cho_factor(middle, lower=True)
        except linalg.LinAlgError:
            return None

        def in_rows(v: Array) -> Array:
            return (v - rows * (design.by_row(v) / per_row)[design.row]) / residual

        def solve(v: Array) -> Array:
            inside = in_rows(v)
            through = linalg.cho_solve(factor, design.by_column(inside))[design.column]
            return np.asarray(inside - columns * in_rows(through))

        ones = solve(np.ones_like(design.y))
        precision = float(ones.sum())

        def project(v: Array) -> Array:
            solved = solve(v)
            return np.asarray(solved - ones * (solved.sum() / precision))

        def quadratic(v: Array) -> Array:
            return np.array([(design.by_row(v) ** 2).sum(), (design.by_column(v) ** 2).sum(), (v**2).sum()])

        projected, inverse = project(design.y), linalg.cho_solve(factor, np.eye(len(shared)))
        of_columns = float((inverse * shared).sum())
        of_rows = float((design.n_row / per_row).sum())
        of_rows -= columns * float((inverse * design.through(1 / per_row**2)).sum())
        rest = (len(design.y) - rows * of_rows - columns * of_columns) / residual
        gradient = quadratic(projected) + quadratic(ones) / precision - np.array([of_rows, of_columns, rest])
        sides = [design.by_row(projected)[design.row], design.by_column(projected)[design.column], projected]
        information = np.array([[float(a @ project(b)) for b in sides] for a in sides]) / 2
        determinant = float((design.n_row - 1).sum()) * math.log(residual) + float(np.log(per_row).sum())
        determinant += 2 * float(np.log(np.diag(factor[0])).sum())
        value = -(determinant + math.log(precision) + float(design.y @ projected)) / 2
        return cls(value, gradient / 2, (information + information.T) / 2)


def reml(design: Crossed, start: Array) -> Array | None:
    """Average-information REML (Gilmour et al. 1995); None where it ends at the edge of what is possible."""
    variances, point = start, Likelihood.at(design, start)
    if point is None:
        variances = np.full(3, float(design.y @ design.y) / len(design.y) / 3)
        point = Likelihood.at(design, variances)
    for _ in range(60):
        assert point is not None  # noqa: S101 (equal positive variances always have a likelihood)
        step = np.linalg.lstsq(point.information, point.gradient)[0]
        gain = float(step @ point.gradient)
        if gain < 1e-16:
            return variances
        least, share, reached = point.value - 1e-11 * (1 + abs(point.value)), 1.0, None
        while share > 2.0**-30:
            reached = Likelihood.at(design, variances + share * step)
            if reached is not None and reached.value > least:
                break
            reached, least, share = None, point.value, share / 2
        if reached is None:
            return None if gain > 1e-6 else variances
        variances, point = variances + share * step, reached
    return None


def components(design: Crossed) -> tuple[Array, str]:
    """Variances of rows, columns and residual, and the path to them."""
    if len(design.n_column) > REML_LIMIT:
        return design.gao_owen(), "moments (Gao & Owen 2017)"
    start = design.henderson()
    if start[2] > 1e-12 * float(design.y @ design.y) / len(design.y):
        fitted = reml(design, start)
        if fitted is not None:
            return fitted, "REML"
    return start, "moments (Henderson III)"


def from_components(ratings: Ratings, keys: Sequence[str], drawing: Drawing) -> list[Row]:
    """Two-way forms of incomplete ratings, with generalised pivots for limits (Weerahandi 1993)."""
    design = Crossed.of(ratings)
    if min(design.degrees) < 1:
        return [refused(ratings, key) for key in keys]
    found, path = components(design)
    k = len(ratings.value) / ratings.n_items
    if not ratings.spread_within.any():
        return [icc_row(ratings, key, path, k, (1.0, 1.0, 1.0)) for key in keys]
    generator = drawing.stream(ratings.name, "two-way")
    residual = design.squares[2] / generator.chisquare(design.degrees[2], PIVOTS)
    drawn = [pivots(design.squares[0], residual, design.spectrum(True), generator)]
    drawn += [pivots(design.squares[1], residual, design.spectrum(False), generator), residual]
    moved = [one + shift for one, shift in zip(drawn, found - design.henderson(), strict=True)]
    rows = []
    for key in keys:
        estimate = float(icc_ratio(key, found[:, None], k, design.items_are_rows)[0])
        ratios = icc_ratio(key, np.array(moved), k, design.items_are_rows)
        low, high = np.quantile(ratios, tails(), method="lower")
        rows.append(icc_row(ratings, key, path, k, (estimate, float(low), float(high))))
    return rows


def pivots(
    squares: float, residual: Array, spectrum: tuple[Array, Array], generator: np.random.Generator
) -> Array:
    """Components that a drawn χ² of each term leaves."""
    weights, df = spectrum
    chi = generator.chisquare(df, (PIVOTS, len(df)))
    return np.asarray((squares - residual * chi.sum(axis=1)) / (chi @ weights))


def icc_ratio(key: str, variances: Array, k: float, items_are_rows: bool) -> Array:
    """The share of the items in the variance, shape of a row of `variances`."""
    item, rater = (variances[0], variances[1]) if items_are_rows else (variances[1], variances[0])
    noise = variances[2] + rater if key.startswith("icc2") else variances[2]
    total = item + (noise / k if key.endswith("k") else noise)
    return np.where(total > 0, item / np.where(total > 0, total, 1.0), -math.inf)


# ------------------------------------------------------------------ correlations under weights


def settled(values: Array) -> Array:
    """Values with forty bits: what differs by rounding only is equal."""
    fraction, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.round(np.ldexp(fraction, 40)), exponent - 40))


def ratio(covariance: Array, variance_x: Array, variance_y: Array) -> Array:
    """A correlation; NaN where a side does not vary."""
    scale = np.sqrt(variance_x) * np.sqrt(variance_y)
    return np.clip(np.where(scale > 0, covariance / np.where(scale > 0, scale, 1.0), np.nan), -1.0, 1.0)


def moments(x: Array, y: Array) -> Array:
    """What Pearson's r needs of each point."""
    return np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)


def pearson_of(weights: Array, of_points: Array) -> Array:
    """Pearson's r for each row of weights of the points, or units, whose moments are given."""
    n, sx, sy, xx, yy, xy = (weights @ of_points).T
    n = np.maximum(n, 1)
    left_x, left_y = xx - sx**2 / n, yy - sy**2 / n
    return ratio(
        xy - sx * sy / n,
        np.where(left_x > ROUNDING * xx, left_x, 0.0),
        np.where(left_y > ROUNDING * yy, left_y, 0.0),
    )


def weighted_ranks(values: Array, weights: Array) -> Array:
    """Mid-ranks less their mean when each value comes as often as its weight says."""
    distinct, run = np.unique(values, return_inverse=True)
    members = sparse.coo_array(
        (np.ones(len(run)), (np.arange(len(run)), run)), shape=(len(run), len(distinct))
    )
    size = np.asarray(weights @ members.tocsr())
    middle = np.cumsum(size, axis=1) - size / 2 - size.sum(axis=1, keepdims=True) / 2
    return np.asarray(middle[:, run])


def rank_correlation(x: Array, y: Array, weights: Array) -> Array:
    """Spearman's ρ from ranks under weights."""

    def products(one: Array, other: Array) -> Array:
        return np.asarray(np.einsum("rn,rn,rn->r", weights, one, other))

    return ratio(products(x, y), products(x, x), products(y, y))


def centred(values: Array) -> Array:
    """Scaled to a greatest absolute value of one and centred; rounding errors are zero."""
    scaled = values / (np.abs(values).max() or 1.0)
    around = scaled - scaled.mean()
    return around if np.abs(around).max() > ROUNDING else np.zeros(len(values))


def pooled(x: Array, y: Array, unit: Array, n_units: int, coefficient: str) -> Statistic:
    """A correlation over all points, from weights of units, shape (replicates, units)."""
    if coefficient == "spearman":
        one, other = settled(x), settled(y)
        return lambda weights: rank_correlation(
            weighted_ranks(one, weights[:, unit]), weighted_ranks(other, weights[:, unit]), weights[:, unit]
        )
    shape = (n_units, len(unit))
    members = sparse.coo_array((np.ones(len(unit)), (unit, np.arange(len(unit)))), shape=shape).tocsr()
    if coefficient == "pearson":
        of_units = members @ moments(centred(x), centred(y))
        return lambda weights: pearson_of(weights, of_units)
    return kendall_pooled(settled(x), settled(y), members)


def kendall_pooled(x: Array, y: Array, members: sparse.csr_array) -> Statistic:
    """Kendall's τ-b from the pairs between units."""
    signs = [np.sign(values[:, None] - values) for values in (x, y)]
    between = [members @ (members @ table).T for table in (signs[0] * signs[1], signs[0] ** 2, signs[1] ** 2)]

    def kendall(weights: Array) -> Array:
        return ratio(*(((weights @ table) * weights).sum(axis=1) for table in between))

    return kendall


def plain_correlation(x: Array, y: Array, coefficient: str) -> Array:
    """Correlations of samples of columns, shapes (..., n, p) and (..., n, q) to (..., p, q)."""
    one, other = settled(x), settled(y)
    flat = (one == one[..., :1, :]).all(axis=-2)[..., :, None] | (other == other[..., :1, :]).all(axis=-2)[
        ..., None, :
    ]
    if coefficient == "kendall":
        first, second = np.triu_indices(x.shape[-2], 1)
        one, other = (np.sign(side[..., first, :] - side[..., second, :]) for side in (one, other))
    elif coefficient == "spearman":
        one, other = (around(stats.rankdata(side, axis=-2, nan_policy="propagate")) for side in (one, other))
    else:
        one, other = (scaled(around(scaled(side))) for side in (x, y))
    product = np.swapaxes(one, -1, -2) @ other
    scale = np.sqrt((one**2).sum(axis=-2))[..., :, None] * np.sqrt((other**2).sum(axis=-2))[..., None, :]
    with np.errstate(invalid="ignore"):
        found = np.where(scale > 0, product / np.where(scale > 0, scale, 1.0), np.nan)
    return np.where(flat, np.nan, np.clip(found, -1.0, 1.0))


def around(values: Array) -> Array:
    """Columns less their means."""
    return np.asarray(values - values.mean(axis=-2, keepdims=True))


def scaled(values: Array) -> Array:
    """Columns with a greatest absolute value of one."""
    greatest = np.abs(values).max(axis=-2, keepdims=True)
    return np.asarray(values / np.where(greatest > 0, greatest, 1.0))


def t_test(r: float, n: int) -> float:
    """Two-sided p of a correlation of n pairs."""
    if n < 3 or math.isnan(r):
        return math.nan
    return 0.0 if abs(r) >= 1 else float(2 * stats.t.sf(abs(r * math.sqrt((n - 2) / (1 - r**2))), n - 2))


# ------------------------------------------------------------------ each rater against the others


def held_out(ratings: Ratings, drawing: Drawing) -> list[Row]:
    """Each rater against the mean of the other raters of the same item; mean and greatest of these."""
    keys = ("held_out_pearson", "held_out_spearman")
    pairable = ratings.pairable()
    if not ratings.identified or not_comparable(ratings, pairable):
        return [refused(pairable, key, variant) for key in keys for variant in ("mean", "max")]
    sides = [one_against_others(pairable, code) for code in range(len(pairable.raters))]
    agreeing = [not pairable.spread_within[side.item].any() for side in sides]
    units = Units.of(pairable)
    replicates = held_out_replicates(sides, units, drawing, pairable.name)
    rows: list[Row] = []
    for place, key in enumerate(keys):
        estimates = np.array([side.correlations(np.ones((1, len(side.x))))[place][0] for side in sides])
        estimates[[len(side.x) < MINIMUM_SHARED for side in sides]] = np.nan
        estimates[np.array(agreeing) & np.isfinite(estimates)] = 1.0
        rows += summaries(pairable, key, estimates, replicates[place], drawing, units.n)
        for code, rater in enumerate(pairable.raters):
            limits = drawing.limits(replicates[place][code], pairable.unit, units.n)
            limits = limits if math.isfinite(estimates[code]) else (math.nan, math.nan)
            row = figure(pairable, key, f"rater:{rater}", float(estimates[code]), limits)
            rows.append(
                {**row, "n_items": len(sides[code].x), "n_raters": 1, "n_ratings": len(sides[code].x)}
            )
    return rows


@dataclass(frozen=True)
class Side:
    """One rater's values beside the mean of the others."""

    item: Array
    rating: Array
    x: Array
    y: Array

    def correlations(self, weights: Array) -> tuple[Array, Array]:
        """Pearson and Spearman for each row of weights of the rater's items."""
        ranks = [weighted_ranks(np.round(values / ROUNDING), weights) for values in (self.x, self.y)]
        return pearson_of(weights, moments(self.x, self.y)), rank_correlation(ranks[0], ranks[1], weights)


def one_against_others(ratings: Ratings, code: int) -> Side:
    """The pairs of one rater, scaled by the greatest rating and centred."""
    own = np.flatnonzero(ratings.rater == code)
    item, x = ratings.item[own], ratings.value[own]
    sums = np.bincount(ratings.item, ratings.value)
    y = (sums[item] - x) / (ratings.sizes[item] - 1)
    scale = float(np.abs(ratings.value).max()) or 1.0

    def prepared(values: Array) -> Array:
        rounded = np.round(values / scale / ROUNDING) * ROUNDING
        differences = rounded - rounded.mean()
        return np.where(np.abs(differences) > ROUNDING, differences, 0.0)

    return Side(item, own, prepared(x), prepared(y))


@dataclass(frozen=True)
class Units:
    """What is drawn: groups, items, or kinds of items that the same raters rated alike."""

    of_item: Array
    frequency: Array
    represents: Array

    @classmethod
    def of(cls, ratings: Ratings) -> Units:
        """Kinds where they are at most a tenth of the items."""
        if ratings.group is not None:
            return cls(
                ratings.group,
                np.ones(int(ratings.group.max()) + 1, dtype=int),
                np.ones(ratings.n_items, bool),
            )
        answers = ratings.rater * len(ratings.categories) + ratings.code
        starts = np.cumsum(ratings.sizes) - ratings.sizes
        of_item, found = np.empty(ratings.n_items, dtype=int), 0
        for size in np.unique(ratings.sizes):
            items = np.flatnonzero(ratings.sizes == size)
            rows = answers[starts[items][:, None] + np.arange(size)]
            distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
            of_item[items] = found + inverse.ravel()
            found += len(distinct)
        if found > 0.1 * ratings.n_items:
            single = np.arange(ratings.n_items)
            return cls(single, np.ones(ratings.n_items, dtype=int), np.ones(ratings.n_items, bool))
        represents = np.zeros(ratings.n_items, dtype=bool)
        represents[np.unique(of_item, return_index=True)[1]] = True
        return cls(of_item, np.bincount(of_item), represents)

    @property
    def n(self) -> int:
        """Units to draw."""
        return int(self.frequency.sum())


def held_out_replicates(
    sides: Sequence[Side], units: Units, drawing: Drawing, name: str
) -> tuple[Array, Array]:
    """Replicates of both correlations, shape (raters, replicates); sixteen from each stream."""
    full, rest = divmod(drawing.replicates, 16)
    sizes = [16] * full + [rest] * (rest > 0)
    at_once = max(1, 20_000_000 // (16 * max(len(units.frequency), 1)))
    chosen = [units.represents[side.item] for side in sides]
    kept = [
        Side(side.item[own], side.rating[own], side.x[own], side.y[own])
        for side, own in zip(sides, chosen, strict=True)
    ]
    found = np.full((2, len(sides), drawing.replicates), np.nan)
    for start in range(0, len(sizes), at_once):
        drawn = [
            drawn_units(drawing.stream(name, "held_out", str(piece)), units.frequency, sizes[piece])
            for piece in range(start, min(start + at_once, len(sizes)))
        ]
        weights = np.concatenate(drawn, axis=1)
        columns = slice(16 * start, 16 * start + weights.shape[1])
        for code, side in enumerate(kept):
            if len(side.x):
                found[:, code, columns] = side.correlations(weights[units.of_item[side.item]].T)
    return found[0], found[1]


def summaries(
    ratings: Ratings, key: str, estimates: Array, replicates: Array, drawing: Drawing, n_units: int
) -> list[Row]:
    """Mean and greatest over the raters with enough items."""
    averaged = np.isfinite(estimates)
    chosen = averaged[ratings.rater]
    sample = {
        "n_items": len(np.unique(ratings.item[chosen])),
        "n_raters": int(averaged.sum()),
        "n_ratings": int(chosen.sum()),
    }
    rows = []
    for variant in ("mean", "max"):
        row = refused(ratings, key, variant)
        if averaged.any():
            estimate = float(estimates[averaged].mean() if variant == "mean" else estimates[averaged].max())
            over = over_raters(replicates[averaged], variant)
            limits = drawing.limits(over, ratings.unit, n_units)
            if variant == "max" and np.mean(over <= estimate) < 0.2:
                limits = (math.nan, math.nan)
            row = figure(ratings, key, variant, estimate, limits)
        rows.append({**row, **sample})
    return rows


def over_raters(replicates: Array, variant: str) -> Array:
    """Mean or greatest of the defined correlations of each replicate."""
    defined = np.isfinite(replicates)
    number = defined.sum(axis=0)
    if variant == "mean":
        found = np.where(defined, replicates, 0.0).sum(axis=0) / np.maximum(number, 1)
    else:
        found = np.where(defined, replicates, -math.inf).max(axis=0)
    return np.where(number > 0, found, np.nan)


# ------------------------------------------------------------------ items with ratings and scores


@dataclass(frozen=True)
class Measured:
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
        """What is resampled."""
        return "items" if self.group is None else "groups"

    @property
    def units(self) -> Array:
        """Unit of each item."""
        return np.arange(len(self.items)) if self.group is None else self.group

    @property
    def n_units(self) -> int:
        """Units to draw from."""
        return int(self.units.max()) + 1 if len(self.items) else 0

    def keep(self, chosen: Array) -> Measured:
        """Some of the items, groups and systems coded anew."""
        group = None if self.group is None else np.unique(self.group[chosen], return_inverse=True)[1]
        system, systems = self.system, self.systems
        if system is not None:
            left, system = np.unique(system[chosen], return_inverse=True)
            systems = tuple(systems[code] for code in left)
        items = tuple(np.array(self.items, dtype=object)[chosen])
        sides = self.human[chosen], self.scores[chosen]
        return Measured(items, self.criteria, self.metrics, *sides, group, system, systems, self.samples)

    def only(self, criteria: Sequence[str], metrics: Sequence[str]) -> Measured:
        """Some of the columns."""
        human = self.human[:, [self.criteria.index(name) for name in criteria]]
        scores = self.scores[:, [self.metrics.index(name) for name in metrics]]
        places = self.group, self.system, self.systems
        return Measured(self.items, tuple(criteria), tuple(metrics), human, scores, *places, self.samples)

    def among(self, side: str) -> Measured:
        """The criteria, or the metrics, on both sides."""
        names, values = (self.criteria, self.human) if side == "criteria" else (self.metrics, self.scores)
        places = self.group, self.system, self.systems
        return Measured(self.items, names, names, values, values, *places, self.samples)


def measured(bundle: Bundle, without: Sequence[str]) -> tuple[Measured, Table, Row]:
    """Mean ratings beside the newest scores, the ratings behind them, and what was left out."""
    kept, data = counted(bundle, bundle.ratings, pooled=False)
    rated = kept[kept["value"].notna()]
    human = rated.pivot_table(index="item", columns="name", values="value", aggfunc="mean", sort=False)
    places = rated.drop_duplicates("item").set_index("item")[["group", "system"]].reindex(human.index)
    samples = {
        str(name): {
            "n_raters": rows["rater"].nunique() if bundle.facts["identified"] else None,
            "n_ratings": len(rows),
        }
        for name, rows in rated.groupby("name", sort=False)
    }
    scores = newest_scores(bundle).reindex(human.index)
    codes = [pd.factorize(places[name]) for name in ("group", "system")]
    group, system = (
        None if (places[name] == "").all() else code[0] for name, code in zip(places, codes, strict=True)
    )
    items = Measured(
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
    left = kept[~kept["system"].isin(list(without))]
    return items, ratings_table(bundle, left), data


def newest_scores(bundle: Bundle) -> pd.DataFrame:
    """One column a metric, each item's score from the newest run that has one."""
    frame = bundle.scores.assign(value=numbers(bundle.scores["value"]))
    newest = frame.assign(place=frame["run"].map({run: at for at, run in enumerate(bundle.facts["runs"])}))
    newest = newest.sort_values("place", kind="stable").drop_duplicates(["item", "metric"], keep="last")
    columns = {
        metric: rows.set_index("item")["value"] for metric, rows in newest.groupby("metric", sort=False)
    }
    return pd.DataFrame(columns)


# ------------------------------------------------------------------ correlations at three levels


@dataclass(frozen=True)
class Correlations:
    """Of every metric with every criterion, shape (metrics, criteria); replicates have a third axis."""

    estimate: Array
    p: Array
    n: Array
    dropped: Array
    replicates: Array | None


def correlations(
    items: Measured, level: str, coefficient: str, drawing: Drawing | None = None
) -> Correlations:
    """At one level; with replicates over the units where a drawing is given."""
    how = {"item": over_items, "group": within_groups, "system": over_systems}[level]
    return how(items, coefficient, drawing)


def valid_of(items: Measured, place: tuple[int, int]) -> Array:
    """Which items have both values."""
    return np.isfinite(items.scores[:, place[0]]) & np.isfinite(items.human[:, place[1]])


def weights_of(items: Measured, drawing: Drawing) -> Array:
    """The same replicates for every column, so that differences are paired."""
    return np.concatenate(list(drawing.unit_weights(items.n_units, len(items.items))))


def over_items(items: Measured, coefficient: str, drawing: Drawing | None) -> Correlations:
    """Over all items that have both values."""
    shape = (len(items.metrics), len(items.criteria))
    estimate, p, n = np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape)
    every = np.ones((1, items.n_units))
    weights = None if drawing is None else weights_of(items, drawing)
    if coefficient == "kendall" and len(items.items) > KENDALL_LIMIT:
        weights = None
    replicates = None if weights is None else np.full((*shape, len(weights)), np.nan)
    ranks: dict[tuple[str, int, bytes], Array] = {}
    for place in np.ndindex(*shape):
        valid = valid_of(items, (place[0], place[1]))
        n[place] = valid.sum()
        if n[place] < 2:
            continue
        x, y, unit = items.scores[valid, place[0]], items.human[valid, place[1]], items.units[valid]
        if coefficient == "kendall":
            tested = stats.kendalltau(settled(x), settled(y))
            estimate[place], p[place] = tested.statistic, tested.pvalue
        else:
            estimate[place] = pooled(x, y, unit, items.n_units, coefficient)(every)[0]
            p[place] = t_test(float(estimate[place]), len(x))
        if replicates is None or weights is None:
            continue
        if coefficient != "spearman":
            replicates[place] = pooled(x, y, unit, items.n_units, coefficient)(weights)
            continue
        sides = []
        for side, column, values in (("scores", place[0], x), ("human", place[1], y)):
            key = (side, column, valid.tobytes())
            if key not in ranks:
                ranks[key] = weighted_ranks(settled(values), weights[:, unit])
            sides.append(ranks[key])
        replicates[place] = rank_correlation(sides[0], sides[1], weights[:, unit])
    return Correlations(estimate, p, n, len(items.items) - n, replicates)


def of_columns(x: Array, y: Array, coefficient: str) -> Array:
    """Correlations of two sets of columns over the points that have both values, shape (p, q)."""
    found = np.full((x.shape[1], y.shape[1]), np.nan)
    if np.isfinite(x).all() and np.isfinite(y).all():
        return plain_correlation(x, y, coefficient) if len(x) > 1 else found
    for one, other in np.ndindex(*found.shape):
        both = np.isfinite(x[:, one]) & np.isfinite(y[:, other])
        if both.sum() > 1:
            found[one, other] = plain_correlation(x[both, one, None], y[both, other, None], coefficient)[0, 0]
    return found


def group_correlations(items: Measured, coefficient: str) -> Array:
    """Within each group, shape (groups, metrics, criteria)."""
    found = [
        of_columns(items.scores[items.units == code], items.human[items.units == code], coefficient)
        for code in range(items.n_units)
    ]
    return np.array(found).reshape(items.n_units, len(items.metrics), len(items.criteria))


def nothing(items: Measured) -> Correlations:
    """Where the items have no such level."""
    shape = (len(items.metrics), len(items.criteria))
    empty = np.full(shape, np.nan)
    return Correlations(empty, empty, np.zeros(shape), np.zeros(shape), None)


def within_groups(items: Measured, coefficient: str, drawing: Drawing | None) -> Correlations:
    """In each group, then the mean over the groups where it is defined."""
    if items.group is None:
        return nothing(items)
    by_group = group_correlations(items, coefficient)
    defined = np.isfinite(by_group)
    filled = np.where(defined, by_group, 0.0).reshape(items.n_units, -1)
    known = defined.reshape(items.n_units, -1).astype(float)

    def mean(weights: Array) -> Array:
        number = weights @ known
        return np.where(number > 0, weights @ filled / np.where(number > 0, number, 1.0), np.nan)

    shape = by_group.shape[1:]
    estimate, number = mean(np.ones((1, items.n_units))).reshape(shape), defined.sum(axis=0).astype(float)
    squares = np.where(defined, (by_group - estimate) ** 2, 0.0).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(estimate) / np.sqrt(squares / np.maximum(number - 1, 1) / number)
    p = np.where(number > 1, 2 * stats.t.sf(t, np.maximum(number - 1, 1)), np.nan)
    replicates = None if drawing is None else mean(weights_of(items, drawing)).T.reshape(*shape, -1)
    return Correlations(estimate, p, number, items.n_units - number, replicates)


def system_means(items: Measured, values: Array, weights: Array) -> Array:
    """Mean of each column over each system's items, shape (replicates, systems, columns)."""
    known, means = np.isfinite(values), np.full((len(weights), len(items.systems), values.shape[1]), np.nan)
    for code in range(len(items.systems)):
        inside = items.system == code
        number = weights[:, inside] @ known[inside].astype(float)
        total = weights[:, inside] @ np.where(known, values, 0.0)[inside]
        means[:, code] = np.where(number > 0, total / np.where(number > 0, number, 1.0), np.nan)
    return means


def over_systems(items: Measured, coefficient: str, drawing: Drawing | None) -> Correlations:
    """Over the systems' means."""
    if items.system is None or len(items.systems) < 2:
        return nothing(items)
    every = np.ones((1, len(items.items)))
    x, y = (system_means(items, values, every)[0] for values in (items.scores, items.human))
    n = np.isfinite(x).astype(float).T @ np.isfinite(y).astype(float)
    estimate = of_columns(x, y, coefficient)
    p = np.full(estimate.shape, np.nan)
    for one, other in zip(*np.nonzero(np.isfinite(estimate)), strict=True):
        both = np.isfinite(x[:, one]) & np.isfinite(y[:, other])
        p[one, other] = t_test(float(estimate[one, other]), int(both.sum()))
        if coefficient == "kendall":
            p[one, other] = stats.kendalltau(settled(x[both, one]), settled(y[both, other])).pvalue
    replicates = None
    if drawing is not None:
        chunks = [
            drawn_over_systems(items, weights[:, items.units], (x, y), coefficient)
            for weights in drawing.unit_weights(items.n_units, len(items.items))
        ]
        replicates = np.moveaxis(np.concatenate(chunks), 0, -1)
    return Correlations(estimate, p, n, len(items.systems) - n, replicates)


def drawn_over_systems(
    items: Measured, weights: Array, known: tuple[Array, Array], coefficient: str
) -> Array:
    """Shape (replicates, metrics, criteria), over the systems that the estimate rests on."""
    x, y = (system_means(items, values, weights) for values in (items.scores, items.human))
    if all(np.isfinite(side).all() for side in known):
        return plain_correlation(x, y, coefficient)
    found = np.full((len(x), x.shape[2], y.shape[2]), np.nan)
    for one, other in np.ndindex(*found.shape[1:]):
        both = np.isfinite(known[0][:, one]) & np.isfinite(known[1][:, other])
        if both.sum() > 1:
            pair = plain_correlation(x[:, both, one, None], y[:, both, other, None], coefficient)
            found[:, one, other] = pair[:, 0, 0]
    return found


def meta_rows(items: Measured, level: str, coefficient: str, drawing: Drawing) -> list[Row]:
    """Every metric with every criterion at one level."""
    found = correlations(items, level, coefficient, drawing)
    rows = []
    for metric, criterion in np.ndindex(len(items.metrics), len(items.criteria)):
        place, name = (metric, criterion), items.criteria[criterion]
        valid, n = valid_of(items, place), int(found.n[place])
        estimate = float(found.estimate[place])
        limits = (math.nan, math.nan)
        if math.isfinite(estimate) and found.replicates is not None:
            limits = drawing.limits(found.replicates[place], items.unit, items.n_units)
        n_groups = 0 if items.group is None else len(np.unique(items.units[valid]))
        rows.append(
            {
                "criterion": name,
                "metric": items.metrics[metric],
                "level": level,
                "coefficient": coefficient,
                "estimate": estimate,
                "low": limits[0],
                "high": limits[1],
                "confidence": CONFIDENCE,
                "p": float(found.p[place]),
                "n_items": int(valid.sum()),
                "n_groups": n if level == "group" else n_groups,
                "n_systems": n if level == "system" else 0,
                "n_dropped": int(found.dropped[place]),
                **items.samples.get(name, {}),
            }
        )
    return rows


def levels_of(items: Measured) -> list[str]:
    """The levels that the items have."""
    return [
        level
        for level in LEVELS
        if level == "item" or (items.group is not None if level == "group" else len(items.systems) > 1)
    ]


# ------------------------------------------------------------------ metrics against each other


def strength(r: Any, direction: str) -> Any:
    """A correlation in the declared direction; its size where none is declared."""
    if direction == "unsigned":
        return np.abs(r)
    return r if direction == "higher" else -r


def williams(r12: float, r13: float, r23: float, n: int, *, paper: bool) -> tuple[float, float]:
    """Williams's t and p: two-sided and signed, or as HANNA has it, one-sided with the larger first."""
    if any(math.isnan(r) for r in (r12, r13, r23)) or n < 4:
        return math.nan, math.nan
    if paper:
        r23 *= math.copysign(1, r12) * math.copysign(1, r13)
        r12, r13 = max(abs(r12), abs(r13)), min(abs(r12), abs(r13))
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    radicand = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if radicand <= 0:
        return math.nan, math.nan
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / radicand)
    return t, float(stats.t.sf(t, n - 3)) if paper else float(2 * stats.t.sf(abs(t), n - 3))


def bootstrap_p(differences: Array) -> float:
    """Twice the smaller share of replicates on either side of zero, each with one more."""
    defined = differences[np.isfinite(differences)]
    if len(defined) == 0:
        return math.nan
    smaller = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return min(1.0, 2 * (1 + smaller) / (1 + len(defined)))


def holm(p: Sequence[float]) -> list[float]:
    """p values adjusted by Holm's method; NaN does not count in the family."""
    given = np.array(p, dtype=float)
    result = np.full(len(given), np.nan)
    known = np.flatnonzero(np.isfinite(given))
    order = known[np.argsort(given[known], kind="stable")]
    result[order] = np.minimum(np.maximum.accumulate(given[order] * np.arange(len(order), 0, -1)), 1.0)
    return [float(value) for value in result]


@dataclass(frozen=True)
class Contrast:
    """Two metrics, turned so that higher is better, on the items that have all three values."""

    pair: Measured
    level: str
    coefficient: str
    directions: tuple[str, str]
    drawing: Drawing

    def of(self, r: Array) -> Array:
        """Difference of the strengths, from shape (..., 2)."""
        first, second = self.directions
        return np.asarray(strength(r[..., 0], first) - strength(r[..., 1], second))

    def permutation_p(self) -> float:
        """The scores of both change places by units (Deutsch, Dror & Roth 2021)."""
        correlate = self.swapped()
        n_units = self.pair.n_units
        observed = abs(float(self.of(correlate(np.zeros((1, n_units), dtype=bool)))[0]))
        if math.isnan(observed):
            return math.nan
        generator, beyond, defined = self.drawing.stream("swaps"), 0, 0
        for size in self.drawing.chunks(2 * len(self.pair.items)):
            found = np.abs(self.of(correlate(generator.random((size, n_units)) < 0.5)))
            beyond += int((found >= observed * (1 - 1e-12)).sum())
            defined += int(np.isfinite(found).sum())
        return (1 + beyond) / (1 + defined)

    def swapped(self) -> Statistic:
        """From swaps of units to correlations of both metrics."""
        pair = self.pair
        if self.level == "group":
            by_group = group_correlations(pair, self.coefficient)[:, :, 0]
            return lambda swaps: exchanged(by_group, swaps).mean(axis=1)
        spread = pair.scores.std(axis=0)
        scores = (pair.scores - pair.scores.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        if self.level == "item":
            return lambda swaps: self.against(exchanged(scores, swaps[:, pair.units]), pair.human)
        means = added(pair, scores).sum(axis=0)
        gains, human = added(pair, scores[:, ::-1] - scores), added(pair, pair.human).sum(axis=0)
        return lambda swaps: self.against(means + np.tensordot(swaps.astype(float), gains, axes=1), human)

    def against(self, columns: Array, human: Array) -> Array:
        """Correlations of samples of both columns with the ratings."""
        if self.coefficient != "kendall" or len(human) <= 60:
            return plain_correlation(columns, human, self.coefficient)[:, :, 0]
        ratings, scores = settled(human[:, 0]), settled(columns)
        return np.array([[stats.kendalltau(side, ratings).statistic for side in one.T] for one in scores])


def exchanged(columns: Array, swaps: Array) -> Array:
    """Two columns, exchanged in the rows named."""
    return np.where(swaps[:, :, None], columns[None, :, ::-1], columns[None])


def added(items: Measured, values: Array) -> Array:
    """What each unit adds to each system's mean, shape (units, systems, columns)."""
    system = np.zeros(len(items.items), dtype=int) if items.system is None else items.system
    found = np.zeros((items.n_units, len(items.systems), values.shape[1]))
    np.add.at(found, (items.units, system), values / np.bincount(system)[system, None])
    return found


def compared(
    items: Measured,
    criterion: str,
    metrics: tuple[str, str],
    how: tuple[str, str],
    directions: Mapping[str, str],
    drawing: Drawing,
) -> Row:
    """Two metrics on one criterion; `how` is level and coefficient."""
    level, coefficient = how
    asked = items.only([criterion], metrics)
    pair = asked.keep(np.isfinite(asked.scores).all(axis=1) & np.isfinite(asked.human[:, 0]))
    if level == "group" and pair.group is not None:
        by_group = group_correlations(pair, coefficient).sum(axis=(1, 2))
        pair = pair.keep(np.isfinite(by_group)[pair.units])
    signed = correlations(pair, level, coefficient).estimate[:, 0] if pair.items else np.full(2, np.nan)
    declared = [directions.get(metric, "unsigned") for metric in metrics]
    signs = [turn(float(r), way) for r, way in zip(signed, declared, strict=True)]
    turned = Measured(
        pair.items, pair.criteria, pair.metrics, pair.human, pair.scores * signs, pair.group, pair.system,
        pair.systems, pair.samples,
    )  # fmt: skip
    ways = (
        "unsigned" if declared[0] == "unsigned" else "higher",
        "unsigned" if declared[1] == "unsigned" else "higher",
    )
    return tested(asked, Contrast(turned, level, coefficient, ways, drawing), signed)


def turn(r: float, direction: str) -> int:
    """The sign that turns a metric so that higher is better."""
    if direction == "unsigned":
        return -1 if r < 0 else 1
    return 1 if direction == "higher" else -1


def tested(asked: Measured, contrast: Contrast, signed: Array) -> Row:
    """Difference, limits and all tests."""
    pair, level, coefficient = contrast.pair, contrast.level, contrast.coefficient
    n_groups = 0 if pair.group is None else pair.n_units
    n = {"item": len(pair.items), "group": n_groups, "system": len(pair.systems)}[level]
    r, between, replicates = np.full(2, np.nan), math.nan, None
    permuted = difference = math.nan
    if not np.isnan(signed).any():
        found = correlations(pair, level, coefficient, contrast.drawing)
        r = found.estimate[:, 0]
        between = float(correlations(pair.among("metrics"), level, coefficient).estimate[0, 1])
        replicates = None if found.replicates is None else contrast.of(found.replicates[:, 0].T)
        difference, permuted = float(contrast.of(r[None])[0]), contrast.permutation_p()
    low, high = contrast.drawing.limits(replicates, pair.unit, pair.n_units)
    own = williams(float(r[0]), float(r[1]), between, n, paper=False)
    as_printed = williams(float(r[0]), float(r[1]), between, n, paper=True)
    resampled = math.nan if replicates is None else bootstrap_p(replicates)
    all_groups = 0 if asked.group is None else asked.n_units
    return {
        "criterion": asked.criteria[0],
        "metric": asked.metrics[0],
        "metric2": asked.metrics[1],
        "level": level,
        "coefficient": coefficient,
        "estimate": difference,
        "low": low,
        "high": high,
        "confidence": CONFIDENCE,
        "r_first": float(signed[0]),
        "r_second": float(signed[1]),
        "r_between": between,
        "p": resampled if pair.group is not None and level != "system" else own[1],
        "p_bootstrap": resampled,
        "p_permutation": permuted,
        "williams_t": own[0],
        "williams_p": own[1],
        "williams_paper_t": as_printed[0],
        "williams_paper_p": as_printed[1],
        "n_items": len(pair.items),
        "n_groups": n_groups,
        "n_systems": len(pair.systems),
        "n_dropped": all_groups - n_groups if level == "group" else len(asked.items) - len(pair.items),
    }


def best(
    rows: Sequence[Row], criterion: str, how: tuple[str, str], k: int, directions: Mapping[str, str]
) -> list[str]:
    """The k metrics that follow a criterion best; equally strong ones by name."""
    chosen = [
        (
            -float(settled(np.array(strength(row["estimate"], directions.get(row["metric"], "unsigned"))))),
            row["metric"],
        )
        for row in rows
        if (row["criterion"], row["level"], row["coefficient"]) == (criterion, *how)
        and math.isfinite(row["estimate"])
    ]
    return [metric for _, metric in sorted(chosen)[:k]]


def comparisons(
    items: Measured, rows: Sequence[Row], directions: Mapping[str, str], drawing: Drawing
) -> list[Row]:
    """The three best metrics of each criterion against each other."""
    how = ("item" if items.group is None else "group", "pearson")
    found: list[Row] = []
    for criterion in items.criteria if len(items.metrics) > 1 else ():
        family = [
            compared(items, criterion, pair, how, directions, drawing)
            for pair in combinations(best(rows, criterion, how, 3, directions), 2)
        ]
        adjusted = holm([row["p"] for row in family])
        found += [{**row, "p_adjusted": p} for row, p in zip(family, adjusted, strict=True)]
    return found


# ------------------------------------------------------------------ rankings, Borda, systems


def places(values: Array, ties: str) -> Array:
    """Probability of each candidate at each place of the descending order."""
    order, n = np.argsort(-values, kind="stable"), len(values)
    share = np.zeros((n, n))
    if ties == "stable":
        share[order, np.arange(n)] = 1.0
        return share
    for value in np.unique(values):
        tied = np.flatnonzero(values == value)
        first = int((values > value).sum())
        share[np.ix_(tied, np.arange(first, first + len(tied)))] = 1 / len(tied)
    return share


def ranking_measures(metric: Array, human: Array, ties: str) -> list[float]:
    """HR@1, HR@3, nDCG@1, nDCG@3 and MRR in both readings, for one group."""
    n = len(metric)
    of_metric, of_human = places(metric, ties), places(human, ties)
    hits = [float((of_metric[:, :k].sum(axis=1) * of_human[:, :k].sum(axis=1)).sum() / k) for k in (1, 3)]
    gains = []
    for k in (1, 3):
        discount = 1 / np.log2(np.arange(2, k + 2))
        ideal = float(np.sort(human)[::-1][:k] @ discount)
        gains.append(float(human @ of_metric[:, :k] @ discount) / ideal if ideal > 0 else math.nan)
    reciprocal = 1 / np.arange(1, n + 1)
    ranks = [float(of_metric[:, 0] @ of_human @ reciprocal), float(of_human[:, 0] @ of_metric @ reciprocal)]
    return [*hits, *gains, *ranks]


def rankings(items: Measured, rows: Sequence[Row], directions: Mapping[str, str]) -> list[Row]:
    """The ten best metrics of each criterion within groups, with both rules for ties."""
    found = []
    for criterion in items.criteria if items.group is not None else ():
        for name in best(rows, criterion, ("item", "spearman"), 10, directions):
            metric = settled(items.scores[:, items.metrics.index(name)])
            metric = -metric if directions.get(name) == "lower" else metric
            human = settled(items.human[:, items.criteria.index(criterion)])
            for ties in ("expected", "stable"):
                values = in_groups(items, metric, human, ties)
                defined = np.isfinite(values)
                means = [
                    float(one[known].mean()) if known.any() else math.nan
                    for one, known in zip(values, defined, strict=True)
                ]
                head = {
                    "metric": name,
                    "criterion": criterion,
                    "ties": ties,
                    "n_groups": int(defined[0].sum()),
                }
                found.append({**head, "n_dropped": int((~defined[0]).sum()), "values": means})
    return found


def in_groups(items: Measured, metric: Array, human: Array, ties: str) -> Array:
    """The six measures in each group of at least three candidates, shape (6, groups)."""
    values = np.full((6, items.n_units), np.nan)
    for code in range(items.n_units):
        inside = (items.units == code) & np.isfinite(metric) & np.isfinite(human)
        if inside.sum() >= 3:
            values[:, code] = ranking_measures(metric[inside], human[inside], ties)
    return values


def borda(items: Measured, rows: Sequence[Row], directions: Mapping[str, str]) -> Row:
    """Sums of the metrics' ranks over all criteria and coefficients, at each level."""
    found: Row = {}
    for level in dict.fromkeys(row["level"] for row in rows):
        table: dict[tuple[str, str], dict[str, float]] = {}
        for row in rows:
            if row["level"] == level:
                table.setdefault((row["criterion"], row["coefficient"]), {})[row["metric"]] = row["estimate"]
        matrix = np.array(
            [
                strength(
                    np.array([column[name] for column in table.values()]), directions.get(name, "unsigned")
                )
                for name in items.metrics
            ]
        )
        ranked = stats.rankdata(settled(np.where(np.isnan(matrix), -2.0, matrix)), axis=0) - 1
        found[level] = dict(zip(items.metrics, ranked.sum(axis=1).tolist(), strict=True))
    return found


def systems(items: Measured, drawing: Drawing) -> Row:
    """Mean rating of each system with half its t interval, and every two systems by paired bootstrap."""
    if len(items.systems) < 2:
        return {}
    means = []
    for column, criterion in enumerate(items.criteria):
        for code, system in enumerate(items.systems):
            values = items.human[items.system == code, column]
            values = values[np.isfinite(values)]
            n = len(values)
            half = (
                math.nan
                if n < 2
                else float(stats.t.ppf((1 + CONFIDENCE) / 2, n - 1) * values.std(ddof=1) / math.sqrt(n))
            )
            mean = float(values.mean()) if n else math.nan
            means.append({"system": system, "criterion": criterion, "mean": mean, "half_width": half, "n": n})
    return {"means": means, "differences": differences(items, drawing)}


def differences(items: Measured, drawing: Drawing) -> list[Row]:
    """Every two systems on every criterion; p adjusted over the pairs of a criterion."""
    every = system_means(items, items.human, np.ones((1, len(items.items))))[0]
    weights = drawing.unit_weights(items.n_units, len(items.items), "systems")
    drawn = np.concatenate([system_means(items, items.human, one[:, items.units]) for one in weights])
    rows: list[Row] = []
    for column, criterion in enumerate(items.criteria):
        family: list[Row] = []
        for one, other in combinations(range(len(items.systems)), 2):
            replicates = settled(drawn[:, one, column]) - settled(drawn[:, other, column])
            low, high = drawing.limits(replicates, items.unit, items.n_units)
            pair = {"criterion": criterion, "first": items.systems[one], "second": items.systems[other]}
            difference = float(every[one, column] - every[other, column])
            family.append(
                {**pair, "difference": difference, "low": low, "high": high, "p": bootstrap_p(replicates)}
            )
        adjusted = holm([float(row["p"]) for row in family])
        rows += [{**row, "p_adjusted": p} for row, p in zip(family, adjusted, strict=True)]
    return rows


# ------------------------------------------------------------------ the human ceiling


def ceiling(ratings: Ratings, drawing: Drawing) -> Row:
    """What raters reach among themselves: split half, leave one out, and √reliability."""
    pairable = ratings.pairable()
    lacking = len(ratings.raters) < 2 or pairable.n_items < 2 or pairable.constant
    halves = None if lacking else split_half(pairable, drawing)
    return {
        "criterion": ratings.name,
        "split_half": halves or ceiling_row(pairable, math.nan, (math.nan, math.nan)),
        "leave_one_out": leave_one_out(pairable, drawing, lacking=lacking),
        "upper_bound": upper_bound(ratings, drawing),
    }


def ceiling_row(ratings: Ratings, estimate: float, limits: tuple[float, float]) -> Row:
    """A row of the ceiling."""
    n_groups = 0 if ratings.group is None or not ratings.n_items else int(ratings.group.max()) + 1
    return {
        "estimate": estimate,
        "low": limits[0],
        "high": limits[1],
        "n_groups": n_groups,
        **ratings.numbers(),
    }


def mean_defined(parts: Sequence[Array]) -> Array:
    """Mean over the parts that are defined, replicate by replicate."""
    values = np.stack(parts)
    defined = np.isfinite(values)
    number = defined.sum(axis=0)
    return np.where(number > 0, np.where(defined, values, 0.0).sum(axis=0) / np.maximum(number, 1), np.nan)


def units_of(ratings: Ratings) -> tuple[Array, int]:
    """Unit of each item, and how many there are."""
    unit = np.arange(ratings.n_items) if ratings.group is None else ratings.group
    return unit, int(unit.max()) + 1


def split_half(ratings: Ratings, drawing: Drawing) -> Row | None:
    """Fifty random halves, correlated and stepped up; complete tables are split by rater."""
    generator, half_size = drawing.stream(ratings.name, "halves"), ratings.sizes // 2
    step = float(ratings.sizes.mean()) * float(np.mean(1 / half_size))
    unit, n_units = units_of(ratings)
    starts = np.cumsum(ratings.sizes) - ratings.sizes
    by_person = ratings.identified and ratings.is_complete
    correlate = []
    for _ in range(SPLITS):
        key = generator.random(len(ratings.raters) if by_person else len(ratings.item))
        order = np.lexsort((key[ratings.rater] if by_person else key, ratings.item))
        rank = np.empty(len(ratings.item), dtype=int)
        rank[order] = np.arange(len(ratings.item)) - starts[ratings.item[order]]
        half = rank // half_size[ratings.item]
        means = [
            np.bincount(ratings.item[half == side], ratings.value[half == side], ratings.n_items) / half_size
            for side in (0, 1)
        ]
        correlate.append(pooled(means[0], means[1], unit, n_units, "pearson"))

    def stepped_up(weights: Array) -> Array:
        r = mean_defined([one(weights) for one in correlate])
        below = 1 + (step - 1) * r
        return np.where(below > 0, step * r / np.where(below > 0, below, 1.0), np.nan)

    estimate = float(stepped_up(np.ones((1, n_units)))[0])
    if math.isnan(estimate):
        return None
    replicates = np.concatenate([stepped_up(one) for one in drawing.unit_weights(n_units, ratings.n_items)])
    return ceiling_row(ratings, estimate, drawing.limits(replicates, ratings.unit, n_units))


def leave_one_out(ratings: Ratings, drawing: Drawing, *, lacking: bool) -> Row:
    """Mean over the raters (or slots) of each one's correlation with the mean of the others."""
    nothing_there = ceiling_row(ratings, math.nan, (math.nan, math.nan))
    shared = np.bincount(ratings.rater, minlength=len(ratings.raters))
    if lacking or shared.max(initial=0) < MINIMUM_SHARED:
        return nothing_there
    unit, n_units = units_of(ratings)
    sums = np.bincount(ratings.item, ratings.value)
    others = (sums[ratings.item] - ratings.value) / (ratings.sizes[ratings.item] - 1)
    chosen = [ratings.rater == code for code in np.flatnonzero(shared >= MINIMUM_SHARED)]
    correlate = [
        pooled(ratings.value[own], others[own], unit[ratings.item[own]], n_units, "pearson") for own in chosen
    ]
    estimate = float(mean_defined([one(np.ones((1, n_units))) for one in correlate])[0])
    if math.isnan(estimate):
        return nothing_there
    replicates = np.concatenate(
        [
            mean_defined([one(weights) for one in correlate])
            for weights in drawing.unit_weights(n_units, len(ratings.value))
        ]
    )
    taken = np.any(chosen, axis=0)
    row = ceiling_row(ratings, estimate, drawing.limits(replicates, ratings.unit, n_units))
    raters = len(chosen)
    return {
        **row,
        "n_items": len(np.unique(ratings.item[taken])),
        "n_raters": raters,
        "n_ratings": int(taken.sum()),
    }


def upper_bound(ratings: Ratings, drawing: Drawing) -> Row:
    """√ICC3k of complete tables of persons, √ICC1k otherwise."""
    as_persons = ratings.identified and ratings.is_complete
    keys = ("icc2", "icc2k", "icc3", "icc3k") if as_persons else ("icc1", "icc1k")
    found = iccs(ratings, keys, drawing)[-1]
    if math.isnan(found["estimate"]) or found["estimate"] < 0:
        return ceiling_row(ratings, math.nan, (math.nan, math.nan))
    limits = found["low"], found["high"]
    if not math.isnan(limits[0]):
        limits = math.sqrt(max(limits[0], 0.0)), math.sqrt(max(limits[1], 0.0))
    return ceiling_row(ratings, math.sqrt(found["estimate"]), limits)


# ------------------------------------------------------------------ tables beside the reliability figures


def pairs_of_raters(ratings: Ratings) -> dict[tuple[str, str], Row]:
    """Every two raters over the items both rated."""
    table = pd.DataFrame(
        {"item": ratings.item, "rater": ratings.rater, "code": ratings.code, "x": ratings.value}
    )
    cells, q = table.merge(table, on="item"), len(ratings.categories)
    cells = cells[cells["rater_x"] < cells["rater_y"]]
    found = {}
    for pair, rows in cells.groupby(["rater_x", "rater_y"]):
        one, other = (str(ratings.raters[code]) for code in np.array(pair, dtype=int))
        x, y = rows["x_x"].to_numpy(), rows["x_y"].to_numpy()
        codes = rows["code_x"].to_numpy(), rows["code_y"].to_numpy()
        apart = np.abs(np.subtract.outer(ratings.categories, ratings.categories))
        apart = apart / apart.max() if q > 1 else apart
        categorical = ratings.has_categories
        found[one, other] = {
            "shared": len(rows),
            "kappa": cohen(*codes, apart**2) if categorical else math.nan,
            "kappa_unweighted": cohen(*codes, (apart > 0).astype(float)) if categorical else math.nan,
            "pearson": float(plain_correlation(x[:, None], y[:, None], "pearson")[0, 0])
            if len(x) > 1
            else math.nan,
            "spearman": float(plain_correlation(x[:, None], y[:, None], "spearman")[0, 0])
            if len(x) > 1
            else math.nan,
            "exact": float((x == y).mean()) if categorical else math.nan,
            "within_one": float((np.abs(x - y) <= 1).mean()) if categorical else math.nan,
            "difference": float((x - y).mean()),
        }
    return found


def cohen(one: Array, other: Array, apart: Array) -> float:
    """Cohen's κ with disagreement weights."""
    q = len(apart)
    shares = [np.bincount(side, minlength=q) / len(one) for side in (one, other)]
    expected = float(shares[0] @ apart @ shares[1])
    defined = expected > 0 and len(one) >= 2
    return 1 - float(apart[one, other].mean()) / expected if defined else math.nan


def parts_of_design(ratings: Ratings) -> int:
    """Groups of raters that never meet on an item, not even through others."""
    size = len(ratings.raters) + ratings.n_items
    edges = (np.ones(len(ratings.value)), (ratings.rater, len(ratings.raters) + ratings.item))
    labels = connected_components(sparse.coo_array(edges, shape=(size, size)), directed=False)[1]
    return len(np.unique(labels[: len(ratings.raters)]))


def distribution(ratings: Ratings) -> Row:
    """How often each value was given, by everybody and by each rater."""
    q, n = len(ratings.categories), len(ratings.raters)
    counts = np.bincount(ratings.rater * q + ratings.code, minlength=n * q).reshape(n, q)
    means = counts @ ratings.categories / np.maximum(counts.sum(axis=1), 1)
    raters = {
        str(name): [*row.tolist(), float(mean)]
        for name, row, mean in zip(ratings.raters, counts, means, strict=True)
    }
    return {"values": ratings.categories.tolist(), "counts": counts.sum(axis=0).tolist(), "raters": raters}


def crossed_means(bundle: Bundle, kept: pd.DataFrame, factors: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Mean rating of every combination of two factors of the items."""
    labels = bundle.items.set_index("item")[[f"meta.{name}" for name in factors]]
    rated = kept[kept["value"].notna()].join(labels, on="item")
    columns = [f"meta.{name}" for name in factors]
    return {
        str(name): rows.pivot_table(index=columns[0], columns=columns[1], values="value", aggfunc="mean")
        for name, rows in rated.groupby("name", sort=False)
    }


# ------------------------------------------------------------------ questions with options


@dataclass(frozen=True)
class Question:
    """A question with options as its newest wording asks it; the options are those of all wordings.

    `fields` says which text of an item stands on which side; `differs` that options are texts of the item.
    """

    name: str
    kind: str
    options: tuple[str, ...]
    unsure: str
    answer_key: str
    fields: Mapping[str, str]
    differs: bool


def questions(bundle: Bundle, kept: pd.DataFrame) -> dict[str, Question]:
    """The questions that were answered, by name."""
    named = kept[["form", "criterion", "name"]].drop_duplicates().itertuples(index=False)
    names = {(form, criterion): name for form, criterion, name in named}
    found: dict[str, Question] = {}
    for form in bundle.forms:
        for one in form["criteria"]:
            name = names.get((form["form"], one["key"]))
            if name is None or one["kind"] not in WITH_OPTIONS:
                continue
            before = found.get(name)
            own = [block for block in form["shown"] if block.get("of") == one["key"]]
            now = [point["value"] for point in one["points"]]
            found[name] = Question(
                name,
                one["kind"],
                tuple(dict.fromkeys((*(before.options if before else ()), *now))),
                one["settings"].get("unsure", ""),
                one["settings"].get("answer_key", ""),
                {block["value"]: block["field"] for block in own if block.get("role") == "side"},
                any(block.get("role") in ("options", "side") for block in own)
                or (before is not None and before.differs),
            )
    return found


@dataclass(frozen=True)
class Choices:
    """The answers to questions with options that count, judged; an empty value is a "can't rate"."""

    questions: Mapping[str, Question]
    answers: pd.DataFrame
    identified: bool

    def by_question(self) -> Iterator[tuple[Question, pd.DataFrame]]:
        """Each question that somebody answered."""
        for name, question in self.questions.items():
            rows = self.answers[self.answers["name"] == name]
            if (rows["value"] != "").any():
                yield question, rows

    @property
    def cannot_rate(self) -> dict[str, int]:
        """Answers without a value."""
        return {question.name: int((rows["value"] == "").sum()) for question, rows in self.by_question()}

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the answers and of what they are judged by, whatever their order."""
        columns = [
            *("item", "group", "system", "form", "form_version", "rater", "criterion", "value"),
            *("cannot_rate", "late", "simulated", "excluded", "exclusion_rule", "shown", "name"),
            *("key", "category", "a", "b", "percent", "high", "first"),
        ]
        cells = self.answers[columns].astype(object)
        cells = cells.where(cells.notna(), None)
        rows = sorted(json.dumps(row, ensure_ascii=False) for row in cells.to_numpy().tolist())
        options = {name: (one.options, one.differs) for name, one in self.questions.items()}
        return hashlib.sha256(json.dumps([columns, options, rows]).encode()).hexdigest()


def choice_answers(bundle: Bundle) -> pd.DataFrame:
    """Answers to questions with options, and in which order each rater saw those; NaN for a "can't rate"."""
    places = {
        (one["form"], one["criterion"]) for one in bundle.facts["scales"] if one["kind"] in WITH_OPTIONS
    }
    rows = of_criteria(bundle.answers, places)
    shown: dict[tuple[str, ...], str] = {}
    if (bundle.folder / "data" / "choices.csv").is_file():
        table = read_table(bundle.folder / "data" / "choices.csv")
        columns = [table[name] for name in ("item", "form", "rater", "criterion", "shown")]
        shown = {tuple(place): order for *place, order in zip(*columns, strict=True)}
    keys = zip(rows["item"], rows["form"], rows["rater"], rows["criterion"], strict=True)
    order = [shown.get(key, "") for key in keys]
    value = rows["value"].astype(object).where((rows["value"] != "") | ~rows["cannot_rate"], math.nan)
    return rows.assign(value=value, shown=order)


def choices_that_count(bundle: Bundle, frame: pd.DataFrame, *, pooled: bool) -> tuple[Choices | None, Row]:
    """The choices that count with their counts; None where nobody has chosen anything."""
    kept, data = counted(bundle, frame, pooled=pooled)
    if not kept["value"].notna().any():
        return None, data
    kept = kept.assign(value=kept["value"].fillna("").astype(str))
    asked = questions(bundle, kept)
    return Choices(asked, judged(bundle, kept, asked), bool(bundle.facts["identified"])), data


def judged(bundle: Bundle, kept: pd.DataFrame, asked: Mapping[str, Question]) -> pd.DataFrame:
    """The answers with the key of their item, its category, and who competes on which side."""
    items = bundle.items.set_index("item").to_dict("index")
    columns: dict[str, list[Any]] = {
        name: [] for name in ("key", "category", "a", "b", "percent", "high", "first")
    }
    for item, name, shown in zip(kept["item"], kept["name"], kept["shown"], strict=True):
        cells, question = items[item], asked[name]
        key = cells.get(f"meta.{question.answer_key}", "") if question.answer_key else ""
        right = key.split("|") if question.kind == "multiple" else [key]
        columns["key"].append(key if set(right) <= set(question.options) else "")
        columns["category"].append(cells.get("meta.category", ""))
        for side in ("a", "b"):
            text = cells.get(question.fields.get(side, side), "")
            columns[side].append(cells.get(f"meta.{side}") or text)
        columns["percent"].append(number_or_nan(cells.get("meta.percent", "")))
        columns["high"].append(cells.get("meta.high", ""))
        columns["first"].append(shown.partition("|")[0])
    return kept.assign(**columns)


def number_or_nan(text: str) -> float:
    """A number; NaN for another text."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def choice_figures(choices: Choices, drawing: Drawing) -> list[Row]:
    """Agreement on every question with options."""
    rows: list[Row] = []
    for question, answers in choices.by_question():
        given = answers[answers["value"] != ""]
        if question.kind == "multiple" and question.differs:
            rows += sets_of_places(question, given, choices.identified, drawing)
        elif question.kind == "multiple":
            rows += sets_of_options(question, given, choices.identified, drawing)
        elif question.differs:
            options = [str(place) for place in range(len(question.options))]
            ratings = as_codes(question, by_frequency(given), options, choices.identified)
            q = len(options)
            rows += [
                refused(ratings, *name) for name in (("alpha", "nominal"), ("fleiss", ""), ("ac1", f"q={q}"))
            ]
            rows += [gwet(ratings, drawing, key) for key in ("brennan_prediger", "exact")]
        else:
            ratings = as_codes(question, given, question.options, choices.identified)
            rows += [alpha(ratings, drawing, "nominal"), fleiss(ratings, drawing)]
            rows += [gwet(ratings, drawing, key) for key in ("ac1", "exact")]
    return rows


def as_codes(question: Question, given: pd.DataFrame, options: Sequence[str], identified: bool) -> Ratings:
    """Options as their places in the form."""
    place = {option: float(number) for number, option in enumerate(options)}
    rated = given.assign(value=given["value"].map(place).astype(float))
    rated = rated[rated["value"].notna()].sort_values(["item", "rater"], kind="stable")
    return replace(coded(question.name, rated, (0, len(options) - 1), identified), nominal=True)


def by_frequency(given: pd.DataFrame) -> pd.DataFrame:
    """Each item's values as 0, 1, … from the one chosen most, so that exchanging its options says nothing."""
    place: dict[tuple[str, str], str] = {}
    for item, values in given.groupby("item")["value"]:
        often = Counter(values)
        ranked = sorted(often, key=lambda value: (-often[value], value))
        place |= {(str(item), value): str(number) for number, value in enumerate(ranked)}
    return given.assign(value=[place[cell] for cell in zip(given["item"], given["value"], strict=True)])


def sets_of_places(question: Question, given: pd.DataFrame, identified: bool, drawing: Drawing) -> list[Row]:
    """Several options that are texts of the item: raw agreement on the whole set alone."""
    places = by_frequency(given.assign(value=[in_order(value) for value in given["value"]]))
    ratings = as_codes(question, places, sorted(set(places["value"])), identified)
    return [refused(ratings, "alpha", "masi"), gwet(ratings, drawing, "exact")]


def in_order(value: str) -> str:
    """Several options in one order."""
    return "|".join(sorted(value.split("|")))


def sets_of_options(question: Question, given: pd.DataFrame, identified: bool, drawing: Drawing) -> list[Row]:
    """α with the MASI distance, and nominal α of each option, chosen or not."""
    chosen = [frozenset(value.split("|")) for value in given["value"]]
    rows = [masi(question.name, given, chosen, identified, drawing)]
    for option in sorted(frozenset().union(*chosen)):
        rated = given.assign(value=[float(option in one) for one in chosen])
        rated = rated.sort_values(["item", "rater"], kind="stable")
        rows.append(alpha(coded(f"{question.name}:{option}", rated, None, identified), drawing, "nominal"))
    return rows


def masi(
    name: str, given: pd.DataFrame, chosen: Sequence[frozenset[str]], identified: bool, drawing: Drawing
) -> Row:
    """Krippendorff's α of sets (Passonneau 2006): 1 − Σ o·δ / Σ e·δ over the distinct sets."""
    distinct = sorted(set(chosen), key=sorted)
    apart = np.array([[masi_distance(one, other) for other in distinct] for one in distinct])
    items, item = np.unique(given["item"].to_numpy(dtype=object), return_inverse=True)
    counts = np.zeros((len(items), len(distinct)))
    np.add.at(counts, (item, np.array([distinct.index(one) for one in chosen])), 1.0)
    paired = counts.sum(axis=1) >= 2
    counts = counts[paired]
    unit, kind = units_of_items(items[paired], dict(zip(given["item"], given["group"], strict=True)))
    n_raters = given["rater"].nunique()
    row: Row = {"criterion": name, "coefficient": "alpha", "variant": "masi", "confidence": CONFIDENCE}
    row |= {"estimate": math.nan, "low": math.nan, "high": math.nan, "n_items": len(counts)}
    row |= {"n_raters": n_raters if identified else None, "n_ratings": int(counts.sum())}
    if n_raters < 2 or len(counts) < 2 or np.count_nonzero(counts.sum(axis=0)) < 2:
        return row
    within = np.einsum("ic,cd,id->i", counts, apart, counts) / (counts.sum(axis=1) - 1)

    def alphas_of_sets(weights: Array) -> Array:
        marginals = weights @ counts
        below = np.einsum("rc,cd,rd->r", marginals, apart, marginals)
        total = np.maximum(marginals.sum(axis=1) - 1, 1)
        defined = below > 0
        ratio = (weights @ within) * total / np.where(defined, below, 1.0)
        return np.where(defined, 1 - ratio, math.nan)

    row["estimate"] = float(alphas_of_sets(np.ones((1, len(counts))))[0])
    n_units = int(unit.max()) + 1
    if n_units >= FEWEST_UNITS:
        generator, shares = drawing.stream(name, "masi"), np.full(n_units, 1 / n_units)
        drawn = [
            alphas_of_sets(generator.multinomial(n_units, shares, size=size)[:, unit].astype(float))
            for size in drawing.chunks(len(counts))
        ]
        row["low"], row["high"] = drawing.limits(np.concatenate(drawn), kind, n_units)
    return row


def masi_distance(one: frozenset[str], other: frozenset[str]) -> float:
    """1 − Jaccard × 1, 2/3 where one holds the other, 1/3 where they share something."""
    if one == other:
        return 0.0
    shared = len(one & other)
    return 1 - shared / len(one | other) * (2 / 3 if one <= other or other <= one else 1 / 3)


def units_of_items(items: Sequence[str], groups: Mapping[str, str]) -> tuple[Array, str]:
    """What each item is drawn with, numbered in their order: its group, or the item where it has none."""
    names = [("group", groups[item]) if groups.get(item) else ("item", item) for item in items]
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    kind = "groups" if len(place) < len(names) else "items"
    return np.array([place[name] for name in names], dtype=int), kind


# ------------------------------------------------------------------ shares of answers


def units_of_answers(answers: pd.DataFrame) -> tuple[Array, str]:
    """The item of each answer, or its group where there are groups, numbered as they come."""
    grouped_items = answers["group"] != ""
    if not grouped_items.any():
        return pd.factorize(answers["item"])[0], "items"
    return pd.factorize(("g" + answers["group"]).where(grouped_items, "i" + answers["item"]))[0], "groups"


def share(hits: Array, answers: pd.DataFrame) -> Row:
    """The mean of hits with Wilson's interval, of the effective number where items repeat."""
    units, n, mean = np.unique(units_of_answers(answers)[0], return_inverse=True)[1], len(hits), hits.mean()
    sizes = np.bincount(units)
    if len(sizes) == n:
        low, high = wilson(mean, n)
    elif len(sizes) < 2:
        low, high = math.nan, math.nan
    else:
        low, high = wilson(mean, effective_number(hits, units, sizes))
    return {"n": n, "share": float(mean), "low": low, "high": high}


def effective_number(hits: Array, units: Array, sizes: Array) -> float:
    """How many independent answers would tell the share as well (Korn & Graubard 1998).

    t stands in place of the normal distribution: the variance is that of few units.
    """
    n, mean, k = len(hits), hits.mean(), len(sizes)
    residuals = np.bincount(units, weights=hits) - mean * sizes
    variance = k / (k - 1) * float((residuals**2).sum()) / n**2
    if variance < SMALLEST_VARIANCE:
        return float(k)
    certainty = (stats.norm.ppf(tails()[1]) / stats.t.ppf(tails()[1], k - 1)) ** 2
    return float(min(max(certainty * mean * (1 - mean) / variance, 1), n))


def wilson(mean: float, n: float) -> tuple[float, float]:
    """The two shares whose distance to the mean is z standard errors of their own (Wilson 1927)."""
    z2 = float(stats.norm.ppf(tails()[1])) ** 2
    half = math.sqrt(z2 * mean * (1 - mean) / n + (z2 / (2 * n)) ** 2)
    ends = [(mean + z2 / (2 * n) + sign * half) / (1 + z2 / n) for sign in (-1, 1)]
    return (0.0 if mean <= 0 else max(0.0, ends[0])), (1.0 if mean >= 1 else min(1.0, ends[1]))


def choice_tables(choices: Choices, drawing: Drawing) -> dict[str, list[Row]]:
    """Accuracy against the key, and preferences; a table without rows is left out."""
    found: dict[str, list[Row]] = {}
    for question, answers in choices.by_question():
        prefers = question.kind == "preference"
        parts = preferences(question, answers, drawing) if prefers else accuracy(question, answers)
        for name, rows in parts.items():
            found.setdefault(name, []).extend(rows)
    return {name: rows for name, rows in found.items() if rows}


def accuracy(question: Question, answers: pd.DataFrame) -> dict[str, list[Row]]:
    """Right answers: of all, of the option most chosen for an item, of each rater; and items without key."""
    keyed = answers[answers["key"] != ""]
    if keyed.empty:
        return {}
    pairs = zip(keyed["value"], keyed["key"], strict=True)
    keyed = keyed.assign(outcome=[outcome(value, key, question.unsure) for value, key in pairs])
    by = [name for name in ("system", "category") if keyed[name].ne("").all()]
    parts = [("answers", "", *part) for part in broken_down(keyed, by)]
    parts += [("majority", "", *part) for part in broken_down(majorities(keyed, question.unsure), by)]
    parts += [("rater", str(name), "", "", part) for name, part in keyed.groupby("rater")]
    rows = []
    for who, name, column, category, part in parts:
        counts = {one: int((part["outcome"] == one).sum()) for one in OUTCOMES}
        decided = counts["right"] + counts["wrong"]
        labels = {"criterion": question.name, "who": who, "name": name, "by": column, "category": category}
        right = (part["outcome"] == "right").to_numpy(dtype=float)
        of_decided = {"share_decided": counts["right"] / decided if decided else math.nan}
        rows.append(labels | counts | share(right, part) | of_decided)
    missing = answers["item"].nunique() - keyed["item"].nunique()
    without = [{"criterion": question.name, "n_items": missing}] if missing else []
    return {"accuracy": rows, "without_key": without}


def outcome(value: str, key: str, unsure: str) -> str:
    """What comes of an answer."""
    if value == "":
        return "cannot_rate"
    if unsure and value == unsure:
        return "unsure"
    return "right" if in_order(value) == in_order(key) else "wrong"


def majorities(keyed: pd.DataFrame, unsure: str) -> pd.DataFrame:
    """One row an item of two answers at least: what comes of the option most chosen."""
    rows = []
    for _, part in keyed[keyed["value"] != ""].groupby("item", sort=False):
        ranked = Counter(in_order(value) for value in part["value"]).most_common(2)
        first = part.iloc[0]
        tie = len(ranked) == 2 and ranked[0][1] == ranked[1][1]
        if len(part) > 1:
            rows.append({**first, "outcome": "tie" if tie else outcome(ranked[0][0], first["key"], unsure)})
    return pd.DataFrame(rows, columns=keyed.columns)


def broken_down(table: pd.DataFrame, by: Sequence[str]) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """All together, then each value of each column that has several."""
    if len(table):
        yield "", "", table
    for column in by:
        if table[column].nunique() > 1:
            for category, part in table.groupby(column):
                yield column, str(category), part


# ------------------------------------------------------------------ preferences


def preferences(question: Question, answers: pd.DataFrame, drawing: Drawing) -> dict[str, list[Row]]:
    """Who wins how often, whether the higher ranked does, the side shown first does, and strengths."""
    given = answers[answers["value"] != ""]
    named = given[(given["a"] != given["b"]) & (given["a"] != "") & (given["b"] != "")]
    drawn = given[given["percent"].notna() & given["high"].isin(("a", "b"))]
    first = given[given["first"].isin(("a", "b"))]
    rates = []
    for name in sorted({*named["a"], *named["b"]}):
        own = [(side, named[named[side] == name]) for side in ("a", "b")]
        hits = np.concatenate([won(part["value"], pd.Series(side, part.index)) for side, part in own])
        rates.append({"competitor": name, **counted_wins(hits, pd.concat([part for _, part in own]))})
    of_percent = [
        {"percent": float(str(percent)), **counted_wins(won(part["value"], part["high"]), part)}
        for percent, part in drawn.groupby("percent")
    ]
    of_first = [counted_wins(won(first["value"], first["first"]), first)] if len(first) else []
    found = {"win_rates": rates, "wins_by_percent": of_percent, "first_shown": of_first}
    found["strengths"] = strengths(question.name, named, drawing)
    return {table: [{"criterion": question.name, **row} for row in rows] for table, rows in found.items()}


def won(values: pd.Series[Any], sides: pd.Series[Any]) -> Array:
    """1 where the side was preferred, 0 where the other was, a half for a tie."""
    return np.where(values.isin(("a", "b")), values == sides, 0.5).astype(float)


def counted_wins(hits: Array, answers: pd.DataFrame) -> Row:
    """Wins, ties, losses, and the share of wins."""
    sums = {
        "wins": int((hits == 1).sum()),
        "ties": int((hits == 0.5).sum()),
        "losses": int((hits == 0).sum()),
    }
    return sums | share(hits, answers)


def strengths(criterion: str, named: pd.DataFrame, drawing: Drawing) -> list[Row]:
    """Bradley–Terry strengths (log odds, mean 0), limits from pairs or groups drawn at most 500 times."""
    names = sorted({*named["a"], *named["b"]})
    unit, kind = units_of_answers(named)
    n_units = len(np.unique(unit))
    sides = [named[side].map({name: code for code, name in enumerate(names)}).to_numpy(int) for side in "ab"]
    outcomes = won(named["value"], pd.Series("a", named.index))

    def wins(weights: Array) -> Array:
        table = np.zeros((len(names), len(names)))
        np.add.at(table, (sides[0], sides[1]), outcomes * weights[unit])
        np.add.at(table, (sides[1], sides[0]), (1 - outcomes) * weights[unit])
        return table

    table = wins(np.ones(n_units))
    fitted = bradley_terry(table) if len(names) <= MOST_FITTED else np.full(len(names), math.nan)
    limits = [(math.nan, math.nan)] * len(names)
    if np.isfinite(fitted).all() and n_units > 1 and len(names) <= MOST_COMPETITORS:
        few = Drawing(drawing.seed, min(drawing.replicates, MOST_FITS))
        generator, shares = few.stream(criterion, "bradley_terry"), np.full(n_units, 1 / n_units)
        drawn = generator.multinomial(n_units, shares, size=few.replicates).astype(float)
        replicates = np.array([bradley_terry(wins(weights)) for weights in drawn])
        limits = [few.limits(column, kind, n_units) for column in replicates.T]
    numbers_of = (table + table.T).sum(axis=1)
    return [
        {
            "competitor": name,
            "n": int(numbers_of[place]),
            "strength": float(fitted[place]),
            "low": limits[place][0],
            "high": limits[place][1],
        }
        for place, name in enumerate(names)
    ]


def bradley_terry(wins: Array) -> Array:
    """The strengths that make the wins most likely, by iterated spectral ranking.

    Maystre & Grossglauser (2015): they are the logarithms of the stationary distribution π of the chain that
    goes from i to j at the rate wins[j, i] / (π_i + π_j). NaN where they are not finite, or not found in
    2,000 steps.
    """
    n = len(wins)
    nothing = np.full(n, math.nan)
    if n < 2 or connected_components(wins > 0, directed=True, connection="strong")[0] > 1:
        return nothing
    weights, before = np.ones(n), None
    for _ in range(MOST_STEPS):
        rates = wins.T / (weights[:, None] + weights)
        balance = rates.T - np.diag(rates.sum(axis=1))
        # One balance follows from the others; in its place the weights sum to n.
        balance[-1] = 1.0
        weights = linalg.solve(balance, np.append(np.zeros(n - 1), float(n)))
        found = np.log(weights) - np.log(weights).mean()
        weights = np.exp(found)
        if before is not None and np.abs(found - before).sum() <= 1e-8 * n:
            return np.asarray(found)
        before = found
    return nothing


# ------------------------------------------------------------------ marked tuples


@dataclass(frozen=True)
class Mark:
    """A wording of a part, and the characters of the text it takes; none where it is not located."""

    text: str
    places: frozenset[int]

    @property
    def length(self) -> int:
        """Characters of the text, or of the wording."""
        return len(self.places) or len(self.text)

    @property
    def same_as(self) -> tuple[str, Any]:
        """Equal for marks that take the same characters, or are the same wording where not located."""
        return ("at", tuple(sorted(self.places))) if self.places else ("as", self.text)

    def overlap(self, other: Mark) -> int:
        """Characters both have; where one is not located all or none, by the wording."""
        if self.places and other.places:
            return len(self.places & other.places)
        return min(self.length, other.length) if self.text == other.text else 0


Tuple = Mapping[str, Sequence[Mark]]


@dataclass(frozen=True)
class Tuples:
    """One criterion: the tuples of each rater and item that was looked at, and the lengths of the texts."""

    name: str
    raters: Mapping[str, Mapping[str, Sequence[Tuple]]]
    lengths: Mapping[str, int]
    groups: Mapping[str, str]
    identified: bool
    cannot_rate: int

    @property
    def parts(self) -> list[str]:
        """The parts that occur, the usual ones first."""
        found = {
            part for items in self.raters.values() for of in items.values() for one in of for part in one
        }
        return [*(part for part in USUAL_PARTS if part in found), *sorted(found - set(USUAL_PARTS))]

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the marks, whatever their order and the numbers of the tuples."""
        lines = []
        for rater, items in self.raters.items():
            for item, tuples in items.items():
                told = []
                for one in tuples:
                    marks = {part: sorted((m.text, sorted(m.places)) for m in of) for part, of in one.items()}
                    told.append(sorted(marks.items()))
                lines.append(repr((rater, item, sorted(told))))
        return hashlib.sha256("\n".join(sorted(lines)).encode("utf-8", "surrogatepass")).hexdigest()


def tuple_answers(bundle: Bundle) -> pd.DataFrame:
    """One row an answer to a form that asks for tuples: `marks`, their number; NaN for a "can't rate"."""
    asked: dict[str, tuple[int, str]] = {}
    for form in bundle.forms:
        for place, one in enumerate(form["criteria"]):
            if one["kind"] == "tuples":
                asked[form["form"]] = min(asked.get(form["form"], (place, one["key"])), (place, one["key"]))
    rows = []
    frame = bundle.answers[bundle.answers["form"].isin(list(asked))]
    for response, of_answer in frame.groupby("response", sort=False):
        criterion = asked[of_answer["form"].iloc[0]][1]
        told = of_answer[(of_answer["criterion"] == criterion) & (of_answer["value"] != "")]
        first = (told if len(told) else of_answer).iloc[0]
        none: list[Row] | None = None if first["cannot_rate"] else []
        marks = json.loads(first["value"]) if len(told) else none
        value = math.nan if marks is None else len({mark["tuple"] for mark in marks})
        rows.append({**first, "response": response, "criterion": criterion, "marks": marks, "value": value})
    columns = [*bundle.answers.columns, "marks"]
    return pd.DataFrame(rows, columns=columns).astype({"value": float, "excluded": bool, "late": bool})


def tuples_that_count(bundle: Bundle, *, pooled: bool) -> tuple[list[Tuples], Row]:
    """The tuples that count, by criterion, with their counts."""
    kept, data = counted(bundle, tuple_answers(bundle), pooled=pooled)
    if not kept["value"].notna().any():
        return [], data
    groups = dict(zip(kept["item"], kept["group"], strict=True))
    found = []
    for name, answers in kept.groupby("name", sort=False):
        lengths = text_lengths(bundle, answers["form"].iloc[0])
        looked = answers[answers["marks"].notna()]
        raters: dict[str, dict[str, list[Tuple]]] = {}
        for item, rater, marks in zip(looked["item"], looked["rater"], looked["marks"], strict=True):
            raters.setdefault(rater, {})[item] = gathered(marks)
        identified, missing = bool(bundle.facts["identified"]), int(answers["marks"].isna().sum())
        found.append(Tuples(str(name), raters, lengths, groups, identified, missing))
    return found, data


def gathered(spans: Sequence[Row]) -> list[Tuple]:
    """Tuples of spans; those of the same wording in the same part are one mark."""
    found: dict[Any, dict[str, dict[str, set[int]]]] = {}
    for span in spans:
        places = (
            found.setdefault(span["tuple"], {}).setdefault(span["part"], {}).setdefault(span["text"], set())
        )
        if span["start"] is not None:
            places.update(range(span["start"], span["end"]))
    return [
        {
            part: [Mark(text, frozenset(places)) for text, places in marks.items()]
            for part, marks in one.items()
        }
        for one in found.values()
    ]


def text_lengths(bundle: Bundle, form: str) -> dict[str, int]:
    """Characters of the text that each item is marked in: the figure the form shows, else its first text."""
    asking = [one for one in bundle.forms if one["form"] == form]
    blocks = [one["shown"] for one in asking if any(a["kind"] == "tuples" for a in one["criteria"])][-1]
    figures = [block["field"] for block in blocks if block.get("role") == "figure"]
    field = [*figures, *(block["field"] for block in blocks), "sentence"][0]
    texts = bundle.items[field] if field in bundle.items else pd.Series("", bundle.items.index)
    return {item: len(text) for item, text in zip(bundle.items["item"], texts, strict=True)}


def tuple_figures(tuples: Tuples, drawing: Drawing) -> tuple[list[Row], list[Row]]:
    """F1 of each part and of the whole tuple, exactly and by characters, with α; and every pair's figures."""
    rows: list[Row] = []
    pairs: list[Row] = []
    for part in (*tuples.parts, "whole"):
        parts = tuples.parts if part == "whole" else [part]
        for matching in ("exact", "overlap"):
            shared = SharedTuples.of(tuples, f"{tuples.name}:{part}", parts, matching)
            drawn = shared.drawn(drawing)
            rows += shared.overall(drawn, drawing)
            pairs += shared.of_pairs(drawn, drawing)
        marks = [
            mark
            for items in tuples.raters.values()
            for found in items.values()
            for one in found
            for mark in one.get(part, ())
        ]
        if part != "whole" and any(mark.places for mark in marks):
            rows.append(alpha_of_characters(tuples, part, drawing))
    return rows, pairs


def in_common(ones: Sequence[Tuple], others: Sequence[Tuple], parts: Sequence[str], matching: str) -> Array:
    """Tuples (or characters) both have, those of each, 1 for the item, and tuples of the two."""
    ones, others = ([one for one in side if any(one.get(part) for part in parts)] for side in (ones, others))
    sizes = [
        len(side)
        if matching == "exact"
        else sum(mark.length for one in side for part in parts for mark in one.get(part, ()))
        for side in (ones, others)
    ]
    if matching == "exact":
        kinds = [
            Counter(
                tuple(tuple(sorted(m.same_as for m in one.get(part, ()))) for part in parts) for one in side
            )
            for side in (ones, others)
        ]
        hits = float((kinds[0] & kinds[1]).total())
    else:
        hits = best_matching([[overlap(one, other, parts) for other in others] for one in ones])
    return np.array([hits, *sizes, 1, len(ones) + len(others)], dtype=float)


def overlap(one: Tuple, other: Tuple, parts: Sequence[str]) -> float:
    """Characters that two tuples share, the marks of each part matched one to one."""
    return sum(
        best_matching([[mark.overlap(mate) for mate in other.get(part, ())] for mark in one.get(part, ())])
        for part in parts
    )


def best_matching(gains: Sequence[Sequence[float]]) -> float:
    """The greatest sum of a one-to-one matching."""
    if not gains or not gains[0]:
        return 0.0
    table = np.array(gains, dtype=float)
    return float(table[optimize.linear_sum_assignment(table, maximize=True)].sum())


@dataclass(frozen=True)
class SharedTuples:
    """What every two raters share of some parts; `cells` has the shape (5, items, pairs)."""

    name: str
    matching: str
    pairs: list[tuple[str, str]]
    unit: Array
    kind: str
    cells: Array
    numbers: Row
    few: bool

    @classmethod
    def of(cls, tuples: Tuples, name: str, parts: Sequence[str], matching: str) -> SharedTuples:
        """Compare all raters of each item that two have looked at; slots, or a crowd, all in one column."""
        raters, seen = sorted(tuples.raters), tuples.raters
        times = Counter(item for items in seen.values() for item in items)
        items = sorted(item for item, number in times.items() if number > 1)
        by_item = {item: [rater for rater in raters if item in seen[rater]] for item in items}
        apart = tuples.identified and len(raters) <= MOST_RATERS
        pairs = list(combinations(raters, 2)) if apart else []
        column = {pair: place for place, pair in enumerate(pairs)}
        cells = np.zeros((5, len(items), max(len(pairs), 1)))
        for row, item in enumerate(items):
            for one, other in combinations(by_item[item], 2):
                found = in_common(seen[one][item], seen[other][item], parts, matching)
                cells[:, row, column.get((one, other), 0)] += found
        having = [
            any(one.get(part) for part in parts)
            for item in items
            for rater in by_item[item]
            for one in seen[rater][item]
        ]
        met = {rater for item in items for rater in by_item[item]}
        n_raters = len(met) if tuples.identified else None
        numbers_of = {"n_items": len(items), "n_raters": n_raters, "n_ratings": sum(having)}
        unit, kind = units_of_items(items, tuples.groups)
        return cls(name, matching, pairs, unit, kind, cells, numbers_of, len(raters) < 2)

    @property
    def n_units(self) -> int:
        """Items or groups to draw from."""
        return len(np.unique(self.unit))

    def drawn(self, drawing: Drawing) -> dict[str, Array]:
        """The scores of every replicate."""
        generator, n_items = drawing.stream(self.name, self.matching), self.cells.shape[1]
        if n_items == 0:
            return {}
        alone = np.ones(self.n_units, dtype=int)
        chunks = [
            self.scores(drawn_units(generator, alone, size)[self.unit].T)
            for size in drawing.chunks(n_items + 3 * len(self.pairs))
        ]
        return {name: np.concatenate([one[name] for one in chunks]) for name in chunks[0]}

    def scores(self, weights: Array) -> dict[str, Array]:
        """Of weighted items: F1 of all sums, the mean of the pairs' F1, and the figures of each pair."""
        hits, first, second = (weights @ cells for cells in self.cells[:3])
        f1 = over(2 * hits, first + second)
        defined = np.isfinite(f1)
        return {
            "pooled": over(2 * hits.sum(axis=1), (first + second).sum(axis=1)),
            "mean of pairs": over(np.where(defined, f1, 0).sum(axis=1), defined.sum(axis=1).astype(float)),
            "precision": over(hits, second),
            "recall": over(hits, first),
            "f1": f1,
        }

    def overall(self, drawn: Mapping[str, Array], drawing: Drawing) -> list[Row]:
        """F1 over all pairs: of their sums, and the mean of theirs."""
        n_items = self.cells.shape[1]
        whole = self.scores(np.ones((1, n_items))) if n_items and not self.few else {}
        rows = []
        for variant in ("pooled", "mean of pairs"):
            estimate = float(whole[variant][0]) if whole else math.nan
            if variant == "mean of pairs" and not self.pairs:
                estimate = math.nan
            limits = (math.nan, math.nan)
            if math.isfinite(estimate) and self.n_units >= FEWEST_UNITS:
                limits = drawing.limits(drawn[variant], self.kind, self.n_units)
            rows.append(self.row("f1", variant, (estimate, *limits), self.numbers))
        return rows

    def of_pairs(self, drawn: Mapping[str, Array], drawing: Drawing) -> list[Row]:
        """Precision, recall and F1 of the second rater of each pair against the first."""
        if not self.cells.shape[1]:
            return []
        whole = self.scores(np.ones((1, self.cells.shape[1])))
        rows = []
        for place, (one, other) in enumerate(self.pairs):
            met = self.cells[3, :, place]
            numbers_of = {
                "n_items": int(met.sum()),
                "n_raters": 2,
                "n_ratings": int(self.cells[4, :, place].sum()),
            }
            n_units = len(np.unique(self.unit[met > 0]))
            for name in ("precision", "recall", "f1"):
                estimate, limits = float(whole[name][0, place]), (math.nan, math.nan)
                if math.isfinite(estimate) and n_units >= FEWEST_UNITS:
                    limits = drawing.limits(drawn[name][:, place], self.kind, n_units)
                rows.append(self.row(name, f"{one}|{other}", (estimate, *limits), numbers_of))
        return rows

    def row(self, coefficient: str, variant: str, found: tuple[float, float, float], of: Row) -> Row:
        """A figure as a row."""
        name = {"criterion": self.name, "coefficient": coefficient, "variant": f"{self.matching}, {variant}"}
        limits = dict(zip(("estimate", "low", "high"), found, strict=True))
        return {**name, **limits, "confidence": CONFIDENCE, **of}


def over(above: Array, below: Array) -> Array:
    """A ratio; NaN where there is nothing to divide by."""
    empty: Array = np.full(np.shape(above), math.nan)
    return np.asarray(np.divide(above, below, out=empty, where=below > 0))


def alpha_of_characters(tuples: Tuples, part: str, drawing: Drawing) -> Row:
    """Nominal α of "is this character part of it?"; an answer that is not located wholly is left out."""
    name, variant = f"{tuples.name}:{part}", "nominal, characters"
    answers = [
        (item, rater, [mark for one in found for mark in one.get(part, ())])
        for rater, items in tuples.raters.items()
        for item, found in items.items()
    ]
    located = [one for one in answers if all(mark.places for mark in one[2])]
    asked, answered = (Counter(item for item, _, _ in some) for some in (answers, located))
    if max(answered.values(), default=0) < 2 <= max(asked.values(), default=0):
        n_raters = len(tuples.raters) if tuples.identified else None
        of = {"n_items": 0, "n_raters": n_raters, "n_ratings": 0, "confidence": CONFIDENCE}
        limits = dict.fromkeys(("estimate", "low", "high"), math.nan)
        return {"criterion": name, "coefficient": "alpha", "variant": variant, **limits, **of}
    texts = sorted(answered)
    unit = dict(zip(texts, units_of_items(texts, tuples.groups)[0], strict=True))
    rows = []
    for item, rater, marks in located:
        taken = frozenset().union(*(mark.places for mark in marks))
        label = str(unit[item])
        rows += [
            (f"{item}\x1f{place}", rater, float(place in taken), label)
            for place in range(tuples.lengths[item])
        ]
    rated = pd.DataFrame(rows, columns=["item", "rater", "value", "group"])
    ratings = coded(name, rated, None, tuples.identified)
    n_items = sum(number > 1 for item, number in answered.items() if tuples.lengths[item])
    return alpha(ratings, drawing, "nominal") | {"variant": variant, "n_items": n_items}


# ------------------------------------------------------------------ reports


def reliability(table: Table, drawing: Drawing) -> list[Row]:
    """Every reliability figure of a table of ratings."""
    rows: list[Row] = []
    for ratings in table.criteria.values():
        rows += held_out(ratings, drawing)
        rows += iccs(ratings, ("icc1", "icc1k"), drawing)
        rows += iccs(ratings, ("icc2", "icc2k", "icc3", "icc3k"), drawing)
        rows += [alpha(ratings, drawing, level) for level in LEVELS_OF_ALPHA]
        rows.append(fleiss(ratings, drawing))
        rows += [gwet(ratings, drawing, key) for key in ("ac1", "ac2", "exact", "within_one")]
    return rows


def headline(table: Table, drawing: Drawing) -> list[Row]:
    """The figures that stand beside each other before and after exclusions."""
    rows = [row for row in reliability(table, drawing) if row["coefficient"] in HEADLINE]
    return [row for row in rows if not row["variant"].startswith("rater:")]


class Check:
    """Stored numbers beside recomputed ones."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.compared = 0
        self.furthest = 0.0
        self.wrong: list[str] = []
        self.left: dict[str, int] = {}

    def same(self, what: str, stored: Any, again: Any) -> None:
        """Two texts or counts that must be equal."""
        self.compared += 1
        if stored != again:
            self.wrong.append(f"{what}: stored {stored!r}, recomputed {again!r}")

    def leave(self, what: str, stored: Any) -> None:
        """Numbers that this programme does not know how to compute."""
        self.left[what] = self.left.get(what, 0) + how_many(stored)

    def near(
        self, what: str, stored: float | None, again: float | None, allowed: float | None = None
    ) -> None:
        """Two numbers at most `allowed` apart; null stands for what is not a finite number."""
        self.compared += 1
        known = again is not None and math.isfinite(again)
        if stored is None or again is None or not known:
            if (stored is None) == known:
                self.wrong.append(f"{what}: stored {stored}, recomputed {again}")
            return
        size = max(1.0, abs(stored))
        away = abs(stored - again)
        self.furthest = max(self.furthest, away / size)
        # Written so that a stored NaN is a difference.
        if not away <= (TOLERANCE * size if allowed is None else allowed):
            self.wrong.append(f"{what}: stored {stored!r}, recomputed {again!r}")

    def rows(
        self,
        stored: Sequence[Row],
        again: Sequence[Row],
        how: tuple[Sequence[str], Sequence[str]],
        ours: Callable[[Row], bool] = bool,
    ) -> None:
        """Rows with the same key; `how` is their key and their numbers, `ours` knows what must come out."""
        key, names = how
        found = {tuple(row[name] for name in key): row for row in again}
        seen: set[tuple[Any, ...]] = set()
        for row in stored:
            place = tuple(row[name] for name in key)
            if place in found and place not in seen:
                seen.add(place)
                self.row(" ".join(map(str, place)), row, found[place], names)
            elif ours(row):
                self.wrong.append(f"{' '.join(map(str, place))}: not recomputed, or there twice")
            else:
                self.leave(str(row.get("coefficient", "rows")), row)
        self.same("rows that are missing", [], [place for place in found if place not in seen])

    def row(self, what: str, stored: Row, again: Row, names: Sequence[str]) -> None:
        """The numbers of one row, and whether what is missing has a reason."""
        for name in names:
            if name in again and name not in stored:
                self.same(f"{what} {name}", "nothing", again[name])
            elif name in stored:
                self.near(f"{what} {name}", stored[name], again.get(name), tolerance_of(name, stored))
        if "reason" in stored and "estimate" in again:
            self.same(f"{what} has a reason", bool(stored["reason"]), not finite(again["estimate"]))
        if "interval_method" in stored and "low" in again:
            none = str(stored["interval_method"]).startswith("none")
            limits = finite(again["low"]) or finite(again["high"])
            self.same(f"{what} has an interval", not none, limits)


def finite(value: float | None) -> bool:
    """Whether it is a number."""
    return value is not None and math.isfinite(value)


def how_many(value: Any) -> int:
    """Numbers in a JSON value."""
    if isinstance(value, Mapping):
        return sum(how_many(part) for part in value.values())
    if isinstance(value, list | tuple):
        return sum(how_many(part) for part in value)
    return int(isinstance(value, int | float) and not isinstance(value, bool))


def tolerance_of(name: str, row: Row) -> float:
    """How near a number must come: p values relative to themselves, others to the greater of 1 and them."""
    size = abs(row[name]) if finite(row[name]) else 0.0
    if name in P_VALUES:
        return ITERATED * size + TINY
    iterated = str(row.get("variant", "")).startswith("REML") or "strength" in row
    return (ITERATED if iterated else TOLERANCE) * max(1.0, size)


FIGURE = ("criterion", "coefficient", "variant")
META = ("criterion", "metric", "level", "coefficient")
COMPARED = ("criterion", "metric", "metric2", "level", "coefficient")


def check_reliability(bundle: Bundle, report: Row, check: Check) -> None:
    """A reliability report: what it says of ratings on scales, of questions with options, and of tuples."""
    said, tables = report["data"], report["tables"]
    by_kind = {kind: part for kind, of in KINDS.items() if (part := of(bundle, report))}
    parts = list(by_kind.values())
    for name in tables.keys() - OF_SCALES - OF_CHOICES.keys() - {"before", "tuple_pairs"}:
        check.leave(name, tables[name])
    check_data(check, said, parts[0].data)
    several = by_kind if len(parts) > 1 else {}
    check.same("kinds of questions", sorted(said.get("by_kind", {})), sorted(several))
    for kind, part in several.items():
        check_data(check, said["by_kind"][kind], part.data)
    check_sources(bundle, said, parts, check)
    known = partial(must_come_out, bundle)
    before_is = {key: said[key] for key in ("before", "choices_before") if key in said}
    again = {part.before_key: part.before for part in parts if part.before is not None}
    check.same("fingerprint before", before_is, again)
    rows = [row for part in parts for row in part.rows]
    check.rows(report["results"], rows, (FIGURE, NUMBERS), known)
    before = [row for part in parts for row in part.rows_before]
    check.rows(tables.get("before", []), before, (FIGURE, NUMBERS), known)
    for part in parts:
        part.beside(check)
    if not any(part.before_key == "before" for part in parts):
        check.same("tables of scales", [], sorted(tables.keys() & OF_SCALES))


def must_come_out(bundle: Bundle, row: Row) -> bool:
    """Whether this programme must come to a figure; not to one of words that were taken out of the bundle."""
    of_words = row["coefficient"] in OF_WORDS and bundle.facts["redacted_tuples"]
    return row["coefficient"] in KNOWN and not of_words


@dataclass(frozen=True)
class Part:
    """What is computed of one kind of question: figures, counts, fingerprints, and tables beside them."""

    rows: list[Row]
    rows_before: list[Row]
    data: Row
    cannot_rate: dict[str, int]
    fingerprint: str
    before_key: str
    before: str | None
    beside: Callable[[Check], None]


def of_scales(bundle: Bundle, report: Row) -> Part | None:
    """Ratings on scales; None where there are none."""
    said, tables = report["data"], report["tables"]
    drawing, pooled = Drawing(said["seed"], said["replicates"]), said["pool_versions"]
    kept, data = counted(bundle, bundle.ratings, pooled=pooled)
    if not kept["value"].notna().any():
        return None
    table, before, rows_before = ratings_table(bundle, kept), None, []
    if data["excluded"]:
        everything, _ = counted(bundle, as_if_counting(bundle, bundle.ratings, pooled=pooled), pooled=pooled)
        without = ratings_table(bundle, everything)
        before, rows_before = without.fingerprint, headline(without, drawing)

    def beside(check: Check) -> None:
        check_versions(bundle, kept, report, check)
        check_beside(table, tables, check)
        check_crossed(bundle, kept, tables.get("crossed") or {}, check)

    rows = reliability(table, drawing)
    return Part(rows, rows_before, data, table.cannot_rate, table.fingerprint, "before", before, beside)


def of_choices(bundle: Bundle, report: Row) -> Part | None:
    """Questions with options; None where nobody has chosen anything."""
    said, tables = report["data"], report["tables"]
    drawing, pooled = Drawing(said["seed"], said["replicates"]), said["pool_versions"]
    frame = choice_answers(bundle)
    choices, data = choices_that_count(bundle, frame, pooled=pooled)
    if choices is None:
        return None
    before, rows_before = None, []
    if data["excluded"]:
        everything = as_if_counting(bundle, frame, pooled=pooled)
        without, _ = choices_that_count(bundle, everything, pooled=pooled)
        if without is not None:
            before, rows_before = without.fingerprint, choice_figures(without, drawing)

    def beside(check: Check) -> None:
        again = choice_tables(choices, drawing)
        for name, how in OF_CHOICES.items():
            check.rows(tables.get(name, []), again.get(name, []), how)

    rows = choice_figures(choices, drawing)
    return Part(
        rows,
        rows_before,
        data,
        choices.cannot_rate,
        choices.fingerprint,
        "choices_before",
        before,
        beside,
    )


def of_tuples(bundle: Bundle, report: Row) -> Part | None:
    """Marked tuples; None where nobody has looked for any."""
    said = report["data"]
    drawing = Drawing(said["seed"], said["replicates"])
    criteria, data = tuples_that_count(bundle, pooled=said["pool_versions"])
    if not criteria:
        return None
    known = partial(must_come_out, bundle)
    found = [tuple_figures(one, drawing) for one in criteria]
    rows = [row for figures, _ in found for row in figures if known(row)]
    pairs = [row for _, of_pairs in found for row in of_pairs if known(row)]
    prints = [one.fingerprint for one in criteria]
    cannot_rate = {one.name: one.cannot_rate for one in criteria}

    def beside(check: Check) -> None:
        check.rows(report["tables"].get("tuple_pairs", []), pairs, (FIGURE, NUMBERS), known)

    return Part(rows, [], data, cannot_rate, together(prints), "", None, beside)


KINDS = {"scale": of_scales, "choice": of_choices, "tuples": of_tuples}


def together(prints: Sequence[str]) -> str:
    """One fingerprint of several."""
    return prints[0] if len(prints) == 1 else hashlib.sha256("".join(prints).encode()).hexdigest()


def check_sources(bundle: Bundle, said: Row, parts: Sequence[Part], check: Check) -> None:
    """Answers without a value, and the fingerprint of all answers together."""
    again = {name: number for part in parts for name, number in part.cannot_rate.items()}
    check.same("cannot_rate", said["cannot_rate"], again)
    if bundle.facts["redacted_tuples"]:
        check.leave("fingerprint", 1)
    else:
        check.same("fingerprint", said["fingerprint"], together([part.fingerprint for part in parts]))


def check_versions(bundle: Bundle, kept: pd.DataFrame, report: Row, check: Check) -> None:
    """The headline figures of each wording, where several are pooled."""
    said, stored = report["data"], report["tables"].get("versions", {})
    drawing = Drawing(said["seed"], said["replicates"])
    rated = kept[kept["value"].notna()]
    several = rated.groupby("form")["form_version"].transform("nunique") > 1
    numbers_of_versions = sorted({str(number) for number in rated.loc[several, "form_version"]})
    check.same("versions", sorted(stored), numbers_of_versions)
    for number in numbers_of_versions:
        table = version_table(bundle, kept, int(number))
        check.same(f"fingerprint {number}", said["versions"][number], table.fingerprint)
        check.rows(stored[number], headline(table, drawing), (FIGURE, NUMBERS))


def version_table(bundle: Bundle, kept: pd.DataFrame, number: int) -> Table:
    """The ratings of one version of the forms that have several."""
    rated = kept[kept["value"].notna()]
    several = rated.groupby("form")["form_version"].transform("nunique") > 1
    return ratings_table(bundle, rated[several & (rated["form_version"] == number)])


def check_beside(table: Table, tables: Row, check: Check) -> None:
    """Pairs of raters, parts of the design, distributions."""
    rated = {name: ratings for name, ratings in table.criteria.items() if len(ratings.value)}
    known = [name for name, ratings in rated.items() if ratings.identified]
    few = {name for name, ratings in rated.items() if len(ratings.raters) <= MOST_RATERS}
    check.same("pairs", sorted(tables.get("pairs", {})), sorted(few & {*known}))
    check.same("components", sorted(tables.get("components", {})), sorted(known))
    check.same("distributions", sorted(tables.get("distributions", {})), sorted(rated))
    for name, stored in tables.get("pairs", {}).items():
        found = pairs_of_raters(table.criteria[name])
        check.same(f"{name} pairs of raters", len(stored["cells"]), len(found))
        for cell in stored["cells"]:
            pair = stored["raters"][cell["first"]], stored["raters"][cell["second"]]
            for key in NUMBERS_OF_PAIRS:
                check.near(f"{name} {pair} {key}", cell[key], found[pair][key])
    for name, number in tables.get("components", {}).items():
        check.same(f"{name} parts of the design", number, parts_of_design(table.criteria[name]))
    for name, stored in tables.get("distributions", {}).items():
        again = distribution(table.criteria[name])
        check.same(f"{name} values", stored["values"], again["values"])
        check.same(f"{name} counts", stored["counts"], again["counts"])
        labels = sorted(again["raters"]) if name in few else []
        check.same(f"{name} raters", sorted(one["rater"] for one in stored["raters"]), labels)
        for one in stored["raters"]:
            check.same(f"{name} {one['rater']} counts", one["counts"], again["raters"][one["rater"]][:-1])
            check.near(f"{name} {one['rater']} mean", one["mean"], again["raters"][one["rater"]][-1])


def check_crossed(bundle: Bundle, kept: pd.DataFrame, stored: Row, check: Check) -> None:
    """Means of a crossed design, stored with six decimals."""
    found = crossed_means(bundle, kept, stored["factors"]) if stored else {}
    check.same("crossed criteria", sorted(stored.get("criteria", {})), sorted(found))
    for name, table in stored.get("criteria", {}).items():
        for place, cells in zip(table["rows"], table["means"], strict=True):
            for column, mean in zip(table["columns"], cells, strict=True):
                allowed = ROUNDED * max(1.0, abs(mean or 0.0))
                check.near(f"{name} {place} × {column}", mean, float(found[name].loc[place, column]), allowed)


def check_data(check: Check, said: Row, data: Row) -> None:
    """What was counted, excluded and set apart."""
    for key, value in data.items():
        check.same(key, said[key], value)


def check_metrics(bundle: Bundle, report: Row, check: Check) -> None:
    """A meta-evaluation report."""
    said, tables = report["data"], report["tables"]
    drawing, directions = Drawing(said["seed"], said["replicates"]), said["directions"]
    items, table, data = measured(bundle, said["without"])
    check_data(check, said, data)
    rows: dict[str, list[Row]] = {"criteria": [], "metrics": []}
    for level in levels_of(items):
        for coefficient in COEFFICIENTS:
            rows["criteria"] += meta_rows(items.among("criteria"), level, coefficient, drawing)
            rows["metrics"] += meta_rows(items, level, coefficient, drawing) if items.metrics else []
    names = (*NUMBERS, "n_systems", "n_dropped")
    again = [*rows["criteria"], *rows["metrics"]]
    check.rows(report["results"], again, (META, names), lambda row: row["coefficient"] in COEFFICIENTS)
    for name in tables.keys() - OF_METRICS:
        check.leave(name, tables[name])
    check_rankings(items, rows["metrics"], tables, (directions, drawing), check)
    check_systems(items, tables.get("systems") or {}, drawing, check)
    check.same("ceiling", sorted(one["criterion"] for one in tables["ceiling"]), sorted(table.criteria))
    sure = {"confidence": CONFIDENCE}
    for stored in tables["ceiling"]:
        top = ceiling(table.criteria[stored["criterion"]], drawing)
        for part in ("split_half", "leave_one_out", "upper_bound"):
            check.row(f"ceiling {stored['criterion']} {part}", stored[part], top[part] | sure, NUMBERS)


def check_rankings(
    items: Measured, rows: Sequence[Row], tables: Row, how: tuple[Mapping[str, str], Drawing], check: Check
) -> None:
    """Borda counts, rankings within groups, the best metrics compared."""
    directions, drawing = how
    counts = borda(items, rows, directions)
    check.same("Borda levels", sorted(tables["borda"]), sorted(counts))
    for level, stored in tables["borda"].items():
        check.same(f"Borda {level} metrics", sorted(stored), sorted(counts[level]))
        for metric, count in stored.items():
            check.near(f"Borda {level} {metric}", count, counts[level][metric])
    again = {(row["metric"], row["criterion"], row["ties"]): row for row in rankings(items, rows, directions)}
    check.same("rankings", len(tables["rankings"]), len(again))
    for row in tables["rankings"]:
        found = again[row["metric"], row["criterion"], row["ties"]]
        check.same(
            "groups ranked", (row["n_groups"], row["n_dropped"]), (found["n_groups"], found["n_dropped"])
        )
        for place, value in enumerate(row["values"]):
            check.near(f"ranking {row['metric']} {row['criterion']} {place}", value, found["values"][place])
    names = (*NUMBERS, *NUMBERS_OF_COMPARISONS, "n_systems", "n_dropped")
    check.rows(tables["comparisons"], comparisons(items, rows, directions, drawing), (COMPARED, names))


def check_systems(items: Measured, stored: Row, drawing: Drawing, check: Check) -> None:
    """Means and differences of systems."""
    # More replicates than the report's where the pairs of systems are many.
    found = systems(items, Drawing(drawing.seed, stored.get("replicates", drawing.replicates)))
    for part, key in (("means", ("system", "criterion")), ("differences", ("criterion", "first", "second"))):
        names = ("mean", "half_width", "n", "difference", "low", "high", "p", "p_adjusted")
        check.rows(stored.get(part, []), found.get(part, []), (key, names))


def check_comparison(bundle: Bundle, report: Row, check: Check) -> None:
    """Two metrics compared on each criterion."""
    said = report["data"]
    items, _, data = measured(bundle, [])
    check_data(check, said, data)
    how, drawing = (said["level"], said["coefficient"]), Drawing(said["seed"], said["replicates"])
    metrics = (said["metrics"][0], said["metrics"][1])
    rows = [compared(items, name, metrics, how, said["directions"], drawing) for name in items.criteria]
    adjusted = holm([row["p"] for row in rows])
    again = [{**row, "p_adjusted": p} for row, p in zip(rows, adjusted, strict=True)]
    names = (*NUMBERS, *NUMBERS_OF_COMPARISONS, "n_systems", "n_dropped")
    check.rows(report["results"], again, (COMPARED, names))


CHECKS = {"reliability": check_reliability, "metrics": check_metrics, "comparison": check_comparison}


# ------------------------------------------------------------------ tables for papers, wide ratings


def check_latex(folder: Path, reports: Mapping[str, Row], table: Row, check: Check) -> None:
    """Every label and number of a LaTeX table against the report, whose figures are recomputed themselves."""
    text = (folder / "tables" / table["file"]).read_text(encoding="utf-8")
    body = text.split(r"\midrule")[1].split(r"\bottomrule")[0]
    lines = [line.removesuffix(r"\\").strip() for line in body.strip().splitlines()]
    rows = table_rows(reports[table["report"]], table)
    figures = {(coefficient, variant): name for coefficient, variant, name in table["figures"]}
    check.same("rows", len(lines), len(rows))
    for line, row in zip(lines, rows, strict=False):
        cells = line.split(" & ")
        check.same(f"{line[:40]}… cells", len(cells), len(table["labels"]) + len(table["numbers"]))
        split = len(table["labels"])
        check.same(f"{line[:40]}… label", cells[:split], labels_of(row, table["labels"], figures))
        for name, cell in zip(table["numbers"], cells[split:], strict=False):
            check.near(f"{line[:40]}… {name}", printed(cell), row[name], half_of_last_digit(cell))


def labels_of(row: Row, labels: Sequence[str], figures: Mapping[tuple[str, str], str]) -> list[str]:
    """The first cells of a row; what a figure is called stands in the index."""
    own = {**row, **{name.removeprefix("after_"): row[name] for name in row if name.startswith("after_")}}
    if "figure" in labels:
        own["figure"] = figures[own["coefficient"], own["variant"]]
    return [in_latex(str(own[name])) for name in labels]


def in_latex(text: str) -> str:
    """Text with LaTeX's special characters written out."""
    return "".join(LATEX.get(character, character) for character in text)


def table_rows(report: Row, table: Row) -> list[Row]:
    """The rows of a report that stand in a LaTeX table, in its order."""
    rows: list[Row] = report["results"]
    if table["rows"] == "systems":
        return list(report["tables"]["systems"]["means"])
    if table["rows"] == "before-after":
        after = {headline_key(row): row for row in rows}
        return [
            {
                **{f"before_{name}": value for name, value in row.items()},
                **{f"after_{name}": value for name, value in after[headline_key(row)].items()},
            }
            for row in report["tables"]["before"]
            if headline_key(row) in after
        ]
    wanted = {name: set(values) for name, values in table["only"].items()}
    rows = [row for row in rows if all(row[name] in values for name, values in wanted.items())]
    return [row for row in rows if not str(row.get("variant", "")).startswith("rater:")]


def headline_key(row: Row) -> tuple[str, str, str]:
    """A figure, whatever number of ratings its ICC is for."""
    variant = "" if row["coefficient"].startswith("icc") else row["variant"]
    return row["criterion"], row["coefficient"], variant


def printed(cell: str) -> float | None:
    """A number of a LaTeX table; a dash is none."""
    return None if cell == "--" else float(cell.replace("$-$", "-"))


def half_of_last_digit(cell: str) -> float:
    """What rounding to the printed digits may take away, however large the number is."""
    digits = cell.partition(".")[2]
    return 0.5 * 10.0 ** -len(digits) * (1 + TOLERANCE) if digits else 0.0


def check_wide(bundle: Bundle, check: Check) -> None:
    """Means and numbers of the wide table."""
    wide = read_table(bundle.folder / "data" / "ratings_wide.csv")
    rows = bundle.ratings[~bundle.ratings["excluded"] & bundle.ratings["value"].notna()]
    if not bundle.facts["include_late"]:
        rows = rows[~rows["late"]]
    key = ["item", "form", "form_version", "criterion"]
    means = rows.groupby(key)["value"].agg(["mean", "count"]).to_dict("index")
    likert = criteria_on_scales(bundle.facts)
    wide = wide[[pair in likert for pair in zip(wide["form"], wide["criterion"], strict=True)]]
    stored = zip(*(wide[name] for name in (*key, "n_ratings", "mean")), strict=True)
    for item, form, version, criterion, n, mean in stored:
        found = means.get((item, form, int(version), criterion), {"mean": math.nan, "count": 0})
        check.same(f"{item} {criterion} n_ratings", int(n), int(found["count"]))
        check.near(f"{item} {criterion} mean", float(mean) if mean else None, float(found["mean"]))


def check_sums(folder: Path) -> Check:
    """The files are those of the bundle, and no others."""
    check = Check("SHA256SUMS")
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    for name, digest in listed.items():
        again = hashlib.sha256(there[name].read_bytes()).hexdigest() if name in there else "no such file"
        check.same(name, digest, again)
    check.same("files that are not listed", [], sorted(there.keys() - listed.keys() - {"SHA256SUMS"}))
    return check


def checked(name: str, compare: Callable[[Check], None]) -> Check:
    """What came of a comparison; a file that is not made as it should be is a difference."""
    check = Check(name)
    try:
        compare(check)
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as problem:
        check.wrong.append(f"it is not made as a bundle's are: {type(problem).__name__} {problem}")
    return check


def check_report(bundle: Bundle, report: Row, check: Check) -> None:
    """A report; nothing is computed of one whose kind is not known."""
    kind = report.get("kind", "none")
    if kind in CHECKS:
        CHECKS[kind](bundle, report, check)
    else:
        check.leave(f"a report of kind {kind}", [report.get("results"), report.get("tables")])


def checks_of(folder: Path) -> Iterator[Check]:
    """Every check of a bundle, as it is done."""
    yield check_sums(folder)
    bundle = Bundle.read(folder)
    yield checked("data/ratings_wide.csv", partial(check_wide, bundle))
    reports = {}
    for path in sorted((folder / "reports").glob("*.json")):
        reports[path.stem] = json.loads(path.read_text(encoding="utf-8"))
        yield checked(f"reports/{path.name}", partial(check_report, bundle, reports[path.stem]))
    for table in json.loads((folder / "tables" / "index.json").read_text(encoding="utf-8")):
        yield checked(f"tables/{table['file']}", partial(check_latex, folder, reports, table))


def main(arguments: Sequence[str]) -> int:
    """Print each file, the numbers compared in it, the greatest difference and what is wrong."""
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parent
    if not (folder / "study.json").is_file():
        print(f"{folder} is no bundle: it has no study.json. Say which folder the archive was unpacked to.")
        return 2
    print(f"{'file':<44} {'numbers':>9} {'equal':>9} {'furthest':>10}")
    wrong = left = 0
    for check in checks_of(folder):
        equal = max(0, check.compared - len(check.wrong))
        print(f"{check.name:<44} {check.compared:>9} {equal:>9} {check.furthest:>10.1e}", flush=True)
        for line in check.wrong[:20]:
            print(f"    {line}")
        if check.left:
            what = ", ".join(f"{number} of {name}" for name, number in sorted(check.left.items()))
            print(f"    not recomputed: {what}")
        wrong, left = wrong + len(check.wrong), left + sum(check.left.values())
    every = "Every number that was recomputed" if left else "Every number"
    print(f"{every} is the same." if not wrong else f"{wrong} numbers differ.")
    if left:
        print(f"{left} numbers were not recomputed.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
