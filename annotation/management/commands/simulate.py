"""`manage.py simulate STUDY --raters N --mix careful=.8,random=.2`: a study filled with simulated raters."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import RaterState
from annotation.domain.rating.simulated_raters import WHAT_IS_SIMULATED, parse_mix
from annotation.management.studies import study_named
from annotation.selectors.quality.rater_profile import profiles
from annotation.selectors.studies.progress import totals
from annotation.services.rating.simulation import simulate

NOT_QUALIFIED = {
    RaterState.FAILED: "did not pass the calibration items",
    RaterState.QUALIFYING: "are still qualifying: they are waiting for approval or have stopped",
}


class Command(BaseCommand):
    help = "Fill an open study with simulated raters and report how many are flagged."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("--raters", type=int, default=10)
        parser.add_argument(
            "--mix", default="careful=1", help="proportions of careful, random, line, fast, middle"
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--most", type=int, default=None, help="maximum number of pages per rater")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        try:
            people = simulate(
                study=study,
                raters=options["raters"],
                mix=parse_mix(options["mix"]),
                seed=options["seed"],
                most=options["most"],
            )
        except GroundworkError as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal
        found = totals(study)
        self.stdout.write(
            f"{len(people)} simulated raters joined {study.slug!r}; {found.placed} of {found.needed} "
            f"responses saved, {found.left} left."
        )
        states = Counter(study.raters.filter(pk__in=[rater.pk for rater, _ in people]).values_list("state"))
        for state, words in NOT_QUALIFIED.items():
            if states[state,]:
                self.stdout.write(f"  {states[state,]} {words}.")
        flagged = {one.rater.pk: bool(one.flagged) for one in profiles(study, [rater for rater, _ in people])}
        came = Counter(pattern for _, pattern in people)
        shown = Counter(pattern for rater, pattern in people if flagged[rater.pk])
        for pattern, count in sorted(came.items()):
            self.stdout.write(f"  {pattern:8} {count:4} raters, {shown[pattern]:4} flagged")
        self.stdout.write(WHAT_IS_SIMULATED)
