"""A study in which some responses do not count, each for a reason of its own."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from annotation.domain.base.states import Purpose
from annotation.domain.quality.checks import CheckKind
from annotation.models import (
    Assignment,
    Check,
    Criterion,
    FormVersion,
    Rater,
    RaterKind,
    Response,
    Study,
    Withdrawal,
)
from annotation.services.quality.exclusion_rules import apply_rule, declare_rule
from annotation.services.quality.exclusions import (
    exclude_items,
    exclude_rater,
    exclude_response,
    lift_exclusion,
)
from annotation.services.rating.withdrawal import withdraw
from tests.support.people import Cast, add_form, make_cast
from tests.support.studies.adjudication_study import decide_all
from tests.support.studies.disagreement_study import previewed

FAST = [{"kind": "too_fast", "seconds": 3}]


@dataclass(frozen=True)
class Given:
    """A response and why it might not count."""

    rater: str
    item: str
    version: int
    late: bool = False
    out: bool = False
    item_out: bool = False


# Item L03 is excluded; R-X and R-W are excluded raters; R-F was too fast on L00.
GIVEN = (
    *(Given("R-A", f"L0{n}", 1, item_out=n == 3) for n in range(4)),
    *(Given("R-B", f"L0{n}", 1, late=n == 1, out=n == 0, item_out=n == 3) for n in range(4)),
    *(Given("R-C", f"L0{n}", 2, late=n == 2, item_out=n == 3) for n in range(4)),
    *(Given("R-D", f"L0{n}", 2, item_out=n == 3) for n in range(4)),
    *(Given("R-F", f"L0{n}", 2, out=n == 0) for n in range(2)),
    *(Given("R-X", f"L0{n}", 3, out=True) for n in range(2)),
    *(Given("R-W", f"L0{n}", 2, out=True) for n in range(2)),
    Given("R-S", "L00", 2),
)
NOT_MAIN = (Purpose.TRIAL, Purpose.CHECK, Purpose.QUALIFICATION)


def make_counting_cast() -> Cast:
    """A study with late responses, three versions of its form and every kind of exclusion."""
    cast = make_cast(items=4, overlap=3)
    study, form = cast.study, cast.study.forms.get()
    versions = {1: form.versions.get()}
    for number in (2, 3):
        made = add_form(study, overlap=3, key=f"other-{number}")
        other, made.form, made.number = made.form, form, number
        made.pool = made.place
        made.save()
        other.delete()
        versions[number] = made
    for place, one in enumerate(GIVEN):
        seconds = 1.0 if (one.rater, one.item) == ("R-F", "L00") else 9.0 + place
        answer(study, one, versions[one.version], seconds)
    check = Check.objects.create(
        study=study, key="again", kind=CheckKind.REPEAT, form=form, settings={"criteria": ["quality"]}
    )
    for purpose in NOT_MAIN:
        rater = Rater.objects.create(
            study=study,
            code=f"R-{purpose}",
            state="active",
            kind=RaterKind.TRIAL if purpose is Purpose.TRIAL else RaterKind.PERSON,
        )
        item = study.items.get(key="L00")
        page = {"rater": rater, "item": item, "form": form, "version": versions[3], "purpose": purpose}
        planted = {"check_planted": check} if purpose is Purpose.CHECK else {}
        respond(Assignment.objects.create(**page, **planted))
    exclude(cast)
    return cast


def answer(study: Study, given: Given, version: FormVersion, seconds: float) -> None:
    rater, _ = Rater.objects.get_or_create(
        study=study, code=given.rater, defaults={"state": "active", "simulated": given.rater == "R-S"}
    )
    item = study.items.get(key=given.item)
    page = Assignment.objects.create(rater=rater, item=item, form=version.form, version=version)
    if given.rater == "R-A":
        respond(page, current=False, late=True)
    cannot = "lacks_context" if (given.rater, given.item) == ("R-D", "L01") else ""
    respond(page, revision=2, late=given.late, seconds=seconds, cannot_rate=cannot)


def respond_to(study: Study, code: str, item: str, version: FormVersion) -> None:
    """One response that counts."""
    rater, _ = Rater.objects.get_or_create(study=study, code=code, defaults={"state": "active"})
    about = study.items.get(key=item)
    respond(Assignment.objects.create(rater=rater, item=about, form=version.form, version=version))


def respond(page: Assignment, **fields: Any) -> None:
    made = Response.objects.create(
        assignment=page,
        version=page.version,
        submission_key=uuid.uuid4(),
        submitted_at=timezone.now(),
        **fields,
    )
    if made.cannot_rate:
        return
    for criterion in Criterion.objects.filter(version=page.version):
        value = 1 + (page.item_id + page.rater_id) % 5
        made.ratings.create(criterion=criterion, value=value, minimum=1, maximum=5)


def exclude(cast: Cast) -> None:
    """By hand, by withdrawal and by a rule; one that is lifted takes nothing out."""
    study, owner = cast.study, cast.users["owner"]
    by: dict[str, Any] = {"reason": "?", "actor": owner}
    exclude_rater(rater=study.raters.get(code="R-X"), **by)
    Study.objects.filter(pk=study.pk).update(on_withdrawal=Withdrawal.EXCLUDE)
    withdraw(rater=study.raters.get(code="R-W"))
    exclude_items(study=study, keys=["L03"], **by)
    exclude_response(
        response=Response.objects.get(assignment__rater__code="R-B", assignment__item__key="L00"), **by
    )
    lift_exclusion(exclusion=exclude_rater(rater=study.raters.get(code="R-A"), **by), **by)
    rule = declare_rule(
        study=study, name="Fast", conditions=FAST, reason="?", criteria=("quality",), actor=owner
    )
    apply_rule(rule=rule, actor=owner, **previewed(rule).tables["caught"])
    decide_all(study, owner, ["L02"])


Pairs = Counter[tuple[str, str]]


def expected(*, late: bool, versions: tuple[int, ...] = (1, 2, 3), excluded_items: bool = False) -> Pairs:
    return Counter(
        (one.rater, one.item)
        for one in GIVEN
        if not one.out
        and (late or not one.late)
        and one.version in versions
        and (excluded_items or not one.item_out)
    )
