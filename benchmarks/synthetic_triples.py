"""Tables of simile triples of any size, drawn with a seed, in the columns of MAPS-KB."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.csv

ROWS_A_PAIR = 4
SEED = 20230704
IntArray = np.ndarray[Any, np.dtype[np.int64]]


def write_triples(path: Path, rows: int) -> pd.DataFrame:
    """Write so many triples in random order; a pair has up to 7 properties, a few terms are very frequent.

    Parameters
    ----------
    path : Path
        The CSV file.
    rows : int
        Distinct triples.

    Returns
    -------
    DataFrame
        What was written.
    """
    rng = np.random.default_rng(SEED)
    topics, vehicles, properties = (
        _terms(rng, rows // 12, 3),
        _terms(rng, rows // 16, 4),
        _terms(rng, 4000, 1),
    )
    codes = _codes(rng, rows, len(topics), len(vehicles), len(properties))
    table = pd.DataFrame(
        {
            "new_topic": topics[codes[:, 0]],
            "property": properties[codes[:, 2]],
            "new_vehicle": vehicles[codes[:, 1]],
            "count": rng.geometric(0.6, rows),
            "plausibility": np.round(rng.random(rows), 6),
            "typicality_topic": np.round(rng.random(rows), 6),
            "typicality_vehicle": np.round(rng.random(rows), 6),
        }
    )
    options = pyarrow.csv.WriteOptions(quoting_style="none")
    pyarrow.csv.write_csv(pyarrow.Table.from_pandas(table, preserve_index=False), path, options)
    return table


def _zipf(rng: np.random.Generator, kinds: int, draws: int) -> IntArray:
    """Codes, the first the most frequent: rank r with a share of about 1 / (r + 20)."""
    weights = 1 / (np.arange(kinds) + 20)
    return np.searchsorted(np.cumsum(weights / weights.sum()), rng.random(draws)).clip(max=kinds - 1)


def _codes(rng: np.random.Generator, rows: int, topics: int, vehicles: int, properties: int) -> IntArray:
    """So many different triples of codes, in random order."""
    codes = np.empty((0, 3), dtype=np.int64)
    while len(codes) < rows:
        pairs = rows // ROWS_A_PAIR
        drawn = np.stack([_zipf(rng, topics, pairs), _zipf(rng, vehicles, pairs)], axis=1)
        repeated = np.repeat(drawn, rng.integers(1, 2 * ROWS_A_PAIR, pairs), axis=0)
        fresh = np.column_stack([repeated, _zipf(rng, properties, len(repeated))])
        codes = np.unique(np.concatenate([codes, fresh]), axis=0)
    return codes[rng.permutation(len(codes))[:rows]]


def _terms(rng: np.random.Generator, number: int, most_words: int) -> np.ndarray[Any, np.dtype[np.object_]]:
    """Distinct terms of one to so many invented words."""
    syllables = [f"{one}{two}" for one in "bcdfghklmnprstvz" for two in "aeiou"]
    words = np.array(["".join(rng.choice(syllables, rng.integers(2, 5))) for _ in range(6000)])
    lengths = rng.integers(1, most_words + 1, 3 * number + 100)
    drawn = rng.choice(words, (len(lengths), most_words))
    terms = dict.fromkeys(" ".join(row[:length]) for row, length in zip(drawn, lengths, strict=True))
    return np.array(list(terms)[:number], dtype=object)
