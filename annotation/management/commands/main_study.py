"""`manage.py main_study PILOT --slug … --title … --owner …`: the main study of a pilot, as a draft."""

from __future__ import annotations

import re
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import IntegrityError

from annotation.management.studies import all_or_nothing, study_named
from annotation.models import User
from annotation.services.studies.pilots.main_study import MainItems, create_main_study

SLUG = re.compile(r"[-a-zA-Z0-9_]{1,60}")


class Command(BaseCommand):
    help = "Create the main study of a pilot study as a draft: a copy with items, without links and ratings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the pilot study")
        parser.add_argument("--slug", required=True, help="slug of the main study")
        parser.add_argument("--title", required=True, help="title of the main study")
        parser.add_argument("--owner", required=True, help="email address of its owner")
        parser.add_argument(
            "--items",
            choices=[one.value for one in MainItems],
            default=MainItems.ACTIVE.value,
            help="all items, those not retired, or those of them without a response",
        )
        parser.add_argument("--admit-pilot-raters", action="store_true", help="raters of the pilot can join")

    def handle(self, *args: Any, **options: Any) -> None:
        pilot = study_named(options["study"])
        owner = User.objects.filter(email__iexact=options["owner"]).first()
        if owner is None:
            raise CommandError(
                f"There is no account {options['owner']!r}. Create it with add_user.", returncode=2
            )
        if not SLUG.fullmatch(options["slug"]):
            raise CommandError("A slug has 1 to 60 letters, digits, hyphens or underscores.", returncode=2)
        try:
            with all_or_nothing():
                made = create_main_study(
                    pilot=pilot,
                    slug=options["slug"],
                    title=options["title"],
                    owner=owner,
                    items=MainItems(options["items"]),
                    refuse_raters=not options["admit_pilot_raters"],
                    with_pay=True,
                )
        except IntegrityError as taken:
            raise CommandError(
                f"The slug {options['slug']!r} is already taken. Choose another --slug.", returncode=2
            ) from taken
        count = made.study.items.count()
        self.stdout.write(
            f"Draft {made.study.slug!r} created as the main study of {pilot.slug!r}: {count} items."
        )
        self.stdout.write("The responses of the pilot stay in the pilot, and its statistics are separate.")
        for one in made.left_out:
            self.stdout.write(f"Not copied: {one}.")
