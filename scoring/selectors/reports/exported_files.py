"""The files that a member can export from a study, in groups, each with the number of its rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import IntegerField, QuerySet, Subquery

from annotation.domain.questions.kinds.kind import Yields
from annotation.models import DemographicAnswer, Exclusion, PairRound, RaterKind, Study
from annotation.selectors.base.audit_log import AuditView, entries
from annotation.selectors.items.probing_table import probing_criterion
from annotation.selectors.people.platform_ids import identities_of
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.selectors.questions.errors.tables import ERROR_TABLES, yields_in_texts
from annotation.selectors.questions.long_table import n_rating_rows
from annotation.selectors.questions.shown_options import has_options
from annotation.selectors.rating.problem_reports import problems_of_study
from annotation.selectors.studies.exports import FOR_VIEWERS, PAIR_TABLES, TUPLE_TABLES, answered_checks
from scoring.models import Judgement, Score

AUDIT, PLATFORM_IDS = "audit", "platform-ids"
# Data for pay and contact, or what raters state about themselves: never shown on a page.
PERSONAL = frozenset({"demographics", PLATFORM_IDS})
JUDGEMENTS = "judgements"
GROUPS: Mapping[str, tuple[str, ...]] = {
    "ratings": (
        *("ratings", "ratings_wide", "choices", "probing"),
        *PAIR_TABLES,
        *TUPLE_TABLES,
        *ERROR_TABLES,
        *DOCUMENTS,
        *("adjudicated", "adjudicated_tuples", "adjudication_decisions", "adjudication_discussion"),
    ),
    "items": ("items", "media", "scores", JUDGEMENTS),
    "raters": ("raters", "checks", "qualification", "problems"),
    "decisions": ("exclusions", "rules", AUDIT),
    "personal": ("demographics", PLATFORM_IDS),
}
ALL_FILES = frozenset(key for keys in GROUPS.values() for key in keys)


@dataclass(frozen=True)
class ExportedFile:
    """A file by the name of its table or document; `n_rows` is None where only writing it counts them."""

    key: str
    n_rows: int | None = None

    @property
    def is_document(self) -> bool:
        return self.key in DOCUMENTS

    @property
    def is_personal(self) -> bool:
        return self.key in PERSONAL


def exported_files(study: Study, *, team: bool, manages: bool) -> dict[str, list[ExportedFile]]:
    """The files that a member is offered, by group; groups without a file are left out.

    Parameters
    ----------
    study : Study
        Study of the data.
    team : bool
        The member works on the study; others get results under codes alone.
    manages : bool
        The member sees pay and platform IDs.
    """
    counts = _row_counts(study, with_pay=manages)
    absent = {name for name, is_there in _conditions(study, counts, manages=manages) if not is_there}
    if not team:
        absent |= ALL_FILES - FOR_VIEWERS
    counts["ratings"] = n_rating_rows(study)
    found = {
        group: [ExportedFile(key, counts.get(key)) for key in keys if key not in absent]
        for group, keys in GROUPS.items()
    }
    return {group: files for group, files in found.items() if files}


def _conditions(study: Study, counts: Mapping[str, int], *, manages: bool) -> Iterable[tuple[str, bool]]:
    """Files that not every study has, and whether this one has them."""
    in_texts, adjudicated = yields_in_texts(study), counts["cases"] > 0
    tuples = Yields.SPANS in in_texts
    yield "media", counts["media"] > 0
    yield JUDGEMENTS, counts[JUDGEMENTS] > 0
    yield "choices", has_options(study)
    yield from ((name, counts["pair_rounds"] > 0) for name in PAIR_TABLES)
    yield "probing", probing_criterion(study) is not None
    yield from ((name, tuples) for name in (*TUPLE_TABLES, *DOCUMENTS))
    yield from ((name, Yields.ERRORS in in_texts) for name in ERROR_TABLES)
    of_cases = ("adjudicated", "adjudication_decisions", "adjudication_discussion")
    yield from ((name, adjudicated) for name in of_cases)
    yield "adjudicated_tuples", adjudicated and tuples
    yield PLATFORM_IDS, manages and counts[PLATFORM_IDS] > 0


class _RowCount(Subquery):
    """The number of rows of a query, as a column of another."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


def _row_counts(study: Study, *, with_pay: bool) -> dict[str, int]:
    """The rows of every table that has one for each row of the database, and the cases; one query."""
    counted: dict[str, QuerySet[Any]] = {
        "items": study.items.all(),
        "media": study.media_files.all(),
        "probing": study.items.all(),
        "pair_rounds": PairRound.objects.filter(pairing__form__study=study),
        "scores": Score.objects.filter(run__study=study),
        JUDGEMENTS: Judgement.objects.filter(judge__study=study),
        "raters": study.raters.exclude(kind=RaterKind.TRIAL),
        "checks": answered_checks(study),
        "problems": problems_of_study(study),
        "exclusions": Exclusion.objects.filter(study=study),
        "rules": study.exclusion_rules.all(),
        AUDIT: entries(study, AuditView(), with_pay=with_pay),
        "demographics": DemographicAnswer.objects.filter(rater__study=study),
        PLATFORM_IDS: identities_of(study),
        "cases": study.cases.all(),
    }
    columns = [_RowCount(query.order_by().values("pk")) for query in counted.values()]
    (found,) = Study.objects.filter(pk=study.pk).values_list(*columns)
    return dict(zip(counted, found, strict=True))
