"""Names of the criteria that attention checks ask about."""

from __future__ import annotations

from annotation.models import Criterion, Study


def criterion_names(study: Study) -> dict[tuple[int, str], str]:
    """The name of each criterion by its form and key; the question itself where only a check asks it.

    Parameters
    ----------
    study : Study
        The study of the checks.
    """
    found = Criterion.objects.filter(version__form__study=study).order_by(
        "version__number", "version__correction"
    )
    columns = ("version__form_id", "key", "name", "version__form__planted", "question")
    return {
        (form, key): f"“{question}”" if planted else name
        for form, key, name, planted, question in found.values_list(*columns)
    }
