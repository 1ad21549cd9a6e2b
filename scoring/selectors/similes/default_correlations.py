"""How well the scores of the default models follow the published ratings."""

from __future__ import annotations

from pathlib import Path

# Written by `python -m benchmarks.default_scores`.
TABLE = Path(__file__).with_name("default_correlations.csv")
