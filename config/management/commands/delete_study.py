"""`manage.py delete_study STUDY`: deletes a study after a period, or cancels this."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.management.studies import all_or_nothing, study_named
from annotation.services.studies.deletion import cancel_deletion, request_deletion


class Command(BaseCommand):
    help = "Delete a closed study after the days of GROUNDWORK_STUDY_DELETION_DAYS, or cancel this."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        asked = parser.add_mutually_exclusive_group(required=True)
        asked.add_argument("--title", help="title of the study, as confirmation")
        asked.add_argument("--cancel", action="store_true", help="keep a study that was to be deleted")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        with all_or_nothing():
            if options["cancel"]:
                cancel_deletion(study=study, actor=None)
                self.stdout.write(f"Deletion of {study.slug!r} cancelled.")
            else:
                due = request_deletion(study=study, title=options["title"], actor=None).deleted_after
                self.stdout.write(f"{study.slug!r} will be deleted after {due:%Y-%m-%d %H:%M} UTC.")
