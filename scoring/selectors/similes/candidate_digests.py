"""Digests of all candidates of a study in few bytes each, and the groups that have changed."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from annotation.models import Study
from scoring.models import ScoredItem, ScoreRun
from scoring.selectors.similes.similes import digest_of, fingerprint, similes

# Before the key of a candidate that belongs to no group; no group is called so.
ALONE = "\0"
DIGEST_BYTES = 32
GROUP_BYTES = 16
RENEWED_EVERY = 1000
Renew = Callable[[], object]


@dataclass(frozen=True)
class CandidateDigests:
    """The candidates of a study in the order of their groups, which is that of the first of each.

    A candidate takes 65 bytes, so that a million can be planned in one process.
    """

    items: NDArray[np.int64]  # Primary keys
    digests: NDArray[np.uint8]  # SHA-256 of each candidate, in rows of 32 bytes
    alone: NDArray[np.bool_]  # Whether a candidate belongs to no group
    starts: NDArray[np.int64]  # Where each group begins

    def whole(self) -> str:
        """A digest of all candidates, whatever their order."""
        return whole_digest(row.tobytes().hex() for row in self.digests)

    def groups(self) -> Iterator[slice]:
        """The rows of each group."""
        bounds = [*self.starts.tolist(), len(self.items)]
        for start, end in pairwise(bounds):
            yield slice(start, end)


def whole_digest(digests: Iterator[str]) -> str:
    """A digest of the digests of all candidates of a run, whatever their order."""
    return hashlib.sha256("".join(sorted(digests)).encode()).hexdigest()


def candidate_digests(study: Study, components: str, renew: Renew) -> CandidateDigests:
    """Read all candidates of a study, each once.

    Parameters
    ----------
    study : Study
        The study.
    components : str
        As of `similes`.
    renew : callable
        Called every thousand candidates, to keep a lease.
    """
    items, digests, groups, alone = array("q"), bytearray(), bytearray(), bytearray()
    for number, (group, simile) in enumerate(similes(study, study.items.all(), components)):
        if number % RENEWED_EVERY == 0:
            renew()
        items.append(int(simile.key))
        digests += bytes.fromhex(digest_of(simile))
        name = group or f"{ALONE}{simile.key}"
        groups += hashlib.blake2b(name.encode(), digest_size=GROUP_BYTES).digest()
        alone.append(not group)
    names = np.frombuffer(bytes(groups), dtype=f"V{GROUP_BYTES}")
    _, first, group_of = np.unique(names, return_index=True, return_inverse=True)
    begins = first[group_of]
    order = np.argsort(begins, kind="stable")
    return CandidateDigests(
        items=np.array(items, dtype=np.int64)[order],
        digests=np.frombuffer(bytes(digests), dtype=np.uint8).reshape(-1, DIGEST_BYTES)[order],
        alone=np.frombuffer(bytes(alone), dtype=bool)[order],
        starts=np.flatnonzero(np.diff(begins[order], prepend=-1)),
    )


def changed_groups(candidates: CandidateDigests, run: ScoreRun, whole: str, renew: Renew) -> Iterator[slice]:
    """The rows of each group that the run has no scores of, or scores of something else.

    Parameters
    ----------
    candidates : CandidateDigests
        All candidates of the study.
    run : ScoreRun
        The run that may have scores.
    whole : str
        Part of the fingerprints that covers the whole run.
    renew : callable
        As of `candidate_digests`.
    """
    known = _known_prints(candidates, run)
    for number, rows in enumerate(candidates.groups()):
        if number % RENEWED_EVERY == 0:
            renew()
        own = candidates.digests[rows]
        members = [
            (str(item), digest.tobytes().hex())
            for item, digest in zip(candidates.items[rows].tolist(), own, strict=True)
        ]
        print_ = fingerprint(members, run.key, whole, belongs=not candidates.alone[rows.start])
        if known is None or (known[rows] != np.frombuffer(bytes.fromhex(print_), dtype=np.uint8)).any():
            yield rows


def _known_prints(candidates: CandidateDigests, run: ScoreRun) -> NDArray[np.uint8] | None:
    """The stored fingerprint of each candidate, zeros where none is; None where the run has none."""
    stored = ScoredItem.objects.filter(run=run).order_by("item_id")
    items, prints = array("q"), bytearray()
    for item, print_ in stored.values_list("item_id", "fingerprint").iterator():
        items.append(item)
        prints += bytes.fromhex(print_)
    if not items:
        return None
    rows = np.frombuffer(bytes(prints), dtype=np.uint8).reshape(-1, DIGEST_BYTES)
    places = np.searchsorted(items, candidates.items)
    found = np.array(items, dtype=np.int64)[np.minimum(places, len(items) - 1)] == candidates.items
    known = np.zeros_like(candidates.digests)
    known[found] = rows[places[found]]
    return known
