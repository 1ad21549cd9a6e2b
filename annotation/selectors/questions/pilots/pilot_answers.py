"""The answers of a pilot that are pooled with those of its main study: which, and under which names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from annotation.models import (
    Exclusion,
    Form,
    FormVersion,
    Item,
    PilotMatch,
    PlatformIdentity,
    Response,
    Study,
)
from annotation.selectors.questions.counting import submitted

EMPTY: tuple[Any, ...] = ("", None, False, [], {})
OF_VERSION = ("question", "blocks", "cannot_rate", "examples", "translations")
OF_CRITERION = (
    *("key", "name", "question", "kind", "minimum", "maximum", "required", "asked_after", "asked_when"),
    "settings",
)
# Items of the pilot that a page compares before all others.
FIRST_COMPARED = 20
OF_POINT = ("value", "label", "description")


@dataclass(frozen=True)
class Matched:
    """The parts of a pilot that its main study has too.

    Parameters
    ----------
    items
        Pilot's item to the main study's with the same ID and the same texts, by key.
    other_items
        Items of the pilot that the main study lacks or has with other texts, by key.
    differing
        IDs that both have, with other texts.
    absent
        Number of items of the pilot whose ID the main study lacks.
    versions
        Pilot's form version that raters answered to the main study's with the same questions and words.
    other_versions
        Answered form versions of the pilot, such as `similes 2`, that the main study does not have.
    """

    items: Mapping[int, int]
    other_items: Sequence[int]
    differing: Sequence[str]
    absent: int
    versions: Mapping[int, int]
    other_versions: Sequence[str]


@dataclass(frozen=True)
class PilotAnswers:
    """The answers of a pilot that are pooled, in terms of the main study.

    Parameters
    ----------
    pilot
        The pilot study of the answers.
    items, other_items, versions
        As of `Matched`.
    raters
        From the pilot's raters to their codes in the pooled data: the code in the main study for a rater of
        both, else their code after the short name of the pilot, such as `pilot:R-01`.
    doubled
        Answers of raters who have answered the same form about the same item in the main study, or who are
        the second rater of the pilot to be the same rater there.
    """

    pilot: Study
    items: Mapping[int, int]
    other_items: Sequence[int]
    versions: Mapping[int, int]
    raters: Mapping[int, str]
    doubled: frozenset[int]

    def responses(self, *, all_revisions: bool = False) -> QuerySet[Response]:
        """The pooled responses, excluded and late ones included."""
        found = submitted(self.pilot, all_revisions=all_revisions)
        wanted = found.filter(version__in=list(self.versions))
        # Whichever list is shorter: usually all items are in both studies.
        if len(self.other_items) <= len(self.items):
            wanted = wanted.exclude(assignment__item__in=self.other_items) if self.other_items else wanted
        else:
            wanted = wanted.filter(assignment__item__in=list(self.items))
        return wanted.exclude(pk__in=self.doubled) if self.doubled else wanted

    def own_raters(self) -> list[int]:
        """Raters with a pooled response who do not rate in the main study too."""
        answered = self.responses().order_by().values_list("assignment__rater", flat=True).distinct()
        own = f"{self.pilot.slug}:"
        return [pk for pk in answered if self.raters[pk].startswith(own)]

    def excluded(self, main: Study) -> Q:
        """Named by an exclusion of the pilot, or of an item or a rater that the main study excludes."""
        active = Exclusion.objects.filter(study=self.pilot, lift__isnull=True)
        columns = {"response": "pk", "rater": "assignment__rater", "item": "assignment__item"}
        named = Q(pk__in=[])
        for kind, path in columns.items():
            targets = active.filter(**{f"{kind}__isnull": False}).values(kind)
            named |= Q(**{f"{path}__in": targets})
        gone = list(
            Exclusion.objects.filter(study=main, lift__isnull=True).values_list("item", "rater__code")
        )
        items, codes = ({one[place] for one in gone} - {None} for place in (0, 1))
        return (
            named
            | Q(assignment__item__in=[own for own, item in self.items.items() if item in items])
            | Q(assignment__rater__in=[own for own, code in self.raters.items() if code in codes])
        )


def pilot_answers(study: Study) -> PilotAnswers | None:
    """The pilot's answers that statistics and exports of a main study include; None if it is separate.

    Parameters
    ----------
    study : Study
        The main study; its members may have declared that both are pooled.
    """
    if study.pilot_pooled_at is None or study.pilot is None:
        return None
    return _pooled(study, study.pilot, match(study, study.pilot))


def _pooled(study: Study, pilot: Study, found: Matched) -> PilotAnswers:
    same = _same_people(study, pilot)
    codes = pilot.raters.values_list("pk", "code")
    return PilotAnswers(
        pilot=pilot,
        items=found.items,
        other_items=found.other_items,
        versions=found.versions,
        raters={pk: same.get(pk, f"{pilot.slug}:{code}") for pk, code in codes},
        doubled=_doubled(study, pilot, same, found) if same else frozenset(),
    )


@dataclass(frozen=True)
class PoolingPreview:
    """What pooling takes in, and what it leaves out because the main study lacks it or differs.

    Numbers of `responses` and `items` that fit, and of `absent` items; `differing` and `other_versions` as of
    `Matched`.
    """

    responses: int
    items: int
    absent: int
    differing: Sequence[str]
    other_versions: Sequence[str]

    @property
    def obstacle(self) -> str:
        """Why no response fits, as `item`, `form` or `answer`: what both lack; empty where some fit."""
        if self.responses:
            return ""
        if not self.items:
            return "item"
        return "form" if self.other_versions else "answer"


def fits_nothing(study: Study) -> bool:
    """Whether a study is pooled with its pilot although no response of it fits (any more).

    A few items are compared first: as long as one of them fits, a page needs no more than these.

    Parameters
    ----------
    study : Study
        The main study; its items and forms may have changed since the declaration.
    """
    if study.pilot_pooled_at is None or study.pilot is None or _one_fits(study, study.pilot):
        return False
    pooled = pilot_answers(study)
    return pooled is None or not pooled.responses().exists()


def _one_fits(study: Study, pilot: Study) -> bool:
    """Whether a few items that the pilot's raters answered fit; False can also mean that others do."""
    versions, _ = _same_versions(study, pilot)
    rated = submitted(pilot).filter(
        version__in=list(versions), assignment__item__key__in=study.items.values("key")
    )
    own = rated.exclude(assignment__rater__in=list(_same_people(study, pilot))).order_by()
    few = dict(own.values_list("assignment__item__key", "assignment__item__fields")[:FIRST_COMPARED])
    here = Item.objects.filter(study=study, key__in=list(few)).values_list("key", "fields")
    return any(few[key] == fields for key, fields in here)


