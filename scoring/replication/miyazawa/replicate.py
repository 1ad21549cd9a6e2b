"""All tables of Miyazawa & Miyao (IWCS 2017) from the published votes."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from scoring.replication.linearised import Agreement
from scoring.replication.miyazawa.data import CRITERIA, GREATEST, OVERALL, MiyazawaData
from scoring.replication.miyazawa.printed import (
    JUDGE,
    JUDGED,
    NORMS,
    NOUNS_AT_THE_ENDS,
    SECTION_5,
    TABLE_5,
    TABLE_6,
    TABLES,
)
from scoring.replication.reliability_cells import TAILS, add_alpha, add_kappa
from scoring.replication.sheet import Sheet
from scoring.stats.agreement.gwet import agreement_weights
from scoring.stats.agreement.variance.anova import coefficient, f_interval, mean_squares
from scoring.stats.base.association import COEFFICIENTS, associations
from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.data.table import Ratings, RatingsTable

SCALE = (0.0, float(GREATEST))
NO_JUDGEMENTS = "the judgements of the volunteer and of the author are not public"
NO_NORMS = "the acceptability norms it is compared with are not public"


def miyazawa_cells(folder: Path) -> Sheet:
    """Recompute the tables, the counts and the means of the heat maps, a cell for every figure.

    Parameters
    ----------
    folder : Path
        Holds `result.csv` and the rankings.

    Raises
    ------
    PublishedFileError
        A file is missing or broken.
    """
    data = MiyazawaData.read(folder)
    sheet = Sheet("miyazawa")
    _add_counts(sheet, data)
    _add_expressions(sheet, data)
    _add_correlations(sheet, data)
    _add_reliability(sheet, data)
    _add_heat_maps(sheet, data)
    for percent, printed in JUDGE:
        cell = ("Sec 5.3", f"top {percent} %", "pairs won by the upper group")
        sheet.add(cell, None, "count", printed, NO_JUDGEMENTS)
    for source, row, column, printed in JUDGED:
        sheet.add((source, row, column), None, "count", printed, NO_JUDGEMENTS)
    for name, printed in NORMS:
        sheet.add(("Sec 5.1", "comprehensibility and acceptability", name), None, "corr", printed, NO_NORMS)
    return sheet


def _add_counts(sheet: Sheet, data: MiyazawaData) -> None:
    votes = data.votes
    sheet.add(("Sec 4", "expressions", "n"), len(data.expressions), "count", "1360")
    sheet.add(("Sec 4", "nouns", "n"), votes["noun"].nunique(), "count", "40")
    sheet.add(("Sec 4", "verbal phrases", "n"), votes["verb"].nunique(), "count", "34")
    questions = len(votes.drop_duplicates(["metric", "noun", "verb"]))
    sheet.add(("Sec 4", "questions", "n"), questions, "count", "4080")
    votes_each = votes.groupby(["metric", "noun", "verb"]).size()
    sheet.add(("Sec 4", "workers per question", "fewest"), int(votes_each.min()), "count", "10")
    sheet.add(("Sec 4", "workers per question", "most"), int(votes_each.max()), "count", "10")
    source = "derived: counts"
    sheet.add((source, "distinct raters", "n"), votes["user_id"].nunique(), "count")
    repeated = int(votes.duplicated(["metric", "noun", "verb", "user_id"]).sum())
    sheet.add((source, "duplicate rater-item-criterion rows", "n"), repeated, "count")
    for criterion in CRITERIA:
        chosen = data.of(criterion)
        per_item, per_rater = np.bincount(chosen["expression"]), chosen["user_id"].value_counts()
        counts: dict[str, float] = {
            "raters": len(per_rater),
            "votes per item min": int(per_item.min()),
            "votes per item max": int(per_item.max()),
            "votes per rater min": int(per_rater.min()),
            "votes per rater max": int(per_rater.max()),
            "votes per rater median": float(per_rater.median()),
        }
        counts |= {f"votes = {vote}": int((chosen["vote"] == vote).sum()) for vote in range(GREATEST + 1)}
        for name, value in counts.items():
            sheet.add((source, criterion, name), value, "count")


def _add_expressions(sheet: Sheet, data: MiyazawaData) -> None:
    for (source, name), rows in TABLES.items():
        definition = "overall" if name == OVERALL else "mean10"
        ranks = data.ranks(name)
        for expression, rank, score in rows:
            code = data.position[expression]
            value = float(data.means[name][code])
            sheet.add((source, expression, f"{name} score"), value, definition, score)
            sheet.add((source, expression, f"{name} rank"), int(ranks[code]), "rank_min", rank)
    overall = data.ranks(OVERALL)
    for expression, rank in TABLE_6:
        cell = ("Table 6", expression, f"{OVERALL} rank")
        sheet.add(cell, int(overall[data.position[expression]]), "rank_min", rank)
    for expression, name, score in SECTION_5:
        value = float(data.means[name][data.position[expression]])
        sheet.add(("Sec 5 text", expression, name), value, "mean10", score)
    _add_nouns_at_the_ends(sheet, data)
    for name, values in data.means.items():
        _add_ties(sheet, name, values, data.ranks(name))


def _add_nouns_at_the_ends(sheet: Sheet, data: MiyazawaData) -> None:
    """How many of the first and last ten in metaphoricity have one noun; ties at the tenth do not matter."""
    best_first = np.argsort(-data.means["metaphoricity"], kind="stable")
    ends = (best_first[:10], best_first[-10:])
    spelling = {code: expression for expression, code in data.position.items()}
    for (end, noun, printed), codes in zip(NOUNS_AT_THE_ENDS, ends, strict=True):
        count = sum(spelling[int(code)].startswith(f"{noun} |") for code in codes)
        sheet.add(("Sec 5 text", f"{end} in metaphoricity", f"with {noun}"), count, "count", printed)


def _add_ties(sheet: Sheet, name: str, values: FloatArray, ranks: IntArray) -> None:
    counts = {
        "distinct values": len(np.unique(values)),
        "items at the maximum": int((values == values.max()).sum()),
        "items at the minimum": int((values == values.min()).sum()),
        "items sharing rank 5": int((ranks == 5).sum()),
    }
    for column, value in counts.items():
        sheet.add(("derived: ties", name, column), value, "count")


def _add_correlations(sheet: Sheet, data: MiyazawaData) -> None:
    means = np.stack([data.means[name] for name in CRITERIA], axis=1)
    matrices = {name: associations(means, means, name) for name in COEFFICIENTS}
    for one, other in combinations(range(len(CRITERIA)), 2):
        pair = (CRITERIA[one], CRITERIA[other])
        sheet.add(("Table 5", *pair), float(matrices["pearson"][one, other]), "corr", TABLE_5[pair])
        for coefficient_name, label in (("spearman", "Spearman"), ("kendall", "Kendall tau-b")):
            cell = ("derived: correlations", pair[0], f"{pair[1]} {label}")
            value = float(matrices["kendall" if coefficient_name == "kendall" else "spearman"][one, other])
            sheet.add(cell, value, "corr")


def _add_reliability(sheet: Sheet, data: MiyazawaData) -> None:
    for criterion in CRITERIA:
        chosen = data.of(criterion)
        long = pd.DataFrame(
            {
                "item": chosen["expression"],
                "rater": chosen["user_id"],
                "criterion": criterion,
                "value": chosen["vote"],
            }
        )
        ratings = RatingsTable.from_frame(long, scales={criterion: SCALE}).criteria[criterion]
        matrix = data.matrix(criterion)
        _add_one_way(sheet, criterion, ratings)
        add_alpha(sheet, criterion, ratings)
        weights = agreement_weights("ordinal", np.arange(GREATEST + 1.0))
        weighted = Agreement.of(matrix, SCALE, weights).alpha().estimate
        sheet.add(("derived: alpha", criterion, "irrCAC ordinal weights"), weighted, "alpha_gwet_ordinal")
        add_kappa(sheet, criterion, matrix, SCALE)


def _add_one_way(sheet: Sheet, criterion: str, ratings: Ratings) -> None:
    squares = mean_squares(ratings)
    source = "derived: ICC one-way"
    for key, name in (("icc1", "ICC(1,1)"), ("icc1k", f"ICC(1,{squares.k})")):
        interval = f_interval(key, squares, TAILS)
        for suffix, value in (("", coefficient(key, squares)), ("_lo", interval.low), ("_hi", interval.high)):
            sheet.add((source, criterion, name + suffix), value, "icc_oneway")
    for name, value in (("MSB", squares.rows), ("MSW", squares.within)):
        sheet.add((source, criterion, name), value, "icc_oneway")


def _add_heat_maps(sheet: Sheet, data: MiyazawaData) -> None:
    for criterion in CRITERIA:
        chosen = data.of(criterion)
        for side in ("noun", "verb"):
            source = f"derived: heat map {side} means (Fig 1/2)"
            for label, value in chosen.groupby(side, sort=False)["vote"].mean().items():
                sheet.add((source, criterion, str(label)), float(value), "group_mean")
