"""The simulated hand-out fills the seats, and the map of shared items shows which raters are connected."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.states import DesignKind
from annotation.domain.seats.designs import Design, FormLoad
from annotation.domain.seats.shared_items import assign_evenly, connected_parts, shared_items

STORIES = FormLoad("stories", overlap=3)
RATED = st.dictionaries(st.text(max_size=3), st.frozensets(st.integers(0, 30)), max_size=8)


@given(RATED)
def test_the_map_counts_the_items_in_common(rated):
    shared = shared_items(rated)
    assert shared.counts == tuple(
        tuple(len(rated[one] & rated[other]) for other in rated) for one in shared.raters
    )


@given(RATED)
def test_parts_share_no_item_and_hold_everybody_who_rates(rated):
    parts = connected_parts(shared_items(rated))
    assert sorted(name for part in parts for name in part) == sorted(name for name in rated if rated[name])
    covered = [frozenset().union(*(rated[name] for name in part)) for part in parts]
    assert sum(len(items) for items in covered) == len(frozenset().union(*covered))


def test_a_chain_connects_and_a_single_common_item_may_be_too_few():
    shared = shared_items({"a": {1, 2}, "b": {2, 3, 4}, "c": {3, 4, 5}, "idle": set()})
    assert connected_parts(shared) == (("a", "b", "c"),)
    assert connected_parts(shared, least=2) == (("a",), ("b", "c"))
    assert connected_parts(shared_items({"a": {1}, "b": {2}})) == (("a",), ("b",))
    assert connected_parts(shared_items({})) == ()


@given(st.integers(1, 30), st.integers(1, 5), st.integers(0, 10), st.integers(0, 99))
def test_an_uncapped_pool_is_filled_exactly(items, overlap, more, seed):
    design = Design(DesignKind.POOL, items, (replace(STORIES, overlap=overlap),))
    pages = assign_evenly(design, seed=seed, raters=overlap + more)
    served = Counter(page for own in pages.values() for page in own)
    assert served == {(item, "stories"): overlap for item in range(items)}
    loads = [len(own) for own in pages.values()]
    assert len(loads) == overlap + more


@pytest.mark.parametrize("raters", [1, 4, 12])
def test_caps_hold_however_few_come(raters):
    design = Design(
        DesignKind.POOL, 40, (replace(STORIES, per_rater=10), FormLoad("jokes", overlap=2)), per_rater=15
    )
    for own in assign_evenly(design, seed=1, raters=raters).values():
        assert len(own) <= 15
        assert sum(form == "stories" for _, form in own) <= 10


def test_twelve_raters_on_forty_items_are_connected():
    design = Design(DesignKind.POOL, 40, (STORIES,))
    assert len(connected_parts(shared_items(assign_evenly(design, seed=2, raters=12)))) == 1


def test_one_batch_a_rater_splits_the_raters_into_a_part_a_batch():
    design = Design(DesignKind.BATCHES, 100, (STORIES,), batch_size=20, batches_per_rater=1)
    parts = connected_parts(shared_items(assign_evenly(design, seed=2)))
    assert [len(part) for part in parts] == [3] * 5


def test_batches_of_mixed_forms_hold_pages_of_each():
    forms = (STORIES, FormLoad("jokes", overlap=3))
    design = Design(DesignKind.BATCHES, 10, forms, batch_size=20, mixed=True)
    pages = assign_evenly(design, seed=2)
    assert all({form for _, form in own} == {"stories", "jokes"} for own in pages.values())
    assert all(len(own) == 20 for own in pages.values())


def test_panels_and_everyone():
    panels = (
        FormLoad("quality", overlap=2, panel=("ann", "bo")),
        FormLoad("novelty", overlap=1, panel=("cy", "dee")),
    )
    pages = assign_evenly(Design(DesignKind.PANELS, 6, panels), seed=1)
    assert set(pages) == {"ann", "bo", "cy", "dee"}
    assert pages["ann"] == pages["bo"] == {(item, "quality") for item in range(6)}
    assert len(pages["cy"]) + len(pages["dee"]) == 6
    everyone = assign_evenly(Design(DesignKind.ALL, 6, (STORIES,)), seed=1, raters=4)
    assert [len(own) for own in everyone.values()] == [6] * 4
