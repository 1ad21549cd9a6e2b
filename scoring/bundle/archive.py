"""The archive: files written one after the other, each piece by piece, with their sums at the end."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from functools import partial
from typing import IO

from scoring.bundle.contents import BundleFile, Contents, Part, Written, text_file
from scoring.bundle.figures import coefficients_part, program_part, reports_part, tables_part
from scoring.bundle.judges import judges_part
from scoring.bundle.media import media_part
from scoring.bundle.pairs import pairs_part
from scoring.bundle.prose import prose_part
from scoring.bundle.quality import quality_part
from scoring.bundle.ratings import choices_part, ratings_part, requested_part
from scoring.bundle.release.citation import citation_part
from scoring.bundle.release.croissant import croissant_part
from scoring.bundle.release.csvw import csvw_part
from scoring.bundle.release.heds import heds_part
from scoring.bundle.release.individual_labels import labels_part
from scoring.bundle.study import codebook_part, study_part
from scoring.bundle.tables import adjudicated_part, decisions_part, items_part, people_part, scores_part

SUMS = "SHA256SUMS"
Progress = Callable[[int, int, str], None]
# In the order of writing: later parts may describe earlier ones. A further file of the bundle is one more
# function here; it gets the contents and the files so far, and yields its own.
PARTS: tuple[Part, ...] = (
    ratings_part,
    requested_part,
    choices_part,
    pairs_part,
    items_part,
    media_part,
    scores_part,
    judges_part,
    people_part,
    quality_part,
    decisions_part,
    adjudicated_part,
    study_part,
    reports_part,
    tables_part,
    coefficients_part,
    program_part,
    labels_part,
    codebook_part,
    csvw_part,
    citation_part,
    heds_part,
    croissant_part,
    prose_part,
)


def files_of(contents: Contents) -> list[BundleFile]:
    """Every file of the bundle but its sums."""
    files: list[BundleFile] = []
    for part in PARTS:
        files += part(contents, tuple(files))
    return files


def write_archive(contents: Contents, target: IO[bytes], progress: Progress) -> None:
    """Write a bundle as a ZIP file.

    Parameters
    ----------
    contents : Contents
        Contents of the bundle.
    target : binary file
        Need not be seekable.
    progress : callable
        Called with files done, files in all and the file that is being written, with every piece; what it
        raises ends the work.
    """
    files = [*files_of(contents), text_file(SUMS, lambda: sums(contents))]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for done, file in enumerate(files):
            _write(archive, contents, file, partial(progress, done, len(files), file.path))


def sums(contents: Contents) -> str:
    """Lines as `sha256sum -c` reads them."""
    return "".join(f"{one.digest}  {path}\n" for path, one in contents.written.items())


def _write(archive: zipfile.ZipFile, contents: Contents, file: BundleFile, beat: Callable[[], None]) -> None:
    beat()
    entry = zipfile.ZipInfo(f"{contents.study.slug}/{file.path}", contents.at.timetuple()[:6])
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    digest, size = hashlib.sha256(), 0
    with archive.open(entry, "w", force_zip64=True) as opened:
        for piece in file.pieces():
            opened.write(piece)
            digest.update(piece)
            size += len(piece)
            beat()
    contents.written[file.path] = Written(digest.hexdigest(), size)
