"""Fit a model of classes to the answers of raters."""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.base.result import ANONYMOUS_RATERS, CONSTANT_RATINGS, NO_OVERLAP, finite_or_none
from scoring.stats.data.coded_rows import LabelArray
from scoring.stats.data.table import Ratings
from scoring.stats.raters.latent_classes.coded_answers import CodedAnswers
from scoring.stats.raters.latent_classes.dawid_skene import DawidSkene
from scoring.stats.raters.latent_classes.mace import Mace
from scoring.stats.raters.latent_classes.search import MOST_ITERATIONS, TOLERANCE, Maximum, best_of, search

ModelName = Literal["dawid_skene", "mace"]
MODELS: dict[ModelName, type[DawidSkene] | type[Mace]] = {"dawid_skene": DawidSkene, "mace": Mace}
SMOOTHING = 1.0
STARTS = 10
NOT_CONVERGED = "not_converged"
# With fewer answers per item, classes can hardly be distinguished from errors of raters.
FEWEST_ANSWERS = 3
STARTS_DISAGREE = "starts_disagree"
LABELS_SWITCHED = "labels_switched"
FEW_ANSWERS = "few_answers"


@dataclass(frozen=True)
class LatentClasses:
    """The result of a fit; every number is NaN where it was not estimated."""

    criterion: str
    model: ModelName
    classes: FloatArray  # Codes of the options that were chosen, shape (classes,)
    items: LabelArray  # Labels of all items
    raters: tuple[str, ...]  # Labels of all raters
    # posterior: Probability of each class of each item given its answers, shape (items, classes); NaN for an
    # item with a single answer
    posterior: FloatArray
    prevalence: FloatArray  # Share of each class, shape (classes,); equal ones by MACE
    # confusion: Probability of each answer given the class, shape (raters, classes, answers)
    confusion: FloatArray
    competence: FloatArray  # MACE: probability that a rater knows the class, shape (raters,)
    n_answers: IntArray  # Number of answers of each rater that were used, shape (raters,)
    log_likelihood: float  # Of the answers, in nats, without smoothing
    iterations: int
    converged: bool
    n_starts: int
    n_at_best: int  # How many searches ended at the maximum that was taken
    cautions: tuple[str, ...]  # `starts_disagree`, `labels_switched`, `few_answers`
    reason: str = ""  # Why nothing was estimated

    @property
    def accuracy(self) -> FloatArray:
        """Probability that a rater chooses the class of a random item, Σ_k π_k θ_kk, shape (raters,)."""
        right = np.diagonal(self.confusion, axis1=1, axis2=2)
        return self._unless_refused(right @ self.prevalence)

    @property
    def chance(self) -> FloatArray:
        """The same if answers were as frequent and did not depend on the class, shape (raters,)."""
        answers = np.einsum("k,rka->ra", self.prevalence, self.confusion)
        return self._unless_refused(answers @ self.prevalence)

    @property
    def worse_than_chance(self) -> BoolArray:
        """Whether a rater is right less often than by chance, shape (raters,)."""
        return np.asarray(self.accuracy < self.chance, dtype=np.bool_)

    @property
    def estimated(self) -> IntArray:
        """Position of the most probable class of each item among `classes`, shape (items,); -1 if unknown."""
        known = np.isfinite(self.posterior).all(axis=1)
        return np.where(known, np.nan_to_num(self.posterior).argmax(axis=1), -1)

    def _unless_refused(self, values: FloatArray) -> FloatArray:
        """NaN where nothing was estimated: without classes, sums over them are 0."""
        return np.full(len(self.raters), math.nan) if self.reason else np.asarray(values, dtype=np.float64)

    def summary(self) -> dict[str, object]:
        """The fit without its arrays as a JSON object."""
        return {
            "criterion": self.criterion,
            "model": self.model,
            "log_likelihood": finite_or_none(self.log_likelihood),
            "iterations": self.iterations,
            "converged": self.converged,
            "n_starts": self.n_starts,
            "n_at_best": self.n_at_best,
            "cautions": list(self.cautions),
            "reason": self.reason,
        }


