"""The parts of a bundle in the order of writing; later ones may describe earlier ones.

A further file is one more function here: it gets the contents and the files so far, and yields its own.
"""

from __future__ import annotations

from scoring.bundle.adjudicated import adjudicated_part
from scoring.bundle.contents import BundleFile, Contents, Part
from scoring.bundle.croissant import croissant_part
from scoring.bundle.figures import coefficients_part, programme_part, reports_part, tables_part
from scoring.bundle.prose import prose_part
from scoring.bundle.ratings import choices_part, ratings_part
from scoring.bundle.study import codebook_part, study_part
from scoring.bundle.tables import decisions_part, items_part, people_part, scores_part

PARTS: tuple[Part, ...] = (
    ratings_part,
    choices_part,
    items_part,
    scores_part,
    people_part,
    decisions_part,
    adjudicated_part,
    study_part,
    reports_part,
    tables_part,
    coefficients_part,
    programme_part,
    codebook_part,
    croissant_part,
    prose_part,
)


def files_of(contents: Contents) -> list[BundleFile]:
    """Every file of the bundle but its sums."""
    files: list[BundleFile] = []
    for part in PARTS:
        files += part(contents, tuple(files))
    return files
