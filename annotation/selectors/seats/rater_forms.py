"""The forms by which a rater rates."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.domain.base.states import DesignKind, Purpose
from annotation.models import Form, Rater
from annotation.selectors.seats.stages import is_others_stage


def forms_of(rater: Rater) -> QuerySet[Form]:
    """The forms by which a rater rates: all, or that of their panel.

    Parameters
    ----------
    rater : Rater
        With the study.
    """
    forms = rater.study.forms.order_by("position", "pk")
    if rater.study.design != DesignKind.PANELS:
        return forms
    return forms.none() if rater.panel_id is None else forms.filter(pk=rater.panel_id)


def forms_open_to(rater: Rater) -> list[Form]:
    """The forms by which a rater may be given items: of the panel, and not of a stage for others.

    Parameters
    ----------
    rater : Rater
        With the study.
    """
    main = rater.assignments.filter(purpose=Purpose.MAIN)
    given = set(main.values_list("form", flat=True).order_by().distinct())
    return [form for form in forms_of(rater) if not is_others_stage(rater.study, form.pk, given)]
