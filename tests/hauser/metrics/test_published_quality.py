"""Quality by the product's own code on the published columns: Pearson's r in Table 3 and its ablations.

Spearman's ρ hangs on ties that rounding makes or breaks; the replication says so cell by cell.
"""

from __future__ import annotations

import numpy as np
import pytest

from scoring.hauser.base.scores import Score
from scoring.hauser.metrics.quality import BEST, Weights, quality
from scoring.replication.hauser.data import HauserData
from scoring.stats.base.association import associations

COLUMNS = {"relevance": "relevance_KB", "logic": "consistency_mnli", "sentiment": "consistency_emo"}


@pytest.fixture(scope="module")
def data(published_data):
    return HauserData.read(published_data / "hauser")


@pytest.mark.published_data
@pytest.mark.parametrize(
    ("weights", "printed"),
    [
        (BEST, 0.320),
        (Weights(0, 2 / 6, 1 / 6), 0.206),
        (Weights(3 / 6, 0, 1 / 6), 0.259),
        (Weights(3 / 6, 2 / 6, 0), 0.307),
    ],
)
def test_the_printed_correlations_come_out(data, weights, printed):
    columns = {part: data.metric(column) for part, column in COLUMNS.items()}
    found = [
        quality({part: Score(value=float(column[row])) for part, column in columns.items()}, weights).value
        for row in range(len(data.table))
    ]
    scores, human = np.array(found, dtype=np.float64)[:, None], data.mean("Quality")[:, None]
    assert associations(scores, human, "pearson")[0, 0] == pytest.approx(printed, abs=0.0005)
    of_replication = data.quality(weights.relevance, weights.logic, weights.sentiment)
    np.testing.assert_allclose(scores[:, 0], of_replication, atol=1e-12)
