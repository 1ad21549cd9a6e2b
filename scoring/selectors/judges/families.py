"""The systems from whose family of models a judge can come."""

from __future__ import annotations

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.domain.questions.option_settings import SIDES
from annotation.models import Criterion, Study


def systems_of(study: Study) -> list[str]:
    """The systems that wrote items, or a side of pairs, in alphabetical order.

    Parameters
    ----------
    study : Study
        The study. Of a study without paired comparisons, the sides say nothing.
    """
    names = set(study.items.order_by().values_list("system", flat=True).distinct())
    of_pairs = Criterion.objects.filter(version__form__study=study, kind__in=keys_yielding(Yields.PREFERENCE))
    if of_pairs.exists():
        sides = study.items.order_by().values_list(*(f"metadata__{side}" for side in SIDES)).distinct()
        names |= {str(name) for pair in sides for name in pair if name}
    return sorted(names - {""})
