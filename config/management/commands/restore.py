"""`manage.py restore FILE`: an archive of `backup` into an empty installation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.management.progress_bar import shown
from annotation.services.base.backup.manifest import NEEDS_KEY
from annotation.services.base.backup.reading import GIB
from annotation.services.base.backup.restoring import Restored, restore_backup
from annotation.services.base.backup.settling import Settled
from config.command_line import command
from config.distribution import release


class Command(BaseCommand):
    help = "Restore a file of `backup` into an empty installation that is not running: all of it, or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="written by `backup`, on SQLite or on PostgreSQL")
        parser.add_argument(
            "--max-gb",
            type=int,
            help="maximum size when unpacked (default: 50 times its size, at least 1 GB)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        largest = options["max_gb"] and options["max_gb"] * GIB
        try:
            with shown() as progress:
                done = restore_backup(source=options["file"], largest=largest, progress=progress)
        except GroundworkError as refusal:
            raise CommandError(f"{refusal.message} ({refusal.code})", returncode=2) from refusal
        self._tell(options["file"], done)

    def _tell(self, file: Path, done: Restored) -> None:
        made = done.manifest
        files = "1 file" if done.files == 1 else f"{done.files} files"
        lines = [f"Restored {made.rows} rows and {files} of {made.made_at}."]
        if made.version != release():
            lines.append(f"Upgraded from version {made.version} to {release()}.")
        lines += [f"{what}: {n}." for what, n in _unfinished(done.settled).items() if n]
        if not done.key and made.key_included:
            lines.append(
                "SECRET_KEY is set to another key than that of the archive: set it to what "
                f"`unzip -p {file} secret-key` prints first, and SECRET_KEY_FALLBACKS to the rest. "
                f"Until then, {NEEDS_KEY}."
            )
        elif not done.key:
            lines.append(
                f"This installation has another secret key, and the archive has none. So {NEEDS_KEY}. "
                "Set the old SECRET_KEY to recover these."
            )
        lines.append(
            f"All users must sign in again. Check the data with `{command('verify')}`, then start the server."
        )
        self.stdout.write("\n".join(lines))


def _unfinished(settled: Settled) -> dict[str, int]:
    return {
        "Unfinished jobs that start again": settled.jobs,
        "Jobs that would send something, cancelled": settled.cancelled,
        "Waiting webhook messages that are not sent": settled.messages,
        "Waiting emails to raters, now in doubt": settled.emails,
        "Waiting decisions about submissions on crowd platforms, now in doubt": settled.decisions,
        "Studies to be created on crowd platforms, now in doubt": settled.drafts,
    }