def pooling_preview(study: Study, pilot: Study) -> PoolingPreview:
    """What pooling takes in, whether it is declared or not.

    Parameters
    ----------
    study, pilot
        A main study and its pilot.
    """
    found = match(study, pilot)
    return PoolingPreview(
        responses=_pooled(study, pilot, found).responses().count(),
        items=len(found.items),
        absent=found.absent,
        differing=found.differing,
        other_versions=found.other_versions,
    )


def match(study: Study, pilot: Study) -> Matched:
    """Match items by ID and form versions by their words.

    Parameters
    ----------
    study, pilot
        A main study and its pilot.
    """
    own = {key: (pk, fields) for pk, key, fields in _items(study)}
    items: dict[int, int] = {}
    others: list[int] = []
    differing = []
    for pk, key, fields in _items(pilot):
        if key in own and own[key][1] == fields:
            items[pk] = own[key][0]
        else:
            others.append(pk)
            differing += [key] if key in own else []
    versions, other_versions = _same_versions(study, pilot)
    return Matched(items, others, differing, len(others) - len(differing), versions, other_versions)


def _same_versions(study: Study, pilot: Study) -> tuple[dict[int, int], list[str]]:
    """As of `Matched`: the versions with the same words, and the labels of the others."""
    of_study = {_words(version): version.pk for version in _versions(study)}
    answered = set(submitted(pilot).order_by().values_list("version", flat=True).distinct())
    versions: dict[int, int] = {}
    other_versions = []
    for version in _versions(pilot):
        if version.pk in answered:
            known = of_study.get(_words(version))
            if known is None:
                other_versions.append(f"{version.form.key} {version.label}")
            else:
                versions[version.pk] = known
    return versions, other_versions


