"""`manage.py import_published hauser --data DIR`: import published ratings as a closed study."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from annotation.domain.base.errors import FileRefused
from annotation.models import User
from annotation.selectors.items.probing_table import refused_answers
from annotation.selectors.questions.tuple_tables import has_tuples, location_line
from scoring.services.reports.published.cmdag_tuples import FILES
from scoring.services.reports.published.registry import IMPORTERS, PUBLISHED_ITEMS, RELATED_IMPORTS


class Bars:
    """A progress bar for each kind of stored row; nothing without a terminal."""

    def __init__(self) -> None:
        self._bars: dict[str, tqdm[Any]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for bar in self._bars.values():
            bar.close()

    def show(self, what: str, done: int, total: int) -> None:
        if what not in self._bars:
            self._bars[what] = tqdm(total=total, desc=what, disable=None)
        self._bars[what].update(done - self._bars[what].n)


class Command(BaseCommand):
    help = "Import published ratings from your copy of their files as a closed study."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", choices=list(IMPORTERS), help="published study")
        parser.add_argument("--data", required=True, type=Path, metavar="DIR", help="folder with the files")
        parser.add_argument("--owner", metavar="EMAIL", help="owner of the study (default: demo accounts)")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["data"].is_dir():
            raise CommandError(f"{options['data']} is not a folder.", returncode=2)
        owner = None
        if options["owner"]:
            owner = User.objects.filter(email__iexact=options["owner"]).first()
            if owner is None:
                raise CommandError(
                    f"{options['owner']} has no account. Create one with add_user.", returncode=2
                )
        self._load(options["name"], options["data"], owner)
        for name in RELATED_IMPORTS.get(options["name"], ()):
            if (options["data"] / FILES[name][0]).is_file():
                self._load(name, options["data"], owner)

    def _load(self, name: str, data: Path, owner: User | None) -> None:
        try:
            with Bars() as bars:
                study, loaded = IMPORTERS[name](data=data, owner=owner, progress=bars.show)
        except FileRefused as refusal:
            raise CommandError(
                f"Import failed. Nothing was saved.\n{refusal.message}", returncode=2
            ) from refusal
        if not loaded:
            self.stdout.write(f"The study {study.slug!r} already exists. The files were not read.")
            return
        items, whole = study.items.count(), PUBLISHED_ITEMS[name]
        self.stdout.write(f"Study {study.slug!r} imported: {items} items, {study.raters.count()} raters.")
        for sentence in refused_answers(study):
            self.stderr.write(f"Answer refused: {sentence}")
        if items != whole:
            self.stderr.write(f"This copy differs from the published data, which have {whole} items.")
        if has_tuples(study):
            self.stdout.write(location_line(study))