def fit_classes(
    ratings: Ratings,
    model: ModelName,
    *,
    seed: int = 0,
    smoothing: float = SMOOTHING,
    starts: int = STARTS,
    most_iterations: int = MOST_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> LatentClasses:
    """Estimate the class of each item and the errors of each rater from the answers alone.

    Parameters
    ----------
    ratings : Ratings
        Options of one criterion, `nominal`; answers may be missing.
    model : {"dawid_skene", "mace"}
        What raters do: see `DawidSkene` and `Mace`.
    seed : int
        Of the starts after the first, which begins with the shares of the votes.
    smoothing : float
        Imaginary answers that each distribution is given, spread evenly; above 0.
    starts : int
        Number of searches; the greatest penalised likelihood is taken.
    most_iterations : int
        Number of iterations after which a search gives up.
    tolerance : float
        A search ends once no probability of a class changes by more.

    Returns
    -------
    LatentClasses
        Items with a single answer are left out. Nothing is estimated, and the result has a reason, where
        raters are slots (`anonymous_raters`), no item has two answers (`no_overlap`), only one option was
        chosen (`constant_ratings`) or the best search did not end (`not_converged`).

    Raises
    ------
    ValueError
        `smoothing` is not above 0, or there is no start.

    References
    ----------
    Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm;
    Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), Learning Whom to Trust with MACE.
    """
    if not smoothing > 0 or starts < 1:
        raise ValueError(f"smoothing is {smoothing} and starts is {starts}; both must be above 0")
    used = ratings.pairable()
    classes = np.unique(used.value)
    nothing = _nothing(ratings, model, classes)
    if reason := _refusal(ratings, used, classes):
        return replace(nothing, reason=reason)
    answers = CodedAnswers.of(used, classes)
    chosen = MODELS[model](answers, smoothing)
    limits = {"most": most_iterations, "tolerance": tolerance}
    found = [search(answers, chosen, start, **limits) for start in answers.starts(starts, seed)]  # type: ignore[arg-type]
    best, n_at_best, disagree = best_of(found)
    fitted = replace(
        nothing,
        iterations=best.iterations,
        converged=best.converged,
        n_starts=starts,
        n_at_best=n_at_best,
    )
    if not best.converged:
        return replace(fitted, reason=NOT_CONVERGED)
    cautions = _cautions(used, best, disagree=disagree)
    return _placed(fitted, ratings, used, best, cautions)


def _refusal(ratings: Ratings, used: Ratings, classes: FloatArray) -> str:
    if not ratings.identified:
        return ANONYMOUS_RATERS
    if not used.n_ratings:
        return NO_OVERLAP
    return CONSTANT_RATINGS if len(classes) < 2 else ""


def _nothing(ratings: Ratings, model: ModelName, classes: FloatArray) -> LatentClasses:
    n_raters, k = len(ratings.raters), len(classes)
    return LatentClasses(
        criterion=ratings.criterion,
        model=model,
        classes=classes,
        items=ratings.items,
        raters=ratings.raters,
        posterior=np.full((len(ratings.items), k), math.nan),
        prevalence=np.full(k, math.nan),
        confusion=np.full((n_raters, k, k), math.nan),
        competence=np.full(n_raters, math.nan),
        n_answers=np.zeros(n_raters, dtype=np.int64),
        log_likelihood=math.nan,
        iterations=0,
        converged=False,
        n_starts=0,
        n_at_best=0,
        cautions=(),
    )


def _cautions(used: Ratings, best: Maximum, *, disagree: bool) -> tuple[str, ...]:
    few = float(np.mean(used.sizes < FEWEST_ANSWERS)) > 1 / 2
    found = {
        STARTS_DISAGREE: disagree,
        LABELS_SWITCHED: _is_switched(used, best),
        FEW_ANSWERS: few,
    }
    return tuple(code for code, holds in found.items() if holds)


def _is_switched(used: Ratings, best: Maximum) -> bool:
    """Whether raters choose another option for a class more often than its own, each by their answers."""
    weights = np.bincount(used.rater, minlength=len(used.raters))
    pooled = np.einsum("r,rka->ka", weights / weights.sum(), best.parameters.confusion)
    return bool((pooled.argmax(axis=1) != np.arange(len(pooled))).any())


def _placed(
    fitted: LatentClasses, ratings: Ratings, used: Ratings, best: Maximum, cautions: tuple[str, ...]
) -> LatentClasses:
    """The result with the estimates at the positions of the items and raters that were used."""
    item = np.flatnonzero(ratings.sizes >= 2)
    code = {label: place for place, label in enumerate(ratings.raters)}
    rater = np.array([code[label] for label in used.raters], dtype=np.int64)
    posterior, confusion = fitted.posterior.copy(), fitted.confusion.copy()
    competence, n_answers = fitted.competence.copy(), fitted.n_answers.copy()
    posterior[item] = best.posterior
    confusion[rater] = best.parameters.confusion
    competence[rater] = best.parameters.competence
    n_answers[rater] = np.bincount(used.rater, minlength=len(used.raters))
    return replace(
        fitted,
        posterior=posterior,
        prevalence=best.parameters.prevalence,
        confusion=confusion,
        competence=competence,
        n_answers=n_answers,
        log_likelihood=best.log_likelihood,
        cautions=cautions,
    )