def _items(study: Study) -> QuerySet[Item, Any]:
    return Item.objects.filter(study=study).order_by("position", "pk").values_list("pk", "key", "fields")


def _versions(study: Study) -> list[FormVersion]:
    """In their order, so that of two versions with the same words the newer one is found."""
    found = FormVersion.objects.filter(form__in=Form.objects.filter(study=study)).select_related("form")
    ordered = found.order_by("form__position", "form", "number", "correction")
    return list(ordered.prefetch_related("criteria__points"))


def _words(version: FormVersion) -> str:
    """The texts and questions of a version as a string, which is equal for equal versions."""
    criteria = [
        [
            *(getattr(one, name) for name in OF_CRITERION),
            [[getattr(point, name) for name in OF_POINT] for point in one.points.all()],
        ]
        for one in version.criteria.all()
    ]
    asked = [version.form.key, version.shown_title, *(getattr(version, name) for name in OF_VERSION)]
    return repr(_plain([*asked, criteria]))


def _plain(value: Any) -> Any:
    """Remove empty entries: a definition may write them out or leave them out."""
    if isinstance(value, dict):
        plain = {name: _plain(part) for name, part in value.items()}
        return {name: part for name, part in sorted(plain.items()) if part not in EMPTY}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def _same_people(study: Study, pilot: Study) -> dict[int, str]:
    """The pilot's raters who rate in the main study too, with their code there.

    They are known by account or platform ID, or by a match that was stored before these were erased.
    """
    stored = PilotMatch.objects.filter(rater__study=pilot, main_rater__study=study)
    matched = dict(stored.values_list("rater", "main_rater__code"))
    accounts = dict(study.raters.filter(user__isnull=False).values_list("user", "code"))
    joined = pilot.raters.filter(user__in=list(accounts)).values_list("pk", "user") if accounts else ()
    found = matched | {pk: accounts[user] for pk, user in joined}
    ids = PlatformIdentity.objects.filter(erased_at__isnull=True)
    known = {
        (platform, person): code
        for platform, person, code in ids.filter(study=study).values_list("platform", "person", "rater__code")
    }
    came = ids.filter(study=pilot).values_list("rater", "platform", "person") if known else ()
    return found | {
        rater: known[platform, person] for rater, platform, person in came if (platform, person) in known
    }


def _doubled(study: Study, pilot: Study, same: Mapping[int, str], found: Matched) -> frozenset[int]:
    own = submitted(study).filter(assignment__rater__code__in=set(same.values())).order_by()
    given = set(own.values_list("assignment__rater__code", "assignment__item", "assignment__form__key"))
    theirs = submitted(pilot, all_revisions=True).filter(assignment__rater__in=list(same)).order_by()
    columns = ("pk", "assignment__rater", "assignment__item", "assignment__form__key")
    # Two raters of the pilot may be the same rater here: one by account, the other by platform ID.
    first: dict[tuple[str, int | None, str], int] = {}
    doubled = set()
    for pk, rater, item, form in theirs.order_by("pk").values_list(*columns):
        place = (same[rater], found.items.get(item), form)
        if place in given or first.setdefault(place, rater) != rater:
            doubled.add(pk)
    return frozenset(doubled)
