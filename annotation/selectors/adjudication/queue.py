"""The queue of cases with the filters in its URL, and the neighbours of a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Max, Prefetch, Q, QuerySet
from django.http import QueryDict

from annotation.domain.adjudication.differences import UNDECIDED, CaseState, Rule
from annotation.domain.base.states import Purpose, Role
from annotation.models import Adjudication, Case, Dispute, FormVersion, Item, Response, Study, User, Verdict
from annotation.selectors.adjudication.disagreement_search import SearchableCriterion, searchable_criteria
from annotation.selectors.base.item_search import json_contains, text_of
from annotation.selectors.questions.shown_options import SIDE
from annotation.selectors.rating.rating_page import language_of

ALL = "all"
UNASSIGNED = "nobody"
LONGEST_SEARCH = 200
FIGURE, TEXT = "figure", "text"
STATES = ("", ALL, *(state.value for state in CaseState))


@dataclass(frozen=True)
class QueueView:
    """The filters in a URL: without a state, undecided cases; with `all`, decided and undecided ones.

    `form` and `criterion` say what is in dispute, `rule` why. `q` is part of an item ID or a text, and
    `to` the email address of an adjudicator, or `UNASSIGNED`.
    """

    state: str = ""
    rule: str = ""
    form: str = ""
    criterion: str = ""
    q: str = ""
    to: str = ""

    def parts(self) -> dict[str, str]:
        """The filters by name."""
        return {name: value for name, value in vars(self).items() if value}

    def query(self) -> str:
        """The query string."""
        return urlencode(self.parts())

    @property
    def asked(self) -> str:
        """Form and criterion as one choice."""
        return f"{self.form}/{self.criterion}" if self.criterion else ""


def read_queue_view(asked: QueryDict) -> QueueView:
    """Read the filters of a URL; unknown ones are left out.

    Parameters
    ----------
    asked : QueryDict
        The query of the URL; `asked`, as in `form/criterion`, may replace `form` and `criterion`.
    """
    state, rule = asked.get("state", ""), asked.get("rule", "")
    form, _, criterion = asked.get("asked", "").partition("/")
    return QueueView(
        state=state if state in STATES else "",
        rule=rule if rule in set(Rule) else "",
        form=(asked.get("form", "") or form).replace("\x00", ""),
        criterion=(asked.get("criterion", "") or criterion).replace("\x00", ""),
        q=asked.get("q", "").replace("\x00", "").strip()[:LONGEST_SEARCH],
        to=asked.get("to", "").replace("\x00", ""),
    )


def cases_of(study: Study, adjudicator: User | None = None) -> QuerySet[Case]:
    """The cases of a study; with an adjudicator, those assigned to them."""
    found = Case.objects.filter(study=study)
    return found if adjudicator is None else found.filter(adjudicator=adjudicator)


def queue(study: Study, view: QueueView, adjudicator: User | None = None) -> QuerySet[Case]:
    """The cases of a view in the order of their items; with an adjudicator, of those assigned to them."""
    found = cases_of(study, adjudicator).order_by("position", "pk")
    if view.state != ALL:
        found = found.filter(state__in=[view.state] if view.state else list(UNDECIDED))
    if view.form:
        found = found.filter(form__key=view.form, form__study=study)
    if view.q:
        found = found.filter(Q(item__key__icontains=view.q) | json_contains("item__fields", view.q))
    if view.to:
        found = found.filter(adjudicator__email=None if view.to == UNASSIGNED else view.to)
    wanted = {name: getattr(view, name) for name in ("rule", "criterion") if getattr(view, name)}
    if wanted:
        # Gathered once: asked for case by case, SQLite would go through a rule's disputes for each.
        found = found.filter(pk__in=Dispute.objects.filter(**wanted).values("case"))
    return found


def queue_rows(study: Study, numbers: list[int]) -> list[Case]:
    """Cases with what their rows in the queue show: item, disputes, current verdict, number of comments.

    Parameters
    ----------
    study : Study
        The study of the cases.
    numbers : list of int
        Primary keys of cases, in the order of the result.
    """
    current = Verdict.objects.filter(current=True).select_related("author")
    current = current.annotate(
        n_copied=Count("answers", filter=Q(answers__chosen=True)),
        n_written=Count("answers", filter=Q(answers__chosen=False)),
    )
    found = (
        Case.objects.filter(study=study)
        .select_related("item", "form", "adjudicator")
        .prefetch_related("disputes", Prefetch("verdicts", current, to_attr="current_verdicts"))
        .annotate(n_comments=Count("comments"))
        .in_bulk(numbers)
    )
    return [found[number] for number in numbers if number in found]


@dataclass(frozen=True)
class JudgedText:
    """The text that the raters of a case judged, and its language if it differs from the study's."""

    text: str
    language: str = ""


