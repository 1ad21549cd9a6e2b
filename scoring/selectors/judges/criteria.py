"""The criteria of a study that judges answer, by the names that files and statistics use."""

from __future__ import annotations

from django.db.models import Count, Q

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.measuring import Measure
from annotation.models import Criterion, FormVersion, Study
from annotation.selectors.questions.counting import criterion_names
from scoring.models import Judge, Score, ScoreRun
from scoring.selectors.base.run_names import name_of_run


def criteria_by_name(study: Study) -> dict[str, Criterion]:
    """The criteria of the newest version of each form.

    Parameters
    ----------
    study : Study
        The study.

    Returns
    -------
    dict
        By the key, after its form's where two forms have the same key; with form and points loaded.
    """
    newest = FormVersion.objects.filter(form__study=study).order_by("form", "-number", "-correction")
    versions = {form: pk for pk, form in reversed(list(newest.values_list("pk", "form")))}
    criteria = list(
        Criterion.objects.filter(version__in=versions.values())
        .select_related("version__form")
        .prefetch_related("points")
        .order_by("version__form", "position", "pk")
    )
    names = criterion_names((criterion.version.form.key, criterion.key) for criterion in criteria)
    return {names[criterion.version.form.key, criterion.key]: criterion for criterion in criteria}


def judges_with_counts(study: Study) -> list[Judge]:
    """The judges of a study, with `n_answers` that have a value and `n_judgements` in all.

    Parameters
    ----------
    study : Study
        The study.
    """
    answered = Count("judgements", filter=Q(judgements__reason=""))
    own = Judge.objects.filter(study=study)
    return list(own.annotate(n_answers=answered, n_judgements=Count("judgements")))


def is_scale(criterion: Criterion, *, identified: bool) -> bool:
    """Whether statistics take the numbers of a criterion as they are.

    Parameters
    ----------
    criterion : Criterion
        Criterion of any kind.
    identified : bool
        Whether raters are persons.
    """
    kind = criterion.question_kind
    if kind.yields != Yields.NUMBER or criterion.minimum is None or criterion.maximum is None:
        return False
    return kind.measure(criterion.settings, identified=identified) is Measure.NUMBERS


def metrics_of_runs(study: Study) -> list[tuple[int, str, str]]:
    """The metrics of each scoring run of a study: key and readable name of the run, and the metric.

    Parameters
    ----------
    study : Study
        The study.
    """
    scores = Score.objects.filter(run__study=study, value__isnull=False).order_by("-run", "metric")
    columns = ("run", "metric", "run__name", "run__profile", "run__made_with")
    return [
        (run, name_of_run(ScoreRun(name=name, profile=profile, made_with=settings)), metric)
        for run, metric, name, profile, settings in scores.values_list(*columns).distinct()
    ]
