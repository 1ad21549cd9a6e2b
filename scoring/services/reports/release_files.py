"""The files that a release of a study would have now, with their rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from annotation.models import Exclusion, Study
from annotation.selectors.questions.long_table import n_rating_rows
from scoring.bundle.archive import SUMS, files_of
from scoring.bundle.contents import BundleFile
from scoring.bundle.release.publication import Author, Publication
from scoring.models import Judgement, Score
from scoring.services.reports.bundles import bundle_contents

# Folders whose files are listed as one.
FOLDERS = ("recompute", "media", "tables", "reports")
# Some files are only there with an author, which a release usually has.
SOMEONE = Publication(authors=(Author("N"),))


@dataclass(frozen=True)
class ReleaseFile:
    """A table in its formats, a folder, or another file.

    `n_rows` is None where the database does not count them, and `n_columns` where the file is no table.
    """

    path: str
    n_files: int
    n_rows: int | None = None
    n_columns: int | None = None


def release_files(study: Study, *, judges: bool) -> list[ReleaseFile]:
    """List the files of a release without writing it.

    Parameters
    ----------
    study : Study
        Study of the release.
    judges : bool
        With the answers of automatic judges.
    """
    contents = bundle_contents(study, (), SOMEONE, bom=False, with_pay=True, judges=judges)
    counted = dict(_numbers(study))
    grouped = groupby(files_of(contents), key=_place)
    found = [_file(place, list(files), counted) for place, files in grouped]
    return [*found, ReleaseFile(SUMS, 1)]


def _place(file: BundleFile) -> str:
    """A table without its ending, a folder, or the whole path."""
    folder, _, rest = file.path.partition("/")
    if rest and folder in FOLDERS:
        return f"{folder}/"
    return file.table if file.columns else file.path


def _file(place: str, files: list[BundleFile], counted: Mapping[str, int]) -> ReleaseFile:
    first = files[0]
    if not first.columns:
        return ReleaseFile(place, len(files))
    endings = [f".{file.path.rpartition('.')[2]}" for file in files[1:]]
    path = ", ".join((first.path, *endings))
    return ReleaseFile(path, len(files), counted.get(place), len(first.columns))


def _numbers(study: Study) -> Iterator[tuple[str, int]]:
    yield "data/ratings", n_rating_rows(study)
    yield "data/items", study.items.count()
    yield "data/scores", Score.objects.filter(run__study=study).count()
    yield "data/judgements", Judgement.objects.filter(judge__study=study).count()
    yield "data/exclusions", Exclusion.objects.filter(study=study).count()
    yield "data/rules", study.exclusion_rules.count()
