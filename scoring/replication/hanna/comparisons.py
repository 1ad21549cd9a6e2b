"""HANNA's Figures 7, 8 and 26: systems that a metric distinguishes, among all and among the best."""

from __future__ import annotations

import numpy as np

from scoring.replication.hanna.data import CRITERIA, HUMAN, HannaData
from scoring.replication.sheet import Sheet
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.comparing.discrimination import discriminative_power
from scoring.stats.metrics.comparing.systems import top_k_curve

RESAMPLING = Resampling(replicates=1000, seed=2022)
FEWEST = 4
DRAWN = "bootstrap of {} replicates, seed {}; the printed heat map is not legible"


def add_comparisons(sheet: Sheet, data: HannaData) -> None:
    """Add weighted F1 of the metrics' labels of system pairs, and correlations over the k best systems.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HannaData
        Mean ratings and metric scores.
    """
    items = machine_items(data)
    note = DRAWN.format(RESAMPLING.replicates, RESAMPLING.seed)
    for found in discriminative_power(items, RESAMPLING):
        cell = ("Figs 7, 26 (weighted F1, %)", found.criterion, found.metric)
        sheet.add(cell, 100 * found.f1, "pair_f1", note=note)
    for best in top_k_curve(items, "pearson", FEWEST):
        row = f"{best.criterion}, {best.k} best"
        sheet.add(("Fig 8 (system pearson, %)", row, best.metric), 100 * abs(best.estimate), "top_k")


def machine_items(data: HannaData) -> MeasuredItems:
    """The stories of the ten generators for the library's own figures; groups are prompts.

    Parameters
    ----------
    data : HannaData
        Mean ratings and metric scores.

    Returns
    -------
    MeasuredItems
        Groups are prompts; criteria by their codes.
    """
    prompts, systems, columns = data.machines.shape
    values = data.machines.reshape(prompts * systems, columns)
    names = tuple(system for system in data.systems if system != HUMAN)
    return MeasuredItems(
        items=tuple(f"{prompt}|{name}" for prompt in range(prompts) for name in names),
        group=np.repeat(np.arange(prompts), systems),
        groups=tuple(str(prompt) for prompt in range(prompts)),
        system=np.tile(np.arange(systems), prompts),
        systems=names,
        criteria=tuple(CRITERIA.values()),
        human=values[:, : len(CRITERIA)],
        metrics=data.metrics,
        scores=values[:, len(CRITERIA) :],
    )
