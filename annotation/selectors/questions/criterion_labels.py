"""How pages and charts name a criterion that statistics know by its key."""

from __future__ import annotations

from django.utils.translation import gettext

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS
from annotation.models import Criterion, Study
from annotation.selectors.questions.counting import criterion_names


def criterion_labels(study: Study) -> dict[str, str]:
    """Give each criterion of a study the name that raters see.

    Parameters
    ----------
    study : Study
        Any study.

    Returns
    -------
    dict of str to str
        From the name in statistics (`counting.criterion_names`) to the name in the newest version that
        has the criterion, followed by the title of its form where two forms have a criterion of that key.
    """
    rows = list(
        Criterion.objects.filter(version__form__study=study)
        .order_by("version__number", "version__correction", "position", "pk")
        .values_list("version__form__key", "version__form__title", "key", "name", "kind", "settings")
    )
    named = [(form, title, key, name) for form, title, key, name, _, _ in rows]
    sets = {
        (form, title, KINDS[kind].set_of(settings)) for form, title, _, _, kind, settings in rows if settings
    }
    # Sums of yes/no tests, see `scoring.services.data.sums`.
    named += [
        (form, title, f"{name}:sum", gettext("%(name)s, sum of tests") % {"name": name})
        for form, title, name in sorted(sets)
        if name
    ]
    # Scores of marked errors, see `scoring.services.spans.error_report`.
    named += [
        (form, title, f"{key}:score", gettext("%(name)s, score") % {"name": name})
        for form, title, key, name, kind, _ in rows
        if KINDS[kind].yields is Yields.ERRORS
    ]
    in_statistics = criterion_names((form, key) for form, _, key, _ in named)
    labels = {}
    for form, title, key, name in named:
        statistic = in_statistics[form, key]
        labels[statistic] = name if statistic == key else f"{name} ({title})"
    return labels


def criterion_scales(study: Study) -> dict[str, tuple[float, float]]:
    """Give both ends of the scale of each criterion that has one, in the newest version that has it.

    Parameters
    ----------
    study : Study
        Any study.

    Returns
    -------
    dict of str to tuple of float
        From the name in statistics (`counting.criterion_names`).
    """
    rows = list(
        Criterion.objects.filter(version__form__study=study)
        .order_by("version__number", "version__correction", "pk")
        .values_list("version__form__key", "key", "minimum", "maximum")
    )
    in_statistics = criterion_names((form, key) for form, key, _, _ in rows)
    return {
        in_statistics[form, key]: (low, high)
        for form, key, low, high in rows
        if low is not None and high is not None
    }
