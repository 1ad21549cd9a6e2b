"""Which responses count: the one rule for progress, exports, statistics and the pages that show them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from django.db.models import Exists, F, Max, Min, OuterRef, Q, QuerySet

from annotation.domain.base.states import Purpose
from annotation.domain.questions.kinds.kind import OF_OPTIONS, Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import Criterion, Exclusion, FormVersion, RaterKind, Rating, Response, Study

ON_SCALES = (Yields.NUMBER,)
# What the answers yield whose statistics are computed together, in the order of a report.
PARTS: Mapping[str, tuple[Yields, ...]] = {
    "scale": ON_SCALES,
    "choice": OF_OPTIONS,
    "order": (Yields.ORDER,),
    "tuples": (Yields.SPANS,),
    "errors": (Yields.ERRORS,),
}
RATER_KINDS = (RaterKind.PERSON, RaterKind.SLOT)
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Counting:
    """Which current responses to the main task count.

    Parameters
    ----------
    late
        Late responses count.
    pooled
        Responses to every version of a form count; otherwise those to the newest version that has any, and
        to the versions that are pooled with it.
    yields
        A response must answer a criterion whose answers yield one of these; None for any criterion.
    without_rule
        Key of an exclusion rule that is treated as if it had not been applied.
    excluded_items
        Responses about excluded items count.
    """

    late: bool
    pooled: bool
    yields: tuple[Yields, ...] | None = None
    without_rule: int | None = None
    excluded_items: bool = False

    @classmethod
    def in_statistics(
        cls, study: Study, *, pooled: bool = False, yields: tuple[Yields, ...] | None = None
    ) -> Counting:
        """The responses in the statistics of a study, with late ones if its settings include them."""
        return cls(late=study.include_late, pooled=pooled, yields=yields)


# What fills the number of ratings that an item needs.
PROGRESS = Counting(late=False, pooled=True)
# What fills slots: excluding an item frees none of its slots.
FILLING = Counting(late=False, pooled=True, excluded_items=True)
# What adjudicators see and decide between.
ADJUDICATION = Counting(late=True, pooled=True)
# What the components of an item are taken from: excluding an item changes none of its scores.
MARKS = Counting(late=False, pooled=True, excluded_items=True)


def submitted(study: Study, *, all_revisions: bool = False, whole: bool = False) -> QuerySet[Response]:
    """Current responses to the main task, excluded and late ones included; no previews, no checks.

    `whole` is for queries that read most responses of a study: see `of_versions`.
    """
    found = of_versions(study) if whole else Response.objects.filter(assignment__item__study=study)
    found = found.filter(assignment__purpose=Purpose.MAIN, assignment__rater__kind__in=RATER_KINDS)
    return found if all_revisions else found.filter(current=True)


def of_versions(study: Study) -> QuerySet[Response]:
    """All responses of a study, found by the versions of its forms.

    Of a large study they are read in the order in which they are stored. By item or by rater, SQLite would
    look for each response in another place, which takes several times as long.
    """
    return Response.objects.filter(version__in=FormVersion.objects.filter(form__study=study))


def lacks_ratings(study: Study) -> bool:
    """Whether no rater has saved a response to the main task of a study yet."""
    return not submitted(study).exists()


def left_out(study: Study, counting: Counting) -> Q:
    """Excluded, or late where late responses do not count; versions and questions aside."""
    out = excluded(study, counting)
    return out if counting.late else out | Q(late=True)


def counted(study: Study, counting: Counting, *, whole: bool = False) -> QuerySet[Response]:
    """The responses that count; `whole` is that of `submitted`.

    Returns
    -------
    QuerySet of Response
        One query when it is read, whatever the rule.
    """
    found = submitted(study, whole=whole).exclude(left_out(study, counting))
    if counting.yields is not None:
        found = found.filter(answers(counting.yields))
    if not counting.pooled:
        found = found.filter(version__in=_newest_versions(study, replace(counting, pooled=True)))
    return found


def count_of_earlier_versions(study: Study) -> int:
    """Included responses that statistics leave out because a newer version of their form has one.

    Parameters
    ----------
    study : Study
        The study; one query where no form has versions that are not pooled.
    """
    if not _has_separate_versions(study):
        return 0
    return counted(study, PROGRESS).count() - counted(study, replace(PROGRESS, pooled=False)).count()


def _has_separate_versions(study: Study) -> bool:
    forms = FormVersion.objects.filter(form__study=study).order_by().values("form")
    return forms.annotate(first=Min("pool"), last=Max("pool")).filter(last__gt=F("first")).exists()


def counted_in_steps(study: Study, counting: Counting) -> QuerySet[Response]:
    """The responses that `counted` returns, with the versions read beforehand, in one query or two.

    Use it within larger queries, where PostgreSQL would look for the versions again for each response.
    """
    if counting.pooled:
        return counted(study, counting)
    everything = replace(counting, pooled=True)
    if not _has_separate_versions(study):
        # Nothing is left out that has a newer version.
        return counted(study, everything)
    return counted(study, everything).filter(version__in=list(_newest_versions(study, everything)))


def newest_counting(forms: Any, pools: Any, counting: Flags) -> dict[Any, int]:
    """The versions of each form that statistics use, for responses read as columns.

    Parameters
    ----------
    forms : sequence
        The form of each response.
    pools : sequence of int
        The `pool` of the version of each response.
    counting : array of bool
        Whether each response counts, its version aside.

    Returns
    -------
    dict
        Form to the `pool` of its versions; forms without a response that counts are left out.
    """
    columns = pd.DataFrame({"form": np.asarray(forms)[counting], "pool": np.asarray(pools)[counting]})
    return {form: int(pool) for form, pool in columns.groupby("form")["pool"].max().items()}


def criterion_names(criteria: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What statistics call each criterion: its key, after its form's where two forms have the same key.

    Parameters
    ----------
    criteria : iterable of tuple of str
        Key of the form and of the criterion; may repeat.
    """
    asked = set(criteria)
    forms: dict[str, set[str]] = defaultdict(set)
    for form, key in asked:
        forms[key].add(form)
    return {(form, key): key if len(forms[key]) == 1 else f"{form}:{key}" for form, key in asked}


