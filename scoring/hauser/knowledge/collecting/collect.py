"""A knowledge base collected from files of similes, with the probability of each property."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from scoring.hauser.knowledge.collecting.simile_files import simile_files
from scoring.hauser.knowledge.corpus_build import excluded_sentences
from scoring.hauser.knowledge.counting import Triple, comparable
from scoring.hauser.knowledge.file_format import About, KnowledgeBaseError, Origin
from scoring.hauser.knowledge.import_file import Progress, ignore_progress
from scoring.hauser.knowledge.problems import BadRows, in_words
from scoring.hauser.knowledge.sources import identified
from scoring.hauser.knowledge.staging import Staging
from scoring.hauser.knowledge.sums import ROW, RowArray

COLLECTED = "collected"


def collect(
    sources: Sequence[Path],
    target: Path,
    staging: Path,
    *,
    software: str,
    exclude: Path | None = None,
    progress: Progress = ignore_progress,
) -> About:
    """Make a knowledge base from published similes.

    A sentence that several files have counts once; a triple without a sentence counts each time.

    Parameters
    ----------
    sources : sequence of Path
        Files and folders, as `simile_files` finds them.
    target, staging : Path
        The file of the base, and the staging file in which it is built.
    software : str
        Name and version of the collecting program.
    exclude : Path or None
        A text of sentences that are left out, such as those to be scored.
    progress : callable
        Called as `progress(done, total)`, in bytes.

    Returns
    -------
    About
        Its `counted` has `similes`, `repeated`, `excluded`, `without` (sentences without a vehicle) and
        `bad_rows`.

    Raises
    ------
    KnowledgeBaseError
        Those of `simile_files`, `too_many_bad_rows`, `nothing_to_store` and `already_running`: no base is
        created, and an existing one stays unchanged.

    Notes
    -----
    The plausibility of a triple is the share of its property among all uses of its vehicle (`weighed`), so
    that relevance follows eq. (2) of He et al. (2023). MAPS-KB, which the paper uses, estimates it from
    models as well.
    """
    files = simile_files(sources)
    excluded = excluded_sentences(exclude)
    identities = tuple(identified(path) for path, _ in files)
    settings = {
        "plausibility": "share of the property among the uses of the vehicle",
        "excluded_sentences": len(excluded),
        "excluded_sha256": sha256("\n".join(sorted(excluded)).encode()).hexdigest(),
    }
    origin = Origin(COLLECTED, identities, settings, software, has_plausibility=True)
    tally = _Tally(excluded)
    total, done = sum(one.bytes for one in identities), 0
    for (path, reader), identity in zip(files, identities, strict=True):
        bad = BadRows(path.name)
        read = 0
        for simile in reader(bad):
            read += 1
            tally.add(simile.sentence, simile.triples, simile.count)
        bad.refuse_if_too_many(read + bad.total)
        tally.bad.join(bad)
        done += identity.bytes
        progress(done, total)
    if not tally.triples:
        lines = ["no simile could be used", *map(in_words, tally.bad.shown)]
        raise KnowledgeBaseError("nothing_to_store", "\n".join(lines))
    with Staging(staging, origin) as work:
        work.keep(_rows(tally.triples, work), {})
        return work.finish(target, counted={**tally.numbers, "bad_rows": tally.bad.as_state()})


class _Tally:
    """The counts so far."""

    def __init__(self, excluded: frozenset[str]) -> None:
        self._excluded = excluded
        self._seen: set[str] = set()
        self.triples: Counter[Triple] = Counter()
        self.numbers = dict.fromkeys(("similes", "repeated", "excluded", "without"), 0)
        self.bad = BadRows("")

    def add(self, sentence: str, triples: frozenset[Triple], count: int) -> None:
        form = comparable(sentence)
        if not triples:
            self.numbers["without"] += 1
        elif form in self._excluded:
            self.numbers["excluded"] += 1
        elif form and form in self._seen:
            self.numbers["repeated"] += 1
        else:
            self._seen.add(form)
            self.numbers["similes"] += 1
            for triple in triples:
                self.triples[triple] += count


def weighed(triples: Mapping[Triple, int]) -> dict[Triple, float]:
    """The plausibility of each triple: P(property | vehicle), over all uses of the vehicle.

    Parameters
    ----------
    triples : mapping of (str, str, str) to int
        Number of similes by (topic, property, vehicle). A simile that names no property is a use, too.

    Returns
    -------
    dict
        From 0 to 1; those of the distinct properties of a vehicle, the unnamed one among them, sum to 1.
    """
    uses: Counter[str] = Counter()
    shared: Counter[tuple[str, str]] = Counter()
    for (_, known_for, vehicle), n in triples.items():
        uses[vehicle] += n
        shared[vehicle, known_for] += n
    return {triple: shared[triple[2], triple[1]] / uses[triple[2]] for triple in triples}


def _rows(triples: Mapping[Triple, int], work: Staging) -> RowArray:
    plausible = weighed(triples)
    rows = []
    for triple, n in triples.items():
        topic, known_for, vehicle = map(work.term, triple)
        rows.append((vehicle, topic, known_for, n, n * plausible[triple]))
    return np.array(rows, ROW)
