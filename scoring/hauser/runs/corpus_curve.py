"""How well metrics follow human ratings as the corpus that they refer to grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.hauser.base.parts import Extraction
from scoring.hauser.base.scores import Score
from scoring.hauser.knowledge.corpus_sample import Urn
from scoring.hauser.knowledge.lookup import KnowledgeBase, Reference
from scoring.hauser.metrics.creativity import creativity
from scoring.hauser.metrics.normalisation import normalise
from scoring.hauser.metrics.relevance import relevance
from scoring.hauser.runs.weights import CONSTANT, FEWEST, TOO_FEW
from scoring.stats.base.association import Coefficient, associations
from scoring.stats.base.resampling import FloatArray

# Footnote 12 of He et al. (2023).
FEWEST_SAMPLES = 3
SMALLEST = 10
COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman")
# What is correlated, and with which ratings. Relevance is the normalised one.
CRITERIA: Mapping[str, str] = {"quality": "quality", "relevance": "quality", "creativity": "creativity"}
Beat = Callable[[int, int], object]


@dataclass(frozen=True)
class Candidate:
    """A candidate of a run, with its ratings."""

    group: str  # Group within which relevance is normalised; empty for none
    components: Extraction  # Their pairs and vehicles are looked up
    # Sum of the weighted parts of quality other than relevance; None where one is missing
    other_parts: float | None
    # Mean rating by criterion; empty for a candidate that only counts in its group
    human: Mapping[str, float]


@dataclass(frozen=True)
class Point:
    """A correlation at one size of the corpus."""

    metric: str
    criterion: str
    coefficient: Coefficient
    size: int  # Similes in the corpus
    # One correlation per sample; None where the scores are constant. The whole corpus is one sample.
    values: tuple[float | None, ...]
    n_items: int  # Candidates with a score and a rating
    # Why there is no mean: `too_few_items`; `constant_scores` where fewer than three samples, or not
    # the whole corpus, have a correlation
    reason: str

    @property
    def known(self) -> list[float]:
        """The correlations that there are; none where there is a reason."""
        return [] if self.reason else [value for value in self.values if value is not None]


def sizes_up_to(total: int) -> list[int]:
    """10, 30, 100, 300 and so on below the size of a corpus, and that size itself."""
    sizes = []
    step = SMALLEST
    while step < total:
        sizes += [size for size in (step, 3 * step) if size < total]
        step *= 10
    return [*sizes, total] if total else []


def corpus_curve(
    candidates: Sequence[Candidate],
    base: KnowledgeBase,
    *,
    weight: float,
    samples: int,
    seed: int,
    beat: Beat = lambda _done, _total: None,
) -> list[Point]:
    """Correlations of quality, relevance and creativity with mean ratings, over the size of the corpus.

    Parameters
    ----------
    candidates : sequence of Candidate
        Whole groups.
    base : KnowledgeBase
        The corpus that samples are drawn from.
    weight : float
        Weight of normalised relevance in quality.
    samples : int
        Samples of each size, 3 or more.
    seed : int
        Each sample's draws follow from it, the size and the sample's number.
    beat : callable
        Called as `beat(done, total)` after each sample.

    Raises
    ------
    MetricError
        `base_too_large`.

    Notes
    -----
    He et al. (2023), sections 4.2.1 and 4.2.2, Figure 4 (right) and Figure 6 (left). Relevance follows
    eq. (3) in a base without plausibilities, as there, and eq. (2) in one with. The other parts of quality
    do not depend on the corpus.
    """
    urn = Urn(base, (one.components for one in candidates))
    groups = _groups(candidates)
    sizes = sizes_up_to(urn.total)
    points = []
    for position, size in enumerate(sizes):
        scores: dict[str, list[FloatArray]] = {metric: [] for metric in CRITERIA}
        for sample in range(1 if size == urn.total else samples):
            beat(position * samples + sample, len(sizes) * samples)
            random = np.random.default_rng([seed, size, sample])
            found = _scores(candidates, groups, urn.draw(size, random), weight)
            for metric, values in found.items():
                scores[metric].append(values)
        points += _points_of(size, scores, candidates)
    return sorted(points, key=lambda point: (list(CRITERIA).index(point.metric), point.coefficient))


def _points_of(
    size: int, scores: Mapping[str, Sequence[FloatArray]], candidates: Sequence[Candidate]
) -> list[Point]:
    """The points of one size: every metric against the ratings of its criterion."""
    points = []
    for metric, criterion in CRITERIA.items():
        human = np.array([one.human.get(criterion, np.nan) for one in candidates])
        samples = np.stack(scores[metric], axis=1)
        points += [_point(metric, coefficient, size, samples, human) for coefficient in COEFFICIENTS]
    return points


def _groups(candidates: Sequence[Candidate]) -> list[list[int]]:
    members: dict[str, list[int]] = {}
    for position, one in enumerate(candidates):
        if one.group:
            members.setdefault(one.group, []).append(position)
    return list(members.values())


def _scores(
    candidates: Sequence[Candidate], groups: Sequence[Sequence[int]], base: Reference, weight: float
) -> dict[str, FloatArray]:
    """Each metric of each candidate; NaN where there is none."""
    raw: list[Score] = [relevance(one.components, base) for one in candidates]
    relevant = np.full(len(candidates), np.nan)
    for positions in groups:
        for position, one in zip(
            positions, normalise([raw[position] for position in positions]), strict=True
        ):
            relevant[position] = _number(one.value)
    other_parts = np.array([_number(one.other_parts) for one in candidates])
    return {
        "quality": weight * relevant + other_parts,
        "relevance": relevant,
        "creativity": np.array([_number(creativity(one.components, base).value) for one in candidates]),
    }


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def _point(metric: str, coefficient: Coefficient, size: int, scores: FloatArray, human: FloatArray) -> Point:
    """One point of the curve; `scores` has shape (candidates, samples)."""
    # Whether a candidate has a score depends on its components, which are the same in all samples.
    both = np.isfinite(scores[:, 0]) & np.isfinite(human)
    n, number = int(both.sum()), scores.shape[1]
    if n < FEWEST:
        return Point(metric, CRITERIA[metric], coefficient, size, (None,) * number, n, TOO_FEW)
    found = associations(scores[both], human[both][:, None], coefficient)[:, 0]
    values = tuple(None if np.isnan(value) else float(value) for value in found)
    enough = sum(value is not None for value in values) >= min(FEWEST_SAMPLES, number)
    return Point(metric, CRITERIA[metric], coefficient, size, values, n, "" if enough else CONSTANT)
