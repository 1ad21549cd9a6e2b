"""`manage.py export STUDY`: write a table of a study to a file, all tables as a data bundle, or a release."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.timestamps import DAY, ROUNDINGS
from annotation.io.base.whole_file import whole_file
from annotation.io.base.writers import WRITERS, write_rows
from annotation.management.studies import study_named
from annotation.models import Release, Study
from annotation.selectors.questions.cmdag import cmdag_json
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.services.base.jobs import Lease, claim
from scoring.bundle.contents import ASKED
from scoring.bundle.release.publication import LICENCES, TEXT_LICENCES, Publication
from scoring.selectors.reports.exports import EXPORTED, table_of
from scoring.services.reports.bundles import write_bundle
from scoring.services.reports.releases import make_release, request_release

BUNDLE = "bundle"


class Command(BaseCommand):
    help = "Export the ratings or another table of a study, its data bundle, or a new release."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument(
            "--what",
            choices=(*EXPORTED, *DOCUMENTS, BUNDLE),
            default="ratings",
            help="table (default: ratings)",
        )
        parser.add_argument(
            "--format",
            choices=sorted(WRITERS),
            help="format of the table (default: csv); for a bundle, an additional format of the main tables",
        )
        parser.add_argument("--out", default="-", metavar="FILE", help="file to write; - for standard output")
        parser.add_argument("--judges", action="store_true", help="include the answers of automatic judges")
        parser.add_argument("--licence", choices=tuple(LICENCES), default="", help="of the data, in a bundle")
        parser.add_argument(
            "--author",
            action="append",
            default=[],
            metavar="NAME",
            help="author of the data, in a bundle, such as 'Duarte, Ines (0000-0002-1825-0097)'; repeatable",
        )
        parser.add_argument(
            "--texts-licence", choices=TEXT_LICENCES, default="", help="of the texts of items, if another"
        )
        _add_release_options(parser)
        parser.add_argument("--bom", action="store_true", help="start CSV and TSV with a byte order mark")
        parser.add_argument("--all-revisions", action="store_true", help="include earlier revisions")
        parser.add_argument(
            "--rater", default="", metavar="CODE", help="for cmdag: export only the tuples of this rater"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        if options["out"] == "-" and not options["release"]:
            self._write(study, sys.stdout.buffer, options)
            return
        try:
            if options["release"]:
                self._release(study, options)
                return
            with whole_file(Path(options["out"])) as file:
                self._write(study, file, options)
        except OSError as error:
            raise CommandError(
                f"{options['out']} cannot be written: {error.strerror}.", returncode=2
            ) from error

    def _write(self, study: Study, file: BinaryIO, options: dict[str, Any]) -> None:
        if options["what"] == BUNDLE:
            self._bundle(study, file, options)
            return
        file.writelines(_pieces(study, options))

    def _release(self, study: Study, options: dict[str, Any]) -> None:
        """Make a release in this process, and copy its archive to `--out`."""
        names = ("licence", "texts_licence", "note", "major", "judges", "times")
        asked = {name: options[name] for name in names}
        try:
            job = request_release(study=study, actor=None, authors=options["author"], announce=False, **asked)
            lease = claim(job_id=job.pk)
            if lease is None:
                raise CommandError(f"A worker is already making this release (job {job.pk}).", returncode=1)
            archive = _made(lease)
        except GroundworkError as refusal:
            raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal
        if options["out"] != "-":
            with archive.open("rb") as made, whole_file(Path(options["out"])) as file:
                shutil.copyfileobj(made, file)
        release = Release.objects.get(job=job)
        self.stdout.write(f"Release {release.version} of {study.slug}, SHA-256 {release.digest}")

    def _bundle(self, study: Study, file: BinaryIO, options: dict[str, Any]) -> None:
        formats = [options["format"]] if options["format"] in ASKED else []
        with tqdm(disable=None, unit="file") as bar:
            try:
                write_bundle(
                    study=study,
                    target=file,
                    formats=formats,
                    bom=options["bom"],
                    with_pay=True,
                    judges=options["judges"],
                    publication=Publication.read(
                        options["licence"], options["author"], options["texts_licence"]
                    ),
                    progress=lambda done, total, path: _show(bar, done, total, path),
                )
            except GroundworkError as refusal:
                raise CommandError(refusal.message, returncode=2) from refusal


def _made(lease: Lease) -> Path:
    try:
        return make_release(lease=lease)
    except GroundworkError as refusal:
        lease.fail(code=refusal.code, message=refusal.message)
        raise


def _add_release_options(parser: CommandParser) -> None:
    parser.add_argument(
        "--release", action="store_true", help="make a release: a bundle with a version, which stays listed"
    )
    parser.add_argument("--note", default="", metavar="TEXT", help="what is new in the release")
    parser.add_argument(
        "--major",
        action="store_true",
        help="results that used the last release no longer hold: 2.0 after 1.3",
    )
    parser.add_argument(
        "--times", choices=ROUNDINGS, default=DAY, help="how far a release rounds times (default: day)"
    )


def _pieces(study: Study, options: dict[str, Any]) -> Iterator[bytes]:
    if options["what"] == "cmdag":
        return cmdag_json(study, rater=options["rater"])
    if options["what"] in DOCUMENTS:
        return DOCUMENTS[options["what"]].pieces(study)
    columns, rows = table_of(study, options["what"], all_revisions=options["all_revisions"])
    return write_rows(rows, columns, options["format"] or "csv", bom=options["bom"])


def _show(bar: Any, done: int, total: int, path: str) -> None:
    if bar.n != done or bar.total != total:
        bar.total = total
        bar.set_description(path, refresh=False)
        bar.update(done - bar.n)
