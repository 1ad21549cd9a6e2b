"""The workload of an assignment design before a study opens: rating slots, raters, time and cost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import joined, message
from annotation.domain.base.states import DesignKind

CENT = Decimal("0.01")


@dataclass(frozen=True)
class FormLoad:
    """A form as far as planning needs it.

    `overlap` is how many raters each item needs and `per_rater` caps the items one rater is given.
    `seconds` is the expected active time of one page; where criteria are asked separately, of the
    page of one criterion. `panel` names the raters of the form. `excludes_raters_of` is the earlier
    form whose raters do not rate by this one, item by item or at all. `budget` is the maximum number
    of ratings of all items together, for adaptive pairs.
    """

    key: str
    overlap: int = 3
    per_rater: int | None = None
    criteria: tuple[str, ...] = ()
    seconds: float = 30.0
    panel: tuple[str, ...] = ()
    excludes_raters_of: str = ""
    budget: int | None = None


@dataclass(frozen=True)
class Design:
    """How a study assigns its items.

    With `crossed` each criterion is asked separately. `mixed` puts pages of several forms into one
    batch. `per_rater` caps the pages one rater is given of all forms together. In the design `all`
    the overlap is the number of raters.
    """

    kind: DesignKind
    items: int
    forms: tuple[FormLoad, ...]
    crossed: bool = False
    per_rater: int | None = None
    batch_size: int | None = None
    batches_per_rater: int | None = None
    mixed: bool = False


@dataclass(frozen=True)
class Work:
    """Time of raters besides the pages, and its cost.

    `seconds_before` is spent once by each rater (consent, background, qualification). The study has so
    many `checks` of `check_seconds`: a rater meets each of them once, one after every `check_every` pages;
    in batches every batch has one. `fee` is the platform's share on top.
    """

    seconds_before: float = 0.0
    checks: int = 0
    check_every: int | None = None
    check_seconds: float = 30.0
    pay_per_hour: Decimal | None = None
    fee: Decimal = Decimal(0)


@dataclass(frozen=True)
class Bound:
    """The minimum number of raters who can fill every rating slot, and the reason for it.

    `reason` is `overlap` (no rater rates an item twice), `form_cap`, `rater_cap`, `batch_cap`,
    `everyone`, `stages` (each has its own), `named` or `nothing_to_rate`; `form` is the form in question,
    empty for all.
    """

    raters: int
    reason: str
    form: str = ""


@dataclass(frozen=True)
class Share:
    """The least and the most one rater gets when the work is spread evenly."""

    least: int
    most: int


@dataclass(frozen=True)
class Batching:
    """How many batches there are, and how many of them one rater gets."""

    batches: int
    per_rater: Share


@dataclass(frozen=True)
class Plan:
    """The workload of a design with `raters` raters; `checks` are in addition to the rating slots."""

    seats: int
    pages: int
    checks: int
    raters_needed: Bound
    raters: int
    pages_per_rater: Share
    batching: Batching | None
    seconds: float
    cost: Decimal | None

    @property
    def enough(self) -> bool:
        return self.raters >= self.raters_needed.raters

    @property
    def hours(self) -> float:
        return self.seconds / 3600


def asked_forms(design: Design) -> tuple[FormLoad, ...]:
    """The forms that raters get: with crossed criteria, one for each criterion."""
    if not design.crossed:
        return design.forms
    return tuple(
        replace(form, key=f"{form.key}/{criterion}", criteria=(criterion,))
        if len(form.criteria) > 1
        else form
        for form in design.forms
        for criterion in form.criteria or ("",)
    )


def plan(design: Design, work: Work | None = None, *, raters: int | None = None) -> Plan:
    """Count what a design assigns, before anything is assigned.

    `raters` is how many people are expected, by default the fewest who can do the work; a panel's raters
    are those it names, whatever is expected. Without `work` only pages count, and there is no cost.

    Raises
    ------
    InvalidContent
        Code `design_impossible`; `fields` names each invalid setting.
    """
    refuse_impossible(design)
    if raters is not None and raters < 0:
        raise InvalidContent(message("The number of raters must be at least 0."), code="design_impossible")
    work = work or Work()
    forms = asked_forms(design)
    needed = raters_needed(design)
    people = needed.raters if raters is None or design.kind is DesignKind.PANELS else raters
    if design.kind is DesignKind.ALL:
        forms = tuple(replace(form, overlap=people) for form in forms)
        needed = replace(needed, raters=people)
    seats = sum(_ratings(design, form) for form in forms)
    checks = _check_pages(design, forms, people, work)
    on_items = sum(_ratings(design, form) * form.seconds for form in forms)
    seconds = on_items + checks * work.check_seconds + people * work.seconds_before
    batching = _batching(design, forms, people)
    return Plan(
        seats=seats,
        pages=design.items * len(forms),
        checks=checks,
        raters_needed=needed,
        raters=people,
        pages_per_rater=_pages_per_rater(design, forms, people, batching),
        batching=batching,
        seconds=seconds,
        cost=_cost(seconds, work),
    )


def panel_needs(design: Design, form: FormLoad) -> int:
    """The number of raters that a panel needs, so that every item gets its ratings."""
    if not design.items:
        return form.overlap
    return max(form.overlap, math.ceil(design.items * form.overlap / _most_items(design, form)))


def raters_needed(design: Design) -> Bound:
    """The minimum number of raters who can fill every rating slot without rating an item twice.

    The bound is reached: sharing each slot equally among so many raters keeps every cap, so by
    the integrality of flows whole slots can be shared out as well.
    """
    forms = asked_forms(design)
    if design.items == 0 or not forms:
        return Bound(0, "nothing_to_rate")
    if design.kind is DesignKind.PANELS:
        return Bound(len({name for form in forms for name in form.panel}), "named")
    if design.kind is DesignKind.ALL:
        return Bound(max(form.overlap for form in forms), "everyone")
    most = max(forms, key=lambda form: form.overlap)
    bounds = [Bound(most.overlap, "overlap", most.key if len(forms) > 1 else "")]
    if design.kind is DesignKind.BATCHES and design.batches_per_rater:
        given = sum(count * overlap for count, overlap in _stacks(design, forms))
        bounds.append(Bound(math.ceil(given / design.batches_per_rater), "batch_cap"))
    if design.kind is DesignKind.POOL:
        bounds += [*_cap_bounds(design, forms), *_stage_bounds(forms)]
    return max(bounds, key=lambda bound: bound.raters)


def refuse_impossible(design: Design) -> None:
    """Refuse a design that no number of raters can fill (`design_impossible`, with `fields`)."""
    problems = dict(_problems(design, asked_forms(design)))
    if problems:
        raise InvalidContent(
            message("This design is not possible. %(problems)s", problems=joined(problems.values())),
            code="design_impossible",
            fields=problems,
        )


def _problems(design: Design, forms: Sequence[FormLoad]) -> Iterable[tuple[str, str]]:
    counts = [design.items + 1, *(form.overlap for form in forms)]
    caps = [design.per_rater, design.batch_size, design.batches_per_rater, *(f.per_rater for f in forms)]
    if min(counts) < 1 or any(cap is not None and cap < 1 for cap in caps):
        yield "numbers", message("Numbers of items, ratings per item, limits and sizes must be at least 1.")
    elif design.kind is DesignKind.BATCHES:
        yield from _batch_problems(design, forms)
    elif design.kind is DesignKind.PANELS:
        yield from _panel_problems(design, forms)
    elif design.kind is DesignKind.ALL and (design.per_rater or any(form.per_rater for form in forms)):
        yield "per_rater", message("The complete design cannot have a limit per rater. Remove the limit.")


def _batch_problems(design: Design, forms: Sequence[FormLoad]) -> Iterable[tuple[str, str]]:
    if design.batch_size is None:
        yield "batch_size", message("Enter the number of pages per batch.")
    if design.per_rater or any(form.per_rater for form in forms):
        yield "per_rater", message("Batches are assigned whole. Limit the batches per rater, not the items.")
    if design.mixed and len({form.overlap for form in forms}) > 1:
        yield "overlap", message("Forms in the same batch need the same number of ratings per item.")


def _panel_problems(design: Design, forms: Sequence[FormLoad]) -> Iterable[tuple[str, str]]:
    for form in forms:
        if len(set(form.panel)) != len(form.panel):
            yield form.key, message("The panel of “%(form)s” contains a rater twice.", form=form.key)
        elif len(form.panel) < panel_needs(design, form):
            has, needs = len(form.panel), panel_needs(design, form)
            sentence = message(
                "The panel of “%(form)s” has %(has)s of the %(needs)s raters it needs.",
                form=form.key,
                has=has,
                needs=needs,
            )
            yield form.key, sentence


def _cap_bounds(design: Design, forms: Sequence[FormLoad]) -> Iterable[Bound]:
    for form in forms:
        seats = _ratings(design, form)
        yield Bound(math.ceil(seats / _most_items(design, form)), "form_cap", form.key)
    if design.per_rater:
        seats = sum(_ratings(design, form) for form in forms)
        yield Bound(math.ceil(seats / design.per_rater), "rater_cap")


def _stage_bounds(forms: Sequence[FormLoad]) -> Iterable[Bound]:
    """Stages with different raters need as many as both together."""
    overlaps = {form.key: form.overlap for form in forms}
    for form in forms:
        if form.excludes_raters_of and form.excludes_raters_of in overlaps:
            yield Bound(form.overlap + overlaps[form.excludes_raters_of], "stages", form.key)


def _most_items(design: Design, form: FormLoad) -> int:
    return design.items if form.per_rater is None else min(design.items, form.per_rater)


def _ratings(design: Design, form: FormLoad) -> int:
    """The maximum number of ratings of all items; adaptive pairs are limited by their budget."""
    ratings = design.items * form.overlap
    return ratings if form.budget is None else min(ratings, form.budget)


def _stacks(design: Design, forms: Sequence[FormLoad]) -> list[tuple[int, int]]:
    """Numbers of batches with the number of raters each needs."""
    size = design.batch_size or 1
    if design.mixed and forms:
        return [(math.ceil(design.items * len(forms) / size), forms[0].overlap)]
    return [(math.ceil(design.items / size), form.overlap) for form in forms]


def _batch_sizes(design: Design, forms: Sequence[FormLoad]) -> list[int]:
    """Pages of every batch, the smallest first: a stack is divided as evenly as possible."""
    pages = [design.items * len(forms)] if design.mixed else [design.items for _ in forms]
    sizes = []
    for of_stack, (count, _) in zip(pages, _stacks(design, forms), strict=True):
        least, more = divmod(of_stack, max(count, 1))
        sizes += [least] * (count - more) + [least + 1] * more
    return sorted(sizes)


def _batching(design: Design, forms: Sequence[FormLoad], people: int) -> Batching | None:
    if design.kind is not DesignKind.BATCHES:
        return None
    stacks = _stacks(design, forms)
    batches = sum(count for count, _ in stacks)
    most = min(batches, design.batches_per_rater or batches)
    return Batching(batches, _evenly(sum(count * overlap for count, overlap in stacks), people, most))


def _pages_per_rater(
    design: Design, forms: Sequence[FormLoad], people: int, batching: Batching | None
) -> Share:
    if design.kind is DesignKind.PANELS:
        shares = _panel_shares(design, forms)
        return Share(min((s.least for s in shares), default=0), max((s.most for s in shares), default=0))
    if batching is not None and batching.batches:
        sizes, share = _batch_sizes(design, forms), batching.per_rater
        return Share(sum(sizes[: share.least]), sum(sizes[len(sizes) - share.most :]))
    capacity = sum(_most_items(design, form) for form in forms)
    seats = sum(_ratings(design, form) for form in forms)
    return _evenly(seats, people, min(capacity, design.per_rater or capacity))


def _check_pages(design: Design, forms: Sequence[FormLoad], people: int, work: Work) -> int:
    """The pages with checks of all raters, the work spread evenly."""
    if not work.checks:
        return 0
    if design.kind is DesignKind.BATCHES:
        return sum(count * overlap for count, overlap in _stacks(design, forms))
    if design.kind is DesignKind.PANELS:
        return sum(_checks_among(pages, work) for pages in _panel_pages(design, forms))
    share = _pages_per_rater(design, forms, people, None)
    with_most = sum(_ratings(design, form) for form in forms) - people * share.least
    with_most = min(with_most, people) if share.most > share.least else 0
    least, most = _checks_among(share.least, work), _checks_among(share.most, work)
    return (people - with_most) * least + with_most * most


def _checks_among(pages: int, work: Work) -> int:
    """The checks that one rater meets among so many pages."""
    return min(pages // work.check_every, work.checks) if work.check_every else 0


def _panel_pages(design: Design, forms: Sequence[FormLoad]) -> list[int]:
    """The pages of each named rater; the order of names decides which raters of a panel have one more."""
    pages: Counter[str] = Counter()
    for form in forms:
        least, more = divmod(design.items * form.overlap, len(form.panel))
        pages.update({name: least + (place < more) for place, name in enumerate(sorted(form.panel))})
    return list(pages.values())


def _panel_shares(design: Design, forms: Sequence[FormLoad]) -> list[Share]:
    """The pages of each named rater from the panels that name them."""
    shares = []
    for name in sorted({name for form in forms for name in form.panel}):
        parts = [
            _evenly(design.items * form.overlap, len(form.panel), design.items)
            for form in forms
            if name in form.panel
        ]
        shares.append(Share(sum(part.least for part in parts), sum(part.most for part in parts)))
    return shares


def _evenly(work: int, people: int, most: int) -> Share:
    if not people:
        return Share(0, 0)
    return Share(min(work // people, most), min(math.ceil(work / people), most))


def _cost(seconds: float, work: Work) -> Decimal | None:
    if work.pay_per_hour is None:
        return None
    pay = Decimal(str(seconds)) / 3600 * work.pay_per_hour * (1 + work.fee)
    return pay.quantize(CENT, rounding=ROUND_CEILING)
