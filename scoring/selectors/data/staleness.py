"""Whether a report is up to date with the data of its study."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, IntegerField, Model, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from annotation.domain.base.states import Purpose
from annotation.models import AuditEntry, Exclusion, ExclusionLift, PilotMatch, Response, Study
from scoring.models import Judgement, Report, ScoreRun
from scoring.selectors.data.directions import directions_of

# Acts that change the system or the group of an item that has ratings.
PLACING = ("correct_item", "import_items")
# Acts that change which items without ratings count.
RETIRING = ("retire_items", "restore_items")
POOLING = ("pool_versions", "separate_versions", "pool_pilot", "separate_pilot")
# Acts of a main study or its pilot that change which answers of the pilot fit.
MATCHING = ("change_form", "remove_form", "import_items", "remove_items", "delete_item", "enter_texts")
OF_METRICS = {"metrics", "comparison", "corpus"}


def data_state(study: Study, kind: str, *, responses: bool = True) -> dict[str, Any]:
    """Count everything in a study that figures are computed from; called before the data are read.

    Parameters
    ----------
    study : Study
        The study.
    kind : str
        Kind of the report; scores and their directions matter only to reports about metrics.
    responses : bool
        Count the responses too, which takes long where there are hundreds of thousands.

    Returns
    -------
    dict
        Numbers of rows that are only ever added, or erased whole by a withdrawal, which is counted too:
        so nothing can come in or go without a number changing. A run of scores counts as often as it was
        computed; `judges` has the number of answers of each judge. At most two queries, and as many for a
        pilot that is pooled, whose numbers are `pilot`.
    """
    counts = {
        "n_exclusions": number_of(Exclusion.objects.filter(study=OuterRef("pk"))),
        "n_lifts": number_of(ExclusionLift.objects.filter(exclusion__study=OuterRef("pk"))),
        "n_withdrawals": number_of(
            AuditEntry.objects.filter(study=OuterRef("pk"), act__in=["withdraw", "erase_rater"])
        ),
    }
    if responses:
        answered = {"assignment__rater__study": OuterRef("pk"), "assignment__purpose": Purpose.MAIN}
        counts["n_responses"] = number_of(Response.objects.filter(**answered))
    counts["n_poolings"] = number_of(AuditEntry.objects.filter(study=OuterRef("pk"), act__in=POOLING))
    if kind in {"mixed_model", "generalisability"}:
        counts["n_placings"] = number_of(AuditEntry.objects.filter(study=OuterRef("pk"), act__in=PLACING))
    if kind == "judges":
        placed = [*PLACING, *RETIRING]
        counts["n_placings"] = number_of(AuditEntry.objects.filter(study=OuterRef("pk"), act__in=placed))
    if kind in OF_METRICS:
        counts["n_score_runs"] = _total(ScoreRun.objects.filter(study=OuterRef("pk")), "revision")
    if study.pilot_pooled_at is not None:
        both = [study.pk, study.pilot_id]
        counts["n_matchings"] = number_of(AuditEntry.objects.filter(study__in=both, act__in=MATCHING))
        counts["n_matches"] = number_of(PilotMatch.objects.filter(main_rater__study=OuterRef("pk")))
    state = dict(Study.objects.annotate(**counts).values(*counts, "include_late").get(pk=study.pk))
    if not state["n_poolings"]:
        # Reports from before versions could be pooled do not have this number.
        del state["n_poolings"]
    if study.pilot_pooled_at is not None and study.pilot is not None:
        state["pilot"] = data_state(study.pilot, "reliability", responses=responses)
    if kind == "judges":
        answers = Judgement.objects.filter(judge__study=study).order_by("judge").values_list("judge")
        state["judges"] = {str(judge): n for judge, n in answers.annotate(n=Count("pk"))}
    return {**state, "directions": dict(directions_of(study))} if kind in OF_METRICS else state


def is_stale(study: Study, report: Report) -> bool:
    """Whether answers, exclusions or scores have come in, or been taken back, since the data were read.

    Parameters
    ----------
    study : Study
        The study.
    report : Report
        One of its reports.
    """
    return bool(data_state(study, report.kind) != report.data_state)


def _total(rows: QuerySet[Any], field: str) -> Coalesce:
    summed = rows.order_by().annotate(all=Value(1)).values("all").annotate(total=Sum(field)).values("total")
    return Coalesce(Subquery(summed, output_field=IntegerField()), 0)


def number_of(rows: QuerySet[Model]) -> Coalesce:
    """How many rows there are, as a part of another query.

    Parameters
    ----------
    rows : QuerySet
        Rows that belong to a row of that query.
    """
    counted = rows.order_by().annotate(all=Value(1)).values("all").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