def judged_texts(cases: Sequence[Case]) -> dict[int, JudgedText]:
    """By case, the text that its form asks about, as the newest version that was answered shows it.

    Parameters
    ----------
    cases : sequence of Case
        With their items.
    """
    forms, items = {case.form_id for case in cases}, {case.item_id for case in cases}
    answered = Response.objects.filter(
        current=True,
        assignment__purpose=Purpose.MAIN,
        assignment__form__in=forms,
        assignment__item__in=items,
    ).order_by()
    places = answered.values_list("assignment__form", "assignment__item")
    numbers = {(form, item): number for form, item, number in places.annotate(Max("version__number"))}
    versions = FormVersion.objects.filter(form__in=forms).order_by("number", "correction")
    blocks = {(one.form_id, one.number): one.blocks for one in versions}
    newest = {one.form_id: one.number for one in versions}
    return {
        case.pk: _judged(
            case.item,
            blocks[case.form_id, numbers.get((case.form_id, case.item_id), newest[case.form_id])],
        )
        for case in cases
    }


def _judged(item: Item, blocks: Sequence[Mapping[str, Any]]) -> JudgedText:
    """The figurative text; without one, the two sides of a pair; otherwise all texts except context."""
    shown = [block for block in blocks if item.fields.get(block["field"])]
    by_role: dict[str, list[Mapping[str, Any]]] = {}
    for block in shown:
        by_role.setdefault(block.get("role", TEXT), []).append(block)
    judged = by_role.get(FIGURE, [])[:1] or by_role.get(SIDE) or by_role.get(TEXT) or shown
    text = text_of(item, [block["field"] for block in judged])
    language = judged[0].get("lang", "") if judged else ""
    return JudgedText(text, language or language_of(item))


def case_counts(study: Study, adjudicator: User | None = None) -> Mapping[str, int]:
    """Numbers of cases by state, and of cases to decide; with an adjudicator, of those assigned to them."""
    found = dict(cases_of(study, adjudicator).order_by().values_list("state").annotate(n=Count("pk")))
    counts = {state.value: found.get(state.value, 0) for state in CaseState}
    return {
        **counts,
        "undecided": sum(counts[state] for state in UNDECIDED),
        ALL: sum(counts.values()),
    }


@dataclass(frozen=True)
class Workload:
    """Numbers of undecided and decided cases of one adjudicator, or of the cases without one."""

    adjudicator: User | None
    undecided: int = 0
    decided: int = 0


def workloads(study: Study) -> list[Workload]:
    """Count the cases of each adjudicator, and last those without an adjudicator.

    Parameters
    ----------
    study : Study
        Cases that were removed from the queue are not counted.
    """
    found: dict[int | None, dict[str, int]] = {}
    numbers = Case.objects.filter(study=study).order_by().values_list("adjudicator", "state")
    for person, state, n in numbers.annotate(n=Count("pk")):
        found.setdefault(person, {})[state] = n
    return [
        Workload(
            adjudicator=person,
            undecided=sum(states.get(state, 0) for state in UNDECIDED),
            decided=states.get(CaseState.DECIDED, 0),
        )
        for person in [*adjudicators_of(study), None]
        for states in [found.get(person.pk if person else None, {})]
    ]


