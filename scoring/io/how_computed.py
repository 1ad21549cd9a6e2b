"""One line under a printed table: how its intervals were computed."""

from __future__ import annotations

from collections.abc import Iterable

from config.distribution import release
from scoring.stats.base.result import DEFINITIONS_VERSION

NO_INTERVAL = "none"


def how_computed(interval_methods: Iterable[str], *, replicates: int, seed: int) -> str:
    """Methods, bootstrap samples, seed and software of printed results.

    Parameters
    ----------
    interval_methods : iterable of str
        Codes of the figures' intervals; results without an interval are ignored.
    replicates : int
        Number of bootstrap samples; 0 for no intervals.
    seed : int
        Seed of the bootstrap samples.

    Returns
    -------
    str
        Enough to compute the same figures again from the same data.
    """
    methods = sorted({one for one in interval_methods if one and not one.startswith(NO_INTERVAL)})
    how = f"95% CI: {', '.join(methods)}" if methods else "no confidence intervals"
    software = f"groundwork {release()}, definitions {DEFINITIONS_VERSION}"
    return f"{how}; {replicates:,} bootstrap samples, seed {seed}; {software}"
