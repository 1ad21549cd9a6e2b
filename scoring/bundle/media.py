"""The media files of a study: a table with their checksums, and the files where they are not too many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from annotation.domain.base.codebook import MEDIA
from annotation.io.items.media.stored import pieces
from annotation.selectors.items.media import files_of, media_table
from scoring.bundle.contents import BundleFile, Contents, table_files

FOLDER = "media/"
# Of larger media a bundle contains only the checksums.
MOST_BYTES = 500 << 20


def media_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/media` and `media/`, in bundles of studies with media files."""
    files = list(files_of(contents.study))
    if not files:
        return
    yield from table_files(contents, "media", MEDIA, lambda: media_table(contents.study)[1])
    if sum(file.size for file in files) > MOST_BYTES:
        return
    for file in files:
        if file.sha256:
            yield BundleFile(f"{FOLDER}{file.name}", partial(pieces, file.stored_name, 0, file.size))
