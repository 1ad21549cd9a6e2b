"""The groups that a run has to compute, found from a few bytes a candidate."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Item, Study
from scoring.models import ScoreChunk, ScoredItem
from scoring.selectors.similes.candidate_digests import candidate_digests, changed_groups
from scoring.selectors.similes.similes import digest_of, fingerprint, similes
from scoring.services.similes.run_environment import toolkit
from scoring.services.similes.score_runs import ensure_run
from scoring.services.similes.score_settings import ScoreSettings
from tests.support.studies.simile_study import PLAIN, make_similes, score

pytestmark = pytest.mark.django_db
OVER_THE_RUN = ScoreSettings("none", metrics=("self_bleu_3",), reference_set="run")


def nothing() -> None:
    """No lease to renew."""


def chunks_of_last_job(study: Study) -> list[ScoreChunk]:
    return list(ScoreChunk.objects.filter(job=study.jobs.latest("pk")))


def scattered(study: Study, groups: list[str]) -> list[Item]:
    return Item.objects.bulk_create(
        Item(
            study=study,
            key=f"I{place:03d}",
            group=group,
            position=place,
            fields={"simile": f"The bus number {place} climbed the hill like a snail."},
        )
        for place, group in enumerate(groups)
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    groups=st.lists(st.sampled_from(["", "A", "B", "C"]), min_size=1, max_size=12),
    stored=st.sets(st.integers(0, 11)),
    stale=st.sets(st.integers(0, 11)),
)
def test_the_same_groups_are_found_as_by_comparing_each_in_turn(
    db: None, groups: list[str], stored: set[int], stale: set[int]
) -> None:
    Study.objects.filter(slug="buses").delete()
    study = Study.objects.create(slug="buses", title="Buses")
    items = scattered(study, groups)
    with toolkit(PLAIN) as kit:
        run = ensure_run(study, kit)
    members: dict[str, list[tuple[str, str]]] = {}
    for group, simile in similes(study, study.items.all()):
        members.setdefault(group or f"alone {simile.key}", []).append((simile.key, digest_of(simile)))
    prints = {
        int(key): fingerprint(own, run.key, belongs=not name.startswith("alone"))
        for name, own in members.items()
        for key, _ in own
    }
    known = {
        items[place].pk: "0" * 64 if place in stale else prints[items[place].pk]
        for place in stored
        if place < len(items)
    }
    ScoredItem.objects.bulk_create(
        ScoredItem(run=run, item_id=item, fingerprint=print_) for item, print_ in known.items()
    )
    plain = [
        [int(key) for key, _ in own]
        for own in members.values()
        if any(known.get(int(key)) != prints[int(key)] for key, _ in own)
    ]
    candidates = candidate_digests(study, "data", nothing)
    found = [candidates.items[rows].tolist() for rows in changed_groups(candidates, run, "", nothing)]
    assert found == plain


def test_a_run_that_compares_with_all_texts_does_no_work_again_where_some_have_no_group() -> None:
    study = Study.objects.create(slug="buses", title="Buses")
    scattered(study, ["", "A", "", "A"])
    score(study, OVER_THE_RUN)
    score(study, OVER_THE_RUN)
    assert chunks_of_last_job(study) == []


def test_a_study_that_lost_its_items_has_nothing_to_plan() -> None:
    study = Study.objects.create(slug="buses", title="Buses")
    candidates = candidate_digests(study, "data", nothing)
    with toolkit(PLAIN) as kit:
        run = ensure_run(study, kit)
    assert list(changed_groups(candidates, run, "", nothing)) == []


def test_a_group_whose_items_are_far_from_each_other_is_in_one_chunk() -> None:
    study = Study.objects.create(slug="buses", title="Buses")
    items = make_similes(study, groups=60)
    Item.objects.filter(pk__in=[items[0].pk, items[-1].pk]).update(group="ends")
    score(study)
    (first, *_) = chunks_of_last_job(study)
    assert [items[0].pk, items[-1].pk] == first.items[:2]
