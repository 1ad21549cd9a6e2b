"""`manage.py backup FILE`: the whole installation, as it is now, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.management.progress_bar import shown
from annotation.services.base.backup.manifest import NEEDS_KEY
from annotation.services.base.backup.writing import write_backup


class Command(BaseCommand):
    help = "Write all data of this installation to one file, while it runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a new file, readable by its owner only")
        parser.add_argument("--with-key", action="store_true", help="include the secret key")

    def handle(self, *args: Any, **options: Any) -> None:
        target: Path = options["file"]
        try:
            with shown() as progress:
                made = write_backup(target=target, with_key=options["with_key"], progress=progress)
        except GroundworkError as refusal:
            raise CommandError(f"{refusal.message} ({refusal.code})", returncode=2) from refusal
        files = sum(name.startswith(("media/", "knowledge/")) for name in made.members)
        size = target.stat().st_size / 1e6
        with_files = "1 file" if files == 1 else f"{files} files"
        self.stdout.write(f"Wrote {target}: {made.rows} rows and {with_files}, {size:.1f} MB.")
        if made.key_included:
            self.stdout.write("It contains the secret key: keep the file where no other person can read it.")
        else:
            self.stdout.write(
                "It does not contain the secret key: keep SECRET_KEY, or the file secret-key in "
                f"GROUNDWORK_VAR, in another place. Without it, {NEEDS_KEY}."
            )
