"""HANNA's agreement: Table 3, the authors' notebooks, and derived reliability figures."""

from __future__ import annotations

from scoring.replication.hanna.data import CRITERIA, SCALE, HannaData
from scoring.replication.reliability_cells import TAILS, add_alpha, add_icc, add_kappa
from scoring.replication.sheet import Sheet
from scoring.stats.agreement.variance.anova import MeanSquares, coefficient, f_interval, mean_squares

TABLE_3 = {
    "Relevance": ("0.18", "0.48", "0.65"),
    "Coherence": ("0.10", "0.29", "0.48"),
    "Empathy": ("0.25", "0.34", "0.41"),
    "Surprise": ("0.16", "0.28", "0.37"),
    "Engagement": ("0.34", "0.46", "0.55"),
    "Complexity": ("0.48", "0.56", "0.63"),
}
# One result per criterion of the authors' notebook replaces the worker IDs, which are not public.
NOTEBOOK_ANCHOR = {
    "Relevance": ("ICC2k", 0.483262),
    "Coherence": ("ICC3k", 0.494036),
    "Empathy": ("ICC3k", 0.368469),
    "Surprise": ("ICC3k", 0.33338),
    "Engagement": ("ICC2k", 0.461614),
    "Complexity": ("ICC3", 0.324819),
}
NOTEBOOK = {
    ("Relevance", "ICC2"): "0.2377",
    ("Relevance", "ICC2k"): "0.4833",
    ("Relevance", "ICC2k LB"): "0.18",
    ("Relevance", "ICC2k UB"): "0.66",
    ("Relevance", "ICC2 LB"): "0.07",
    ("Coherence", "ICC2"): "0.1221",
    ("Coherence", "ICC3"): "0.2456",
    ("Coherence", "ICC3k"): "0.4940",
    ("Coherence", "ICC2 LB"): "0.00",
    ("Empathy", "ICC2"): "0.1461",
    ("Empathy", "ICC3"): "0.1628",
    ("Empathy", "ICC3k"): "0.3685",
    ("Empathy", "ICC2k LB"): "0.25",
    ("Empathy", "ICC2k UB"): "0.42",
    ("Surprise", "ICC3"): "0.1429",
    ("Surprise", "ICC3k"): "0.3334",
    ("Surprise", "ICC2 LB"): "0.06",
    ("Surprise", "ICC2 UB"): "0.17",
    ("Engagement", "ICC2k"): "0.4616",
    ("Engagement", "ICC2k LB"): "0.34",
    ("Engagement", "ICC2 LB"): "0.15",
    ("Complexity", "ICC2"): "0.2980",
    ("Complexity", "ICC3"): "0.3248",
    ("Complexity", "ICC2 UB"): "0.36",
}
ONE_WAY_NOTEBOOK = {
    ("Relevance", "ICC1"): "0.137622",
    ("Relevance", "ICC1k"): "0.323755",
    ("Relevance", "F one-way"): "1.47875",
    ("Coherence", "ICC1k"): "-0.184472",
    ("Coherence", "F one-way"): "0.844258",
    ("Empathy", "F one-way"): "1.39349",
    ("Surprise", "ICC1"): "0.051228",
    ("Surprise", "ICC1k"): "0.139400",
    ("Complexity", "ICC1k"): "0.536044",
}
RECOVERED = (
    "worker ids are not public: MSR and the sum of squares within stories come from the ratings, "
    "the residual from one printed figure of the authors' notebook"
)
CUT = "the printed bound is cut, not rounded"


def add_agreement(sheet: Sheet, data: HannaData) -> None:
    """Add Table 3, the notebooks' figures and the derived reliability cells.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HannaData
        The published ratings.
    """
    for criterion in CRITERIA:
        coded, matrix = data.complete(criterion)
        squares = mean_squares(coded)
        _add_worker_columns(sheet, criterion, recovered(criterion, squares))
        one_way = {
            "ICC1": coefficient("icc1", squares),
            "ICC1k": coefficient("icc1k", squares),
            "F one-way": squares.rows / squares.within,
        }
        for name, value in one_way.items():
            cell = ("authors' notebook (COLING branch)", criterion, name)
            sheet.add(cell, value, "icc_oneway", ONE_WAY_NOTEBOOK.get((criterion, name)))
        source = "derived: ICC over rating slots"
        add_icc(sheet, criterion, coded, source, ("icc_oneway", "icc_slot"))
        add_alpha(sheet, criterion, coded)
        add_kappa(sheet, criterion, matrix, SCALE)


def recovered(criterion: str, squares: MeanSquares) -> MeanSquares:
    """Two-way mean squares of the authors' worker columns.

    Parameters
    ----------
    criterion : str
        Its printed anchor figure gives the residual mean square.
    squares : MeanSquares
        Mean squares of the slots; rows and within do not depend on which rater has which slot.

    Returns
    -------
    MeanSquares
        With columns and residual of the workers.
    """
    n, k, within = squares.n, squares.k, squares.within * squares.n * (squares.k - 1)
    name, printed = NOTEBOOK_ANCHOR[criterion]
    if name == "ICC3k":
        error = squares.rows * (1 - printed)
    elif name == "ICC3":
        error = squares.rows * (1 - printed) / (1 + (k - 1) * printed)
    else:
        error = _error_of_average_agreement(squares, within, printed)
    columns = (within - error * (n - 1) * (k - 1)) / (k - 1)
    return MeanSquares(n, k, squares.rows, columns, error, squares.within)


def _error_of_average_agreement(squares: MeanSquares, within: float, printed: float) -> float:
    """MSE from ICC2k = (MSR − MSE)/(MSR + (MSC − MSE)/n), with MSC = within/(k−1) − MSE(n−1)."""
    n, k = squares.n, squares.k
    numerator = squares.rows * (1 - printed) - printed * within / (n * (k - 1))
    return numerator / (1 - printed)


def _add_worker_columns(sheet: Sheet, criterion: str, squares: MeanSquares) -> None:
    single, average = (f_interval(key, squares, TAILS) for key in ("icc2", "icc2k"))
    average_value = coefficient("icc2k", squares)
    bounds = (("LB", average.low), ("ICC2k", average_value), ("UB", average.high))
    for (name, value), printed in zip(bounds, TABLE_3[criterion], strict=True):
        cell = ("Table 3 (worker columns)", criterion, name)
        is_cut = name == "UB" and f"{value:.2f}" != printed
        sheet.add(cell, value, "icc_notebook", printed, f"{RECOVERED}; {CUT}" if is_cut else RECOVERED)
    figures = {
        "ICC2": coefficient("icc2", squares),
        "ICC2k": average_value,
        "ICC3": coefficient("icc3", squares),
        "ICC3k": coefficient("icc3k", squares),
        "ICC2k LB": average.low,
        "ICC2k UB": average.high,
        "ICC2 LB": single.low,
        "ICC2 UB": single.high,
    }
    for name, value in figures.items():
        cell = ("authors' notebook (worker columns)", criterion, name)
        sheet.add(cell, value, "icc_notebook", NOTEBOOK.get((criterion, name)), RECOVERED)
