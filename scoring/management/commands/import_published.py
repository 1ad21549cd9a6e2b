"""`manage.py import_published hauser --data DIR`: published ratings as a closed study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.errors import FileRefused
from annotation.models import User
from scoring.services.published.registry import IMPORTERS


class Command(BaseCommand):
    help = "Load published ratings from your copy of their files as a closed study."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", choices=list(IMPORTERS))
        parser.add_argument("--data", required=True, type=Path, metavar="DIR", help="folder with the files")
        parser.add_argument(
            "--owner", metavar="EMAIL", help="owner of the study (default: the demo's people)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["data"].is_dir():
            raise CommandError(f"{options['data']} is no folder.", returncode=2)
        owner = None
        if options["owner"]:
            owner = User.objects.filter(email__iexact=options["owner"]).first()
            if owner is None:
                raise CommandError(f"{options['owner']} has no account: see add_user.", returncode=2)
        try:
            study, loaded = IMPORTERS[options["name"]](data=options["data"], owner=owner)
        except FileRefused as refusal:
            raise CommandError(f"Nothing was stored.\n{refusal.message}", returncode=2) from refusal
        if loaded:
            counts = f"{study.items.count()} items, {study.raters.count()} raters"
            self.stdout.write(f"Loaded the study {study.slug!r}: {counts}.")
        else:
            self.stdout.write(f"The study {study.slug!r} is there already; nothing was changed.")
