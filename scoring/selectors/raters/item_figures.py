"""The newest stored figures of a study's items, and whether they are up to date."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Exists, Max, OuterRef

from annotation.domain.base.states import Purpose
from annotation.models import Assignment, CheckVerdict, Response, Study
from scoring.models import FigureSet, ScoreChunk
from scoring.selectors.data.staleness import data_state, number_of

# More responses than can be under way at a time.
UNDER_WAY = 5000


def newest_set(study: Study) -> FigureSet | None:
    """The newest set of figures of a study that is stored completely."""
    return FigureSet.objects.filter(study=study, ready=True).order_by("-pk").first()


def figures_state(study: Study, before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """How much there is of everything that the figures come from; it is read before the data are.

    Responses are only ever added, with growing keys, or erased by a withdrawal, which is counted: it is
    enough to count those from a little before the newest on. What was under way when that was read may
    have a smaller key.

    Parameters
    ----------
    study : Study
        The study.
    before : mapping or None
        An earlier state; it says from where on the responses are counted, so that the two compare.

    Returns
    -------
    dict
        As of a report about metrics, with the last item, the pieces of runs that are scored, and the verdicts
        on attention checks.
    """
    # By EXISTS, so that a database begins with the newest responses and not with the study's raters.
    own = Assignment.objects.filter(pk=OuterRef("assignment"), purpose=Purpose.MAIN, rater__study=study)
    answers = Response.objects.filter(Exists(own)).order_by()
    start = (before or {}).get("responses_from")
    if start is None:
        start = (answers.aggregate(newest=Max("pk"))["newest"] or 0) - UNDER_WAY
    counts = {
        # A run that is under way is counted only when it has ended, yet its scores are there before.
        "n_chunks": number_of(ScoreChunk.objects.filter(run__study=OuterRef("pk"), done_at__isnull=False)),
        "n_verdicts": number_of(CheckVerdict.objects.filter(assignment__check_planted__study=OuterRef("pk"))),
    }
    return {
        **data_state(study, "metrics", responses=False),
        **Study.objects.annotate(**counts).values(*counts).get(pk=study.pk),
        "responses_from": start,
        "n_newest_responses": answers.filter(pk__gt=start).count(),
        "last_item": study.items.order_by("-position").values_list("position", flat=True).first(),
    }


def out_of_date(study: Study, figure_set: FigureSet) -> bool:
    """Whether computing the figures again may change them."""
    return bool(figures_state(study, figure_set.data_state) != figure_set.data_state)
