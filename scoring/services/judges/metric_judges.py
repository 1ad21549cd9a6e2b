"""Judges whose answers are the stored scores of a metric."""

from __future__ import annotations

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.kind import Answer
from annotation.models import Criterion, Study, User
from scoring.models import Judge, Score, ScoreRun
from scoring.selectors.data.directions import directions_of
from scoring.selectors.judges.criteria import criteria_by_name
from scoring.services.judges.judge_storing import Judged, JudgeNotes, checked_notes, store_judge
from scoring.services.judges.scores_as_answers import (
    Mapped,
    NoAnswer,
    answer_from,
    on_scale,
    rated_values,
    refused_criterion,
)
from scoring.stats.base.resampling import FloatArray


def judge_of_metric(
    *,
    run: ScoreRun,
    metric: str,
    criterion: str,
    notes: JudgeNotes,
    mapped: Mapped = Mapped.QUANTILES,
    actor: User | None,
) -> Judge:
    """Store the scores of a metric as a judge's answers to one criterion.

    Parameters
    ----------
    run : ScoreRun
        A run of the study that has the metric.
    metric : str
        Name of the metric.
    criterion : str
        Name of a criterion with a scale, as statistics call it.
    notes : JudgeNotes
        Name of the judge and what is known of it.
    mapped : Mapped
        `QUANTILES` give the scores the distribution of the ratings, reversed where lower scores are declared
        to be better; otherwise they must be on the scale.
    actor : User or None
        Who adds it.

    Raises
    ------
    InvalidContent
        `unknown_metric`, `unknown_criterion`, `no_scale`, `no_ratings`, `outside_scale`, `not_an_answer`, or
        as `checked_notes`. Nothing was stored.
    """
    study = run.study
    chosen = criteria_by_name(study).get(criterion)
    if chosen is None:
        raise _refused("criterion", "unknown_criterion", message("The study has no such criterion."))
    rows = Score.objects.filter(run=run, metric=metric, value__isnull=False).order_by("item__position")
    found = rows.values_list("item", "item__key", "value")
    scores = [(item, key, value) for item, key, value in found if value is not None]
    if not scores:
        raise _refused("metric", "unknown_metric", message("The run has no scores of this metric."))
    if refused := refused_criterion(study, chosen, mapped):
        raise _refused("criterion", "no_scale", refused)
    answers = _answers(scores, chosen, mapped)
    if mapped is Mapped.QUANTILES:
        lower = directions_of(study).get(metric) == "lower"
        answers = on_scale(_values_of_ratings(study, criterion), answers, lower_is_better=lower)
    judged = [
        Judged(item, chosen, 1, answer, str(value))
        for (item, _, value), answer in zip(scores, answers, strict=True)
    ]
    settings = {"run": run.pk, "metric": metric, "criterion": criterion, "mapping": mapped.value}
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        return store_judge(
            study=study,
            actor=actor,
            notes=checked_notes(study, notes),
            way="metric",
            settings={
                **settings,
                "run_name": run.name,
                "revision": run.revision,
                **({"caution": run.caution} if run.caution else {}),
            },
            judged=judged,
        )


def _answers(
    scores: list[tuple[int, str, float]], criterion: Criterion, mapped: Mapped
) -> list[Answer | None]:
    """The scores of items as answers; those that are none are refused with their item."""
    answers: list[Answer | None] = []
    for _, item, value in scores:
        try:
            answers.append(answer_from(value, criterion, mapped, {}))
        except NoAnswer as problem:
            sentence = message("Item %(item)s: %(problem)s", item=item, problem=problem.sentence)
            raise _refused("mapped", problem.code, sentence) from problem
    return answers


def _values_of_ratings(study: Study, criterion: str) -> FloatArray:
    values = rated_values(study).get(criterion)
    if values is None:
        raise _refused("mapped", "no_ratings", message("The study has no ratings of this criterion yet."))
    return values


def _refused(field: str, code: str, sentence: str) -> InvalidContent:
    return InvalidContent(sentence, code=code, fields={field: sentence})
