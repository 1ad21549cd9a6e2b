"""Selection of items for adjudication: by a rule in the background, or manually."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from django.db import transaction

from annotation.domain.adjudication.differences import BOUNDED, CaseState, Rule, Search, can_search
from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.messages import message
from annotation.models import Case, Dispute, Form, Item, Job, Study, User, Verdict
from annotation.selectors.adjudication.disagreement_search import find_disputes, searchable_criteria
from annotation.selectors.rating.annotations import annotations_in
from annotation.services.adjudication.decisions import check_not_draft
from annotation.services.adjudication.queue import put_back_locked
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.questions.criteria import question_of

KIND = "adjudication"
MOST_AT_HAND = 5000
CHUNK_SIZE = 500
ITEMS_LOGGED = 100


@dataclass(frozen=True)
class SentItems:
    """Numbers of new cases, of existing cases, and of items without ratings.

    `back` are cases that were returned to the queue; they are not counted in `there`.
    """

    new: int
    there: int
    without: int
    back: int = 0


@dataclass(frozen=True)
class _Found:
    item: str
    form: str
    criterion: str
    rule: Rule
    detail: Mapping[str, Any]


def send_items(
    *, study: Study, keys: Sequence[str], actor: User, form: str = "", criterion: str = ""
) -> SentItems:
    """Send manually selected items to adjudication.

    Parameters
    ----------
    study : Study
        Study of the items, no draft.
    keys : sequence of str
        Item IDs, at most 5,000.
    actor : User
        User who selects them.
    form, criterion : str
        What is to be decided; empty for every criterion.

    Returns
    -------
    Sent
        An item without ratings for a form makes no case. A case that was removed from the queue returns to
        it.

    Raises
    ------
    InvalidContent
        `no_item`, `too_many_items`, `unknown_item`, or `unknown_criterion`.
    NotAllowedNow
        `study_draft`.
    """
    check_not_draft(study)
    keys = list(dict.fromkeys(keys))
    _check_number(keys)
    asked = [
        one for one in searchable_criteria(study) if form in {"", one.form} and criterion in {"", one.key}
    ]
    if not asked:
        raise InvalidContent(message("The study has no such criterion."), code="unknown_criterion")
    with transaction.atomic():
        _check_known(study, keys)
        annotated = set(
            annotations_in(study)
            .filter(assignment__item__key__in=keys)
            .values_list("assignment__item__key", "assignment__form__key")
        )
        found = [
            _Found(key, one.form, one.key, Rule.HAND_PICKED, {})
            for key in keys
            for one in asked
            if (key, one.form) in annotated
        ]
        sent = _open_cases(study, found, actor)
        back = _put_back(study, found, actor)
        with_any = {item for item, _ in annotated}
        audit.record(
            study=study, actor=actor, act="send_to_adjudication", items=keys[:ITEMS_LOGGED], n=len(keys)
        )
    there = len({(one.item, one.form) for one in found}) - sent - back
    return SentItems(sent, there, len(set(keys) - with_any), back)


def read_search(study: Study, raw: Mapping[str, Any]) -> Search:
    """Read and check the settings of a search.

    Parameters
    ----------
    study : Study
        Study of the criteria.
    raw : mapping
        `rule`, `form`, `criterion`, and `bound` and `part` where the rule has them.

    Raises
    ------
    InvalidContent
        `bad_search`; `fields` names each invalid setting.
    """
    known = {(one.form, one.key): one for one in searchable_criteria(study)}
    asked = known.get((str(raw.get("form", "")), str(raw.get("criterion", ""))))
    if asked is None:
        raise _bad("criterion", message("Choose a criterion of the study."))
    if raw.get("rule") not in set(Rule) or not can_search(Rule(raw["rule"]), asked.kind):
        raise _bad("rule", message("Choose a rule that applies to “%(name)s”.", name=asked.name))
    rule, part = Rule(raw["rule"]), str(raw.get("part") or "")
    if part and (rule is not Rule.OVERLAP or part not in asked.parts):
        raise _bad("part", message("Choose a component of its tuples, or none."))
    return Search(rule, asked.form, asked.key, _bound(rule, raw.get("bound")), part)


def request_search(*, study: Study, search: Search, actor: User | None) -> Job:
    """Start a background job that finds the items that a rule matches.

    Parameters
    ----------
    study : Study
        No draft.
    search : Search
        From `read_search`.
    actor : User or None
        User who asks.

    Raises
    ------
    NotAllowedNow
        `study_draft`.
    """
    check_not_draft(study)
    params = {**asdict(search), "rule": search.rule.value}
    return enqueue(kind=KIND, study=study, params=params, created_by=actor)


def run_search(*, lease: Lease) -> int:
    """Find the items that the rule of a job matches, and send them to adjudication; existing cases stay.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `adjudication`.

    Returns
    -------
    int
        New cases.
    """
    job, study = lease.job, lease.job.study
    if study is None:
        raise GroundworkError("Adjudication needs a study.", code="no_study")
    search = read_search(study, job.params)
    total = study.items.count()
    found = _disputes_by(
        search, study, lambda done: lease.beat(min(done, total - 1), total, "Comparing ratings")
    )
    lease.beat(total, total, "Sending items to adjudication")
    return lease.complete(lambda: _send_found(study, search, found, job.created_by))


def send_disputed(*, study: Study, search: Search, actor: User) -> int:
    """Find the items of a small study that a rule matches, and send them to adjudication at once.

    Parameters
    ----------
    study : Study
        A study of a few hundred responses, no draft; use `request_search` for others.
    search : Search
        From `read_search`.
    actor : User
        Member named in the log.

    Returns
    -------
    int
        New cases.

    Raises
    ------
    NotAllowedNow
        `study_draft`.
    """
    check_not_draft(study)
    with transaction.atomic():
        return _send_found(study, search, _disputes_by(search, study, lambda _: None), actor)


def _disputes_by(search: Search, study: Study, on_item: Callable[[int], None]) -> list[_Found]:
    return [
        _Found(item, one.form, one.criterion, one.rule, detail)
        for item, one, detail in find_disputes(study, [search], on_item)
    ]


def _send_found(study: Study, search: Search, found: Sequence[_Found], actor: User | None) -> int:
    """Create the cases that a search found, and record it; returns the number of new ones."""
    new = _open_cases(study, found, actor)
    audit.record(
        study=study,
        actor=actor,
        act="look_for_disputes",
        rule=search.rule.value,
        form=search.form,
        criterion=search.criterion,
        bound=search.bound or None,
        part=search.part,
        n=len(found),
        new=new,
    )
    return new


def _bad(name: str, sentence: str) -> InvalidContent:
    return InvalidContent(sentence, code="bad_search", fields={name: sentence})


def _bound(rule: Rule, raw: object) -> float:
    if rule not in BOUNDED:
        return 0.0
    try:
        bound = float(str(raw))
    except ValueError:
        bound = math.nan
    if rule is Rule.SPREAD and not 1 <= bound <= 100:
        raise _bad("bound", message("Enter a threshold between 1 and 100 scale points."))
    if rule is Rule.OVERLAP and not 0 < bound <= 1:
        raise _bad("bound", message("Enter a threshold above 0 and of at most 1."))
    return bound


def _check_number(keys: Sequence[str]) -> None:
    if not keys:
        raise InvalidContent(message("Select at least one item."), code="no_item")
    if len(keys) > MOST_AT_HAND:
        raise InvalidContent(
            message(
                "%(n)s items are too many. Select at most %(most)s, or find them by a rule.",
                n=f"{len(keys):,}",
                most=f"{MOST_AT_HAND:,}",
            ),
            code="too_many_items",
        )


def _check_known(study: Study, keys: Sequence[str]) -> None:
    possible = [key for key in keys if "\x00" not in key]
    known = set(Item.objects.filter(study=study, key__in=possible).values_list("key", flat=True))
    unknown = sorted(set(keys) - known)
    if unknown:
        raise InvalidContent(
            message("Nothing was sent: the study has no item “%(key)s”.", key=unknown[0]),
            code="unknown_item",
        )


def _open_cases(study: Study, found: Iterable[_Found], actor: User | None) -> int:
    forms = {form.key: form for form in Form.objects.filter(study=study)}
    return sum(_open_some(study, some, forms, actor) for some in _batches(found))


def _put_back(study: Study, found: Sequence[_Found], actor: User) -> int:
    """Return manually sent items to the queue if they were removed from it."""
    wanted = {(one.item, one.form) for one in found}
    withdrawn = Case.objects.filter(study=study, state=CaseState.WITHDRAWN)
    withdrawn = withdrawn.select_related("study", "item", "form")
    locked = withdrawn.select_for_update(of=("self",), no_key=True).order_by("pk")
    return put_back_locked([case for case in locked if (case.item.key, case.form.key) in wanted], actor)


def _batches(found: Iterable[_Found]) -> Iterator[list[_Found]]:
    source = iter(found)
    while some := list(islice(source, CHUNK_SIZE)):
        yield some


def _open_some(study: Study, found: Sequence[_Found], forms: Mapping[str, Form], actor: User | None) -> int:
    """Create cases and disputes; existing ones stay unchanged."""
    items = {item.key: item for item in study.items.filter(key__in={one.item for one in found})}
    wanted = {(items[one.item].pk, forms[one.form].pk): items[one.item] for one in found}
    mine = Case.objects.filter(study=study, item__in=[item for item, _ in wanted])
    before = mine.count()
    Case.objects.bulk_create(
        [
            Case(study=study, item=item, form_id=form, position=item.position)
            for (_, form), item in wanted.items()
        ],
        ignore_conflicts=True,
    )
    locked = mine.select_for_update(of=("self",), no_key=True).order_by("pk")
    cases = {(case.item_id, case.form_id): case for case in locked}
    Dispute.objects.bulk_create(
        [
            Dispute(
                case=cases[items[one.item].pk, forms[one.form].pk],
                criterion=one.criterion,
                rule=one.rule,
                detail=dict(one.detail),
                found_by=actor,
            )
            for one in found
        ],
        ignore_conflicts=True,
    )
    _reopen([case for case in cases.values() if case.state == CaseState.DECIDED])
    return len(cases) - before


def _reopen(decided: Sequence[Case]) -> None:
    """Reopen decided cases whose final answer lacks a criterion that is now disputed."""
    current = Verdict.objects.filter(case__in=decided, current=True)
    current = current.select_related("version", "case").prefetch_related(
        "answers__criterion", "version__criteria__points", "case__disputes"
    )
    for verdict in current:
        if not verdict.cannot_rate and _lacks_answer(verdict):
            talked = verdict.case.comments.exists()
            verdict.case.state = CaseState.DISCUSSED if talked else CaseState.OPEN
            verdict.case.save(update_fields=["state"])


def _lacks_answer(verdict: Verdict) -> bool:
    given = [(one.criterion, one.cell) for one in verdict.answers.all()]
    decided = {one.key: one.question_kind.decided_by(cell) for one, cell in given}
    disputed = {one.criterion for one in verdict.case.disputes.all()}
    questions = [question_of(one) for one in verdict.version.criteria.all()]
    return any(one.key in disputed - decided.keys() and one.is_asked(decided) for one in questions)