def reason_counts(study: Study, names: Mapping[tuple[str, str], str]) -> list[dict[str, Any]]:
    """Numbers of cases by reason, the most frequent first and then in the order of the criteria.

    A case counts under each of its reasons.

    Parameters
    ----------
    study : Study
        Cases that were removed from the queue are not counted.
    names : mapping
        Names of criteria by form and key, in their order.
    """
    order = {place: number for number, place in enumerate(names)}
    found = Dispute.objects.filter(case__study=study).exclude(case__state=CaseState.WITHDRAWN)
    rows = found.order_by().values_list("case__form__key", "criterion", "rule").annotate(n=Count("pk"))
    return [
        {
            "name": names.get((form, key), key),
            "rule": rule,
            "n": n,
            "query": QueueView(state=ALL, rule=rule, form=form, criterion=key).query(),
        }
        for form, key, rule, n in sorted(
            rows, key=lambda row: (-row[3], order.get(row[:2], len(order)), *row[:3])
        )
    ]


@dataclass(frozen=True)
class QueuePlace:
    """The position of a case in a view: its `number` among `total` cases, and its neighbours.

    `number` is 0 where the view does not contain the case.
    """

    number: int
    total: int
    previous: Case | None
    following: Case | None


def place_in_queue(case: Case, view: QueueView, adjudicator: User | None = None) -> QueuePlace:
    """Find the position of a case in a view, which need not contain it.

    Parameters
    ----------
    case : Case
        With its study.
    view : QueueView
        Filters of the queue.
    adjudicator : User, optional
        Only cases assigned to this person.
    """
    found = queue(case.study, view, adjudicator)
    before = Q(position__lt=case.position) | Q(position=case.position, pk__lt=case.pk)
    after = Q(position__gt=case.position) | Q(position=case.position, pk__gt=case.pk)
    counts = found.order_by().aggregate(
        total=Count("pk"), before=Count("pk", filter=before), here=Count("pk", filter=Q(pk=case.pk))
    )
    with_items = found.select_related("item")
    return QueuePlace(
        number=counts["before"] + 1 if counts["here"] else 0,
        total=counts["total"],
        previous=with_items.filter(before).order_by("-position", "-pk").first(),
        following=with_items.filter(after).first(),
    )


def adjudicators_of(study: Study) -> list[User]:
    """The members with the role of an adjudicator, by email address."""
    found = User.objects.filter(memberships__study=study, memberships__role=Role.ADJUDICATOR)
    return list(found.order_by("email"))


def shows_names(study: Study) -> bool:
    """Whether adjudicators of a study see pseudonyms.

    Parameters
    ----------
    study : Study
        Without a decision about it they see letters.
    """
    return Adjudication.objects.filter(study=study, named=True).exists()


@dataclass(frozen=True)
class Reason:
    """A rule with what it found; `over` where it no longer holds."""

    rule: str
    detail: Mapping[str, Any]
    over: bool = False


def dispute_rows(
    case: Case,
    criteria: Mapping[tuple[str, str], str],
    now: Mapping[int, Mapping[str, Any] | None] | None = None,
) -> list[dict[str, Any]]:
    """Why a case is disputed: the rules of each criterion with what they found.

    Parameters
    ----------
    case : Case
        With its form, and its disputes prefetched.
    criteria : mapping of tuple to str
        Names by form and key.
    now : mapping, optional
        From `find_again`, in place of what the rules found when they were asked.
    """
    found: dict[str, list[Reason]] = {}
    for dispute in case.disputes.all():
        detail = (now or {}).get(dispute.pk, dispute.detail)
        reason = Reason(dispute.rule, detail or {}, over=detail is None)
        found.setdefault(dispute.criterion, []).append(reason)
    return [
        {"key": key, "name": criteria.get((case.form.key, key), key), "disputes": reasons}
        for key, reasons in found.items()
    ]


def criterion_names(study: Study) -> tuple[list[SearchableCriterion], dict[tuple[str, str], str]]:
    """The criteria of a study, and their names by form and key."""
    asked = searchable_criteria(study)
    return asked, {(one.form, one.key): one.name for one in asked}
