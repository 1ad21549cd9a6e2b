"""A study of simile candidates that can be scored without models."""

from __future__ import annotations

from annotation.models import Item, Study
from annotation.services.base.jobs import Lease, claim
from scoring.models import ScoreRun
from scoring.services.similes.score_runs import compute_scores, request_scores
from scoring.services.similes.score_settings import ScoreSettings

VEHICLES = ("a snail", "a leaf", "an arrow", "a kettle on a stove", "wildfire")
PLAIN = ScoreSettings("none")


def make_similes(study: Study, *, groups: int = 2, each: int = 5, first: int = 0) -> list[Item]:
    """Candidates for literal sentences, all with a comparator; the number of the first group is `first`."""
    return Item.objects.bulk_create(
        Item(
            study=study,
            key=f"G{group:04d}-{place}",
            group=f"G{group:04d}",
            system=f"system {place}",
            position=group * each + place,
            fields={
                "literal": f"The bus number {group} climbed the hill.",
                "simile": f"The bus number {group} climbed the hill like {VEHICLES[place % len(VEHICLES)]}.",
            },
        )
        for group in range(first, first + groups)
        for place in range(each)
    )


def lease_for(study: Study, asked: ScoreSettings = PLAIN) -> Lease:
    """The lease of a new job."""
    job = request_scores(study=study, actor=None, asked=asked, announce=False)
    lease = claim(job_id=job.pk)
    assert lease is not None
    return lease


def score(study: Study, asked: ScoreSettings = PLAIN) -> ScoreRun:
    """Score a study here and now."""
    compute_scores(lease=lease_for(study, asked), sharing=False)
    return ScoreRun.objects.filter(study=study).latest("pk")
