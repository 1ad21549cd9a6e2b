"""The workbench's figures equal the plainest computation of each, on an unbalanced study of seven points."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import permutations

import numpy as np
import pytest
from django.utils import timezone
from scipy import stats

from annotation.models import Assignment, Criterion, Exclusion, Item, Rater, RaterKind, Response, Study, User
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.quality.exclusion_rules import declare_rule
from annotation.services.quality.exclusions import WITHDRAWN, exclude_items
from annotation.services.studies.lifecycle import create_study
from scoring.models import FigureSet, ItemFigure, RaterFigure
from scoring.selectors.raters.item_matches import item_keys
from scoring.selectors.raters.item_query import ItemView
from tests.support.people import add_form
from tests.support.studies.disagreement_study import figures_of, owner_of, previewed

pytestmark = pytest.mark.django_db
RULE = [{"kind": "opposition", "criterion": "quality", "low": 2, "high": 6}]
SHUFFLES = 25
Cells = dict[str, dict[str, float]]


@pytest.fixture
def study() -> Study:
    """Sixty items, eight raters of unequal diligence; what must not count is strewn among it."""
    rng = np.random.default_rng(5)
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_study(slug="seven", title="Seven", owner=owner, consent="", instructions="")
    version = add_form(study, overlap=4)
    version.criteria.exclude(key="quality").delete()
    quality = version.criteria.get()
    Criterion.objects.filter(pk=quality.pk).update(maximum=7)
    quality.refresh_from_db()
    items = Item.objects.bulk_create(
        Item(study=study, key=f"I{n:02d}", fields={"simile": f"It is {n}."}, position=n)
        for n in range(SHUFFLES)
    )
    people = Rater.objects.bulk_create(
        Rater(study=study, code=f"R-{n:03d}", state="active") for n in range(1, 9)
    )
    worth, lean = rng.normal(4, 1.3, 60), rng.normal(0, 0.8, 8)
    loaded = []
    for n, item in enumerate(items):
        for place in rng.choice(8, size=1 + int(rng.integers(5)), replace=False, shuffle=True):
            value = int(np.clip(round(worth[n] + lean[place] + rng.normal(0, 1.2)), 1, 7))
            loaded.append(LoadedResponse(item, people[place], version, {quality: value}, seconds=9.0))
    stored = store_responses(loaded=loaded)
    Response.objects.filter(pk__in=[one.pk for one in stored[::17]]).update(late=True)
    corrected = stored[3]
    Response.objects.filter(pk=corrected.pk).update(current=False)
    again = Response.objects.create(
        assignment=corrected.assignment,
        revision=2,
        version=version,
        submission_key="00000000-0000-0000-0000-00000000abcd",
        submitted_at=timezone.now(),
    )
    again.ratings.create(criterion=quality, value=7, minimum=1, maximum=7)
    trial = Rater.objects.create(study=study, code="T-1", kind=RaterKind.TRIAL, state="active")
    tried = Assignment.objects.create(
        rater=trial, item=items[0], form=version.form, version=version, purpose="trial"
    )
    answer = Response.objects.create(
        assignment=tried,
        version=version,
        submission_key="00000000-0000-0000-0000-00000000abce",
        submitted_at=timezone.now(),
    )
    answer.ratings.create(criterion=quality, value=1, minimum=1, maximum=7)
    Exclusion.objects.create(study=study, rater=people[7], rule=WITHDRAWN, reason="Left.")
    exclude_items(study=study, keys=["I05", "I06"], reason="Odd.", actor=owner)
    return study


def without(code: str, own: dict[str, float]) -> dict[str, float]:
    return {other: value for other, value in own.items() if other != code}


def counting(study: Study, *, items_out: bool, left: str = "R-008") -> Cells:
    """Item → rater → value, from the rows themselves, without the rater who left."""
    cells: Cells = defaultdict(dict)
    found = Response.objects.filter(assignment__item__study=study, current=True, late=False)
    for one in found.exclude(assignment__rater__code__in=["T-1", left]):
        key = one.assignment.item.key
        if not (items_out and key in {"I05", "I06"}):
            value = one.ratings.get().value
            assert value is not None
            cells[key][one.assignment.rater.code] = value
    return cells


def alpha_parts(cells: Cells) -> dict[str, float]:
    """What each item takes from ordinal α: ordered pairs of values, marginals of the pairable ones."""
    units = {key: list(own.values()) for key, own in cells.items() if len(own) > 1}
    every = [value for own in units.values() for value in own]
    n: dict[float, int] = {value: every.count(value) for value in range(1, 8)}

    def distance(one: float, other: float) -> float:
        low, high = sorted((one, other))
        return (sum(n[g] for g in range(int(low), int(high) + 1)) - (n[low] + n[high]) / 2) ** 2

    total = len(every)
    expected = sum(n[one] * n[other] * distance(one, other) for one in n for other in n) / (total - 1)
    return {
        key: sum(distance(one, other) for one, other in permutations(own, 2)) / (len(own) - 1) / expected
        for key, own in units.items()
    }


def is_split(own: dict[str, float]) -> bool:
    """Some give two or less while others give six or more."""
    return min(own.values()) <= 2 and max(own.values()) >= 6


def of_items(made: FigureSet) -> dict[str, ItemFigure]:
    return {
        one.summary.key: one
        for one in ItemFigure.objects.filter(summary__made=made).select_related("summary")
    }


def test_items_take_from_alpha_what_is_taken_by_hand(study: Study) -> None:
    made = figures_of(study)
    parts = alpha_parts(counting(study, items_out=True))
    stored = {key: one.from_alpha for key, one in of_items(made).items() if one.from_alpha is not None}
    assert stored == pytest.approx(parts, abs=1e-12)
    assert made.criteria[0]["alpha"] == pytest.approx(1 - sum(parts.values()), abs=1e-12)


def test_spread_range_and_opposition_are_those_of_the_values(study: Study) -> None:
    made = figures_of(study)
    cells = counting(study, items_out=False)
    for key, one in of_items(made).items():
        own = list(cells.get(key, {}).values())
        assert one.n == len(own)
        if own:
            assert one.mean == pytest.approx(np.mean(own))
            assert (one.minimum, one.maximum) == (min(own), max(own))
    split = set(item_keys(made, ItemView(split="quality")))
    assert split == {key for key, own in cells.items() if is_split(own)}
    assert split


def test_severity_and_held_out_correlations_are_those_of_the_pairs_with_included_raters(study: Study) -> None:
    figures_of(study)
    included, everyone = counting(study, items_out=False), counting(study, items_out=False, left="")
    for one in RaterFigure.objects.select_related("rater"):
        pairs = [
            (everyone[key][one.rater.code], np.mean(list(others.values())))
            for key in everyone
            if one.rater.code in everyone[key] and (others := without(one.rater.code, included.get(key, {})))
        ]
        assert one.n_shared == len(pairs)
        if not pairs:
            assert one.severity is None
            continue
        own, others = np.array(pairs).T
        low, high = stats.t.interval(0.95, len(pairs) - 1, np.mean(own - others), stats.sem(own - others))
        assert (one.severity, one.severity_low, one.severity_high) == pytest.approx(
            (float(np.mean(own - others)), low, high)
        )
        if len(pairs) >= 10:
            assert one.held_out == pytest.approx(stats.pearsonr(own, others)[0])


def test_a_preview_says_before_after_and_by_chance_what_is_found_by_hand(study: Study) -> None:
    rule = declare_rule(
        study=study, name="Split", conditions=RULE, reason="?", criteria=["quality"], actor=owner_of(study)
    )
    preview = previewed(rule)
    cells = counting(study, items_out=True)
    row = preview.tables["selection"][0]

    def without_split(given: Cells) -> Cells:
        return {
            key: own for key, own in given.items() if not (min(own.values()) <= 2 and max(own.values()) >= 6)
        }

    def alpha(given: Cells) -> float:
        return 1 - sum(alpha_parts(given).values())

    left = without_split(cells)
    assert row["before"] == pytest.approx(alpha(cells), abs=1e-12)
    assert row["after"] == pytest.approx(alpha(left), abs=1e-12)
    assert preview.tables["gone"]["items"] == len(cells) - len(left)
    rng, before, after, dropped = np.random.default_rng(11), [], [], []
    for _ in range(SHUFFLES):
        dealt: Cells = defaultdict(dict)
        for code in {code for own in cells.values() for code in own}:
            had = [key for key, own in cells.items() if code in own]
            for key, source in zip(had, rng.permutation(had), strict=True):
                dealt[key][code] = cells[source][code]
        before.append(alpha(dealt))
        after.append(alpha(without_split(dealt)))
        remaining = rng.choice(sorted(cells), size=len(left), replace=False)
        dropped.append(alpha({key: cells[key] for key in remaining}))
    for name, own in (("shuffled_before", before), ("shuffled_after", after), ("random_after", dropped)):
        assert row[name] == pytest.approx(np.mean(own), abs=float(5 * np.std(own) / math.sqrt(SHUFFLES)))
    assert preview.method["seed"] is not None
    assert row["shuffles"] == preview.method["shuffles"]
