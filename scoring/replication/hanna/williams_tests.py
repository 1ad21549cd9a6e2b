"""HANNA's Williams tests between metrics."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from scoring.replication.hanna.correlations import CODES, Correlations, plain
from scoring.replication.hanna.data import CRITERIA, HannaData
from scoring.replication.hanna.levels import LEVELS
from scoring.replication.sheet import Sheet
from scoring.stats.metrics.comparing.williams import WilliamsTest, williams

AGAINST_SOURCE = "derived: Williams vs BLEU / ROUGE-1 (Pearson)"
AGAINST = ("BLEU", "ROUGE-1 Recall")
COMPARED = (
    "METEOR",
    "chrF",
    "ROUGE-WE-3 Recall",
    "BERTScore Recall",
    "MoverScore",
    "DepthScore",
    "BaryScore-W",
    "S3-Pyramid",
    "SUPERT-PS",
    "BARTScore-SH",
)
DRAWN = "the paper prints p in Figs 27 to 38, as heat maps whose numbers cannot be read"
NOT_READ = "printed by the authors' notebook; the printed figure is not at hand"
NOTEBOOK = {
    ("Relevance", "BERTScore F1", "ROUGE-1 Recall"): {"p": "0.1829108619"},
    ("Empathy", "BERTScore F1", "BLEU"): {"t": "2.0002003991"},
}


def add_tests(sheet: Sheet, data: HannaData, found: Correlations) -> None:
    """Williams's test among the three best metrics, and of some metrics against BLEU and ROUGE-1.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HannaData
        Names of the metrics.
    found : dict
        Correlations among all columns, by level and coefficient.
    """
    tester = _Tester(data, found)
    for level in LEVELS:
        for position, criterion in enumerate(CRITERIA):
            _add_best_three(sheet, tester, level, position)
            pairs = [(AGAINST[0], AGAINST[1]), *((first, other) for first in AGAINST for other in COMPARED)]
            for pair in pairs:
                test = tester.test(level, position, pair)
                cell = (AGAINST_SOURCE, f"{level} {criterion}", f"{tester.named(pair)} p")
                sheet.add(cell, test.p, "williams", note=test.reason or DRAWN)
    for (criterion, *names), printed in NOTEBOOK.items():
        test = tester.test("system", list(CRITERIA).index(criterion), (names[0], names[1]))
        for letter, value in (("t", test.t), ("p", test.p)):
            cell = (
                "authors' notebook (Williams)",
                criterion,
                f"{tester.named((names[0], names[1]))} {letter}",
            )
            note = test.reason or ("" if letter in printed else NOT_READ)
            sheet.add(cell, value, "williams", printed.get(letter), note)


def _add_best_three(sheet: Sheet, tester: _Tester, level: str, position: int) -> None:
    for pair in combinations(tester.best(level, position, 3), 2):
        test = tester.test(level, position, pair)
        cell = ("derived: Williams, top-3 (Pearson)", f"{level} {CODES[position]}")
        for letter, value, drawn in (("t", test.t, ""), ("p", test.p, DRAWN)):
            column = f"{tester.named(pair)} {letter}"
            sheet.add((*cell, column), value, "williams", note=test.reason or drawn)


class _Tester:
    """Williams's test of two metrics by name, from the Pearson correlations."""

    def __init__(self, data: HannaData, found: Correlations) -> None:
        self._metrics = data.metrics
        self._names = [plain(metric) for metric in data.metrics]
        self._found = found
        self._n = {"story": data.machines.shape[0], "system": data.machines.shape[1]}

    def best(self, level: str, position: int, number: int) -> list[str]:
        strengths = np.abs(self._found[level, "pearson"][len(CODES) :, position])
        return [self._names[code] for code in np.argsort(-strengths, kind="stable")[:number]]

    def named(self, pair: tuple[str, str]) -> str:
        return " vs ".join(self._metrics[self._names.index(name)] for name in pair)

    def test(self, level: str, position: int, pair: tuple[str, str]) -> WilliamsTest:
        matrix = self._found[level, "pearson"]
        one, other = (len(CODES) + self._names.index(name) for name in pair)
        return williams(
            float(matrix[one, position]),
            float(matrix[other, position]),
            float(matrix[one, other]),
            self._n[level],
            "paper",
        )
