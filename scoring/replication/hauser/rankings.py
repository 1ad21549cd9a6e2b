"""HAUSER's recommendation task: Tables 4 and 7, with both rules for ties."""

from __future__ import annotations

import numpy as np

from scoring.replication.hauser.correlations import BEST, NO_COLUMN
from scoring.replication.hauser.data import METRICS, HauserData
from scoring.replication.sheet import Sheet
from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.metrics.ranking import MINIMUM_SIZE, Ties, hit_ratio, ndcg, reciprocal_rank

COLUMNS = ("HR@1", "HR@3", "nDCG@1", "nDCG@3", "MRR")
EXPECTED = "derived: tie-averaged re-ranking"

TABLE_4 = {
    "BLEU1": ("0.429", "0.857", "0.893", "0.945", "0.662"),
    "BLEU2": ("0.314", "0.838", "0.892", "0.936", "0.600"),
    "BLEU3": ("0.286", "0.838", "0.859", "0.924", "0.648"),
    "BLEU4": ("0.286", "0.838", "0.882", "0.929", "0.581"),
    "rouge1": ("0.400", "0.848", "0.907", "0.941", "0.655"),
    "rouge2": ("0.400", "0.848", "0.905", "0.937", "0.650"),
    "rougeL": ("0.429", "0.848", "0.901", "0.937", "0.670"),
    "meteor": ("0.286", "0.857", "0.884", "0.936", "0.589"),
    "BERTS_base": ("0.314", "0.829", "0.870", "0.934", "0.585"),
    "BERTS_large": ("0.257", "0.838", "0.895", "0.939", "0.570"),
    "fluency": ("0.257", "0.810", "0.898", "0.940", "0.549"),
}
QUALITY_ROW = ("0.457", "0.848", "0.915", "0.937", "0.688")
QUALITY_NOTE = "the printed row is that of relevance_KB alone, see next row"
TABLE_7 = {
    "Self-BLEU3": ("0.257", "0.771", "0.765", "0.892", "0.520"),
    "Self-BLEU4": ("0.257", "0.762", "0.756", "0.889", "0.518"),
    "Self-BLEU5": ("0.229", "0.762", "0.751", "0.882", "0.504"),
    "Dist1": ("0.486", "0.800", "0.862", "0.927", "0.671"),
    "Dist2": ("0.571", "0.810", "0.893", "0.939", "0.737"),
    "Dist3": ("0.543", "0.838", "0.877", "0.938", "0.725"),
    "Creativity": ("0.629", "0.914", "0.944", "0.976", "0.784"),
}
PERPLEXITY_ROW = ("0.314", "0.800", "0.800", "0.903", "0.566")


def add_rankings(sheet: Sheet, data: HauserData) -> None:
    """Add Tables 4 and 7 with ties in file order, and the same averaged over all tie-breakings.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HauserData
        The published ratings and metric columns.
    """
    human = data.mean("Quality")
    mix, relevance = data.quality(*BEST), data.metric("relevance_KB")
    for name in METRICS:
        _add_row(sheet, ("Table 4", name), (data.metric(name), human, data.group), TABLE_4[name])
    row = ("Table 4", "Quality (full mix as defined)")
    _add_row(sheet, row, (mix, human, data.group), QUALITY_ROW, QUALITY_NOTE)
    row = ("Table 4", "Quality row = relevance_KB alone")
    _add_row(sheet, row, (relevance, human, data.group), QUALITY_ROW)
    averaged = {name: data.metric(name) for name in METRICS} | {"relevance_KB": relevance, "Quality mix": mix}
    for name, metric in averaged.items():
        values = measures(metric, human, data.group, "expected")
        for column, value in zip(COLUMNS, values, strict=True):
            sheet.add((EXPECTED, name, column), value, "rerank_expected")
    columns = (data.metric("fluency"), data.mean("Creativity"), data.group)
    _add_row(sheet, ("Table 7", "Perplexity (fluency column)"), columns, PERPLEXITY_ROW)
    for name, printed in TABLE_7.items():
        for column, figure in zip(COLUMNS, printed, strict=True):
            sheet.add(("Table 7", name, column), None, "rerank_stable", figure, NO_COLUMN)


def measures(metric: FloatArray, human: FloatArray, group: IntArray, ties: Ties) -> tuple[float, ...]:
    """The five measures of the recommendation task.

    Parameters
    ----------
    metric, human : ndarray, shape (candidates,)
        Scores and mean ratings.
    group : ndarray, shape (candidates,)
        Literal sentence of each candidate.
    ties : str
        `stable` or `expected`.

    Returns
    -------
    tuple of float
        HR@1, HR@3, nDCG@1, nDCG@3 and MRR as HAUSER reads it, over the sentences with at least three
        candidates.
    """
    return (
        hit_ratio(metric, human, group, 1, ties).value,
        hit_ratio(metric, human, group, 3, ties).value,
        ndcg(metric, human, group, 1, ties).value,
        ndcg(metric, human, group, 3, ties).value,
        reciprocal_rank(metric, human, group, ties, reading="human").value,
    )


def add_counts(sheet: Sheet, data: HauserData) -> None:
    """Add the numbers of candidates and sentences that the text states.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HauserData
        The published ratings.
    """
    sizes = np.bincount(data.group)
    rankable = sizes[sizes >= MINIMUM_SIZE]
    counts = (
        ("Sec 4.1.2", "candidates", len(data.table), "150"),
        ("Sec 4.1.2", "literal sentences", len(sizes), "44"),
        ("Sec 4.2.1", "sentences with >=3", len(rankable), "35"),
        ("Sec 4.2.1", "candidates in them", int(rankable.sum()), "134"),
    )
    for source, row, value, printed in counts:
        sheet.add((source, row, "n"), value, "count", printed)


def _add_row(
    sheet: Sheet,
    cell: tuple[str, str],
    columns: tuple[FloatArray, FloatArray, IntArray],
    printed: tuple[str, ...],
    note: str = "",
) -> None:
    for column, value, figure in zip(COLUMNS, measures(*columns, "stable"), printed, strict=True):
        sheet.add((*cell, column), value, "rerank_stable", figure, note)