def excluded(study: Study, counting: Counting) -> Q:
    """Named by an active exclusion: the response, its rater or its item."""
    active = Exclusion.objects.filter(study=study, lift__isnull=True)
    if counting.without_rule is not None:
        active = active.filter(~Q(by_rule=counting.without_rule) | Q(by_rule=None))

    def targets(kind: str) -> Any:
        return active.filter(**{f"{kind}__isnull": False}).values(kind)

    named = Q(pk__in=targets("response")) | Q(assignment__rater__in=targets("rater"))
    return named if counting.excluded_items else named | Q(assignment__item__in=targets("item"))


def _newest_versions(study: Study, pooled: Counting) -> QuerySet[FormVersion, Any]:
    """Keys of the versions with a response that counts, without those of an older pool."""
    counting = counted(study, pooled).order_by()
    used = FormVersion.objects.filter(form__study=study).filter(
        Exists(counting.filter(version=OuterRef("pk")))
    )
    newer = used.filter(form=OuterRef("form"), pool__gt=OuterRef("pool"))
    return used.filter(~Exists(newer)).order_by().values_list("pk", flat=True)


def answers(yields: tuple[Yields, ...]) -> Q:
    """Answers a criterion that yields one of these, or says that it cannot be rated where one was asked.

    A form that asks for tuples is answered for them by every response: one without any found none.
    """
    kinds = keys_yielding(*yields)
    if Yields.SPANS in yields:
        asked = Criterion.objects.filter(version__form=OuterRef("version__form"), kind__in=kinds)
        given = Rating.objects.filter(response=OuterRef("pk"))
        return Q(Exists(asked)) & (Q(Exists(given)) | ~Q(cannot_rate=""))
    rated = Rating.objects.filter(response=OuterRef("pk"), criterion__kind__in=kinds)
    asked = Criterion.objects.filter(version=OuterRef("version"), kind__in=kinds)
    return Q(Exists(rated)) | (~Q(cannot_rate="") & Q(Exists(asked)))
