"""Classes of items and errors of raters, estimated for a question with options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.kind import Yields
from annotation.models import Study
from annotation.selectors.questions.shown_options import WITH_OPTIONS
from scoring.services.choices.answers import asked_criteria
from scoring.services.choices.options import ChoicePart, choice_part
from scoring.stats.choices.nominal import coded_options
from scoring.stats.data.table import Ratings
from scoring.stats.raters.latent_classes.fit import LatentClasses, ModelName, fit_classes

# Answers times options: the page computes while it is asked for.
MOST_CELLS = 60_000


@dataclass(frozen=True)
class EstimatedClasses:
    """A fit to the answers to one question.

    Parameters
    ----------
    ratings
        The answers, coded by the place of the option.
    options
        Values of the options.
    labels
        What raters read, by value.
    found
        The fit.
    """

    ratings: Ratings
    options: tuple[str, ...]
    labels: Mapping[str, str]
    found: LatentClasses

    @property
    def classes(self) -> list[str]:
        """Values of the options that are classes of the fit."""
        return [self.options[int(code)] for code in self.found.classes]


@dataclass(frozen=True)
class ClassQuestions:
    """The questions with one option an answer that have answers which count.

    Where each item has options of its own, they are no classes.
    """

    study: Study
    part: ChoicePart | None

    @property
    def names(self) -> list[str]:
        """Names of the questions, in the order of the form."""
        if self.part is None:
            return []
        asked = {name: self.part.asked[name] for name, _ in self.part.by_question()}
        return [name for name, one in asked.items() if one.kind.yields is Yields.LABEL and not one.differs]

    def estimate(self, name: str, model: ModelName) -> EstimatedClasses:
        """Fit a model to the answers to one question.

        Parameters
        ----------
        name : str
            One of `names`.
        model : {"dawid_skene", "mace"}
            Which model.

        Returns
        -------
        EstimatedClasses
            The seed of the starts comes from the answers.

        Raises
        ------
        NotAllowedNow
            Answers times options are more than 60,000 (`too_many_ratings`).
        """
        if self.part is None:
            raise ValueError(f"{name} has no answers; ask for one of `names`")
        asked = self.part.asked[name]
        rows = self.part.answers[self.part.answers["name"] == name]
        if len(rows) * len(asked.options) > MOST_CELLS:
            raise NotAllowedNow(
                message(
                    "With more than %(most)s answers times options, classes are not estimated here.",
                    most=MOST_CELLS,
                ),
                code="too_many_ratings",
            )
        ratings = coded_options(rows, name, asked.options, self.study.identified)
        found = fit_classes(ratings, model, seed=int(self.part.fingerprint[:8], 16))
        return EstimatedClasses(ratings, asked.options, self._labels(name), found)

    def _labels(self, name: str) -> dict[str, str]:
        if self.part is None:
            return {}
        rows = self.part.answers[self.part.answers["name"] == name]
        return {
            point.value: point.label
            for _, criterion in asked_criteria(self.study, rows, WITH_OPTIONS)
            for point in criterion.points.all()
        }


def class_questions(study: Study) -> ClassQuestions:
    """The questions for which classes can be estimated.

    Parameters
    ----------
    study : Study
        Study of the answers: those that count, of the newest version of each form that was answered.
    """
    return ClassQuestions(study, choice_part(study, pool_versions=False))
