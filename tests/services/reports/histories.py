"""Studies with an eventful history, and a ledger of their responses for a recount."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from django.utils import timezone

from annotation.models import (
    Assignment,
    Check,
    CheckVerdict,
    Criterion,
    Exclusion,
    Form,
    FormVersion,
    Item,
    Rater,
    Response,
    ScalePoint,
    Seat,
    StageFeed,
)
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.quality.exclusions import (
    exclude_items,
    exclude_rater,
    exclude_response,
    lift_exclusion,
)
from annotation.services.studies.texts.open_texts import change_open_texts
from annotation.services.studies.version_pooling import pool_with_previous, separate_from_previous
from tests.services.questions.rewording import reword
from tests.support.people import Cast, add_form, make_cast
from tests.support.studies.counting_study import respond

STAGE = "stories"


@dataclass
class Entry:
    """A response as the test gave it; `answers` has the number of values by kind of question."""

    form: str
    version: str
    item: str
    rater: str
    answers: dict[str, int]
    cannot: bool
    late: bool
    pk: int


@dataclass
class History:
    """A study and a separate record of what happened in it."""

    cast: Cast
    draw: random.Random
    entries: list[Entry] = field(default_factory=list)
    kinds: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    pools: dict[tuple[str, str], int] = field(default_factory=dict)
    order: dict[str, list[str]] = field(default_factory=dict)
    wanted: dict[tuple[str, str], int] = field(default_factory=dict)
    added: set[str] = field(default_factory=set)
    retired: set[str] = field(default_factory=set)
    gone_items: set[str] = field(default_factory=set)
    gone_raters: set[str] = field(default_factory=set)
    gone_responses: set[int] = field(default_factory=set)
    simulated: set[str] = field(default_factory=set)
    checks: list[bool] = field(default_factory=list)

    @property
    def versions(self) -> dict[str, FormVersion]:
        """The newest version of each form."""
        forms = self.cast.study.forms.all()
        return {form.key: form.versions.latest("number", "correction") for form in forms}

    def note_version(self, version: FormVersion, *, pooled: bool) -> None:
        """Write a version down; one that is not pooled starts the next pool."""
        form, kinds = version.form.key, [one.kind for one in version.criteria.all()]
        known = self.order.setdefault(form, [])
        last = max((self.pools[form, label] for label in known), default=-1)
        self.kinds[form, version.label] = kinds
        self.pools[form, version.label] = last if pooled else last + 1
        known.append(version.label)


def make_history(seed: int) -> History:
    """A study in which a seed decides what is asked and what happens, in twelve acts."""
    draw = random.Random(seed)
    items = draw.randint(4, 7)
    cast = make_cast(slug=f"history-{seed}", items=items, overlap=draw.randint(2, 4))
    history = History(cast, draw)
    form = cast.study.forms.get()
    first = form.versions.get()
    if draw.random() < 0.6:
        _ask(first, "kind", "choice")
    if draw.random() < 0.6:
        _ask(first, "why", "text")
    history.note_version(first, pooled=False)
    history.wanted |= {(form.key, item.key): form.overlap for item in cast.study.items.all()}
    if draw.random() < 0.4:
        _add_stage(history)
    if draw.random() < 0.4:
        cast.study.pilot = make_cast(slug=f"pilot-{seed}", opened=False).study
        cast.study.pilot.title = f"Pilot {seed} of 20"
        cast.study.pilot.save(update_fields=["title"])
        cast.study.save(update_fields=["pilot"])
    acts = [answer, answer, answer, correct, renew, exclude, lift, add_item, raise_ratings, check, pool, late]
    acts += [instruct, retire]
    answer(history)
    for act in draw.choices(acts, k=12):
        act(history)
    answer(history)
    return history


def _ask(version: FormVersion, key: str, kind: str) -> None:
    criterion = Criterion.objects.create(
        version=version, key=key, name=key.title(), kind=kind, position=5, required=kind != "text"
    )
    if kind == "choice":
        ScalePoint.objects.bulk_create(
            ScalePoint(criterion=criterion, value=value, label=value, position=at)
            for at, value in enumerate(("simile", "metaphor", "neither"))
        )


def _add_stage(history: History) -> None:
    study = history.cast.study
    version = add_form(study, overlap=2, key=STAGE)
    StageFeed.objects.create(
        target=version.form, source=study.forms.get(key="similes"), criterion="quality", value="5"
    )
    history.note_version(version, pooled=False)
    for item in list(study.items.all())[: history.draw.randint(1, 3)]:
        _add_slots(history, version.form, item, 2)


def _add_slots(history: History, form: Form, item: Item, number: int) -> None:
    there = Seat.objects.filter(form=form, item=item).count()
    Seat.objects.bulk_create(
        Seat(form=form, item=item, slot=slot) for slot in range(there + 1, there + number + 1)
    )
    history.wanted[form.key, item.key] = history.wanted.get((form.key, item.key), 0) + number


def answer(history: History) -> None:
    """A new rater, simulated or not, answers some of the items of each form."""
    study, draw = history.cast.study, history.draw
    code = f"R-{100 + len({one.rater for one in history.entries})}"
    simulated = draw.random() < 0.3
    rater = Rater.objects.create(study=study, code=code, state="active", simulated=simulated)
    history.simulated |= {code} if simulated else set()
    for form, version in history.versions.items():
        items = [item for item in study.items.all() if (form, item.key) in history.wanted]
        for item in draw.sample(items, draw.randint(1, len(items))):
            _store(history, rater, item, version)


def _store(history: History, rater: Rater, item: Item, version: FormVersion) -> None:
    draw, values, counts = history.draw, {}, dict.fromkeys(("likert", "choice", "text"), 0)
    cannot = draw.random() < 0.12
    for one in version.criteria.all():
        if cannot or (one.kind == "text" and draw.random() < 0.4):
            continue
        options = {
            "likert": range(1, 6),
            "choice": ("simile", "metaphor", "neither"),
            "text": ("So.", "Yes."),
        }
        values[one] = draw.choice(list(options[one.kind]))
        counts[one.kind] += 1
    late = draw.random() < 0.1
    (stored,) = store_responses(
        loaded=[
            LoadedResponse(
                item, rater, version, values, cannot_rate="lacks_context" if cannot else "", late=late
            )
        ]
    )
    entry = Entry(version.form.key, version.label, item.key, rater.code, counts, cannot, late, stored.pk)
    history.entries.append(entry)


def correct(history: History) -> None:
    """The wording is corrected."""
    _reword(history, correction=True)


def renew(history: History) -> None:
    """The wording becomes a new version."""
    _reword(history, correction=False)


def _reword(history: History, *, correction: bool) -> None:
    words = f"How good is it, {len(history.order['similes'])}?"
    version = reword(history.cast.study, history.cast.users["owner"], words, correction=correction)
    history.note_version(version, pooled=correction)


def instruct(history: History) -> None:
    """The instructions of the study change: a correction or a new version of each form."""
    correction = history.draw.random() < 0.5
    words = f"Rate what is meant, {len(history.order['similes'])}."
    change_open_texts(
        study=history.cast.study,
        actor=history.cast.users["owner"],
        texts={"instructions": words},
        correction=correction,
    )
    for version in history.versions.values():
        history.note_version(version, pooled=correction)


def pool(history: History) -> None:
    """A member pools a version with the one before it, or separates them."""
    labels = history.order["similes"]
    if len(labels) < 2:
        return
    at = history.draw.randrange(1, len(labels))
    number, _, correction = labels[at].partition(".")
    version = FormVersion.objects.get(
        form__study=history.cast.study, form__key="similes", number=number, correction=correction or 0
    )
    here, before = (history.pools["similes", labels[place]] for place in (at, at - 1))
    act = separate_from_previous if here == before else pool_with_previous
    act(version=version, reason="They mean the same.", actor=history.cast.users["owner"])
    step = 1 if here == before else -1
    for label in labels[at:]:
        history.pools["similes", label] += step


def exclude(history: History) -> None:
    """A rater, an item or a response is excluded."""
    study, actor, draw = history.cast.study, history.cast.users["owner"], history.draw
    one = draw.choice(history.entries)
    what = draw.choice(("rater", "item", "response"))
    if what == "rater" and one.rater not in history.gone_raters:
        exclude_rater(rater=study.raters.get(code=one.rater), reason="?", actor=actor)
        history.gone_raters.add(one.rater)
    elif what == "item" and one.item not in history.gone_items:
        exclude_items(study=study, keys=[one.item], reason="?", actor=actor)
        history.gone_items.add(one.item)
    elif what == "response" and one.pk not in history.gone_responses:
        exclude_response(response=Response.objects.get(pk=one.pk), reason="?", actor=actor)
        history.gone_responses.add(one.pk)


def lift(history: History) -> None:
    """An exclusion is lifted."""
    active = Exclusion.objects.filter(study=history.cast.study, lift__isnull=True).order_by("pk").first()
    if active is None:
        return
    lift_exclusion(exclusion=active, reason="A slip.", actor=history.cast.users["owner"])
    if active.rater:
        history.gone_raters.remove(active.rater.code)
    elif active.item:
        history.gone_items.remove(active.item.key)
    elif active.response_id:
        history.gone_responses.remove(active.response_id)


def add_item(history: History) -> None:
    """An item is added, with its rating slots."""
    study = history.cast.study
    position = study.items.count()
    item = Item.objects.create(
        study=study,
        key=f"N{position:02d}",
        group="new",
        system=history.draw.choice(("by-hand", "program", "")),
        fields={"simile": "New."},
        position=position,
        added_at=timezone.now(),
    )
    history.added.add(item.key)
    form = study.forms.get(key="similes")
    _add_slots(history, form, item, form.overlap)


def retire(history: History) -> None:
    """An item is retired: nothing more is asked of it, and what was asked and answered stays."""
    item = history.draw.choice(list(history.cast.study.items.all()))
    Item.objects.filter(pk=item.pk).update(retired_at=timezone.now())
    history.retired.add(item.key)


def raise_ratings(history: History) -> None:
    """Some items are to receive one rating more."""
    study = history.cast.study
    for item in history.draw.sample(list(study.items.all()), 2):
        _add_slots(history, study.forms.get(key="similes"), item, 1)


def check(history: History) -> None:
    """A rater passes or fails an attention check."""
    study, draw = history.cast.study, history.draw
    version, place = history.versions["similes"], len(history.checks)
    rater = Rater.objects.filter(study=study, code=history.entries[-1].rater).get()
    item = Item.everything.create(study=study, key=f"check-{place}", planted=True, position=900 + place)
    planted = Check.objects.create(
        study=study, key=f"c{place}", kind="repeat", form=version.form, settings={"criteria": ["quality"]}
    )
    page = Assignment.objects.create(
        rater=rater, item=item, form=version.form, version=version, purpose="check", check_planted=planted
    )
    respond(page)
    passed = draw.random() < 0.7
    CheckVerdict.objects.create(assignment=page, passed=passed, reason="repeat", chance=0.2)
    history.checks.append(passed)


def late(history: History) -> None:
    """A response turns out to be late."""
    one = history.draw.choice(history.entries)
    Response.objects.filter(pk=one.pk).update(late=True)
    one.late = True
