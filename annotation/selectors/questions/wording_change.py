"""What saving a changed form does to the statistics of a study that has responses."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import Form, FormVersion, Response
from annotation.selectors.questions.counting import PARTS, Counting, counted, submitted


@dataclass(frozen=True)
class WordingChange:
    """The effects of storing a new version of a form.

    Parameters
    ----------
    version
        Number of the version that would be stored.
    responses
        Version number to the responses that were given to it and stay with it.
    leaving
        Version number to the responses that the statistics use now, and no longer once a response to the new
        version counts.
    """

    version: int
    responses: tuple[tuple[int, int], ...]
    leaving: tuple[tuple[int, int], ...]


def wording_change(form: Form, kinds: Collection[str]) -> WordingChange | None:
    """Say what storing a new version of a form would do.

    Parameters
    ----------
    form : Form
        Of a study.
    kinds : collection of str
        Kinds of the criteria that the new version asks: other statistics go on with an older version.

    Returns
    -------
    WordingChange or None
        None where the form has no responses: then nothing changes for the statistics.
    """
    study = form.study
    given = submitted(study).filter(version__form=form)
    responses = _per_version(given)
    if not responses:
        return None
    used = Q(pk__in=[])
    for part in PARTS.values():
        if set(keys_yielding(*part)) & set(kinds):
            used |= Q(
                pk__in=counted(study, Counting.in_statistics(study, yields=part)).order_by().values("pk")
            )
    newest = FormVersion.objects.filter(form=form).latest("number").number
    return WordingChange(newest + 1, responses, _per_version(given.filter(used)))


def _per_version(responses: QuerySet[Response]) -> tuple[tuple[int, int], ...]:
    numbered = responses.order_by("version__number").values_list("version__number")
    return tuple(numbered.annotate(n=Count("pk")))
