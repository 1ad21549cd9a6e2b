"""One line under a printed table: how its intervals were computed."""

from __future__ import annotations

from collections.abc import Iterable

from config.distribution import release
from scoring.stats.base.result import DEFINITIONS_VERSION

NO_INTERVAL = "none"


def how_computed(interval_methods: Iterable[str], *, replicates: int, seed: int) -> str:
    """Methods, replicates, seed and software of printed figures.

    Parameters
    ----------
    interval_methods : iterable of str
        Codes of the figures' intervals; those of figures without one are left out.
    replicates : int
        Bootstrap replicates; 0 where no intervals were asked for.
    seed : int
        Seed of the replicates.

    Returns
    -------
    str
        Enough to compute the same figures again from the same data.
    """
    methods = sorted({one for one in interval_methods if one and not one.startswith(NO_INTERVAL)})
    how = f"95% intervals: {', '.join(methods)}" if methods else "no intervals"
    software = f"groundwork {release()}, definitions {DEFINITIONS_VERSION}"
    return f"{how}; {replicates:,} bootstrap replicates, seed {seed}; {software}"
